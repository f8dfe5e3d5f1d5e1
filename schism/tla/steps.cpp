#include "schism/tla/steps.hpp"

#include <algorithm>

#include "schism/base/hash.hpp"

namespace schism::tla {

StateId Steps::intern(std::span<const Value> s) {
  row_.clear();
  std::uint64_t h = 0;
  for (const Value v : s) {
    row_.push_back(spec_.store().pack(v));
    h = fold_multiply(h ^ row_.back(), 0x9e3779b97f4a7c15ULL) + row_.back();
  }
  return table_.insert(row_, mix64(h)).first;
}

State Steps::state(StateId id) const {
  State s;
  read(id, s);
  return s;
}

void Steps::read(StateId id, State& into) const {
  const auto row = table_.row(id);
  into.resize(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) into[i] = spec_.store().unpack(row[i]);
}

void Steps::forget() {
  memo_.clear();
  args_.clear();
  results_.clear();
}

void Steps::keep_only(std::span<StateId> live) {
  std::vector<State> states;
  for (const StateId id : live) states.push_back(state(id));
  std::vector<Value*> values;
  for (State& s : states)
    for (Value& v : s) values.push_back(&v);
  spec_.give_back(std::move(values));
  table_ = StateTable(spec_.variables().size());
  decltype(memo_)().swap(memo_);
  decltype(args_)().swap(args_);
  decltype(results_)().swap(results_);
  for (std::size_t i = 0; i < live.size(); ++i) live[i] = intern(states[i]);
}

Result<std::span<const StateId>> Steps::apply(const Action& action, std::span<const Value> args,
                                              StateId from) {
  std::uint64_t h = args.size();
  for (const Value v : args) h = fold_multiply(h ^ v.bits(), 0xd6e8feb86659fd93ULL) + v.bits();
  const Key key{&action, from, h};
  const auto found = memo_.find(key);
  bool same = false;
  if (found != memo_.end()) {
    same = std::equal(args.begin(), args.end(), args_.begin() + found->second.args);
    if (same)
      return std::span<const StateId>(results_.data() + found->second.results, found->second.count);
  }
  if (args.size() != action.slots.size())
    return error("{} takes {} arguments, not {}", action.name, action.slots.size(), args.size());
  once_.clear();
  here_ = state(from);
  Evaluator& eval = spec_.evaluator();
  try {
    eval.successors(
        action.code, here_,
        [&](std::span<const Value> t) { return once_.push_back(intern(t)), true; }, action.slots,
        args);
    eval.sweep();
  } catch (const Failure& f) {
    return tl::unexpected(spec_.explain(f));
  }
  if (found != memo_.end()) return std::span<const StateId>(once_);  // two arguments, one hash
  memo_.emplace(key, Entry{static_cast<std::uint32_t>(args_.size()),
                           static_cast<std::uint32_t>(results_.size()),
                           static_cast<std::uint32_t>(once_.size())});
  args_.insert(args_.end(), args.begin(), args.end());
  results_.insert(results_.end(), once_.begin(), once_.end());
  return std::span<const StateId>(once_);
}

}  // namespace schism::tla
