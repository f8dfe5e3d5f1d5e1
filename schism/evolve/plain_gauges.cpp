// Gauges of every system: how long a run was, by the clock, in steps and in messages, and how much
// waited.
#include <algorithm>

#include "schism/evolve/gauge.hpp"

namespace schism::evolve {
namespace {

class Time final : public Gauge {
 public:
  struct Options {};
  explicit Time(const Options&) {}
  // Sometimes the last step has no event: any step will do.
  EventMask wakes_on() const override { return kEveryEvent; }
  Status check(const Setup& setup) const override {
    if (setup.options.time == TimeUse::untimed)
      return error("the gauge time wants a clock, and these runs are untimed: steps is another");
    return {};
  }
  void start(const World& world) override { value_ = world.clock(); }
  void take(const World& world, std::span<const Event>) override { value_ = world.clock(); }
  double value() const override { return static_cast<double>(value_) * 1e-6; }

 private:
  Micros value_ = 0;
};

class Steps final : public Gauge {
 public:
  struct Options {};
  explicit Steps(const Options&) {}
  EventMask wakes_on() const override { return kEveryEvent; }
  void start(const World&) override { value_ = 0; }
  void take(const World& world, std::span<const Event>) override { value_ = world.step(); }
  double value() const override { return value_; }

 private:
  std::uint32_t value_ = 0;
};

class Deliveries final : public Gauge {
 public:
  struct Options {};
  explicit Deliveries(const Options&) {}
  EventMask wakes_on() const override { return mask_of(Happened::delivered); }
  void start(const World&) override { value_ = 0; }
  void take(const World& world, std::span<const Event>) override { value_ = world.deliveries(); }
  double value() const override { return value_; }

 private:
  std::uint32_t value_ = 0;
};

class Announcements final : public Gauge {
 public:
  struct Options {};
  explicit Announcements(const Options&) {}
  EventMask wakes_on() const override { return mask_of(Happened::announced); }
  void start(const World&) override { value_ = 0; }
  void take(const World&, std::span<const Event> events) override {
    for (const Event& event : events) value_ += event.kind == Happened::announced ? 1 : 0;
  }
  double value() const override { return static_cast<double>(value_); }

 private:
  std::uint64_t value_ = 0;
};

class Backlog final : public Gauge {
 public:
  struct Options {};
  explicit Backlog(const Options&) {}
  EventMask wakes_on() const override { return mask_of(Happened::delivered); }
  void start(const World&) override { value_ = 0; }
  void take(const World& world, std::span<const Event>) override {
    value_ = std::max(value_, world.pending().deliverable.size());
  }
  double value() const override { return value_; }

 private:
  std::uint32_t value_ = 0;
};

const Registration time_registered =
    gauge<Time>("time", "how long the run was, in simulated seconds (DiscoTest)");
const Registration steps_registered = gauge<Steps>("steps", "how many steps it had");
const Registration deliveries_registered =
    gauge<Deliveries>("deliveries", "how many messages were delivered");
const Registration announcements_registered =
    gauge<Announcements>("announcements", "how much nodes announced");
const Registration backlog_registered =
    gauge<Backlog>("backlog", "how many messages could be delivered at once, at most");

}  // namespace
}  // namespace schism::evolve
