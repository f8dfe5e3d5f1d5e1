#include "schism/base/difference.hpp"

#include <algorithm>

namespace schism {
namespace {

constexpr std::string_view kMark = "~";
constexpr std::uint64_t kOther = 1000;  // a value that is no number is so far from another one

// Where `fewer` is `all` with some elements left out: which. Nothing: it is not.
std::optional<std::vector<std::size_t>> left_out(const Value::Array& all,
                                                 const Value::Array& fewer) {
  std::vector<std::size_t> out;
  std::size_t at = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (at < fewer.size() && all[i] == fewer[at]) ++at;
    else out.push_back(i);
  }
  if (at < fewer.size()) return std::nullopt;
  return out;
}

void compare(const Value& honest, const Value& told, std::vector<Value>& path,
             std::vector<Change>& out) {
  if (honest == told) return;
  const auto *a = honest.as_object(), *b = told.as_object();
  if (a && b && a->size() == b->size() &&
      std::equal(a->begin(), a->end(), b->begin(),
                 [](const auto& x, const auto& y) { return x.first == y.first; })) {
    for (std::size_t i = 0; i < a->size(); ++i) {
      path.emplace_back((*a)[i].first);
      compare((*a)[i].second, (*b)[i].second, path, out);
      path.pop_back();
    }
    return;
  }
  const auto *x = honest.as_array(), *y = told.as_array();
  if (x && y && x->size() == y->size()) {
    for (std::size_t i = 0; i < x->size(); ++i) {
      path.emplace_back(static_cast<std::int64_t>(i));
      compare((*x)[i], (*y)[i], path, out);
      path.pop_back();
    }
    return;
  }
  if (x && y && y->size() < x->size()) {
    if (const auto gone = left_out(*x, *y)) {
      // From the end: what is left keeps its place.
      for (std::size_t i = gone->size(); i-- > 0;)
        out.push_back({path, "without", Value(static_cast<std::int64_t>((*gone)[i]))});
      return;
    }
  }
  if (honest.as_int() && told.as_int()) {
    const auto by =
        static_cast<std::uint64_t>(*told.as_int()) - static_cast<std::uint64_t>(*honest.as_int());
    out.push_back({path, "by", Value(static_cast<std::int64_t>(by))});
    return;
  }
  out.push_back({path, "to", told, honest});
}

Value* go(Value& root, const std::vector<Value>& path) {
  Value* at = &root;
  for (const Value& step : path) {
    if (const auto* key = step.as_text()) {
      if (!at->as_object()) return nullptr;
      auto& fields = at->object();
      const auto found = std::find_if(fields.begin(), fields.end(),
                                      [&](const auto& field) { return field.first == *key; });
      if (found == fields.end()) return nullptr;
      at = &found->second;
    } else {
      const auto* i = step.as_int();
      if (!i || !at->as_array() || *i < 0 || static_cast<std::size_t>(*i) >= at->as_array()->size())
        return nullptr;
      at = &at->array()[static_cast<std::size_t>(*i)];
    }
  }
  return at;
}

bool make(Value& root, const Change& change) {
  Value* place = go(root, change.path);
  if (!place) return false;
  if (change.word == "to") return *place = change.operand, true;
  const auto* number = change.operand.as_int();
  if (!number) return false;
  if (change.word == "by") {
    if (!place->as_int()) return false;
    const auto sum =
        static_cast<std::uint64_t>(*place->as_int()) + static_cast<std::uint64_t>(*number);
    return *place = Value(static_cast<std::int64_t>(sum)), true;
  }
  if (change.word != "without" || !place->as_array() || *number < 0) return false;
  auto& items = place->array();
  if (static_cast<std::size_t>(*number) >= items.size()) return false;
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(*number));
  return true;
}

}  // namespace

Value difference(const Value& honest, const Value& told) {
  std::vector<Change> changes;
  std::vector<Value> path;
  compare(honest, told, path, changes);
  return difference_of(changes);
}

bool is_difference(const Value& value) {
  const auto* fields = value.as_object();
  return fields && fields->size() == 1 && fields->front().first == kMark &&
         fields->front().second.as_array();
}

std::vector<Change> changes_of(const Value& difference) {
  std::vector<Change> out;
  if (!is_difference(difference)) return out;
  for (const Value& part : *difference.as_object()->front().second.as_array()) {
    const auto* three = part.as_array();
    if (!three || three->size() < 3 || !(*three)[0].as_array() || !(*three)[1].as_text()) continue;
    out.push_back({*(*three)[0].as_array(), *(*three)[1].as_text(), (*three)[2],
                   three->size() > 3 ? (*three)[3] : Value()});
  }
  return out;
}

Value difference_of(const std::vector<Change>& changes) {
  Value::Array parts;
  for (const Change& change : changes) {
    Value::Array part{Value(change.path), Value(change.word), change.operand};
    if (!change.was.is_null()) part.push_back(change.was);
    parts.emplace_back(std::move(part));
  }
  Value out;
  out.set(std::string(kMark), Value(std::move(parts)));
  return out;
}

std::optional<Value> told(const Value& honest, const Value& difference) {
  Value out = honest;
  for (const Change& change : changes_of(difference))
    if (!make(out, change)) return std::nullopt;
  return out;
}

namespace {

std::string spelled(const std::vector<Value>& path, std::size_t from) {
  std::string out;
  for (std::size_t i = from; i < path.size(); ++i)
    out += path[i].as_text()  ? (out.empty() ? "" : ".") + *path[i].as_text()
           : path[i].as_int() ? "[" + std::to_string(*path[i].as_int()) + "]"
                              : "?";
  return out;
}

// The field's own name where that says which one is meant.
std::string place_of(const Change& change, const std::vector<Change>& all) {
  const auto own = [](const std::vector<Value>& path) {
    std::size_t at = path.size();
    while (at > 0 && !path[at - 1].as_text()) --at;
    return at > 0 ? at - 1 : 0;
  };
  const std::string name = spelled(change.path, own(change.path));
  const auto alike = std::count_if(all.begin(), all.end(), [&](const Change& other) {
    return spelled(other.path, own(other.path)) == name;
  });
  return alike > 1 ? spelled(change.path, 0) : name;
}

}  // namespace

Untruth untruth_of(const Value& difference) {
  Untruth out;
  for (const Change& change : changes_of(difference)) {
    ++out.parts;
    std::uint64_t far = kOther;
    if (const auto* by = change.operand.as_int(); by && change.word == "by") {
      const auto n = static_cast<std::uint64_t>(*by);
      far = std::min<std::uint64_t>(*by < 0 ? 0 - n : n, kOther);
    }
    if (change.word == "without") far = 1;
    out.distance += far;
  }
  return out;
}

namespace {

// What fits into a line; of a long list how long it is, of anything else its beginning.
std::string brief(const Value& value) {
  constexpr std::size_t most = 60;
  std::string text = to_json(value);
  if (text.size() <= most) return text;
  if (const auto* items = value.as_array()) return "a list of " + std::to_string(items->size());
  std::size_t end = most - 3;
  while (end > 0 && (text[end] & 0xc0) == 0x80) --end;  // whole characters
  return text.substr(0, end) + "...";
}

}  // namespace

std::string in_words(const Value& told, const Value& difference, std::size_t most) {
  std::string out;
  std::size_t said = 0;
  const std::vector<Change> changes = changes_of(difference);
  for (const Change& change : changes) {
    if (said++ == most) return out + " and " + std::to_string(changes.size() - most) + " more";
    if (!out.empty()) out += ", ";
    const std::string where = place_of(change, changes);
    const auto* number = change.operand.as_int();
    if (change.word == "without") {
      out += where + " without [" + to_json(change.operand) + "]";
    } else if (change.word == "by" && number) {
      Value copy = told;
      const Value* is = go(copy, change.path);
      const auto now = static_cast<std::uint64_t>(is && is->as_int() ? *is->as_int() : 0);
      const auto before = static_cast<std::int64_t>(now - static_cast<std::uint64_t>(*number));
      out += where + " = " + std::to_string(static_cast<std::int64_t>(now)) + " instead of " +
             std::to_string(before);
    } else {
      out += where + " = " + brief(change.operand) + " instead of " + brief(change.was);
    }
  }
  return out;
}

}  // namespace schism
