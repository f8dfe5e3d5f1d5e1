#include "schism/linearize/objects/rules.hpp"

#include <algorithm>
#include <cassert>

namespace schism::linearize {

bool Act::only_looks() const {
  switch (function) {
    case Function::read:
    case Function::contains: return true;
    case Function::dequeue: return told == Told::no;
    case Function::add:
    case Function::remove: return told == Told::no;  // it found what it would have made
    case Function::txn:
      return std::none_of(touches.begin(), touches.end(), [](const Touch& t) { return t.sets; });
    default: return false;
  }
}

bool Act::is_twin_of(const Act& other) const {
  const auto same = [](const Touch& a, const Touch& b) {
    return a.sets == b.sets && a.place == b.place && a.value == b.value;
  };
  return function == other.function && told == other.told && element == other.element &&
         elements == other.elements &&
         std::equal(touches.begin(), touches.end(), other.touches.begin(), other.touches.end(),
                    same);
}

std::unique_ptr<Rules> rules_of(const ObjectHistory& history) {
  switch (history.object) {
    case Object::queue: return queue_rules(history);
    case Object::mutex:
    case Object::owned_mutex: return mutex_rules(history);
    case Object::set: return set_rules(history);
    case Object::list: return list_rules(history);
    default: return multi_register_rules(history);
  }
}

std::uint32_t Sequences::id(std::span<const std::uint32_t> sequence) {
  const std::size_t size = pool_.size();
  pool_.insert(pool_.end(), sequence.begin(), sequence.end());
  begin_.push_back(pool_.size());
  const auto next = static_cast<std::uint32_t>(begin_.size() - 2);
  const auto [at, fresh] = ids_.insert(next);
  if (!fresh) {
    begin_.pop_back();
    pool_.resize(size);
  }
  return *at;
}

std::size_t Sequences::HashOf::operator()(std::uint32_t id) const {
  std::uint64_t h = 0;
  for (const std::uint32_t x : (*all)[id])
    h = absorb_lane(h, x, 0xa0761d6478bd642fULL, 0xe7037ed1a0b428dbULL);
  return mix64(h);
}

bool Sequences::Same::operator()(std::uint32_t a, std::uint32_t b) const {
  const auto x = (*all)[a], y = (*all)[b];
  return std::equal(x.begin(), x.end(), y.begin(), y.end());
}

bool is_witness(const ObjectHistory& history, std::span<const std::uint32_t> order) {
  const auto rules = rules_of(history);
  State state = rules->first();
  std::vector<char> ordered(history.acts.size());
  std::uint32_t latest_invocation = 0;
  for (const std::uint32_t i : order) {
    const Act& act = history.acts[i];
    if (std::exchange(ordered[i], 1) != 0 || act.returned < latest_invocation) return false;
    latest_invocation = std::max(latest_invocation, act.invoked);
    const auto next = rules->after(state, act);
    if (!next) return false;
    state = *next;
    rules->count(act, +1);
  }
  for (std::size_t i = 0; i < ordered.size(); ++i)
    if (!ordered[i] && !history.acts[i].optional()) return false;
  return true;
}

}  // namespace schism::linearize
