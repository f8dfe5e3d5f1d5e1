#include <algorithm>
#include <cassert>
#include <utility>

#include "schism/linearize/checker.hpp"

namespace schism::linearize {
namespace {

// Numbers a partition's values densely, the first one 0.
class Dense {
 public:
  explicit Dense(std::uint32_t first) { number(first); }
  std::uint32_t number(std::uint32_t value) {
    return ids_.try_emplace(value, static_cast<std::uint32_t>(ids_.size())).first->second;
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(ids_.size()); }

 private:
  absl::flat_hash_map<std::uint32_t, std::uint32_t> ids_;
};

RegisterOp effect_of(const Operation& op, OpId id) {
  RegisterOp out;
  switch (op.function) {
    case Function::read: out.effect = Effect::see; break;
    case Function::write: out.effect = Effect::set; break;
    case Function::cas: out.effect = op.missed ? Effect::miss : Effect::swap; break;
    default: break;  // not of registers
  }
  out.first = op.first;
  out.second = op.second;
  out.invoked = op.invoked;
  out.returned = op.outcome == Outcome::ok ? op.answered : kNever;
  out.op = id;
  return out;
}

// All keys, or the one that is asked for.
std::vector<Partition> split(const History& history, const Value& initial, Id only) {
  // A value that occurs in no operation needs a number of its own.
  auto initial_id = static_cast<Id>(history.values().size());
  for (Id id = 0; id < history.values().size(); ++id)
    if (history.values()[id] == initial) initial_id = id;

  std::vector<Partition> out;
  std::vector<Dense> values;
  std::vector<std::uint32_t> index_of_key(history.keys().size(), kNever);
  for (OpId id = 0; id < history.operations().size(); ++id) {
    const Operation& op = history[id];
    const bool answered = op.outcome == Outcome::ok;
    if (only != kNever && op.key != only) continue;
    if (op.outcome == Outcome::fail || (op.function == Function::read && !answered)) continue;
    std::uint32_t& at = index_of_key[op.key];
    if (at == kNever) {
      at = static_cast<std::uint32_t>(out.size());
      out.push_back({op.key, 1, {}});
      values.emplace_back(initial_id);
    }
    RegisterOp effect = effect_of(op, id);
    effect.first = values[at].number(effect.first);
    effect.second = effect.effect == Effect::swap ? values[at].number(effect.second) : 0;
    out[at].ops.push_back(effect);
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i].values = values[i].size();
  return out;
}

}  // namespace

std::vector<Partition> partition(const History& history, const Value& initial) {
  return split(history, initial, kNever);
}

Partition partition_of(const History& history, Id key, const Value& initial) {
  std::vector<Partition> one = split(history, initial, key);
  return one.empty() ? Partition{key, 1, {}} : std::move(one.front());
}

Partition cut(const Partition& whole, std::uint32_t events) {
  Partition out{whole.key, whole.values, {}};
  for (RegisterOp op : whole.ops) {
    if (op.invoked >= events) break;
    if (op.returned != kNever && op.returned >= events) op.returned = kNever;
    if (op.optional() && !op.sets()) continue;
    out.ops.push_back(op);
  }
  return out;
}

Partition select(const Partition& whole, std::span<const std::uint32_t> ops) {
  Partition out{whole.key, 1, {}};
  Dense values(0);
  for (const std::uint32_t i : ops) {
    RegisterOp op = whole.ops[i];
    op.first = values.number(op.first);
    if (op.effect == Effect::swap) op.second = values.number(op.second);
    out.ops.push_back(op);
  }
  out.values = values.size();
  return out;
}

bool is_witness(const Partition& partition, std::span<const std::uint32_t> order) {
  std::vector<char> ordered(partition.ops.size());
  std::uint32_t value = 0, latest_invocation = 0;
  for (const std::uint32_t i : order) {
    const RegisterOp& op = partition.ops[i];
    if (std::exchange(ordered[i], 1) != 0) return false;
    // Answered before one that is already ordered was invoked: too late for it.
    if (op.returned < latest_invocation) return false;
    latest_invocation = std::max(latest_invocation, op.invoked);
    if (op.effect == Effect::miss ? value == op.first : op.observes() && value != op.first)
      return false;
    if (op.sets()) value = op.product();
  }
  for (std::size_t i = 0; i < ordered.size(); ++i)
    if (!ordered[i] && !partition.ops[i].optional()) return false;
  return true;
}

}  // namespace schism::linearize
