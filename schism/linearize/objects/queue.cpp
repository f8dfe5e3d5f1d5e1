// A queue: first in, first out. What makes a search long is to guess an order of enqueues that is
// refuted only when they are dequeued; so of elements that are enqueued once, the one whose
// dequeue answers before the other's begins goes first.
#include <algorithm>
#include <set>

#include "schism/linearize/objects/rules.hpp"

namespace schism::linearize {
namespace {

class QueueRules final : public Rules {
 public:
  explicit QueueRules(const ObjectHistory& history) : elements_(history.elements) {
    for (const Act& act : history.acts) {
      if (act.function == Function::enqueue) ++elements_[act.element].enqueues;
      else if (act.optional()) ++spares_;
      else take_dequeue(act);
    }
    for (Element& e : elements_) {
      e.total_enqueues = e.enqueues, e.total_dequeues = e.dequeues;
      e.plain = e.enqueues == 1 && e.dequeues == 1;
      wanting_ = wanting_ || e.dequeues > e.enqueues;
      if (e.plain) leaving_.insert(e.left_by);
    }
  }

  State first() override { return contents_.id({}); }

  std::optional<State> after(State state, const Act& act) override {
    const auto now = contents_[state];
    if (act.function == Function::enqueue) {
      next_.assign(now.begin(), now.end());
      next_.push_back(act.element);
      return contents_.id(next_);
    }
    if (act.told == Told::no) return now.empty() ? std::optional(state) : std::nullopt;
    if (now.empty() || (!act.optional() && now.front() != act.element)) return std::nullopt;
    if (act.optional()) {  // those to come must not lack what it takes away
      const std::uint32_t taken = now.front();
      const auto copies = std::count(now.begin(), now.end(), taken);
      const Element& e = elements_[taken];
      if (static_cast<std::uint32_t>(copies) - 1 + e.enqueues < e.dequeues) return std::nullopt;
    }
    next_.assign(now.begin() + 1, now.end());
    return contents_.id(next_);
  }

  void count(const Act& act, int ordered) override {
    const auto left = static_cast<std::uint32_t>(-ordered);  // wraps around, as it should
    if (act.function == Function::enqueue) {
      Element& e = elements_[act.element];
      e.enqueues += left;
      if (!e.plain) return;
      if (ordered > 0) leaving_.erase(leaving_.find(e.left_by));
      else leaving_.insert(e.left_by);
    } else if (act.optional()) {
      spares_ += left;
    } else {
      dequeues_ += left;
      if (act.told != Told::no) elements_[act.element].dequeues += left;
    }
  }

  bool may(State, const Act& act) const override {
    if (act.function != Function::enqueue || leaving_.empty()) return true;
    const Element& e = elements_[act.element];
    if (e.total_enqueues != 1) return true;
    if (e.plain) return *leaving_.begin() >= e.leaves_from;
    return e.total_dequeues != 0 || spares_ != 0;  // it stays: those that leave were before it
  }

  bool helps(State state, const Act& spare, std::span<const Act* const> next) const override {
    if (spare.function == Function::enqueue) {
      const Element& e = elements_[spare.element];
      const auto now = contents_[state];
      const auto copies = spares_ != 0 ? 0 : std::count(now.begin(), now.end(), spare.element);
      return e.dequeues > static_cast<std::uint32_t>(copies);
    }
    return std::any_of(next.begin(), next.end(),
                       [](const Act* act) { return act->function == Function::dequeue; });
  }

  bool hopeful(State state) const override {
    if (wanting_) return false;
    const auto now = contents_[state];
    return now.empty() || dequeues_ == 0 || spares_ != 0 || elements_[now.front()].dequeues != 0;
  }
  std::uint64_t bytes() const override { return contents_.bytes(); }

 private:
  struct Element {
    std::uint32_t enqueues = 0, dequeues = 0;  // to come; dequeues with an answer
    std::uint32_t total_enqueues = 0, total_dequeues = 0;
    std::uint32_t leaves_from = 0, left_by = 0;  // its dequeue, invoked and answered
    bool plain = false;                          // enqueued once, dequeued once
  };

  void take_dequeue(const Act& act) {
    ++dequeues_;
    if (act.told == Told::no) return;
    Element& e = elements_[act.element];
    ++e.dequeues;
    e.leaves_from = act.invoked, e.left_by = act.returned;
  }

  std::vector<Element> elements_;
  std::multiset<std::uint32_t> leaving_;  // answers of dequeues of plain elements not yet enqueued
  std::uint32_t spares_ = 0;              // dequeues without an answer, to come
  std::uint32_t dequeues_ = 0;            // with an answer, to come; those that found nothing too
  bool wanting_ = false;                  // more was dequeued than enqueued
  Sequences contents_;
  std::vector<std::uint32_t> next_;
};

}  // namespace

std::unique_ptr<Rules> queue_rules(const ObjectHistory& history) {
  return std::make_unique<QueueRules>(history);
}

}  // namespace schism::linearize
