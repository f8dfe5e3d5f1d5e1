#include "schism/schema/shape.hpp"

namespace schism {
namespace {

std::optional<FieldRange> range_of_bytes(const FieldType& type) {
  if (type.bytes == 0 || type.bytes > 8) return std::nullopt;
  const I128 count = I128{1} << (8 * type.bytes);
  if (type.natural) return FieldRange{0, count - 1};
  return FieldRange{-count / 2, count / 2 - 1};
}

bool fits_each(const FieldType& type, const Value::Array& items) {
  if (type.length && items.size() != *type.length) return false;
  for (const Value& item : items)
    if (!fits(*type.item, item)) return false;
  return true;
}

bool fits_pairs(const FieldType& type, const Value::Array& items) {
  for (const Value& item : items) {
    const Value::Array* pair = item.as_array();
    if (!pair || pair->size() != 2) return false;
    if (!fits(*type.key, (*pair)[0]) || !fits(*type.item, (*pair)[1])) return false;
  }
  return true;
}

bool fits_fields(const FieldType& type, const Value& value) {
  if (type.kind == FieldKind::tuple) {
    const Value::Array* parts = value.as_array();
    if (!parts || parts->size() != type.fields.size()) return false;
    for (std::size_t i = 0; i < parts->size(); ++i)
      if (!fits(*type.fields[i].type, (*parts)[i])) return false;
    return true;
  }
  if (!value.as_object()) return false;
  for (const FieldInfo& field : type.fields) {
    const Value* part = value.find(field.name);
    if (!part || !fits(*field.type, *part)) return false;
  }
  return true;
}

Value with(std::string key, Value value) {
  Value out;
  out.set(std::move(key), std::move(value));
  return out;
}

Value words_of(const FieldType& type) {
  Value::Array out;
  for (std::size_t i = 0; !nth_word(type.words, i).empty(); ++i)
    out.emplace_back(nth_word(type.words, i));
  return out;
}

Value describe_in(const FieldType& type, std::vector<const FieldType*>& above) {
  switch (type.kind) {
    case FieldKind::boolean: return "boolean";
    case FieldKind::number: return type.bytes == 8 ? Value("number") : with("number", type.bytes);
    case FieldKind::text: return "text";
    case FieldKind::node: return "node";
    case FieldKind::integer: return with(type.natural ? "natural" : "integer", type.bytes);
    case FieldKind::word: return with("words", words_of(type));
    default: break;
  }
  if (std::find(above.begin(), above.end(), &type) != above.end()) return "text";
  above.push_back(&type);
  Value out, parts;
  switch (type.kind) {
    case FieldKind::optional: out = with("optional", describe_in(*type.item, above)); break;
    case FieldKind::set: out = with("set", describe_in(*type.item, above)); break;
    case FieldKind::list:
      out = with("list", describe_in(*type.item, above));
      if (type.length) out.set("length", static_cast<std::int64_t>(*type.length));
      break;
    case FieldKind::map:
      parts.push(describe_in(*type.key, above));
      parts.push(describe_in(*type.item, above));
      out = with("map", std::move(parts));
      break;
    case FieldKind::tuple:
      parts = Value::Array{};
      for (const FieldInfo& field : type.fields) parts.push(describe_in(*field.type, above));
      out = with("tuple", std::move(parts));
      break;
    default:
      parts = Value::Object{};
      for (const FieldInfo& field : type.fields)
        parts.set(std::string(field.name), describe_in(*field.type, above));
      out = with("record", std::move(parts));
  }
  above.pop_back();
  return out;
}

std::optional<Value> other_number(const FieldType& type, std::int64_t now, Rng& rng) {
  const auto range = range_of(type);
  static constexpr std::int64_t steps[] = {-2, -1, 1, 2};
  std::vector<std::int64_t> candidates;
  for (const std::int64_t step : steps) {
    const I128 next = whole_number(type, now) + step;
    const bool inside = !range || (next >= range->low && next <= range->high);
    const I128 top = type.natural ? I128{UINT64_MAX} : I128{INT64_MAX};
    if (inside && next >= INT64_MIN && next <= top)
      candidates.push_back(static_cast<std::int64_t>(next));
  }
  if (candidates.empty()) return std::nullopt;
  return Value(candidates[rng.below(candidates.size())]);
}

std::optional<Value> other_word(const FieldType& type, std::string_view now, Rng& rng) {
  std::vector<std::string_view> candidates;
  for (std::size_t i = 0; !nth_word(type.words, i).empty(); ++i)
    if (nth_word(type.words, i) != now) candidates.push_back(nth_word(type.words, i));
  if (candidates.empty()) return std::nullopt;
  return Value(candidates[rng.below(candidates.size())]);
}

}  // namespace

std::string a_kind(FieldKind kind) {
  const bool vowel = kind == FieldKind::integer || kind == FieldKind::optional;
  return (vowel ? "an " : "a ") + std::string(enum_name(kind));
}

std::optional<FieldRange> range_of(const FieldType& type) {
  switch (type.kind) {
    case FieldKind::boolean: return FieldRange{0, 1};
    case FieldKind::word: return FieldRange{0, static_cast<I128>(count_words(type.words)) - 1};
    case FieldKind::node: return FieldRange{-1, (I128{1} << 31) - 1};
    case FieldKind::integer: return range_of_bytes(type);
    default: return std::nullopt;
  }
}

bool fits(const FieldType& type, const Value& value) {
  switch (type.kind) {
    case FieldKind::boolean: return value.as_bool() != nullptr;
    case FieldKind::number: return value.as_number().has_value();
    case FieldKind::text: return value.as_text() != nullptr;
    case FieldKind::node:
    case FieldKind::integer: {
      const auto range = range_of_bytes(type);
      const auto* i = value.as_int();
      if (!i || !range) return i != nullptr;
      const I128 whole = whole_number(type, *i);
      return whole >= range->low && whole <= range->high;
    }
    case FieldKind::word: {
      const auto* word = value.as_text();
      if (!word || word->empty()) return false;
      for (std::size_t i = 0; !nth_word(type.words, i).empty(); ++i)
        if (nth_word(type.words, i) == *word) return true;
      return false;
    }
    case FieldKind::optional: return value.is_null() || fits(*type.item, value);
    case FieldKind::list:
    case FieldKind::set: return value.as_array() && fits_each(type, *value.as_array());
    case FieldKind::map: return value.as_array() && fits_pairs(type, *value.as_array());
    case FieldKind::tuple:
    case FieldKind::record: return fits_fields(type, value);
  }
  return false;
}

std::optional<Value> draw_other(const FieldType& type, const Value& value, Rng& rng) {
  switch (type.kind) {
    case FieldKind::boolean: return value.as_bool() ? Value(!*value.as_bool()) : Value(true);
    case FieldKind::integer:
    case FieldKind::node: return other_number(type, value.as_int() ? *value.as_int() : 0, rng);
    case FieldKind::word: return other_word(type, value.as_text() ? *value.as_text() : "", rng);
    case FieldKind::number:
      return Value(value.as_number().value_or(0) + (rng.chance(0.5) ? 1.0 : -1.0));
    case FieldKind::text: {
      const auto* text = value.as_text();
      return Value(!text || text->empty() ? "?" : text->substr(0, text->size() - 1));
    }
    case FieldKind::optional: return draw_other(*type.item, value, rng);
    default: return std::nullopt;
  }
}

I128 whole_number(const FieldType& type, std::int64_t shown) {
  return type.natural && type.bytes == 8 ? I128{static_cast<std::uint64_t>(shown)} : I128{shown};
}

Value describe(const FieldType& type) {
  std::vector<const FieldType*> above;
  return describe_in(type, above);
}

}  // namespace schism
