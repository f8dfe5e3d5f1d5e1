// `colours`: the abstract states that a run goes through. A system says what its nodes look like
// from afar (Paint); which node is which does not matter.
#include "schism/coverage/coverage.hpp"
#include "schism/coverage/painter.hpp"

namespace schism {
namespace {

constexpr std::uint64_t kDown = 0x5bd1e9955bd1e995ULL;

class Colours final : public Coverage {
 public:
  struct Options {};
  explicit Colours(const Options&) {}

  EventMask wakes_on() const override { return kNodeSteps; }

  void take(const World& world, std::span<const Event> events) override {
    bool changed = false;
    if (world.settles()) changed = look_at_all(world);
    else
      for (const Event& event : events)
        if (mask_of(event.kind) & kNodeSteps) changed |= update(world, event.node);
    if (changed) see(palette_.colour(state_.paints, state_.types));
  }

  std::optional<std::uint64_t> mark() override { return marks_.mark(keys_, state_); }
  void back(std::uint64_t mark) override { marks_.back(mark, keys_, state_); }

 private:
  struct State {
    std::vector<Paint> paints;         // by node
    std::vector<std::uint64_t> types;  // of its class; or that it is down
  };

  void start(const World& world) override {
    marks_.clear();
    painter_.begin(world.setup());
    const auto nodes = static_cast<std::size_t>(world.setup().places());
    state_.paints.assign(nodes, {});
    state_.types.assign(nodes, 0);
    look_at_all(world);
    see(palette_.colour(state_.paints, state_.types));
  }

  bool look_at_all(const World& world) {
    bool changed = false;
    for (std::size_t i = 0; i < state_.paints.size(); ++i) changed |= update(world, i);
    return changed;
  }

  bool update(const World& world, std::size_t i) {
    const auto id = static_cast<NodeId>(i);
    const std::uint64_t type = world.up(id) ? world.node_type(id).name_hash : kDown;
    const Paint paint = painter_.paint(world, id);
    if (type == state_.types[i] && paint == state_.paints[i]) return false;
    state_.types[i] = type;
    state_.paints[i] = paint;
    return true;
  }

  Painter painter_;
  Palette palette_;
  State state_;
  Marks<State> marks_;
};

const Registration registered =
    coverage<Colours>("colours", "what all nodes look like from afar, as their system declares it");

}  // namespace
}  // namespace schism
