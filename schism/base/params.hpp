// Typed parameters, described once: name, default, range, meaning. The same table reads command
// lines, TOML files and traces, and writes `--help`, `schism list` and the reference.
//
//   Params p;
//   p.add<&Config::rounds>("rounds", 1, 8, "rounds to decide");
//   p.set(&config, "rounds", "3", "toy-consensus");
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schism/base/enum.hpp"
#include "schism/base/result.hpp"
#include "schism/base/spec.hpp"
#include "schism/base/time.hpp"

namespace schism {

// The closest of the candidates, or nothing when none is close enough to be meant.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);
// «no parameter "round"; did you mean "rounds"?»
std::string unknown_word(std::string_view what, std::string_view word,
                         const std::vector<std::string>& candidates);

std::string print_duration(Micros us);                 // "150ms"
Result<Micros> parse_duration(std::string_view text);  // "150ms", "2s", "7us"
Result<std::int64_t> parse_integer(std::string_view text, std::int64_t low, std::int64_t high);
Result<std::uint64_t> parse_seed(std::string_view text);  // all 64 bits
Result<double> parse_number(std::string_view text, double low, double high);
Result<bool> parse_flag(std::string_view text);

using Weights = std::map<std::string, std::int64_t, std::less<>>;

// What values a parameter has, for whoever draws some.
struct Values {
  enum Kind : std::uint8_t { other, flag, word, integer, number, duration };
  Kind kind = other;
  std::int64_t low = 0, high = 0;       // of an integer
  std::vector<std::string> words = {};  // to choose from
};

struct Param {
  std::string name;      // "timer.*" takes any name after the dot
  std::string fallback;  // its default, as text
  std::string range;     // "1 to 8", "lost, waits or empty"
  std::string meaning;
  Values values = {};
  std::function<Status(void*, std::string_view name, std::string_view text)> set = {};
  // As `name=text` pairs that set() would read; several only for families.
  std::function<std::vector<std::pair<std::string, std::string>>(const void*)> get = {};
  // Of a single one: its value as text; `get` is made of it.
  std::function<std::string(const void*)> print = {};
};

class Params {
 public:
  const std::vector<Param>& list() const { return list_; }
  std::vector<std::string> names() const;
  // `owner` is who would have the parameter, for the message.
  Status set(void* object, std::string_view name, std::string_view text,
             std::string_view owner) const;
  // Those that differ from the default: what has to be written down.
  std::vector<std::pair<std::string, std::string>> changed(const void* object) const;
  std::vector<std::pair<std::string, std::string>> all(const void* object) const;
  void push(Param param) { list_.push_back(std::move(param)); }

  // Integers, numbers: a range. Booleans, named enumerations, lists, texts: none.
  template <auto Member>
  Params& add(std::string name, std::string meaning);
  template <auto Member, class Bound>
  Params& add(std::string name, Bound low, Bound high, std::string meaning);
  // A time, written as 150ms.
  template <auto Member>
  Params& add_duration(std::string name, Micros low, Micros high, std::string meaning);

 private:
  template <auto Member>
  Params& finish(Param param, std::string name, std::string meaning);
  void finish(Param param, std::string name, std::string meaning, const void* fresh);
  const Param* find(std::string_view name) const;

  std::vector<Param> list_;
};

// ---- implementation of the templates -------------------------------------------------------

namespace detail {

template <class T>
struct MemberOf;
template <class C, class T>
struct MemberOf<T C::*> {
  using Class = C;
  using Type = T;
};

Result<std::vector<std::int64_t>> parse_list(std::string_view text);
std::string print_list(const std::vector<std::int64_t>& list);
std::string print_number(double d);

template <auto Member>
auto& member(void* object) {
  return static_cast<typename MemberOf<decltype(Member)>::Class*>(object)->*Member;
}

template <auto Member>
const auto& member(const void* object) {
  return static_cast<const typename MemberOf<decltype(Member)>::Class*>(object)->*Member;
}

// All that is compiled for a member is how to get at it; the rest is compiled once, for its type.
struct Place {
  void* (*in)(void* object);
  const void* of(const void* object) const { return in(const_cast<void*>(object)); }
};
template <auto Member>
Place place() {
  return {[](void* object) -> void* { return &member<Member>(object); }};
}

// Integers of any size are read and written through these.
struct Integer {
  std::int64_t (*read)(const void*);
  void (*write)(void*, std::int64_t);
};
template <class T>
Integer integer() {
  return {[](const void* at) { return static_cast<std::int64_t>(*static_cast<const T*>(at)); },
          [](void* at, std::int64_t i) { *static_cast<T*>(at) = static_cast<T>(i); }};
}
template <class E>
std::vector<std::string> words_of() {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < enum_count<E>(); ++i)
    words.emplace_back(enum_name(static_cast<E>(i)));
  return words;
}

Param integer_param(Place place, Integer how, std::int64_t low, std::int64_t high);
Param double_param(Place place, double low, double high);
Param duration_param(Place place, Micros low, Micros high);
Param flag_param(Place place);
Param word_param(Place place, Integer how, std::vector<std::string> words);
Param list_param(Place place);
Param weights_param(Place place, std::string_view name);
Param text_param(Place place);

}  // namespace detail

template <auto Member, class Bound>
Params& Params::add(std::string name, Bound low, Bound high, std::string meaning) {
  using Type = typename detail::MemberOf<decltype(Member)>::Type;
  if constexpr (std::is_floating_point_v<Type>) {
    static_assert(std::is_same_v<Type, double>, "a number is a double");
    return finish<Member>(detail::double_param(detail::place<Member>(), static_cast<double>(low),
                                               static_cast<double>(high)),
                          std::move(name), std::move(meaning));
  } else {
    static_assert(std::is_integral_v<Type> && !std::is_same_v<Type, bool>,
                  "a range is for integers and numbers");
    return finish<Member>(
        detail::integer_param(detail::place<Member>(), detail::integer<Type>(),
                              static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)),
        std::move(name), std::move(meaning));
  }
}

template <auto Member>
Params& Params::add_duration(std::string name, Micros low, Micros high, std::string meaning) {
  static_assert(std::is_same_v<typename detail::MemberOf<decltype(Member)>::Type, Micros>);
  return finish<Member>(detail::duration_param(detail::place<Member>(), low, high), std::move(name),
                        std::move(meaning));
}

template <auto Member>
Params& Params::add(std::string name, std::string meaning) {
  using Type = typename detail::MemberOf<decltype(Member)>::Type;
  const detail::Place at = detail::place<Member>();
  Param p;
  if constexpr (std::is_same_v<Type, bool>) {
    p = detail::flag_param(at);
  } else if constexpr (NamedEnum<Type>) {
    p = detail::word_param(at, detail::integer<Type>(), detail::words_of<Type>());
  } else if constexpr (std::is_same_v<Type, std::vector<std::int64_t>>) {
    p = detail::list_param(at);
  } else if constexpr (std::is_same_v<Type, Weights>) {
    p = detail::weights_param(at, name);
  } else {
    static_assert(std::is_same_v<Type, std::string>, "this type needs a range");
    p = detail::text_param(at);
  }
  return finish<Member>(std::move(p), std::move(name), std::move(meaning));
}

template <auto Member>
Params& Params::finish(Param param, std::string name, std::string meaning) {
  const typename detail::MemberOf<decltype(Member)>::Class fresh{};
  finish(std::move(param), std::move(name), std::move(meaning), &fresh);
  return *this;
}

}  // namespace schism
