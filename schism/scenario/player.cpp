#include "schism/scenario/player.hpp"

#include <algorithm>

namespace schism::scenario {

void Tally::fit(const Program& program) {
  for (auto* list : {&matches, &fateless, &powerless, &failed})
    list->resize(program.filters.size());
  visited.resize(program.tested().states.size());
  std::size_t steps = 0;
  for (const auto& line : program.script) steps += line.size();
  cues.resize(steps);
  stored.resize(program.sets.size());
  released.resize(program.sets.size());
}

Player::Player(std::shared_ptr<const Program> program, std::unique_ptr<Scheduler> behind)
    : Around(std::move(behind)), program_(std::move(program)), server_(&inner()) {
  tally_.fit(*program_);
}

// Filters are how things are: they stay, unless the scenario says `until calm`; then the tail
// itself releases what they held.
Scheduler& Player::in_tail(Scheduler& tail) {
  if (program_->source.until_calm) return tail;
  server_ = &inner().in_tail(tail);
  server_sees_ = server_->sees_pending();
  return *this;
}

void Player::begin(const Setup& setup, std::uint64_t seed) {
  server_ = &inner();
  inner().begin(setup, seed);
  server_sees_ = inner().sees_pending();
  rng_ = Rng(seed ^ 0x73636e72ULL);
  lying_seed_ = keyed(seed, hash_text("scenario's lies"));
  memory_.begin(setup, lying_seed_);
  seen_ = -1;
  served_ = 0;
  mine_ = false;
  fresh_.clear(), script_.clear(), late_.clear(), own_.clear();
  labels_.assign(program_->filters.size(), kNoContent);
  cue_labels_.assign(tally_.cues.size(), kNoContent);
  cues_.begin(*program_);
  choices_.clear();
  ++tally_.runs;
}

bool Player::interests(Do kind) const {
  const EventMask listens = program_->listens;
  switch (kind) {
    case Do::deliver: return (listens & mask_of(Happened::sent)) != 0;
    case Do::fire: return (listens & mask_of(Happened::timer_set)) != 0;
    case Do::complete: return (listens & mask_of(Happened::disk_queued)) != 0;
    default: return program_->asks || !program_->requests.empty();
  }
}

void Player::on_pending(World& world, Do kind, std::uint32_t slot) {
  if (program_->lies && kind == Do::deliver) memory_.keep(world, world.pending().flights[slot]);
  if (!interests(kind)) {  // no filter will ask: as if nobody were in front
    if (server_sees_) server_->on_pending(world, kind, slot);
    return;
  }
  const Slot& s = world.pending().slot(kind, slot);
  fresh_.push_back({kind, slot, s.generation, static_cast<std::int64_t>(world.events().size()) - 1,
                    s.name.bits()});
}

Action Player::next(World& world) {
  if (seen_ < 0) {
    state_.begin(*program_, world);
    if (!tally_.visited.empty()) ++tally_.visited[0];
    ask(world);
  }
  if (seen_ != static_cast<std::int64_t>(world.step())) look(world);
  mine_ = true;
  do
    while (!script_.empty())
      if (const auto action = pop(world)) return *action;
  while (follow_script(world));
  mine_ = false;
  wake(world, false);
  for (;;) {
    const Action action = server_->next(world);
    if (action.kind != Do::nothing) return ++served_, action;
    if (late_.empty()) return action;
    wake(world, true);
  }
}

// The scenario's clients come after those of the system, and wait until they are told.
void Player::ask(World& world) {
  if (program_->requests.empty()) return;
  int first = 0;
  for (const ClientRequest& r : world.requests()) first = std::max(first, r.client + 1);
  for (const OwnRequest& r : program_->requests) {
    const auto client = static_cast<std::size_t>(r.client);
    if (own_.size() <= client) own_.resize(client + 1);
    own_[client].client = first + r.client;
    world.ask({first + r.client, kAnyNode, r.type, r.content});
  }
}

namespace {

bool made_by(const Event& e, Do kind) {
  return (e.kind == Happened::sent && kind == Do::deliver) ||
         (e.kind == Happened::timer_set && kind == Do::fire) ||
         (e.kind == Happened::disk_queued && kind == Do::complete);
}

}  // namespace

// Each event with what it made pending, then what no event speaks of: requests that are asked, and
// copies and forgeries, which are nobody's sends and go on as they are.
void Player::look(World& world) {
  seen_ = static_cast<std::int64_t>(world.step());
  const std::vector<Event> events(world.events().begin(), world.events().end());
  std::vector<Fresh> fresh;
  fresh.swap(fresh_);
  std::size_t f = 0;
  for (std::int64_t i = -1; i < static_cast<std::int64_t>(events.size()); ++i) {
    std::size_t end = f;
    while (end < fresh.size() && fresh[end].after == i) ++end;
    if (i >= 0) {
      const Event& e = events[static_cast<std::size_t>(i)];
      Moment m = moment_of(e);
      const bool names = e.kind == Happened::sent || e.kind == Happened::timer_set;
      const bool found =
          f < end && made_by(e, fresh[f].kind) && (!names || fresh[f].name == e.value);
      if (found && alive(world, {fresh[f].kind, fresh[f].slot, fresh[f].generation, 0})) {
        m.serves = fresh[f].kind, m.slot = fresh[f].slot;
      }
      const bool makes = e.kind == Happened::sent || e.kind == Happened::timer_set ||
                         e.kind == Happened::disk_queued;
      m.gone = makes && !m.pending();
      if (found) ++f;
      judge(world, m);
    }
    for (; f < end; ++f) {
      const Kept what{fresh[f].kind, fresh[f].slot, fresh[f].generation, fresh[f].name};
      if (!alive(world, what) || own_request(world, fresh[f])) continue;
      if (what.kind == Do::submit && program_->asks) {
        const Asking& asking = world.pending().askings[what.slot];
        Moment m;
        m.asked = true;
        m.name = what.name;
        m.at = asking.target;
        m.type = asking.body->type, m.body = asking.body->content();
        m.serves = what.kind, m.slot = what.slot;
        judge(world, m);
      } else {
        hand_over(world, what);
      }
    }
  }
  for (; f < fresh.size(); ++f)
    hand_over(world, {fresh[f].kind, fresh[f].slot, fresh[f].generation, fresh[f].name});
}

bool Player::own_request(World& world, const Fresh& fresh) {
  if (fresh.kind != Do::submit) return false;
  for (Own& own : own_) {
    if (own.client != Name(fresh.name).from()) continue;
    world.hold(Do::submit, fresh.slot, Holder::scenario);
    own.waiting = {Do::submit, fresh.slot, fresh.generation, fresh.name};
    own.has = true;
    submit(world, own);
    return true;
  }
  return false;
}

void Player::judge(World& world, const Moment& m) {
  if (step(program_->tested(), state_.state, world, state_, m) >= 0)
    ++tally_.visited[static_cast<std::size_t>(state_.state)];
  Fate fate = Fate::none;
  bool matched = false;
  for (std::size_t i = 0; i < program_->filters.size(); ++i) {
    const BoundFilter& filter = program_->filters[i];
    if (!filter.check.holds(world, state_, m)) continue;
    matched = true;
    ++tally_.matches[i];
    bool go_on = false;
    const std::size_t before = script_.size();
    for (const Deed& deed : filter.deeds) act(world, deed, i, m, fate, go_on);
    if (script_.size() > before) {
      const Action named =
          with_content(begin_macro(Macro::scenario), label(world, labels_[i], filter.filter->name));
      script_.insert(script_.begin() + static_cast<std::ptrdiff_t>(before), Order{named});
      order(end_macro(Macro::scenario));
    }
    if (go_on) continue;
    if (m.pending() && fate == Fate::none) ++tally_.fateless[i];
    break;
  }
  if (!matched) ++tally_.unmatched;
  tally_.unset.insert(state_.unset.begin(), state_.unset.end());
  if (m.pending() && fate != Fate::taken) hand_over(world, kept(world, m));
}

Kept Player::kept(const World& world, const Moment& m) const {
  const Slot& slot = world.pending().slot(m.serves, m.slot);
  return {m.serves, m.slot, slot.generation, slot.name.bits()};
}

bool Player::alive(const World& world, const Kept& k) const {
  const Slot& slot = world.pending().slot(k.kind, k.slot);
  return slot.alive() && slot.generation == k.generation;
}

void Player::hand_over(World& world, const Kept& what) {
  if (!alive(world, what)) return;
  if (world.pending().slot(what.kind, what.slot).held_by(Holder::scenario))
    world.release(what.kind, what.slot, Holder::scenario);
  if (server_sees_) server_->on_pending(world, what.kind, what.slot);
}

// Where nothing else can happen the next delay is over.
void Player::wake(World& world, bool next_is_over) {
  if (late_.empty()) return;
  std::erase_if(late_, [&](const Late& late) { return !alive(world, late.what); });
  if (next_is_over && !late_.empty())
    served_ = std::min_element(late_.begin(), late_.end(), [](const Late& a, const Late& b) {
                return a.until < b.until;
              })->until;
  const std::uint64_t due = served_;
  std::vector<Late> over;
  std::erase_if(late_, [&](const Late& late) {
    if (late.until > due) return false;
    over.push_back(late);
    return true;
  });
  for (const Late& late : over) hand_over(world, late.what);
}

// Now, at the present clock. What cannot be served now (its receiver is down, another is before it
// on its link) is left to the scheduler behind.
std::optional<Action> Player::pop(World& world) {
  const Order o = script_.front();
  script_.pop_front();
  if (!o.serves) return o.action;
  const Kept what{serves(o.action.kind), o.action.hint, o.generation, 0};
  if (!alive(world, what)) return std::nullopt;
  const bool itself = o.action.kind == what.kind;
  if (!itself) return o.action;  // another fate: drop, duplicate, mutate
  if (world.pending().slot(what.kind, what.slot).held_by(Holder::scenario))
    world.release(what.kind, what.slot, Holder::scenario);
  if (world.pending().slot(what.kind, what.slot).at != kNone) return o.action;
  hand_over(world, what);
  return std::nullopt;
}

}  // namespace schism::scenario
