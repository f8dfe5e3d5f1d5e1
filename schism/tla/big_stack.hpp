// Recursive operators of a specification may be deep, and they recur on the stack of the thread
// that evaluates them: work that evaluates runs on a thread with a large one.
#pragma once

#include <functional>

namespace schism::tla {

void on_big_stack(const std::function<void()>& work);

}  // namespace schism::tla
