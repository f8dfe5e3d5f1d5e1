// `strikes`: another scheduler, whose runs are struck by faults at the steps that genes say. What
// the other one would do of these kinds by itself is left out.
#include "schism/evolve/strikes.hpp"

#include <algorithm>

#include "schism/evolve/genome.hpp"
#include "schism/schedule/around.hpp"
#include "schism/schedule/registry.hpp"

namespace schism::evolve {

namespace {

constexpr Fault kKinds[] = {Fault::crash, Fault::partition, Fault::duplicate};

// One of n by a share of 0 to 1.
std::uint64_t part_of(double share, std::uint64_t n) {
  return std::min(static_cast<std::uint64_t>(share * static_cast<double>(n)), n - 1);
}

}  // namespace

std::vector<Fault> strikes_within(const Faults& budgets) {
  std::vector<Fault> out;
  for (const Fault kind : kKinds)
    out.insert(out.end(), std::min(budget_of(budgets, kind), kStrikesMax), kind);
  return out;
}

std::size_t strike_genes(const Faults& budgets) {
  std::size_t genes = 0;
  for (const Fault kind : strikes_within(budgets)) genes += strike_genes(kind);
  return genes;
}

std::vector<Strike> read_strikes(const Faults& budgets, std::span<const double> shares,
                                 std::uint64_t horizon) {
  std::vector<Strike> out;
  std::size_t at = 0;
  for (const Fault kind : strikes_within(budgets)) {
    Strike& strike = out.emplace_back();
    strike.kind = kind;
    strike.step = shares[at] < 0.75 ? part_of(shares[at] / 0.75, horizon) : Strike::kNever;
    strike.whom = shares[at + 1];
    if (strike_genes(kind) > 2) strike.lasts = 1 + part_of(shares[at + 2], horizon / 4 + 1);
    at += strike_genes(kind);
  }
  return out;
}

std::vector<bool> sides_of(double share, int nodes) {
  // The first node is always on the one side; a double tells 2^52 splits apart.
  const int others = std::min(nodes - 1, 52);
  const std::uint64_t split = 1 + part_of(share, (std::uint64_t{1} << others) - 1);
  std::vector<bool> side(static_cast<std::size_t>(nodes), false);
  for (int i = 0; i < others; ++i) side[static_cast<std::size_t>(i) + 1] = (split >> i & 1) != 0;
  return side;
}

namespace {

class Strikes final : public Around {
 public:
  struct Options {
    std::int64_t horizon = 1000;
    double low = 0, high = 0;
  };

  Strikes(const Options& options, std::vector<Child<Scheduler>> children)
      : Around(children.empty() ? std::move(*schedulers().make({"random", {}}, "scheduler"))
                                : std::move(children[0].made)),
        options_(options) {}

  bool plays(Do fault) const override {
    return std::any_of(std::begin(kKinds), std::end(kKinds),
                       [&](Fault kind) { return action_of(kind) == fault; }) ||
           inner().plays(fault);
  }

  Status check(const Setup& setup) const override {
    if (options_.high != 0 && options_.low >= options_.high)
      return error("strikes: low is below high");
    return inner().check(setup);
  }

  // The last genes are ours, the rest is the other scheduler's.
  void prepare(const RunPlan& plan) override {
    genome_ = unpack(plan.gene);
    inner_plan_ = plan;
    Around::prepare(plan);
  }

  void begin(const Setup& setup, std::uint64_t seed) override {
    const Faults& budgets = setup.options.faults;
    const std::size_t genes = strike_genes(budgets);
    std::vector<double> shares(genes);
    if (genome_.size() >= genes) {
      const auto ours = genome_.end() - static_cast<std::ptrdiff_t>(genes);
      const double high = options_.high != 0 ? options_.high : static_cast<double>(genome_.size());
      std::transform(ours, genome_.end(), shares.begin(), [&](double gene) {
        return std::clamp((gene - options_.low) / (high - options_.low), 0.0, 1.0);
      });
      RunPlan rest = inner_plan_;
      rest.gene = pack(Genome(genome_.begin(), ours));
      Around::prepare(rest);
    } else {
      Rng random(keyed(seed, hash_text("strikes")));
      shares = Space{genes, 0, 1, false}.draw(random);
    }
    agenda_.clear();
    script_.clear();
    for (const Strike& strike :
         read_strikes(budgets, shares, static_cast<std::uint64_t>(options_.horizon)))
      if (strike.step != Strike::kNever) plan({strike.step, Turn::strike, strike, 0});
    Setup spared = setup;
    for (const Fault kind : kKinds) budget_of(spared.options.faults, kind) = 0;
    inner().begin(spared, seed);
  }

  Action next(World& world) override {
    for (;;) {
      while (script_.empty() && !agenda_.empty() && agenda_.front().step <= world.step())
        take_first(world);
      if (!script_.empty()) return from_script();
      const Action action = inner().next(world);
      if (action.kind == Do::nothing) return hasten(world);
      if (!is_ours(fault_of(action))) return action;
    }
  }

 private:
  enum class Turn : std::uint8_t { strike, restart, heal };
  struct Planned {
    std::uint64_t step;
    Turn turn;
    Strike strike;
    NodeId node;
  };

  static bool is_ours(std::optional<Fault> fault) {
    return fault && std::find(std::begin(kKinds), std::end(kKinds), *fault) != std::end(kKinds);
  }

  void plan(const Planned& planned) {
    const auto later = [](std::uint64_t step, const Planned& other) { return step < other.step; };
    agenda_.insert(std::upper_bound(agenda_.begin(), agenda_.end(), planned.step, later), planned);
  }

  Action from_script() {
    const Action action = script_.front();
    script_.pop_front();
    return action;
  }

  // Nothing else is left to do: what was broken is repaired.
  Action hasten(World& world) {
    std::erase_if(agenda_, [](const Planned& p) { return p.turn == Turn::strike; });
    while (script_.empty() && !agenda_.empty()) take_first(world);
    return script_.empty() ? Action{} : from_script();
  }

  void take_first(World& world) {
    const Planned planned = agenda_.front();
    agenda_.erase(agenda_.begin());
    switch (planned.turn) {
      case Turn::strike: strike(world, planned.strike); return;
      case Turn::restart:
        if (!world.runs(planned.node) && world.pending().recovers)
          script_.push_back(node_action(Do::restart, planned.node));
        return;
      case Turn::heal: heal_all(world, script_); return;
    }
  }

  // One that cannot happen now (no message, nobody may crash) is left out.
  void strike(const World& world, const Strike& strike) {
    const Pending& pending = world.pending();
    const std::uint64_t until = world.step() + strike.lasts;
    switch (strike.kind) {
      case Fault::crash:
        if (const auto crash = crash_of(world, strike.whom)) {
          script_.push_back(*crash);
          plan({until, Turn::restart, {}, crash->name.from()});
        }
        return;
      case Fault::partition:
        if (pending.left.partition == 0 || pending.nodes < 2) return;
        partition(world, sides_of(strike.whom, pending.nodes), script_);
        plan({until, Turn::heal, {}, 0});
        return;
      default:
        if (const std::uint32_t n = pending.count(Do::duplicate); n > 0)
          script_.push_back(
              pending.nth(Do::duplicate, static_cast<std::uint32_t>(part_of(strike.whom, n))));
    }
  }

  // Of the nodes that may crash now the one at that share of all, or the next above it. What is
  // left of the share says what the disk keeps.
  static std::optional<Action> crash_of(const World& world, double share) {
    const Pending& pending = world.pending();
    const auto nodes = static_cast<std::uint64_t>(pending.nodes);
    const std::uint64_t first = part_of(share, nodes);
    std::optional<Action> best;
    std::uint64_t best_off = nodes;
    for (std::uint32_t i = 0; i < pending.count(Do::crash); ++i) {
      const Action action = pending.nth(Do::crash, i);
      const std::uint64_t off =
          (static_cast<std::uint64_t>(action.name.from()) + nodes - first) % nodes;
      if (off < best_off) best = action, best_off = off;
    }
    if (!best) return best;
    const auto outcomes = world.crash_outcomes(best->name.from());
    const double rest = share * static_cast<double>(nodes) - static_cast<double>(first);
    const CrashOutcome& outcome = outcomes[part_of(rest, outcomes.size())];
    return node_action(Do::crash, best->name.from(), outcome.arg());
  }

  Options options_;
  Genome genome_;
  RunPlan inner_plan_;
  std::vector<Planned> agenda_;  // by step
  Script script_;
};

using O = Strikes::Options;
const Registration registered =
    scheduler<Strikes>("strikes",
                       "another scheduler, random if none is named, and the crashes, partitions "
                       "and duplicates that budgets allow, when and where genes say, which are "
                       "drawn or evolved")
        .children(schedulers(), "scheduler", 0, 1)
        .param<&O::horizon>("horizon", 8, 1'000'000'000, "steps in which they come")
        .param<&O::low>("low", -1e9, 1e9, "lowest value of a gene")
        .param<&O::high>("high", -1e9, 1e9,
                         "highest value of a gene; 0: as many as there are genes");

}  // namespace
}  // namespace schism::evolve
