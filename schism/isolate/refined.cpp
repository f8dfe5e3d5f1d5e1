#include "schism/isolate/refined.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "absl/container/flat_hash_map.h"
#include "schism/base/hash.hpp"

namespace schism::isolate {
namespace {

// Candidates that hold in the same of the runs that count, as one.
struct Group {
  std::vector<std::size_t> members;
  Bits holds;  // in runs that count
};

struct Choice {
  std::size_t group = 0;
  NoisyOr model;
  double overlap = 0;  // what its dependence on the others costs
  double value() const { return model.log_likelihood - overlap; }
};

class Refiner {
 public:
  Refiner(const Table& table, const RefineOptions& options) : table_(table), options_(options) {
    all_ = Bits(table.failed().begin(), table.failed().end());
    for (std::size_t w = 0; w < all_.size(); ++w) all_[w] |= table.passed()[w];
    runs_ = count(all_);
    make_groups();
  }

  Refined run() {
    NoisyOr model = fit(patterns(parts_of({})), 0);
    double chance = 1;
    while (chosen_.size() < options_.most && !groups_.empty()) {
      const Choice best = best_addition(chosen_, model);
      chance = chance_of(best.model.log_likelihood - model.log_likelihood);
      if (chance > options_.chance) break;
      chosen_.push_back(best.group);
      model = best.model;
      exchange(model);
    }
    return result(model, chance);
  }

 private:
  void make_groups() {
    absl::flat_hash_map<Hash128, std::size_t> index;  // a collision would merge two candidates
    for (std::size_t c = 0; c < table_.size(); ++c) {
      Bits holds(table_.holds(c).begin(), table_.holds(c).end());
      for (std::size_t w = 0; w < holds.size(); ++w) holds[w] &= all_[w];
      if (count_both(holds, table_.failed()) == 0) continue;
      Hash128 h{1, 2};
      for (const std::uint64_t word : holds) h = absorb(h, word);
      const auto [at, fresh] = index.try_emplace(h, groups_.size());
      if (fresh) groups_.push_back({{}, std::move(holds)});
      groups_[at->second].members.push_back(c);
    }
    for (Group& g : groups_)
      if (options_.more_general)
        std::stable_sort(g.members.begin(), g.members.end(), options_.more_general);
  }

  // How the runs fall by the chosen groups.
  struct Part {
    std::uint32_t causes;
    Bits failing, passing;
  };
  std::vector<Part> parts_of(const std::vector<std::size_t>& chosen) const {
    std::vector<Part> parts{{0, Bits(table_.failed().begin(), table_.failed().end()),
                             Bits(table_.passed().begin(), table_.passed().end())}};
    for (std::size_t c = 0; c < chosen.size(); ++c) {
      const Bits& by = groups_[chosen[c]].holds;
      const std::size_t before = parts.size();
      for (std::size_t i = 0; i < before; ++i) {
        Part with = parts[i];
        with.causes |= std::uint32_t{1} << c;
        for (std::size_t w = 0; w < by.size(); ++w) {
          with.failing[w] &= by[w], with.passing[w] &= by[w];
          parts[i].failing[w] &= ~by[w], parts[i].passing[w] &= ~by[w];
        }
        if (count(with.failing) + count(with.passing) > 0) parts.push_back(std::move(with));
      }
    }
    return parts;
  }
  static std::vector<Pattern> patterns(const std::vector<Part>& parts) {
    std::vector<Pattern> out;
    for (const Part& p : parts) out.push_back({p.causes, count(p.failing), count(p.passing)});
    return out;
  }
  // And by one more, which becomes the last cause.
  static void split(const std::vector<Part>& parts, const std::vector<Pattern>& whole,
                    const Bits& by, std::uint32_t bit, std::vector<Pattern>& out) {
    out.clear();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Pattern with{whole[i].causes | bit, count_both(parts[i].failing, by),
                         count_both(parts[i].passing, by)};
      out.push_back(
          {whole[i].causes, whole[i].failing - with.failing, whole[i].passing - with.passing});
      out.push_back(with);
    }
  }

  // n times the mutual information, if they coincide more than by chance.
  double overlap(const Group& a, const Group& b) const {
    const double n = runs_, both = count_both(a.holds, b.holds);
    const double as = count(a.holds), bs = count(b.holds);
    if (both * n <= as * bs) return 0;
    const auto term = [n](double seen, double p, double q) {
      return seen > 0 ? seen * std::log(seen * n / (p * q)) : 0.0;
    };
    return term(both, as, bs) + term(as - both, as, n - bs) + term(bs - both, n - as, bs) +
           term(n - as - bs + both, n - as, n - bs);
  }
  double overlap(std::size_t group, const std::vector<std::size_t>& others) const {
    double sum = 0;
    for (const std::size_t g : others) sum += overlap(groups_[group], groups_[g]);
    return sum;
  }

  Choice best_addition(const std::vector<std::size_t>& chosen, const NoisyOr& model) const {
    std::optional<Choice> best;
    const std::vector<Part> parts = parts_of(chosen);
    const std::vector<Pattern> whole = patterns(parts);
    std::vector<Pattern> split_by;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (std::find(chosen.begin(), chosen.end(), g) != chosen.end()) continue;
      Choice c;
      c.group = g;
      split(parts, whole, groups_[g].holds, std::uint32_t{1} << chosen.size(), split_by);
      c.model = fit(split_by, chosen.size() + 1, model.weights);
      c.overlap = overlap(g, chosen);
      if (!best || c.value() > best->value() + 1e-9) best = std::move(c);
    }
    return best ? *std::move(best) : Choice{0, model, 0};
  }

  // Each member for a better one, while that helps.
  void exchange(NoisyOr& model) {
    for (bool better = true; better && chosen_.size() > 1;) {
      better = false;
      for (std::size_t i = 0; i < chosen_.size() && !better; ++i) {
        std::vector<std::size_t> rest = chosen_;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        const double now = model.log_likelihood - overlap(chosen_[i], rest);
        const NoisyOr without = fit(patterns(parts_of(rest)), rest.size());
        const Choice best = best_addition(rest, without);
        if (best.group == chosen_[i] || best.value() <= now + 1e-6) continue;
        chosen_ = std::move(rest);
        chosen_.push_back(best.group);
        model = best.model;
        better = true;
      }
    }
  }

  // That a gain in log likelihood is chance: chi-square with one degree, Bonferroni.
  double chance_of(double gain) const {
    return std::min(
        1.0, std::erfc(std::sqrt(std::max(gain, 0.0))) * static_cast<double>(groups_.size()));
  }

  Refined result(const NoisyOr& model, double chance) const {
    Refined out;
    out.candidates = groups_.size();
    out.unknown = -std::expm1(-model.weights[0]);
    out.next_chance = chance;
    std::vector<std::size_t> order(chosen_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<Predictor> all;
    for (const std::size_t g : chosen_) {
      Predictor p;
      const Group& group = groups_[g];
      p.candidate = group.members.front();
      p.others.assign(group.members.begin() + 1, group.members.end());
      p.tally = tally(table_, p.candidate, table_.failed());
      p.importance = p.tally.importance(count(table_.failed()));
      p.explains = group.holds;
      for (std::size_t w = 0; w < p.explains.size(); ++w) p.explains[w] &= table_.failed()[w];
      all.push_back(std::move(p));
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return all[a].tally.fail_true > all[b].tally.fail_true;
    });
    for (const std::size_t i : order) {
      out.predictors.push_back(std::move(all[i]));
      out.strikes.push_back(model.strikes(i));
    }
    return out;
  }

  const Table& table_;
  const RefineOptions& options_;
  Bits all_;
  std::uint32_t runs_ = 0;
  std::vector<Group> groups_;
  std::vector<std::size_t> chosen_;
};

}  // namespace

Refined refine(const Table& table, const RefineOptions& options) {
  return Refiner(table, options).run();
}

}  // namespace schism::isolate
