// A dynamically typed value: what a message, a state or an announcement looks like from outside.
// Only slow paths use it (files, pages, conditions by name); nodes and the world never do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace schism {

class Value {
 public:
  using Array = std::vector<Value>;
  using Object = std::vector<std::pair<std::string, Value>>;  // in order of declaration
  using Data = std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object>;

  // What is not trivial is in value.cpp: inlined everywhere it took long to compile.
  Value();
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();
  Value(bool b) : data_(b) {}
  Value(std::int64_t i) : data_(i) {}
  Value(int i) : data_(std::int64_t{i}) {}
  Value(double d) : data_(d) {}
  Value(std::string s);
  Value(std::string_view s);
  Value(const char* s);
  Value(Array a);
  Value(Object o);

  const Data& data() const { return data_; }
  bool is_null() const { return std::holds_alternative<std::monostate>(data_); }
  const bool* as_bool() const { return std::get_if<bool>(&data_); }
  const std::int64_t* as_int() const { return std::get_if<std::int64_t>(&data_); }
  std::optional<double> as_number() const;  // an integer too
  const std::string* as_text() const { return std::get_if<std::string>(&data_); }
  const Array* as_array() const { return std::get_if<Array>(&data_); }
  const Object* as_object() const { return std::get_if<Object>(&data_); }
  Array& array() { return std::get<Array>(data_); }  // it must be one
  Object& object() { return std::get<Object>(data_); }

  const Value* find(std::string_view key) const;  // of an object; null when absent
  void set(std::string key, Value value);         // makes it an object; replaces
  void push(Value value);                         // makes it an array; appends

  friend bool operator==(const Value& a, const Value& b);

 private:
  Data data_;
};

// JSON on one line, keys in order.
std::string to_json(const Value& value);
// For what has no order of its own.
void sort_by_text(Value::Array& values);
// How a person reads it: Commit(value=1, round=0) is print("Commit", value).
std::string print(const Value& value);
std::string print(std::string_view name, const Value& fields);
// Nothing when the text is no JSON; `problem` then says what and at which byte.
std::optional<Value> parse_json(std::string_view text, std::string* problem = nullptr);

}  // namespace schism
