// `events`: which kind of event follows which at a node, and in what role the node is then. A
// delivery is of a kind by its type, a timer by its class; who sent it does not matter.
#include "schism/coverage/coverage.hpp"
#include "schism/coverage/painter.hpp"

namespace schism {
namespace {

class Events final : public Coverage {
 public:
  struct Options {};
  explicit Events(const Options&) {}

  EventMask wakes_on() const override { return kNodeSteps; }

  void take(const World& world, std::span<const Event> events) override {
    for (const Event& event : events)
      if (mask_of(event.kind) & kNodeSteps) follow(world, event);
  }

  std::optional<std::uint64_t> mark() override { return marks_.mark(keys_, last_); }
  void back(std::uint64_t mark) override { marks_.back(mark, keys_, last_); }

 private:
  void start(const World& world) override {
    marks_.clear();
    painter_.begin(world.setup());
    last_.assign(static_cast<std::size_t>(world.setup().places()), 0);
  }

  void follow(const World& world, const Event& event) {
    const auto id = static_cast<NodeId>(event.node);
    const std::uint64_t role = painter_.paint(world, id).role();
    const std::uint64_t now = kind_of(event);
    std::uint64_t& before = last_[event.node];
    see(mix64(mix64(mix64(world.node_type(id).name_hash ^ before) + now) + role));
    before = now;
  }

  static std::uint64_t kind_of(const Event& event) {
    std::uint64_t kind = static_cast<std::uint64_t>(event.kind) << 1 | (event.flag ? 1 : 0);
    if (event.type) kind ^= event.type->name_hash;
    else if (event.kind == Happened::timer_fired || event.kind == Happened::disk_completed)
      kind |= std::uint64_t{event.detail} << 16;
    return mix64(kind);
  }

  Painter painter_;
  std::vector<std::uint64_t> last_;  // by node
  Marks<std::vector<std::uint64_t>> marks_;
};

const Registration registered = coverage<Events>(
    "events", "which kinds of event follow each other at a node, and in which role it is then");

}  // namespace
}  // namespace schism
