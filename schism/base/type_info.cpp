#include "schism/base/type_info.hpp"

namespace schism {

bool accepts(const TypeInfo& type, const Value& content) {
  if (!type.construct) return false;
  const std::align_val_t align{type.align};
  void* const object = ::operator new(type.size, align);
  type.construct(object);
  const bool good = type.from_value(content, object);
  if (type.destroy) type.destroy(object);
  ::operator delete(object, align);
  return good;
}

namespace {

template <class Items, class Print>
std::string joined(const char* ends, const Items& items, const Print& one) {
  std::string out(1, ends[0]);
  for (const auto& item : items) {
    if (out.size() > 1) out += ", ";
    out += one(item);
  }
  return out + ends[1];
}

std::string print_entry(const FieldType& map, const Value& entry) {
  const auto* parts = entry.as_array();
  if (!parts || parts->size() != 2) return print(entry);
  return print(*map.key, (*parts)[0]) + ": " + print(*map.item, (*parts)[1]);
}

std::string print_fields(const FieldType& type, const Value::Object& fields) {
  std::size_t i = 0;
  return joined("()", fields, [&](const auto& field) {
    const bool known = i < type.fields.size() && type.fields[i].name == field.first;
    const FieldType* of = known ? type.fields[i].type : nullptr;
    ++i;
    return field.first + "=" + (of ? print(*of, field.second) : print(field.second));
  });
}

}  // namespace

std::string print(const FieldType& type, const Value& value) {
  if (type.kind == FieldKind::optional && !value.is_null()) return print(*type.item, value);
  if (type.kind == FieldKind::record && value.as_object())
    return print_fields(type, *value.as_object());
  const auto* items = value.as_array();
  if (!items) return print(value);
  const auto item = [&](const Value& v) { return print(*type.item, v); };
  switch (type.kind) {
    case FieldKind::map:
      return joined("{}", *items, [&](const Value& entry) { return print_entry(type, entry); });
    case FieldKind::set: return joined("{}", *items, item);
    case FieldKind::list: return joined("[]", *items, item);
    case FieldKind::tuple: {
      std::size_t i = 0;
      return joined("()", *items, [&](const Value& v) {
        const std::size_t at = i++;
        return at < type.fields.size() ? print(*type.fields[at].type, v) : print(v);
      });
    }
    default: return print(value);
  }
}

std::string print(const TypeInfo& type, const Value& fields) {
  const auto* object = fields.as_object();
  if (!object || object->empty()) return print(type.name, fields);
  return std::string(type.name) + print_fields(*type.schema, *object);
}

}  // namespace schism
