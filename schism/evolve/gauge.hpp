// A number of a run that evolution climbs, or describes runs by: a watcher that counts. It sees the
// run up to its fair tail, which is the same whoever played before it.
//
//   class Disputes final : public Gauge { ... double value() const override { return count_; } };
//   static const Registration r = gauge<Disputes>("xrpl-disputes", "disputed transactions");
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "schism/base/registry.hpp"
#include "schism/world/watcher.hpp"

namespace schism::evolve {

class Gauge : public Watcher {
 public:
  // Whether it can see anything in runs of that set-up; one sentence if not.
  virtual Status check(const Setup&) const { return {}; }
  // Of the run so far.
  virtual double value() const = 0;

  std::string_view name() const final { return "a gauge"; }
  void begin(const World& world) final { start(world); }
  void look(const World& world, std::span<const Event> events) final {
    if (!world.calm()) take(world, events);
  }

 protected:
  virtual void start(const World& world) = 0;
  virtual void take(const World&, std::span<const Event>) {}
};

Table<Gauge>& gauges();

template <class G>
StrategyBuilder<Gauge, G> gauge(std::string name, std::string description) {
  return {gauges(), std::move(name), std::move(description)};
}

// What a scheduler reports of a run: its gauges, and what kind of run it was (for rarity).
struct Report {
  std::vector<double> values;
  std::uint64_t behaviour = 0;
  FIELDS(values, behaviour)
};

// Several gauges as one watcher. Also sums up the run's behaviour: how many announcements of each
// type there were, and how many deliveries, each to a power of two.
class Gauges final : public Watcher {
 public:
  // "time/steps": each a known word. What is wrong with them is said by check().
  explicit Gauges(std::string_view words);

  Status check(const Setup& setup) const;
  Report report() const;

  std::string_view name() const override { return "gauges"; }
  EventMask wakes_on() const override { return mask_; }
  void begin(const World& world) override;
  void look(const World& world, std::span<const Event> events) override;
  void finish(const World& world, const Ending& ending) override;

 private:
  std::vector<std::unique_ptr<Gauge>> gauges_;
  std::vector<EventMask> wants_;
  std::string wrong_;
  EventMask mask_ = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> counts_;  // announcements by type's hash
  std::uint64_t deliveries_ = 0;
};

std::vector<std::string> gauge_words(std::string_view text);

}  // namespace schism::evolve
