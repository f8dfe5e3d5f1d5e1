#include "schism/tla/steps.hpp"

#include <algorithm>

#include "schism/base/hash.hpp"

namespace schism::tla {

StateId Steps::intern(std::span<const Value> s) {
  std::vector<std::uint32_t> row;
  row.reserve(s.size());
  std::uint64_t h = 0;
  for (const Value v : s) {
    row.push_back(spec_.store().pack(v));
    h = fold_multiply(h ^ row.back(), 0x9e3779b97f4a7c15ULL) + row.back();
  }
  return table_.insert(row, mix64(h)).first;
}

State Steps::state(StateId id) const {
  State s;
  for (const std::uint32_t w : table_.row(id)) s.push_back(spec_.store().unpack(w));
  return s;
}

void Steps::forget() {
  memo_.clear();
  args_.clear();
  results_.clear();
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
  auto next = spec_.apply(action, {args.begin(), args.end()}, state(from));
  if (!next) return tl::unexpected(next.error());
  once_.clear();
  for (const State& t : *next) once_.push_back(intern(t));
  if (found != memo_.end()) return std::span<const StateId>(once_);  // two arguments, one hash
  memo_.emplace(key, Entry{static_cast<std::uint32_t>(args_.size()),
                           static_cast<std::uint32_t>(results_.size()),
                           static_cast<std::uint32_t>(once_.size())});
  args_.insert(args_.end(), args.begin(), args.end());
  results_.insert(results_.end(), once_.begin(), once_.end());
  return std::span<const StateId>(once_);
}

}  // namespace schism::tla
