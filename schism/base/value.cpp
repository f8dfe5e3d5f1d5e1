#include "schism/base/value.hpp"

#include <algorithm>

#include <cmath>
#include <nlohmann/json.hpp>

namespace schism {
namespace {

using Json = nlohmann::ordered_json;

// Deeper text is refused: recursion here and in every consumer must stay within the stack.
constexpr int kDepthMax = 64;

Json to_nlohmann(const Value& value) {
  struct Visitor {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(bool b) const { return b; }
    Json operator()(std::int64_t i) const { return i; }
    Json operator()(double d) const { return d; }
    Json operator()(const std::string& s) const { return s; }
    Json operator()(const Value::Array& a) const {
      Json out = Json::array();
      for (const Value& v : a) out.push_back(to_nlohmann(v));
      return out;
    }
    Json operator()(const Value::Object& o) const {
      Json out = Json::object();
      for (const auto& [key, v] : o) out[key] = to_nlohmann(v);
      return out;
    }
  };
  return std::visit(Visitor{}, value.data());
}

// Builds a Value from parser events, so that depth and number range are checked while reading.
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
    if (stack_.back().container.find(k)) return fail("the key \"" + k + "\" stands twice");
    stack_.back().key = std::move(k);
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
  };

  bool fail(std::string what) {
    if (problem_.empty()) problem_ = std::move(what);
    return false;
  }
  bool open(Value container) {
    if (stack_.size() >= kDepthMax) return fail("nested too deeply");
    stack_.push_back({std::move(container), {}});
    return true;
  }
  bool close() {
    Value done = std::move(stack_.back().container);
    stack_.pop_back();
    return put(std::move(done));
  }
  bool put(Value value) {
    if (stack_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Open& open = stack_.back();
    if (open.container.as_object()) {
      open.container.set(std::move(open.key), std::move(value));
    } else {
      open.container.push(std::move(value));
    }
    return true;
  }

  std::vector<Open> stack_;
  Value root_;
  std::string problem_;
};

}  // namespace

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
  return to_nlohmann(value).dump(-1, ' ', false, Json::error_handler_t::replace);
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
      if (out.size() > 1) out += ' ';
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
