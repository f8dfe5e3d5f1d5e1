// Typed parameters, described once: name, default, range, meaning. The same table reads command
// lines, TOML files and traces, and writes `--help`, `schism list` and the reference.
//
//   Params p;
//   p.add<&Config::rounds>("rounds", 1, 8, "rounds to decide");
//   p.set(&config, "rounds", "3");
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

struct Param {
  std::string name;      // "timer.*" takes any name after the dot
  std::string fallback;  // its default, as text
  std::string range;     // "1 to 8", "lost, waits or empty"
  std::string meaning;
  std::function<Status(void*, std::string_view name, std::string_view text)> set;
  // As `name=text` pairs that set() would read; several only for families.
  std::function<std::vector<std::pair<std::string, std::string>>(const void*)> get;
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
  Params& add(std::string name, std::string meaning) {
    return add_plain<Member>(std::move(name), std::move(meaning));
  }
  template <auto Member, class Bound>
  Params& add(std::string name, Bound low, Bound high, std::string meaning);
  // A time, written as 150ms.
  template <auto Member>
  Params& add_duration(std::string name, Micros low, Micros high, std::string meaning);

 private:
  template <auto Member>
  Params& add_plain(std::string name, std::string meaning);
  const Param* find(std::string_view name) const;
  void finish(Param param, const void* fresh);

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
Status bad_word(std::string_view text, const std::vector<std::string>& words);

template <auto Member>
auto& member(void* object) {
  return static_cast<typename MemberOf<decltype(Member)>::Class*>(object)->*Member;
}
template <auto Member>
const auto& member(const void* object) {
  return static_cast<const typename MemberOf<decltype(Member)>::Class*>(object)->*Member;
}

}  // namespace detail

template <auto Member, class Bound>
Params& Params::add(std::string name, Bound low, Bound high, std::string meaning) {
  using Class = typename detail::MemberOf<decltype(Member)>::Class;
  using Type = typename detail::MemberOf<decltype(Member)>::Type;
  Param p;
  p.name = name;
  p.meaning = std::move(meaning);
  if constexpr (std::is_floating_point_v<Type>) {
    const auto lo = static_cast<double>(low), hi = static_cast<double>(high);
    p.range = detail::print_number(lo) + " to " + detail::print_number(hi);
    p.set = [lo, hi](void* o, std::string_view, std::string_view text) -> Status {
      const auto d = parse_number(text, lo, hi);
      if (!d) return tl::unexpected(d.error());
      detail::member<Member>(o) = static_cast<Type>(*d);
      return {};
    };
    p.get = [name](const void* o) {
      return std::vector{
          std::pair{name, detail::print_number(static_cast<double>(detail::member<Member>(o)))}};
    };
  } else {
    static_assert(std::is_integral_v<Type> && !std::is_same_v<Type, bool>,
                  "a range is for integers and numbers");
    const auto lo = static_cast<std::int64_t>(low), hi = static_cast<std::int64_t>(high);
    p.range = std::to_string(lo) + " to " + std::to_string(hi);
    p.set = [lo, hi](void* o, std::string_view, std::string_view text) -> Status {
      const auto i = parse_integer(text, lo, hi);
      if (!i) return tl::unexpected(i.error());
      detail::member<Member>(o) = static_cast<Type>(*i);
      return {};
    };
    p.get = [name](const void* o) {
      return std::vector{std::pair{name, std::to_string(detail::member<Member>(o))}};
    };
  }
  const Class fresh{};
  finish(std::move(p), &fresh);
  return *this;
}

template <auto Member>
Params& Params::add_duration(std::string name, Micros low, Micros high, std::string meaning) {
  using Class = typename detail::MemberOf<decltype(Member)>::Class;
  Param p;
  p.name = name;
  p.meaning = std::move(meaning);
  p.range = print_duration(low) + " to " + print_duration(high);
  p.set = [low, high](void* o, std::string_view, std::string_view text) -> Status {
    const auto us = parse_duration(text);
    if (!us) return tl::unexpected(us.error());
    if (*us < low || *us > high)
      return error("is {} to {}, not \"{}\"", print_duration(low), print_duration(high), text);
    detail::member<Member>(o) = *us;
    return {};
  };
  p.get = [name](const void* o) {
    return std::vector{std::pair{name, print_duration(detail::member<Member>(o))}};
  };
  const Class fresh{};
  finish(std::move(p), &fresh);
  return *this;
}

template <auto Member>
Params& Params::add_plain(std::string name, std::string meaning) {
  using Class = typename detail::MemberOf<decltype(Member)>::Class;
  using Type = typename detail::MemberOf<decltype(Member)>::Type;
  Param p;
  p.name = name;
  p.meaning = std::move(meaning);
  if constexpr (std::is_same_v<Type, bool>) {
    p.range = "true or false";
    p.set = [](void* o, std::string_view, std::string_view text) -> Status {
      const auto b = parse_flag(text);
      if (!b) return tl::unexpected(b.error());
      detail::member<Member>(o) = *b;
      return {};
    };
    p.get = [name](const void* o) {
      return std::vector{
          std::pair{name, std::string(detail::member<Member>(o) ? "true" : "false")}};
    };
  } else if constexpr (NamedEnum<Type>) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < enum_count<Type>(); ++i)
      words.emplace_back(enum_name(static_cast<Type>(i)));
    for (std::size_t i = 0; i < words.size(); ++i)
      p.range += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    p.set = [words](void* o, std::string_view, std::string_view text) -> Status {
      const auto e = enum_value<Type>(text);
      if (!e) return detail::bad_word(text, words);
      detail::member<Member>(o) = *e;
      return {};
    };
    p.get = [name](const void* o) {
      return std::vector{std::pair{name, std::string(enum_name(detail::member<Member>(o)))}};
    };
  } else if constexpr (std::is_same_v<Type, std::vector<std::int64_t>>) {
    p.range = "a list such as 0/250/0";
    p.set = [](void* o, std::string_view, std::string_view text) -> Status {
      auto list = detail::parse_list(text);
      if (!list) return tl::unexpected(list.error());
      detail::member<Member>(o) = *std::move(list);
      return {};
    };
    p.get = [name](const void* o) {
      return std::vector{std::pair{name, detail::print_list(detail::member<Member>(o))}};
    };
  } else if constexpr (std::is_same_v<Type, Weights>) {
    p.range = "0 to 1000000, for any name";
    const std::string family = name.substr(0, name.size() - 1);  // "timer." of "timer.*"
    p.set = [family](void* o, std::string_view full, std::string_view text) -> Status {
      const auto i = parse_integer(text, 0, 1'000'000);
      if (!i) return tl::unexpected(i.error());
      detail::member<Member>(o)[std::string(full.substr(family.size()))] = *i;
      return {};
    };
    p.get = [family](const void* o) {
      std::vector<std::pair<std::string, std::string>> out;
      for (const auto& [key, weight] : detail::member<Member>(o))
        out.emplace_back(family + key, std::to_string(weight));
      return out;
    };
  } else {
    static_assert(std::is_same_v<Type, std::string>, "this type needs a range");
    p.range = "a text";
    p.set = [](void* o, std::string_view, std::string_view text) -> Status {
      detail::member<Member>(o) = std::string(text);
      return {};
    };
    p.get = [name](const void* o) {
      return std::vector{std::pair{name, detail::member<Member>(o)}};
    };
  }
  const Class fresh{};
  finish(std::move(p), &fresh);
  return *this;
}

}  // namespace schism
