// `schism linearize`: judge a client history from a file, whoever recorded it.

#include "schism/base/file.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/linearize/judge.hpp"
#include "schism/linearize/text.hpp"

namespace schism::cli {
namespace {

struct LinearizeFlags {
  explicit LinearizeFlags(Flags& flags) {
    flags.example("schism linearize history.jsonl",
                  "what clients saw, as JSON lines");
    flags.example("schism linearize jepsen.edn --model cas_register",
                  "a history as Jepsen writes it");
    flags.option("history", path, "a file of JSON lines or EDN, or - for standard input")
        .required();
    flags.option("--model", model, "any, register, cas_register or key_value")
        .one_of({"any", "register", "cas_register", "key_value"});
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
  bool json = false;
};

int run_linearize(const LinearizeFlags& f) {
  linearize::ReadOptions how;
  how.model =
      f.model == "register" ? linearize::Model::register_ : *enum_value<linearize::Model>(f.model);
  how.format = *enum_value<linearize::Format>(f.format);
  how.tuples = *enum_value<linearize::Tuples>(f.tuples);
  linearize::Options options;
  options.limits.configurations = f.configurations;
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
  const linearize::Report report = linearize::judge_history(*history, options);
  if (!f.json) {
    say("{}", Shown{linearize::print(report)});
    return linearize::exit_code(report);
  }
  Value out;
  out.set("verdict", enum_name(report.verdict));
  out.set("operations", static_cast<std::int64_t>(report.operations));
  out.set("keys", static_cast<std::int64_t>(report.keys));
  out.set("clients", static_cast<std::int64_t>(report.clients));
  out.set("configurations", static_cast<std::int64_t>(report.configurations));
  if (report.offence) {
    Value::Array operations;
    for (const linearize::OpId op : report.offence->operations)
      operations.emplace_back(history->describe(op));
    out.set("key", report.offence->key);
    out.set("sentence", report.offence->sentence);
    out.set("cannot_be_ordered", std::move(operations));
  }
  say("{}\n", to_json(out));
  return linearize::exit_code(report);
}

const Registration registered =
    verb<LinearizeFlags>(80, "linearize", "judge what clients saw", run_linearize);

}  // namespace
}  // namespace schism::cli
