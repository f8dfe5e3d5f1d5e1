// What an evaluation has looked at in its state, and what it then did: wherever a state looks the
// same there, the same evaluation does the same. An action that looks at one server's part of each
// variable need not be evaluated again because another server's part is new.
#pragma once

#include <algorithm>
#include <vector>

#include "schism/tla/value.hpp"

namespace schism::tla {

struct Look {
  enum class At : std::uint8_t {
    whole,   // the variable
    part,    // variable[key]
    domain,  // whether there is a variable[key]
    member,  // whether key is in the variable, a set
  };
  At at = At::whole;
  std::uint32_t variable = 0;
  Value key;
  friend bool operator==(const Look&, const Look&) = default;
};

// Variables that were looked at, a bit each; some may share one.
using Looked = std::uint64_t;
inline constexpr Looked kLookedAtAll = ~Looked{0};
constexpr Looked looked_at(std::uint32_t variable) { return Looked{1} << variable % 64; }

// variable' = value, or variable with value at key.
struct Assigned {
  bool whole = true;
  std::uint32_t variable = 0;
  Value key, value;
};

// f[x] of a function with a finite domain, all of it normal; no value: x is outside of it.
inline Value part_of(Value f, Value x) {
  if (is_kind(f, Kind::tuple)) {
    const auto at = static_cast<std::uint64_t>(x.as_integer() - 1);
    return x.is_integer() && at < f.node()->size ? (*f.node())[at] : Value();
  }
  if (!is_kind(f, Kind::function)) return {};
  const ValueNode& keys = *(*f.node())[0].node();
  for (std::uint32_t i = 0; i < keys.size; ++i)
    if (keys[i] == x) return (*f.node())[i + 1];
  return {};
}

// x \in s of a set that is built; no value: it is none.
inline Value member_of(Value s, Value x) {
  if (!is_kind(s, Kind::set)) return {};
  const auto words = s.node()->words();
  return Value::boolean(std::find(words.begin(), words.end(), x) != words.end());
}

class Reads {
 public:
  void begin(std::size_t variables) {
    looks_.clear();
    changes_.clear();
    how_.assign(variables, {});
    hopeless_ = false;
  }

  void look(Look::At at, std::uint32_t variable, Value key = {}) {
    for (const Look& l : looks_)
      if (l.variable == variable && (l.at == Look::At::whole || (l.at == at && l.key == key)))
        return;
    looks_.push_back({at, variable, key});
  }
  // It depends on more than its state, or on it in ways that nobody follows.
  void give_up() { hopeless_ = true; }

  // How the next value of a variable was made of the one that it has.
  void stays(std::uint32_t variable) { how_[variable] = {How::Kind::same, {}}; }
  void changes_at(std::uint32_t variable, Value key) { how_[variable] = {How::Kind::part, key}; }
  void is_new(std::uint32_t variable) { how_[variable] = {How::Kind::whole, {}}; }
  // A state that it leads to.
  void report(std::span<const Value> next) {
    changes_.clear();
    for (std::uint32_t v = 0; v < next.size(); ++v) {
      const How& how = how_[v];
      if (how.kind == How::Kind::same) continue;
      const bool whole = how.kind == How::Kind::whole;
      changes_.push_back({whole, v, how.key, whole ? next[v] : part_of(next[v], how.key)});
    }
  }

  const std::vector<Look>& looks() const { return looks_; }
  const std::vector<Assigned>& changes() const { return changes_; }  // of the last report
  bool hopeless() const { return hopeless_; }

 private:
  struct How {
    enum class Kind : std::uint8_t { whole, part, same } kind = Kind::whole;
    Value key;
  };
  std::vector<Look> looks_;
  std::vector<Assigned> changes_;
  std::vector<How> how_;
  bool hopeless_ = false;
};

}  // namespace schism::tla
