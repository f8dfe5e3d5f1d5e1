#include "schism/model/field_reader.hpp"

#include <algorithm>
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

// Beyond what an integer of the evaluator holds (hashes are) it is a model value named by its
// digits: equal to itself, and no number.
tla::Value integer(std::int64_t number, tla::Store& store) {
  if (number >= -tla::kIntegerMax && number <= tla::kIntegerMax) return tla::Value::integer(number);
  return tla::Value::model(store.symbols().intern(std::to_string(number)));
}

tla::Value read_value(const FieldType& type, const void* place, tla::Store& store) {
  if (!is_scalar(type)) return to_tla(type.get(place), store);
  const std::int64_t number = load(type, place);
  if (type.kind == FieldKind::boolean) return tla::Value::boolean(number != 0);
  if (type.kind != FieldKind::word) return integer(number, store);
  return tla::Value::string(
      store.symbols().intern(nth_word(type.words, static_cast<std::size_t>(number))));
}

void add_value(Gist& gist, const FieldType& type, const void* place) {
  if (is_scalar(type)) return gist.add(static_cast<std::uint64_t>(load(type, place)));
  if (type.kind == FieldKind::list && type.at) {
    const std::size_t count = type.count(place);
    gist.add(count);
    for (std::size_t i = 0; i < count; ++i) add_value(gist, *type.item, type.at(place, i));
    return;
  }
  if (type.kind == FieldKind::record && type.visit) {
    struct Visit {
      Gist& gist;
      const FieldInfo* next;
    } visit{gist, type.fields.data()};
    type.visit(place, &visit, [](void* self, const void* field) {
      auto& v = *static_cast<Visit*>(self);
      add_value(v.gist, *(v.next++)->type, field);
    });
    return;
  }
  const Hash128 text = absorb_text({}, to_json(type.get(place)));
  gist.add(text.lo), gist.add(text.hi);
}

std::vector<std::string> names_of(const FieldType& record) {
  std::vector<std::string> out;
  for (const FieldInfo& field : record.fields) out.emplace_back(field.name);
  return out;
}

}  // namespace

tla::Value to_tla(const Value& value, tla::Store& store) {
  if (const bool* b = value.as_bool()) return tla::Value::boolean(*b);
  if (const std::int64_t* i = value.as_int()) return integer(*i, store);
  if (value.as_number()) return tla::Value::model(store.symbols().intern(to_json(value)));
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
  out.is_number_ = is_scalar(*at) && std::all_of(out.steps_.begin(), out.steps_.end(),
                                                 [](const Step& s) { return s.member; });
  return out;
}

const void* FieldReader::enter(const Step& step, const void* place) {
  if (step.offset >= 0) return static_cast<const char*>(place) + step.offset;
  const void* const found = nth_field(*step.from, place, step.field);
  if (step.member) step.offset = static_cast<const char*>(found) - static_cast<const char*>(place);
  return found;
}

void FieldReader::add_to(Gist& gist, const void* object) const {
  if (!is_number_) return add_at(gist, object, 0);
  if (offset_ < 0) {
    const void* place = object;
    for (const Step& step : steps_) place = enter(step, place);
    offset_ = static_cast<const char*>(place) - static_cast<const char*>(object);
  }
  gist.add(static_cast<std::uint64_t>(load(*last_, static_cast<const char*>(object) + offset_)));
}

void FieldReader::add_at(Gist& gist, const void* place, std::size_t step) const {
  for (; step < steps_.size() && !steps_[step].each; ++step) place = enter(steps_[step], place);
  if (step == steps_.size()) return add_value(gist, *last_, place);
  const FieldType& list = *steps_[step].from;
  const std::size_t count = list.count(place);
  gist.add(count);
  const bool is_last = step + 2 == steps_.size() && is_scalar(*last_) && steps_[step + 1].member;
  if (is_last && count > 0) {  // a number at the same place of each
    enter(steps_[step + 1], list.at(place, 0));
    const std::int64_t offset = steps_[step + 1].offset;
    for (std::size_t i = 0; i < count; ++i) {
      const auto* item = static_cast<const char*>(list.at(place, i));
      gist.add(static_cast<std::uint64_t>(load(*last_, item + offset)));
    }
    return;
  }
  for (std::size_t i = 0; i < count; ++i) add_at(gist, list.at(place, i), step + 1);
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
