#include "schism/schedule/priority_lines.hpp"

namespace schism {

void PriorityLines::clear(bool eager) {
  lines_.clear();
  waiting_.clear();
  free_ = kNobody;
  heap_.clear();
  labelled_.clear();
  eager_ = eager;
  demoted_since_redraw_ = false;
}

std::uint32_t PriorityLines::open(std::uint64_t rank) {
  lines_.push_back({.priority = rank | kNormal});
  return size() - 1;
}

void PriorityLines::enqueue(std::uint32_t number, const Item& item) {
  std::uint32_t at = free_;
  if (at == kNobody) {
    at = static_cast<std::uint32_t>(waiting_.size());
    waiting_.push_back({item, kNobody});
  } else {
    free_ = waiting_[at].next;
    waiting_[at] = {item, kNobody};
  }
  Line& line = lines_[number];
  if (line.first == kNobody) line.first = at;
  else waiting_[line.last].next = at;
  line.last = at;
  if (eager_ && item.label != kUnlabelled) labelled_.push_back(number);
  show(number);
}

void PriorityLines::show(std::uint32_t number) {
  Line& line = lines_[number];
  if (line.shown || line.first == kNobody) return;
  line.shown = true;
  heap_.push_back({line.priority, number});
  std::push_heap(heap_.begin(), heap_.end());
}

PriorityLines::Item PriorityLines::pop(Line& line) {
  const std::uint32_t at = line.first;
  Waiting& head = waiting_[at];
  line.first = head.next;
  head.next = free_;
  free_ = at;
  return head.item;
}

// The label has done its work: the item itself is served from the slot.
void PriorityLines::demote(Line& line) {
  Item& head = waiting_[line.first].item;
  line.priority = head.label;
  head.label = kUnlabelled;
  demoted_since_redraw_ = true;
}

std::vector<std::uint32_t> PriorityLines::in_order() const {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < size(); ++i)
    if (!demoted(i)) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return Head{lines_[a].priority, a} < Head{lines_[b].priority, b};
  });
  return order;
}

std::vector<std::uint64_t> PriorityLines::ranks() const {
  std::vector<std::uint64_t> ranks;
  for (const std::uint32_t line : in_order()) ranks.push_back(lines_[line].priority & ~kNormal);
  return ranks;
}

}  // namespace schism
