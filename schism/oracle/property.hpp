// A property as a state machine over events: where it is when the run ends, or once it enters a
// failing state, is the verdict.
//
//   Property p("no commit before a leader");
//   p.on("start", announced<Elected>(), "led").on("start", announced<Commit>(), p.failing);
//
// The order of the events that it names is what it looks at, so they depend on each other.
#pragma once

#include <string>
#include <vector>

#include "schism/base/yes_no.hpp"
#include "schism/oracle/oracle.hpp"

namespace schism {

// Which events: a mask for the quick test, types to be exact, and a predicate.
struct Condition {
  EventMask mask = 0;
  const TypeInfo* type = nullptr;  // null: any
  YesNo<const World&, const Event&> holds;

  bool operator()(const World& world, const Event& event) const {
    EventMask bits = mask_of(event.kind);
    if (type && event.type != type) return false;
    if (event.type && (event.kind == Happened::announced || event.kind == Happened::answered))
      bits |= mask_of_type(*event.type);
    return (bits & mask) && (!holds || holds(world, event));
  }
};

template <class A>
Condition announced(YesNo<const A&> where = nullptr) {
  return {announcements_of<A>(), &type_info<A>(),
          [where = std::move(where)](const World&, const Event& e) {
            return e.kind == Happened::announced && (!where || where(*e.as<A>()));
          }};
}
template <class M>
Condition received(YesNo<const M&> where = nullptr) {
  return {mask_of(Happened::delivered), &type_info<M>(),
          [where = std::move(where)](const World&, const Event& e) {
            return !where || where(*e.as<M>());
          }};
}
template <class M>
Condition was_sent(YesNo<const M&> where = nullptr) {
  return {mask_of(Happened::sent), &type_info<M>(),
          [where = std::move(where)](const World&, const Event& e) {
            return !where || where(*e.as<M>());
          }};
}
inline Condition happened(Happened kind) { return {mask_of(kind), nullptr, nullptr}; }

class Property final : public Oracle {
 public:
  static constexpr std::string_view failing = "failing";

  // It begins in state "start". With `goal` set, a fair end in any other state is a violation.
  explicit Property(std::string name, std::string goal = {})
      : name_(std::move(name)), goal_(std::move(goal)) {}

  // In that state, after that event, go there. The first that fits counts.
  Property& on(std::string from, Condition condition, std::string_view to);

  std::string_view name() const override { return name_; }
  EventMask wakes_on() const override { return mask_; }
  std::optional<Observer> observes() const override;
  std::string blind_to(std::span<const NodeClass* const> classes) const override;
  bool wants_fair_tail() const override { return !goal_.empty(); }
  bool judged() const override { return goal_.empty() || judged_; }
  void begin(const World& world) override;
  void look(const World& world, std::span<const Event> events) override;
  void finish(const World& world, const Ending& ending) override;
  bool holds_now(const World&) const override { return state() == goal_; }
  std::optional<Hash128> digest() const override { return seeded(states_[state_]); }
  std::optional<Hash128> renamed_digest(const Renaming&) const override { return digest(); }

  const std::string& state() const { return states_[state_]; }

 private:
  struct Transition {
    std::size_t from;
    Condition condition;
    std::size_t to;
  };
  std::size_t number_of(std::string_view state);
  std::vector<bool> reachable() const;  // by state

  std::string name_, goal_;
  std::vector<std::string> states_ = {"start", std::string(failing)};
  std::vector<Transition> transitions_;
  EventMask mask_ = 0;
  std::size_t state_ = 0;
  std::vector<Evidence> path_;
  bool judged_ = false;
};

}  // namespace schism
