// In which stage of a plan a message is. A plan has a few stages, each so many steps of the
// protocol long; a step is a view, a place in one (view and number), or a verb of a place, as the
// system declares them (SystemBuilder::order), counted as they are reached. What has no place of
// its own is where its sender is. Without an order a step is so many messages.
#pragma once

#include <map>
#include <vector>

#include "schism/base/enum.hpp"
#include "schism/system/system.hpp"
#include "schism/world/world.hpp"

namespace schism::byzantine {

SCHISM_ENUM(Stride, view, place, verb);

class Stages {
 public:
  // `ends`: the step with which each stage but the last is over.
  void begin(const Setup& setup, Stride stride, std::vector<std::size_t> ends);
  // A message was sent: its stage.
  std::size_t of(const Flight& flight);
  // It is delivered: its receiver is as far as its sender was.
  void heard(Name name);

 private:
  std::size_t step_of(const OrderKey& key);
  void pass(NodeId who, std::size_t step);

  const System* system_ = nullptr;
  Stride stride_ = Stride::place;
  std::vector<std::size_t> ends_;
  std::vector<OrderKey> reached_;              // in this order
  std::vector<std::size_t> at_;                // of each place where handlers run: its step
  std::map<std::uint64_t, std::size_t> told_;  // the steps of messages in flight
  std::size_t said_ = 0;
};

}  // namespace schism::byzantine
