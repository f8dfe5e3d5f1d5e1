#include "schism/scenario/parse.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/scenario/script_parser.hpp"

namespace schism::scenario {
namespace {

// What no person writes, and what a test of it would take for ever.
constexpr std::size_t kBytesMax = std::size_t{1} << 20, kScenariosMax = 1000, kPartsMax = 1000;

class Parser : public ScriptParser {
 public:
  using ScriptParser::ScriptParser;

  Result<std::vector<Scenario>> file() {
    std::vector<Scenario> out;
    while (good() && lexer_.now().kind != Token::end) {
      if (!word("scenario")) fail("the word scenario");
      if (out.size() >= kScenariosMax) fail("the end: a file has at most 1000 scenarios");
      if (good()) out.push_back(scenario());
    }
    if (good() && out.empty()) fail("the word scenario");
    if (!good()) return tl::unexpected(error_);
    return out;
  }

 private:
  // ---- actions -----------------------------------------------------------------------------

  std::vector<Act> acts() {
    std::vector<Act> out;
    do out.push_back(act(0));
    while (word(","));
    return out;
  }
  std::vector<Term> pair() {
    need("(");
    Term one = term();
    need(",");
    Term other = term();
    need(")");
    return {std::move(one), std::move(other)};
  }

  Act act(int depth) {
    Act out;
    out.where = lexer_.now().where;
    const auto is_kind = [&](std::string_view text, Act::Kind kind) {
      if (!word(text)) return false;
      out.kind = kind;
      return true;
    };
    if (is_kind("once", Act::once)) {
      if (depth > kDepthMax) return fail("fewer actions inside each other"), out;
      need("(");
      out.parts.push_back(act(depth + 1));
      need(")");
    } else if (is_kind("deliver", Act::deliver)) {
      if (word("all")) {
        out.kind = Act::deliver_all;
        need("from");
        out.name = name_of("a set's name");
        if (word("in")) need("order"), out.kept = true;
      }
    } else if (is_kind("store", Act::store)) {
      need("in");
      out.name = name_of("a set's name");
    } else if (is_kind("release", Act::release)) {
      out.name = name_of("a set's name");
    } else if (is_kind("go", Act::go_on)) {
      need("on");
    } else if (is_kind("drop", Act::drop) || is_kind("duplicate", Act::duplicate) ||
               is_kind("omit", Act::omit) || is_kind("pass", Act::pass) ||
               is_kind("hold", Act::hold)) {
      return out;
    } else if (is_kind("lie", Act::lie)) {
      out.name = name_of("a way to lie, such as silent, two-faced, future");
    } else if (is_kind("change", Act::change)) {
      out.name = name_of("a field, such as .term", Token::field);
      need("to");
      out.terms = {term()};
    } else if (is_kind("forge", Act::forge)) {
      out.name = name_of("a message's type");
      need("from");
      out.terms.push_back(term());
      need("to");
      out.terms.push_back(term());
      out.fields = fields();
    } else if (is_kind("fire", Act::fire)) {
      out.name = name_of("a timer's name");
      need("at");
      out.terms = {term()};
    } else if (is_kind("submit", Act::submit)) {
      out.name = name_of("a request's type");
      out.fields = fields();
      need("at");
      out.terms = {term()};
    } else if (is_kind("increment", Act::increment)) {
      out.terms = {counter(0)};
    } else if (is_kind("record", Act::record)) {
      out.name = name_of("a variable, such as $leader", Token::variable);
      need("=");
      out.terms = {term()};
    } else if (is_kind("cut", Act::cut) || is_kind("heal", Act::heal)) {
      out.terms = pair();
    } else if (is_kind("delay", Act::delay)) {
      out.terms = {term()};
      if (word("to")) out.terms.push_back(term());
    } else if (is_kind("crash", Act::crash) || is_kind("restart", Act::restart) ||
               is_kind("pause", Act::pause) || is_kind("resume", Act::resume) ||
               is_kind("isolate", Act::isolate) || is_kind("rejoin", Act::rejoin)) {
      out.terms = {term()};
    } else {
      fail("an action, such as drop, deliver, store in SET, crash NODE");
    }
    return out;
  }

  // ---- the whole ---------------------------------------------------------------------------

  Scenario scenario() {
    Scenario s;
    s.name = name_of("the scenario's name in quotes", Token::quoted);
    while (good() && lexer_.now().kind != Token::end && !is("scenario")) item(s);
    if (good() && s.run.system.name.empty())
      fail_at(lexer_.now().where, fmt::format("scenario \"{}\" names no system", s.name));
    return s;
  }

  void item(Scenario& s) {
    if (run_item(s)) return;
    if (word("until")) {
      need("calm");
      s.until_calm = true;
    } else if (word("let")) {
      let(s);
    } else if (word("parts")) {
      do {
        Part part{name_of("a part's name")};
        need("=");
        part.size = static_cast<int>(number("how many nodes", 1, 1024));
        s.parts.push_back(std::move(part));
      } while (word(","));
    } else if (word("filter")) {
      filter(s);
    } else if (word("machine")) {
      machine(s.machine);
    } else if (word("property")) {
      machine(s.property);
    } else if (word("script")) {
      for (Line& line : lines()) s.script.push_back(std::move(line));
      if (is("then") || is("and")) fail("a comma, or the next step of the script");
    } else if (word("expect")) {
      expect(s);
    } else {
      fail(
          "system, filter, script, machine, property, expect, let, parts, nodes, bug, mute, "
          "explorer, runs, "
          "seed, steps, tail, world, faults, until calm, or the next scenario");
    }
  }

  bool run_item(Scenario& s) {
    const Position where = lexer_.now().where;
    const auto spec = [&](Spec& into) {
      auto parsed = parse_spec(lexer_.rest_of_line());
      if (parsed) into = *std::move(parsed);
      else fail_at(where, parsed.error());
    };
    const auto pairs = [&](Pairs& into) {
      auto parsed = parse_spec("x:" + lexer_.rest_of_line());
      if (!parsed) return fail_at(where, parsed.error());
      for (auto& pair : parsed->values) {
        const auto same = [&](const auto& other) { return other.first == pair.first; };
        if (std::any_of(into.begin(), into.end(), same))
          return fail_at(where, fmt::format("{} stands twice", pair.first));
        into.push_back(std::move(pair));
      }
    };
    if (word("system")) spec(s.run.system);
    else if (word("explorer")) spec(s.run.explorer);
    else if (word("world")) pairs(s.run.world);
    else if (word("faults")) pairs(s.run.faults);
    else if (word("bug")) s.run.bugs.push_back(name_of("a bug's name"));
    else if (word("mute"))
      s.run.mute.push_back(name_of("a property's name in quotes", Token::quoted));
    else if (word("nodes")) s.run.nodes = std::to_string(number("how many", 1, 1024));
    else if (word("steps")) s.run.steps = std::to_string(number("how many", 1, 1'000'000'000));
    else if (word("tail")) s.run.tail = lexer_.rest_of_line();
    else if (word("runs"))
      s.runs = static_cast<std::uint64_t>(number("how many", 1, 1'000'000'000));
    else if (word("seed")) s.seed = static_cast<std::uint64_t>(number("a number", 0, INT64_MAX));
    else if (word("node-seed")) s.node_seed = number("a number", 0, INT64_MAX);
    else return false;
    return true;
  }

  void let(Scenario& s) {
    Let out;
    out.name = name_of("a variable's name");
    need("=");
    if (word("random")) {
      need("node");
      out.random_node = true;
    } else {
      out.value = term();
      if (out.value.kind > Term::text) fail_at(out.value.where, "a constant is expected here");
    }
    s.lets.push_back(std::move(out));
  }

  void filter(Scenario& s) {
    Filter out;
    out.where = lexer_.now().where;
    out.name = lexer_.now().kind == Token::quoted ? name_of("a name", Token::quoted)
                                                  : fmt::format("filter {}", s.filters.size() + 1);
    need("if");
    out.condition = either(0);
    need("then");
    if (good()) out.actions = acts();
    if (s.filters.size() >= kPartsMax) fail_at(out.where, "a scenario has at most 1000 filters");
    s.filters.push_back(std::move(out));
  }

  void machine(Machine& out) {
    bool any = false;
    for (; good(); any = true) {
      const Position where = lexer_.now().where;
      const bool goal = word("goal");
      if (goal && !is("->")) {
        out.goals.push_back(name_of("a state's name"));
        continue;
      }
      const Token& t = lexer_.now();
      if (!goal && (t.kind != Token::word || any_of(kReserved, t.text))) break;
      Transition next;
      next.where = where;
      next.from = goal ? "goal" : state();
      need("->");
      next.to = state();
      need("when");
      next.condition = either(0);
      if (good() && word("then")) next.records = acts();
      for (const Act& act : next.records)
        if (act.kind != Act::record && act.kind != Act::increment)
          fail_at(act.where, "a transition can only record and increment");
      if (out.transitions.size() >= kPartsMax) fail_at(where, "there are at most 1000 transitions");
      out.transitions.push_back(std::move(next));
    }
    if (!any) fail("a transition, such as start -> led when ...");
  }

  void expect(Scenario& s) {
    Expectation out;
    out.none = word("no");
    if (word("violation")) {
      out.kind = Expectation::violation;
      if (word("of")) out.property = name_of("a property's name in quotes", Token::quoted);
    } else if (!word("goal")) {
      fail("goal or violation");
    }
    if (!out.none && word(">=")) {
      out.percent = static_cast<int>(number("a percentage", 0, 100));
      need("%");
    }
    s.expectations.push_back(std::move(out));
  }
};

}  // namespace

Result<std::vector<Scenario>> parse(std::string_view text, const std::string& name) {
  if (text.size() > kBytesMax) return error("{}: a file of scenarios has at most 1 MiB", name);
  return Parser(text, name).file();
}

Result<std::vector<Line>> parse_script(std::string_view text, const std::string& name) {
  return ScriptParser(text, name).lines_alone();
}

Result<Cond> parse_condition(std::string_view text, const std::string& name) {
  return ConditionParser(text, name).alone();
}

}  // namespace schism::scenario
