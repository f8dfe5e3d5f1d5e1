// Whether a declared symmetry is one: random runs, and the same runs under other names.
#include "schism/check/symmetry.hpp"
#include "schism/system/system.hpp"
#include "schism/words/operands.hpp"

namespace schism::check {
namespace {

constexpr std::uint32_t kStepsMax = 200;

Action renamed(const Action& a, const Renaming& r) {
  Action out = make_action(a.kind, a.name, a.arg());
  out.free = a.free;
  for (const Operand& operand : operands_of(a.kind)) {
    const auto old = static_cast<int>(get(a, operand.part));
    if (operand.means == Means::node)
      set(out, operand.part, static_cast<std::uint64_t>(r.node(old)));
    if (operand.means == Means::client)
      set(out, operand.part, static_cast<std::uint64_t>(r.client(old)));
  }
  return out;
}

std::vector<std::uint32_t> enabled(const WorldModel& model) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < model.pends().size(); ++i)
    if (model.pends()[i].enabled()) out.push_back(i);
  return out;
}

// A run and its image, step by step.
class Twins {
 public:
  Twins(const Setup& setup, const Bounds& bounds, const Renaming& renaming)
      : renaming_(renaming), left_(setup, bounds, false), right_(setup, bounds, false) {}

  std::string play(Rng& rng) {
    left_.rewind(0);
    right_.rewind(0);
    for (;;) {
      if (auto what = difference(); !what.empty()) return what;
      const auto able = enabled(left_);
      if (able.empty() || left_.depth() == kStepsMax) break;
      const std::uint32_t index = able[rng.below(able.size())];
      const Action image = renamed(left_.action(index), renaming_);
      std::uint32_t twin = kNever;
      for (const std::uint32_t i : enabled(right_))
        if (right_.action(i) == image) twin = i;
      if (twin == kNever) return "one of them cannot do what the other does";
      left_.answer_by([&](std::uint32_t n) { return static_cast<std::uint32_t>(rng.below(n)); });
      const bool a = left_.execute(index);
      const bool b = right_.execute(twin, left_.pends()[index].choices);
      if (a != b) return "only one of them violates a property";
      if (left_.world().drawn() > 0) return "nodes draw random numbers, each its own";
      if (!a) return {};
    }
    const bool whole = enabled(left_).empty();
    if (left_.finish(whole) != right_.finish(whole)) return "only one of them violates a property";
    return {};
  }
  const std::string& problem() const { return left_.problem(); }

 private:
  std::string difference() {
    if (enabled(left_).size() != enabled(right_).size())
      return "one of them has more to do than the other";
    const auto a = left_.renamed_digest(renaming_), b = right_.renamed_digest({});
    if (!a || !b) return {};
    if (*a == *b) return {};
    const int nodes = static_cast<int>(renaming_.nodes.size());
    for (NodeId id = 0; id < nodes; ++id) {
      const World &l = left_.world(), &r = right_.world();
      const NodeId other = renaming_.node(id);
      if (!l.up(id) || !r.up(other)) continue;
      if (l.node_type(id).renamed(l.node(id), renaming_) ==
          r.node_type(other).renamed(r.node(other), {}))
        continue;
      return fmt::format("node {} is in state {}, and its image, node {}, in state {}", id,
                         print(l.inspect(id)), other, print(r.inspect(other)));
    }
    return "what is in flight, on disks or seen by oracles differs";
  }

  Renaming renaming_;
  WorldModel left_, right_;
};

}  // namespace

Status test_symmetry(const Setup& setup, const Bounds& bounds, std::uint32_t runs,
                     std::uint64_t seed) {
  const auto symmetry = Symmetry::of(setup, bounds);
  if (!symmetry) return tl::unexpected(symmetry.error());
  if (!symmetry->any()) return {};
  {
    WorldModel model(setup, bounds, false);
    model.rewind(0);
    for (const auto& oracle : model.jury().oracles())
      if (!oracle->renamed_digest({}))
        return error("\"{}\" of {} looks at the numbers of nodes: no symmetry", oracle->name(),
                     setup.system->name);
  }
  Rng rng(seed);
  for (std::uint32_t run = 0; run < runs; ++run) {
    Twins twins(setup, bounds, symmetry->random(rng));
    const std::string what = twins.play(rng);
    if (!what.empty())
      return error(
          "{} declares nodes interchangeable that are not: in a run and the same run under other "
          "names, {}",
          setup.system->name, what);
    if (!twins.problem().empty()) return {};  // the search will say so
  }
  return {};
}

}  // namespace schism::check
