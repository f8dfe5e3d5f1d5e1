#include "schism/check/estimate.hpp"

#include <absl/container/flat_hash_map.h>

#include <cmath>

#include "schism/base/random.hpp"
#include "schism/check/races.hpp"

namespace schism::check {
namespace {

// An estimate should cost less than what it is for.
constexpr std::size_t kIdealsMax = 20'000, kIdealsOfAllMax = 100'000;

// Mean and standard deviation of the mean, one value at a time.
class Mean {
 public:
  void add(double x) {
    ++n_;
    const double delta = x - mean_;
    mean_ += delta / n_;
    squares_ += delta * (x - mean_);
  }
  double mean() const { return mean_; }
  double error() const { return n_ > 1 ? std::sqrt(squares_ / (n_ - 1) / n_) : mean_; }

 private:
  double n_ = 0, mean_ = 0, squares_ = 0;
};

}  // namespace

// Dynamic programming over the sets of steps that can have happened first.
double orders_of(const Model& model, std::size_t* ideals) {
  const std::uint32_t n = model.depth();
  if (n > 64) return 0;
  Races races;
  races.follow(model);
  std::vector<std::uint64_t> before(n, 0);
  for (std::uint32_t b = 1; b <= n; ++b)
    for (std::uint32_t a = 1; a < b; ++a)
      if (races.before(a, b)) before[b - 1] |= std::uint64_t{1} << (a - 1);
  absl::flat_hash_map<std::uint64_t, double> level = {{0, 1}};
  std::size_t seen = 0;
  for (std::uint32_t size = 0; size < n; ++size) {
    absl::flat_hash_map<std::uint64_t, double> next;
    for (const auto& [ideal, orders] : level)
      for (std::uint32_t step = 0; step < n; ++step)
        if (!(ideal >> step & 1) && (before[step] & ~ideal) == 0)
          next[ideal | std::uint64_t{1} << step] += orders;
    seen += next.size();
    if (seen > kIdealsMax) return 0;
    level = std::move(next);
  }
  if (ideals) *ideals += seen;
  return level.begin()->second;
}

Estimate estimate(Model& model, std::uint32_t probes, std::uint32_t depth, std::uint64_t seed) {
  Rng rng(seed);
  Mean runs, classes, steps;
  bool countable = true;
  std::size_t ideals = 0;
  std::uint32_t done = 0;
  for (; done < probes; ++done) {
    model.rewind(0);
    double weight = 1;
    model.answer_by([&](std::uint32_t n) {
      weight *= n;
      return static_cast<std::uint32_t>(rng.below(n));
    });
    for (;;) {
      std::vector<std::uint32_t> enabled;
      for (std::uint32_t i = 0; i < model.pends().size(); ++i)
        if (model.pends()[i].enabled()) enabled.push_back(i);
      if (enabled.empty() || (depth > 0 && model.depth() >= depth)) break;
      weight *= static_cast<double>(enabled.size());
      if (!model.execute(enabled[rng.below(enabled.size())])) break;
    }
    runs.add(weight);
    steps.add(model.depth());
    if (!countable || ideals > kIdealsOfAllMax) continue;
    const double orders = orders_of(model, &ideals);
    countable = orders > 0;
    if (countable) classes.add(weight / orders);
  }
  model.rewind(0);
  model.answer_by(nullptr);
  Estimate out{runs.mean(), runs.error(), 0, 0, done, steps.mean()};
  if (countable) out.classes = classes.mean(), out.classes_error = classes.error();
  return out;
}

}  // namespace schism::check
