// The priorities of PCTCP, apart from any world: lines (chains, mostly) are served from their
// heads, the line with the highest rank first. Up to d-1 items are labelled as change points: when
// the line of item i is about to be served, it is demoted to slot i, below every line that was
// never demoted, and the choice is made again. Ranks come from outside, so that the scheduler can
// draw them and a test can enumerate them.
//
//   lines.enqueue(lines.open(rng.next()), {.slot = 7});
//   if (auto served = lines.pick([](const auto&) { return PriorityLines::Fit::now; })) ...
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "schism/words/action.hpp"

namespace schism {

class PriorityLines {
 public:
  static constexpr std::uint32_t kUnlabelled = UINT32_MAX;
  static constexpr std::uint32_t kNobody = UINT32_MAX;

  // A pending event in its line.
  struct Item {
    std::uint32_t slot = 0, generation = 0;
    Do kind = Do::deliver;
    std::uint32_t label = kUnlabelled;  // which change point it is
    std::uint32_t chain = 0;            // for its owner: a slot may have a new tenant by now
  };
  // Whether the head of a line can be served: later, if it is blocked; never, if it is gone.
  enum class Fit { now, later, never };

  // `eager` is Netrix: every labelled head that could be served demotes its line, whether or not
  // it would be next, and whoever is in slot 0 is never served again.
  void clear(bool eager = false);
  // A new line. Ranks that are drawn uniformly make its place among the others uniform.
  std::uint32_t open(std::uint64_t rank);
  void enqueue(std::uint32_t line, const Item& item);

  // The head to serve now, removed from its line. `fit(item)` judges heads; each that it calls
  // gone was asked about for the last time.
  template <class Judge>
  std::optional<Item> pick(Judge&& fit);

  // Ranks of lines that were demoted were not any ranks, but high ones, so that new ranks are no
  // longer uniform among the rest. Due after a pick that demoted: the rest draws anew and keeps
  // its order. At most d-1 times a run, so it may be slow.
  bool demoted_since_redraw() const { return demoted_since_redraw_; }
  template <class Draw>
  void redraw(Draw&& draw);

  std::uint32_t size() const { return static_cast<std::uint32_t>(lines_.size()); }
  // Ranks of the lines that were never demoted, ascending.
  std::vector<std::uint64_t> ranks() const;
  bool demoted(std::uint32_t line) const { return lines_[line].priority < kNormal; }

 private:
  // Slots have the numbers below, ranks this bit.
  static constexpr std::uint64_t kNormal = std::uint64_t{1} << 63;

  struct Waiting {
    Item item;
    std::uint32_t next;  // in its line, or in the free list
  };
  struct Line {
    std::uint64_t priority;
    std::uint32_t first = kNobody, last = kNobody;
    bool shown = false;  // in the heap
  };
  struct Head {
    std::uint64_t priority;
    std::uint32_t line;
    friend bool operator<(const Head& a, const Head& b) {
      return a.priority != b.priority ? a.priority < b.priority : a.line < b.line;
    }
  };

  void show(std::uint32_t line);
  Item pop(Line& line);
  std::vector<std::uint32_t> in_order() const;
  void demote(Line& line);
  template <class Judge>
  void demote_all(Judge& fit);

  std::vector<Line> lines_;
  std::vector<Waiting> waiting_;  // a pool: lines are short and many
  std::uint32_t free_ = kNobody;
  std::vector<Head> heap_;
  std::vector<std::uint32_t> aside_;     // blocked heads of the current pick
  std::vector<std::uint32_t> labelled_;  // eager: lines with a labelled item, perhaps not in front
  bool eager_ = false, demoted_since_redraw_ = false;
};

template <class Judge>
std::optional<PriorityLines::Item> PriorityLines::pick(Judge&& fit) {
  if (!labelled_.empty()) demote_all(fit);
  std::optional<Item> served;
  while (!heap_.empty() && !served) {
    std::pop_heap(heap_.begin(), heap_.end());
    const std::uint32_t number = heap_.back().line;
    heap_.pop_back();
    Line& line = lines_[number];
    line.shown = false;
    if (line.first == kNobody) continue;
    const Item& head = waiting_[line.first].item;
    const Fit fits = fit(head);
    if (fits == Fit::later || (eager_ && line.priority == 0)) {
      aside_.push_back(number);
      continue;
    }
    if (fits == Fit::never) pop(line);
    else if (head.label != kUnlabelled && !eager_) demote(line);
    else served = pop(line);
    show(number);
  }
  for (const std::uint32_t line : aside_) show(line);
  aside_.clear();
  return served;
}

template <class Judge>
void PriorityLines::demote_all(Judge& fit) {
  bool changed = false;
  std::erase_if(labelled_, [&](std::uint32_t number) {
    Line& line = lines_[number];
    if (line.first == kNobody) return true;
    const Item& head = waiting_[line.first].item;
    const Fit fits = fit(head);
    if (fits == Fit::never) pop(line);
    if (fits != Fit::now || head.label == kUnlabelled) return false;
    demote(line);
    return changed = true;
  });
  if (!changed) return;
  for (Head& head : heap_) head.priority = lines_[head.line].priority;
  std::make_heap(heap_.begin(), heap_.end());
}

template <class Draw>
void PriorityLines::redraw(Draw&& draw) {
  demoted_since_redraw_ = false;
  const std::vector<std::uint32_t> order = in_order();
  std::vector<std::uint64_t> fresh(order.size());
  for (std::uint64_t& rank : fresh) rank = draw() | kNormal;
  std::sort(fresh.begin(), fresh.end());
  for (std::size_t i = 0; i < order.size(); ++i) lines_[order[i]].priority = fresh[i];
  // The order is the same, so the heap stays one.
  for (Head& head : heap_) head.priority = lines_[head.line].priority;
}

}  // namespace schism
