#include "schism/linearize/judge.hpp"

#include <fmt/core.h>

#include "absl/container/flat_hash_set.h"
#include "schism/base/text.hpp"
#include "schism/linearize/evidence.hpp"
#include "schism/linearize/judge_parts.hpp"
#include "schism/linearize/picture.hpp"

namespace schism::linearize {
namespace {

constexpr std::size_t kUnknownShown = 5;

std::string sentence_of(const History& history, const Offence& o) {
  const Operation& culprit = history[o.culprit];
  const std::string key = o.key.is_null() ? "" : fmt::format("key {}: ", print_value(o.key));
  const std::string what =
      fmt::format("`{}` by client {}", history.describe(o.culprit), culprit.client);
  if (o.operations.size() == 1 && culprit.function != Function::write && !culprit.missed)
    return fmt::format("{}{} found a value that nobody had written", key, what);
  return fmt::format("{}no order of these {} operations allows {}", key, o.operations.size(), what);
}

Offence offence_of(const History& history, const Partition& partition, const Options& options) {
  Offence out;
  out.key = history.keys()[partition.key];
  const Evidence evidence = options.explain
                                ? explain(partition, options.limits, options.explain_work)
                                : explain(partition, options.limits, 0);
  out.event = evidence.event;
  out.located = evidence.located;
  out.minimal = evidence.minimal;
  out.smallest = evidence.smallest;
  std::uint32_t last = 0;  // an answer: evidence holds the one that left no order, if that is known
  for (const RegisterOp& op : evidence.part.ops) {
    out.operations.push_back(op.op);
    if (op.optional() || op.returned < last) continue;
    last = op.returned;
    out.culprit = op.op;
  }
  out.sentence = sentence_of(history, out);
  if (options.explain) out.picture = draw(history, evidence.part);
  return out;
}

void count(const History& history, Report& report) {
  absl::flat_hash_set<std::int64_t> clients;
  absl::flat_hash_set<Id> keys;
  for (const Operation& op : history.operations()) {
    clients.insert(op.client);
    if (op.function != Function::txn) keys.insert(op.key);
    else
      for (const Step& step : history.steps(op)) keys.insert(step.key);
    switch (op.outcome) {
      case Outcome::ok: ++report.ok; break;
      case Outcome::fail: ++report.failed; break;
      case Outcome::info: ++report.info; break;
      case Outcome::pending: ++report.pending; break;
    }
  }
  report.operations = history.operations().size();
  report.clients = clients.size();
  report.keys = keys.size();
}

std::string print_anomaly(const Report& report) {
  const Offence& o = *report.offence;
  std::string out = fmt::format("{}: {}\n\n{}\n", o.anomaly, printable(o.sentence), o.picture);
  for (const auto& [name, times] : report.more)
    out += fmt::format("also found: {}{}\n", name,
                       times > 1 ? fmt::format(", {} times", times) : std::string());
  return out;
}

std::string plural(std::size_t n, std::string_view one, std::string_view more) {
  return fmt::format("{} {}", n, n == 1 ? one : more);
}

}  // namespace

void judge_registers(const History& history, const Options& options, const Clock& clock,
                     Report& report) {
  for (const Partition& part : partition(history, options.initial)) {
    const Finding finding = check(part, clock.left(options.limits));
    report.configurations += finding.configurations;
    if (note_verdict(finding.verdict, history.keys()[part.key], report))
      report.offence = offence_of(history, part, options);
  }
}

bool note_verdict(Verdict verdict, const Value& key, Report& report) {
  if (verdict == Verdict::unknown) {
    ++report.unknown_keys;
    if (report.unknown.size() < kUnknownShown) report.unknown.push_back(key);
  }
  return verdict == Verdict::violation && ++report.violating_keys == 1;
}

Report judge_history(const History& history, const Options& options) {
  const Clock clock;
  Report report;
  count(history, report);
  switch (history.object()) {
    case Object::registers: judge_registers(history, options, clock, report); break;
    case Object::list_append:
    case Object::rw_register: judge_transactions(history, options, clock, report); break;
    default: judge_objects(history, options, clock, report); break;
  }
  report.verdict = report.violating_keys != 0 ? Verdict::violation
                   : report.unknown_keys != 0 ? Verdict::unknown
                                              : Verdict::linearizable;
  report.seconds = clock.spent();
  return report;
}

std::string print(const Report& report) {
  const bool serial = report.condition != "linearizable";
  const std::string_view one = serial ? "transaction" : "operation",
                         many = serial ? "transactions" : "operations";
  std::string out = report.verdict == Verdict::unknown     ? "unknown"
                    : report.verdict == Verdict::violation ? fmt::format("not {}", report.condition)
                                                           : std::string(report.condition);
  out += fmt::format(
      ": {} by {} on {} ({} ok, {} failed, {} info, {} pending)\n",
      plural(report.operations, one, many), plural(report.clients, "client", "clients"),
      plural(report.keys, "key", "keys"), report.ok, report.failed, report.info, report.pending);
  if (report.offence && serial) {
    out += print_anomaly(report);
  } else if (report.offence) {
    const Offence& o = *report.offence;
    out += fmt::format("{}\n", printable(o.sentence));
    if (!o.picture.empty()) out += "\n" + o.picture + "\n";
    const std::string_view quality = o.minimal && !o.quality.empty() ? o.quality
                                     : o.smallest                    ? "the smallest set among them"
                                     : o.minimal                     ? "none of them can be spared"
                                                 : "perhaps not the fewest: the search for fewer "
                                                   "reached its limit";
    out += fmt::format("{} of {}; {}\n", o.operations.size(),
                       plural(report.operations, "operation", "operations"), quality);
    if (report.violating_keys > 1)
      out +=
          fmt::format("{} keys are not linearizable; this is one of them\n", report.violating_keys);
  }
  for (const std::string& doubt : report.doubts)
    out += fmt::format("neither proved nor refuted: {}\n", printable(doubt));
  if (report.unknown_keys != 0 && !serial) {
    std::string names;
    for (const Value& key : report.unknown) names += " " + printable(print_value(key));
    out += fmt::format("{} beyond the limits, and so neither proved nor refuted:{}{}\n",
                       plural(report.unknown_keys, "key", "keys"), names,
                       report.unknown_keys > report.unknown.size() ? " ..." : "");
  }
  if (serial) out += fmt::format("in {:.3f} s\n", report.seconds);
  else out += fmt::format("{} configurations in {:.3f} s\n", report.configurations, report.seconds);
  return out;
}

}  // namespace schism::linearize
