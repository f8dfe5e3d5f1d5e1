// A hand-written descent: what was expected is known where it is missing, and said with its place.
#include "schism/scenario/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "schism/base/params.hpp"
#include "schism/scenario/lexer.hpp"

namespace schism::scenario {
namespace {

constexpr int kDepthMax = 64;
constexpr std::size_t kScenariosMax = 1000;

// Kinds of events that a condition can name, and what their types are.
constexpr std::array kEvents = {"sent",      "received", "message", "announced", "asked",
                                "invoked",   "answered", "armed",   "fired",     "queued",
                                "completed", "started",  "crashed", "restarted", "paused",
                                "resumed",   "dropped",  "lost",    "calmed"};
// Words that begin or join something, and so are no types, states or names of conditions.
constexpr std::array kReserved = {
    "and",      "or",     "not",     "then",   "when",   "if",    "filter", "scenario", "machine",
    "property", "expect", "let",     "parts",  "system", "bug",   "nodes",  "world",    "faults",
    "explorer", "runs",   "seed",    "steps",  "tail",   "until", "goal",   "to",       "from",
    "at",       "in",     "between", "within", "across", "node",  "once",   "has"};

bool any_of(const auto& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& name) : lexer_(text), name_(name) {}

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

  Result<Cond> alone() {
    Cond out = either(0);
    if (good() && lexer_.now().kind != Token::end) fail("and, or, or the end");
    if (!good()) return tl::unexpected(error_);
    return out;
  }

 private:
  bool good() const { return error_.empty(); }
  void fail(std::string_view expected) {
    if (!good()) return;
    const Token& t = lexer_.now();
    const std::string found = !lexer_.problem().empty() ? lexer_.problem()
                              : t.kind == Token::end    ? "the end of the file"
                                                        : fmt::format("\"{}\"", t.text);
    error_ = fmt::format("{}, line {}, column {}: expected {}, found {}", name_, t.where.line,
                         t.where.column, expected, found);
  }
  void fail_at(Position at, const std::string& what) {
    if (good()) error_ = fmt::format("{}, line {}, column {}: {}", name_, at.line, at.column, what);
  }
  bool is(std::string_view text) const {
    const Token& t = lexer_.now();
    return good() && (t.kind == Token::word || t.kind == Token::sign) && t.text == text;
  }
  bool word(std::string_view text) {
    if (!is(text)) return false;
    lexer_.advance();
    return true;
  }
  void need(std::string_view text) {
    if (!word(text)) fail(fmt::format("\"{}\"", text));
  }
  std::string name_of(std::string_view what, Token::Kind kind = Token::word) {
    const Token t = lexer_.now();
    if (t.kind != kind || (kind == Token::word && any_of(kReserved, t.text)))
      return fail(what), std::string();
    if (good()) lexer_.advance();
    return t.text;
  }
  // Fields of a record may be called as they like.
  std::string field_name() {
    const Token t = lexer_.now();
    if (t.kind != Token::word) return fail("a field's name"), std::string();
    if (good()) lexer_.advance();
    return t.text;
  }
  // States may be called goal.
  std::string state() { return word("goal") ? "goal" : name_of("a state's name"); }
  std::int64_t number(std::string_view what, std::int64_t low, std::int64_t high) {
    const Token t = lexer_.now();
    if (t.kind != Token::number) return fail(what), 0;
    const auto n = parse_integer(t.text, low, high);
    if (!n) return fail_at(t.where, fmt::format("{} {}", what, n.error())), 0;
    lexer_.advance();
    return *n;
  }

  // ---- values ------------------------------------------------------------------------------

  Term term(int depth = 0) {
    Term out;
    if (depth > kDepthMax) return fail("fewer things inside each other"), out;
    const Token t = lexer_.now();
    out.where = t.where;
    out.name = t.text;
    switch (t.kind) {
      case Token::number:
        out.kind = Term::number;
        out.value = number("a number", 0, INT64_MAX);
        out.name.clear();
        return out;
      case Token::quoted:
        out.kind = Term::text;
        lexer_.advance();
        return out;
      case Token::variable:
        out.kind = Term::variable;
        lexer_.advance();
        return plus(out);
      case Token::field:
        out.kind = Term::field;
        lexer_.advance();
        return plus(out);
      case Token::word: break;
      case Token::sign:
        if (word("-")) {
          out.kind = Term::number;
          out.value = -number("a number", 0, INT64_MAX);
          out.name.clear();
          return out;
        }
        [[fallthrough]];
      default: return fail("a value: a number, a word, a \"text\", $variable or .field"), out;
    }
    if (word("count")) return plus(counter(depth));
    if (word("size")) {
      out.kind = Term::size;
      out.name = name_of("a set's name");
      return plus(out);
    }
    static constexpr std::pair<std::string_view, Term::Kind> roles[] = {{"sender", Term::from},
                                                                        {"receiver", Term::to},
                                                                        {"here", Term::at},
                                                                        {"nothing", Term::nothing}};
    for (const auto& [role, kind] : roles)
      if (word(role)) {
        out.kind = kind;
        out.name.clear();
        return plus(out);
      }
    out.kind = Term::word;
    out.name = name_of("a value: a number, a word, a \"text\", $variable or .field");
    return out;
  }
  Term plus(Term t) {
    const bool minus = is("-");
    if (!minus && !is("+")) return t;
    lexer_.advance();
    const std::int64_t by = number("a number", 0, INT32_MAX);
    t.value = minus ? -by : by;
    return t;
  }
  Term counter(int depth) {
    Term out;
    out.kind = Term::count;
    out.where = lexer_.now().where;
    out.name = name_of("a counter's name");
    if (word("(")) {
      do out.keys.push_back(term(depth + 1));
      while (word(","));
      need(")");
    }
    return out;
  }
  bool comparator(Order& order) {
    static constexpr std::pair<std::string_view, Order> signs[] = {
        {"==", Order::equal},   {"=", Order::equal},     {"!=", Order::unequal},
        {"<=", Order::at_most}, {">=", Order::at_least}, {"<", Order::less},
        {">", Order::greater}};
    for (const auto& [sign, meaning] : signs)
      if (word(sign)) return order = meaning, true;
    return false;
  }

  // ---- conditions --------------------------------------------------------------------------

  Cond made(Cond::Kind kind, Position where, std::vector<Term> terms = {}, std::string name = {}) {
    Cond out;
    out.kind = kind, out.where = where, out.terms = std::move(terms), out.name = std::move(name);
    return out;
  }
  Cond joined(Cond::Kind kind, std::string_view between, int depth) {
    const auto part = [&] {
      return kind == Cond::any ? joined(Cond::all, "and", depth) : one(depth);
    };
    Cond first = part();
    if (!is(between)) return first;
    Cond out = made(kind, first.where);
    out.parts.push_back(std::move(first));
    while (word(between)) out.parts.push_back(part());
    return out;
  }
  Cond either(int depth) { return joined(Cond::any, "or", depth); }

  Cond one(int depth) {
    const Position where = lexer_.now().where;
    if (depth > kDepthMax) return fail("fewer conditions inside each other"), Cond{};
    if (word("not")) {
      Cond out = made(Cond::negation, where);
      out.parts.push_back(one(depth + 1));
      return out;
    }
    if (word("(")) {
      Cond out = either(depth + 1);
      need(")");
      return out;
    }
    if (word("once")) {
      need("(");
      Cond out = made(Cond::once, where);
      out.parts.push_back(either(depth + 1));
      need(")");
      return out;
    }
    return simple(where);
  }

  Cond simple(Position where) {
    if (word("anything")) return made(Cond::always, where);
    if (word("from")) {
      if (word("part")) return made(Cond::from_part, where, {}, name_of("a part's name"));
      return made(Cond::from, where, {term()});
    }
    if (word("to")) {
      if (word("part")) return made(Cond::to_part, where, {}, name_of("a part's name"));
      return made(Cond::to, where, {term()});
    }
    if (word("at")) return made(Cond::at, where, {term()});
    if (word("between")) {
      need("(");
      Term one = term();
      need(",");
      Term other = term();
      need(")");
      return made(Cond::between, where, {std::move(one), std::move(other)});
    }
    if (word("across")) return need("parts"), made(Cond::across, where);
    if (word("within")) return need("parts"), made(Cond::within, where);
    if (word("in")) {
      if (word("set")) return made(Cond::in_set, where, {}, name_of("a set's name"));
      return made(Cond::in_state, where, {}, state());
    }
    if (word("node")) {
      Term who = term();
      need("has");
      if (lexer_.now().kind != Token::field) fail("a field of the node, such as .role");
      return compared(Cond::state_of, where, {std::move(who), term()});
    }
    const Token t = lexer_.now();
    if (t.kind == Token::word && any_of(kEvents, t.text)) return event(where);
    const bool value = t.kind != Token::word || is("count") || is("size") || is("sender") ||
                       is("receiver") || is("here");
    if (!value) return named(where);
    if (t.kind == Token::sign || t.kind == Token::end) return fail("a condition"), Cond{};
    return compared(Cond::compare, where, {term()});
  }
  Cond compared(Cond::Kind kind, Position where, std::vector<Term> terms) {
    Cond out = made(kind, where, std::move(terms));
    if (!comparator(out.order)) fail("one of =, !=, <, <=, >, >=");
    out.terms.push_back(term());
    return out;
  }
  Cond event(Position where) {
    Cond out = made(Cond::event, where, {}, lexer_.now().text);
    lexer_.advance();
    // What an arrow follows is the state of the next transition.
    const auto type_follows = [&] {
      const Token& t = lexer_.now();
      if (t.kind != Token::word || any_of(kReserved, t.text) || any_of(kEvents, t.text))
        return false;
      Lexer ahead = lexer_;
      ahead.advance();
      return ahead.now().kind != Token::sign || ahead.now().text != "->";
    };
    if (!type_follows()) return out;
    do out.types.push_back(name_of("a type's name"));
    while (word("|"));
    return out;
  }
  Cond named(Position where) {
    Cond out = made(Cond::named, where, {}, name_of("a condition"));
    if (good() && word("(")) {
      do out.terms.push_back(term());
      while (word(","));
      need(")");
    }
    return out;
  }

  // ---- actions -----------------------------------------------------------------------------

  std::vector<Act> acts() {
    std::vector<Act> out;
    do out.push_back(act(0));
    while (word(","));
    return out;
  }
  std::vector<std::pair<std::string, Term>> fields() {
    std::vector<std::pair<std::string, Term>> out;
    if (!word("{")) return out;
    do {
      std::string name = field_name();
      need("=");
      out.emplace_back(std::move(name), term());
    } while (word(","));
    need("}");
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
               is_kind("pass", Act::pass)) {
      return out;
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
    } else if (word("expect")) {
      expect(s);
    } else {
      fail(
          "system, filter, machine, property, expect, let, parts, nodes, bug, explorer, runs, "
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
      into.insert(into.end(), parsed->values.begin(), parsed->values.end());
    };
    if (word("system")) spec(s.run.system);
    else if (word("explorer")) spec(s.run.explorer);
    else if (word("world")) pairs(s.run.world);
    else if (word("faults")) pairs(s.run.faults);
    else if (word("bug")) s.run.bugs.push_back(name_of("a bug's name"));
    else if (word("nodes")) s.run.nodes = std::to_string(number("how many", 1, 1024));
    else if (word("steps")) s.run.steps = std::to_string(number("how many", 1, 1'000'000'000));
    else if (word("tail")) s.run.tail = lexer_.rest_of_line();
    else if (word("runs"))
      s.runs = static_cast<std::uint64_t>(number("how many", 1, 1'000'000'000));
    else if (word("seed")) s.seed = static_cast<std::uint64_t>(number("a number", 0, INT64_MAX));
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

  Lexer lexer_;
  const std::string& name_;
  std::string error_;
};

}  // namespace

Result<std::vector<Scenario>> parse(std::string_view text, const std::string& name) {
  return Parser(text, name).file();
}

Result<Cond> parse_condition(std::string_view text, const std::string& name) {
  return Parser(text, name).alone();
}

}  // namespace schism::scenario
