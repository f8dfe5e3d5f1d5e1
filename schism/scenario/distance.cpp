#include "schism/scenario/distance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "schism/run/runner.hpp"
#include "schism/scenario/staged.hpp"

namespace schism::scenario {
namespace {

constexpr std::uint64_t kFaultFree = 200;  // runs of each size
constexpr double kFlat = 1.3;              // what grows less than this does not depend on n
constexpr double kClearly = 0.5;

template <class Is>
const Act* find_act(const std::vector<Act>& acts, Is&& is) {
  for (const Act& act : acts) {
    if (is(act)) return &act;
    if (const Act* inside = find_act(act.parts, is)) return inside;
  }
  return nullptr;
}
bool fates(const Act& a) { return a.kind == Act::drop || a.kind == Act::hold; }
bool delays(const Act& a) { return a.kind == Act::delay; }

struct Pair {
  std::size_t capture;
  std::optional<std::size_t> release;
};

// A filter that drops or holds captures for good; one that stores, until another empties the set.
std::vector<Pair> pairs_of(const Scenario& s) {
  std::vector<Pair> out;
  for (std::size_t i = 0; i < s.filters.size(); ++i) {
    const auto& acts = s.filters[i].actions;
    if (find_act(acts, fates)) out.push_back({i, std::nullopt});
    const Act* store = find_act(acts, [](const Act& a) { return a.kind == Act::store; });
    if (!store) continue;
    Pair pair{i, std::nullopt};
    for (std::size_t j = 0; j < s.filters.size() && !pair.release; ++j)
      if (find_act(s.filters[j].actions, [&](const Act& a) {
            return (a.kind == Act::deliver_all || a.kind == Act::release) && a.name == store->name;
          }))
        pair.release = j;
    out.push_back(pair);
  }
  return out;
}

// When each filter matched, in messages delivered so far.
struct Sightings {
  std::vector<std::vector<std::uint32_t>> all;
};

// Filters that only say how long things take stay; all others look on.
Scenario watching(const Scenario& s, const std::shared_ptr<Sightings>& seen) {
  Scenario out = s;
  out.run.faults.clear();
  for (std::size_t i = 0; i < out.filters.size(); ++i) {
    auto& acts = out.filters[i].actions;
    if (find_act(acts, delays)) continue;
    std::erase_if(acts,
                  [](const Act& a) { return a.kind != Act::record && a.kind != Act::increment; });
    Act look;
    look.kind = Act::custom;
    look.make = [seen, i]() -> Act::Deed {
      return [seen, i](World& world, const Moment&) { seen->all[i].push_back(world.deliveries()); };
    };
    Act pass;
    pass.kind = Act::pass;
    acts.push_back(std::move(look));
    acts.push_back(std::move(pass));
  }
  return out;
}

std::optional<double> mean_distance(const Scenario& scenario, const Pair& pair, int nodes) {
  auto seen = std::make_shared<Sightings>();
  Scenario s = watching(scenario, seen);
  s.run.nodes = std::to_string(nodes);
  const auto config = configure(s);
  if (!config) return std::nullopt;
  Runner runner(config->setup, config->limits);
  const auto scheduler = make_scheduler(*config);
  std::vector<double> found;
  for (std::uint64_t i = 0; i < kFaultFree; ++i) {
    seen->all.assign(s.filters.size(), {});
    runner.run(*scheduler, plan_of(s, i));
    const auto& captured = seen->all[pair.capture];
    const auto& released = seen->all[*pair.release];
    if (captured.empty()) continue;
    const auto after = std::lower_bound(released.begin(), released.end(), captured.front());
    if (after != released.end()) found.push_back(*after - captured.front());
  }
  if (found.empty()) return std::nullopt;
  return std::accumulate(found.begin(), found.end(), 0.0) / static_cast<double>(found.size());
}

std::string order_text(const FilterWorth& f) {
  if (f.released_by.empty()) return "endless";
  const auto order = order_of(f.distances);
  if (!order) return "unknown";
  return *order <= 0 ? "1" : *order == 1 ? "n" : fmt::format("n^{}", *order);
}

Scenario without(const Scenario& s, const Pair& pair) {
  Scenario out = s;
  std::vector<Filter> kept;
  for (std::size_t i = 0; i < s.filters.size(); ++i)
    if (i != pair.capture && (!pair.release || i != *pair.release)) kept.push_back(s.filters[i]);
  out.filters = std::move(kept);
  return out;
}

}  // namespace

std::optional<int> order_of(const std::vector<AtSize>& distances) {
  if (distances.size() < 2) return std::nullopt;
  const auto [least, most] =
      std::minmax_element(distances.begin(), distances.end(),
                          [](const AtSize& a, const AtSize& b) { return a.messages < b.messages; });
  if (most->messages < kFlat * std::max(least->messages, 1.0)) return 0;
  int best = 0;
  double least_error = 0;
  for (int order = 1; order <= 3; ++order) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (const AtSize& at : distances) {
      const double a = std::pow(at.nodes, order), b = at.messages;
      ++n, x += a, y += b, xx += a * a, xy += a * b, yy += b * b;
    }
    const double sxx = xx - x * x / n, sxy = xy - x * y / n, syy = yy - y * y / n;
    const double error = syy - sxy * sxy / sxx;
    // A higher order must fit clearly better.
    if (best == 0 || error < kClearly * least_error) best = order, least_error = error;
  }
  return best;
}

Result<Worth> worth_of_filters(const Scenario& scenario, const TestOptions& options,
                               const std::atomic<bool>& stop) {
  TestOptions quiet = options;
  quiet.story = quiet.shrinks = false;
  if (quiet.runs == 0) quiet.runs = 1000;
  const auto whole = run_test(scenario, quiet, stop);
  if (!whole) return tl::unexpected(whole.error());
  Worth out;
  out.goals = whole->has_goal;
  out.explorer = whole->explorer;
  out.runs = whole->runs;
  const auto reached = [&](const Outcome& o) { return out.goals ? o.goals : o.violated; };
  out.reached = reached(*whole);
  for (const Pair& pair : pairs_of(scenario)) {
    if (stop.load()) break;
    FilterWorth f;
    f.filter = scenario.filters[pair.capture].name;
    if (pair.release) {
      f.released_by = scenario.filters[*pair.release].name;
      for (const int nodes : {3, 5, 7, 9})
        if (const auto d = mean_distance(scenario, pair, nodes)) f.distances.push_back({nodes, *d});
    }
    f.order = order_text(f);
    if (const auto rest = run_test(without(scenario, pair), quiet, stop)) {
      f.reached = reached(*rest), f.runs = rest->runs;
      f.can_go = 2 * f.reached >= out.reached && 10 * f.reached >= f.runs;
    } else {
      f.needed = rest.error();
    }
    out.filters.push_back(std::move(f));
  }
  return out;
}

std::string describe(const Worth& w) {
  const auto percent = [](std::uint64_t n, std::uint64_t of) {
    return of == 0 ? 0.0 : 100.0 * static_cast<double>(n) / static_cast<double>(of);
  };
  const std::string_view what = w.goals ? "the goal" : "a violation";
  std::string out = fmt::format("  with all filters {} reaches {} in {} of {} runs\n", w.explorer,
                                what, w.reached, w.runs);
  for (const FilterWorth& f : w.filters) {
    out += fmt::format("  filter \"{}\"\n    distance {}", f.filter, f.order);
    std::string sizes;
    for (const AtSize& at : f.distances)
      sizes +=
          fmt::format("{}{:.1f} with {} nodes", sizes.empty() ? "" : ", ", at.messages, at.nodes);
    if (!f.released_by.empty()) out += fmt::format(", until \"{}\"", f.released_by);
    if (!sizes.empty()) out += fmt::format(" (messages: {})", sizes);
    if (!f.needed.empty()) {
      out += "\n    cannot be left out: " + f.needed + "\n";
      continue;
    }
    out += fmt::format("\n    without it {} of {}: ", f.reached, f.runs);
    out += f.can_go ? fmt::format("it can go, {} reaches {} in {:.0f}% of the runs without it\n",
                                  w.explorer, what, percent(f.reached, f.runs))
                    : fmt::format("it must stay, {} reaches {} in {:.1f}% of the runs without it\n",
                                  w.explorer, what, percent(f.reached, f.runs));
  }
  return out;
}

}  // namespace schism::scenario
