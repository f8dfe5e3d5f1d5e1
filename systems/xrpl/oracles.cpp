#include "systems/xrpl/oracles.hpp"

#include <algorithm>

namespace schism::xrpl {
namespace {

const Validator& node_of(const World& world, NodeId id) { return *world.as<Validator>(id); }

Hash128 hash_of_list(const std::vector<std::uint64_t>& list) {
  Hash128 sum;
  for (const std::uint64_t item : list) sum += scatter(item);
  return sum;
}

template <class T>
bool has(const std::vector<T>& list, const T& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

}  // namespace

// ---- I1, I2 --------------------------------------------------------------------------------

void DecidesOnce::begin(const World& world) {
  absolve();
  last_.assign(static_cast<std::size_t>(world.setup().nodes), {});
}

void DecidesOnce::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    Last& last = last_[event.node];
    if (event.kind == Happened::restarted) last = {};
    const auto* accepted = announced_as<Accepted>(event);
    if (!accepted) continue;
    if (accepted->round == last.round)
      violate(world,
              fmt::format("node {} declared consensus twice in its round {}", event.node,
                          accepted->round),
              {{last.step, "accepted"}, {world.step(), "accepted again"}});
    last = {accepted->round, world.step()};
  }
}

std::optional<Hash128> DecidesOnce::digest() const {
  Hash128 h = seeded("decides-once");
  for (const Last& last : last_) h = absorb(h, last.round);
  return h;
}

void ValidatesOnce::begin(const World& world) {
  absolve();
  who_.clear();
  last_.assign(static_cast<std::size_t>(world.setup().nodes), 0);
}

void ValidatesOnce::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    const auto* validated = announced_as<Validated>(event);
    if (!validated) continue;
    // What a validator has used it may use again when it has used nothing for so long.
    Micros& last = last_[static_cast<std::size_t>(event.node)];
    if (world.clock() > last + kValidationSetExpires)
      who_.change([&](Members& who) { who &= ~bit_of(event.node); });
    last = world.clock();
    Members* who = who_.at(validated->seq);
    if (!who) continue;
    if (contains(*who, event.node))
      violate(world,
              fmt::format("node {} validated a ledger with sequence {} for the second time",
                          event.node, validated->seq),
              {{world.step(), "validated again"}});
    *who |= bit_of(event.node);
  }
}

std::optional<Hash128> ValidatesOnce::digest() const {
  Hash128 h = who_.digest([](Members who) { return scatter(who); });
  for (const Micros last : last_) h = absorb(h, static_cast<std::uint64_t>(last));
  return h;
}

// ---- A1, A2 --------------------------------------------------------------------------------

std::string_view Same::name() const {
  switch (what_) {
    case About::sets: return "same-sets";
    case About::accepted: return "same-accepted";
    case About::validated: break;
  }
  return "same-validated";
}

EventMask Same::wakes_on() const {
  if (!wanted_) return 0;
  return what_ == About::validated ? announcements_of<FullyValidated>()
                                   : announcements_of<Accepted>();
}

void Same::begin(const World&) {
  absolve();
  first_.clear();
}

std::optional<Same::Said> Same::said(const Event& event) const {
  if (what_ == About::validated) {
    const auto* v = announced_as<FullyValidated>(event);
    return v ? std::optional(Said{v->seq, v->ledger}) : std::nullopt;
  }
  const auto* a = announced_as<Accepted>(event);
  if (!a) return std::nullopt;
  return Said{a->seq, what_ == About::sets ? a->set.id() : a->ledger};
}

void Same::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    const auto now = said(event);
    First* first = now ? first_.at(now->seq) : nullptr;
    if (!first) continue;
    if (first->id == 0) {
      *first = {now->id, world.step(), event.node};
    } else if (first->id != now->id) {
      const char* verb = what_ == About::validated ? "fully validated" : "accepted";
      const char* noun = what_ == About::sets ? "transaction set" : "ledger";
      violate(world,
              fmt::format("node {} {} {} {:016x} at sequence {}, but node {} {} {:016x}",
                          event.node, verb, noun, now->id, now->seq, first->node, verb, first->id),
              {{first->step, verb}, {world.step(), verb}});
    }
  }
}

std::optional<Hash128> Same::digest() const {
  return absorb(seeded(name()), first_.digest([](const First& f) { return scatter(f.id); }));
}

// ---- V1, V2, V3 ----------------------------------------------------------------------------

bool is_honest(const Setup& setup) {
  return setup.options.faults.mutate + setup.options.faults.inject == 0;
}

ProposedSets::ProposedSets(const Setup& setup) : honest_(is_honest(setup)) {}

void ProposedSets::begin(const World&) {
  absolve();
  proposed_.clear();
}

void ProposedSets::look(const World& world, std::span<const Event> events) {
  if (!honest_) return;
  for (const Event& event : events) {
    if (const auto* p = announced_as<Positioned>(event)) {
      Proposed* proposed = proposed_.at(p->ledger_seq);
      if (!proposed || has(proposed->sets, p->set.id())) continue;
      proposed->sets.push_back(p->set.id());
      for (const Tx& tx : p->set->txs())
        if (!has(proposed->txs, tx.id)) proposed->txs.push_back(tx.id);
    } else if (const auto* a = announced_as<Accepted>(event)) {
      const Proposed* proposed = proposed_.at(a->seq);
      if (!proposed || has(proposed->sets, a->set.id())) continue;
      for (const Tx& tx : a->set->txs())
        if (!has(proposed->txs, tx.id))
          violate(world,
                  fmt::format("node {} accepted transaction {:016x} at sequence {}, which nobody "
                              "had in a position there",
                              event.node, tx.id, a->seq),
                  {{world.step(), "accepted"}});
    }
  }
}

std::optional<Hash128> ProposedSets::digest() const {
  return proposed_.digest(
      [](const Proposed& p) { return absorb(hash_of_list(p.sets), hash_of_list(p.txs)); });
}

void Built::begin(const World&) {
  absolve();
  built_.clear();
}

void Built::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    if (const auto* a = announced_as<Accepted>(event)) {
      auto* built = built_.at(a->seq);
      if (built && !has(*built, a->ledger)) built->push_back(a->ledger);
    } else if (const auto* v = announced_as<Validated>(event); v && !of_switches_) {
      judge(world, event, v->ledger, v->seq);
    } else if (const auto* s = announced_as<Switched>(event); s && of_switches_) {
      judge(world, event, s->to, s->seq);
    }
  }
}

void Built::judge(const World& world, const Event& event, LedgerId id, Seq seq) {
  if (seq <= 1) return;  // everybody begins with the first one
  const auto* built = built_.at(seq);
  if (!built || has(*built, id)) return;
  violate(world,
          fmt::format("node {} {} ledger {:016x} with sequence {}, which nobody built", event.node,
                      of_switches_ ? "switched to" : "validated", id, seq),
          {{world.step(), of_switches_ ? "switched" : "validated"}});
}

std::optional<Hash128> Built::digest() const {
  return absorb(seeded(name()),
                built_.digest([](const std::vector<LedgerId>& ids) { return hash_of_list(ids); }));
}

// ---- where somebody lies ---------------------------------------------------------------------

void TrueSequence::begin(const World&) {
  absolve();
  built_.clear();
}

const TrueSequence::Built* TrueSequence::find(LedgerId id) const {
  const auto at =
      std::find_if(built_.rbegin(), built_.rend(), [&](const Built& b) { return b.ledger == id; });
  return at == built_.rend() ? nullptr : &*at;
}

void TrueSequence::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    if (const auto* a = announced_as<Accepted>(event); a && !find(a->ledger)) {
      if (built_.size() >= kKept) built_.erase(built_.begin());
      built_.push_back({a->ledger, a->seq});
    }
    const auto* taken = announced_as<TakenForValid>(event);
    const Built* built = taken ? find(taken->ledger) : nullptr;
    if (built && built->seq != taken->seq)
      violate(world,
              fmt::format("node {} takes ledger {:016x} for valid with sequence {}, but it was "
                          "built with {}",
                          event.node, taken->ledger, taken->seq, built->seq),
              {{world.step(), "taken for valid"}});
  }
}

std::optional<Hash128> TrueSequence::digest() const {
  Hash128 sum = seeded("true-sequence");
  for (const Built& b : built_) sum += absorb(scatter(b.ledger), b.seq);
  return sum;
}

void Compatible::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events)
    if (const auto* n = announced_as<NotValidating>(event); n && n->seq >= static_cast<Seq>(from_))
      violate(world,
              fmt::format("node {} does not validate the ledger {:016x} that it built at sequence "
                          "{}: it takes another one for validated",
                          event.node, n->ledger, n->seq),
              {{world.step(), "not validated"}});
}

std::string_view Stalled::name() const {
  switch (why_) {
    case Why::incompatible: return "stalled-incompatible";
    case Why::insufficient: return "stalled-insufficient";
    case Why::agreement: return "stalled-agreement";
    case Why::any: break;
  }
  return "stalled";
}

void Stalled::begin(const World&) {
  absolve();
  refused_ = 0;
  forked_ = false;
  built_.clear();
  validated_.clear();
}

void Stalled::look(const World&, std::span<const Event> events) {
  for (const Event& event : events) {
    if (const auto* n = announced_as<NotValidating>(event); n && n->seq >= kFirst)
      refused_ |= bit_of(event.node);
    const auto* v = announced_as<FullyValidated>(event);
    if (LedgerId* first = v ? validated_.at(v->seq) : nullptr) {
      forked_ = forked_ || (*first != 0 && *first != v->ledger);
      *first = v->ledger;
    }
    const auto* a = announced_as<Accepted>(event);
    auto* all = a && a->seq >= kFirst ? built_.at(a->seq) : nullptr;
    if (!all) continue;
    const auto same = std::find_if(all->begin(), all->end(),
                                   [&](const Built& b) { return b.ledger == a->ledger; });
    if (same == all->end()) all->push_back({a->ledger, bit_of(event.node)});
    else same->by |= bit_of(event.node);
  }
}

bool Stalled::incompatible(const World& world) const {
  for (NodeId id = 0; id < world.setup().nodes; ++id)
    if (!world.liar(id) && count(refused_ & node_of(world, id).trusted) > 1) return true;
  return false;
}

bool Stalled::insufficient(const World& world) const {
  std::vector<Members> lists;
  for (NodeId id = 0; id < world.setup().nodes; ++id)
    if (!world.liar(id) && !has(lists, node_of(world, id).trusted))
      lists.push_back(node_of(world, id).trusted);
  const auto three = [&](const Built& one) {
    return std::any_of(lists.begin(), lists.end(),
                       [&](Members list) { return count(one.by & list) >= 3; });
  };
  bool found = false;
  built_.each([&](const std::vector<Built>& all) {
    found = found || std::count_if(all.begin(), all.end(), three) > 1;
  });
  return found;
}

bool Stalled::holds(const World& world) const {
  switch (why_) {
    case Why::incompatible: return incompatible(world);
    case Why::insufficient: return insufficient(world);
    case Why::agreement: return forked_;
    case Why::any: break;
  }
  return true;
}

void Stalled::finish(const World& world, const Ending&) {
  if (ledgers_ == 0) return;
  const Seq due = static_cast<Seq>(ledgers_) + 1;
  NodeId late = 0;
  while (late < world.setup().nodes &&
         (world.liar(late) || node_of(world, late).validated_seq() >= due))
    ++late;
  const bool all = late == world.setup().nodes;
  if ((all && !forked_) || !holds(world)) return;
  violate(world,
          all ? std::string("two nodes have fully validated different ledgers at one sequence")
              : fmt::format("node {} has validated {} of {} ledgers", late,
                            node_of(world, late).validated_seq() - 1, ledgers_),
          {{world.step(), "the end"}});
}

// ---- what is held for a peer ---------------------------------------------------------------

void HeldSequence::begin(const World& world) {
  absolve();
  nodes_ = static_cast<std::size_t>(world.setup().nodes);
  last_.assign(nodes_ * nodes_, {});
}

void HeldSequence::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    if (event.kind == Happened::restarted)
      for (NodeId peer = 0; peer < world.setup().nodes; ++peer) of(event.node, peer) = {};
    const auto* held = announced_as<Held>(event);
    if (!held) continue;
    Last& last = of(event.node, held->peer);
    if (held->epoch == last.epoch && held->seq >= 0 && held->seq < last.seq)
      violate(world,
              fmt::format("node {} held proposal {} of node {}, and now an older one: {}",
                          event.node, last.seq, held->peer, held->seq),
              {{last.step, "held"}, {world.step(), "went back"}});
    last = {held->epoch, world.step(), held->seq};
  }
}

std::optional<Hash128> HeldSequence::digest() const {
  Hash128 h = seeded("held-sequence");
  for (const Last& last : last_)
    h = absorb(absorb(h, last.epoch), static_cast<std::uint64_t>(last.seq));
  return h;
}

// ---- progress ------------------------------------------------------------------------------

void Termination::begin(const World& world) {
  absolve();
  timed_ = world.setup().options.time != TimeUse::untimed;
  over_ = judged_ = false;
  since_ = world.clock();
  highest_ = 1;
  used_up_ = 0;
  reached_.assign(static_cast<std::size_t>(world.setup().nodes), 0);
  round_.assign(reached_.size(), since_);
  ledgers_ = 0;
  step_ = 0;
}

void Termination::look(const World& world, std::span<const Event> events) {
  const auto goes_on = [&] {
    since_ = world.clock();
    step_ = world.step();
  };
  for (const Event& event : events) {
    if (event.kind == Happened::calmed) {
      goes_on();
      std::fill(round_.begin(), round_.end(), since_);
    }
    if (announced_as<RoundStarted>(event)) round_[event.node] = world.clock();
    if (announced_as<Stopped>(event)) over_ = true;
    if (const auto* v = announced_as<FullyValidated>(event); v && v->seq > highest_) {
      highest_ = v->seq;
      ledgers_ += world.calm() ? 1 : 0;
      goes_on();
    }
    if (const auto* v = announced_as<Validated>(event); v && !world.calm())
      used_up_ = std::max(used_up_, v->seq);
    const auto* a = world.calm() ? announced_as<Accepted>(event) : nullptr;
    if (!a || a->seq > used_up_ || a->seq <= reached_[event.node]) continue;
    reached_[event.node] = a->seq;
    goes_on();
  }
}

bool Termination::go_on_apart(const World& world) const {
  const Validator* other = nullptr;
  bool apart = false;
  for (NodeId id = 0; id < world.setup().nodes; ++id) {
    if (world.liar(id) || !world.up(id)) continue;
    const Validator& node = node_of(world, id);
    if (world.clock() - round_[id] > kBound + node.prev_round_time) return false;
    apart |= other && other->prev.id() != node.prev.id();
    other = &node;
  }
  return apart;
}

void Termination::finish(const World& world, const Ending& ending) {
  judged_ = timed_ && ending.fair && world.calm();
  if (!judged_ || satisfied()) return;
  // The end came before it was known, or there is no knowing.
  if (world.clock() - since_ <= kBound || go_on_apart(world)) {
    judged_ = false;
    return;
  }
  violate(world,
          fmt::format("messages come at once, and no node has validated a ledger after sequence {} "
                      "for 65 s",
                      highest_),
          {{step_, "the last one"}, {world.step(), "65 s later"}});
}

// In untimed runs it has no memory, because it does not judge.
std::optional<Hash128> Termination::digest() const {
  if (!timed_) return Hash128{};
  Hash128 h = absorb(scatter(static_cast<std::uint64_t>(since_)), highest_);
  h = absorb(h, used_up_);
  for (const Seq seq : reached_) h = absorb(h, seq);
  for (const Micros since : round_) h = absorb(h, static_cast<std::uint64_t>(since));
  return absorb(h, static_cast<std::uint64_t>(ledgers_) << 1 | (over_ ? 1 : 0));
}

// ---- Groot's -------------------------------------------------------------------------------

void Healed::begin(const World&) {
  absolve();
  satisfied_ = judged_ = false;
  due_ = 0;
}

void Healed::look(const World& world, std::span<const Event>) {
  if (!world.calm()) return;
  Seq lowest = 0xffffffff, highest = 0;
  for (NodeId id = 0; id < world.setup().nodes; ++id) {
    if (world.liar(id)) continue;
    if (!world.up(id)) return;
    lowest = std::min(lowest, node_of(world, id).validated_seq());
    highest = std::max(highest, node_of(world, id).validated_seq());
  }
  if (due_ == 0) due_ = highest + static_cast<Seq>(ledgers_);
  satisfied_ = lowest >= due_;
}

void Healed::finish(const World& world, const Ending& ending) {
  judged_ = ending.fair && world.calm();
  if (!judged_) return;
  Seq common = 0xffffffff;
  for (NodeId id = 0; id < world.setup().nodes; ++id) {
    if (world.liar(id)) continue;
    if (!world.up(id)) return;
    common = std::min(common, node_of(world, id).validated_seq());
  }
  NodeId one = 0;
  while (one < world.setup().nodes && world.liar(one)) ++one;
  if (one == world.setup().nodes) return;
  const LedgerId first = node_of(world, one).validated->ancestor(common);
  for (NodeId id = one + 1; id < world.setup().nodes; ++id) {
    if (world.liar(id)) continue;
    const LedgerId other = node_of(world, id).validated->ancestor(common);
    if (first == 0 || other == 0 || first == other) continue;
    violate(world,
            fmt::format("after the disturbance nodes {} and {} still have different validated "
                        "ledgers at sequence {}: {:016x} and {:016x}",
                        one, id, common, first, other),
            {{world.step(), "differ"}});
  }
}

// ---- the test case -------------------------------------------------------------------------

void CaseRules::begin(const World&) {
  absolve();
  ended_.assign(case_->payments.size(), {});
}

void CaseRules::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    const auto* p = announced_as<PaymentEnded>(event);
    if (!p) continue;
    note(world, event, *p);
    for (const Rule& rule : case_->rules) judge(world, rule);
  }
}

void CaseRules::note(const World& world, const Event& event, const PaymentEnded& p) {
  const auto index = static_cast<std::size_t>(p.payment);
  Ended& before = ended_[index];
  if (before.yes && before.end != p.end)
    violate(world,
            fmt::format("payment {} ended as {} at node {}, but as {} at node {}",
                        case_->payments[index].name, enum_name(p.end), event.node,
                        enum_name(before.end), before.node),
            {{before.step, std::string(enum_name(before.end))},
             {world.step(), std::string(enum_name(p.end))}});
  if (!before.yes) before = {true, p.end, event.node, world.step()};
}

void CaseRules::judge(const World& world, const Rule& rule) {
  int counts[3] = {0, 0, 0};
  bool all = true;
  std::vector<Evidence> evidence;
  for (const std::size_t i : rule.of) {
    all = all && ended_[i].yes;
    if (!ended_[i].yes) continue;
    ++counts[static_cast<int>(ended_[i].end)];
    evidence.push_back(
        {ended_[i].step, fmt::format("{} {}", case_->payments[i].name, enum_name(ended_[i].end))});
  }
  const auto broken = [&](const Bound& bound, int n) {
    return n > bound.most || (all && n < bound.least);
  };
  if (broken(rule.validated, counts[0]) || broken(rule.failed, counts[1]) ||
      broken(rule.cancelled, counts[2]) || broken(rule.failed_or_cancelled, counts[1] + counts[2]))
    violate(
        world,
        fmt::format("the test case's rule is broken: {} ({} validated, {} failed, {} cancelled)",
                    rule.name, counts[0], counts[1], counts[2]),
        std::move(evidence));
}

std::optional<Hash128> CaseRules::digest() const {
  Hash128 sum = seeded("test-case");
  for (std::size_t i = 0; i < ended_.size(); ++i)
    if (ended_[i].yes) sum += absorb(scatter(i), static_cast<std::uint64_t>(ended_[i].end));
  return sum;
}

}  // namespace schism::xrpl
