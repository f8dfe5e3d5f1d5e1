// Everybody who judges a run: the oracles of its system, and those that every system has (its own
// assertions; that the process survives). Whoever plays runs, by a scheduler, by hand or in all
// orders, asks this one jury, so that nobody can forget an oracle.
//
//   Jury jury(setup);
//   world.listen(jury.wakes_on());
//   world.observe(jury.observers());
//   jury.begin(world);                       // after each reset
//   while (jury.look(world)) world.apply(...);
//   jury.finish(world, fair);
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "schism/oracle/oracle.hpp"

namespace schism {

class Jury {
 public:
  explicit Jury(const Setup& setup);

  EventMask wakes_on() const { return any_; }
  std::vector<Observer> observers() const;  // those who look at the order of events
  bool wants_fair_tail() const { return wants_tail_; }

  void begin(const World& world);
  // After a step. False: a property is violated.
  bool look(const World& world);
  // The run is over; `fair`: served to its end, so that `eventually` can be judged.
  bool finish(const World& world, bool fair);
  // Nothing in the rest of a fair tail can change a verdict of those who wanted it.
  bool satisfied() const;
  // Were this the fair end, they would have nothing to object to.
  bool holds_now(const World& world) const;

  const std::optional<Violation>& violation() const { return violation_; }
  std::uint32_t violated_by() const { return violated_by_; }  // which oracle
  // Of this run, a bit an oracle: those that it put to the test, of `sometimes` those that came
  // true; those that could judge.
  std::uint64_t met() const;
  std::uint64_t judged() const;
  // Violations of this run that nobody wants to hear of, a bit an oracle.
  std::uint64_t muted() const { return muted_; }
  // What the future verdict depends on; nothing: an oracle cannot say.
  std::optional<Hash128> digest() const;
  std::optional<Hash128> renamed_digest(const Renaming& renaming) const;

  const std::vector<std::unique_ptr<Oracle>>& oracles() const { return oracles_; }
  // Those that no run of a set put to the test, given all that its runs met: `sometimes` that never
  // came true, and those to which nothing happened that they could object to.
  struct Untried {
    std::vector<std::string> vacuous, untested;
  };
  Untried untried(std::uint64_t met) const;
  // Why an oracle could never object, whatever happens, as a sentence; empty: all could.
  std::string blind(const System& system) const;
  // Nobody judges any more: for whoever only counts runs.
  void dismiss();

 private:
  bool verdict_of(std::size_t oracle);  // true: it is muted

  std::vector<std::unique_ptr<Oracle>> oracles_;
  std::vector<EventMask> wakes_;
  EventMask any_ = 0;
  bool wants_tail_ = false;
  std::vector<std::string> mute_;
  std::uint64_t muted_ = 0;
  std::optional<Violation> violation_;
  std::uint32_t violated_by_ = 0;
};

// The events of the last step as judges see them, where a liar is two: both copies are that liar.
std::vector<Event> with_one_of_each(const World& world);

inline bool Jury::look(const World& world) {
  const EventMask happened = world.step_mask();
  if (!(happened & any_)) return true;
  std::vector<Event> seen;
  const bool twins = world.setup().places() > world.setup().nodes;
  if (twins) seen = with_one_of_each(world);
  const std::span<const Event> events = twins ? std::span<const Event>(seen) : world.events();
  for (std::size_t i = 0; i < oracles_.size(); ++i) {
    if (!(happened & wakes_[i])) continue;
    oracles_[i]->look(world, events);
    if (oracles_[i]->violation() && !verdict_of(i)) return false;
  }
  return true;
}

// Whether a violation is one of those that are only counted (Setup::mute).
bool is_muted(const std::vector<std::string>& mute, std::string_view property,
              std::string_view message);

}  // namespace schism
