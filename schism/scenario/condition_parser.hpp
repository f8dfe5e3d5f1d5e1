// Values and conditions of a scenario's file, by hand-written descent: what was expected is known
// where it is missing, and said with its place. parse.cpp reads the rest.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "schism/base/params.hpp"
#include "schism/scenario/lexer.hpp"
#include "schism/scenario/parse.hpp"

namespace schism::scenario {

inline constexpr int kDepthMax = 64;
inline constexpr int kJointsMax = 10'000;  // and, or

// Kinds of events that a condition can name, and what their types are.
inline constexpr std::array kEvents = {"sent",      "received", "message", "announced", "asked",
                                       "invoked",   "answered", "armed",   "fired",     "queued",
                                       "completed", "started",  "crashed", "restarted", "paused",
                                       "resumed",   "dropped",  "lost",    "calmed"};
// Words that begin or join something, and so are no types, states or names of conditions.
inline constexpr std::array kReserved = {
    "and",     "or",       "not",      "then",   "when",  "if",      "filter", "scenario",
    "machine", "property", "expect",   "let",    "parts", "system",  "bug",    "nodes",
    "world",   "faults",   "explorer", "runs",   "seed",  "steps",   "tail",   "until",
    "goal",    "to",       "from",     "at",     "in",    "between", "within", "across",
    "node",    "once",     "has",      "script", "times", "mute"};

inline bool any_of(const auto& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class ConditionParser {
 public:
  ConditionParser(std::string_view text, const std::string& name) : lexer_(text), name_(name) {}

  Result<Cond> alone() {
    Cond out = either(0);
    if (good() && lexer_.now().kind != Token::end) fail("and, or, or the end");
    if (!good()) return tl::unexpected(error_);
    return out;
  }

 protected:
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
    const bool unclosed = !lexer_.problem().empty();
    if (unclosed || t.kind != kind || (kind == Token::word && any_of(kReserved, t.text)))
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
    while (word(between)) {
      if (++joints_ > kJointsMax) fail("a file with at most 10,000 times and, or");
      out.parts.push_back(part());
    }
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

  Lexer lexer_;
  const std::string& name_;
  std::string error_;
  int joints_ = 0;
};

}  // namespace schism::scenario
