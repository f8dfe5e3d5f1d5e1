#include "schism/model/mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "schism/base/file.hpp"
#include "schism/base/params.hpp"
#include "schism/base/toml.hpp"

namespace schism::model {
namespace {

// Reads one table with an error that names its place.
class Reader {
 public:
  explicit Reader(Mapping& out) : out_(out) {}

  Status read(const toml::table& file) {
    static const std::vector<std::string> keys = {"system", "config", "nodes-min", "constants",
                                                  "only",   "event",  "after",     "observe",
                                                  "ignore", "view",   "define"};
    for (const auto& [name, node] : file) {
      const std::string key(name.str());
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        return bad(node, unknown_word("key", key, keys));
      if (auto s = take(key, node); !s) return s;
    }
    if (out_.events.empty() && out_.after.empty())
      return error("{}: no [[event]]: nothing is mapped", out_.file);
    return {};
  }

 private:
  std::string place(const toml::node& node) const {
    return fmt::format("{}, line {}", out_.file, node.source().begin.line);
  }
  tl::unexpected<std::string> bad(const toml::node& node, const std::string& what) const {
    return tl::unexpected(fmt::format("{}: {}", place(node), what));
  }
  Status text(const toml::node& node, std::string& to) const {
    if (const auto* s = node.as_string()) return to = s->get(), Status();
    return bad(node, "a text is wanted here");
  }
  Status texts(const toml::node& node, std::vector<std::string>& to) const {
    const auto* list = node.as_array();
    if (!list) return text(node, to.emplace_back());
    for (const auto& item : *list)
      if (auto s = text(item, to.emplace_back()); !s) return s;
    return {};
  }
  Status pairs(const toml::node& node, std::vector<std::pair<std::string, std::string>>& to) const {
    const auto* table = node.as_table();
    if (!table) return bad(node, "a table of name = \"text\" is wanted here");
    for (const auto& [name, value] : *table)
      if (auto s = text(value, to.emplace_back(name.str(), "").second); !s) return s;
    return {};
  }

  Status take(const std::string& key, const toml::node& node) {
    if (key == "system") return text(node, out_.system);
    if (key == "config") return text(node, out_.config);
    if (key == "view") return text(node, out_.view);
    if (key == "define") return text(node, out_.define);
    if (key == "ignore") return texts(node, out_.ignore);
    if (key == "constants") return pairs(node, out_.constants);
    if (key == "only") return pairs(node, out_.only);
    if (key == "nodes-min") {
      const auto* number = node.as_integer();
      if (!number || number->get() < 1) return bad(node, "nodes-min is a number of nodes");
      out_.nodes_min = static_cast<int>(number->get());
      return {};
    }
    if (key == "after") return after(node);
    if (key == "observe") return observe(node);
    return events(node);
  }

  Status after(const toml::node& node) {
    const auto* table = node.as_table();
    if (!table) return bad(node, "[after] is a table");
    static const std::vector<std::string> keys = {"do", "guide", "unless"};
    for (const auto& [name, value] : *table) {
      const std::string key(name.str());
      Status s;
      if (key == "do") s = texts(value, out_.after);
      else if (key == "guide") s = texts(value, out_.after_guide);
      else if (key == "unless") s = text(value, out_.unless);
      else s = bad(value, unknown_word("key of [after]", key, keys));
      if (!s) return s;
    }
    return out_.after.empty() ? bad(node, "[after] has \"do\"") : Status();
  }

  Status observe(const toml::node& node) {
    const auto* table = node.as_table();
    if (!table) return bad(node, "[observe] is a table");
    for (const auto& [name, value] : *table) {
      std::vector<std::string> sides;
      if (auto s = texts(value, sides); !s) return s;
      if (sides.size() != 2)
        return bad(value, fmt::format("{} = [\"in the model\", \"at the node\"]", name.str()));
      out_.observe.push_back({std::string(name.str()), sides[0], sides[1]});
    }
    return {};
  }

  Status events(const toml::node& node) {
    const auto* list = node.as_array();
    if (!list) return bad(node, "events are written [[event]]");
    for (const auto& item : *list) {
      const auto* table = item.as_table();
      if (!table) return bad(item, "events are written [[event]]");
      EventRule rule;
      rule.place = place(item);
      static const std::vector<std::string> keys = {"on", "when", "do", "guide", "check"};
      for (const auto& [name, value] : *table) {
        const std::string key(name.str());
        Status s;
        if (key == "on") s = text(value, rule.on);
        else if (key == "when") s = text(value, rule.when);
        else if (key == "do") s = texts(value, rule.actions);
        else if (key == "guide") s = texts(value, rule.guide);
        else if (key == "check" && value.is_boolean()) rule.check = value.as_boolean()->get();
        else s = bad(value, unknown_word("key of an event", key, keys));
        if (!s) return s;
      }
      if (rule.on.empty() || rule.actions.empty())
        return bad(item, "an event has \"on\" and \"do\"");
      out_.events.push_back(std::move(rule));
    }
    return {};
  }

  Mapping& out_;
};

}  // namespace

Result<Mapping> Mapping::read(const std::string& file) {
  const auto text = read_file(file);
  if (!text) return tl::unexpected(text.error());
  const auto table = parse_toml(*text, file);
  if (!table) return tl::unexpected(table.error());
  Mapping out;
  out.file = file;
  if (auto s = Reader(out).read(*table); !s) return tl::unexpected(s.error());
  return out;
}

bool take_repeat(std::string& action) {
  constexpr std::string_view kWord = "repeat ";
  if (!action.starts_with(kWord)) return false;
  action.erase(0, kWord.size());
  return true;
}

std::string Holes::fill(std::string_view text) {
  std::string out;
  const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '$') {
      out += text[i++];
      continue;
    }
    std::size_t end = ++i;
    while (end < text.size()) {
      const bool inside = end > i && end + 1 < text.size();
      if (word(text[end])) ++end;
      else if (inside && text[end] == '.' && word(text[end + 1])) ++end;
      else if (inside && text[end] == '[' && text[end + 1] == ']') end += 2;
      else break;
    }
    const std::string name(text.substr(i, end - i));
    std::size_t at = 0;
    while (at < names.size() && names[at] != name) ++at;
    if (at == names.size()) names.push_back(name);
    out += fmt::format("par_{}", at);
    i = end;
  }
  return out;
}

}  // namespace schism::model
