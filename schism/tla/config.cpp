#include "schism/tla/config.hpp"

#include <fmt/format.h>

namespace schism::tla {
namespace {

constexpr int kDepthMax = 64;  // of sets inside each other

constexpr std::string_view kSections[] = {"SPECIFICATION",
                                          "INIT",
                                          "NEXT",
                                          "CONSTANT",
                                          "CONSTANTS",
                                          "INVARIANT",
                                          "INVARIANTS",
                                          "PROPERTY",
                                          "PROPERTIES",
                                          "CONSTRAINT",
                                          "CONSTRAINTS",
                                          "VIEW",
                                          "SYMMETRY",
                                          "ACTION_CONSTRAINT",
                                          "ACTION_CONSTRAINTS",
                                          "ALIAS",
                                          "CHECK_DEADLOCK",
                                          "POSTCONDITION",
                                          "TYPE",
                                          "TYPE_CONSTRAINT"};

class Reader {
 public:
  Reader(std::vector<Token> tokens, Store& store)
      : tokens_(std::move(tokens)), store_(store), symbols_(store.symbols()) {}

  Config read() {
    while (here().kind != Tok::end) section();
    return std::move(out_);
  }

 private:
  const Token& here() const { return tokens_[at_]; }
  const std::string& word() const { return symbols_.text(here().text); }
  bool is(std::string_view w) const {
    return (here().kind == Tok::name || here().kind == Tok::op) && word() == w;
  }
  [[noreturn]] void wrong(std::string_view wanted) const {
    throw Failure(here().where, fmt::format("expected {}, found '{}'", wanted,
                                            here().kind == Tok::end ? "the end" : word()));
  }
  void expect(std::string_view w) {
    if (!is(w)) wrong(fmt::format("'{}'", w));
    ++at_;
  }
  bool at_section() const {
    if (here().kind != Tok::name) return here().kind == Tok::end;
    for (const std::string_view s : kSections)
      if (word() == s) return true;
    return false;
  }

  // A name; with instances in front it is one name, too.
  Config::Named name() {
    if (here().kind != Tok::name) wrong("a name");
    Config::Named n{here().text, here().where};
    ++at_;
    while (is("!")) {
      ++at_;
      if (here().kind != Tok::name) wrong("a name");
      n.name = symbols_.intern(symbols_.text(n.name) + "!" + word());
      ++at_;
    }
    return n;
  }

  void names(std::vector<Config::Named>& to) {
    while (!at_section()) {
      to.push_back(name());
      if (is(",")) ++at_;
    }
  }

  void one(std::optional<Config::Named>& to) { to = name(); }

  void section() {
    if (!at_section()) wrong("a section such as SPECIFICATION or CONSTANTS");
    const std::string w = word();
    const Location where = here().where;
    ++at_;
    if (w == "SPECIFICATION") one(out_.specification);
    else if (w == "INIT") one(out_.init);
    else if (w == "NEXT") one(out_.next);
    else if (w == "VIEW") one(out_.view);
    else if (w == "ALIAS") one(out_.alias);
    else if (w == "POSTCONDITION") one(out_.postcondition);
    else if (w.starts_with("CONSTANT")) constants();
    else if (w.starts_with("INVARIANT")) names(out_.invariants);
    else if (w.starts_with("PROPERT")) names(out_.properties);
    else if (w.starts_with("CONSTRAINT")) names(out_.constraints);
    else if (w.starts_with("ACTION_CONSTRAINT")) names(out_.action_constraints);
    else if (w == "SYMMETRY") names(out_.symmetry);
    else if (w == "CHECK_DEADLOCK") {
      if (!is("TRUE") && !is("FALSE")) wrong("TRUE or FALSE");
      out_.check_deadlock = is("TRUE");
      ++at_;
    } else {
      throw Unsupported(where, fmt::format("the section {}", w));
    }
  }

  void constants() {
    while (!at_section()) {
      Config::Assignment a;
      a.where = here().where;
      if (here().kind != Tok::name && here().kind != Tok::op) wrong("a constant");
      a.name = here().text;
      ++at_;
      if (is("<-")) {
        ++at_;
        a.module = module_in_brackets();
        if (here().kind != Tok::name && here().kind != Tok::op) wrong("a definition");
        a.definition = here().text;
        ++at_;
      } else {
        if (is("(")) {  // F(1, 2) = 3: one value of an operator
          ++at_;
          do a.args.push_back(value());
          while (is(",") && ++at_ > 0);
          expect(")");
        }
        expect("=");
        a.module = module_in_brackets();
        a.value = value();
      }
      out_.constants.push_back(a);
      if (is(",")) ++at_;
    }
  }

  // c <-[M] d and c = [M] v: in that module only.
  Symbol module_in_brackets() {
    if (!is("[")) return 0;
    ++at_;
    const Symbol module = name().name;
    expect("]");
    return module;
  }

  Value value(int depth = 0) {
    const Token t = here();
    if (depth > kDepthMax) wrong("fewer sets inside each other");
    if (t.kind == Tok::number) return ++at_, Value::integer(t.value);
    if (t.kind == Tok::string) return ++at_, Value::string(t.text);
    if (is("-")) {
      ++at_;
      if (here().kind != Tok::number) wrong("a number");
      return Value::integer(-tokens_[at_++].value);
    }
    if (is("{")) {
      ++at_;
      std::vector<Value> elements;
      while (!is("}")) {
        elements.push_back(value(depth + 1));
        if (is(",")) ++at_;
        else if (!is("}")) wrong("',' or '}'");
      }
      ++at_;
      return store_.set(elements);
    }
    if (is("TRUE") || is("FALSE")) return ++at_, Value::boolean(symbols_.text(t.text) == "TRUE");
    if (t.kind == Tok::name) return ++at_, Value::model(t.text);
    wrong("a value");
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  Store& store_;
  Symbols& symbols_;
  Config out_;
};

}  // namespace

std::string_view config_inside(std::string_view tla) {
  for (std::size_t at = tla.find("----"); at != std::string_view::npos; at = tla.find("----", at)) {
    const std::size_t end = std::min(tla.find_first_not_of('-', at), tla.size());
    const std::size_t word = tla.find_first_not_of(" \t", end);
    at = end;
    if (word == std::string_view::npos || !tla.substr(word).starts_with("CONFIG ")) continue;
    const std::size_t line = std::min(tla.find('\n', word), tla.size());
    return tla.substr(line, tla.find("====", line) - line);
  }
  return {};
}

Config parse_config(std::string_view text, std::uint32_t file, Store& store) {
  return Reader(lex_config(text, file, store.symbols()), store).read();
}

}  // namespace schism::tla
