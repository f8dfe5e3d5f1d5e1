#include "schism/tla/known_states.hpp"

#include "schism/base/hash.hpp"

namespace schism::tla {

Packer::Packer(Spec& spec, Evaluator& eval, const Symmetry* symmetry) : spec_(spec), eval_(eval) {
  if (symmetry != nullptr) symmetry_ = std::make_unique<Symmetry>(*symmetry);
}

const Packed& Packer::pack(std::span<const Value> s) {
  std::span<const Value> key = s;
  std::vector<Value> view;
  if (symmetry_ != nullptr) {
    // As in TLC a view is one of the least state: which one that is depends on the order of values.
    if (spec_.view) symmetry_->least(key, scratch_);
    else symmetry_->canonical(key, scratch_);
    key = scratch_;
  }
  if (spec_.view) {
    view.assign(1, eval_.normal(eval_.evaluate(spec_.view->code, key)));
    key = view;
  }
  packed_.key.clear();
  std::uint64_t h = 0;
  for (const Value v : key) {
    const std::uint32_t w = spec_.store().pack(v);
    packed_.key.push_back(w);
    h = fold_multiply(h ^ w, 0x9e3779b97f4a7c15ULL) + w;
  }
  packed_.hash = mix64(h);
  return packed_;
}

KnownStates::KnownStates(Spec& spec)
    : spec_(spec),
      width_(spec.variables().size()),
      key_width_(spec.view ? 1 : width_),
      keeps_rows_(spec.view.has_value() || !spec.symmetry.empty()),
      table_(key_width_) {}

State KnownStates::state(std::uint32_t i) const {
  const auto row =
      keeps_rows_ ? std::span(rows_).subspan(std::size_t{i} * width_, width_) : table_.row(i);
  State s(width_);
  for (std::size_t k = 0; k < width_; ++k) s[k] = spec_.store().unpack(row[k]);
  return s;
}

std::pair<std::uint32_t, bool> KnownStates::insert(std::span<const std::uint32_t> key,
                                                   std::uint64_t hash,
                                                   std::span<const std::uint32_t> row) {
  const auto found = table_.insert(key, hash);
  if (found.second && keeps_rows_) rows_.insert(rows_.end(), row.begin(), row.end());
  if (table_.size() >= UINT32_MAX - 8) throw Failure({}, "too many states");
  return found;
}

}  // namespace schism::tla
