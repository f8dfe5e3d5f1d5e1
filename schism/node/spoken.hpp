// What nodes of a class say besides messages: the types that they announce, answer and store. Each
// is noted where it is compiled, so that a content in a trace, which has a name and fields, can be
// printed as what it is (a map as {1: [0, 1]}).
#pragma once

#include <string_view>

#include "schism/base/fields.hpp"

namespace schism {

bool note_spoken(const TypeInfo& node, const TypeInfo& type);
// The type of that name that nodes of this class say; null: none.
const TypeInfo* spoken_by(const TypeInfo& node, std::string_view name);

namespace detail {

template <class Self, class T>
inline const bool says = note_spoken(type_info<Self>(), type_info<T>());

// Costs nothing where it stands: the note is made before the program begins.
template <class Self, class T>
constexpr void say() {
  [[maybe_unused]] const bool* const noted = &says<Self, T>;
}

}  // namespace detail

}  // namespace schism
