// Looks on at a run and never acts. An oracle is one that judges, a coverage one that counts, and
// anybody may attach one of his own from a test or a program:
//
//   const auto crashes = watch(mask_of(Happened::crashed), [&](const World&, auto) { ++count; });
//   runner.attach(*crashes);
//
// Such a lambda sees the runs of its own process only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "schism/world/world.hpp"

namespace schism {

// How a run ended, for those who look at whole runs.
struct Ending {
  bool fair = false;  // served fairly to its end, faults healed: `eventually` can be judged
};

class Watcher {
 public:
  virtual ~Watcher() = default;

  virtual std::string_view name() const = 0;
  // Events after which look() is called. kEveryEvent: after every step, also one without events.
  virtual EventMask wakes_on() const = 0;
  virtual void begin(const World& world) = 0;
  virtual void look(const World& world, std::span<const Event> events) = 0;
  virtual void finish(const World& world, const Ending& ending);

  // Where the run is now, to come back to; nothing: it cannot, and the run is played again for it.
  virtual std::optional<std::uint64_t> mark() { return std::nullopt; }
  virtual void back(std::uint64_t /*mark*/) {}
};

inline void Watcher::finish(const World&, const Ending&) {}

// A lambda that looks.
class Looker final : public Watcher {
 public:
  using Look = std::function<void(const World&, std::span<const Event>)>;
  Looker(EventMask wakes_on, Look look) : wakes_on_(wakes_on), look_(std::move(look)) {}

  std::string_view name() const override { return "a watcher"; }
  EventMask wakes_on() const override { return wakes_on_; }
  void begin(const World&) override {}
  void look(const World& world, std::span<const Event> events) override { look_(world, events); }

 private:
  EventMask wakes_on_;
  Look look_;
};

inline std::unique_ptr<Watcher> watch(EventMask wakes_on, Looker::Look look) {
  return std::make_unique<Looker>(wakes_on, std::move(look));
}

}  // namespace schism
