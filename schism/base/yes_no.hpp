// A question that is answered by yes or no, as a parameter: std::function<bool(...)> would take
// whatever converts to bool, a text too. `return "";`, which tells world_invariant that nothing is
// wrong, would be yes, and `return 0;` would be no. So only bool is taken.
#pragma once

#include <functional>
#include <type_traits>

namespace schism {

template <class... A>
class YesNo : public std::function<bool(A...)> {
 public:
  YesNo() = default;
  YesNo(std::nullptr_t) {}
  template <class F>
  requires(!std::is_base_of_v<YesNo, F> && std::is_invocable_v<F&, A...>) YesNo(F question)
      : std::function<bool(A...)>(std::move(question)) {
    static_assert(std::is_same_v<std::invoke_result_t<F&, A...>, bool>,
                  "this question is answered by bool: true while it holds. A text or a number is "
                  "no answer (world_invariant takes texts)");
  }
};

}  // namespace schism
