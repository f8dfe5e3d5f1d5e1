// Plays outlines. Moves whose event does not exist or is not enabled are skipped, nothing else is
// delivered, and where the property is judged on a fair tail, that follows.
//
//   Stage stage;
//   Performance p = stage.perform(without_node(outline, 2));
//   if (p.violation) ...          // p.outline: what was applied, with the names of this run
#pragma once

#include <memory>
#include <optional>

#include "schism/shrink/outline.hpp"

namespace schism {

struct Performance {
  Outline outline;  // the moves that applied, up to the violation
  std::optional<Violation> violation;
  std::size_t applied = 0;                   // moves
  std::optional<std::size_t> first_skipped;  // place of the first move that did not apply
  bool all_applied = false;
};

// Which message a delivery means when the one it was is not sent any more: none, or the newest one
// of the same type on the same way.
enum class Messages : std::uint8_t { own, any };

class Stage {
 public:
  Stage();
  ~Stage();
  Performance perform(const Outline& outline, Messages messages = Messages::own);
  // The same run with its events, as a trace of its own.
  Trace record(const Outline& outline, Messages messages = Messages::own);
  // The same with links that keep order: what a delivery overtakes is lost before it. Whether that
  // violates anything is to be seen; nothing: not even the given one does.
  std::optional<Outline> in_order(const Outline& outline);
  std::uint64_t performed() const { return performed_; }
  // Whether the last run could judge that property; false also where there is none of that name.
  bool judged(std::string_view property) const;
  // Of runs without a violation nothing but that is asked: dangerous ones are played half as often.
  void only_violations() { only_violations_ = true; }

 private:
  class Prompter;  // the scheduler that whispers the next move
  Runner& runner_for(const RunConfig& config);

  std::unique_ptr<Prompter> prompter_;
  std::unique_ptr<Runner> runner_;
  Setup setup_;  // of the runner
  std::uint64_t performed_ = 0;
  bool only_violations_ = false;
};

// What clients ask for in a run: its own list, or the system's workload.
std::vector<ClientRequest> requests_of(const RunConfig& config, const RunPlan& plan);

// A trace as an outline; its first actions, names and choices are the recorded ones. An error if
// the trace does not violate its property any more.
Result<Outline> outline_of(const Trace& trace);

// What makes two violations the same: property, and the kinds of its evidence with their roles.
std::string signature(const Violation& violation, const Outline& outline);

}  // namespace schism
