// How far a run comes along a scenario's script, whoever plays it: how many of its steps have
// happened, line by line, with anything in between. Roles are cast as is best for the script: it is
// the most under any casting, also where a `let` ties a role to a number.
//
// Steps are what nodes do: a message, timer or request that they handle, a crash, a restart. What
// else a script has (losses, cut links, disks, lies) is not waited for: it says what must not
// happen by itself.
#pragma once

#include <optional>

#include "schism/scenario/program.hpp"
#include "schism/world/watcher.hpp"

namespace schism::scenario {

class Progress final : public Watcher {
 public:
  explicit Progress(Scenario scenario);

  // Steps that are waited for.
  std::size_t steps() const { return steps_; }
  // One sentence if its words mean nothing there. begin() does the same, and where that fails no
  // step ever happens.
  Status bind(const Setup& setup);
  // Steps that have happened in the run so far.
  std::size_t told() const { return told_; }

  std::string_view name() const override { return "a script"; }
  EventMask wakes_on() const override { return kHeard; }
  void begin(const World& world) override;
  void look(const World& world, std::span<const Event> events) override;

  static constexpr EventMask kHeard = mask_of(Happened::delivered) |
                                      mask_of(Happened::timer_fired) | mask_of(Happened::invoked) |
                                      mask_of(Happened::crashed) | mask_of(Happened::restarted);

 private:
  struct Casting {
    std::vector<NodeId> nodes;  // a role each
    State state;
    std::size_t line = 0, done = 0;  // steps that are done
    std::vector<std::int64_t> left;  // how often each step of the line is still to happen
  };

  static bool counts(const Cue& cue);
  void cast(int nodes);
  void settle(Casting& casting) const;
  void take(Casting& casting, const World& world, const Moment& m) const;

  Scenario scenario_;
  std::size_t steps_ = 0, told_ = 0;
  std::shared_ptr<const Program> program_;
  const System* system_ = nullptr;  // that it is bound to, and for so many nodes
  int nodes_ = 0;
  std::vector<std::vector<const BoundCue*>> script_;  // what is waited for
  std::vector<int> roles_;                            // variables
  std::vector<Casting> castings_;
};

// The script of a file: of its last scenario that has one. `schism scenario` writes what matters
// after what happened.
Result<Scenario> read_script(const std::string& path);

}  // namespace schism::scenario
