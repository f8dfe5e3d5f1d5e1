// A judge of runs. It looks at the events of a step and at nodes, remembers what it must, and never
// acts. It says which events wake it, and whether it depends on their order.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "schism/world/watcher.hpp"

namespace schism {

struct NodeClass;

struct Evidence {
  std::uint32_t step = 0;
  std::string role;  // what part this step plays: "decided 1"
  FIELDS(step, role)
};

struct Violation {
  std::string property;
  std::string message;  // one sentence
  std::uint32_t step = 0;
  std::vector<Evidence> evidence;
  FIELDS(property, message, step, evidence)
};

class Oracle : public Watcher {
 public:
  // Nothing, where the verdict is a function of the run's class (sets of decisions, states of
  // nodes, terminal states). Else the events whose order it looks at: they depend on each other.
  virtual std::optional<Observer> observes() const { return std::nullopt; }
  virtual bool wants_fair_tail() const { return false; }
  // Nothing in the rest of the fair tail can change its verdict; when all say so the run ends, so
  // that a tail may be long without cost.
  virtual bool satisfied() const { return false; }
  // Were this the fair end, nothing would be violated. Asked when a fair tail makes no progress any
  // more; false where it is not known, and the tail goes on for a while.
  virtual bool holds_now(const World&) const { return false; }

  // Everything its future verdict depends on; nothing: it cannot say.
  virtual std::optional<Hash128> digest() const { return std::nullopt; }
  // The same with nodes called otherwise; nothing: it cannot say, or it looks at their numbers.
  virtual std::optional<Hash128> renamed_digest(const Renaming&) const { return std::nullopt; }

  // `sometimes`: whether this run showed it; nothing for all other oracles.
  virtual std::optional<bool> met() const { return std::nullopt; }
  // False where the run could not be judged (no fair end).
  virtual bool judged() const { return true; }
  // False where nothing happened in this run that it could object to (nobody decided): a hunt of
  // such runs alone is no evidence.
  virtual bool tested() const { return true; }
  // Why it could never object to nodes of these classes, whatever they do, as the rest of a
  // sentence (no node is of its class); empty: it could. A system with such an oracle is refused.
  virtual std::string blind_to(std::span<const NodeClass* const> /*classes*/) const { return {}; }

  const std::optional<Violation>& violation() const { return violation_; }

 protected:
  void violate(const World& world, std::string message, std::vector<Evidence> evidence = {}) {
    if (!violation_)
      violation_ =
          Violation{std::string(name()), std::move(message), world.step(), std::move(evidence)};
  }
  void absolve() { violation_.reset(); }

 private:
  std::optional<Violation> violation_;
};

// Steps in which a node's state can have changed.
inline constexpr EventMask kNodeActed =
    mask_of(Happened::started) | mask_of(Happened::delivered) | mask_of(Happened::timer_fired) |
    mask_of(Happened::disk_completed) | mask_of(Happened::invoked) | mask_of(Happened::crashed);

}  // namespace schism
