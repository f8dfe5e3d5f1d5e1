#include "schism/schema/record_type.hpp"

#include <bit>

#include "schism/schema/shape.hpp"

namespace schism {
namespace {

constexpr int kDepthMax = 32;

Value default_of(const FieldType& type) {
  switch (type.kind) {
    case FieldKind::boolean: return false;
    case FieldKind::integer: return 0;
    case FieldKind::node: return -1;
    case FieldKind::number: return 0.0;
    case FieldKind::word: return nth_word(type.words, 0);
    case FieldKind::text: return "";
    case FieldKind::optional: return {};
    case FieldKind::list: {
      return Value::Array(type.length.value_or(0), default_of(*type.item));
    }
    case FieldKind::set:
    case FieldKind::map: return Value::Array{};
    case FieldKind::tuple: {
      Value::Array out;
      for (const FieldInfo& field : type.fields) out.push_back(default_of(*field.type));
      return out;
    }
    case FieldKind::record: {
      Value::Object out;
      for (const FieldInfo& field : type.fields)
        out.emplace_back(field.name, default_of(*field.type));
      return out;
    }
  }
  return {};
}

// As declared: names in their order, nothing else.
Value in_order(const FieldType& type, const Value& value) {
  switch (type.kind) {
    case FieldKind::optional: return value.is_null() ? value : in_order(*type.item, value);
    case FieldKind::record: {
      Value::Object out;
      for (const FieldInfo& field : type.fields)
        out.emplace_back(field.name, in_order(*field.type, *value.find(field.name)));
      return out;
    }
    case FieldKind::list:
    case FieldKind::set: {
      Value::Array out;
      for (const Value& item : *value.as_array()) out.push_back(in_order(*type.item, item));
      return out;
    }
    case FieldKind::tuple: {
      Value::Array out;
      for (std::size_t i = 0; i < type.fields.size(); ++i)
        out.push_back(in_order(*type.fields[i].type, (*value.as_array())[i]));
      return out;
    }
    case FieldKind::map: {
      Value::Array out;
      for (const Value& item : *value.as_array()) {
        const Value::Array& pair = *item.as_array();
        out.emplace_back(Value::Array{in_order(*type.key, pair[0]), in_order(*type.item, pair[1])});
      }
      return out;
    }
    default: return value;
  }
}

Value& object(void* p) { return *static_cast<Value*>(p); }
const Value& object(const void* p) { return *static_cast<const Value*>(p); }
const RecordType& type(const void* context) { return *static_cast<const RecordType*>(context); }

bool simple_name(std::string_view name) {
  if (name.empty()) return false;
  int depth = 0;  // a comma outside of them would end the name
  for (const char c : name) {
    if (c == '(' || c == '{' || c == '<') ++depth;
    if (c == ')' || c == '}' || c == '>') --depth;
    if (depth < 0 || (c == ',' && depth == 0) || static_cast<unsigned char>(c) < ' ') return false;
  }
  return depth == 0 && name.front() != ' ' && name.back() != ' ';
}

}  // namespace

Hash128 absorb_shaped(Hash128 h, const FieldType& type, const Value& value,
                      const Renaming* renaming) {
  switch (type.kind) {
    case FieldKind::boolean: return absorb(h, value.as_bool() && *value.as_bool() ? 1 : 0);
    case FieldKind::integer:
      return absorb(h, value.as_int() ? static_cast<std::uint64_t>(*value.as_int()) : 0);
    case FieldKind::node: {
      const int node = value.as_int() ? static_cast<int>(*value.as_int()) : -1;
      return absorb(h, static_cast<std::uint64_t>(renaming ? renaming->node(node) : node));
    }
    case FieldKind::number: {
      const double d = value.as_number().value_or(0);
      return absorb(h, std::bit_cast<std::uint64_t>(d == 0 ? 0.0 : d));  // one zero
    }
    case FieldKind::word:
    case FieldKind::text: return absorb_text(h, value.as_text() ? *value.as_text() : "");
    case FieldKind::optional:
      if (value.is_null()) return absorb(h, 0);
      return absorb_shaped(absorb(h, 1), *type.item, value, renaming);
    case FieldKind::record:
      for (const FieldInfo& field : type.fields)
        if (const Value* part = value.find(field.name))
          h = absorb_shaped(h, *field.type, *part, renaming);
      return h;
    default: break;
  }
  const Value::Array* items = value.as_array();
  if (!items) return h;
  h = absorb(h, items->size());
  Hash128 sum;  // what has no order of its own, or one that follows from what it holds
  for (std::size_t i = 0; i < items->size(); ++i) {
    const Value& item = (*items)[i];
    if (type.kind == FieldKind::list) h = absorb_shaped(h, *type.item, item, renaming);
    if (type.kind == FieldKind::tuple) h = absorb_shaped(h, *type.fields[i].type, item, renaming);
    if (type.kind == FieldKind::set) sum += absorb_shaped({}, *type.item, item, renaming);
    if (type.kind == FieldKind::map) {
      const Hash128 key = absorb_shaped({}, *type.key, (*item.as_array())[0], renaming);
      sum += absorb_shaped(key, *type.item, (*item.as_array())[1], renaming);
    }
  }
  return absorb(h, sum);
}

Result<std::unique_ptr<const RecordType>> RecordType::make(std::string name, const Value& shape) {
  std::unique_ptr<RecordType> out(new RecordType);
  out->name_ = std::move(name);
  const auto root = out->read(shape, 0);
  if (!root) return error("the type {}: {}", out->name_, root.error());
  if ((*root)->kind != FieldKind::record)
    return error("the type {} is {}, not a record", out->name_, a_kind((*root)->kind));
  out->fill_info();
  return out;
}

void RecordType::fill_info() {
  FieldType& root = types_.front();
  root.size = sizeof(Value);
  root.get = [](const void* p) { return object(p); };
  root.set = [](void* p, const Value& v) { return object(p) = v, true; };  // Path has checked it
  for (const FieldInfo& field : root.fields)
    field_names_ += (field_names_.empty() ? "" : ", ") + std::string(field.name);
  info_.name = name_, info_.field_names = field_names_;
  info_.name_hash = hash_text(name_);
  info_.size = sizeof(Value), info_.align = alignof(Value);
  info_.fields = root.fields, info_.schema = &root;
  info_.destroy = {[](const void*, void* p) { object(p).~Value(); }, this};
  info_.move = {[](const void*, void* to, void* from) { new (to) Value(std::move(object(from))); },
                this};
  info_.copy = {[](const void*, void* to, const void* from) { new (to) Value(object(from)); },
                this};
  info_.construct = {
      [](const void* t, void* p) { new (p) Value(default_of(*type(t).info_.schema)); }, this};
  info_.hash = {[](const void* t, const void* p) {
                  const TypeInfo& info = type(t).info_;
                  return absorb_shaped(Hash128{info.name_hash, 1}, *info.schema, object(p));
                },
                this};
  info_.renamed = {[](const void* t, const void* p, const Renaming& r) {
                     const TypeInfo& info = type(t).info_;
                     return absorb_shaped(Hash128{info.name_hash, 1}, *info.schema, object(p), &r);
                   },
                   this};
  info_.to_value = {[](const void*, const void* p) { return object(p); }, this};
  info_.from_value = {[](const void* t, const Value& v, void* p) {
                        const FieldType& schema = *type(t).info_.schema;
                        if (!fits(schema, v)) return false;
                        object(p) = in_order(schema, v);
                        return true;
                      },
                      this};
}

// ---- a description -----------------------------------------------------------------------------

Result<const FieldType*> RecordType::read(const Value& shape, int depth) {
  if (depth > kDepthMax) return error("it is nested too deeply");
  FieldType& out = types_.emplace_back();
  if (const auto* word = shape.as_text()) {
    if (*word == "boolean") out.kind = FieldKind::boolean;
    else if (*word == "node") out.kind = FieldKind::node;
    else if (*word == "number") out.kind = FieldKind::number, out.bytes = 8;
    else if (*word != "text") return error("{} is no kind of field", to_json(shape));
    if (out.kind == FieldKind::node) out.bytes = sizeof(int);
    return &out;
  }
  if (!shape.as_object() || shape.as_object()->empty())
    return error("{} is no kind of field", to_json(shape));
  const auto& [kind, inside] = shape.as_object()->front();
  if (kind == "integer" || kind == "natural" || kind == "number") {
    const auto* bytes = inside.as_int();
    const bool number = kind == "number";
    if (!bytes || *bytes > 8 || *bytes < (number ? 4 : 0) || (*bytes & (*bytes - 1)) != 0)
      return error("{} bytes are no {}", to_json(inside), kind);
    out.kind = number ? FieldKind::number : FieldKind::integer;
    out.bytes = static_cast<std::uint8_t>(*bytes), out.natural = kind == "natural";
    return &out;
  }
  if (kind == "optional" || kind == "list" || kind == "set") {
    out.kind = *enum_value<FieldKind>(kind);
    if (const Value* length = shape.find("length")) {
      if (kind != "list" || !length->as_int() || *length->as_int() < 0 ||
          *length->as_int() > 1'000'000)
        return error("{} is no length of a {}", to_json(*length), kind);
      out.length = static_cast<std::size_t>(*length->as_int());
    }
    const auto item = read(inside, depth + 1);
    if (!item) return item;
    out.item = *item;
    return &out;
  }
  if (auto parts = read_parts(shape, depth, out); !parts) return tl::unexpected(parts.error());
  return &out;
}

Status RecordType::read_parts(const Value& shape, int depth, FieldType& out) {
  const auto& [kind, inside] = shape.as_object()->front();
  if (kind == "record" && inside.as_object()) {
    out.kind = FieldKind::record;
    std::vector<FieldInfo>& fields = fields_.emplace_back();
    for (const auto& [name, part] : *inside.as_object()) {
      if (!simple_name(name)) return error("\"{}\" is no name of a field", name);
      const auto item = read(part, depth + 1);
      if (!item) return error("{}: {}", name, item.error());
      fields.push_back({texts_.emplace_back(name), *item, true});
    }
    out.fields = fields;
    return {};
  }
  const Value::Array* items = inside.as_array();
  if (kind == "words" && items && !items->empty()) {
    std::string& words = texts_.emplace_back();
    for (const Value& word : *items) {
      if (!word.as_text() || !simple_name(*word.as_text()))
        return error("{} is no word", to_json(word));
      words += (words.empty() ? "" : ", ") + *word.as_text();
    }
    out.kind = FieldKind::word, out.words = words;
    return {};
  }
  if (kind == "map" && items && items->size() == 2) {
    const auto key = read((*items)[0], depth + 1);
    const auto item = read((*items)[1], depth + 1);
    if (!key || !item) return tl::unexpected(key ? item.error() : key.error());
    out.kind = FieldKind::map, out.key = *key, out.item = *item;
    return {};
  }
  if (kind == "tuple" && items) {
    std::vector<FieldInfo>& fields = fields_.emplace_back();
    for (const Value& part : *items) {
      const auto item = read(part, depth + 1);
      if (!item) return tl::unexpected(item.error());
      fields.push_back({"", *item, true});
    }
    out.kind = FieldKind::tuple, out.fields = fields;
    return {};
  }
  return error("{} is no kind of field", to_json(shape));
}

}  // namespace schism
