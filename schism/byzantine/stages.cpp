#include "schism/byzantine/stages.hpp"

#include <algorithm>
#include <limits>

namespace schism::byzantine {
namespace {

constexpr std::int64_t kNoView = std::numeric_limits<std::int64_t>::min();
constexpr std::size_t kMessages = 20;  // in a step, where nobody declares an order

}  // namespace

void Stages::begin(const Setup& setup, Stride stride, std::vector<std::size_t> ends) {
  system_ = setup.system;
  stride_ = stride;
  ends_ = std::move(ends);
  reached_.clear();
  told_.clear();
  at_.assign(static_cast<std::size_t>(setup.places()), 0);
  said_ = 0;
}

std::size_t Stages::of(const Flight& flight) {
  ++said_;
  std::size_t step = said_ / kMessages;
  if (system_->order_of) {
    const auto key = system_->order_of(*flight.body->type, flight.body->content());
    if (key) {
      step = step_of(*key);
      pass(flight.name.from(), step);
      told_[flight.name.bits()] = step;
    } else if (stride_ == Stride::verb) {
      step = step_of({kNoView, 0, flight.name.type()});
    } else {
      step = at_[static_cast<std::size_t>(flight.name.from())];
    }
  }
  std::size_t stage = 0;
  while (stage < ends_.size() && step >= ends_[stage]) ++stage;
  return stage;
}

void Stages::heard(Name name) {
  const auto told = told_.find(name.bits());
  if (told == told_.end()) return;
  pass(name.to(), told->second);
  told_.erase(told);
}

// Numbered as they are reached, so that a number far away is the next.
std::size_t Stages::step_of(const OrderKey& key) {
  const auto same = [&](const OrderKey& other) {
    return other.view == key.view && (stride_ == Stride::view || other.number == key.number) &&
           (stride_ != Stride::verb || other.verb == key.verb);
  };
  const auto known = std::find_if(reached_.begin(), reached_.end(), same);
  const auto step = static_cast<std::size_t>(known - reached_.begin());
  if (known == reached_.end()) reached_.push_back(key);
  return step;
}

void Stages::pass(NodeId who, std::size_t step) {
  std::size_t& at = at_[static_cast<std::size_t>(who)];
  at = std::max(at, step);
}

}  // namespace schism::byzantine
