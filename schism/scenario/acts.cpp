// What a filter's actions do.
#include <algorithm>

#include "schism/scenario/player.hpp"

namespace schism::scenario {

std::optional<NodeId> Player::node(const BoundTerm& term, const Moment& m) const {
  const Value v = term.read(state_, m);
  const std::int64_t* id = v.as_int();
  if (!id || *id < 0 || *id >= state_.world->setup().places()) return std::nullopt;
  return static_cast<NodeId>(*id);
}

void Player::act(World& world, const Deed& deed, std::size_t filter, const Moment& m, Fate& fate,
                 bool& go_on) {
  switch (deed.kind) {
    case Act::deliver:
    case Act::drop:
    case Act::store:
    case Act::delay:
    case Act::duplicate:
    case Act::change:
    case Act::omit:
    case Act::lie:
    case Act::hold:
    case Act::pass: act_on_it(world, deed, filter, m, fate); break;
    case Act::deliver_all:
    case Act::release: empty_set(world, deed); break;
    case Act::increment:
      tally_.counted.insert(deed.terms[0].term.name);
      note(deed, state_, m);
      break;
    case Act::record: {
      const auto i = static_cast<std::size_t>(deed.index);
      const Value before = state_.variables[i];
      note(deed, state_, m);
      if (!before.is_null() && !(before == state_.variables[i]))
        tally_.overwritten.insert(deed.index);
      break;
    }
    case Act::go_on: go_on = true; break;
    case Act::once: {
      const auto flag = static_cast<std::size_t>(deed.index);
      if (state_.once[flag]) break;
      state_.once[flag] = true;
      act(world, deed.parts[0], filter, m, fate, go_on);
      break;
    }
    case Act::custom: state_.deeds[static_cast<std::size_t>(deed.index)](world, m); break;
    default: act_on_nodes(world, deed, filter, m);
  }
}

// What is pending because of this moment. Timers, disk operations and requests cannot be lost: to
// drop one is to hold it for good.
void Player::act_on_it(World& world, const Deed& deed, std::size_t filter, const Moment& m,
                       Fate& fate) {
  if (deed.kind == Act::pass) {
    if (fate == Fate::none) fate = Fate::passed;
    return;
  }
  if (!m.pending()) {
    if (!m.gone) ++tally_.powerless[filter];
    return;
  }
  const Kept what = kept(world, m);
  const Name name(what.name);
  const bool message = m.serves == Do::deliver;
  switch (deed.kind) {
    case Act::deliver: serve(world, what); break;
    case Act::drop:
      world.hold(m.serves, m.slot, Holder::scenario);
      if (message)
        script_.push_back(
            {for_free(make_action(Do::drop, name, 0, m.slot)), true, what.generation});
      break;
    case Act::store:
      world.hold(m.serves, m.slot, Holder::scenario);
      state_.sets[static_cast<std::size_t>(deed.index)].push_back(what);
      ++tally_.stored[static_cast<std::size_t>(deed.index)];
      break;
    case Act::delay: {
      const auto steps = [&](std::size_t i) {
        const Value v = deed.terms[i].read(state_, m);
        return v.as_int() ? static_cast<std::uint64_t>(std::max<std::int64_t>(*v.as_int(), 0)) : 0;
      };
      const std::uint64_t least = steps(0), most = deed.terms.size() > 1 ? steps(1) : least;
      world.hold(m.serves, m.slot, Holder::scenario);
      late_.push_back({what, served_ + least + (most > least ? rng_.below(most - least + 1) : 0)});
      break;
    }
    case Act::hold: world.hold(m.serves, m.slot, Holder::scenario); break;
    case Act::duplicate:
      if (message)
        script_.push_back(
            {for_free(make_action(Do::duplicate, name, 0, m.slot)), true, what.generation});
      else ++tally_.failed[filter];
      if (fate == Fate::none) fate = Fate::passed;
      return;
    case Act::omit:
    case Act::lie:
      if (lie(world, deed, filter, m)) break;
      if (fate == Fate::none) fate = Fate::passed;
      return;
    default:
      change(world, deed, filter, m);
      if (fate == Fate::none) fate = Fate::passed;
      return;
  }
  fate = Fate::taken;
}

void Player::serve(const World& world, const Kept& what) {
  const Pending& pending = world.pending();
  std::uint32_t arg = 0;
  if (what.kind == Do::submit) {
    const NodeId target = pending.askings[what.slot].target;
    const IdSet& takers = pending.takers(Name(what.name));
    if (target == kAnyNode && takers.size() == 0) return;
    arg = target != kAnyNode ? static_cast<std::uint32_t>(target)
                             : takers[static_cast<std::uint32_t>(rng_.below(takers.size()))];
  }
  script_.push_back(
      {make_action(what.kind, Name(what.name), arg, what.slot), true, what.generation});
}

// A link that keeps order keeps it here too.
void Player::empty_set(World& world, const Deed& deed) {
  const auto set = static_cast<std::size_t>(deed.index);
  std::vector<Kept> all;
  all.swap(state_.sets[set]);
  std::erase_if(all, [&](const Kept& k) { return !alive(world, k); });
  tally_.released[set] += all.size();
  const bool shuffled = deed.kind == Act::deliver_all && !deed.act->kept &&
                        world.setup().options.links == LinkOrder::any;
  if (shuffled)
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[rng_.below(i)]);
  for (const Kept& k : all) {
    if (deed.kind == Act::release) hand_over(world, k);
    else serve(world, k);
  }
}

void Player::change(World& world, const Deed& deed, std::size_t filter, const Moment& m) {
  const auto path = std::find_if(deed.paths.begin(), deed.paths.end(),
                                 [&](const auto& p) { return p.first == m.type; });
  Value content = m.body && m.serves == Do::deliver ? m.type->to_value(m.body) : Value();
  const Value to = deed.terms[0].read(state_, m);
  const Kept what = kept(world, m);
  if (path == deed.paths.end() || content.is_null() || !path->second.write(content, to) ||
      !world.may_lie(Name(what.name).from())) {
    ++tally_.failed[filter];
    return;
  }
  const Action changed = make_action(Do::mutate, Name(what.name), 0, m.slot);
  script_.push_back({for_free(with_content(changed, world.add_content(std::move(content)))), true,
                     what.generation});
}

// True: it will not be sent.
bool Player::lie(World& world, const Deed& deed, std::size_t filter, const Moment& m) {
  const Kept what = kept(world, m);
  const bool possible = m.serves == Do::deliver && world.may_lie(Name(what.name).from());
  const auto way =
      deed.kind == Act::omit ? byzantine::Way::silent : static_cast<byzantine::Way>(deed.index);
  // All messages of one broadcast are lied about alike.
  const std::uint32_t group = possible ? world.pending().flights[m.slot].group() : 0;
  const std::uint64_t seed = group > 0 ? keyed(lying_seed_, group) : rng_.next();
  const auto action =
      possible ? byzantine::lie_by(world, m.slot, way, memory_, seed) : std::nullopt;
  if (!possible) ++tally_.failed[filter];
  if (!action) return false;  // to this one it tells the truth
  const bool silent = action->kind == Do::omit;
  if (silent) world.hold(m.serves, m.slot, Holder::scenario);
  script_.push_back({for_free(*action), action->kind != Do::inject, what.generation});
  return silent;
}

void Player::forge(World& world, const Deed& deed, std::size_t filter, const Moment& m) {
  const auto from = node(deed.terms[0], m), to = node(deed.terms[1], m);
  const TypeInfo& type = world.setup().system->message(deed.index);
  Value content;
  for (const auto& [name, term] : deed.fields) content.set(name, term.read(state_, m));
  if (!from || !to || !world.may_lie(*from) || !accepts(type, content)) {
    ++tally_.failed[filter];
    return;
  }
  const Action made = make_action(Do::inject, Name(*from, *to, deed.index, 0));
  order(for_free(with_content(made, world.add_content(std::move(content)))));
}

void Player::submit(World& world, Own& own) {
  if (!own.has || own.wanted == 0) return;
  --own.wanted;
  own.has = false;
  const auto target = static_cast<std::uint32_t>(own.target);
  script_.push_back({make_action(Do::submit, Name(own.waiting.name), target, own.waiting.slot),
                     true, own.waiting.generation});
  (void)world;
}

void Player::act_on_nodes(World& world, const Deed& deed, std::size_t filter, const Moment& m) {
  if (deed.kind == Act::forge) return forge(world, deed, filter, m);
  const auto who = node(deed.terms[0], m);
  const auto other = deed.terms.size() > 1 ? node(deed.terms[1], m) : who;
  if (!who || !other) {
    ++tally_.failed[filter];
    return;
  }
  const auto link = [&](Do kind, NodeId a, NodeId b) {
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
      if (world.cut(from, to) == (kind == Do::cut)) continue;
      const Action action = link_action(kind, from, to);
      order(kind == Do::cut ? for_free(action) : action);
    }
  };
  const auto around = [&](Do kind) {
    for (NodeId id = 0; id < world.setup().places(); ++id)
      if (id != *who) link(kind, *who, id);
  };
  const Pending& pending = world.pending();
  switch (deed.kind) {
    case Act::fire: {
      bool found = false;
      for (std::uint32_t i = 0; i < pending.timers.size() && !found; ++i) {
        const Armed& timer = pending.timers[i];
        found = timer.alive() && timer.name.from() == *who && timer.name.type() == deed.index;
        if (found) serve(world, {Do::fire, i, timer.generation, timer.name.bits()});
      }
      if (!found) ++tally_.failed[filter];
      break;
    }
    case Act::crash: {
      const auto outcomes =
          world.up(*who) ? world.crash_outcomes(*who) : std::vector<CrashOutcome>();
      if (outcomes.empty()) ++tally_.failed[filter];
      else order(for_free(node_action(Do::crash, *who, outcomes.front().arg())));
      break;
    }
    case Act::restart: order(node_action(Do::restart, *who)); break;
    case Act::pause: order(for_free(node_action(Do::pause, *who))); break;
    case Act::resume: order(node_action(Do::resume, *who)); break;
    case Act::cut: link(Do::cut, *who, *other); break;
    case Act::heal: link(Do::heal, *who, *other); break;
    case Act::isolate: around(Do::cut); break;
    case Act::rejoin: around(Do::heal); break;
    case Act::submit: {
      Own& own = own_[static_cast<std::size_t>(deed.client)];
      ++own.wanted;
      own.target = *who;
      submit(world, own);
      break;
    }
    default: break;
  }
}

}  // namespace schism::scenario
