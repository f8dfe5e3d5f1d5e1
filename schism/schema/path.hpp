// One place in a record: "term", "log[2].term", "entries.size", "next[3]" (of a map: by its key),
// "inner.flag", or what FIELDS(...) computes, by its name there ("log.size()", or "log.size").
// Lists count from 0 in the order in which their items are shown. An optional is what it holds.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "schism/base/fields.hpp"
#include "schism/base/result.hpp"

namespace schism {

class Path {
 public:
  // An error names what there is instead.
  static Result<Path> parse(const TypeInfo& type, std::string_view text);
  // The beginning of `text`, which is shortened by it.
  static Result<Path> take(const TypeInfo& type, std::string_view& text);

  // The kind of what is there, optionals opened.
  const FieldType& type() const { return *type_; }

  // Null: there is nothing (an item beyond the end, an optional that is empty).
  Value read(const void* object) const { return read_at(object, 0); }
  Value read(const Value& value) const { return read_value(value, 0); }
  // False, and nothing is changed: there is no such place, it is computed, the value does not fit.
  bool write(void* object, const Value& value) const;
  bool write(Value& object, const Value& value) const;

  // The place in an object, where it is the same in all of them and was met once; else -1.
  std::int32_t offset() const;

 private:
  enum class Go : std::uint8_t { field, item, key, size, inside };  // inside: an optional
  // Found when it is first met: a type says only what it has, an object where.
  struct Offset {
    std::atomic<std::int32_t> bytes{-1};
    Offset() = default;
    Offset(const Offset& o) : bytes(o.bytes.load(std::memory_order_relaxed)) {}
    Offset& operator=(const Offset& o) {
      bytes.store(o.bytes.load(std::memory_order_relaxed), std::memory_order_relaxed);
      return *this;
    }
  };
  struct Step {
    Go go = Go::field;
    std::size_t number = 0;  // field or item
    Value key;
    const FieldType* from = nullptr;
    const FieldType* to = nullptr;
    mutable Offset offset;
  };
  friend class PathParser;
  struct Pick;

  Value read_at(const void* place, std::size_t step) const;
  Value read_field(const void* place, std::size_t step) const;
  Value read_value(const Value& value, std::size_t step) const;
  bool write_value(Value& value, const Value& to, std::size_t step) const;
  static const Value* part(const Value& value, const Step& step);

  std::vector<Step> steps_;
  const FieldType* type_ = nullptr;
};

}  // namespace schism
