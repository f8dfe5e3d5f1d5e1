#include <algorithm>
#include <numeric>

#include "schism/linearize/objects/act.hpp"

namespace schism::linearize {
namespace {

using Dense = absl::flat_hash_map<std::uint64_t, std::uint32_t>;

std::uint32_t number(Dense& dense, std::uint64_t name) {
  return dense.try_emplace(name, static_cast<std::uint32_t>(dense.size())).first->second;
}

// Histories by name, in order of first appearance, each with its own numbers.
struct Groups {
  ObjectHistory& at(std::uint64_t name, Object object, Id key) {
    current = number(index, name);
    if (current == histories.size()) {
      histories.push_back({object, key, 0, 1, {}});
      numbers.emplace_back();
      values.emplace_back();
    }
    return histories[current];
  }
  Dense index;
  std::size_t current = 0;
  std::vector<ObjectHistory> histories;
  std::vector<Dense> numbers, values;  // by history
};

Act act_of(const Operation& op, OpId id) {
  Act act;
  act.function = op.function;
  act.invoked = op.invoked;
  act.returned = op.outcome == Outcome::ok ? op.answered : kNever;
  act.op = id;
  return act;
}

bool says_nothing(const Operation& op) {
  if (op.outcome == Outcome::fail) return true;
  return op.outcome != Outcome::ok &&
         (op.function == Function::read || op.function == Function::contains);
}

bool can_tell(Function f) {
  return f == Function::add || f == Function::remove || f == Function::contains;
}

// Queues, mutexes, sets and lists.
std::vector<ObjectHistory> split_by_key(const History& history) {
  // A set that is read as a whole cannot be taken apart.
  std::vector<char> whole(history.keys().size());
  for (const Operation& op : history.operations())
    if (op.function == Function::read && op.outcome == Outcome::ok) whole[op.key] = 1;

  Groups groups;
  for (OpId id = 0; id < history.operations().size(); ++id) {
    const Operation& op = history[id];
    if (says_nothing(op)) continue;
    const bool by_element = history.object() == Object::set && !whole[op.key];
    const std::uint64_t name =
        std::uint64_t{op.key} << 32 | (by_element ? std::uint64_t{op.first} + 1 : 0);
    ObjectHistory& h = groups.at(name, history.object(), op.key);
    Dense& elements = groups.numbers[groups.current];
    Act act = act_of(op, id);
    if (op.function == Function::read) {
      for (const Id e : history.elements(op)) act.elements.push_back(number(elements, e));
      if (h.object == Object::set) {
        std::sort(act.elements.begin(), act.elements.end());
        act.elements.erase(std::unique(act.elements.begin(), act.elements.end()),
                           act.elements.end());
      }
    } else if (h.object == Object::owned_mutex) {
      act.element = number(elements, static_cast<std::uint64_t>(op.client));
    } else if (h.object != Object::mutex && (op.function != Function::dequeue || !act.optional())) {
      if (!op.missed) act.element = number(elements, op.first);
      if (op.missed) act.told = Told::no;
      else if (can_tell(op.function) && !act.optional()) act.told = op.told();
    }
    h.elements = static_cast<std::uint32_t>(elements.size());
    h.acts.push_back(std::move(act));
  }
  return std::move(groups.histories);
}

// Keys that some transaction touches together, by the least of them.
std::vector<Id> components(const History& history) {
  std::vector<Id> parent(history.keys().size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](Id key) {
    while (parent[key] != key) key = parent[key] = parent[parent[key]];
    return key;
  };
  for (const Operation& op : history.operations()) {
    if (op.outcome == Outcome::fail) continue;
    const auto steps = history.steps(op);
    for (std::size_t i = 1; i < steps.size(); ++i) {
      const Id a = root(steps[0].key), b = root(steps[i].key);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  for (Id key = 0; key < parent.size(); ++key) parent[key] = root(key);
  return parent;
}

std::vector<ObjectHistory> split_registers(const History& history, const Value& initial) {
  auto initial_id = static_cast<Id>(history.values().size());  // that of no operation
  for (Id id = 0; id < history.values().size(); ++id)
    if (history.values()[id] == initial) initial_id = id;
  const std::vector<Id> component = components(history);
  Groups groups;
  for (OpId id = 0; id < history.operations().size(); ++id) {
    const Operation& op = history[id];
    const auto steps = history.steps(op);
    if (op.outcome == Outcome::fail || steps.empty()) continue;
    Act act = act_of(op, id);
    const Id key = component[steps[0].key];
    if (act.optional() && std::none_of(steps.begin(), steps.end(),
                                       [](const Step& s) { return s.function != Function::read; }))
      continue;
    ObjectHistory& h = groups.at(key, history.object(), key);
    Dense& values = groups.values[groups.current];
    number(values, initial_id);
    for (const Step& step : steps) {
      const bool sets = step.function != Function::read;
      if (!sets && (act.optional() || !step.seen)) continue;
      act.touches.push_back(
          {sets, number(groups.numbers[groups.current], step.key), number(values, step.value)});
    }
    h.elements = static_cast<std::uint32_t>(groups.numbers[groups.current].size());
    h.values = static_cast<std::uint32_t>(values.size());
    h.acts.push_back(std::move(act));
  }
  return std::move(groups.histories);
}

}  // namespace

std::vector<ObjectHistory> split_objects(const History& history, const Value& initial) {
  return history.object() >= Object::multi_register ? split_registers(history, initial)
                                                    : split_by_key(history);
}

ObjectHistory cut(const ObjectHistory& whole, std::uint32_t events) {
  ObjectHistory out{whole.object, whole.key, whole.elements, whole.values, {}};
  for (const Act& before : whole.acts) {
    if (before.invoked >= events) break;
    const bool answered = before.returned < events;
    const bool only_looks =
        before.function == Function::read || before.function == Function::contains;
    if (!answered && only_looks) continue;
    Act& act = out.acts.emplace_back(before);
    if (answered || before.optional()) continue;
    act.returned = kNever;
    act.told = Told::nothing;
    if (act.function == Function::dequeue) act.element = 0;
    std::erase_if(act.touches, [](const Touch& t) { return !t.sets; });
    if (act.function == Function::txn && act.touches.empty()) out.acts.pop_back();
  }
  return out;
}

}  // namespace schism::linearize
