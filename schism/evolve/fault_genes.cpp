#include "schism/evolve/fault_genes.hpp"

#include <algorithm>

namespace schism::evolve {
namespace {

// 0 to n-1 by a share of 1.
std::uint64_t part(double share, std::uint64_t n) {
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(n);
  return std::min(static_cast<std::uint64_t>(at), n - 1);
}

}  // namespace

void FaultGenes::begin(const FaultCounts& counts, std::span<const double> genes, int nodes,
                       Micros horizon) {
  nodes_ = nodes;
  agenda_.clear();
  doubled_.clear();
  script_.clear();
  const auto n = static_cast<std::uint64_t>(nodes);
  std::size_t next = 0;
  const auto each = [&](std::int64_t count, auto plan) {
    for (std::int64_t i = 0; i < count && next + 3 <= genes.size(); ++i, next += 3) {
      const auto begins =
          static_cast<Micros>(part(genes[next], static_cast<std::uint64_t>(horizon)));
      const auto lasts =
          static_cast<Micros>(part(genes[next + 1], static_cast<std::uint64_t>(horizon / 3)));
      plan(begins, begins + lasts, genes[next + 2]);
    }
  };
  each(counts.partitions, [&](Micros from, Micros to, double where) {
    // Node 0 is on one side, somebody on the other.
    const std::uint64_t sides =
        n < 2 ? 0 : (part(where, (std::uint64_t{1} << (n - 1)) - 1) + 1) << 1;
    if (sides == 0) return;
    agenda_.push_back({from, Kind::split, sides});
    agenda_.push_back({to, Kind::heal, 0});
  });
  each(counts.crashes, [&](Micros from, Micros to, double where) {
    agenda_.push_back({from, Kind::crash, part(where, n)});
    agenda_.push_back({to, Kind::restart, part(where, n)});
  });
  each(counts.duplicates, [&](Micros from, Micros to, double where) {
    if (n < 2) return;
    const std::uint64_t link = part(where, n * (n - 1));
    const auto sender = static_cast<NodeId>(link / (n - 1));
    const auto other = static_cast<NodeId>(link % (n - 1));
    doubled_.push_back({from, to, sender, other < sender ? other : other + 1});
  });
  std::stable_sort(agenda_.begin(), agenda_.end(),
                   [](const Planned& a, const Planned& b) { return a.due > b.due; });
}

Action FaultGenes::next(World& world) {
  while (script_.empty() && !agenda_.empty() && agenda_.back().due <= world.clock()) {
    const Planned turn = agenda_.back();
    agenda_.pop_back();
    take(world, turn);
  }
  if (script_.empty()) return {};
  const Action action = script_.front();
  script_.pop_front();
  return action;
}

void FaultGenes::take(World& world, const Planned& turn) {
  const Pending& pending = world.pending();
  const auto node = static_cast<NodeId>(turn.where);
  switch (turn.kind) {
    case Kind::split: {
      if (pending.left.partition == 0 || pending.live.size() < 2) return;
      std::vector<bool> side;
      for (int id = 0; id < nodes_; ++id) side.push_back((turn.where >> id & 1) != 0);
      return partition(world, side, script_);
    }
    case Kind::heal: return heal_all(world, script_);
    case Kind::crash:
      if (pending.left.crash > 0 && world.runs(node))
        script_.push_back(node_action(Do::crash, node));
      return;
    case Kind::restart:
      if (!world.runs(node) && pending.recovers) script_.push_back(node_action(Do::restart, node));
      return;
  }
}

void FaultGenes::sent(const World& world, std::uint32_t slot) {
  const Flight& flight = world.pending().flights[slot];
  if (world.pending().left.duplicate == 0 || flight.name.copy() > 0) return;
  for (const Doubled& d : doubled_)
    if (d.sender == flight.name.from() && d.receiver == flight.name.to() &&
        d.from <= world.clock() && world.clock() < d.to) {
      script_.push_back(make_action(Do::duplicate, flight.name, 0, slot));
      return;
    }
}

}  // namespace schism::evolve
