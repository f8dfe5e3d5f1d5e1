#include "schism/isolate/schema.hpp"

#include <algorithm>

#include "schism/base/file.hpp"
#include "schism/base/params.hpp"
#include "schism/base/toml.hpp"

namespace schism::isolate {
namespace {

// Each is looked for among the others; a schema is a page long.
constexpr std::size_t kEntriesMax = 1000;

constexpr std::pair<std::string_view, Operator> kOperators[] = {
    {"=", kEqual}, {"!=", kUnequal}, {"<", kLess}, {">", kGreater}};

// Reads with one habit: the first thing wrong is kept as a sentence with its line, and everything
// after it is harmless.
class SchemaReader {
 public:
  explicit SchemaReader(std::string name) : name_(std::move(name)) {}

  Result<Schema> read(std::string_view text) {
    const auto parsed = parse_toml(text, name_);
    if (!parsed) return tl::unexpected(parsed.error());
    const toml::table& file = *parsed;
    known(file, {"processes", "run", "message", "predicates", "group", "kind", "verb"});
    schema_.processes = integer(file, "processes", 1, kProcessesMax, 0);
    read_run(table(file, "run"));
    read_message(table(file, "message"));
    read_predicates(table(file, "predicates"));
    read_kinds(table(file, "kind"));
    each(file, "group", [&](const toml::table& t) { read_group(t); });
    each(file, "verb", [&](const toml::table& t) { read_verb(t); });
    finish(file);
    if (!problem_.empty()) return tl::unexpected(problem_);
    return std::move(schema_);
  }

 private:
  void bad(const toml::node& node, const std::string& what) {
    if (problem_.empty())
      problem_ = fmt::format("{}, line {}: {}", name_, node.source().begin.line, what);
  }
  void known(const toml::table& t, const std::vector<std::string>& keys) {
    for (const auto& [key, node] : t)
      if (std::find(keys.begin(), keys.end(), key.str()) == keys.end())
        bad(node, unknown_word("key", key.str(), keys));
  }
  const toml::table& table(const toml::table& t, std::string_view key) {
    static const toml::table none;
    const toml::node* node = t.get(key);
    if (!node) return none;
    if (const auto* found = node->as_table()) return *found;
    bad(*node, fmt::format("\"{}\" is a table", key));
    return none;
  }
  template <class F>
  void each(const toml::table& t, std::string_view key, F&& f) {
    const toml::node* node = t.get(key);
    if (!node) return;
    const toml::array* list = node->as_array();
    if (!list) return bad(*node, fmt::format("\"{0}\" is a list of tables: [[{0}]]", key));
    if (list->size() > kEntriesMax)
      return bad(*node, fmt::format("more than {} times \"{}\"", kEntriesMax, key));
    for (const toml::node& item : *list) {
      if (const auto* found = item.as_table()) f(*found);
      else bad(item, fmt::format("\"{0}\" is a list of tables: [[{0}]]", key));
    }
  }
  int integer(const toml::table& t, std::string_view key, int low, int high, int fallback) {
    const toml::node* node = t.get(key);
    return node ? integer(*node, key, low, high) : fallback;
  }
  int integer(const toml::node& node, std::string_view key, int low, int high) {
    const auto* i = node.as_integer();
    if (i && i->get() >= low && i->get() <= high) return static_cast<int>(i->get());
    bad(node, fmt::format("\"{}\" is a whole number from {} to {}", key, low, high));
    return low;
  }
  std::string text(const toml::table& t, std::string_view key, std::string fallback = {}) {
    const toml::node* node = t.get(key);
    if (!node) return fallback;
    if (const auto* s = node->as_string()) return s->get();
    bad(*node, fmt::format("\"{}\" is a text", key));
    return fallback;
  }
  bool flag(const toml::table& t, std::string_view key) {
    const toml::node* node = t.get(key);
    if (!node) return false;
    if (const auto* b = node->as_boolean()) return b->get();
    bad(*node, fmt::format("\"{}\" is true or false", key));
    return false;
  }
  std::vector<std::string> texts(const toml::table& t, std::string_view key) {
    std::vector<std::string> out;
    const toml::node* node = t.get(key);
    if (!node) return out;
    if (const auto* s = node->as_string()) return {s->get()};
    const toml::array* list = node->as_array();
    if (!list) return bad(*node, fmt::format("\"{}\" is a list of texts", key)), out;
    for (const toml::node& item : *list) {
      if (const auto* s = item.as_string()) out.push_back(s->get());
      else bad(item, fmt::format("\"{}\" is a list of texts", key));
    }
    return out;
  }
  std::uint64_t processes(const toml::table& t, std::string_view key) {
    std::uint64_t set = 0;
    const toml::node* node = t.get(key);
    const toml::array* list = node ? node->as_array() : nullptr;
    if (!list) return bad(node ? *node : t, fmt::format("\"{}\" is a list of processes", key)), 0;
    for (const toml::node& item : *list)
      set |= std::uint64_t{1} << integer(item, key, 0, std::max(schema_.processes, 1) - 1);
    return set;
  }
  // [low, high]
  void range(const toml::table& t, std::string_view key, int min, int& low, int& high) {
    const toml::node* node = t.get(key);
    if (!node) return;
    const toml::array* list = node->as_array();
    if (!list || list->size() != 2) return bad(*node, fmt::format("\"{}\" is [low, high]", key));
    low = integer((*list)[0], key, min, kProcessesMax);
    high = integer((*list)[1], key, low, kProcessesMax);
  }

  void read_run(const toml::table& t) {
    known(t, {"name", "failed", "failures", "inbox", "bugs", "branches", "faults", "fold"});
    RunKeys& r = schema_.run;
    r.name = text(t, "name", r.name);
    r.failed = text(t, "failed", r.failed);
    r.inbox = text(t, "inbox", r.inbox);
    r.bugs = text(t, "bugs");
    r.branches = text(t, "branches");
    r.faults = text(t, "faults");
    r.failed_words = texts(t, "failures");
    r.fold = texts(t, "fold");
  }
  void read_message(const toml::table& t) {
    known(t, {"verb", "sender"});
    MessageShape& m = schema_.message;
    const toml::node* verb = t.get("verb");
    m.list = !verb || !verb->is_string();
    if (m.list) {
      m.verb_at = integer(t, "verb", 0, 1000, 0);
      m.sender_at = integer(t, "sender", 0, 1000, 1);
    } else {
      m.verb_key = text(t, "verb");
      m.sender_key = text(t, "sender", "sender");
    }
  }
  void read_predicates(const toml::table& t) {
    known(t, {"thresholds", "tolerances", "assertions"});
    Schema& s = schema_;
    s.threshold_high = std::min(4, std::max(1, s.processes));
    s.tolerance_high = std::max(0, s.processes - 1);
    range(t, "thresholds", 1, s.threshold_low, s.threshold_high);
    range(t, "tolerances", 0, s.tolerance_low, s.tolerance_high);
    s.assertions = integer(t, "assertions", 0, 8, 3);
  }
  void read_kinds(const toml::table& t) {
    if (t.size() > kEntriesMax) return bad(t, fmt::format("more than {} kinds", kEntriesMax));
    for (const auto& [key, node] : t) {
      const toml::table* kind = node.as_table();
      if (!kind) {
        bad(node, "a kind is { type = ..., operators = [...] }");
        continue;
      }
      known(*kind, {"type", "operators"});
      const std::string type = text(*kind, "type");
      const auto found = enum_value<FieldType>(type);
      if (!found) bad(node, unknown_word("type", type, {"integer", "number", "boolean", "text"}));
      Kind k{std::string(key.str()), found.value_or(FieldType::integer), {}};
      for (const std::string& word : texts(*kind, "operators")) {
        const auto* op = std::find_if(std::begin(kOperators), std::end(kOperators),
                                      [&](const auto& o) { return o.first == word; });
        const bool order = word == "<" || word == ">";
        if (op == std::end(kOperators))
          bad(node, unknown_word("operator", word, {"=", "!=", "<", ">"}));
        else if (order && (k.type == FieldType::text || k.type == FieldType::boolean))
          bad(node, fmt::format("operator \"{}\" is for numbers, not for a {}", word, type));
        else k.operators.push_back(op->second);
      }
      schema_.kinds.push_back(std::move(k));
    }
  }
  void read_group(const toml::table& t) {
    known(t, {"name", "members", "receivers"});
    Group g{text(t, "name"), processes(t, "members"), 0};
    g.receivers = t.get("receivers") ? processes(t, "receivers") : g.members;
    for (const Group& other : schema_.groups)
      if (other.receivers & g.receivers) bad(t, "a process receives in two groups");
    schema_.groups.push_back(std::move(g));
  }
  void read_verb(const toml::table& t) {
    known(t, {"name", "tag", "signer", "fields"});
    Verb verb{text(t, "name"), text(t, "tag"), text(t, "signer"), {}};
    if (verb.tag.empty()) verb.tag = verb.name;
    if (verb.name.empty()) bad(t, "a verb has a name");
    for (const Verb& other : schema_.verbs)
      if (other.tag == verb.tag) bad(t, fmt::format("there are two verbs \"{}\"", verb.tag));
    each(t, "fields", [&](const toml::table& f) { read_field(f, verb); });
    schema_.verbs.push_back(std::move(verb));
  }
  void read_field(const toml::table& t, Verb& verb) {
    known(t, {"name", "at", "key", "kind", "optional", "leave-out"});
    Field field;
    field.name = text(t, "name");
    field.key = text(t, "key", field.name);
    if (field.name.empty()) bad(t, "a field has a name");
    if (schema_.message.list && !t.get("at"))
      bad(t, fmt::format("field \"{}\" needs its place in the list: at = 2", field.name));
    field.at = integer(t, "at", 0, 1000, 0);
    const std::string kind = text(t, "kind");
    std::vector<std::string> names;
    for (const Kind& k : schema_.kinds) names.push_back(k.name);
    const auto found = std::find(names.begin(), names.end(), kind);
    if (found == names.end()) bad(t, unknown_word("kind", kind, names));
    else field.kind = static_cast<int>(found - names.begin());
    field.optional = flag(t, "optional");
    field.leave_out = flag(t, "leave-out");
    verb.fields.push_back(std::move(field));
  }
  void finish(const toml::table& file) {
    Schema& s = schema_;
    if (s.processes == 0) bad(file, "\"processes\" says how many there are");
    if (s.verbs.empty()) bad(file, "there is no [[verb]]");
    if (s.groups.empty()) {
      const std::uint64_t all =
          s.processes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << s.processes) - 1;
      s.groups.push_back({"all", all, all});
    }
  }

  std::string name_, problem_;
  Schema schema_;
};

}  // namespace

std::string_view operator_text(Operator op) {
  for (const auto& [word, o] : kOperators)
    if (o == op) return word;
  return "?";
}

std::uint64_t Schema::heard_by(int process) const {
  for (const Group& g : groups)
    if (g.receivers >> process & 1) return g.members;
  return ~std::uint64_t{0};
}

Result<Schema> parse_schema(std::string_view text, const std::string& name) {
  return SchemaReader(name).read(text);
}

Result<Schema> read_schema(const std::string& path) {
  auto text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  return parse_schema(*text, path);
}

}  // namespace schism::isolate
