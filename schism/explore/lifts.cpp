#include "schism/explore/lifts.hpp"

#include <algorithm>

namespace schism {
namespace {

constexpr std::uint64_t kKnown = 20;  // groups that violated an oracle, before anything is damped
constexpr double kStrong = 1.5;       // a feature that goes with it so much
constexpr double kRarest = 0.25;      // what may still be needed for others stays

}  // namespace

void Lifts::count(Count& into, std::uint64_t steps, const std::vector<std::uint32_t>& hits) {
  ++into.draws;
  into.steps += steps;
  into.hits += hits.empty() ? 0 : 1;
  for (const std::uint32_t oracle : hits) ++into.by_oracle[oracle];
}

void Lifts::add(std::string_view features, std::uint64_t steps,
                const std::vector<std::uint32_t>& hits) {
  count(all_.total, steps, hits);
  while (!features.empty()) {
    const std::size_t end = std::min(features.find(' '), features.size());
    count(all_.features[std::string(features.substr(0, end))], steps, hits);
    features.remove_prefix(std::min(end + 1, features.size()));
  }
}

double Lifts::lift(std::uint64_t hits, std::uint64_t steps, std::uint64_t all_hits,
                   std::uint64_t all_steps) {
  if (all_hits == 0 || steps == 0) return 1;
  return static_cast<double>(hits) / static_cast<double>(steps) /
         (static_cast<double>(all_hits) / static_cast<double>(all_steps));
}

std::vector<Lift> Lifts::table() const {
  std::vector<Lift> out;
  for (const auto& [feature, c] : all_.features)
    out.push_back({feature, c.draws, c.hits, c.steps,
                   lift(c.hits, c.steps, all_.total.hits, all_.total.steps)});
  std::stable_sort(out.begin(), out.end(),
                   [](const Lift& a, const Lift& b) { return a.lift > b.lift; });
  return out;
}

Damping Lifts::damping() const {
  Damping out;
  for (const auto& [oracle, known] : all_.total.by_oracle) {
    if (known < kKnown) continue;
    for (const auto& [feature, c] : all_.features) {
      if (!feature.starts_with("fault.") && !feature.starts_with("parameter.")) continue;
      const auto own = c.by_oracle.find(oracle);
      if (own == c.by_oracle.end() || own->second < kKnown / 2) continue;
      const double strength = lift(own->second, c.steps, known, all_.total.steps);
      if (strength < kStrong) continue;
      double& factor = out.try_emplace(feature, 1.0).first->second;
      factor = std::min(factor, std::max(kRarest, 1 / strength));
    }
  }
  return out;
}

Status Lifts::load(std::string_view state) {
  auto read = decode<All>(state);
  if (!read) return tl::unexpected(read.error());
  all_ = *std::move(read);
  return {};
}

}  // namespace schism
