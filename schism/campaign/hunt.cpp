#include "schism/campaign/hunt.hpp"

#include <algorithm>
#include <chrono>

#include "schism/campaign/workers.hpp"
#include "schism/guard/child.hpp"

namespace schism {
namespace {

using Clock = std::chrono::steady_clock;  // for limits and rates; it decides nothing

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

constexpr std::size_t kLeaksMax = 10;
constexpr std::uint32_t kSurvival = 1;  // the place of that oracle in every runner

// What is known of a run that died before anybody looks closer.
RunSummary summary_of(const Casualty& casualty) {
  RunSummary out;
  out.run_class = seeded("casualty", casualty.decisions.size());
  for (const Action& action : casualty.decisions) {
    out.run_class = absorb(out.run_class, action.name.bits() ^ std::uint64_t{action.arg()} << 40);
    out.deliveries += action.kind == Do::deliver ? 1 : 0;
  }
  out.steps = casualty.death.step;
  out.violated = true;
  out.oracle = kSurvival;
  return out;
}

class Hunt {
 public:
  Hunt(const RunConfig& config, const HuntOptions& options, const HuntListener& listener,
       const std::atomic<bool>& stop)
      : config_(config),
        options_(options),
        listener_(listener),
        stop_(stop),
        explorer_(make_explorer(config)),
        guarded_(is_guarded(config.setup)),
        runner_(config.setup, config.limits) {}

  Result<HuntResult> run() {
    begun_ = last_new_ = last_report_ = Clock::now();
    std::unique_ptr<Workers> workers;
    if (guarded_ && guard::has_threads())
      return error("runs of {} play in forked processes, which a process with threads cannot have",
                   config_.setup.system->name);
    if (options_.jobs > 1 || guarded_) workers = std::make_unique<Workers>(config_, options_.jobs);
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

  struct Place {  // of a run: a part of the plans
    std::size_t begin, end;
  };

  // Chunks go out in order and may come back in any; they are taken in order.
  Status play_with(Workers& workers, const std::vector<RunPlan>& plans) {
    const std::uint64_t base = result_.totals.runs;
    std::vector<std::optional<RunSummary>> back(plans.size());
    std::vector<Place> left_over;  // of batches that ended early
    std::size_t given = 0, taken = 0;
    batch_.assign(plans.size(), 0);
    while (taken < plans.size()) {
      while ((given < plans.size() || !left_over.empty()) && workers.any_idle() && !should_stop()) {
        Place part{given, std::min(given + chunk_, plans.size())};
        if (left_over.empty()) given = part.end;
        else part = left_over.back(), left_over.pop_back();
        std::fill(batch_.begin() + static_cast<std::ptrdiff_t>(part.begin),
                  batch_.begin() + static_cast<std::ptrdiff_t>(part.end), part.begin);
        Chunk chunk{base + part.begin, {}};
        chunk.plans.assign(plans.begin() + static_cast<std::ptrdiff_t>(part.begin),
                           plans.begin() + static_cast<std::ptrdiff_t>(part.end));
        workers.give(chunk);
      }
      if (should_stop()) return {};
      auto result = workers.wait(50);
      if (!result) return tl::unexpected(result.error());
      if (*result) {
        const std::size_t first = (*result)->first - base;
        for (std::size_t i = 0; i < (*result)->summaries.size(); ++i)
          back[first + i] = (*result)->summaries[i];
        if (const auto& casualty = (*result)->casualty) {
          const std::size_t dead = first + (*result)->summaries.size();
          back[dead] = summary_of(*casualty);
          deaths_[base + dead] = casualty->death;
          if (dead + 1 < first + (*result)->given)
            left_over.push_back({dead + 1, first + (*result)->given});
        }
      }
      for (; taken < plans.size() && back[taken]; ++taken) {
        now_ = {&plans, base};
        if (auto s = take(plans[taken], *back[taken]); !s || done_) return s;
      }
      adapt_chunk();
      report();
    }
    return {};
  }

  // Short runs in large chunks, long runs one by one: about a fiftieth of a second each; longer
  // where each costs a process.
  void adapt_chunk() {
    const double a_run = result_.totals.runs > 0 ? seconds_since(begun_) * options_.jobs /
                                                       static_cast<double>(result_.totals.runs)
                                                 : 0.02;
    const double a_chunk = guarded_ ? 0.1 : 0.02;
    chunk_ = std::clamp<std::size_t>(static_cast<std::size_t>(a_chunk / std::max(a_run, 1e-9)), 1,
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
    if (closely_[summary.oracle]++ < options_.closely) {
      Status kept = keep(plan, number, summary.oracle);
      deaths_.erase(number);
      return kept;
    }
    deaths_.erase(number);
    for (Find& find : result_.finds)
      if (find.oracle == summary.oracle) {
        ++find.count;
        break;
      }
    return {};
  }

  // A violation is repeated before it is believed.
  Status keep(const RunPlan& plan, std::uint64_t number, std::uint32_t oracle) {
    const auto death = deaths_.find(number);
    const auto died = death == deaths_.end() ? std::nullopt : std::optional(death->second);
    auto examined = examine(config_, plan, number, died, options_.shrink, stop_);
    if (!examined) return tl::unexpected(examined.error());
    if (examined->difference) {
      if (guarded_) return note_leak(plan, number, oracle, *examined->difference);
      result_.nondeterminism = Nondeterminism{number, plan, *std::move(examined->difference)};
      done_ = true;
      return {};
    }
    done_ = !options_.keep_going;
    Status status;
    for (std::size_t i = 0; i < examined->specimens.size() && status; ++i) {
      Specimen& specimen = examined->specimens[i];
      const std::uint32_t which = i == 0 ? oracle : oracle_of(*specimen.trace.violation);
      status = file(std::move(specimen), which, i == 0 ? 1 : 0);
    }
    return status;
  }

  // Puts a find to its like.
  Status file(Specimen specimen, std::uint32_t oracle, std::uint64_t count) {
    const Look& look = specimen.look;
    const auto [place, news] = bugs_.add(specimen.smallest(), look);
    if (news == Bugs::News::bug)
      result_.finds.push_back({std::move(specimen.trace), {}, look.evidence, {}, oracle, 0});
    Find& find = result_.finds[place];
    find.count += count;
    find.shapes = bugs_.groups()[place].shapes;
    if (specimen.small && find.shapes.front().shape == look.shape && news != Bugs::News::nothing)
      find.small = std::move(specimen.small);
    if (news == Bugs::News::nothing || !listener_.found) return {};
    return listener_.found(find, news);
  }

  // It does not happen alone. Does it in its batch, and after which run?
  Status note_leak(const RunPlan& plan, std::uint64_t number, std::uint32_t oracle,
                   Difference difference) {
    const auto& [plans, base] = now_;
    const std::size_t own = number - base, first = batch_[own];
    const auto again = [&](const std::vector<RunPlan>& runs) {
      const auto result = play_batch(config_, runs);
      return result && result->summaries.size() + (result->casualty ? 1 : 0) == runs.size() &&
             (result->casualty || result->summaries.back().violated);
    };
    const auto at = plans->begin();
    Leak leak{number, base + first, plan, {}, false, {}};
    const auto death = deaths_.find(number);
    leak.what = death != deaths_.end() ? death->second.sentence()
                                       : std::string(runner_.oracles()[oracle]->name());
    leak.repeats =
        again({at + static_cast<std::ptrdiff_t>(first), at + static_cast<std::ptrdiff_t>(own + 1)});
    if (!leak.repeats) {
      result_.nondeterminism = Nondeterminism{number, plan, std::move(difference)};
      done_ = true;
      return {};
    }
    for (std::size_t i = own; i-- > first && !leak.left_by;)
      if (again({(*plans)[i], plan})) leak.left_by = base + i;
    if (result_.leaks.size() < kLeaksMax) result_.leaks.push_back(std::move(leak));
    done_ = !options_.keep_going;
    return {};
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
  bool guarded_;
  Runner runner_;  // of guarded runs only its oracles
  HuntResult result_;
  Bugs bugs_;
  struct {
    const std::vector<RunPlan>* plans;
    std::uint64_t base;                             // number of the first
  } now_{};                                         // what is being taken
  std::vector<std::size_t> batch_;                  // where the batch of each of them began
  std::map<std::uint64_t, Death> deaths_;           // by run
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

}  // namespace schism
