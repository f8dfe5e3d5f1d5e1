#include "systems/raft/log_tree.hpp"

namespace schism::raft {

void LogTree::clear() {
  items_.assign(1, {Hash128{}, 0, kRoot, kRoot, kUnknown});
  first_.assign(1, kRoot);
}

LogTree::Item LogTree::find(Index index, const Hash128& prefix) const {
  Item item = index < first_.size() ? first_[index] : kUnknown;
  while (item != kUnknown && items_[item].prefix != prefix) item = items_[item].sibling;
  return item;
}

LogTree::Item LogTree::add(Item before, Index index, const Hash128& prefix) {
  if (index >= first_.size()) first_.resize(index + 1 + index / 2, kUnknown);
  Item& first = first_[index];
  const Item jump = items_[before].jump;
  const Item farther = items_[jump].jump;
  const bool twice =
      items_[before].index - items_[jump].index == items_[jump].index - items_[farther].index;
  items_.push_back({prefix, index, before, twice ? farther : before, first});
  first = static_cast<Item>(items_.size() - 1);
  return first;
}

LogTree::Item LogTree::above(Item item, Index index) const {
  while (items_[item].index > index)
    item = items_[items_[item].jump].index >= index ? items_[item].jump : items_[item].before;
  return item;
}

}  // namespace schism::raft
