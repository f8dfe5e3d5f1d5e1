#include "schism/model/field_reader.hpp"

#include <cstring>

#include "schism/base/params.hpp"
#include "schism/tla/symbols.hpp"

namespace schism::model {
namespace {

template <class T>
std::uint64_t bits_at(const void* place) {
  T bits;
  std::memcpy(&bits, place, sizeof bits);
  return bits;
}

std::int64_t load(const FieldType& type, const void* place) {
  std::uint64_t bits = 0;
  switch (type.bytes) {
    case 1: bits = bits_at<std::uint8_t>(place); break;
    case 4: bits = bits_at<std::uint32_t>(place); break;
    case 8: bits = bits_at<std::uint64_t>(place); break;
    default: std::memcpy(&bits, place, type.bytes); break;
  }
  const int unused = 64 - 8 * type.bytes;
  return type.natural ? static_cast<std::int64_t>(bits)
                      : static_cast<std::int64_t>(bits << unused) >> unused;
}

bool is_scalar(const FieldType& type) {
  return type.bytes > 0 && type.kind != FieldKind::number && type.kind != FieldKind::text;
}

// The n-th field of a record.
const void* nth_field(const FieldType& record, const void* place, std::size_t n) {
  struct Find {
    std::size_t left;
    const void* found;
  } find{n, nullptr};
  record.visit(place, &find, [](void* self, const void* field) {
    auto& f = *static_cast<Find*>(self);
    if (f.left-- == 0) f.found = field;
  });
  return find.found;
}

tla::Value read_value(const FieldType& type, const void* place, tla::Store& store) {
  if (!is_scalar(type)) return to_tla(type.get(place), store);
  const std::int64_t number = load(type, place);
  if (type.kind == FieldKind::boolean) return tla::Value::boolean(number != 0);
  if (type.kind != FieldKind::word) return tla::Value::integer(number);
  return tla::Value::string(
      store.symbols().intern(nth_word(type.words, static_cast<std::size_t>(number))));
}

Hash128 absorb_value(Hash128 h, const FieldType& type, const void* place) {
  if (is_scalar(type)) return absorb(h, static_cast<std::uint64_t>(load(type, place)));
  if (type.kind == FieldKind::list && type.at) {
    const std::size_t count = type.count(place);
    h = absorb(h, count);
    for (std::size_t i = 0; i < count; ++i) h = absorb_value(h, *type.item, type.at(place, i));
    return h;
  }
  if (type.kind == FieldKind::record && type.visit) {
    struct Visit {
      Hash128 h;
      const FieldInfo* next;
    } visit{h, type.fields.data()};
    type.visit(place, &visit, [](void* self, const void* field) {
      auto& v = *static_cast<Visit*>(self);
      v.h = absorb_value(v.h, *(v.next++)->type, field);
    });
    return visit.h;
  }
  return absorb_text(h, to_json(type.get(place)));
}

std::vector<std::string> names_of(const FieldType& record) {
  std::vector<std::string> out;
  for (const FieldInfo& field : record.fields) out.emplace_back(field.name);
  return out;
}

}  // namespace

tla::Value to_tla(const Value& value, tla::Store& store) {
  if (const bool* b = value.as_bool()) return tla::Value::boolean(*b);
  if (const std::int64_t* i = value.as_int()) return tla::Value::integer(*i);
  if (const std::string* s = value.as_text()) return tla::Value::string(store.symbols().intern(*s));
  if (const Value::Array* items = value.as_array()) {
    std::vector<tla::Value> out;
    for (const Value& item : *items) out.push_back(to_tla(item, store));
    return store.tuple(out);
  }
  if (const Value::Object* fields = value.as_object()) {
    std::vector<tla::Value> names;
    for (const auto& [name, part] : *fields)
      names.push_back(tla::Value::string(store.symbols().intern(name)));
    const tla::Value domain = store.set(names);  // sorts them
    std::vector<tla::Value> values;
    for (const tla::Value name : names)
      values.push_back(to_tla(*value.find(store.symbols().text(name.symbol())), store));
    return store.function(domain, values);
  }
  return tla::Value::model(store.symbols().intern("none"));  // equal to nothing else
}

Result<FieldReader> FieldReader::parse(const TypeInfo& type, std::string_view text) {
  FieldReader out;
  const FieldType* at = type.schema;
  const std::string whole(text);
  while (!text.empty()) {
    if (text.starts_with("[]")) {
      if (at->kind != FieldKind::list || !at->at)
        return error("\"{}\": [] is for lists of things that stand in memory", whole);
      out.steps_.push_back({true, 0, at, false});
      at = at->item;
      text.remove_prefix(2);
    } else {
      if (text.front() == '.') text.remove_prefix(1);
      const std::string name(text.substr(0, text.find_first_of(".[")));
      if (at->kind != FieldKind::record || !at->visit)
        return error("\"{}\": what stands before \"{}\" has no fields", whole, name);
      std::size_t i = 0;
      while (i < at->fields.size() && at->fields[i].name != name) ++i;
      if (i == at->fields.size())
        return error("{} has {}", type.name, unknown_word("field", name, names_of(*at)));
      out.steps_.push_back({false, i, at, at->fields[i].member});
      at = at->fields[i].type;
      text.remove_prefix(name.size());
    }
  }
  out.last_ = at;
  return out;
}

const void* FieldReader::enter(const Step& step, const void* place) {
  if (step.offset >= 0) return static_cast<const char*>(place) + step.offset;
  const void* const found = nth_field(*step.from, place, step.field);
  if (step.member) step.offset = static_cast<const char*>(found) - static_cast<const char*>(place);
  return found;
}

Hash128 FieldReader::absorb_into(Hash128 h, const void* object) const {
  return absorb_at(h, object, 0);
}

Hash128 FieldReader::absorb_at(Hash128 h, const void* place, std::size_t step) const {
  for (; step < steps_.size() && !steps_[step].each; ++step) place = enter(steps_[step], place);
  if (step == steps_.size()) return absorb_value(h, *last_, place);
  const FieldType& list = *steps_[step].from;
  const std::size_t count = list.count(place);
  h = absorb(h, count);
  const bool is_last = step + 2 == steps_.size() && is_scalar(*last_) && steps_[step + 1].member;
  if (is_last && count > 0) {  // a number at the same place of each
    enter(steps_[step + 1], list.at(place, 0));
    const std::int64_t offset = steps_[step + 1].offset;
    Hash128 all{0x2545f4914f6cdd1dULL, 0x6a09e667f3bcc909ULL};
    for (std::size_t i = 0; i < count; ++i) {
      const auto* item = static_cast<const char*>(list.at(place, i));
      const auto number = static_cast<std::uint64_t>(load(*last_, item + offset));
      all.lo = (rotate_left(all.lo, 23) ^ number) * 0x9e3779b97f4a7c15ULL;
      all.hi = (rotate_left(all.hi, 41) + number) * 0xd6e8feb86659fd93ULL;
    }
    return absorb(h, all);
  }
  for (std::size_t i = 0; i < count; ++i) h = absorb_at(h, list.at(place, i), step + 1);
  return h;
}

tla::Value FieldReader::read(const void* object, tla::Store& store) const {
  return read_at(object, 0, store);
}

tla::Value FieldReader::read_at(const void* place, std::size_t step, tla::Store& store) const {
  for (; step < steps_.size() && !steps_[step].each; ++step) place = enter(steps_[step], place);
  if (step == steps_.size()) return read_value(*last_, place, store);
  const FieldType& list = *steps_[step].from;
  std::vector<tla::Value> items;
  for (std::size_t i = 0, count = list.count(place); i < count; ++i)
    items.push_back(read_at(list.at(place, i), step + 1, store));
  return store.tuple(items);
}

}  // namespace schism::model
