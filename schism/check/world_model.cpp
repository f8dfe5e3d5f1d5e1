#include "schism/check/world_model.hpp"

#include <algorithm>

#include "schism/guard/black_box.hpp"
#include "schism/run/make_world.hpp"
#include "schism/system/liars.hpp"
#include "schism/system/system.hpp"

namespace schism::check {
namespace {

constexpr int kNodeBits = 48, kObserverBits = 14;
constexpr std::uint64_t kBudgetBit = std::uint64_t{1} << 63;

// What a handler may cause, whatever it is.
constexpr EventMask kAnyHandler =
    mask_of(Happened::started) | mask_of(Happened::sent) | mask_of(Happened::lost) |
    mask_of(Happened::timer_set) | mask_of(Happened::timer_cancelled) |
    mask_of(Happened::disk_queued) | mask_of(Happened::answered) |
    mask_of(Happened::answered_late) | mask_of(Happened::announced) | mask_of(Happened::failed) |
    mask_of(Happened::chosen) | ~EventMask{0xffffffff};

EventMask may_cause(Do kind) {
  switch (kind) {
    case Do::deliver: return kAnyHandler | mask_of(Happened::delivered);
    case Do::fire: return kAnyHandler | mask_of(Happened::timer_fired);
    case Do::complete: return kAnyHandler | mask_of(Happened::disk_completed);
    case Do::submit: return kAnyHandler | mask_of(Happened::invoked);
    case Do::crash: return kAnyHandler | mask_of(Happened::crashed);
    case Do::restart: return kAnyHandler | mask_of(Happened::restarted);
    case Do::drop: return mask_of(Happened::dropped);
    case Do::duplicate: return mask_of(Happened::duplicated);
    default: return 0;
  }
}

// Budgets are kept here; the world must only not stand in their way.
Setup opened(Setup setup, const Bounds& bounds, bool reducing) {
  constexpr std::uint32_t plenty = 1'000'000'000;
  WorldOptions& o = setup.options;
  o.time = TimeUse::untimed;
  o.fates_while_down = true;
  o.faults = {};
  o.faults.crash = bounds.may_crash.empty() ? 0 : plenty;
  o.faults.drop = bounds.drops > 0 ? plenty : 0;
  o.faults.duplicate = bounds.duplicates > 0 ? plenty : 0;
  o.scripted = o.scripted || has_liars(o);  // what they say is free
  o.may_crash.clear();
  o.down_max = 0;
  o.draws = Draws::chosen;
  // Nobody comes back, so what waits for ever is lost, and stays known.
  if (reducing && o.down == WhenDown::lost) o.down = WhenDown::waits;
  return setup;
}

}  // namespace

std::uint32_t Bounds::turns_of(NodeId node) const {
  const auto found = std::find(may_crash.begin(), may_crash.end(), node);
  if (found == may_crash.end()) return 0;
  return turns.empty() ? 2 * restarts + 1
                       : turns[static_cast<std::size_t>(found - may_crash.begin())];
}

Status WorldModel::check(const Setup& setup, const Bounds& bounds) {
  const WorldOptions& o = setup.options;
  const Faults& f = o.faults;
  if (auto s = needs(setup, "check", {Need::exact_replay, Need::quiescence}); !s) return s;
  if (setup.nodes > kNodeBits) return error("check: at most {} nodes", kNodeBits);
  if (!has_liars(o) && f.mutate + f.inject + f.omit > 0)
    return error("check: messages that anyone's link changes are not explored systematically");
  if (o.twins) return error("check: twins are not explored systematically");
  if (has_liars(o) && !setup.system->liar_messages)
    return error(
        "check: {} does not say which messages a liar may send (SystemBuilder::liar_messages); "
        "`hunt` makes them up",
        setup.system->name);
  if (has_liars(o) && (f.crash + f.drop + f.duplicate > 0 || o.links == LinkOrder::fifo))
    return error("check: liars are explored without other faults, on links that keep no order");
  if (f.pause + f.cut + f.partition + f.disk_error > 0)
    return error("check: only crash, drop and duplicate budgets are explored systematically");
  if (o.scripted) return error("check: what only a script does is not explored (--world scripted)");
  if (o.down_max > 0)
    return error("check: down-max is not supported; say with may-crash who may crash");
  if (bounds.restarts > 0 && o.crashes == Crashes::stop)
    return error("check: nodes do not come back where crashes are for good (--world crashes=stop)");
  if (bounds.restarts > 0 && o.down == WhenDown::lost)
    return error(
        "check: with restarts, messages to a node that is down wait or are empty events "
        "(--world down=waits or down=empty); whether they are lost would depend on independent "
        "events");
  if (o.links == LinkOrder::fifo && bounds.duplicates > 0)
    return error("check: duplicates on links that keep order are not supported");
  return {};
}

WorldModel::WorldModel(const Setup& setup, const Bounds& bounds, bool reducing,
                       const Choices& start)
    : setup_(opened(setup, bounds, reducing)),
      bounds_(bounds),
      world_(make_world(setup_)),
      jury_(setup_),
      start_(start) {
  observers_ = jury_.observers();
  // What clients wait for is everybody's affair: which step answers is known when it was played.
  if (setup_.system->answers_anywhere)
    observers_.push_back({mask_of(Happened::invoked) | mask_of(Happened::answered) |
                              mask_of(Happened::answered_late) | mask_of(Happened::crashed),
                          {}});
  if (observers_.size() > kObserverBits) problem_ = "too many oracles that look at the order";
  world_->listen(jury_.wakes_on());
  if (bounds_.turns.empty()) std::sort(bounds_.may_crash.begin(), bounds_.may_crash.end());
  know_lies();
}

// Equal contents are one, whoever tells them: a liar's action is the same under other names.
void WorldModel::know_lies() {
  if (!setup_.system->liar_messages) return;
  for (const NodeId liar : liars_of(setup_))
    for (LiarMessage& m : setup_.system->liar_messages(liar, setup_)) {
      const auto known = std::find(lies_.begin(), lies_.end(), m.content);
      const auto content = static_cast<std::uint32_t>(known - lies_.begin());
      if (known == lies_.end()) lies_.push_back(std::move(m.content));
      liar_moves_.push_back({liar, m.to, m.type, content});
    }
}

bool WorldModel::waits() const {
  return std::any_of(setup_.system->classes.begin(), setup_.system->classes.end(),
                     [](const NodeClass* c) { return c->waits; });
}

WorldModel::~WorldModel() { world_->attend(nullptr, false); }

// ---- the run -----------------------------------------------------------------------------------

void WorldModel::begin() {
  begun_ = true;
  nodes_.assign(static_cast<std::size_t>(setup_.nodes), {});
  for (NodeLog& node : nodes_) node.lives.push_back({});
  links_.assign(nodes_.size() * nodes_.size(), {});
  for (const NodeId node : bounds_.may_crash) add_crash(node, 0);
  for (std::uint32_t i = 0; i < liar_moves_.size(); ++i) add_lie(i);
  given_ = start_, answers_ = {}, asked_.clear();
  reset(true);
  start_ = answers_, start_asked_ = asked_;
}

// What the nodes' destructors do is a part of the run that the black box still has.
void WorldModel::leave() {
  if (in_place_) world_->end_run();
  in_place_ = false;
}

void WorldModel::reset(bool sees_pending) {
  leave();
  if (auto* box = guard::BlackBox::active()) box->begin_run(0);
  world_->attend(this, sees_pending);
  if (sees_pending) world_->reset(setup_), settle();
  else world_->reset(setup_.node_seed);
  for (const Value& lie : lies_) world_->add_content(lie);
  drew_ = drew_ || world_->drawn() > 0 || world_->random_workload();
  jury_.begin(*world_);
  jury_.look(*world_);
  in_place_ = true;
}

void WorldModel::play_again() {
  replaying_ = true;
  replayed_step_ = replayed_choice_ = 0;
  reset(false);
  for (const Action& action : actions_) {
    if (world_->apply(action) != Refusal::none) {
      problem_ = "the system is not deterministic: a step that was possible is not any more";
      break;
    }
    jury_.look(*world_);
  }
  replaying_ = false;
  replayed_ += actions_.size();
  world_->attend(this, true);
}

bool WorldModel::play(std::uint32_t index) {
  if (!in_place_) play_again();
  answers_ = {};
  step_ = depth() + 1;
  const Action act = with_outcome(action(index));
  if (problem_.empty() && act.kind == Do::inject) {
    if (!tell(act)) problem_ = "a liar cannot send what the system says that it may";
  } else if (problem_.empty() && world_->apply(act) != Refusal::none)
    problem_ = "the system is not deterministic: a step that was possible is not any more";
  if (!problem_.empty()) return false;
  run_.push_back(index);
  if (act.kind != Do::inject) actions_.push_back(act);
  ends_.push_back(static_cast<std::uint32_t>(actions_.size()));
  pends_[index].executed = step_;
  pends_[index].choices = answers_;
  drew_ = drew_ || world_->drawn() > 0;
  after(index);
  return jury_.look(*world_) && problem_.empty();
}

bool WorldModel::tell(const Action& lie) {
  told_ = kNone;
  if (world_->apply(lie) != Refusal::none || told_ == kNone) return false;
  const Name name = world_->pending().flights[told_].name;
  const Action heard = make_action(Do::deliver, name, 0, told_);
  jury_.look(*world_);
  if (world_->apply(heard) != Refusal::none) return false;
  actions_.insert(actions_.end(), {lie, heard});
  return true;
}

// ---- choices -----------------------------------------------------------------------------------

std::uint32_t WorldModel::choose(std::uint32_t n) {
  constexpr std::uint32_t most = 255;
  if (n > most || answers_.count == Choices::kMost) {
    problem_ = n > most ? "a choice of more than 255 is not explored systematically"
                        : "more than 15 choices in one step are not explored systematically";
    return 0;
  }
  std::uint32_t k = 0;
  if (answers_.count < given_.count) k = given_.k[answers_.count];
  else if (answer_) k = answer_(n);
  if (k >= n) {
    problem_ = "the system is not deterministic: it chooses of fewer than before";
    return 0;
  }
  answers_.push(static_cast<std::uint8_t>(k));
  asked_.push_back(static_cast<std::uint8_t>(n));
  return k;
}

std::uint32_t WorldModel::on_choice(World& world, std::uint32_t n) {
  if (!replaying_) return choose(n);
  // The step that the world's last action belongs to.
  const auto step = std::lower_bound(ends_.begin(), ends_.end(), world.step()) - ends_.begin();
  const Choices& before =
      world.step() == 0 ? start_ : pends_[run_[static_cast<std::size_t>(step)]].choices;
  if (world.step() != replayed_step_) replayed_step_ = world.step(), replayed_choice_ = 0;
  const std::uint32_t k = before.k[std::min<std::size_t>(replayed_choice_++, Choices::kMost - 1)];
  if (k < n) return k;
  problem_ = "the system is not deterministic: it chooses of fewer than before";
  return 0;
}

// From its next crash.
bool WorldModel::comes_back(NodeId node) const {
  return 2 * nodes_[static_cast<std::size_t>(node)].lives.size() <= bounds_.turns_of(node);
}

// What the disk keeps of what was not synced is a choice like any other; nothing depends on it
// where the node does not come back.
Action WorldModel::with_outcome(const Action& act) {
  if (act.kind != Do::crash || !comes_back(act.name.from())) return act;
  const auto outcomes = world_->crash_outcomes(act.name.from());
  const std::uint32_t k =
      outcomes.size() > 1 ? choose(static_cast<std::uint32_t>(outcomes.size())) : 0;
  return node_action(Do::crash, act.name.from(), outcomes.empty() ? 0 : outcomes[k].arg());
}

bool WorldModel::stopped_by_bound() const {
  if (bounds_.events == 0) return false;
  for (std::size_t i = 0; i < pends_.size(); ++i) {
    const std::uint32_t bound = nodes_[static_cast<std::size_t>(more_[i].node)].bound;
    if (bound > 0 && pends_[i].executed == 0 && pends_[i].killers[at_node] == bound) return true;
  }
  return false;
}

bool WorldModel::finish(bool whole) {
  if (!in_place_) play_again();
  const bool stopped = stopped_by_bound();
  bounded_ = bounded_ || stopped;
  fair_ = whole && !stopped;
  const bool fine = jury_.finish(*world_, fair_);
  met_ |= jury_.met(), judged_ |= jury_.judged();
  return fine;
}

void WorldModel::rewind(std::uint32_t depth) {
  if (!begun_) begin();
  if (depth == run_.size()) return;
  leave();
  for (std::size_t i = depth; i < run_.size(); ++i) uncount(more_[run_[i]]);
  run_.resize(depth);
  ends_.resize(depth);
  actions_.resize(depth > 0 ? ends_.back() : 0);
  while (more_.back().born > depth) {
    more_.pop_back();
    pends_.pop_back();
  }
  const auto undo = [depth](std::uint32_t& step, std::uint32_t to) {
    if (step != kNever && step > depth) step = to;
  };
  for (Pend& p : pends_) {
    if (p.executed > depth) p.choices = {};
    undo(p.executed, 0);
    undo(p.enablers[1], kNever);
    for (std::uint32_t& killer : p.killers) undo(killer, 0);
  }
  while (!messages_.empty() && messages_.back().born > depth) {
    const Message& gone = messages_.back();
    if (gone.kind == Do::deliver) link_of(gone.name).last = gone.previous;
    messages_.pop_back();
  }
  for (Message& m : messages_) undo(m.fate, 0);
  for (NodeLog& node : nodes_) {
    while (node.lives.back().begun > depth) node.lives.pop_back();
    undo(node.lives.back().ended, 0);
    undo(node.bound, 0);
  }
  for (LinkLog& link : links_) {
    undo(link.no_drops, 0);
    undo(link.no_duplicates, 0);
  }
  undo(no_crashes_, 0);
  if (!bounds_.incarnations) reopen();
}

// ---- what becomes pending ----------------------------------------------------------------------

WorldModel::LinkLog& WorldModel::link_of(Name name) {
  return links_[static_cast<std::size_t>(name.from()) * nodes_.size() +
                static_cast<std::size_t>(name.to())];
}

std::uint64_t WorldModel::observed(Do kind) const {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < observers_.size(); ++i)
    if (observers_[i].mask & may_cause(kind)) bits |= std::uint64_t{1} << (kNodeBits + i);
  return bits;
}

Pend& WorldModel::add(More more, const Hash128& id, std::uint64_t bits) {
  more.born = step_;
  Pend& pend = pends_.emplace_back();
  pend.id = absorb(id, static_cast<std::uint64_t>(more.kind) << 32 | more.life);
  pend.objects.bits = bits | observed(more.kind);
  pend.enablers[0] = step_;
  more_.push_back(more);
  return pend;
}

void WorldModel::on_pending(World& world, Do kind, std::uint32_t slot) {
  const Name name = world.pending().slot(kind, slot).name;
  if (kind == Do::deliver && world.liar(name.from())) told_ = slot;
  if (kind != Do::submit && world.liar(name.from())) return;
  if (kind == Do::deliver && world.liar(name.to())) return;
  switch (kind) {
    case Do::deliver: add_message(slot); break;
    case Do::submit: add_request(slot); break;
    default: add_local(kind, slot); break;
  }
}

void WorldModel::add_message(std::uint32_t slot) {
  const Flight& flight = world_->pending().flights[slot];
  LinkLog& link = link_of(flight.name);
  messages_.push_back(
      {flight.id, flight.name, Do::deliver, slot, step_, link.last, 0, flight.name.to()});
  link.last = static_cast<std::uint32_t>(messages_.size() - 1);
  add_arrivals(link.last);
  add_losses(link.last);
}

void WorldModel::add_request(std::uint32_t slot) {
  const Asking& asking = world_->pending().askings[slot];
  messages_.push_back({asking.id, asking.name, Do::submit, slot, step_, kNone, 0, asking.target});
  add_arrivals(static_cast<std::uint32_t>(messages_.size() - 1));
}

void WorldModel::add_arrivals(std::uint32_t message) {
  const Message m = messages_[message];
  for (NodeId node = 0; node < setup_.nodes; ++node) {
    if (m.to != node && (m.to != kAnyNode || !takes(node, m.name))) continue;
    if (world_->liar(node)) continue;
    const std::size_t lives = nodes_[static_cast<std::size_t>(node)].lives.size();
    for (std::uint32_t life = 0; life < (has_lives(m) ? lives : 1); ++life)
      add_arrival(message, node, life);
  }
}

bool WorldModel::takes(NodeId node, Name request) const {
  return setup_.system->class_of(node, setup_).takes(request.type());
}

// At a node that is down it is an empty event, or impossible in this life of the node.
bool WorldModel::arrives_when_down(const Message& m) const {
  return setup_.options.down == WhenDown::empty && m.to != kAnyNode;
}

// Then arriving in each life of its node is a process of its own: a process never comes back.
bool WorldModel::has_lives(const Message& m) const {
  return bounds_.incarnations && bounds_.restarts > 0 && !arrives_when_down(m);
}

bool WorldModel::has_fates(const Message& m) const {
  return has_lives(m) || m.to == kAnyNode ||
         (m.kind == Do::deliver && bounds_.drops + bounds_.duplicates > 0);
}

void WorldModel::add_arrival(std::uint32_t message, NodeId node, std::uint32_t life) {
  const Message m = messages_[message];
  const bool fifo = m.kind == Do::deliver && setup_.options.links == LinkOrder::fifo;
  More more{m.kind, node, message, 0, life, 0};
  Pend& pend = add(more, m.to == kAnyNode ? absorb(m.id, node_bit(node)) : m.id, node_bit(node));
  if (has_fates(m)) pend.objects.message = m.id.lo | 1;
  if (fifo) pend.objects.link = link_number(m.name);
  const NodeLog& log = nodes_[static_cast<std::size_t>(node)];
  pend.enablers[0] = m.born;
  if (fifo && m.previous != kNone)
    pend.enablers[1] = messages_[m.previous].fate > 0 ? messages_[m.previous].fate : kNever;
  pend.killers[at_message] = m.fate;
  const Life& at = bounds_.incarnations ? log.lives[life] : log.lives.back();
  pend.enablers[2] = at.begun;
  pend.killers[at_node] = arrives_when_down(m) ? 0 : at.ended;
  if (log.bound > 0 && (pend.killers[at_node] == 0 || log.bound < pend.killers[at_node]))
    pend.killers[at_node] = log.bound;
}

void WorldModel::add_losses(std::uint32_t message) {
  const Message m = messages_[message];
  const LinkLog& link = link_of(m.name);
  const auto add_loss = [&](Do kind, std::uint32_t used_up) {
    Pend& pend = add({kind, m.to, message, 0, 0, 0}, m.id, 0);
    pend.objects.message = m.id.lo | 1;
    if (kind == Do::drop) pend.objects.link = link_number(m.name);
    else pend.objects.copies = link_number(m.name);
    if (setup_.options.links == LinkOrder::fifo && m.previous != kNone)
      pend.enablers[1] = messages_[m.previous].fate > 0 ? messages_[m.previous].fate : kNever;
    pend.killers[at_link] = used_up;
  };
  if (bounds_.drops > 0) add_loss(Do::drop, link.no_drops);
  if (bounds_.duplicates > 0) add_loss(Do::duplicate, link.no_duplicates);
}

std::uint64_t WorldModel::link_number(Name name) const {
  return static_cast<std::uint64_t>(name.from()) * nodes_.size() +
         static_cast<std::uint64_t>(name.to()) + 1;
}

// Timers and disk operations: all at one node, so its history says everything.
void WorldModel::add_local(Do kind, std::uint32_t slot) {
  const Slot& s = world_->pending().slot(kind, slot);
  const NodeId node = s.name.from();
  has_locals_ = true;
  Pend& pend = add({kind, node, slot, s.generation, 0, 0}, s.id, node_bit(node));
  pend.killers[at_node] = nodes_[static_cast<std::size_t>(node)].bound;
  if (kind == Do::complete && s.at == kNone) pend.enablers[1] = kNever;
}

void WorldModel::add_crash(NodeId node, std::uint32_t life) {
  const NodeLog& log = nodes_[static_cast<std::size_t>(node)];
  Pend& pend =
      add({Do::crash, node, kNone, 0, life, 0}, seeded("crash", static_cast<std::uint64_t>(node)),
          node_bit(node) | (bounds_.crashes > 0 ? kBudgetBit : 0));
  pend.killers[at_node] = log.bound;
  pend.killers[at_budget] = no_crashes_;
}

void WorldModel::add_lie(std::uint32_t lie) {
  const Lie& told = liar_moves_[lie];
  add({Do::inject, told.to, lie, 0, 0, 0}, seeded("lie", lie), node_bit(told.to));
}

bool WorldModel::does(std::uint32_t index, const Action& act) const {
  if (act.kind == Do::crash) return action(index) == node_action(Do::crash, act.name.from());
  return action(index) == act;
}

Choices WorldModel::outcome_of(const Action& act) const {
  Choices out;
  if (act.kind != Do::crash || !comes_back(act.name.from())) return out;
  const auto outcomes = world_->crash_outcomes(act.name.from());
  for (std::size_t k = 0; k < outcomes.size() && outcomes.size() > 1; ++k)
    if (outcomes[k].arg() == act.arg()) out.push(static_cast<std::uint8_t>(k));
  return out;
}

Action WorldModel::action(std::uint32_t index) const {
  const More& more = more_[index];
  switch (more.kind) {
    case Do::fire:
    case Do::complete:
      return make_action(more.kind, world_->pending().slot(more.kind, more.message).name, 0,
                         more.message);
    case Do::crash:
    case Do::restart: return node_action(more.kind, more.node);
    case Do::inject: {
      const Lie& lie = liar_moves_[more.message];
      const Action made = make_action(Do::inject, Name(lie.from, lie.to, lie.type, 0));
      return for_free(with_content(made, lie.content));
    }
    default: break;
  }
  const Message& m = messages_[more.message];
  const auto arg = more.kind == Do::submit ? static_cast<std::uint32_t>(more.node) : 0;
  return make_action(more.kind, m.name, arg, m.slot);
}

}  // namespace schism::check
