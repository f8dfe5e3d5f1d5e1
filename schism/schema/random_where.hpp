// Paths and conditions over any type at random, for tests that compare the back ends.
#pragma once

#include "schism/base/random.hpp"
#include "schism/schema/schema.hpp"

namespace schism {

// Every place in a record as it is now, and some that are not there.
inline void collect_paths(const FieldType& type, const Value& value, const std::string& here,
                          std::vector<std::string>& out) {
  if (!here.empty()) out.push_back(here);
  const Value::Array* items = value.as_array();
  switch (type.kind) {
    case FieldKind::optional: return collect_paths(*type.item, value, here, out);
    case FieldKind::text: out.push_back(here + ".size"); return;
    case FieldKind::record:
      for (const FieldInfo& field : type.fields) {
        const Value* part = value.find(field.name);
        const std::string name(field.name);
        collect_paths(*field.type, part ? *part : Value(), here.empty() ? name : here + "." + name,
                      out);
      }
      return;
    case FieldKind::tuple:
      for (std::size_t i = 0; i < type.fields.size(); ++i)
        collect_paths(*type.fields[i].type, items && i < items->size() ? (*items)[i] : Value(),
                      here + "[" + std::to_string(i) + "]", out);
      return;
    case FieldKind::list:
    case FieldKind::set: {
      out.push_back(here + ".size");
      const std::size_t count = items ? items->size() : 0;
      for (const std::size_t i : {std::size_t{0}, count / 2, count})
        if (i == 0 || i < count || i == count)
          if (here.size() < 60)
            collect_paths(*type.item, i < count ? (*items)[i] : Value(),
                          here + "[" + std::to_string(i) + "]", out);
      return;
    }
    case FieldKind::map:
      out.push_back(here + ".size");
      if (items)
        for (const Value& item : *items)
          if (const auto* pair = item.as_array(); pair && pair->size() == 2 && here.size() < 60)
            if ((*pair)[0].as_int() || (*pair)[0].as_text())
              collect_paths(*type.item, (*pair)[1], here + "[" + to_json((*pair)[0]) + "]", out);
      return;
    default: return;
  }
}

inline std::vector<std::string> paths_of(const TypeInfo& type, const Value& value) {
  std::vector<std::string> out;
  collect_paths(*type.schema, value, "", out);
  return out;
}

// A comparison that is near the border: with what is there now, or close to it.
inline std::string random_comparison(const TypeInfo& type, const Value& value,
                                     const std::vector<std::string>& paths, Rng& rng) {
  static constexpr std::string_view kSigns[] = {"=", "!=", "<", "<=", ">", ">="};
  const std::string& left = paths[rng.below(paths.size())];
  const auto path = Path::parse(type, left);
  if (!path) return left;  // the test will say so
  const Value now = path->read(value);
  const FieldKind kind = path->type().kind;
  const bool ordered = kind == FieldKind::integer || kind == FieldKind::node ||
                       kind == FieldKind::number || kind == FieldKind::text;
  const std::string sign = " " + std::string(kSigns[rng.below(ordered ? 6 : 2)]) + " ";
  if (rng.chance(0.1)) return left + (rng.chance(0.5) ? " = nothing" : " != nothing");
  if (rng.chance(0.2)) {  // another field of its kind
    const std::string& other = paths[rng.below(paths.size())];
    const auto right = Path::parse(type, other);
    if (right && right->type().kind == kind && right->type().words == path->type().words)
      return left + sign + other;
  }
  switch (kind) {
    case FieldKind::boolean: return rng.chance(0.5) ? left : left + sign + "true";
    case FieldKind::word: {
      const auto words = count_words(path->type().words);
      return left + sign + std::string(nth_word(path->type().words, rng.below(words)));
    }
    case FieldKind::text: return left + sign + to_json(now.as_text() ? now : Value("x"));
    case FieldKind::integer:
    case FieldKind::node: {
      const std::int64_t near = now.as_int() ? *now.as_int() : 0;
      const std::int64_t step = rng.between(near > INT64_MIN + 2 ? -1 : 0, near < INT64_MAX - 2);
      return left + sign + std::to_string(near + step) + (rng.chance(0.1) ? ".5" : "");
    }
    case FieldKind::number: return left + sign + to_json(now.as_number() ? now : Value(0.5));
    default: break;
  }
  const FieldType* item = kind == FieldKind::map ? path->type().key : path->type().item;
  if (!item) return left + " != " + left;
  if (item->kind == FieldKind::integer || item->kind == FieldKind::node)
    return left + " has " + std::to_string(rng.between(-1, 4));
  return left + " = " + left;
}

inline std::string random_where(const TypeInfo& type, const Value& value,
                                const std::vector<std::string>& paths, Rng& rng, int depth = 2) {
  if (depth == 0 || rng.chance(0.3)) return random_comparison(type, value, paths, rng);
  const std::string left = random_where(type, value, paths, rng, depth - 1);
  if (rng.chance(0.3)) return "not (" + left + ")";
  const std::string right = random_where(type, value, paths, rng, depth - 1);
  return "(" + left + (rng.chance(0.5) ? " and " : " or ") + right + ")";
}

}  // namespace schism
