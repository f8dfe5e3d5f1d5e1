// Errors at the edge are values: one sentence for the user, without a final dot.
//
//   Result<Trace> t = read_trace(path);
//   if (!t) return fail(t.error());
#pragma once

#include <fmt/core.h>

#include <string>
#include <tl/expected.hpp>

namespace schism {

template <class T>
using Result = tl::expected<T, std::string>;
using Status = tl::expected<void, std::string>;

template <class... Args>
tl::unexpected<std::string> error(fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace schism
