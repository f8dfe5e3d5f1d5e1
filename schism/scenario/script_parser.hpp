// The script of a scenario's file: lines of steps, each what is done as soon as it can be.
#pragma once

#include "schism/scenario/condition_parser.hpp"

namespace schism::scenario {

class ScriptParser : public ConditionParser {
 public:
  using ConditionParser::ConditionParser;

  Result<std::vector<Line>> lines_alone() {
    std::vector<Line> out = lines();
    if (good() && lexer_.now().kind != Token::end) fail("a step of the script, or the end");
    if (!good()) return tl::unexpected(error_);
    return out;
  }

 protected:
  static constexpr int kTimesMax = 1000, kChoicesMax = 64;
  static constexpr std::array kCues = {"deliver", "drop",     "duplicate", "change", "forge",
                                       "fire",    "complete", "fail",      "submit", "crash",
                                       "restart", "pause",    "resume",    "cut",    "heal"};

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

  bool begins_cue() const {
    const Token& t = lexer_.now();
    return good() && t.kind == Token::word && any_of(kCues, t.text);
  }
  // Steps that commas join come in any order.
  std::vector<Line> lines() {
    std::vector<Line> out;
    if (!begins_cue()) fail("a step of the script, such as deliver TYPE from $a to $b");
    while (begins_cue()) {
      Line line;
      do line.cues.push_back(cue());
      while (word(","));
      out.push_back(std::move(line));
    }
    return out;
  }

  Cue cue() {
    Cue out;
    out.where = lexer_.now().where;
    if (!begins_cue()) return fail("a step of the script"), out;
    const auto found = std::find(kCues.begin(), kCues.end(), lexer_.now().text);
    out.kind = static_cast<Cue::Kind>(found - kCues.begin());
    lexer_.advance();
    if (out.kind <= Cue::forge) message(out);
    else if (out.kind <= Cue::submit) served(out);
    else if (out.kind < Cue::cut) out.to = term();
    else way(out);
    suffixes(out);
    return out;
  }

  void message(Cue& out) {
    out.all = out.kind != Cue::forge && word("all");
    if (!word("anything")) out.type = name_of("a message's type, or anything");
    way(out);
    if (out.kind != Cue::change && out.kind != Cue::forge) return;
    need("as");
    const Position at = lexer_.now().where;
    out.content = name_of("the content in quotes, as JSON", Token::quoted);
    if (good() && out.content.empty()) fail_at(at, "expected the content as JSON, found no text");
  }
  void way(Cue& out) {
    if (word("from")) out.from = term();
    if (word("to")) out.to = term();
  }
  void served(Cue& out) {
    out.all = out.kind != Cue::submit && word("all");
    if (out.kind == Cue::fire) out.type = name_of("a timer's name");
    if (out.kind == Cue::submit) {
      out.type = name_of("a request's type");
      out.fields = fields();
    }
    if (word("at")) out.to = term();
    else if (out.kind == Cue::submit) fail("\"at\"");
  }
  void suffixes(Cue& out) {
    if (out.kind == Cue::submit && word("by")) out.client = name_of("a client's name");
    if (out.kind == Cue::crash && word("keeping"))
      out.kept = static_cast<int>(number("how many operations", 0, 1 << 20));
    if (out.kind == Cue::crash && word("torn")) out.torn = true;
    if (out.kind <= Cue::fail && word("skipping"))
      out.skipped = static_cast<int>(number("how many", 0, kTimesMax));
    if (out.kind <= Cue::change && word("if")) out.condition = either(0);
    if (word("times")) out.times = times();
    if (word("choosing")) {
      do out.choices.push_back(static_cast<int>(number("an alternative", 0, 1 << 20)));
      while (lexer_.now().kind == Token::number && out.choices.size() < kChoicesMax);
    }
  }
  Term times() {
    Term out;
    out.where = lexer_.now().where;
    if (word("quorum")) out.kind = Term::quorum;
    else if (word("nodes")) out.kind = Term::nodes;
    else return out.kind = Term::number, out.value = number("how often", 1, kTimesMax), out;
    return plus(out);
  }
};

}  // namespace schism::scenario
