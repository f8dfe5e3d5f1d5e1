#include "schism/isolate/save.hpp"

#include <fmt/format.h>

#include "schism/base/value.hpp"

namespace schism::isolate {
namespace {

Value texts(const std::vector<std::string>& all) {
  Value::Array out;
  for (const std::string& text : all) out.emplace_back(text);
  return out;
}

Value value_of(const Run& run, std::int64_t number, FieldType type) {
  switch (type) {
    case FieldType::integer: return number;
    case FieldType::boolean: return number != 0;
    case FieldType::number: return unordered(number);
    case FieldType::text: return run.text(number);
  }
  return {};
}

// JSON's texts are TOML's.
std::string quoted(const std::string& text) { return to_json(Value(text)); }

std::string numbers(std::uint64_t members) {
  std::string out;
  for (int i = 0; i < kProcessesMax; ++i)
    if (members >> i & 1) out += fmt::format("{}{}", out.empty() ? "" : ", ", i);
  return out;
}

}  // namespace

std::string to_line(const Schema& schema, const Run& run) {
  Value line;
  line.set("run", run.info.name);
  line.set("failed", run.info.failed);
  line.set("bugs", texts(run.info.bugs));
  line.set("fold", run.info.fold);
  line.set("faults", texts(run.faults));
  Value::Object branches;
  for (const auto& [name, bits] : run.branches) branches.emplace_back(name, Value(int{bits}));
  line.set("branches", std::move(branches));
  Value::Array inboxes;
  for (std::size_t process = 0; process < run.inbox_end.size(); ++process) {
    Value::Array inbox;
    for (const Message& m : run.inbox(process)) {
      const Verb& verb = schema.verbs[m.verb];
      Value::Array message{verb.tag, int{m.sender}};
      for (std::size_t i = 0; i < verb.fields.size(); ++i) {
        const Kind& kind = schema.kinds[static_cast<std::size_t>(verb.fields[i].kind)];
        message.push_back(value_of(run, run.fields(m)[i], kind.type));
      }
      inbox.emplace_back(std::move(message));
    }
    inboxes.emplace_back(std::move(inbox));
  }
  line.set("inbox", std::move(inboxes));
  return to_json(line);
}

std::string to_toml(const Schema& s) {
  std::string out = fmt::format("processes = {}\n\n", s.processes);
  out +=
      "[run]\nbugs = \"bugs\"\nfaults = \"faults\"\nbranches = \"branches\"\nfold = [\"fold\"]\n\n";
  out += "[message]\nverb = 0\nsender = 1\n\n";
  out += fmt::format(
      "[predicates]\nthresholds = [{}, {}]\ntolerances = [{}, {}]\nassertions = {}\n",
      s.threshold_low, s.threshold_high, s.tolerance_low, s.tolerance_high, s.assertions);
  for (const Group& g : s.groups)
    out += fmt::format("\n[[group]]\nname = {}\nmembers = [{}]\nreceivers = [{}]\n", quoted(g.name),
                       numbers(g.members), numbers(g.receivers));
  out += "\n[kind]\n";
  for (const Kind& kind : s.kinds) {
    std::string operators;
    for (const Operator op : kind.operators)
      operators += fmt::format("{}\"{}\"", operators.empty() ? "" : ", ", operator_text(op));
    out += fmt::format("{} = {{ type = \"{}\", operators = [{}] }}\n", quoted(kind.name),
                       enum_name(kind.type), operators);
  }
  for (const Verb& verb : s.verbs) {
    out += fmt::format("\n[[verb]]\nname = {}\ntag = {}\nfields = [\n", quoted(verb.name),
                       quoted(verb.tag));
    for (std::size_t i = 0; i < verb.fields.size(); ++i) {
      const Field& field = verb.fields[i];
      out += fmt::format("  {{ name = {}, at = {}, kind = {}{} }},\n", quoted(field.name), i + 2,
                         quoted(s.kinds[static_cast<std::size_t>(field.kind)].name),
                         field.leave_out ? ", leave-out = true" : "");
    }
    out += "]\n";
  }
  return out;
}

}  // namespace schism::isolate
