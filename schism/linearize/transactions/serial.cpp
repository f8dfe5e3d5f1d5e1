#include "schism/linearize/transactions/serial.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "schism/linearize/objects/act.hpp"
#include "schism/linearize/transactions/cycles.hpp"

namespace schism::linearize {
namespace {

constexpr std::size_t kTextMax = 160;

std::string shorten(std::string text) {
  if (text.size() > kTextMax) text = text.substr(0, kTextMax - 3) + "...";
  return text;
}

// Why the first of two comes before the second, in the words of the two.
std::string because(const History& history, const Edge& e, std::string_view first,
                    std::string_view second) {
  const bool lists = history.object() == Object::list_append;
  const auto value = [&](Id id) {
    return id < history.values().size() ? print_value(history.values()[id]) : std::string("nil");
  };
  const std::string key = print_value(history.keys()[e.key]);
  switch (e.kind) {
    case Dependency::ww:
      return lists ? fmt::format("{} appended {} to {} after {}'s {}", second, value(e.after), key,
                                 first, value(e.before))
                   : fmt::format("{} wrote {} = {} after {}'s {}", second, key, value(e.after),
                                 first, value(e.before));
    case Dependency::wr:
      return lists ? fmt::format("{} read {} up to {}, which {} appended", second, key,
                                 value(e.before), first)
                   : fmt::format("{} read {} = {}, which {} wrote", second, key, value(e.before),
                                 first);
    case Dependency::rw: {
      const std::string seen = e.from_first ? lists ? "empty" : "as it was at first"
                               : lists      ? "up to " + value(e.before)
                                            : "= " + value(e.before);
      return fmt::format("{} read {} {}, before {} {} {}", first, key, seen, second,
                         lists ? "appended" : "wrote", value(e.after));
    }
    case Dependency::rt: break;
  }
  return fmt::format("{} had answered when {} was invoked", first, second);
}

std::string_view meaning(std::string_view name) {
  if (name.starts_with("G0")) return "writes in a circle";
  if (name.starts_with("G1c")) return "information flows in a circle";
  if (name.starts_with("G-single")) return "a circle with one read of what was overwritten";
  return "a circle with several reads of what was overwritten";
}

Anomaly anomaly_of(const History& history, const Dependencies& d, const Cycle& cycle) {
  Anomaly out{fmt::format("{} ({})", cycle.name, meaning(cycle.name)), "", {}, {}};
  const std::size_t n = cycle.steps.size();
  const auto name = [](std::size_t i) { return fmt::format("T{}", i + 1); };
  for (std::size_t i = 0; i < n; ++i) {
    out.transactions.push_back(d.nodes[cycle.steps[i].from]);
    const std::string first = name(i), second = name((i + 1) % n);
    out.steps.push_back(fmt::format("{} before {} ({}): {}", first, second,
                                    enum_name(cycle.steps[i].edge.kind),
                                    because(history, cycle.steps[i].edge, first, second)));
  }
  out.sentence = fmt::format(
      "{} transactions must each come before the next, and the last before "
      "the first",
      n);
  return out;
}

// Registers that are touched together, without real time unless it is asked for.
Verdict search_orders(const History& history, const Value& initial, bool strict,
                      const Limits& limits, std::uint64_t& configurations) {
  Verdict out = Verdict::linearizable;
  for (ObjectHistory& part : split_objects(history, initial)) {
    if (!strict)
      for (Act& act : part.acts) {
        if (!act.optional()) act.returned += history.events();
        // Positions stay different, so that the order of events is one.
      }
    const Finding finding = check(part, limits);
    configurations += finding.configurations;
    if (finding.verdict == Verdict::violation) return Verdict::violation;
    if (finding.verdict == Verdict::unknown) out = Verdict::unknown;
  }
  return out;
}

}  // namespace

SerialFinding check_serial(const History& history, const Value& initial, bool strict,
                           const Limits& limits) {
  SerialFinding out;
  Dependencies d = dependencies(history, initial, strict);
  out.transactions = d.nodes.size();
  out.anomalies = std::move(d.anomalies);
  if (const auto cycle = find_cycle(d)) {
    // Worse than a lost update, which is a cycle too, are those without a stale read.
    const bool worst = cycle->name == "G0" || cycle->name == "G1c";
    const auto lost = std::find_if(out.anomalies.begin(), out.anomalies.end(),
                                   [](const Anomaly& a) { return a.name == "lost update"; });
    out.anomalies.insert(worst ? lost : out.anomalies.end(), anomaly_of(history, d, *cycle));
  }
  if (!out.anomalies.empty()) {
    out.verdict = Verdict::violation;
    return out;
  }
  const auto order = serial_order(history, d, initial);
  if (is_serial(history, order, initial)) {
    out.verdict = Verdict::linearizable;
    return out;
  }
  if (history.object() != Object::list_append) {
    out.verdict = search_orders(history, initial, strict, limits, out.configurations);
    if (out.verdict == Verdict::violation)
      out.anomalies.push_back({"no serial order",
                               "all orders were tried, and in none do all transactions read what "
                               "they read",
                               {},
                               {}});
  }
  if (out.verdict == Verdict::unknown) {
    out.doubts = std::move(d.doubts);
    if (out.doubts.empty())
      out.doubts.emplace_back("the order of writes could not be recovered within the limits");
  }
  return out;
}

std::string tell(const History& history, const Anomaly& anomaly) {
  std::string out;
  for (std::size_t i = 0; i < anomaly.transactions.size(); ++i) {
    const Operation& op = history[anomaly.transactions[i]];
    const std::string line = op.invoke_mark != 0 ? fmt::format(", line {}", op.invoke_mark) : "";
    out += shorten(fmt::format("  T{}  client {}{}: {}", i + 1, op.client, line,
                               history.describe(anomaly.transactions[i]))) +
           "\n";
  }
  if (!anomaly.steps.empty()) out += "\n";
  for (const std::string& step : anomaly.steps) out += "  " + shorten(step) + "\n";
  return out;
}

}  // namespace schism::linearize
