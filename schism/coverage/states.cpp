// `states`: what all nodes look like to the last declared field, without what is in flight. On
// complete protocols every run shows hundreds of new ones, which tells how wide the space is and
// steers nothing; on small ones it is the finest that saturates.
#include "schism/coverage/coverage.hpp"
#include "schism/system/system.hpp"

namespace schism {
namespace {

constexpr std::uint64_t kDown = 0x8f3d1c2b5a697e01ULL;

class States final : public Coverage {
 public:
  struct Options {};
  explicit States(const Options&) {}

  EventMask wakes_on() const override { return kNodeSteps; }

  void take(const World& world, std::span<const Event> events) override {
    if (world.settles()) return look_at_all(world);
    for (const Event& event : events)
      if (mask_of(event.kind) & kNodeSteps) update(world, event.node);
    see(state_.sum);
  }

  std::optional<std::uint64_t> mark() override { return marks_.mark(keys_, state_); }
  void back(std::uint64_t mark) override { marks_.back(mark, keys_, state_); }

 private:
  struct State {
    std::vector<std::uint64_t> nodes;
    std::uint64_t sum = 0;
  };

  void start(const World& world) override {
    marks_.clear();
    state_ = {};
    state_.nodes.resize(static_cast<std::size_t>(world.setup().places()));
    look_at_all(world);
  }
  void look_at_all(const World& world) {
    for (std::size_t i = 0; i < state_.nodes.size(); ++i) update(world, i);
    see(state_.sum);
  }
  void update(const World& world, std::size_t i) {
    const auto id = static_cast<NodeId>(i);
    const void* const node = world.node(id);
    std::uint64_t own = kDown;
    if (node) {
      const Hash128 hash = world.node_type(id).hash(node);
      own = hash.lo ^ rotate_left(hash.hi, 32);
    }
    own = mix64(own + i * 0x9e3779b97f4a7c15ULL);
    state_.sum += own - state_.nodes[i];
    state_.nodes[i] = own;
  }

  State state_;
  Marks<State> marks_;
};

const Registration registered =
    coverage<States>("states", "what all nodes look like, to the last field");

}  // namespace
}  // namespace schism
