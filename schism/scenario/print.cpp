#include <fmt/format.h>

#include <algorithm>

#include "schism/scenario/syntax.hpp"

namespace schism::scenario {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  return fmt::format("{}", fmt::join(words, between));
}

// What is inside another condition stands in parentheses unless it is one thing.
std::string inner(const Cond& c) {
  const bool compound = c.kind == Cond::any || c.kind == Cond::all;
  return compound ? "(" + print(c) + ")" : print(c);
}

std::string arguments(const std::vector<Term>& terms) {
  std::vector<std::string> out;
  for (const Term& t : terms) out.push_back(print(t));
  return "(" + joined(out, ", ") + ")";
}

std::string fields_of(const Act& act) {
  std::string out;
  for (const auto& [name, value] : act.fields)
    out += fmt::format("{}{} = {}", out.empty() ? " {" : ", ", name, print(value));
  return out.empty() ? out : out + "}";
}

std::string compared(const Term& left, Order order, const Term& right) {
  return fmt::format("{} {} {}", print(left), order_sign(order), print(right));
}

}  // namespace

std::string_view order_sign(Order order) {
  constexpr std::string_view signs[] = {"=", "!=", "<", "<=", ">", ">="};
  return signs[static_cast<std::size_t>(order)];
}

std::string print(const Term& t) {
  const auto plus = [&](std::string text) {
    if (t.value > 0) text += fmt::format(" + {}", t.value);
    if (t.value < 0) text += fmt::format(" - {}", -t.value);
    return text;
  };
  switch (t.kind) {
    case Term::nothing: return "nothing";
    case Term::number: return std::to_string(t.value);
    case Term::word: return t.name;
    case Term::text: return quoted(t.name);
    case Term::variable: return plus("$" + t.name);
    case Term::field: return plus("." + t.name);
    case Term::from: return plus("sender");
    case Term::to: return plus("receiver");
    case Term::at: return plus("here");
    case Term::count: return plus("count " + t.name + (t.keys.empty() ? "" : arguments(t.keys)));
    case Term::size: return plus("size " + t.name);
    case Term::quorum: return plus("quorum");
    case Term::nodes: return plus("nodes");
  }
  return {};
}

std::string print(const Cond& c) {
  switch (c.kind) {
    case Cond::always: return "anything";
    case Cond::all:
    case Cond::any: {
      std::vector<std::string> out;
      for (const Cond& part : c.parts) out.push_back(inner(part));
      return joined(out, c.kind == Cond::all ? " and " : " or ");
    }
    case Cond::negation: return "not " + inner(c.parts[0]);
    case Cond::event: return c.types.empty() ? c.name : c.name + " " + joined(c.types, " | ");
    case Cond::from: return "from " + print(c.terms[0]);
    case Cond::to: return "to " + print(c.terms[0]);
    case Cond::at: return "at " + print(c.terms[0]);
    case Cond::between: return fmt::format("between({}, {})", print(c.terms[0]), print(c.terms[1]));
    case Cond::from_part: return "from part " + c.name;
    case Cond::to_part: return "to part " + c.name;
    case Cond::across: return "across parts";
    case Cond::within: return "within parts";
    case Cond::compare: return compared(c.terms[0], c.order, c.terms[1]);
    case Cond::state_of:
      return fmt::format("node {} has {}", print(c.terms[0]),
                         compared(c.terms[1], c.order, c.terms[2]));
    case Cond::in_state: return "in " + c.name;
    case Cond::once: return "once(" + print(c.parts[0]) + ")";
    case Cond::in_set: return "in set " + c.name;
    case Cond::named: return c.terms.empty() ? c.name : c.name + arguments(c.terms);
    case Cond::custom: return "code";
  }
  return {};
}

std::string print(const Cue& c) {
  static constexpr std::string_view words[] = {
      "deliver", "drop",  "duplicate", "change", "forge",  "fire", "complete", "fail",
      "submit",  "crash", "restart",   "pause",  "resume", "cut",  "heal"};
  std::string out(words[c.kind]);
  if (c.all) out += " all";
  const bool message = c.kind <= Cue::forge, link = c.kind == Cue::cut || c.kind == Cue::heal;
  if (message && c.type.empty()) out += " anything";
  else if (!c.type.empty()) out += " " + c.type;
  if (c.kind == Cue::submit) {
    Act fields;
    fields.fields = c.fields;
    out += fields_of(fields);
  }
  const bool served = c.kind >= Cue::fire && c.kind <= Cue::submit;
  if (message || link) {
    if (c.from.kind != Term::nothing) out += " from " + print(c.from);
    if (c.to.kind != Term::nothing) out += " to " + print(c.to);
  } else if (c.to.kind != Term::nothing) {
    out += (served ? " at " : " ") + print(c.to);
  }
  if (!c.content.empty()) out += " as " + quoted(c.content);
  if (!c.client.empty()) out += " by " + c.client;
  if (c.kept > 0) out += fmt::format(" keeping {}", c.kept);
  if (c.torn) out += " torn";
  if (c.skipped > 0) out += fmt::format(" skipping {}", c.skipped);
  if (c.condition.kind != Cond::always) out += " if " + print(c.condition);
  if (c.times.kind != Term::nothing) out += " times " + print(c.times);
  if (!c.choices.empty()) out += fmt::format(" choosing {}", fmt::join(c.choices, " "));
  return out;
}

std::string print(const Act& a) {
  const auto of = [&](std::size_t i) { return print(a.terms[i]); };
  switch (a.kind) {
    case Act::deliver: return "deliver";
    case Act::drop: return "drop";
    case Act::store: return "store in " + a.name;
    case Act::deliver_all: return "deliver all from " + a.name + (a.kept ? " in order" : "");
    case Act::release: return "release " + a.name;
    case Act::delay: return "delay " + of(0) + (a.terms.size() > 1 ? " to " + of(1) : "");
    case Act::duplicate: return "duplicate";
    case Act::change: return "change ." + a.name + " to " + of(0);
    case Act::omit: return "omit";
    case Act::lie: return "lie " + a.name;
    case Act::forge:
      return fmt::format("forge {} from {} to {}{}", a.name, of(0), of(1), fields_of(a));
    case Act::fire: return fmt::format("fire {} at {}", a.name, of(0));
    case Act::crash: return "crash " + of(0);
    case Act::restart: return "restart " + of(0);
    case Act::pause: return "pause " + of(0);
    case Act::resume: return "resume " + of(0);
    case Act::cut: return fmt::format("cut({}, {})", of(0), of(1));
    case Act::heal: return fmt::format("heal({}, {})", of(0), of(1));
    case Act::isolate: return "isolate " + of(0);
    case Act::rejoin: return "rejoin " + of(0);
    case Act::submit: return fmt::format("submit {}{} at {}", a.name, fields_of(a), of(0));
    case Act::increment: return "increment " + print(a.terms[0]).substr(6);
    case Act::record: return fmt::format("record ${} = {}", a.name, of(0));
    case Act::hold: return "hold";
    case Act::pass: return "pass";
    case Act::go_on: return "go on";
    case Act::once: return "once(" + print(a.parts[0]) + ")";
    case Act::custom: return "code";
  }
  return {};
}

namespace {

std::string listed(const std::vector<Act>& acts) {
  std::vector<std::string> out;
  for (const Act& act : acts) out.push_back(print(act));
  return joined(out, ", ");
}

void print_machine(std::string& out, std::string_view head, const Machine& machine) {
  if (machine.transitions.empty() && machine.goals.empty()) return;
  out += fmt::format("{}\n", head);
  for (const Transition& t : machine.transitions)
    out += fmt::format("  {} -> {} when {}{}\n", t.from, t.to, print(t.condition),
                       t.records.empty() ? "" : " then " + listed(t.records));
  for (const std::string& goal : machine.goals) out += fmt::format("  goal {}\n", goal);
}

void print_run(std::string& out, const Scenario& s) {
  out += fmt::format("system {}\n", print_spec(s.run.system));
  for (const std::string& bug : s.run.bugs) out += fmt::format("bug {}\n", bug);
  for (const std::string& property : s.run.mute) out += fmt::format("mute {}\n", quoted(property));
  const auto plain = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) out += fmt::format("{} {}\n", key, value);
  };
  plain("nodes", s.run.nodes);
  const auto pairs = [&](std::string_view key, const Pairs& list) {
    if (!list.empty()) plain(key, print_spec({"x", list}).substr(2));
  };
  pairs("world", s.run.world);
  pairs("faults", s.run.faults);
  if (!s.run.explorer.name.empty()) plain("explorer", print_spec(s.run.explorer));
  plain("steps", s.run.steps);
  plain("tail", s.run.tail);
  if (s.runs != 100) out += fmt::format("runs {}\n", s.runs);
  if (s.seed != 1) out += fmt::format("seed {}\n", s.seed);
  if (s.node_seed >= 0) out += fmt::format("node-seed {}\n", s.node_seed);
  if (s.until_calm) out += "until calm\n";
}

std::string print_expectation(const Expectation& e) {
  std::string out = e.none ? "expect no " : "expect ";
  out += e.kind == Expectation::goal ? "goal" : "violation";
  if (!e.property.empty()) out += " of " + quoted(e.property);
  return e.none ? out : out + fmt::format(" >= {}%", e.percent);
}

bool coded(const Cond& c) {
  return c.kind == Cond::custom || std::any_of(c.parts.begin(), c.parts.end(), coded);
}
bool acts_coded(const Act& a) {
  return a.kind == Act::custom || std::any_of(a.parts.begin(), a.parts.end(), acts_coded);
}

}  // namespace

std::string print(const Scenario& s) {
  std::string out = fmt::format("scenario {}\n", quoted(s.name));
  print_run(out, s);
  for (const Let& let : s.lets)
    out +=
        fmt::format("let {} = {}\n", let.name, let.random_node ? "random node" : print(let.value));
  std::vector<std::string> parts;
  for (const Part& part : s.parts) parts.push_back(fmt::format("{} = {}", part.name, part.size));
  if (!parts.empty()) out += "parts " + joined(parts, ", ") + "\n";
  print_machine(out, "machine", s.machine);
  for (const Filter& f : s.filters)
    out += fmt::format("filter {}\n  if {}\n  then {}\n", quoted(f.name), print(f.condition),
                       listed(f.actions));
  if (!s.script.empty()) out += "script\n";
  for (const Line& line : s.script) {
    std::vector<std::string> cues;
    for (const Cue& cue : line.cues) cues.push_back(print(cue));
    out += "  " + joined(cues, ", ") + "\n";
  }
  print_machine(out, "property", s.property);
  for (const Expectation& e : s.expectations) out += print_expectation(e) + "\n";
  return out;
}

bool has_code(const Scenario& s) {
  const auto machine = [](const Machine& m) {
    return std::any_of(m.transitions.begin(), m.transitions.end(),
                       [](const Transition& t) { return coded(t.condition); });
  };
  return machine(s.machine) || machine(s.property) ||
         std::any_of(s.filters.begin(), s.filters.end(), [](const Filter& f) {
           return coded(f.condition) || std::any_of(f.actions.begin(), f.actions.end(), acts_coded);
         });
}

}  // namespace schism::scenario
