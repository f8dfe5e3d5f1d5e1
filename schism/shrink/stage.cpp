#include "schism/shrink/stage.hpp"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cctype>

#include "schism/base/difference.hpp"
#include "schism/run/make_world.hpp"
#include "schism/trace/describe.hpp"
#include "schism/words/operands.hpp"

namespace schism {
namespace {

constexpr EventMask kCreation = mask_of(Happened::sent) | mask_of(Happened::duplicated) |
                                mask_of(Happened::injected) | mask_of(Happened::timer_set) |
                                mask_of(Happened::disk_queued);

struct Created {
  Do table;
  Name name;
};

bool same_way(const Created& a, Do table, Name name) {
  return a.table == table && a.name.from() == name.from() && a.name.to() == name.to() &&
         a.name.type() == name.type();
}

// What a step has made pending, in order.
void note_created(const World& world, std::vector<Created>& out) {
  out.clear();
  for (const Event& event : world.events()) {
    if (event.kind == Happened::timer_set) out.push_back({Do::fire, event.name()});
    else if (event.kind != Happened::disk_queued && (kCreation & mask_of(event.kind)))
      out.push_back({Do::deliver, event.name()});
  }
  if (!(world.step_mask() & mask_of(Happened::disk_queued))) return;
  const auto& waits = world.pending().waits;
  const std::size_t first = out.size();
  for (std::uint32_t slot = 0; slot < waits.size(); ++slot)
    if (waits[slot].alive() && waits[slot].created == world.step())
      out.push_back({Do::complete, waits[slot].name});
  std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
            [](const Created& a, const Created& b) { return a.name.bits() < b.name.bits(); });
}

bool same_setup(const Setup& a, const Setup& b) {
  const Faults &x = a.options.faults, &y = b.options.faults;
  return a.mute == b.mute && a.system == b.system && a.config == b.config && a.nodes == b.nodes &&
         a.requests == b.requests && a.options.time == b.options.time &&
         a.options.links == b.options.links && a.options.crashes == b.options.crashes &&
         a.options.scripted == b.options.scripted && a.options.place == b.options.place &&
         a.options.may_crash == b.options.may_crash && x.crash == y.crash && x.drop == y.drop &&
         x.duplicate == y.duplicate && x.mutate == y.mutate && x.inject == y.inject &&
         x.pause == y.pause && x.cut == y.cut && x.partition == y.partition &&
         x.disk_error == y.disk_error && x.omit == y.omit && a.options.liars == b.options.liars &&
         a.options.liars_drawn == b.options.liars_drawn && a.options.twins == b.options.twins;
}

// The how-manieth message of its way a message of the fair tail is.
class SentInTail {
 public:
  void clear() { first_.clear(); }
  std::uint32_t place_of(Name name) {
    const Name way(name.from(), name.to(), name.type(), 0);
    return name.nth() - first_.try_emplace(way.bits(), name.nth()).first->second;
  }

 private:
  absl::flat_hash_map<std::uint64_t, std::uint32_t> first_;  // the first's own number, by way
};

bool has_services(const Setup& setup) {
  for (NodeId id = 0; setup.system->is_service && id < setup.nodes; ++id)
    if (setup.system->is_service(id, setup)) return true;
  return false;
}

}  // namespace

class Stage::Prompter final : public Scheduler, public Liar {
 public:
  TimeUse time_use() const override { return outline_->config.setup.options.time; }
  bool plays(Do) const override { return true; }
  void begin(const Setup&, std::uint64_t) override {
    next_ = 0;
    steps_seen_ = 0;
    choice_ = 0;
    current_ = nullptr;
    waiting_ = kStartMove;
    applied.clear();
    said_.clear();
    sent_.clear();
  }

  Liar* liar() override { return outline_->habits.empty() ? nullptr : this; }
  void hear(World& world, std::uint32_t slot) override {
    const Name name = world.pending().flights[slot].name;
    const std::uint32_t nth = sent_.place_of(name);
    const Habit* best = nullptr;  // what is said of this very message goes before the rest
    for (const Habit& habit : outline_->habits)
      if (habit.from == name.from() && habit.to == name.to() && habit.type == name.type() &&
          (habit.nth == nth || (habit.nth == Habit::kEvery && !best)))
        best = &habit;
    if (best) said_.push_back({best->kind, name, slot, best->difference});
  }
  Action lie(World& world) override {
    if (said_.empty()) return {};
    const Said said = said_.front();
    said_.erase(said_.begin());
    const std::uint32_t content = said.kind == Do::mutate ? world.add_content(said.difference) : 0;
    return make_action(said.kind, said.name, content, said.slot);
  }

  void follow(const Outline& outline, bool any_message) {
    outline_ = &outline;
    any_message_ = any_message;
    std::uint32_t top = 0;
    for (const Move& move : outline.moves) top = std::max(top, move.id);
    if (created_.size() <= top) created_.resize(top + 1);
    for (auto& list : created_) list.clear();
  }

  Action next(World& world) override {
    take_note(world);
    while (next_ < outline_->moves.size()) {
      const Move& move = outline_->moves[next_++];
      auto action = resolve(world, move);
      if (!action) continue;
      current_ = &move;
      choice_ = 0;
      waiting_ = move.id;
      if (notes_overtaken && action->kind == Do::deliver) note_overtaken(world, action->name);
      return at_its_time(world, move.step, *action);
    }
    return {};
  }

  std::uint32_t on_choice(World&, std::uint32_t n) override {
    const auto& choices = current_ ? current_->step.choices : outline_->start.choices;
    if (choice_ >= choices.size()) return 0;
    return std::min(answer_of(choices[choice_++]), n - 1);
  }

  // Also after the last step, which next() does not see.
  void take_note(const World& world) {
    if (waiting_ == kNobody) return;
    if (waiting_ == kStartMove) {
      note_created(world, created_[kStartMove]);
    } else if (world.step() > steps_seen_) {
      note_created(world, created_[waiting_]);
      applied.push_back({static_cast<std::uint32_t>(next_ - 1), source_});
    }
    steps_seen_ = world.step();
    waiting_ = kNobody;
  }

  struct Said {
    Do kind;
    Name name;
    std::uint32_t slot;
    Value difference;
  };
  std::vector<Said> said_;
  SentInTail sent_;

  struct Source {
    std::uint32_t creator, nth;
  };
  struct Applied {
    std::uint32_t place;  // of the move
    Source source;        // of what it served
  };
  std::vector<Applied> applied;

  // Messages that were still on the link when a later one was delivered, in order.
  struct Overtaken {
    std::uint32_t place;  // of the move that delivered the later one
    Name name;
    Source source;
  };
  bool notes_overtaken = false;
  std::vector<Overtaken> overtaken;

 private:
  void note_overtaken(const World& world, Name name) {
    const auto& flights = world.pending().flights;
    std::uint32_t slot = 0;
    while (slot < flights.size() && !(flights[slot].alive() && flights[slot].name == name)) ++slot;
    if (slot == flights.size()) return;
    const Source own = source_;
    const std::size_t first = overtaken.size();
    for (slot = flights[slot].prev; slot != kNone; slot = flights[slot].prev) {
      const Name ahead = flights[slot].name;
      if (std::any_of(overtaken.begin(), overtaken.end(),
                      [&](const Overtaken& o) { return o.name == ahead; }))
        continue;
      find_source(Do::deliver, ahead);
      overtaken.push_back({static_cast<std::uint32_t>(next_ - 1), ahead, source_});
    }
    std::reverse(overtaken.begin() + static_cast<std::ptrdiff_t>(first), overtaken.end());
    source_ = own;
  }

  // The action that the move means in this run; nothing: there is none.
  std::optional<Action> resolve(const World& world, const Move& move) {
    Action action = move.step.action;
    source_ = {move.creator, move.nth};
    if (action.kind == Do::crash) return nearest_crash(world, action);
    const Do table = serves(action.kind);
    if (table == Do::nothing || table == Do::submit || move.creator == kNobody) return action;
    auto name = created_by(move, table);
    if (!name || !is_pending(world, table, *name)) name = stand_in(world, table, action.name);
    if (!name) return std::nullopt;
    const bool fails = table == Do::complete && action.name.copy() > 0;
    action.name = *name;
    return fails ? failing(action) : action;
  }

  std::optional<Name> created_by(const Move& move, Do table) const {
    std::uint32_t nth = 0;
    for (const Created& created : created_[move.creator])
      if (same_way(created, table, move.step.action.name) && nth++ == move.nth) return created.name;
    return std::nullopt;
  }

  template <class F>
  static void each_pending(const World& world, Do table, const F& f) {
    const auto all = [&](const auto& slots) {
      for (std::uint32_t s = 0; s < slots.size(); ++s)
        if (slots[s].alive()) f(slots[s].name);
    };
    if (table == Do::fire) all(world.pending().timers);
    else if (table == Do::complete) all(world.pending().waits);
    else all(world.pending().flights);
  }
  static bool is_pending(const World& world, Do table, Name name) {
    bool found = false;
    each_pending(world, table, [&](Name other) { found = found || other == name; });
    return found;
  }

  // A node has one timer of a kind, whichever move armed it last, and its disk works in order: they
  // are meant even if the move that created them is gone. Messages only where that is asked for.
  std::optional<Name> stand_in(const World& world, Do table, Name name) {
    if (table == Do::deliver && !any_message_) return std::nullopt;
    const bool newest = table != Do::complete;
    std::optional<Name> best;
    each_pending(world, table, [&](Name other) {
      if (!same_way({table, other}, table, name)) return;
      if (!best || (other.nth() > best->nth()) == newest) best = other;
    });
    if (best) find_source(table, *best);
    return best;
  }

  void find_source(Do table, Name name) {
    for (std::uint32_t id = 0; id < created_.size(); ++id) {
      std::uint32_t nth = 0;
      for (const Created& created : created_[id]) {
        if (!same_way(created, table, name)) continue;
        if (created.name == name) {
          source_ = {id, nth};
          return;
        }
        ++nth;
      }
    }
  }

  // What the disk kept, as far as there is so much to keep now.
  static Action nearest_crash(const World& world, const Action& action) {
    const NodeId node = action.name.from();
    if (node >= world.setup().places() || !world.runs(node)) return action;
    const CrashOutcome wanted = CrashOutcome::of(action.arg());
    CrashOutcome best;
    for (const CrashOutcome& o : world.crash_outcomes(node))
      if (o.kept <= wanted.kept && (o.kept > best.kept || o.torn == wanted.torn)) best = o;
    return with_arg(action, best.arg());
  }

  const Outline* outline_ = nullptr;
  std::vector<std::vector<Created>> created_;  // by move
  std::size_t next_ = 0, choice_ = 0;
  std::uint32_t steps_seen_ = 0;
  bool any_message_ = false;
  Source source_{};                  // of the move under way
  std::uint32_t waiting_ = kNobody;  // whose step has not been looked at
  const Move* current_ = nullptr;
};

Stage::Stage() : prompter_(std::make_unique<Prompter>()) {}
Stage::~Stage() = default;

Runner& Stage::runner_for(const RunConfig& config) {
  if (!runner_ || !same_setup(setup_, config.setup)) {
    RunLimits limits = config.limits;
    limits.steps = UINT32_MAX;
    runner_ = std::make_unique<Runner>(config.setup, limits);
    runner_->listen_to(kCreation);
    if (only_violations_) runner_->skip_what_is_fine();
    setup_ = config.setup;
  }
  return *runner_;
}

Performance Stage::perform(const Outline& outline, Messages messages) {
  ++performed_;
  Runner& runner = runner_for(outline.config);
  prompter_->follow(outline, messages == Messages::any);
  if (outline.tail) runner.run(*prompter_, outline.plan);
  else runner.replay(*prompter_, outline.plan, FairEnd::never);
  Performance result;
  result.violation = runner.violation();
  if (only_violations_ && !result.violation) return result;
  prompter_->take_note(runner.world());
  Outline& out = result.outline;
  out.config = outline.config;
  out.plan = outline.plan;
  out.run = outline.run;
  out.start = outline.start;
  out.tail = outline.tail;
  out.habits = outline.habits;
  result.applied = prompter_->applied.size();
  result.all_applied = result.applied == outline.moves.size();
  for (std::size_t i = 0; i < outline.moves.size() && !result.first_skipped; ++i)
    if (i >= result.applied || prompter_->applied[i].place != i) result.first_skipped = i;
  if (!result.violation) return result;  // nobody looks at the moves of a run that is fine
  const auto decisions = runner.world().decisions();
  std::size_t at = 0;
  const auto take_choices = [&](Recorded& step) {
    step.choices.clear();  // those that were made this time
    while (at < decisions.size() && decisions[at].kind == Do::choose)
      step.choices.push_back(decisions[at++]);
  };
  take_choices(out.start);
  for (const auto& [place, source] : prompter_->applied) {
    Move& move = out.moves.emplace_back(outline.moves[place]);
    move.step.action = decisions[at++];  // with the name it has in this run
    move.creator = source.creator;
    move.nth = source.nth;
    take_choices(move.step);
  }
  return result;
}

bool Stage::judged(std::string_view property) const {
  for (const auto& oracle : runner_->oracles())
    if (oracle->name() == property)
      return oracle->judged() && (!oracle->wants_fair_tail() || runner_->fair());
  return false;
}

std::optional<Outline> Stage::in_order(const Outline& outline) {
  prompter_->notes_overtaken = true;
  prompter_->overtaken.clear();
  const Performance p = perform(outline);
  prompter_->notes_overtaken = false;
  if (!p.violation) return std::nullopt;
  // Beside services nothing may be lost: nobody could read such a trace again.
  if (!prompter_->overtaken.empty() && has_services(outline.config.setup)) return std::nullopt;
  Outline out = outline;
  out.moves.clear();
  std::uint32_t fresh = 0;
  for (const Move& move : outline.moves) fresh = std::max(fresh, move.id);
  auto next = prompter_->overtaken.begin();
  for (std::uint32_t place = 0; place < outline.moves.size(); ++place) {
    for (; next != prompter_->overtaken.end() && next->place == place; ++next) {
      Move& drop = out.moves.emplace_back();
      drop.id = ++fresh;
      drop.step.action = make_action(Do::drop, next->name);
      drop.step.at = outline.moves[place].step.at;
      drop.creator = next->source.creator;
      drop.nth = next->source.nth;
    }
    out.moves.push_back(outline.moves[place]);
  }
  WorldOptions& options = out.config.setup.options;
  options.links = LinkOrder::fifo;
  options.faults.duplicate = 0;
  options.faults.drop += static_cast<std::uint32_t>(prompter_->overtaken.size());
  return out;
}

namespace {

// A run that was made smaller may have faults that its strategy never makes (a loss where an order
// was kept), and a reader refuses such a configuration. A recorded run needs no strategy: a plain
// one that uses time alike stands for it.
RunConfig as_told(RunConfig config) {
  if (make_config(to_text(config))) return config;
  const TimeUse time = config.setup.options.time;
  const char* plain = time == TimeUse::untimed ? "random"
                      : time == TimeUse::timed ? "timed"
                                               : "stepped";
  RunConfig told = config;
  told.explorer = {"seeds", {}};
  told.scheduler = {plain, {}};
  told.arms = {told.scheduler};
  return make_config(to_text(told)) ? told : config;
}

}  // namespace

Trace Stage::record(const Outline& outline, Messages messages) {
  perform(outline, messages);
  Runner& runner = *runner_;
  const World& world = runner.world();
  return make_trace(as_told(outline.config), outline.plan, outline.run,
                    schism::record(world.decisions(), world.contents()));
}

// ---- from a trace --------------------------------------------------------------------------

namespace {

// Finds for every recorded action where its event came from.
class Reader {
 public:
  void look(const World& world, const Recorded& step, Outline& out) {
    if (world.step() == 0) {
      out.start.choices = step.choices;
    } else {
      Move move;
      move.id = world.step();
      move.step = step;
      move.step.events.clear();
      // What it changes stays what it is when the honest content is another one.
      if (step.differs && is_difference(*step.differs)) move.step.content = *step.differs;
      find(step.action, move);
      out.moves.push_back(std::move(move));
    }
    note_created(world, created_);
    for (std::size_t i = 0; i < created_.size(); ++i) {
      std::uint32_t nth = 0;
      for (std::size_t j = 0; j < i; ++j)
        nth += same_way(created_[j], created_[i].table, created_[i].name) ? 1 : 0;
      add(created_[i], {world.step(), nth});
    }
    // What became pending for clients: an answer, or a crash, offers the next request.
    const auto& askings = world.pending().askings;
    for (std::uint32_t slot = 0; slot < askings.size(); ++slot)
      if (askings[slot].alive() && askings[slot].created == world.step())
        add({Do::submit, askings[slot].name}, {world.step(), 0});
  }

 private:
  struct Origin {
    std::uint32_t step, nth;
  };
  static std::pair<Do, std::uint64_t> key(const Created& c) { return {c.table, c.name.bits()}; }
  void add(const Created& created, Origin origin) { origins_[key(created)] = origin; }

  void find(const Action& action, Move& move) const {
    const Do table = serves(action.kind);
    if (table == Do::nothing) return;
    Name name = action.name;
    if (table == Do::complete) name = Name(name.from(), name.to(), name.type(), name.nth());
    const auto found = origins_.find(key({table, name}));
    if (found == origins_.end()) return;
    move.creator = found->second.step;
    move.nth = found->second.nth;
  }

  absl::flat_hash_map<std::pair<Do, std::uint64_t>, Origin> origins_;
  std::vector<Created> created_;
};

}  // namespace

std::vector<ClientRequest> requests_of(const RunConfig& config, const RunPlan& plan) {
  if (config.setup.requests) return *config.setup.requests;
  Setup setup = config.setup;
  setup.node_seed = plan.node_seed;
  const auto world = make_world(setup);
  world->reset(setup);
  return world->requests();
}

Result<Outline> outline_of(const Trace& trace) {
  if (!trace.violation) return error("the trace has no violation");
  if (auto s = needs(trace.config.setup, "shrinking", {Need::exact_replay}); !s)
    return tl::unexpected(s.error());
  Outline out;
  out.config = trace.config;
  out.plan = trace.plan;
  out.run = trace.run;
  out.config.setup.requests =
      std::make_shared<const std::vector<ClientRequest>>(requests_of(trace.config, trace.plan));
  Runner runner(out.config.setup, out.config.limits);
  runner.listen_to(kCreation);
  Reader reader;
  Recorder recorder;
  SentInTail sent;
  runner.on_step([&](const World& world) {
    reader.look(world, recorder.step(world), out);
    if (world.calm())
      for (const Event& event : world.events())
        if (event.kind == Happened::sent) sent.place_of(event.name());
  });
  Replay replay(trace.steps, trace.config.setup.options.time);
  runner.replay(replay, trace.plan, fair_end_of(trace));
  if (!runner.violation() || runner.violation()->property != trace.violation->property)
    return error("the trace does not violate {} any more; `replay` says why",
                 trace.violation->property);
  out.tail = runner.violated_by_the_end() && runner.fair();
  if (out.tail) {
    const auto calm = std::find_if(out.moves.begin(), out.moves.end(), [](const Move& move) {
      return move.step.action.kind == Do::calm;
    });
    // Its repairs come with it.
    auto begin = calm;
    const auto repairs = [](const Move& move) {
      const Do kind = move.step.action.kind;
      return kind == Do::heal || kind == Do::resume || kind == Do::restart;
    };
    while (begin != out.moves.begin() && repairs(*(begin - 1))) --begin;
    for (auto move = calm; move != out.moves.end(); ++move) {
      const Action& a = move->step.action;
      if (a.kind != Do::omit && a.kind != Do::mutate) continue;
      out.habits.push_back({a.name.from(), a.name.to(), a.name.type(), a.kind, move->step.content,
                            sent.place_of(a.name)});
    }
    out.moves.erase(begin, out.moves.end());
  }
  return out;
}

std::string signature(const Violation& violation, const Outline& outline) {
  std::vector<std::string> parts;
  for (const Evidence& evidence : violation.evidence) {
    std::string part = "end";
    if (evidence.step == 0) {
      part = "start";
    } else if (evidence.step <= outline.moves.size()) {
      const Action& a = outline.moves[evidence.step - 1].step.action;
      part = std::string(action_name(a.kind));
      if (serves(a.kind) == Do::deliver)
        part += " " + std::string(outline.config.setup.system->message(a.name.type()).name);
    }
    part += ": ";
    // Which node or term it is does not matter.
    for (std::size_t i = 0; i < evidence.role.size(); ++i) {
      const bool digit = std::isdigit(static_cast<unsigned char>(evidence.role[i])) != 0;
      if (!digit) part += evidence.role[i];
      else if (part.back() != '#') part += '#';
    }
    parts.push_back(std::move(part));
  }
  std::sort(parts.begin(), parts.end());
  std::string out = violation.property;
  for (const std::string& part : parts) out += "; " + part;
  return out;
}

}  // namespace schism
