#include "schism/schema/path.hpp"

#include "schism/base/params.hpp"
#include "schism/schema/shape.hpp"

namespace schism {
namespace {

// The type of ".size".
constexpr FieldType kSizeType = [] {
  FieldType out;
  out.kind = FieldKind::integer;
  out.bytes = 8, out.natural = true;
  return out;
}();

constexpr std::size_t kStepsMax = 100;

bool in_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool counts(const FieldType& type) {
  return type.kind == FieldKind::list || type.kind == FieldKind::set ||
         type.kind == FieldKind::map || type.kind == FieldKind::text;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out.empty() ? "no fields" : out;
}

}  // namespace

// ---- parsing -----------------------------------------------------------------------------------

class PathParser {
 public:
  PathParser(const TypeInfo& type, std::string_view& text)
      : text_(text), where_(type.name), at_(type.schema) {}

  Result<Path> run() {
    if (auto first = field(); !first) return tl::unexpected(first.error());
    while (!text_.empty() && (text_[0] == '.' || text_[0] == '[')) {
      if (out_.steps_.size() > kStepsMax) return error("{}: it is too deep", where_);
      open();
      const bool dot = text_[0] == '.';
      text_.remove_prefix(1);
      if (auto next = dot ? after_dot() : bracket(); !next) return tl::unexpected(next.error());
    }
    open();
    out_.type_ = at_;
    return std::move(out_);
  }

 private:
  void go(Path::Go way, const FieldType& to, std::size_t number = 0, Value key = {}) {
    out_.steps_.push_back({way, number, std::move(key), at_, &to, {}});
    at_ = &to;
  }
  void open() {
    while (at_->kind == FieldKind::optional) go(Path::Go::inside, *at_->item);
  }

  // The longest name that the text begins with: names may be expressions.
  Status field() {
    const FieldInfo* best = nullptr;
    std::size_t length = 0;
    for (const FieldInfo& info : at_->fields)
      for (std::string_view name : {info.name, without_call(info.name)})
        if (name.size() > length && text_.starts_with(name) &&
            (name.size() == text_.size() || !in_word(name.back()) || !in_word(text_[name.size()])))
          best = &info, length = name.size();
    if (!best) return unknown();
    where_ = best->name;
    text_.remove_prefix(length);
    go(Path::Go::field, *best->type, static_cast<std::size_t>(best - at_->fields.data()));
    return {};
  }
  static std::string_view without_call(std::string_view name) {
    return name.ends_with("()") ? name.substr(0, name.size() - 2) : name;
  }

  Status after_dot() {
    if (at_->kind == FieldKind::record) return field();
    if (counts(*at_) && text_.starts_with("size") && (text_.size() == 4 || !in_word(text_[4]))) {
      text_.remove_prefix(4);
      if (text_.starts_with("()")) text_.remove_prefix(2);
      go(Path::Go::size, kSizeType);
      return {};
    }
    return error("{} is {}: it has no .{}", where_, a_kind(at_->kind), word());
  }

  Status bracket() {
    const auto close = text_.find(']', quoted());
    if (close == std::string_view::npos) return error("a [ after {} is not closed", where_);
    const std::string inside(text_.substr(0, close));
    text_.remove_prefix(close + 1);
    const auto index = parse_integer(inside, 0, INT32_MAX);
    switch (at_->kind) {
      case FieldKind::list:
      case FieldKind::set:
        if (!index) return error("{}[{}]: items are counted from 0", where_, inside);
        go(Path::Go::item, *at_->item, static_cast<std::size_t>(*index));
        return {};
      case FieldKind::tuple:
        if (!index || static_cast<std::size_t>(*index) >= at_->fields.size())
          return error("{}[{}]: it has {} parts, from 0", where_, inside, at_->fields.size());
        go(Path::Go::field, *at_->fields[static_cast<std::size_t>(*index)].type,
           static_cast<std::size_t>(*index));
        return {};
      case FieldKind::map: return key(inside);
      default: return error("{} is {}: it has no items", where_, a_kind(at_->kind));
    }
  }

  // Where a text in quotes at the front ends: there may be brackets in it.
  std::size_t quoted() const {
    if (!text_.starts_with('"')) return 0;
    std::size_t end = 1;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    return end;
  }

  Status key(const std::string& inside) {
    Value key = inside;
    if (inside.starts_with('"') || !fits(*at_->key, key)) {
      const auto value = parse_json(inside);
      if (!value || !fits(*at_->key, *value))
        return error("{}[{}]: no key of this map is like that", where_, inside);
      key = *value;
    }
    go(Path::Go::key, *at_->item, 0, std::move(key));
    return {};
  }

  std::string word() const {
    std::size_t end = 0;
    while (end < text_.size() && in_word(text_[end])) ++end;
    return std::string(text_.substr(0, end));
  }
  Status unknown() const {
    std::vector<std::string> names;
    for (const FieldInfo& info : at_->fields) names.emplace_back(info.name);
    const std::string wrong = word(), near = nearest(wrong, names);
    if (wrong.empty()) return error("a field of {} is missing; it has {}", where_, joined(names));
    if (!near.empty()) return error("{} has no field {}; did you mean {}?", where_, wrong, near);
    return error("{} has no field {}; it has {}", where_, wrong, joined(names));
  }

  std::string_view& text_;
  std::string where_;
  const FieldType* at_;
  Path out_;
};

Result<Path> Path::take(const TypeInfo& type, std::string_view& text) {
  return PathParser(type, text).run();
}

Result<Path> Path::parse(const TypeInfo& type, std::string_view text) {
  std::string_view rest = text;
  auto out = take(type, rest);
  if (out && !rest.empty()) return error("{}: {} is too much", text, rest);
  return out;
}

// ---- an object in memory -----------------------------------------------------------------------

std::int32_t Path::offset() const {
  std::int32_t sum = 0;
  for (const Step& step : steps_) {
    const std::int32_t bytes = step.offset.bytes.load(std::memory_order_relaxed);
    if (bytes < 0) return -1;
    sum += bytes;
  }
  return sum;
}

Value Path::read_at(const void* place, std::size_t k) const {
  if (k == steps_.size()) return type_->get(place);
  const Step& step = steps_[k];
  switch (step.go) {
    case Go::field: return read_field(place, k);
    case Go::item:
    case Go::inside: {
      if (!step.from->at) break;
      const void* item = step.from->at(place, step.number);
      return item ? read_at(item, k + 1) : Value();
    }
    case Go::size:
      if (!step.from->count) break;
      return static_cast<std::int64_t>(step.from->count(place));
    case Go::key: break;
  }
  return read_value(step.from->get(place), k);
}

// What is at hand only while a record shows its fields.
struct Path::Pick {
  const Path* path;
  std::size_t step;
  const void* object;
  std::size_t left;
  Value out;

  static void take(void* self, const void* field) {
    auto& pick = *static_cast<Pick*>(self);
    if (pick.left-- != 0) return;
    const Step& step = pick.path->steps_[pick.step];
    const auto* base = static_cast<const char*>(pick.object);
    const auto* at = static_cast<const char*>(field);
    if (step.from->fields[step.number].member && at >= base && at < base + step.from->size)
      step.offset.bytes.store(static_cast<std::int32_t>(at - base), std::memory_order_relaxed);
    pick.out = pick.path->read_at(field, pick.step + 1);
  }
};

Value Path::read_field(const void* place, std::size_t k) const {
  const Step& step = steps_[k];
  const std::int32_t bytes = step.offset.bytes.load(std::memory_order_relaxed);
  if (bytes >= 0) return read_at(static_cast<const char*>(place) + bytes, k + 1);
  if (!step.from->visit) return read_value(step.from->get(place), k);
  Pick pick{this, k, place, step.number, {}};
  step.from->visit(place, &pick, &Pick::take);
  return std::move(pick.out);
}

// By the whole field at the top: what is inside a set or an optional has no place of its own.
bool Path::write(void* object, const Value& value) const {
  const Step& first = steps_[0];
  const FieldInfo& field = first.from->fields[first.number];
  void* place = object;
  std::size_t done = 0;  // steps that led to `place`
  const FieldType* type = first.from;
  if (type->visit) {
    if (!field.member) return false;
    struct Find {
      std::size_t left;
      const void* found;
    } find{first.number, nullptr};
    type->visit(object, &find, [](void* self, const void* at) {
      auto& f = *static_cast<Find*>(self);
      if (f.left-- == 0) f.found = at;
    });
    place = const_cast<void*>(find.found);
    type = first.to, done = 1;
  }
  if (!type->set) return false;
  const Value before = type->get(place);
  Value after = before;
  if (!write_value(after, value, done)) return false;
  if (type->set(place, after)) return true;
  type->set(place, before);
  return false;
}

// ---- a decoded value ---------------------------------------------------------------------------

const Value* Path::part(const Value& value, const Step& step) {
  const Value::Array* items = value.as_array();
  switch (step.go) {
    case Go::inside: return &value;
    case Go::item: return items && step.number < items->size() ? &(*items)[step.number] : nullptr;
    case Go::field:
      if (step.from->kind == FieldKind::record) {
        return value.find(step.from->fields[step.number].name);
      }
      return items && step.number < items->size() ? &(*items)[step.number] : nullptr;
    case Go::key:
      if (!items) return nullptr;
      for (const Value& item : *items)
        if (const auto* pair = item.as_array(); pair && pair->size() == 2)
          if ((*pair)[0] == step.key) return &(*pair)[1];
      return nullptr;
    case Go::size: return nullptr;
  }
  return nullptr;
}

Value Path::read_value(const Value& value, std::size_t k) const {
  const Value* at = &value;
  for (; k < steps_.size(); ++k) {
    if (steps_[k].go == Go::size) {
      if (const auto* items = at->as_array()) return static_cast<std::int64_t>(items->size());
      if (const auto* text = at->as_text()) return static_cast<std::int64_t>(text->size());
      return {};
    }
    at = part(*at, steps_[k]);
    if (!at) return {};
  }
  return *at;
}

bool Path::write_value(Value& value, const Value& to, std::size_t k) const {
  Value* at = &value;
  const FieldType* type = k < steps_.size() ? steps_[k].from : type_;
  // Optionals at the end are set as a whole: nothing may go there, or come from there.
  std::size_t end = steps_.size();
  while (end > k && steps_[end - 1].go == Go::inside) --end;
  for (; k < end; ++k) {
    const Step& step = steps_[k];
    if (step.go == Go::size || step.from->kind == FieldKind::set) return false;
    if (step.from->kind == FieldKind::record && !step.from->fields[step.number].member)
      return false;
    at = const_cast<Value*>(part(*at, step));
    if (!at) return false;
    type = step.to;
  }
  if (end < steps_.size()) type = steps_[end].from;
  if (!fits(*type, to)) return false;
  *at = to;
  return true;
}

bool Path::write(Value& object, const Value& value) const { return write_value(object, value, 0); }

}  // namespace schism
