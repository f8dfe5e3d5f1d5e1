// `schism linearize`: judge a client history from a file, whoever recorded it.

#include "schism/base/file.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/linearize/judge.hpp"
#include "schism/linearize/text.hpp"

namespace schism::cli {
namespace {

// The choices, and what each is, a line each.
std::vector<std::string> model_names() {
  std::vector<std::string> out;
  for (const linearize::ModelWord& word : linearize::model_words()) out.emplace_back(word.name);
  return out;
}
std::string model_help() {
  std::string out = "what the history is of:";
  for (const linearize::ModelWord& word : linearize::model_words())
    out += fmt::format("\n  {:<15} {}", word.name, word.what);
  return out;
}

struct LinearizeFlags {
  explicit LinearizeFlags(Flags& flags) {
    flags.example("schism linearize history.jsonl", "what clients saw, as JSON lines");
    flags.example("schism linearize jepsen.edn --model cas_register",
                  "a history as Jepsen writes it");
    flags.option("history", path, "a file of JSON lines or EDN, or - for standard input")
        .required();
    flags.option("--model", model, model_help()).one_of(model_names());
    flags.flag("--strict", strict, "transactions: in an order that respects real time too");
    flags.option("--format", format, "automatic, json or edn").one_of({"automatic", "json", "edn"});
    flags.option("--tuples", tuples, "whether values are [key value]: automatic, yes or no")
        .one_of({"automatic", "yes", "no"});
    flags.option("--initial", initial, "what every register holds at first (nil)");
    flags.option("--limit", configurations, "configurations a key, beyond which it is unknown")
        .positive();
    flags.option("--time", time, "how long it may take, such as 60s");
    flags.flag("--json", json, "for programs");
  }

  std::string path, model = "any", format = "automatic", tuples = "automatic", initial, time;
  std::uint64_t configurations = 20'000'000;
  bool json = false, strict = false;
};

Value as_json(const linearize::History& history, const linearize::Report& report) {
  Value out;
  out.set("verdict", report.verdict == linearize::Verdict::linearizable
                         ? report.condition
                         : enum_name(report.verdict));
  out.set("model", enum_name(history.object()));
  out.set("condition", report.condition);
  out.set("operations", static_cast<std::int64_t>(report.operations));
  out.set("keys", static_cast<std::int64_t>(report.keys));
  out.set("clients", static_cast<std::int64_t>(report.clients));
  out.set("configurations", static_cast<std::int64_t>(report.configurations));
  if (report.offence) {
    Value::Array operations;
    for (const linearize::OpId op : report.offence->operations)
      operations.emplace_back(history.describe(op));
    out.set("key", report.offence->key);
    if (!report.offence->anomaly.empty()) out.set("anomaly", report.offence->anomaly);
    out.set("sentence", report.offence->sentence);
    out.set("cannot_be_ordered", std::move(operations));
  }
  Value::Array doubts;
  for (const std::string& doubt : report.doubts) doubts.emplace_back(doubt);
  if (!doubts.empty()) out.set("doubts", std::move(doubts));
  return out;
}

int run_linearize(const LinearizeFlags& f) {
  linearize::ReadOptions how;
  for (const linearize::ModelWord& word : linearize::model_words())
    if (word.name == f.model) how.model = word.model;
  how.format = *enum_value<linearize::Format>(f.format);
  how.tuples = *enum_value<linearize::Tuples>(f.tuples);
  linearize::Options options;
  options.limits.configurations = f.configurations;
  options.strict = f.strict;
  if (!f.initial.empty()) {
    std::string problem;
    auto value = parse_json(f.initial, &problem);
    options.initial = value ? *std::move(value) : Value(f.initial);
  }
  if (!f.time.empty()) {
    const auto time = parse_duration(f.time);
    if (!time) return bad_input("time " + time.error());
    options.limits.seconds = static_cast<double>(*time) * 1e-6;
  }
  const auto text = read_file(f.path);
  if (!text) return bad_input(text.error());
  const auto history = linearize::read_history(*text, how);
  if (!history)
    return bad_input((f.path == "-" ? "standard input" : f.path) + ", " + history.error());
  const bool transactions = history->object() == linearize::Object::list_append ||
                            history->object() == linearize::Object::rw_register;
  if (f.strict && !transactions)
    return bad_input("--strict is for transactions (--model list_append or rw_register)");
  linearize::Report report = linearize::judge_history(*history, options);
  if (report.operations == 0) {  // whoever recorded it saw nothing, which proves nothing
    report.verdict = linearize::Verdict::unknown;
    report.doubts.emplace_back("there is no operation in it");
  }
  if (!f.json) {
    say("{}", Shown{linearize::print(report)});
    return linearize::exit_code(report);
  }
  say("{}\n", to_json(as_json(*history, report)));
  return linearize::exit_code(report);
}

const Registration registered =
    verb<LinearizeFlags>(80, "linearize", "judge what clients saw", run_linearize);

}  // namespace
}  // namespace schism::cli
