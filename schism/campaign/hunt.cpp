#include "schism/campaign/hunt.hpp"

#include <algorithm>
#include <chrono>

#include "schism/campaign/workers.hpp"

namespace schism {
namespace {

using Clock = std::chrono::steady_clock;  // for limits and rates; it decides nothing

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

constexpr std::size_t kChunkMax = 256;

class Hunt {
 public:
  Hunt(const RunConfig& config, const HuntOptions& options, const HuntListener& listener,
       const std::atomic<bool>& stop)
      : config_(config),
        options_(options),
        listener_(listener),
        stop_(stop),
        explorer_(make_explorer(config)),
        runner_(config.setup, config.limits) {}

  Result<HuntResult> run() {
    begun_ = last_new_ = last_report_ = Clock::now();
    std::unique_ptr<Workers> workers;
    if (options_.jobs > 1) workers = std::make_unique<Workers>(config_, options_.jobs);
    Status status;
    while (status && !done_) {
      std::vector<RunPlan> plans = explorer_->propose(options_.seed, result_.totals.runs);
      if (options_.runs > 0)
        plans.resize(std::min<std::uint64_t>(plans.size(), options_.runs - result_.totals.runs));
      if (plans.empty()) break;
      status = workers ? play_with(*workers, plans) : play_here(plans);
      if (options_.runs > 0 && result_.totals.runs >= options_.runs) done_ = true;
    }
    if (!status) return tl::unexpected(status.error());
    conclude();
    return std::move(result_);
  }

 private:
  Status play_here(const std::vector<RunPlan>& plans) {
    if (!scheduler_) scheduler_ = make_scheduler(config_);
    for (const RunPlan& plan : plans) {
      if (should_stop()) return {};
      if (auto s = take(plan, runner_.run(*scheduler_, plan)); !s || done_) return s;
    }
    return {};
  }

  // Chunks go out in order and may come back in any; they are taken in order.
  Status play_with(Workers& workers, const std::vector<RunPlan>& plans) {
    const std::uint64_t base = result_.totals.runs;
    std::vector<std::optional<RunSummary>> back(plans.size());
    std::size_t given = 0, taken = 0;
    while (taken < plans.size()) {
      while (given < plans.size() && workers.any_idle() && !should_stop()) {
        const std::size_t count = std::min(chunk_, plans.size() - given);
        Chunk chunk{base + given, {}};
        chunk.plans.assign(plans.begin() + static_cast<std::ptrdiff_t>(given),
                           plans.begin() + static_cast<std::ptrdiff_t>(given + count));
        workers.give(chunk);
        given += count;
      }
      if (should_stop()) return {};
      auto result = workers.wait(50);
      if (!result) return tl::unexpected(result.error());
      if (*result)
        for (std::size_t i = 0; i < (*result)->summaries.size(); ++i)
          back[(*result)->first - base + i] = (*result)->summaries[i];
      for (; taken < plans.size() && back[taken]; ++taken)
        if (auto s = take(plans[taken], *back[taken]); !s || done_) return s;
      adapt_chunk();
      report();
    }
    return {};
  }

  // Short runs in large chunks, long runs one by one: about a fiftieth of a second each.
  void adapt_chunk() {
    const double a_run = result_.totals.runs > 0 ? seconds_since(begun_) * options_.jobs /
                                                       static_cast<double>(result_.totals.runs)
                                                 : 0.02;
    chunk_ = std::clamp<std::size_t>(static_cast<std::size_t>(0.02 / std::max(a_run, 1e-9)), 1,
                                     kChunkMax);
  }

  Status take(const RunPlan& plan, const RunSummary& summary) {
    HuntProgress& t = result_.totals;
    const std::uint64_t number = t.runs++;
    t.steps += summary.steps;
    t.deliveries += summary.deliveries;
    t.simulated_us += summary.simulated_us;
    met_ |= summary.met;
    judged_ |= summary.judged;
    if (t.classes.add(summary.run_class)) last_new_ = Clock::now();
    explorer_->learn(plan, summary);
    if ((number & 63) == 0) report();
    if (!summary.violated) return {};
    ++t.violated;
    if (closely_[summary.oracle]++ < options_.closely) return keep(plan, number, summary.oracle);
    for (Find& find : result_.finds)
      if (find.oracle == summary.oracle) {
        ++find.count;
        break;
      }
    return {};
  }

  // A violation is repeated before it is believed.
  Status keep(const RunPlan& plan, std::uint64_t number, std::uint32_t oracle) {
    Repeated again = repeat(config_, plan, number);
    if (again.difference || !again.trace.violation) {
      if (!again.difference)
        again.difference = Difference{0, "a violation", "no violation when the run was repeated"};
      result_.nondeterminism = Nondeterminism{number, plan, *std::move(again.difference)};
      done_ = true;
      return {};
    }
    done_ = !options_.keep_going;
    std::vector<Trace> others;
    Status status = file(again.trace, oracle, 1, &others);
    for (const Trace& other : others)
      if (status) status = file(other, oracle_of(*other.violation), 0, nullptr);
    return status;
  }

  // Shrinks a find and puts it to its like.
  Status file(const Trace& trace, std::uint32_t oracle, std::uint64_t count,
              std::vector<Trace>* others) {
    std::optional<Shrunk> small;
    if (options_.shrink)
      if (auto shrunk = shrink(trace, {}, stop_)) small = *std::move(shrunk);
    if (small && others) *others = std::move(small->others);
    const Trace& smallest = small ? small->trace : trace;
    const auto look = look_of(smallest);
    if (!look) return tl::unexpected(look.error());
    const auto [place, news] = bugs_.add(smallest, *look);
    if (news == Bugs::News::bug)
      result_.finds.push_back({trace, {}, look->evidence, {}, oracle, 0});
    Find& find = result_.finds[place];
    find.count += count;
    find.shapes = bugs_.groups()[place].shapes;
    if (small && find.shapes.front().shape == look->shape && news != Bugs::News::nothing)
      find.small = std::move(small);
    if (news == Bugs::News::nothing || !listener_.found) return {};
    return listener_.found(find, news);
  }

  std::uint32_t oracle_of(const Violation& violation) const {
    const auto& all = runner_.oracles();
    std::uint32_t i = 0;
    while (i + 1 < all.size() && all[i]->name() != violation.property) ++i;
    return i;
  }

  bool should_stop() {
    if (stop_.load(std::memory_order_relaxed)) {
      result_.interrupted = true;
      done_ = true;
    } else if (options_.seconds > 0 && (++asked_ & 15) == 0 &&
               seconds_since(begun_) > options_.seconds) {
      result_.out_of_time = true;
      done_ = true;
    }
    return done_;
  }

  void report() {
    if (!listener_.progress || seconds_since(last_report_) < 0.2) return;
    last_report_ = Clock::now();
    measure();
    listener_.progress(result_.totals, result_.finds.size());
  }

  void measure() {
    result_.totals.seconds = seconds_since(begun_);
    result_.totals.seconds_since_new = seconds_since(last_new_);
  }

  void conclude() {
    measure();
    const auto& oracles = runner_.oracles();
    for (std::size_t i = 0; i < oracles.size() && i < 64; ++i) {
      const std::uint64_t bit = std::uint64_t{1} << i;
      if (oracles[i]->met() && !(met_ & bit)) result_.vacuous.emplace_back(oracles[i]->name());
      if (!(judged_ & bit)) result_.unjudged.emplace_back(oracles[i]->name());
    }
  }

  const RunConfig& config_;
  const HuntOptions& options_;
  const HuntListener& listener_;
  const std::atomic<bool>& stop_;
  std::unique_ptr<Explorer> explorer_;
  std::unique_ptr<Scheduler> scheduler_;
  Runner runner_;
  HuntResult result_;
  Bugs bugs_;
  std::map<std::uint32_t, std::uint64_t> closely_;  // violations of an oracle so far
  std::uint64_t met_ = 0, judged_ = 0;
  std::size_t chunk_ = 1;
  std::uint32_t asked_ = 0;
  bool done_ = false;
  Clock::time_point begun_, last_new_, last_report_;
};

}  // namespace

Result<HuntResult> hunt(const RunConfig& config, const HuntOptions& options,
                        const HuntListener& listener, const std::atomic<bool>& stop) {
  return Hunt(config, options, listener, stop).run();
}

Repeated repeat(const RunConfig& config, const RunPlan& plan, std::uint64_t run) {
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  runner.run(*scheduler, plan);
  World& world = runner.world();
  Repeated again;
  again.trace =
      make_trace(config, plan, run, record(world.decisions(), world.contents()), runner.fair());
  again.difference = replay(again.trace).difference;
  return again;
}

}  // namespace schism
