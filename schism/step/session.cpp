#include "schism/step/session.hpp"

#include <algorithm>

#include "schism/guard/child.hpp"
#include "schism/schedule/fair_tail.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/system/system.hpp"
#include "schism/words/operands.hpp"

namespace schism {
namespace {

Setup with_seed(Setup setup, std::uint64_t node_seed) {
  setup.node_seed = node_seed;
  setup.death = nullptr;  // found anew, if it still happens
  return setup;
}

// Everything that is pending, oldest first, for a scheduler that joins late.
void introduce(World& world, Scheduler& scheduler) {
  struct Event {
    std::uint32_t created, slot;
    Do kind;
  };
  std::vector<Event> events;
  const auto collect = [&](Do kind, const auto& table) {
    for (std::uint32_t slot = 0; slot < table.size(); ++slot)
      if (table[slot].alive()) events.push_back({table[slot].created, slot, kind});
  };
  const Pending& pending = world.pending();
  collect(Do::deliver, pending.flights);
  collect(Do::fire, pending.timers);
  if (world.setup().options.disk == DiskUse::async) collect(Do::complete, pending.waits);
  collect(Do::submit, pending.askings);
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.created < b.created; });
  for (const Event& event : events) scheduler.on_pending(world, event.kind, event.slot);
}

}  // namespace

Session::Session(RunConfig config, RunPlan plan)
    : config_(std::move(config)), plan_(plan), game_(with_seed(config_.setup, plan.node_seed)) {
  config_.setup.death = nullptr;
  if (is_guarded(game_.setup())) box_ = std::make_unique<guard::BlackBox>();
  begin();
}

Session::Session(const Trace& trace) : Session(trace.config, trace.plan) {
  if (!trace.steps.empty()) start_ = trace.steps[0];
  begin();
  for (std::size_t i = 1; i < trace.steps.size() && !violation(); ++i) {
    const Recorded& step = trace.steps[i];
    const Refusal refusal = apply(step);
    if (refusal == Refusal::none) continue;
    refused_ = {static_cast<std::uint32_t>(i), refusal};
    return;
  }
  if (violation() || !replay(trace).now.fair) return;
  fair_at_ = position();
  game_.finish(true);
}

Session::~Session() = default;

std::optional<Death> Session::try_out(const std::function<void()>& play) {
  if (!box_) return std::nullopt;
  return guard::scout(*box_, config_.setup.options.hang, play);
}

void Session::begin() {
  game_.world().attend(this, false);
  const auto answer_start = [&] {
    answers_.clear();
    for (const Action& choice : start_.choices) answers_.push_back(answer_of(choice));
  };
  answer_start();
  if (!game_.setup().death)
    if (const auto death = try_out([&] { game_.begin(); })) know_death(*death);
  answer_start();
  game_.begin();
  start_ = Recorder().step(world());
  answers_.clear();
}

void Session::know_death(std::optional<Death> death) {
  Setup setup = game_.setup();
  setup.death = death ? std::make_shared<const Death>(*std::move(death)) : nullptr;
  game_.change(setup);
}

// Another action than the one that died: the world must not expect a death there any more.
void Session::revive() {
  const std::uint32_t here = position();
  know_death(std::nullopt);
  begin();
  go_to(here);
}

void Session::forget_after(std::uint32_t step) {
  line_.resize(step);
  if (fair_at_ && *fair_at_ >= step) fair_at_.reset();
}

Refusal Session::apply(const Action& action) {
  if (violation()) return Refusal::not_allowed;
  if (game_.setup().death) revive();
  Recorder recorder;
  recorder.go_to(world());
  const auto dies = try_out([&] { game_.apply(action); });
  if (dies) {  // played again by a world that knows, and stops before that handler
    Recorded last;
    for (const Action& one : box_->decisions())
      if (one.kind == Do::choose) last.choices.push_back(one);
    last.action = action;
    if (has_content(action)) last.content = world().contents()[content_index(action)];
    forget_after(position());
    line_.push_back(std::move(last));
    know_death(dies);
    begin();
    go_to(length());
    return Refusal::none;
  }
  const std::uint32_t before = position();
  const Refusal refusal = game_.apply(action);
  answers_.clear();
  if (refusal != Refusal::none) return refusal;
  forget_after(before);
  line_.push_back(recorder.step(world()));
  line_.back().at = -1;  // what was typed keeps its own durations
  return refusal;
}

Refusal Session::apply(const Recorded& step) {
  if (!step.choices.empty()) answers_.clear();
  for (const Action& choice : step.choices) answers_.push_back(answer_of(choice));
  return apply(at_its_time(game_.world(), step, step.action));
}

void Session::go_to(std::uint32_t step) {
  step = std::min(step, length());
  if (step < position()) begin();
  while (position() < step && !violation()) {
    const Recorded& next = line_[position()];
    answers_.clear();
    for (const Action& choice : next.choices) answers_.push_back(answer_of(choice));
    const Refusal refusal = game_.apply(at_its_time(game_.world(), next, next.action));
    if (refusal != Refusal::none) break;  // only where a system is not deterministic
  }
  answers_.clear();
  if (fair_at_ == position()) game_.finish(true);
}

void Session::will_choose(std::vector<std::uint32_t> answers) {
  answers_.assign(answers.begin(), answers.end());
}

std::uint32_t Session::on_choice(World&, std::uint32_t n) {
  if (answers_.empty()) return 0;
  const std::uint32_t k = answers_.front();
  answers_.pop_front();
  return std::min(k, n - 1);
}

void Session::ask(const ClientRequest& request) {
  game_.world().ask(request);
  Setup setup = game_.setup();
  setup.requests = std::make_shared<const std::vector<ClientRequest>>(world().requests());
  config_.setup.requests = setup.requests;
  // The world already has it; from the next beginning on it has it from the start.
  game_.change(setup);
}

Result<std::unique_ptr<Scheduler>> Session::scheduler(const Spec& spec) const {
  auto made = schedulers().make(spec, "scheduler");
  if (!made) return made;
  const Setup& setup = world().setup();
  if ((*made)->time_use() != setup.options.time)
    return error("{} is {}, this run is {}; --explorer chooses that at the start", spec.name,
                 enum_name((*made)->time_use()), enum_name(setup.options.time));
  if (auto good = (*made)->check(setup); !good) return tl::unexpected(good.error());
  return made;
}

Session::Played Session::let(Scheduler& scheduler, std::uint64_t seed, std::uint32_t steps) {
  scheduler.begin(game_.setup(), seed);
  game_.world().attend(&scheduler, scheduler.sees_pending());
  if (scheduler.sees_pending()) introduce(game_.world(), scheduler);
  const Played played = play(scheduler, steps);
  game_.world().attend(this, false);
  return played;
}

Session::Played Session::calm() {
  FairTail tail(config_.limits.tail);
  tail.begin(game_.setup(), plan_.seed);
  game_.world().attend(&tail, true);
  const Played played = serve(tail);
  game_.world().attend(this, false);
  if (!played.ended || violation()) return played;
  forget_after(position());
  fair_at_ = position();
  game_.finish(true);
  return played;
}

Session::Played Session::play(Scheduler& scheduler, std::uint32_t steps) {
  Played out;
  for (std::uint32_t turn = 0; turn < steps && !violation() && !out.ended; ++turn)
    out.ended = !play_one(scheduler, out);
  return out;
}

// Until nothing in the rest of it can change a verdict, or there was no progress for so long that
// none comes.
Session::Played Session::serve(FairTail& tail) {
  Played out;
  const std::uint32_t enough = config_.setup.system->patience * kSurely;
  for (std::uint32_t turn = 0; turn < config_.limits.tail_steps && !violation(); ++turn) {
    out.ended = !play_one(tail, out);
    if (out.ended || violation()) return out;
    if (world().step_mask() & game_.wakes_on() & kProgress) tail.made_progress();
    const bool patient = tail.idle_rounds() >= config_.setup.system->patience;
    out.ended = (world().calm() && game_.satisfied()) || (patient && game_.holds_now()) ||
                tail.idle_rounds() >= enough;
    if (out.ended) return out;
  }
  return out;
}

bool Session::play_one(Scheduler& scheduler, Played& played) {
  const Action action = scheduler.next(game_.world());
  if (action.kind == Do::nothing) return false;
  if (apply(action) == Refusal::none) ++played.steps;
  return true;
}

Trace Session::trace() const {
  std::vector<Recorded> steps = {start_};
  steps.insert(steps.end(), line_.begin(), line_.begin() + static_cast<std::ptrdiff_t>(position()));
  return make_trace(config_, plan_, 0, std::move(steps));
}

}  // namespace schism
