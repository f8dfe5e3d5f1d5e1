#include "schism/check/check.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "schism/check/apart.hpp"
#include "schism/check/counterexample.hpp"
#include "schism/check/crew.hpp"
#include "schism/guard/black_box.hpp"
#include "schism/run/idle.hpp"
#include "schism/system/liars.hpp"

namespace schism::check {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

// Enough that a wrong declaration of symmetry hardly passes, little beside a search.
constexpr std::uint32_t kSymmetryRuns = 50;

constexpr auto kRunsUsedUp = "the allowed number of runs is used up";

class Check {
 public:
  Check(const RunConfig& config, const CheckOptions& options, const CheckListener& listener,
        const std::atomic<bool>& stop)
      : config_(config), options_(options), listener_(listener), stop_(stop) {}

  Result<CheckResult> run() {
    if (auto s = prepare(); !s) return tl::unexpected(s.error());
    begun_ = last_report_ = Clock::now();
    make_estimate();
    std::unique_ptr<Crew> crew;
    if (options_.jobs > 1) crew = std::make_unique<Crew>(plan_, *search_, options_.jobs);
    crew_ = crew.get();
    std::vector<std::size_t> all(plan_.parts.size());
    std::iota(all.begin(), all.end(), 0U);
    if (options_.deepen) {
      for (const std::size_t part : all)
        if (!deepen(part)) break;
    } else {
      explore(all, options_.depth);
    }
    conclude();
    if (auto s = write_graph(); !s) return tl::unexpected(s.error());
    return std::move(result_);
  }

 private:
  Status prepare() {
    auto made = searches().make(options_.search, "explorer");
    if (!made) return tl::unexpected(made.error());
    search_ = *std::move(made);
    plan_.config = config_;
    plan_.search = options_.search;
    plan_.events = options_.events, plan_.restarts = options_.restarts;
    plan_.delays = options_.delays, plan_.beginning = options_.beginning;
    auto parts = parts_of(config_, options_.crashing, options_.restarts,
                          Jury(config_.setup).wants_fair_tail());
    if (!parts) return tl::unexpected(parts.error());
    plan_.parts = *std::move(parts);
    if (auto s = search_->check(plan_.limits(options_.depth)); !s) return s;
    if (has_liars(config_.setup.options) && !search_->by_state())
      return error("check: liars may speak for ever; states tell when they say nothing new (bfs)");
    for (const Part& part : plan_.parts)
      if (auto s = WorldModel::check(config_.setup, plan_.bounds(part)); !s) return s;
    if (auto started = spread_starts(plan_.parts, config_.setup); !started) return started;
    if (!options_.beginning.empty()) {
      std::erase_if(plan_.parts, [&](const Part& part) { return !plan_.model(part, true); });
      if (plan_.parts.empty()) return error("check: no run of this system begins like the trace");
    }
    if (search_->symmetric())
      if (auto s = prepare_symmetry(); !s) return s;
    return prepare_graph();
  }

  Status prepare_graph() {
    if (options_.graph.empty()) return {};
    if (!search_->by_state())
      return error("export: {} goes through runs and keeps no states; use --explorer dfs or bfs",
                   options_.search.name);
    if (options_.deepen)
      return error("export: --deepen searches again for every depth; say which by --depth");
    plan_.graph = std::make_shared<Graph>(options_.graph_format, plan_.parts.size());
    return plan_.graph->check();
  }

  Status write_graph() {
    if (!plan_.graph) return {};
    Value about;
    about.set("system", config_.setup.system->name);
    about.set("explorer", print_spec(options_.search));
    about.set("verdict", std::string(nth_word(schism_enum_words(Verdict{}),
                                              static_cast<std::size_t>(result_.verdict))));
    if (!result_.reason.empty()) about.set("reason", result_.reason);
    std::vector<Value> searches;
    for (const Part& part : result_.parts) searches.push_back(check::about(part));
    return plan_.graph->write(options_.graph, about, searches);
  }

  Status prepare_symmetry() {
    const auto symmetry = Symmetry::of(config_.setup, {});
    if (!symmetry) return tl::unexpected(symmetry.error());
    if (!symmetry->any())
      return error("no two nodes of {} are interchangeable with these parameters: no symmetry",
                   config_.setup.system->name);
    join_alike(plan_.parts, *symmetry);
    for (const Part& part : plan_.parts)
      if (auto s = test_symmetry(config_.setup, plan_.bounds(part), kSymmetryRuns, 1); !s) return s;
    return {};
  }

  void make_estimate() {
    if (options_.probes == 0 || !search_->exhaustive() || !options_.beginning.empty()) return;
    const auto parts = static_cast<std::uint32_t>(plan_.parts.size());
    const std::uint32_t probes = std::max(options_.probes / parts, std::min(options_.probes, 400U));
    std::optional<Estimate> sum;
    for (const Part& part : plan_.parts) {
      WorldModel model(config_.setup, plan_.bounds(part), true, part.start);
      model.judge_nothing();
      // As for the search: a run that does not end by itself has no end.
      const std::uint32_t endless = options_.depth > 0 ? 0 : config_.limits.steps;
      const Estimate e =
          estimate(model, probes, options_.depth, 1, endless, [&] { return no_time_to_guess(); });
      if (!model.problem().empty() || no_time_to_guess()) return;
      if (sum) sum->runs += e.runs, sum->classes += e.classes;
      else sum = e;
    }
    result_.estimate = sum;
  }

  // A guess may take a quarter of the time that there is for the search.
  bool no_time_to_guess() const {
    return stop_.load(std::memory_order_relaxed) ||
           (options_.seconds > 0 && seconds_since(begun_) > options_.seconds / 4);
  }

  // Some parts to one depth. False: it is decided.
  bool explore(const std::vector<std::size_t>& which, std::uint32_t depth) {
    const auto stop = [&](const SearchTotals& t) { return should_stop(t); };
    cut_ = false;
    if (crew_) {
      const auto outcomes = crew_->explore(which, depth, options_.runs, stop);
      if (!outcomes) return undecided(outcomes.error());
      for (std::size_t i = 0; i < outcomes->size(); ++i)
        if (!take(plan_.parts[which[i]], (*outcomes)[i], depth)) return false;
      return true;
    }
    for (const std::size_t i : which)
      if (!take(plan_.parts[i], check::explore(plan_, *search_, plan_.parts[i], depth, stop),
                depth))
        return false;
    return true;
  }

  bool take(Part part, const Outcome& o, std::uint32_t depth) {
    part.depth = depth;
    part.totals = o.totals;
    result_.totals += o.totals;
    result_.parts.push_back(part);
    result_.depth = depth;
    cut_ = cut_ || o.totals.cut > 0;
    met_ |= o.met, judged_ |= o.judged;
    drew_ = drew_ || o.drew;
    if (o.violated) {
      keep_counterexample(o);
      return false;
    }
    if (!o.problem.empty()) return undecided(o.problem);
    if (depth == 0 && o.totals.cut > 0 && search_->exhaustive())
      return undecided(
          fmt::format("runs do not end within {} steps: bound them by --depth or "
                      "--events, or allow more by --max-steps",
                      config_.limits.steps));
    if (o.ending == Finished::broken) return undecided("our own bug: a scheduled step cannot run");
    if (o.ending == Finished::stopped)
      return undecided(why_stopped_.empty() ? kRunsUsedUp : why_stopped_);
    any_cut_ = any_cut_ || o.totals.cut > 0;
    any_bounded_ = any_bounded_ || o.bounded || o.totals.withheld > 0;
    return true;
  }

  bool undecided(std::string why) {
    result_.reason = std::move(why);
    return false;
  }

  bool deepen(std::size_t part) {
    for (std::uint32_t depth = 1;; depth *= 2) {
      const bool last = options_.depth > 0 && depth >= options_.depth;
      const bool cut_before = any_cut_;
      if (!explore({part}, last ? options_.depth : depth)) return false;
      if (!cut_ || last) return true;
      any_cut_ = cut_before;  // only the last depth of each part counts
    }
  }

  bool should_stop(const SearchTotals& t) {
    const double seconds = seconds_since(begun_);
    if (stop_.load(std::memory_order_relaxed)) {
      why_stopped_ = "interrupted";
      result_.interrupted = true;
      return true;
    }
    if (options_.seconds > 0 && seconds > options_.seconds) {
      why_stopped_ = "out of time";
      return true;
    }
    SearchTotals sum = result_.totals;
    sum += t;
    if (options_.runs > 0 && sum.executions + sum.blocked >= options_.runs) {
      why_stopped_ = kRunsUsedUp;
      return true;
    }
    if (listener_ && seconds_since(last_report_) > 0.2) {
      last_report_ = Clock::now();
      listener_({sum, result_.parts.size(), plan_.parts.size(), seconds, result_.estimate});
    }
    return false;
  }

  void keep_counterexample(const Outcome& o) {
    auto trace = counterexample_of(config_, options_, o, result_.totals.executions);
    if (trace) result_.counterexample = *std::move(trace);
    else undecided(trace.error());
  }

  void conclude() {
    result_.seconds = seconds_since(begun_);
    const auto states = static_cast<double>(result_.totals.states);
    result_.collision_odds = states * states / 2 / 18446744073709551616.0;
    if (result_.counterexample) {
      result_.verdict = Verdict::violated;
      return;
    }
    if (!result_.reason.empty()) return;
    if (result_.totals.longest == 0) {
      result_.reason = std::string(kNothingHappens);
      return;
    }
    const Jury jury(config_.setup);
    const auto& oracles = jury.oracles();
    for (std::size_t i = 0; i < oracles.size() && i < 64; ++i) {
      const std::uint64_t bit = std::uint64_t{1} << i;
      // Of runs that go on for ever nothing is said about what happens in the end.
      const bool endless = result_.totals.endless > 0 && oracles[i]->wants_fair_tail();
      if (!(judged_ & bit) || endless) result_.unjudged.emplace_back(oracles[i]->name());
    }
    auto untried = jury.untried(met_);
    result_.vacuous = std::move(untried.vacuous);
    result_.untested = std::move(untried.untested);
    // Deeper something may happen; where all was seen, an announcement was forgotten.
    if (!any_cut_ && !any_bounded_ && !result_.untested.empty()) {
      result_.reason = "not everything was put to the test";
      return;
    }
    // What must never happen was looked for in every state.
    const bool endless =
        result_.totals.endless > 0 || (has_liars(config_.setup.options) && search_->by_state());
    const bool whole =
        !any_cut_ && !any_bounded_ && !drew_ && search_->exhaustive() && options_.beginning.empty();
    const bool any_judged = result_.unjudged.size() < oracles.size();
    if (endless && whole && any_judged && result_.vacuous.empty() && !result_.unjudged.empty()) {
      result_.verdict = Verdict::safe;
      return;
    }
    if (!result_.vacuous.empty() || !result_.unjudged.empty()) {
      result_.reason = "not everything could be judged";
      return;
    }
    if (!search_->exhaustive()) {
      result_.reason =
          fmt::format("no violation in {} run{}, which prove nothing", result_.totals.executions,
                      result_.totals.executions == 1 ? "" : "s");
      return;
    }
    if (!options_.beginning.empty()) {
      result_.reason =
          "no violation in any run that begins like the trace; others were not explored";
      return;
    }
    result_.bounded = any_cut_ || any_bounded_;
    result_.verdict = drew_             ? Verdict::holds_for_seed
                      : result_.bounded ? Verdict::holds_to_depth
                                        : Verdict::holds;
  }

  const RunConfig& config_;
  const CheckOptions& options_;
  const CheckListener& listener_;
  const std::atomic<bool>& stop_;
  std::unique_ptr<Search> search_;
  Plan plan_;
  Crew* crew_ = nullptr;
  CheckResult result_;
  std::string why_stopped_;
  std::uint64_t met_ = 0, judged_ = 0;
  bool cut_ = false, any_cut_ = false, any_bounded_ = false, drew_ = false;
  Clock::time_point begun_, last_report_;
};

}  // namespace

Result<CheckResult> check(const RunConfig& config, const CheckOptions& options,
                          const CheckListener& listener, const std::atomic<bool>& stop) {
  if (!config.setup.mute.empty())
    return error(
        "mute: a check judges every property; one that is muted would be a hole in a proof");
  const auto here = [&](const CheckListener& told, const std::atomic<bool>& stopped) {
    return Check(config, options, told, stopped).run();
  };
  if (options.in_process || guard::BlackBox::active()) return here(listener, stop);
  return apart(config, options, here, listener, stop);
}

Result<std::vector<Action>> beginning_of(const Trace& trace, std::uint32_t steps) {
  std::vector<Action> out;
  std::uint32_t step = 0;
  for (const Recorded& recorded : trace.steps) {
    const Action& a = recorded.action;
    if (a.kind != Do::nothing && ++step > steps) break;
    switch (a.kind) {
      case Do::nothing: break;  // nodes start, and may choose
      case Do::deliver:
      case Do::complete: out.push_back(make_action(a.kind, a.name)); break;  // without its time
      case Do::drop:
      case Do::duplicate:
      case Do::fire:
      case Do::submit:
      case Do::crash:
      case Do::restart:
        out.push_back(a);
        out.back().free = 0;  // a search has bounds, no budgets
        break;
      case Do::begin:
      case Do::end:
      case Do::advance: break;
      case Do::calm: return out;
      default:
        return error("step {} of the trace is {}, which is not explored systematically", step,
                     action_name(a.kind));
    }
    out.insert(out.end(), recorded.choices.begin(), recorded.choices.end());
  }
  return out;
}

}  // namespace schism::check
