#include "schism/linearize/event.hpp"

namespace schism::linearize {

void Field::set(Value value) {
  if (value.is_null()) return set_nil();
  if (const auto* integer = value.as_int()) return set(*integer);
  other_ = std::move(value);
  kind_ = Kind::other;
  if (const auto* text = other_.as_text()) set(std::string_view(*text));
}

std::string_view Field::word() const {
  if (kind_ != Kind::text) return {};
  return text_.starts_with(':') ? text_.substr(1) : text_;
}

Value Field::value() const {
  switch (kind_) {
    case Kind::absent:
    case Kind::nil: return {};
    case Kind::integer: return integer_;
    case Kind::text: return text_;
    case Kind::other: return other_;
  }
  return {};
}

void Event::clear() {
  for (Field* each : {&process, &type, &f, &key, &value, &said}) each->clear();
}

Field* Event::field(std::string_view name) {
  switch (name.size()) {
    case 1: return name == "f" ? &f : nullptr;
    case 3: return name == "key" ? &key : nullptr;
    case 4: return name == "type" ? &type : nullptr;
    case 5: return name == "value" ? &value : nullptr;
    case 7:
      if (name == "process") return &process;
      return name == "swapped" || name == "changed" ? &said : nullptr;
    default: return nullptr;
  }
}

void Event::take(const Value& map) {
  clear();
  // Where a name stands with and without a colon, the plain one counts.
  for (const bool plain : {false, true})
    for (const auto& [name, item] : *map.as_object()) {
      if (name.starts_with(':') == plain) continue;
      if (Field* at = field(plain ? std::string_view(name) : std::string_view(name).substr(1)))
        at->set(item);
    }
}

}  // namespace schism::linearize
