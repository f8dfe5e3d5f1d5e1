#include "schism/evolve/locality.hpp"

#include <algorithm>
#include <cmath>

#include "schism/evolve/obedient.hpp"
#include "schism/evolve/trace_graph.hpp"

namespace schism::evolve {

double Spread::deviation() const {
  if (count < 2) return 0;
  const auto n = static_cast<double>(count);
  return std::sqrt(std::max(0.0, (squares - sum * sum / n) / (n - 1)));
}

namespace {

class Probe {
 public:
  Probe(const RunConfig& config, const LocalityOptions& options, const MessageClasses& classes)
      : options_(options), graph_(classes), runner_(config.setup, config.limits) {
    runner_.attach(graph_);
    Spec word{options.representation == Representation::delay ? "delays" : "inbox"};
    if (options.representation == Representation::aged)
      word.values = {{"order", "aged"}, {"cap", "1s"}};
    if (!options.classes.empty()) word.values.emplace_back("classes", options.classes);
    scheduler_ = *schedulers().make(word, "scheduler");
    space_ = {Layout(config.setup.places(), classes.words.size()).genes(), 0, options.high, false};
    if (options.representation == Representation::delay) space_.high = options.max_ms;
    space_.permutation = options.representation == Representation::priority;
  }

  const Space& space() const { return space_; }
  struct Played {
    LabelledGraph graph;
    Hash128 run_class;
  };
  Played play(const Genome& genome, std::uint64_t seed) {
    RunPlan plan;
    plan.seed = plan.node_seed = seed;
    plan.gene = pack(genome);
    const RunSummary summary = runner_.run(*scheduler_, plan);
    return {graph_.graph(), summary.run_class};
  }
  const std::vector<std::uint64_t>& deliveries() const { return graph_.deliveries(); }

  // One millisecond, one priority, or two ranks that follow each other.
  Genome neighbour(const Genome& of, Rng& random) const {
    Genome out = of;
    const auto i = static_cast<std::size_t>(random.below(out.size()));
    if (space_.permutation) {
      const double next = out[i] < static_cast<double>(out.size()) ? out[i] + 1 : out[i] - 1;
      *std::find(out.begin(), out.end(), next) = out[i];
      out[i] = next;
    } else {
      out[i] += out[i] + 1 <= space_.high && (random.chance(0.5) || out[i] < 1) ? 1 : -1;
    }
    return out;
  }

 private:
  LocalityOptions options_;
  TraceGraph graph_;
  Runner runner_;
  std::unique_ptr<Scheduler> scheduler_;
  Space space_;
};

void count_messages(Probe& probe, const LocalityOptions& options, Locality& out,
                    const std::atomic<bool>& stop) {
  for (std::int64_t i = 0; i < options.schedules && !stop; ++i) {
    Rng random(keyed(options.seed, static_cast<std::uint64_t>(i), hash_text("schedules")));
    probe.play(probe.space().draw(random), random.next());
    std::uint64_t all = 0;
    for (const std::uint64_t n : probe.deliveries()) all += n;
    if (all == 0) continue;
    for (std::size_t c = 0; c < out.shares.size(); ++c)
      out.shares[c].second.add(static_cast<double>(probe.deliveries()[c]) /
                               static_cast<double>(all));
  }
}

}  // namespace

Result<Locality> measure_locality(const RunConfig& config, const LocalityOptions& options,
                                  const std::atomic<bool>& stop) {
  const auto classes = find_message_classes(*config.setup.system, options.classes);
  if (!classes) return error("{} has {}", config.setup.system->name, classes.error());
  if (config.setup.nodes < 2) return error("one node has no messages to delay");
  Probe probe(config, options, *classes);
  Locality out;
  for (const std::string& word : classes->words) out.shares.emplace_back(word, Spread{});
  std::vector<Probe::Played> all;
  for (std::int64_t g = 0; g < options.genomes && !stop; ++g) {
    Rng random(keyed(options.seed, static_cast<std::uint64_t>(g), hash_text("locality")));
    const Genome genome = probe.space().draw(random);
    const std::uint64_t seed = mix64(options.seed);  // all genomes in the same circumstances
    const Probe::Played own = probe.play(genome, seed);
    for (std::int64_t n = 0; n < options.neighbours && !stop; ++n) {
      const std::uint64_t other_seed = random.next();
      out.noise.add(run_distance(own.graph, probe.play(genome, other_seed).graph));
      const Genome near = probe.neighbour(genome, random);
      const Probe::Played neighbour = probe.play(near, seed);
      out.neighbours.add(run_distance(own.graph, neighbour.graph));
      out.same += neighbour.run_class == own.run_class ? 1 : 0;
      out.noisy_neighbours.add(run_distance(own.graph, probe.play(near, other_seed).graph));
    }
    for (const Probe::Played& other : all) out.random.add(run_distance(own.graph, other.graph));
    all.push_back(own);
  }
  count_messages(probe, options, out, stop);
  return out;
}

}  // namespace schism::evolve
