// What must come true in the end, and what should come true now and then.
#pragma once

#include "schism/base/yes_no.hpp"
#include "schism/oracle/oracle.hpp"

namespace schism {

// Holds at the end of every fair run. Runs without a fair end are not judged.
class Eventually final : public Oracle {
 public:
  using Holds = YesNo<const World&>;
  Eventually(std::string name, Holds holds) : name_(std::move(name)), holds_(std::move(holds)) {}

  std::string_view name() const override { return name_; }
  EventMask wakes_on() const override { return 0; }
  bool wants_fair_tail() const override { return true; }
  bool judged() const override { return judged_; }
  void begin(const World&) override {
    absolve();
    judged_ = false;
  }
  void look(const World&, std::span<const Event>) override {}
  void finish(const World& world, const Ending& ending) override {
    judged_ = ending.fair;
    if (judged_ && !holds_(world)) violate(world, "it did not come true, though the end was fair");
  }
  bool holds_now(const World& world) const override { return holds_(world); }
  std::optional<Hash128> digest() const override { return Hash128{}; }
  std::optional<Hash128> renamed_digest(const Renaming&) const override { return digest(); }

 private:
  std::string name_;
  Holds holds_;
  bool judged_ = false;
};

// Guards against vacuous success: over a whole hunt, some run must show it. Events are looked at
// one by one, so it is a function of the class.
class Sometimes final : public Oracle {
 public:
  using Shows = YesNo<const Event&>;
  Sometimes(std::string name, EventMask mask, Shows shows)
      : name_(std::move(name)), mask_(mask), shows_(std::move(shows)) {}

  std::string_view name() const override { return name_; }
  EventMask wakes_on() const override { return mask_; }
  std::optional<bool> met() const override { return met_; }
  void begin(const World&) override { met_ = false; }
  void look(const World&, std::span<const Event> events) override {
    for (const Event& event : events) met_ = met_ || shows_(event);
  }
  std::optional<Hash128> digest() const override { return Hash128{met_ ? 1U : 0U, 0}; }
  std::optional<Hash128> renamed_digest(const Renaming&) const override { return digest(); }

 private:
  std::string name_;
  EventMask mask_;
  Shows shows_;
  bool met_ = false;
};

inline Eventually eventually(std::string name, Eventually::Holds holds) {
  return {std::move(name), std::move(holds)};
}
// Some announcement of that type with that property.
template <class A>
Sometimes sometimes(std::string name, YesNo<const A&> shows) {
  return {std::move(name), announcements_of<A>(), [shows = std::move(shows)](const Event& event) {
            const A* a = event.as<A>();
            return a && event.kind == Happened::announced && shows(*a);
          }};
}

}  // namespace schism
