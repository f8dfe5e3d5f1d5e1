#include "schism/check/check.hpp"

#include <algorithm>
#include <chrono>

namespace schism::check {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

std::vector<NodeId> candidates(const RunConfig& config) {
  std::vector<NodeId> out;
  for (const std::int64_t id : config.setup.options.may_crash)
    out.push_back(static_cast<NodeId>(id));
  if (out.empty())
    for (NodeId id = 0; id < config.setup.nodes; ++id) out.push_back(id);
  return out;
}

// Sets of `size` of the candidates, in lexical order.
void choose_sets(const std::vector<NodeId>& from, std::size_t size, std::size_t begin,
                 std::vector<NodeId>& chosen, std::vector<Part>& out) {
  if (chosen.size() == size) {
    out.push_back({chosen, false, 0, {}});
    return;
  }
  for (std::size_t i = begin; i < from.size(); ++i) {
    chosen.push_back(from[i]);
    choose_sets(from, size, i + 1, chosen, out);
    chosen.pop_back();
  }
}

std::vector<Part> parts_of(const RunConfig& config, const CheckOptions& options) {
  const auto from = candidates(config);
  const std::size_t most = std::min<std::size_t>(config.setup.options.faults.crash, from.size());
  std::vector<Part> out;
  if (options.crashing == Crashing::exactly && most > 0) return {{from, false, 0, {}}};
  if (options.crashing == Crashing::any && most > 0)
    return {{{}, false, 0, {}}, {from, true, 0, {}}};
  std::vector<NodeId> chosen;
  for (std::size_t size = 0; size <= most; ++size) choose_sets(from, size, 0, chosen, out);
  return out;
}

Bounds bounds_of(const RunConfig& config, const CheckOptions& options, const Part& part) {
  Bounds b;
  b.may_crash = part.crashing;
  b.crashes = part.any ? config.setup.options.faults.crash : 0;
  b.restarts = options.restarts;
  b.drops = config.setup.options.faults.drop;
  b.duplicates = config.setup.options.faults.duplicate;
  b.events = options.events;
  return b;
}

class Check {
 public:
  Check(const RunConfig& config, const CheckOptions& options, const CheckListener& listener,
        const std::atomic<bool>& stop)
      : config_(config), options_(options), listener_(listener), stop_(stop) {}

  Result<CheckResult> run() {
    auto made = searches().make(options_.search, "explorer");
    if (!made) return tl::unexpected(made.error());
    search_ = *std::move(made);
    if (auto s = search_->check(options_.depth); !s) return tl::unexpected(s.error());
    std::vector<Part> parts = parts_of(config_, options_);
    for (const Part& part : parts)
      if (auto s = WorldModel::check(config_.setup, bounds_of(config_, options_, part)); !s)
        return tl::unexpected(s.error());
    begun_ = last_report_ = Clock::now();
    number_of_parts_ = parts.size();
    make_estimate(parts);
    for (Part& part : parts) {
      const bool go_on = options_.deepen ? deepen(part) : explore(part, options_.depth);
      if (!go_on) break;
    }
    conclude();
    return std::move(result_);
  }

 private:
  void make_estimate(const std::vector<Part>& parts) {
    if (options_.probes == 0) return;
    Estimate sum;
    for (const Part& part : parts) {
      WorldModel model(config_.setup, bounds_of(config_, options_, part), true);
      model.judge_nothing();
      const Estimate e = estimate(model, options_.probes, cap(options_.depth), 1);
      if (!model.problem().empty()) return;
      const bool countable = sum.probes == 0 || sum.classes > 0;
      sum.runs += e.runs, sum.runs_error += e.runs_error;
      sum.classes = countable && e.classes > 0 ? sum.classes + e.classes : 0;
      sum.classes_error += e.classes_error;
      sum.probes += e.probes;
      sum.steps = std::max(sum.steps, e.steps);
    }
    result_.estimate = sum;
  }

  // A run that does not end by itself would never let go.
  std::uint32_t cap(std::uint32_t depth) const { return depth > 0 ? depth : config_.limits.steps; }

  // False: it is decided.
  bool explore(Part part, std::uint32_t depth) {
    part.depth = depth;
    model_ = std::make_unique<WorldModel>(config_.setup, bounds_of(config_, options_, part),
                                          search_->reducing());
    Search::Limits limits;
    limits.depth = depth;
    limits.most = config_.limits.steps;
    bool endless = false;
    limits.stop = [&](const SearchTotals& t) {
      endless = depth == 0 && t.cut > 0;
      return endless || should_stop(t);
    };
    const Finished ending = search_->run(*model_, limits, part.totals);
    result_.totals += part.totals;
    result_.parts.push_back(part);
    result_.depth = depth;
    cut_ = part.totals.cut > 0;
    met_ |= model_->met(), judged_ |= model_->judged();
    return take(ending, endless || (depth == 0 && cut_));
  }

  bool take(Finished ending, bool endless) {
    if (model_->violation()) {
      keep_counterexample();
      return false;
    }
    if (!model_->problem().empty()) return undecided(model_->problem());
    if (endless)
      return undecided(
          fmt::format("runs do not end within {} steps: bound them by --depth or "
                      "--events, or allow more by --max-steps",
                      config_.limits.steps));
    if (ending == Finished::broken) return undecided("our own bug: a scheduled step cannot run");
    if (ending == Finished::stopped) return undecided(why_stopped_);
    any_cut_ = any_cut_ || cut_;
    any_bounded_ = any_bounded_ || model_->bounded();
    return true;
  }

  bool undecided(std::string why) {
    result_.reason = std::move(why);
    return false;
  }

  bool deepen(const Part& part) {
    for (std::uint32_t depth = 1;; depth *= 2) {
      const bool last = options_.depth > 0 && depth >= options_.depth;
      const bool cut_before = any_cut_;
      if (!explore(part, last ? options_.depth : depth)) return false;
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
      why_stopped_ = "the allowed number of runs is used up";
      return true;
    }
    if (listener_ && seconds_since(last_report_) > 0.2) {
      last_report_ = Clock::now();
      listener_({sum, result_.parts.size(), number_of_parts_, seconds, result_.estimate});
    }
    return false;
  }

  // What the search did as a run of the world that was asked for: budgets large enough, and without
  // losses at nodes that had crashed, where that world lost those messages by itself.
  void keep_counterexample() {
    RunConfig config = config_;
    const auto links = static_cast<std::uint32_t>(config.setup.nodes) *
                       static_cast<std::uint32_t>(config.setup.nodes);
    Faults& faults = config.setup.options.faults;
    faults.drop *= links;
    faults.duplicate *= links;
    faults.crash *= 1 + options_.restarts;
    std::vector<Action> actions;
    std::vector<bool> down(static_cast<std::size_t>(config.setup.nodes), false);
    for (const Action& action : model_->world().decisions()) {
      const auto node = static_cast<std::size_t>(action.name.from());
      if (action.kind == Do::crash) down[node] = true;
      if (action.kind == Do::restart) down[node] = false;
      const bool loss = action.kind == Do::drop || action.kind == Do::duplicate;
      if (loss && config.setup.options.down == WhenDown::lost &&
          down[static_cast<std::size_t>(action.name.to())])
        continue;
      actions.push_back(action);
    }
    const RunPlan plan{0, config.setup.node_seed};
    Trace trace =
        make_trace(config, plan, result_.totals.executions, record(actions, {}), model_->fair());
    if (!trace.violation || replay(trace).difference) {
      undecided("a violation did not repeat: the system is not deterministic");
      return;
    }
    result_.counterexample = std::move(trace);
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
    const auto& oracles = model_->oracles();
    for (std::size_t i = 0; i < oracles.size() && i < 64; ++i) {
      const std::uint64_t bit = std::uint64_t{1} << i;
      if (oracles[i]->met() && !(met_ & bit)) result_.vacuous.emplace_back(oracles[i]->name());
      if (!(judged_ & bit)) result_.unjudged.emplace_back(oracles[i]->name());
    }
    if (!result_.vacuous.empty() || !result_.unjudged.empty()) {
      result_.reason = "not everything could be judged";
      return;
    }
    result_.verdict = any_cut_ || any_bounded_ ? Verdict::holds_to_depth : Verdict::holds;
  }

  const RunConfig& config_;
  const CheckOptions& options_;
  const CheckListener& listener_;
  const std::atomic<bool>& stop_;
  std::unique_ptr<Search> search_;
  std::unique_ptr<WorldModel> model_;
  CheckResult result_;
  std::string why_stopped_;
  std::uint64_t met_ = 0, judged_ = 0;
  std::size_t number_of_parts_ = 0;
  bool cut_ = false, any_cut_ = false, any_bounded_ = false;
  Clock::time_point begun_, last_report_;
};

}  // namespace

Result<CheckResult> check(const RunConfig& config, const CheckOptions& options,
                          const CheckListener& listener, const std::atomic<bool>& stop) {
  return Check(config, options, listener, stop).run();
}

}  // namespace schism::check
