#include "schism/cli/run_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/base/file.hpp"
#include "schism/base/params.hpp"

namespace schism::cli {

Result<toml::table> read_toml(const std::string& path) {
  auto content = read_file(path);
  if (!content) return tl::unexpected(content.error());
  return parse_toml(*content, path);
}

Result<std::string> scalar_text(const toml::node& node, std::string_view key) {
  if (const auto* s = node.as_string()) return s->get();
  if (const auto* i = node.as_integer()) return std::to_string(i->get());
  if (const auto* b = node.as_boolean()) return std::string(b->get() ? "true" : "false");
  if (const auto* d = node.as_floating_point()) return fmt::format("{}", d->get());
  return error("\"{}\" is a text, a number or true or false", key);
}

namespace {

bool is_among(std::string_view key, std::initializer_list<std::string_view> keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

Status fits_key(std::string_view key, const std::string& text) {
  const auto not_this = [&](std::string_view kind) {
    return error("{} is {}, not \"{}\"", key, kind, text);
  };
  if (is_among(key, {"nodes", "max-steps", "runs", "jobs", "seed"}) && !parse_seed(text))
    return not_this("a whole number");
  if (is_among(key, {"tail", "time", "shrink-time"}) && !parse_duration(text))
    return not_this("a time such as 150ms");
  if (is_among(key, {"keep-going", "no-shrink", "quiet", "json", "in-process"}) &&
      !parse_flag(text))
    return not_this("true or false");
  return {};
}

Result<Pairs> table_pairs(const toml::node& node, std::string_view key) {
  const auto* t = node.as_table();
  if (!t) return error("\"{}\" is a table of name = value", key);
  Pairs out;
  for (const auto& [name, value] : *t) {
    auto text = scalar_text(value, name.str());
    if (!text) return tl::unexpected(text.error());
    if (key == "faults" && !parse_seed(*text))
      return error("faults: {} is a whole number, not \"{}\"", name.str(), *text);
    out.emplace_back(std::string(name.str()), *text);
  }
  return out;
}

const std::vector<std::string>& run_keys() {
  static const std::vector<std::string> keys = {
      "system", "bug", "nodes", "explorer", "faults", "world", "max-steps", "tail", "mute"};
  return keys;
}

Result<bool> take_run_key(RunText& text, std::string_view key, const toml::node& node) {
  if (key == "faults" || key == "world") {
    auto pairs = table_pairs(node, key);
    if (!pairs) return tl::unexpected(pairs.error());
    (key == "faults" ? text.faults : text.world) = *std::move(pairs);
    return true;
  }
  if (key == "bug" || key == "mute") {
    auto& list = key == "bug" ? text.bugs : text.mute;
    if (!node.is_array()) {
      auto name = scalar_text(node, key);
      if (!name) return tl::unexpected(name.error());
      list.push_back(*std::move(name));
      return true;
    }
    for (const auto& item : *node.as_array()) {
      auto name = scalar_text(item, key);
      if (!name) return tl::unexpected(name.error());
      list.push_back(*name);
    }
    return true;
  }
  std::string* plain = key == "nodes"       ? &text.nodes
                       : key == "max-steps" ? &text.steps
                       : key == "tail"      ? &text.tail
                                            : nullptr;
  Spec* spec = key == "system" ? &text.system : key == "explorer" ? &text.explorer : nullptr;
  if (!plain && !spec) return false;
  auto value = scalar_text(node, key);
  if (!value) return tl::unexpected(value.error());
  if (auto fits = fits_key(key, *value); !fits) return tl::unexpected(fits.error());
  if (plain) *plain = *std::move(value);
  else {
    auto parsed = parse_spec(*value);
    if (!parsed) return tl::unexpected(parsed.error());
    *spec = *std::move(parsed);
  }
  return true;
}

std::string at_line(const std::string& path, const toml::node& node, const std::string& what) {
  return fmt::format("{}, line {}: {}", path, node.source().begin.line, what);
}

}  // namespace schism::cli
