#include "schism/tla/tell.hpp"

#include <fmt/format.h>

#include "schism/base/escape.hpp"

namespace schism::tla {
namespace {

// What ALIAS says of a state, or nothing.
std::string alias_text(Spec& spec, const State& s, const State* next) {
  if (!spec.alias) return {};
  try {
    const Value v = spec.evaluator().evaluate(spec.alias->code, s, next != nullptr ? *next : s);
    return fmt::format("   {}\n", spec.print(spec.evaluator().normal(v)));
  } catch (const Failure&) {
    return {};  // it may be about a next state, which the last one does not have
  }
}

std::string heading(const Spec& spec, std::size_t number, const TraceStep& step) {
  std::string text = fmt::format("{}: {}", number, step.action.empty() ? "?" : step.action);
  if (step.where.line != 0) text += fmt::format("   [{}]", spec.symbols().describe(step.where));
  return text;
}

// How a behaviour without end goes on after its last state.
std::string without_end(const CheckReport& r) {
  if (!r.back_to) return {};
  if (*r.back_to + 1 == r.trace.size())
    return "then nothing happens any more (stuttering): fairness does not ask for another step";
  return fmt::format("then{} to state {} again, and so on for ever",
                     r.back_by.empty() ? "" : " by " + r.back_by, *r.back_to + 1);
}

}  // namespace

std::string tell_trace(Spec& spec, const CheckReport& report, const TellOptions& options) {
  const std::vector<TraceStep>& trace = report.trace;
  std::string out;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const State& s = trace[i].state;
    out += heading(spec, i + 1, trace[i]) + "\n";
    const std::string aliased =
        alias_text(spec, s, i + 1 < trace.size() ? &trace[i + 1].state : nullptr);
    if (!aliased.empty()) {
      out += aliased;
      continue;
    }
    for (std::size_t k = 0; k < s.size(); ++k) {
      const bool changed = i == 0 || !(trace[i - 1].state[k] == s[k]);
      if (!changed && options.differences) continue;
      const bool mark = changed && i > 0;
      out += fmt::format("{} /\\ {} = {}{}\n", mark && options.color ? "\x1b[1m  " : "  ",
                         spec.symbols().text(spec.variables()[k]), spec.print(s[k]),
                         mark && options.color ? "\x1b[0m" : "");
    }
  }
  if (report.back_to) out += without_end(report) + "\n";
  return out;
}

std::string to_page(Spec& spec, const CheckReport& report) {
  std::string out =
      "<!doctype html><meta charset=\"utf-8\"><title>Counterexample</title><style>"
      "body{font:14px/1.4 system-ui,sans-serif;margin:2em;color:#222}"
      "table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.3em .6em;"
      "vertical-align:top;text-align:left;font-family:ui-monospace,monospace;font-size:12px}"
      "th{background:#f4f4f4;position:sticky;top:0}.new{background:#fff3c4}"
      "@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}"
      "th{background:#282828}td,th{border-color:#444}.new{background:#554a12}}</style>";
  out +=
      fmt::format("<h1>{}</h1><p>{} states generated, {} distinct, depth {}.</p>",
                  draw::escape_xml(report.what), report.generated, report.distinct, report.depth);
  out += "<table><tr><th>#</th><th>action</th>";
  for (const Symbol v : spec.variables())
    out += fmt::format("<th>{}</th>", draw::escape_xml(spec.symbols().text(v)));
  out += "</tr>";
  for (std::size_t i = 0; i < report.trace.size(); ++i) {
    const TraceStep& step = report.trace[i];
    out += fmt::format("<tr><td>{}</td><td>{}</td>", i + 1, draw::escape_xml(step.action));
    for (std::size_t k = 0; k < step.state.size(); ++k) {
      const bool changed = i > 0 && !(report.trace[i - 1].state[k] == step.state[k]);
      out += fmt::format("<td{}>{}</td>", changed ? " class=\"new\"" : "",
                         draw::escape_xml(spec.print(step.state[k])));
    }
    out += "</tr>";
  }
  out += "</table>";
  if (report.back_to) out += fmt::format("<p>{}</p>", draw::escape_xml(without_end(report)));
  return out + "\n";
}

}  // namespace schism::tla
