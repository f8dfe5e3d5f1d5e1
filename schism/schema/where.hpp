// A condition over the fields of one record, as people write it:
//
//   term > 3 and role = leader
//   not (votes has 2 or log.size >= commit) and vote != nothing and log[0].term < term
//
// Comparisons are = != < <= > >=, and `has` for items of lists and sets and keys of maps. A
// comparison with something that is not there is false, whichever it is; `= nothing` asks for just
// that. Numbers are compared exactly, texts byte by byte, all other kinds by = and != alone. A
// number, word or boolean at a fixed place of an object is loaded from there: no value is made.
#pragma once

#include <variant>

#include "schism/schema/path.hpp"

namespace schism {

class Where {
 public:
  static Result<Where> parse(const TypeInfo& type, std::string_view text);

  // Of an object of the type; of such an object as a value. They agree.
  bool holds(const void* object) const { return holds_at(root_, object); }
  bool holds(const Value& value) const { return holds_at(root_, value); }

 private:
  enum class Test : std::uint8_t { both, either, negation, compare, has };
  enum class Order : std::uint8_t { equal, unequal, less, at_most, greater, at_least };
  struct Term {
    Test test = Test::compare;
    Order order = Order::equal;
    bool quick = false;                 // a number in the object, and a constant
    std::uint32_t left = 0, right = 0;  // terms; or places
    std::variant<Value, Path> other;    // what it is compared with
    I128 constant = 0;
  };
  friend class WhereParser;

  template <class Source>
  bool holds_at(std::uint32_t term, const Source& source) const;
  template <class Source>
  bool compare(const Term& term, const Source& source) const;
  template <class Source>
  bool has(const Term& term, const Source& source) const;
  std::optional<I128> load(const Path& path, const void* object) const;
  static std::optional<I128> load(const Path&, const Value&) { return std::nullopt; }

  std::vector<Term> terms_;
  std::vector<Path> paths_;
  std::uint32_t root_ = 0;
};

}  // namespace schism
