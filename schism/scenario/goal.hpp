// A scenario's property as an oracle: a state machine over events. To come to "violation" is one;
// to end in a goal is what the scenario is for, and counted apart (`met`). It sees what every
// oracle sees and nothing of the filters, so that a replay judges the same.
#pragma once

#include "schism/oracle/oracle.hpp"
#include "schism/scenario/program.hpp"

namespace schism::scenario {

class Goal final : public Oracle {
 public:
  explicit Goal(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

  std::string_view name() const override { return program_->source.name; }
  EventMask wakes_on() const override { return machine().listens; }
  std::optional<Observer> observes() const override { return Observer{machine().listens, {}}; }
  bool wants_fair_tail() const override { return !program_->source.run.tail.empty(); }
  void begin(const World& world) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<bool> met() const override;

  const std::string& state() const { return machine().states[static_cast<std::size_t>(at_)]; }
  // How often each state was entered, in all runs.
  const std::vector<std::uint64_t>& visited() const { return visited_; }
  const std::set<int>& unset() const { return state_.unset; }
  const std::set<std::string>& counted() const { return counted_; }

 private:
  const BoundMachine& machine() const { return program_->property; }

  std::shared_ptr<const Program> program_;
  State state_;
  int at_ = 0;
  std::vector<Evidence> path_;
  std::vector<std::uint64_t> visited_;
  std::set<std::string> counted_;
};

}  // namespace schism::scenario
