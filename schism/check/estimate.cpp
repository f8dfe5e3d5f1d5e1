#include "schism/check/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "schism/base/random.hpp"

namespace schism::check {
namespace {

constexpr std::uint32_t kRounds = 20;
// An estimate should cost less than what it is for: steps played for each probe, those to come back
// included.
constexpr double kStepsAProbe = 250;
// And at most so many times that, where runs are long: all that was ever pending is looked at anew
// in each state, which costs a step for every few.
constexpr double kMostWork = 8;
constexpr double kLooksAStep = 16;
// Rounds are skewed: what they miss, they miss above. Measured on random trees and systems.
constexpr double kAbove = 2.2;

// Of Student's distribution: 2.5% are above.
double quantile(double freedom) {
  constexpr double z = 1.959964;
  const double first = (z * z * z + z) / 4;
  const double second = (5 * std::pow(z, 5) + 16 * z * z * z + 3 * z) / 96;
  const double third = (3 * std::pow(z, 7) + 19 * std::pow(z, 5) + 17 * z * z * z - 15 * z) / 384;
  return z + first / freedom + second / (freedom * freedom) + third / std::pow(freedom, 3);
}

struct Bound {
  std::uint32_t depth, endless;  // 0: none
  const std::function<bool()>& stop;
};

// One tree: all interleavings, or what sleep sets leave of it.
class Tree {
 public:
  Tree(Model& model, bool asleep, const Bound& bound)
      : model_(model), sleeping_(asleep), bound_(bound) {}

  // Leaves, estimated by one round that keeps at most `width` runs of a level.
  double round(Rng& rng, std::size_t width) {
    std::vector<Run> level(1);
    double weight = 1, leaves = 0;
    while (!level.empty() && !hopeless()) {
      std::vector<Step> steps;
      for (std::uint32_t r = 0; r < level.size() && !hopeless(); ++r) {
        if (look(level[r])) leaves += weight;
        for (std::uint32_t k = 0; k < level[r].awake.size(); ++k) steps.push_back({r, k});
      }
      if (steps.size() > width) {
        weight *= static_cast<double>(steps.size()) / static_cast<double>(width);
        keep(steps, width, rng);
        sampled_ = true;
      }
      std::vector<Run> next;
      next.reserve(steps.size());
      for (const Step& step : steps) next.push_back(after(level[step.run], step.which));
      level = std::move(next);
    }
    return leaves;
  }
  bool sampled() const { return sampled_; }           // so far: something was left out
  std::uint32_t longest() const { return longest_; }  // run so far
  // It cannot be counted: some run has no end, a step was asked and stands for more than one, or
  // there is no time.
  bool hopeless() const { return endless_ || chose_ || stopped_; }
  double work() const { return work_; }  // steps so far, and what else costs as much

 private:
  struct Option : Process {
    std::uint32_t pend = 0;
  };
  struct Run {
    std::vector<std::uint32_t> path;
    std::vector<Process> sleep;
    std::vector<Option> awake;  // what it can do next
  };
  struct Step {
    std::uint32_t run, which;
  };

  // Goes there and sees what is next. True: it is a leaf, and not only because the rest is known.
  bool look(Run& run) {
    std::uint32_t shared = 0;
    while (shared < run.path.size() && shared < model_.depth() &&
           model_.run()[shared] == run.path[shared])
      ++shared;
    model_.rewind(shared);
    stopped_ = stopped_ || (bound_.stop && bound_.stop());
    if (stopped_) return false;
    work_ += static_cast<double>(run.path.size() - shared);
    for (std::size_t i = shared; i < run.path.size(); ++i) {
      if (!model_.execute(run.path[i])) return true;
      chose_ = chose_ || !model_.asked().empty();
    }
    longest_ = std::max(longest_, model_.depth());
    work_ += static_cast<double>(model_.pends().size()) / kLooksAStep;
    bool any = false;
    for (std::uint32_t i = 0; i < model_.pends().size(); ++i) {
      const Pend& p = model_.pends()[i];
      if (!p.enabled()) continue;
      any = true;
      if (!known(run, p)) run.awake.push_back({p, i});
    }
    const bool cut = any && bound_.depth > 0 && model_.depth() >= bound_.depth;
    endless_ = endless_ || (any && !cut && bound_.endless > 0 && model_.depth() >= bound_.endless);
    if (cut) run.awake.clear();
    return !any || cut;
  }

  static bool known(const Run& run, const Process& p) {
    for (const Process& q : run.sleep)
      if (q.id == p.id) return true;
    return false;
  }

  Run after(const Run& run, std::uint32_t which) const {
    const Option& taken = run.awake[which];
    Run out;
    out.path = run.path;
    out.path.push_back(taken.pend);
    if (!sleeping_) return out;
    for (const Process& q : run.sleep)
      if (!share(q.objects, taken.objects)) out.sleep.push_back(q);
    for (std::uint32_t k = 0; k < which; ++k)
      if (!share(run.awake[k].objects, taken.objects)) out.sleep.push_back(run.awake[k]);
    return out;
  }

  // Some of them, each as likely, in their old order: neighbours share most of their way.
  static void keep(std::vector<Step>& steps, std::size_t width, Rng& rng) {
    std::size_t kept = 0;
    for (std::size_t i = 0; kept < width; ++i)
      if (rng.below(steps.size() - i) < width - kept) steps[kept++] = steps[i];
    steps.resize(kept);
  }

  Model& model_;
  bool sleeping_;
  Bound bound_;
  std::uint32_t longest_ = 0;
  bool sampled_ = false;
  bool chose_ = false, endless_ = false, stopped_ = false;
  double work_ = 0;
};

// Nothing: it cannot be counted.
std::optional<Guess> leaves_of(Model& model, bool asleep, std::uint32_t probes, const Bound& bound,
                               Rng& rng) {
  Tree tree(model, asleep, bound);
  std::vector<double> rounds = {tree.round(rng, 1)};
  if (tree.hopeless()) return std::nullopt;
  // Every run of a level is played from its beginning; a run alone just goes on.
  const double length = std::max(1.0, static_cast<double>(tree.longest()));
  const double each = static_cast<double>(probes) / kRounds;
  const double wanted = std::min(each, each * kStepsAProbe / (length * length / 2));
  const auto width = static_cast<std::size_t>(std::max(1.0, wanted));
  // Long runs are few: an estimate costs less than what it is for.
  const double affordable = std::clamp<double>(probes * kStepsAProbe / length, kRounds, probes);
  const std::uint32_t times = width == 1 ? static_cast<std::uint32_t>(affordable) : kRounds;
  if (width > 1) rounds.clear();
  double left = probes * kStepsAProbe * kMostWork;
  for (std::uint32_t i = 0; i < times && left > 0; ++i) {
    Tree again(model, asleep, bound);
    rounds.push_back(again.round(rng, width));
    if (again.hopeless()) return std::nullopt;
    left -= again.work();
    if (!again.sampled()) return Guess{rounds.back(), rounds.back(), rounds.back(), true};
  }
  return guess_of(rounds);
}

}  // namespace

Guess& Guess::operator+=(const Guess& o) {
  if (value <= 0 || o.value <= 0) return *this = {};
  const double below = std::hypot(value - low, o.value - o.low);
  const double above = std::hypot(high - value, o.high - o.value);
  value += o.value;
  low = std::max(value - below, 1.0), high = value + above;
  if (!std::isfinite(high)) return *this = {};
  exact = exact && o.exact;
  return *this;
}

// As if their logarithms were normal (Cox's interval), with the doubt about how many are 0.
Guess guess_of(const std::vector<double>& rounds) {
  std::vector<double> logs;
  double sum = 0;
  for (const double x : rounds) {
    sum += x;
    if (x > 0) logs.push_back(std::log(x));
  }
  const auto n = static_cast<double>(rounds.size()), some = static_cast<double>(logs.size());
  if (logs.size() < 3) return {};
  double mean = 0, square = 0;
  for (const double y : logs) mean += y / some;
  for (const double y : logs) square += (y - mean) * (y - mean) / (some - 1);
  const double share = some / n;
  const double doubt =
      std::sqrt((1 - share) / (share * n) + square / some + square * square / (2 * (some - 1)));
  const double center = std::log(share) + mean + square / 2;
  const double half = quantile(some - 1) * doubt;
  Guess out;
  out.value = sum / n;
  out.low = std::min(std::exp(center - half), out.value);
  out.high = std::max(std::exp(center + kAbove * half), out.value);
  return std::isfinite(out.high) ? out : Guess{};
}

Estimate estimate(Model& model, std::uint32_t probes, std::uint32_t depth, std::uint64_t seed,
                  std::uint32_t endless, const std::function<bool()>& stop) {
  Rng rng(seed);
  Estimate out;
  const Bound bound{depth, endless, stop};
  if (const auto runs = leaves_of(model, false, probes, bound, rng)) {
    out.runs = *runs;
    out.classes = leaves_of(model, true, probes, bound, rng).value_or(Guess{});
  }
  // Each class has a run; two estimates need not know that.
  if (out.runs.value > 0 && out.classes.value > out.runs.value) {
    out.classes.value = out.runs.value;
    out.classes.low = std::min(out.classes.low, out.classes.value);
    out.classes.high = std::max(out.runs.high, out.classes.value);
  }
  out.probes = probes;
  model.rewind(0);
  return out;
}

}  // namespace schism::check
