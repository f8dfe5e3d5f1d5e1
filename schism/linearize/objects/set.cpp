// A set: add, remove, contains, and reads of the whole. An element that nobody ever removes is
// added exactly when all who did not see it are ordered: there is nothing to try.
#include <algorithm>

#include "schism/linearize/objects/rules.hpp"

namespace schism::linearize {
namespace {

// What an operation says about an element that it found, or looked for.
enum class Found : std::uint8_t { unsaid, there, absent };

Found found(const Act& act, std::uint32_t element) {
  if (act.function == Function::read)
    return std::binary_search(act.elements.begin(), act.elements.end(), element) ? Found::there
                                                                                 : Found::absent;
  if (act.element != element || act.told == Told::nothing) return Found::unsaid;
  const bool yes = act.told == Told::yes;
  if (act.function == Function::add) return yes ? Found::absent : Found::there;
  return yes ? Found::there : Found::absent;
}

class SetRules final : public Rules {
 public:
  explicit SetRules(const ObjectHistory& history)
      : words_((history.elements + 31) / 32),
        removable_(history.elements),
        missed_by_(history.elements) {
    for (const Act& act : history.acts)
      if (act.function == Function::remove && act.told != Told::no) removable_[act.element] = 1;
    for (const Act& act : history.acts) count(act, -1);
  }

  State first() override {
    next_.assign(words_, 0);
    return contents_.id(next_);
  }

  std::optional<State> after(State state, const Act& act) override {
    const auto now = contents_[state];
    if (act.function == Function::read) {
      std::vector<std::uint32_t>& seen = next_;
      seen.assign(words_, 0);
      for (const std::uint32_t e : act.elements) seen[e / 32] |= 1U << (e % 32);
      return std::equal(now.begin(), now.end(), seen.begin()) ? std::optional(state) : std::nullopt;
    }
    const bool there = has(state, act.element);
    const Found said = found(act, act.element);
    if (said != Found::unsaid && there != (said == Found::there)) return std::nullopt;
    const bool will_be = act.function == Function::add      ? true
                         : act.function == Function::remove ? false
                                                            : there;
    if (will_be == there) return state;
    next_.assign(now.begin(), now.end());
    next_[act.element / 32] ^= 1U << (act.element % 32);
    return contents_.id(next_);
  }

  // How many to come did not see an element that stays once it is there.
  void count(const Act& act, int ordered) override {
    if (act.optional()) return;
    const auto left = static_cast<std::uint32_t>(-ordered);  // wraps around, as it should
    if (act.function == Function::read) {
      auto seen = act.elements.begin();
      for (std::uint32_t e = 0; e < removable_.size(); ++e) {
        if (seen != act.elements.end() && *seen == e) ++seen;
        else missed_by_[e] += left;
      }
    } else if (found(act, act.element) == Found::absent) {
      missed_by_[act.element] += left;
    }
  }

  bool at_once(State state, const Act& act) const override {
    if (act.only_looks()) return true;
    if (act.function != Function::add || removable_[act.element]) return false;
    return missed_by_[act.element] == (found(act, act.element) == Found::absent ? 1 : 0) ||
           has(state, act.element);
  }
  bool may(State state, const Act& act) const override {
    if (act.function != Function::add || removable_[act.element]) return true;
    const std::uint32_t own = !act.optional() && found(act, act.element) == Found::absent ? 1 : 0;
    return missed_by_[act.element] == own || has(state, act.element);
  }
  // It can wait until somebody looks.
  bool helps(State, const Act& spare, std::span<const Act* const> next) const override {
    const Found made = spare.function == Function::add ? Found::there : Found::absent;
    return std::any_of(next.begin(), next.end(),
                       [&](const Act* act) { return found(*act, spare.element) == made; });
  }
  std::uint64_t bytes() const override { return contents_.bytes(); }

 private:
  bool has(State state, std::uint32_t e) const {
    return (contents_[state][e / 32] >> (e % 32) & 1) != 0;
  }

  std::size_t words_;
  std::vector<char> removable_;
  std::vector<std::uint32_t> missed_by_;
  Sequences contents_;  // a bit an element
  std::vector<std::uint32_t> next_;
};

}  // namespace

std::unique_ptr<Rules> set_rules(const ObjectHistory& history) {
  return std::make_unique<SetRules>(history);
}

}  // namespace schism::linearize
