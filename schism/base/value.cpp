#include "schism/base/value.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "schism/base/limits.hpp"
#include "schism/base/text.hpp"

namespace schism {
namespace {

using Json = nlohmann::ordered_json;

// Deeper text is refused: recursion here and in every consumer must stay within the stack.
constexpr int kDepthMax = 64;

// Beyond so many keys a set remembers which ones were there.
constexpr std::size_t kFewKeys = 16;

bool has_twins(const Value::Object& object) {
  if (object.size() <= kFewKeys) {
    for (std::size_t i = 1; i < object.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (object[i].first == object[k].first) return true;
    return false;
  }
  absl::flat_hash_set<std::string_view> keys;
  return std::any_of(object.begin(), object.end(),
                     [&](const auto& pair) { return !keys.insert(pair.first).second; });
}

// Straight into the text: a tree of the library's own would cost several times its memory, and its
// ordered objects take time quadratic in their keys.
class Writer {
 public:
  std::string take() { return escape_json(std::move(out_)); }

  void put(const Value& value) {
    std::visit([&](const auto& data) { (*this)(data); }, value.data());
  }
  void operator()(std::monostate) { out_ += "null"; }
  void operator()(bool b) { out_ += b ? "true" : "false"; }
  void operator()(std::int64_t i) { out_ += std::to_string(i); }
  void operator()(double d) { out_ += Json(d).dump(); }
  void operator()(const std::string& s) {
    const bool plain = std::all_of(
        s.begin(), s.end(), [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; });
    if (plain) out_ += '"' + s + '"';
    else out_ += Json(s).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  void operator()(const Value::Array& a) {
    out_ += '[';
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (i > 0) out_ += ',';
      put(a[i]);
    }
    out_ += ']';
  }
  void operator()(const Value::Object& o) {
    if (has_twins(o)) return put_last_of_twins(o);
    out_ += '{';
    for (std::size_t i = 0; i < o.size(); ++i) {
      if (i > 0) out_ += ',';
      (*this)(o[i].first);
      out_ += ':';
      put(o[i].second);
    }
    out_ += '}';
  }

 private:
  // JSON that we read ourselves has no key twice: the last one counts.
  void put_last_of_twins(const Value::Object& o) {
    absl::flat_hash_map<std::string_view, std::size_t> places;
    Value::Object once;
    for (const auto& [key, value] : o) {
      const auto [at, fresh] = places.try_emplace(key, once.size());
      if (fresh) once.emplace_back(key, value);
      else once[at->second].second = value;
    }
    (*this)(once);
  }

  std::string out_;
};

// Builds a Value from parser events, so that depth, number of values and range of numbers are
// checked while reading.
class Builder : public nlohmann::json_sax<Json> {
 public:
  Value take() { return std::move(root_); }
  const std::string& problem() const { return problem_; }

  bool null() override { return put(Value()); }
  bool boolean(bool b) override { return put(Value(b)); }
  bool number_integer(number_integer_t i) override { return put(Value(std::int64_t{i})); }
  bool number_unsigned(number_unsigned_t u) override {
    if (u > static_cast<number_unsigned_t>(INT64_MAX)) return fail("a number is out of range");
    return put(Value(static_cast<std::int64_t>(u)));
  }
  bool number_float(number_float_t d, const string_t& text) override {
    // A whole number that fits no integer arrives here too: it would come back rounded.
    const bool whole = text.find_first_of(".eE") == string_t::npos;
    if (whole || !std::isfinite(d)) return fail("a number is out of range");
    return put(Value(d));
  }
  bool string(string_t& s) override { return put(Value(std::move(s))); }
  bool binary(binary_t&) override { return fail("binary data"); }
  bool start_object(std::size_t) override { return open(Value(Value::Object{})); }
  bool start_array(std::size_t) override { return open(Value(Value::Array{})); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& k) override {
    Open& open = stack_.back();
    if (open.has(k)) return fail("the key \"" + k + "\" stands twice");
    open.key = std::move(k);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    return fail("not JSON at byte " + std::to_string(position));
  }

 private:
  struct Open {
    Value container;
    std::string key;
    absl::flat_hash_set<std::string> keys;  // those before, where they are many

    bool has(const std::string& k) {
      const Value::Object& object = container.object();
      if (object.size() < kFewKeys) return container.find(k) != nullptr;
      if (keys.empty())
        for (const auto& pair : object) keys.insert(pair.first);
      return !keys.insert(k).second;
    }
  };

  bool fail(std::string what) {
    if (problem_.empty()) problem_ = std::move(what);
    return false;
  }
  bool open(Value container) {
    if (stack_.size() >= kDepthMax) return fail("nested too deeply");
    stack_.push_back({std::move(container), {}, {}});
    return true;
  }
  bool close() {
    Value done = std::move(stack_.back().container);
    stack_.pop_back();
    return put(std::move(done));
  }
  bool put(Value value) {
    if (++values_ > kValuesMax) return fail("more than a million values");
    if (stack_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Open& open = stack_.back();
    if (open.container.as_object()) {
      open.container.object().emplace_back(std::move(open.key), std::move(value));
    } else {
      open.container.push(std::move(value));
    }
    return true;
  }

  std::vector<Open> stack_;
  std::size_t values_ = 0;
  Value root_;
  std::string problem_;
};

}  // namespace

Value::Value() = default;
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;
Value::Value(std::string s) : data_(std::move(s)) {}
Value::Value(std::string_view s) : data_(std::string(s)) {}
Value::Value(const char* s) : data_(std::string(s)) {}
Value::Value(Array a) : data_(std::move(a)) {}
Value::Value(Object o) : data_(std::move(o)) {}

bool operator==(const Value& a, const Value& b) { return a.data_ == b.data_; }

std::optional<double> Value::as_number() const {
  if (const auto* i = as_int()) return static_cast<double>(*i);
  if (const auto* d = std::get_if<double>(&data_)) return *d;
  return std::nullopt;
}

const Value* Value::find(std::string_view key) const {
  const Object* object = as_object();
  if (!object) return nullptr;
  for (const auto& [k, v] : *object)
    if (k == key) return &v;
  return nullptr;
}

void Value::set(std::string key, Value value) {
  if (!as_object()) data_ = Object{};
  auto& object = std::get<Object>(data_);
  for (auto& [k, v] : object)
    if (k == key) {
      v = std::move(value);
      return;
    }
  object.emplace_back(std::move(key), std::move(value));
}

void Value::push(Value value) {
  if (!as_array()) data_ = Array{};
  std::get<Array>(data_).push_back(std::move(value));
}

std::string to_json(const Value& value) {
  Writer writer;
  writer.put(value);
  return writer.take();
}

void sort_by_text(Value::Array& values) {
  std::vector<std::pair<std::string, std::size_t>> order;
  for (std::size_t i = 0; i < values.size(); ++i) order.emplace_back(to_json(values[i]), i);
  std::sort(order.begin(), order.end());
  Value::Array sorted;
  for (const auto& [text, i] : order) sorted.push_back(std::move(values[i]));
  values = std::move(sorted);
}

std::string print(const Value& value) {
  if (const auto* text = value.as_text()) return *text;
  if (const auto* object = value.as_object()) return print("", *object);
  if (const auto* array = value.as_array()) {
    std::string out = "[";
    for (const Value& item : *array) {
      if (out.size() > 1) out += ", ";
      out += print(item);
    }
    return out + "]";
  }
  if (value.is_null()) return "-";
  return to_json(value);
}

std::string print(std::string_view name, const Value& fields) {
  std::string out(name);
  const auto* object = fields.as_object();
  if (!object) return fields.is_null() ? out : out + "(" + print(fields) + ")";
  if (object->empty()) return out.empty() ? "()" : out;
  out += '(';
  bool first = true;
  for (const auto& [key, value] : *object) {
    if (!first) out += ", ";
    first = false;
    out += key + "=" + print(value);
  }
  return out + ")";
}

std::optional<Value> parse_json(std::string_view text, std::string* problem) {
  Builder builder;
  if (Json::sax_parse(text.begin(), text.end(), &builder)) return builder.take();
  if (problem) *problem = builder.problem().empty() ? "not JSON" : builder.problem();
  return std::nullopt;
}

}  // namespace schism
