// Signed items inside a message, wherever its fields hold them. The world walks over them where a
// lie is applied: own items are signed anew, and those of others must be known. Included by
// type_info.hpp; what an item is says node/signed.hpp.
#pragma once

#include "schism/base/fields.hpp"

namespace schism {

// One item: whose it claims to be, what it is signed with, and what its owner's signature would be.
struct Seal {
  int signer = -1;
  std::uint64_t is = 0, should_be = 0;
  std::uint64_t* place = nullptr;  // where a new signature goes; null: in a set, whose items stay
  bool holds() const { return is == should_be; }
};
using TakeSeal = void (*)(void* self, const Seal& seal);

namespace detail {

template <class T>
constexpr bool holds_seals();

template <class... F>
struct SealList {};
struct SealTypes {
  template <class... F>
  constexpr SealList<F...> operator()(F&&...) const {
    return {};
  }
};

template <class... F>
constexpr bool any_holds_seals(SealList<F...>) {
  return (holds_seals<std::remove_cvref_t<F>>() || ...);
}
template <class T, std::size_t... I>
constexpr bool part_holds_seals(std::index_sequence<I...>) {
  return (holds_seals<std::remove_cvref_t<std::tuple_element_t<I, T>>>() || ...);
}

template <class T>
constexpr bool holds_seals() {
  if constexpr (Sealed<T>) return true;
  else if constexpr (Digested<T> || Number<T> || Text<T>) return false;
  else if constexpr (HasFields<T>)
    return any_holds_seals(decltype(std::declval<T&>().schism_visit_fields(SealTypes{})){});
  else if constexpr (IsOptional<T>::value) return holds_seals<typename T::value_type>();
  else if constexpr (IsTuple<T>::value)
    return part_holds_seals<T>(std::make_index_sequence<std::tuple_size_v<T>>{});
  else if constexpr (MapLike<T>) return holds_seals<typename T::mapped_type>();
  else if constexpr (Range<T>) return holds_seals<std::remove_cvref_t<typename T::value_type>>();
  else return false;
}

template <class T>
void each_seal(T& v, void* self, TakeSeal take) {
  using Plain = std::remove_const_t<T>;
  if constexpr (!holds_seals<Plain>()) {
    return;
  } else if constexpr (HasFields<Plain>) {
    v.schism_visit_fields([&](auto&&... f) { (each_seal(f, self, take), ...); });
    if constexpr (Sealed<Plain>) {
      Seal seal{v.signer, v.seal, v.expected_seal(), nullptr};
      if constexpr (!std::is_const_v<T>) seal.place = &v.seal;
      take(self, seal);
    }
  } else if constexpr (IsOptional<Plain>::value) {
    if (v) each_seal(*v, self, take);
  } else if constexpr (IsTuple<Plain>::value) {
    std::apply([&](auto&... f) { (each_seal(f, self, take), ...); }, v);
  } else if constexpr (MapLike<Plain>) {
    for (auto& entry : v) each_seal(entry.second, self, take);
  } else {
    for (auto& item : v) each_seal(item, self, take);
  }
}

}  // namespace detail
}  // namespace schism
