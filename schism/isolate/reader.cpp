#include "schism/isolate/reader.hpp"

#include <simdjson.h>

#include <algorithm>
#include <map>

#include "schism/base/lines.hpp"
#include "schism/base/params.hpp"

namespace schism::isolate {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

constexpr std::size_t kPartsMax = 2000;  // places in a schema end at 1000

static_assert(Lines::kPadding >= simdjson::SIMDJSON_PADDING);

std::string print(const element& e) {
  std::string text = simdjson::minify(e);
  if (text.size() > 40) text = text.substr(0, 37) + "...";
  return text;
}

}  // namespace

struct RunReader::Parser {
  explicit Parser(const Schema& s) : schema(s) {
    for (std::size_t i = 0; i < s.verbs.size(); ++i) verbs[s.verbs[i].tag] = i;
  }

  Status run(const object& line, Run& out) {
    element e;
    if (line[schema.run.name].get(e) != simdjson::SUCCESS)
      return error("a run without \"{}\"", schema.run.name);
    std::string_view name;
    out.info.name = e.get(name) == simdjson::SUCCESS ? std::string(name) : print(e);
    if (auto s = outcome(line, out); !s) return s;
    if (auto s = texts(line, schema.run.bugs, out.info.bugs); !s) return s;
    if (auto s = texts(line, schema.run.faults, out.faults); !s) return s;
    for (const std::string& key : schema.run.fold) {
      if (line[key].get(e) != simdjson::SUCCESS) return error("a run without \"{}\"", key);
      out.info.fold += (out.info.fold.empty() ? "" : ", ") + key + "=" + print(e);
    }
    if (auto s = branches(line, out); !s) return s;
    return inboxes(line, out);
  }

  Status outcome(const object& line, Run& out) {
    const RunKeys& keys = schema.run;
    element e;
    if (line[keys.failed].get(e) != simdjson::SUCCESS || e.is_null())
      return error("a run without an outcome: it has no \"{}\"", keys.failed);
    if (keys.failed_words.empty()) {
      if (e.get(out.info.failed) == simdjson::SUCCESS) return {};
      return error("\"{}\" is true or false, not {}", keys.failed, print(e));
    }
    std::string_view word;
    if (e.get(word) != simdjson::SUCCESS)
      return error("\"{}\" is a text, not {}", keys.failed, print(e));
    for (const std::string& failure : keys.failed_words) out.info.failed |= failure == word;
    return {};
  }

  static Status texts(const object& line, const std::string& key, std::vector<std::string>& out) {
    element e;
    if (key.empty() || line[key].get(e) != simdjson::SUCCESS) return {};
    array list;
    if (e.get(list) != simdjson::SUCCESS)
      return error("\"{}\" is a list of texts, not {}", key, print(e));
    for (const element item : list) {
      std::string_view text;
      if (item.get(text) != simdjson::SUCCESS)
        return error("\"{}\" is a list of texts, not {}", key, print(item));
      out.emplace_back(text);
    }
    return {};
  }

  Status branches(const object& line, Run& out) {
    element e;
    if (schema.run.branches.empty() || line[schema.run.branches].get(e) != simdjson::SUCCESS)
      return {};
    object all;
    if (e.get(all) != simdjson::SUCCESS)
      return error("\"{}\" is an object, not {}", schema.run.branches, print(e));
    for (const auto& [key, value] : all) {
      std::uint64_t bits = 0;
      if (value.get(bits) != simdjson::SUCCESS || bits > 3)
        return error("branch \"{}\" is 0 to 3, not {}", key, print(value));
      out.branches.emplace_back(std::string(key), static_cast<std::uint8_t>(bits));
    }
    return {};
  }

  Status inboxes(const object& line, Run& out) {
    array processes;
    if (line[schema.run.inbox].get(processes) != simdjson::SUCCESS)
      return error("a run without \"{}\", a list for each process", schema.run.inbox);
    for (const element process : processes) {
      array inbox;
      if (process.get(inbox) != simdjson::SUCCESS)
        return error("process {}: its messages are a list, not {}", out.inbox_end.size(),
                     print(process));
      std::size_t number = 0;
      for (const element m : inbox) {
        if (auto s = schema.message.list ? message_list(m, out) : message_object(m, out); !s)
          return error("process {}, message {}: {}", out.inbox_end.size(), number, s.error());
        ++number;
      }
      out.inbox_end.push_back(static_cast<std::uint32_t>(out.messages.size()));
    }
    if (static_cast<int>(out.inbox_end.size()) != schema.processes)
      return error("messages of {} processes, not of {}", out.inbox_end.size(), schema.processes);
    return {};
  }

  Status message_list(const element& m, Run& out) {
    array list;
    if (m.get(list) != simdjson::SUCCESS) return error("a list is expected, not {}", print(m));
    if (list.size() > kPartsMax) return error("a list of {} parts or more", kPartsMax);
    parts.clear();
    for (const element part : list) parts.push_back(part);
    const auto at = [&](int place, element& e) {
      if (static_cast<std::size_t>(place) >= parts.size()) return false;
      e = parts[static_cast<std::size_t>(place)];
      return true;
    };
    element verb, sender;
    if (!at(schema.message.verb_at, verb) || !at(schema.message.sender_at, sender))
      return error("too short: {}", print(m));
    const auto v = head(verb, sender, out);
    if (!v) return tl::unexpected(v.error());
    int last = std::max(schema.message.verb_at, schema.message.sender_at);
    for (const Field& f : (*v)->fields) {
      element e;
      const bool there = at(f.at, e);
      if (auto s = value(f, there ? &e : nullptr, out); !s) return s;
      last = std::max(last, f.at);
    }
    if (parts.size() > static_cast<std::size_t>(last) + 1)
      return error("{} has a field at place {} that the schema does not know", (*v)->name,
                   last + 1);
    return {};
  }

  Status message_object(const element& m, Run& out) {
    object fields;
    if (m.get(fields) != simdjson::SUCCESS) return error("an object is expected, not {}", print(m));
    element verb, sender;
    if (fields[schema.message.verb_key].get(verb) != simdjson::SUCCESS)
      return error("no \"{}\"", schema.message.verb_key);
    if (fields[schema.message.sender_key].get(sender) != simdjson::SUCCESS)
      return error("no \"{}\"", schema.message.sender_key);
    const auto v = head(verb, sender, out);
    if (!v) return tl::unexpected(v.error());
    std::size_t known = 2;
    for (const Field& f : (*v)->fields) {
      element e;
      const bool there = fields[f.key].get(e) == simdjson::SUCCESS;
      if (auto s = value(f, there ? &e : nullptr, out); !s) return s;
      known += there ? 1 : 0;
    }
    return fields.size() == known ? Status{} : unknown_field(fields, **v);
  }

  Status unknown_field(const object& fields, const Verb& verb) {
    std::vector<std::string> names{schema.message.verb_key, schema.message.sender_key};
    for (const Field& f : verb.fields) names.push_back(f.key);
    for (const auto& [key, ignored] : fields)
      if (std::find(names.begin(), names.end(), key) == names.end())
        return error("{}: {}", verb.name, unknown_word("field", key, names));
    return error("{}: a field is there twice", verb.name);
  }

  Result<const Verb*> head(const element& verb, const element& sender, Run& out) {
    std::string_view tag;
    if (verb.get(tag) != simdjson::SUCCESS) return error("the verb is a text, not {}", print(verb));
    const auto found = verbs.find(tag);
    if (found == verbs.end()) {
      std::vector<std::string> tags;
      for (const Verb& v : schema.verbs) tags.push_back(v.tag);
      return error("{}", unknown_word("verb", tag, tags));
    }
    std::int64_t from = 0;
    if (sender.get(from) != simdjson::SUCCESS || from < -1 || from >= schema.processes)
      return error("the sender is a process from 0 to {}, or -1 if unknown, not {}",
                   schema.processes - 1, print(sender));
    Message m;
    m.verb = static_cast<std::uint16_t>(found->second);
    m.sender = static_cast<std::int16_t>(from);
    m.first = static_cast<std::uint32_t>(out.values.size());
    out.messages.push_back(m);
    return &schema.verbs[found->second];
  }

  Status value(const Field& f, const element* e, Run& out) {
    const FieldType type = schema.kinds[static_cast<std::size_t>(f.kind)].type;
    if (!e || e->is_null()) {
      if (!f.optional) return error("{} is missing", f.name);
      out.values.push_back(type == FieldType::text ? out.intern("") : 0);
      return {};
    }
    std::int64_t i = 0;
    double d = 0;
    bool b = false;
    std::string_view text;
    if (type == FieldType::integer && e->get(i) == simdjson::SUCCESS) out.values.push_back(i);
    else if (type == FieldType::number && e->get(d) == simdjson::SUCCESS)
      out.values.push_back(ordered(d));
    else if (type == FieldType::boolean && e->get(b) == simdjson::SUCCESS)
      out.values.push_back(b ? 1 : 0);
    else if (type == FieldType::text && e->get(text) == simdjson::SUCCESS)
      out.values.push_back(out.intern(text));
    else return error("{} is of type {}, not {}", f.name, enum_name(type), print(*e));
    return {};
  }

  const Schema& schema;
  std::map<std::string, std::size_t, std::less<>> verbs;
  simdjson::dom::parser parser;
  std::vector<element> parts;
};

RunReader::RunReader(const Schema& schema) : parser_(std::make_unique<Parser>(schema)) {}
RunReader::~RunReader() = default;

Status RunReader::read(std::string_view line, Run& run) {
  run.clear();
  element root;
  const auto code = parser_->parser.parse(line.data(), line.size(), false).get(root);
  if (code != simdjson::SUCCESS) return error("not JSON: {}", simdjson::error_message(code));
  object o;
  if (root.get(o) != simdjson::SUCCESS) return error("a run is a JSON object");
  return parser_->run(o, run);
}

}  // namespace schism::isolate
