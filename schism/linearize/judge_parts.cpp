#include "schism/linearize/judge_parts.hpp"

#include <fmt/core.h>

#include <map>

#include "schism/base/text.hpp"
#include "schism/linearize/objects/object_evidence.hpp"
#include "schism/linearize/picture.hpp"
#include "schism/linearize/transactions/serial.hpp"

namespace schism::linearize {
namespace {

// As pictures know them: only who, when and how long.
Partition shape_of(const ObjectHistory& part) {
  Partition out{part.key, 1, {}};
  for (const Act& act : part.acts)
    out.ops.push_back({Effect::set, 0, 0, act.invoked, act.returned, act.op});
  return out;
}

Offence offence_of(const History& history, const ObjectHistory& whole, const Options& options) {
  Offence out;
  out.key = history.keys()[whole.key];
  const ObjectEvidence evidence =
      explain(whole, options.limits, options.explain ? options.explain_work : 0);
  out.event = evidence.event;
  out.located = evidence.located;
  out.minimal = evidence.minimal;
  std::uint32_t last = 0;
  for (const Act& act : evidence.part.acts) {
    out.operations.push_back(act.op);
    if (act.optional() || act.returned < last) continue;
    last = act.returned;
    out.culprit = act.op;
  }
  const std::string key = out.key.is_null() ? "" : fmt::format("key {}: ", print_value(out.key));
  const std::string what =
      fmt::format("`{}` by client {}", history.describe(out.culprit), history[out.culprit].client);
  out.sentence = out.operations.size() == 1
                     ? fmt::format("{}{} is wrong in every order", key, what)
                     : fmt::format("{}no order of these {} operations allows {}", key,
                                   out.operations.size(), what);
  switch (history.object()) {
    case Object::mutex:
    case Object::owned_mutex: out.quality = "all since it was last certainly free"; break;
    case Object::multi_register: out.quality = "no register and no read can be spared"; break;
    default: out.quality = "no element and no read can be spared"; break;
  }
  if (options.explain) out.picture = draw(history, shape_of(evidence.part));
  return out;
}

}  // namespace

void judge_objects(const History& history, const Options& options, const Clock& clock,
                   Report& report) {
  for (const ObjectHistory& part : split_objects(history, options.initial)) {
    const Finding finding = check(part, clock.left(options.limits));
    report.configurations += finding.configurations;
    if (note_verdict(finding.verdict, history.keys()[part.key], report))
      report.offence = offence_of(history, part, options);
  }
}

void judge_transactions(const History& history, const Options& options, const Clock& clock,
                        Report& report) {
  report.condition = options.strict ? "strictly serializable" : "serializable";
  const SerialFinding found =
      check_serial(history, options.initial, options.strict, clock.left(options.limits));
  report.configurations = found.configurations;
  report.doubts = found.doubts;
  if (!note_verdict(found.verdict, {}, report)) return;
  const Anomaly& worst = found.anomalies.front();
  Offence& out = report.offence.emplace();
  out.anomaly = worst.name;
  out.operations = worst.transactions;
  for (const OpId op : worst.transactions)
    if (history[op].outcome == Outcome::ok &&
        (out.event == 0 || history[op].answered > out.event)) {
      out.event = history[op].answered;
      out.culprit = op;
    }
  out.sentence = worst.sentence;
  out.picture = printable_lines(tell(history, worst));
  std::map<std::string, std::size_t> more;
  for (std::size_t i = 1; i < found.anomalies.size(); ++i) ++more[found.anomalies[i].name];
  report.more.assign(more.begin(), more.end());
}

}  // namespace schism::linearize
