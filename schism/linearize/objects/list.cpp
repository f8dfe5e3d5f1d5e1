// A list that only grows, read as a whole. All reads must be prefixes of the longest one: so a
// state is how much of that is there, and beyond it nobody looks.
#include <algorithm>
#include <set>

#include "schism/linearize/objects/rules.hpp"

namespace schism::linearize {
namespace {

class ListRules final : public Rules {
 public:
  explicit ListRules(const ObjectHistory& history) {
    for (const Act& act : history.acts) {
      if (act.function != Function::read || act.optional()) continue;
      const auto& seen = act.elements;
      const std::size_t shared = std::min(seen.size(), longest_.size());
      agree_ =
          agree_ && std::equal(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(shared),
                               longest_.begin());
      if (seen.size() > longest_.size()) longest_ = seen;
      lengths_.insert(seen.size());
    }
  }

  State first() override { return 0; }
  std::optional<State> after(State state, const Act& act) override {
    if (act.function == Function::read)
      return state == act.elements.size() ? std::optional(state) : std::nullopt;
    if (state >= longest_.size()) return static_cast<State>(longest_.size() + 1);
    return longest_[state] == act.element ? std::optional(state + 1) : std::nullopt;
  }
  void count(const Act& act, int ordered) override {
    if (act.function != Function::read) return;
    if (ordered > 0) lengths_.erase(lengths_.find(act.elements.size()));
    else lengths_.insert(act.elements.size());
  }
  // Who was not seen can wait for ever.
  bool helps(State state, const Act&, std::span<const Act* const>) const override {
    return state < longest_.size();
  }
  bool hopeful(State state) const override {
    return agree_ && (lengths_.empty() || *lengths_.begin() >= state);
  }

 private:
  std::vector<std::uint32_t> longest_;
  std::multiset<std::size_t> lengths_;  // of the reads to come
  bool agree_ = true;
};

}  // namespace

std::unique_ptr<Rules> list_rules(const ObjectHistory& history) {
  return std::make_unique<ListRules>(history);
}

}  // namespace schism::linearize
