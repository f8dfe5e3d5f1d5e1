// What must hold in every state.
//
//   .oracle(invariant<Server>("one vote a term", [](const Server& s) { return s.votes <= 1; }))
//   .oracle(world_invariant("one leader", [](const World& w) { ... return std::string(); }))
#pragma once

#include <algorithm>
#include <functional>

#include "schism/base/yes_no.hpp"
#include "schism/node/host.hpp"
#include "schism/oracle/oracle.hpp"

namespace schism {

// Of one node's state: what a node goes through is the same in every order of independent steps.
template <class T>
class NodeInvariant final : public Oracle {
 public:
  using Holds = YesNo<const T&>;
  NodeInvariant(std::string name, Holds holds) : name_(std::move(name)), holds_(std::move(holds)) {}

  std::string_view name() const override { return name_; }
  EventMask wakes_on() const override { return kNodeActed; }
  std::string blind_to(std::span<const NodeClass* const> classes) const override {
    const auto is_mine = [](const NodeClass* c) { return c->state == &type_info<T>(); };
    if (std::any_of(classes.begin(), classes.end(), is_mine)) return {};
    return fmt::format("no node is of the class {}", type_info<T>().name);
  }
  void begin(const World&) override { absolve(); }
  void look(const World& world, std::span<const Event> events) override {
    for (const Event& event : events) {
      if (!(mask_of(event.kind) & kNodeActed)) continue;
      const T* node = world.as<T>(event.node);
      if (!node || holds_(*node)) continue;
      violate(world,
              fmt::format("it does not hold at node {}: {}", event.node,
                          print(world.inspect(event.node))),
              {{world.step(), "acted"}});
    }
  }
  std::optional<Hash128> digest() const override { return Hash128{}; }
  std::optional<Hash128> renamed_digest(const Renaming&) const override { return digest(); }

 private:
  std::string name_;
  Holds holds_;
};

// Of several nodes at once: which global states occur depends on the order of independent steps, so
// every step of a node is an event of this observer.
class WorldInvariant final : public Oracle {
 public:
  // An empty text: it holds. Else what is wrong, in a sentence.
  using Judge = std::function<std::string(const World&)>;
  WorldInvariant(std::string name, Judge judge)
      : name_(std::move(name)), judge_(std::move(judge)) {}

  std::string_view name() const override { return name_; }
  EventMask wakes_on() const override { return kNodeActed; }
  std::optional<Observer> observes() const override { return Observer{kNodeActed, {}}; }
  void begin(const World&) override { absolve(); }
  void look(const World& world, std::span<const Event>) override {
    std::string problem = judge_(world);
    if (!problem.empty()) violate(world, std::move(problem), {{world.step(), "acted"}});
  }
  std::optional<Hash128> digest() const override { return Hash128{}; }
  std::optional<Hash128> renamed_digest(const Renaming&) const override { return digest(); }

 private:
  std::string name_;
  Judge judge_;
};

template <class T>
NodeInvariant<T> invariant(std::string name, YesNo<const T&> holds) {
  return {std::move(name), std::move(holds)};
}
inline WorldInvariant world_invariant(std::string name, WorldInvariant::Judge judge) {
  return {std::move(name), std::move(judge)};
}

}  // namespace schism
