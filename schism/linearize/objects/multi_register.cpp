// Several registers, read and set together in one step. A value that somebody must still find is
// not overwritten when nobody can set it again.
#include "absl/container/flat_hash_map.h"
#include "schism/linearize/objects/rules.hpp"

namespace schism::linearize {
namespace {

class MultiRegisterRules final : public Rules {
 public:
  explicit MultiRegisterRules(const ObjectHistory& history) : places_(history.elements) {
    for (const Act& act : history.acts) count(act, -1);
  }

  State first() override {
    next_.assign(places_, 0);
    return contents_.id(next_);
  }

  std::optional<State> after(State state, const Act& act) override {
    const auto now = contents_[state];
    next_.assign(now.begin(), now.end());
    bool changed = false;
    for (const Touch& t : act.touches) {
      if (!t.sets && next_[t.place] != t.value) return std::nullopt;
      changed = changed || next_[t.place] != t.value;
      next_[t.place] = t.value;
    }
    if (!changed) return state;
    for (const Touch& t : act.touches) {  // what is lost for good must not be wanted by others
      if (!t.sets || now[t.place] == next_[t.place]) continue;
      const auto at = wanted_.find(name(t.place, now[t.place]));
      if (at == wanted_.end()) continue;
      if (at->second.viewers > own_views(act, t.place, now[t.place]) && at->second.setters == 0)
        return std::nullopt;
    }
    return contents_.id(next_);
  }

  void count(const Act& act, int ordered) override {
    const auto left = static_cast<std::uint32_t>(-ordered);  // wraps around, as it should
    for (const Touch& t : act.touches) {
      Wanted& wanted = wanted_[name(t.place, t.value)];
      (t.sets ? wanted.setters : wanted.viewers) += left;
    }
  }

  bool helps(State, const Act& spare, std::span<const Act* const>) const override {
    for (const Touch& t : spare.touches) {
      if (!t.sets) continue;
      const auto at = wanted_.find(name(t.place, t.value));
      if (at != wanted_.end() && at->second.viewers != 0) return true;
    }
    return false;
  }
  std::uint64_t bytes() const override { return contents_.bytes(); }

 private:
  struct Wanted {
    std::uint32_t viewers = 0, setters = 0;  // to come
  };
  static std::uint64_t name(std::uint32_t place, std::uint32_t value) {
    return std::uint64_t{place} << 32 | value;
  }
  static std::uint32_t own_views(const Act& act, std::uint32_t place, std::uint32_t value) {
    std::uint32_t n = 0;
    for (const Touch& t : act.touches) n += !t.sets && t.place == place && t.value == value;
    return n;
  }

  std::size_t places_;
  absl::flat_hash_map<std::uint64_t, Wanted> wanted_;
  Sequences contents_;
  std::vector<std::uint32_t> next_;
};

}  // namespace

std::unique_ptr<Rules> multi_register_rules(const ObjectHistory& history) {
  return std::make_unique<MultiRegisterRules>(history);
}

}  // namespace schism::linearize
