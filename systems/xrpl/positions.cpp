#include "systems/xrpl/positions.hpp"

namespace schism::xrpl {

void Positions::begin(int nodes) {
  held_.assign(static_cast<std::size_t>(nodes), {});
  recent_.assign(static_cast<std::size_t>(nodes), {});
}

void Positions::remember(const Signed<Proposal>& proposal, NetTime now) {
  auto& list = recent_[at(proposal->node)];
  if (list.size() >= kRecentPositions) list.erase(list.begin());
  list.push_back({proposal, now});
}

void Positions::hold(const Signed<Proposal>& proposal, NetTime now) {
  held_[at(proposal->node)] = {proposal, now};
  who_ |= bit_of(proposal->node);
}

void Positions::clear() {
  who_ = dead_ = 0;
  ++epoch_;
}

int Positions::agreeing(SetId set) const {
  int n = 0;
  for (Members left = who_; left != 0; left &= left - 1)
    n += held_[static_cast<std::size_t>(std::countr_zero(left))].proposal->set == set;
  return n;
}

std::vector<Position> Positions::visible() const {
  std::vector<Position> out;
  for (Members left = who_; left != 0; left &= left - 1)
    out.push_back(held_[static_cast<std::size_t>(std::countr_zero(left))]);
  return out;
}

}  // namespace schism::xrpl
