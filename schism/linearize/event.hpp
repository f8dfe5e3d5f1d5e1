// One event of a history as the file has it. Numbers and texts are not copied: they are valid until
// the reader goes on.
//
//   const std::unique_ptr<EventReader> events = json_events(text);
//   for (Event e;;) { Result<bool> more = events->next(e); if (!more || !*more) break; use(e); }
#pragma once

#include <memory>
#include <string_view>

#include "schism/base/result.hpp"
#include "schism/base/value.hpp"

namespace schism::linearize {

class Field {
 public:
  enum class Kind : std::uint8_t { absent, nil, integer, text, other };

  void clear() { kind_ = Kind::absent; }
  void set_nil() { kind_ = Kind::nil; }
  void set(std::int64_t integer) { kind_ = Kind::integer, integer_ = integer; }
  void set(std::string_view text) { kind_ = Kind::text, text_ = text; }
  void set(Value value);  // of any kind

  bool is_there() const { return kind_ != Kind::absent; }
  bool is_nil() const { return kind_ == Kind::nil; }
  const std::int64_t* as_int() const { return kind_ == Kind::integer ? &integer_ : nullptr; }
  const bool* as_bool() const { return kind_ == Kind::other ? other_.as_bool() : nullptr; }
  const Value::Array* as_array() const {
    return kind_ == Kind::other ? other_.as_array() : nullptr;
  }
  const Value::Object* as_object() const {
    return kind_ == Kind::other ? other_.as_object() : nullptr;
  }
  const Value::Array* as_pair() const {
    const Value::Array* array = as_array();
    return array && array->size() == 2 ? array : nullptr;
  }
  // A text without the colon of a keyword; empty: it is none.
  std::string_view word() const;
  Value value() const;  // nothing when it is absent

 private:
  Kind kind_ = Kind::absent;
  std::int64_t integer_ = 0;
  std::string_view text_;
  Value other_;
};

struct Event {
  std::uint32_t line = 0;
  Field process, type, f, key, value;
  Field said;  // what the answer says besides: `swapped` of a cas, `changed` of an add or a remove

  void clear();
  // The field of that name, without the colon of a keyword; null: nobody asks for it.
  Field* field(std::string_view name);
  // From a map that was read as a value. It must be an object.
  void take(const Value& map);
};

class EventReader {
 public:
  virtual ~EventReader() = default;
  // False at the end. An error begins with the line. Events of the nemesis are skipped.
  virtual Result<bool> next(Event& event) = 0;
};

std::unique_ptr<EventReader> json_events(std::string_view text);
std::unique_ptr<EventReader> edn_events(std::string_view text);

}  // namespace schism::linearize
