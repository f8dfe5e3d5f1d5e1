#include "schism/model/conformance.hpp"

namespace schism::model {

void Conformance::begin(const World& world) {
  absolve();
  marks_.clear();
  follower_.begin(world);
  judge(world);
}

void Conformance::look(const World& world, std::span<const Event> events) {
  if (violation() || !follower_.deviation().empty()) return;
  follower_.take(world, events);
  judge(world);
}

void Conformance::judge(const World& world) {
  if (follower_.deviation().empty()) return;
  violate(world, follower_.deviation(), {{world.step(), "not in the model"}});
}

std::optional<std::uint64_t> Conformance::mark() {
  marks_.push_back(follower_.states());
  return marks_.size() - 1;
}

void Conformance::back(std::uint64_t mark) {
  follower_.back_to(marks_[mark]);
  marks_.resize(mark + 1);
  absolve();
}

std::optional<Hash128> Conformance::digest() const {
  Hash128 sum;
  for (const StateId s : follower_.states()) sum += scatter(follower_.model().fingerprint(s));
  return sum;
}

}  // namespace schism::model
