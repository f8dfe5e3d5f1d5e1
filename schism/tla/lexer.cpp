#include "schism/tla/lexer.hpp"

#include <array>
#include <cctype>

namespace schism::tla {
namespace {

struct Spelling {
  std::string_view written, meant;
};

// Longest first among those with a common beginning.
constexpr std::string_view kPunctuation[] = {
    "<=>", "-+->", "...", "::=", "|->", "(\\X)", "=<",  "=>",  "==",  "=|",  "<=", "<<", "<-", "<>",
    "<:",  ">=",   ">>_", ">>",  "]_",  "|-",    "|=",  "||",  "->",  "-|",  "--", "-.", "~>", "..",
    "::",  ":=",   ":>",  "/\\", "\\/", "/=",    "//",  "**",  "++",  "^^",  "^+", "^*", "^#", "??",
    "!!",  "##",   "$$",  "%%",  "@@",  "&&",    "(+)", "(-)", "(.)", "(/)", "[]", "(",  ")",  "[",
    "]",   "{",    "}",   ",",   ":",   ";",     "=",   "#",   "<",   ">",   "+",  "-",  "*",  "/",
    "^",   "'",    "~",   "|",   "&",   "$",     "%",   "?",   "!",   "@",   ".",  "\\"};

constexpr Spelling kSpellings[] = {
    {"#", "/="},         {"=<", "<="},         {"\\leq", "<="},
    {"\\geq", ">="},     {"\\union", "\\cup"}, {"\\intersect", "\\cap"},
    {"\\times", "\\X"},  {"\\circ", "\\o"},    {"\\lnot", "~"},
    {"\\neg", "~"},      {"\\equiv", "<=>"},   {"\\lor", "\\/"},
    {"\\land", "/\\"},   {"\\oplus", "(+)"},   {"\\ominus", "(-)"},
    {"\\odot", "(.)"},   {"\\oslash", "(/)"},  {"\\otimes", "(\\X)"},
    {"\\exists", "\\E"}, {"\\forall", "\\A"}};

constexpr Spelling kUnicode[] = {
    {"∧", "/\\"},          {"∨", "\\/"},        {"¬", "~"},          {"⇒", "=>"},
    {"⇔", "<=>"},          {"≡", "<=>"},        {"∈", "\\in"},       {"∉", "\\notin"},
    {"∪", "\\cup"},        {"∩", "\\cap"},      {"⊆", "\\subseteq"}, {"⊂", "\\subset"},
    {"⊇", "\\supseteq"},   {"⊃", "\\supset"},   {"≠", "/="},         {"≤", "<="},
    {"≥", ">="},           {"×", "\\X"},        {"∘", "\\o"},        {"∃", "\\E"},
    {"∀", "\\A"},          {"⟨", "<<"},         {"⟩", ">>"},         {"→", "->"},
    {"←", "<-"},           {"↦", "|->"},        {"≜", "=="},         {"□", "[]"},
    {"◇", "<>"},           {"↝", "~>"},         {"′", "'"},          {"‥", ".."},
    {"…", "..."},          {"÷", "\\div"},      {"⋅", "\\cdot"},     {"·", "\\cdot"},
    {"⊕", "(+)"},          {"⊖", "(-)"},        {"⊗", "(\\X)"},      {"⊙", "(.)"},
    {"⊘", "(/)"},          {"⊓", "\\sqcap"},    {"⊔", "\\sqcup"},    {"⊑", "\\sqsubseteq"},
    {"⊒", "\\sqsupseteq"}, {"⊏", "\\sqsubset"}, {"⊐", "\\sqsupset"}, {"≺", "\\prec"},
    {"≻", "\\succ"},       {"⪯", "\\preceq"},   {"⪰", "\\succeq"},   {"∼", "\\sim"},
    {"≃", "\\simeq"},      {"≈", "\\approx"},   {"≅", "\\cong"},     {"∝", "\\propto"},
    {"⋆", "\\star"},       {"●", "\\bullet"},   {"○", "\\bigcirc"},  {"⊎", "\\uplus"},
    {"≔", ":="},           {"∷", "::"},         {"ℕ", "Nat"},        {"ℤ", "Int"},
    {"ℝ", "Real"},         {"−", "-"}};

bool word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Lexer {
 public:
  Lexer(std::string_view text, std::uint32_t file, Symbols& symbols)
      : text_(text), file_(file), symbols_(symbols) {}

  // Modules with what stands between them left out.
  std::vector<Token> module_tokens() {
    if (!skip_to_module())
      throw Failure({file_, 1, 1}, "no module here: expected ---- MODULE name ----");
    const Symbol module = symbols_.intern("MODULE");
    int depth = 0;
    while (skip_blank(), at_ < text_.size()) {
      one();
      const std::size_t n = out_.size();
      if (n > 1 && out_[n - 1].text == module && out_[n - 2].kind == Tok::rule) ++depth;
      if (out_[n - 1].kind != Tok::end_rule || --depth > 0) continue;
      if (!skip_to_module()) break;
    }
    add(Tok::end, "", here());
    return std::move(out_);
  }

  std::vector<Token> tokens() {
    while (skip_blank(), at_ < text_.size()) one();
    add(Tok::end, "", here());
    return std::move(out_);
  }

 private:
  Location here() const { return {file_, line_, static_cast<std::uint32_t>(column_)}; }
  bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  char peek(std::size_t k = 0) const { return at_ + k < text_.size() ? text_[at_ + k] : '\0'; }

  void step(std::size_t n = 1) {
    for (; n > 0 && at_ < text_.size(); --n, ++at_) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '\n') ++line_, column_ = 1, line_empty_ = true;
      else if (c == '\t') column_ += 8 - (column_ - 1) % 8;
      else if ((c & 0xC0) != 0x80) ++column_;  // a character of UTF-8 is one column
    }
  }

  // Only "---- MODULE" begins a module; whatever else stands before it is prose.
  bool skip_to_module() {
    for (std::size_t from = at_;;) {
      const std::size_t dashes = text_.find("----", from);
      if (dashes == std::string_view::npos) return false;
      std::size_t after = text_.find_first_not_of('-', dashes);
      if (after == std::string_view::npos) after = text_.size();
      const std::size_t word = text_.find_first_not_of(" \t", after);
      if (word != std::string_view::npos && text_.substr(word).starts_with("MODULE")) {
        step(dashes - at_);
        return true;
      }
      from = after;
    }
  }

  void skip_blank() {
    for (;;) {
      if (std::isspace(static_cast<unsigned char>(peek())) != 0) {
        step();
      } else if (starts("\\*")) {
        while (at_ < text_.size() && peek() != '\n') step();
      } else if (starts("(*")) {
        skip_comment();
      } else {
        return;
      }
    }
  }

  void skip_comment() {
    const Location begin = here();
    int depth = 0;
    do {
      if (at_ >= text_.size()) throw Failure(begin, "this comment does not end");
      if (starts("(*")) ++depth, step(2);
      else if (starts("*)")) --depth, step(2);
      else step();
    } while (depth > 0);
  }

  void add(Tok kind, std::string_view text, Location where, std::int64_t value = 0) {
    out_.push_back({kind, line_empty_, symbols_.intern(text), value, where});
    line_empty_ = false;
  }

  void one() {
    const Location where = here();
    const char c = peek();
    if (c == '"') return string(where);
    if (word_character(c)) return word(where);
    if (c == '\\' && backslash(where)) return;
    if (c == '-' && starts("----")) return rule('-', Tok::rule, where);
    if (c == '=' && starts("====")) return rule('=', Tok::end_rule, where);
    if (c == '<' && proof_step(where)) return;
    if ((static_cast<unsigned char>(c) & 0x80) != 0) return unicode(where);
    for (const std::string_view p : kPunctuation)
      if (starts(p) && !cuts_into(p)) {
        step(p.size());
        return add(Tok::op, spelling(p), where);
      }
    throw Failure(where, fmt::format("the character '{}' means nothing here", c));
  }

  // "(-)1" is an operator, "(-1)" is not; "[]" in "[][Next]_v" is one; "-." only before a name's
  // definition.
  bool cuts_into(std::string_view p) const {
    if (p == "-.") return std::isdigit(static_cast<unsigned char>(peek(2))) != 0 || peek(2) == '.';
    if (p == "]_" || p == ">>_") return false;
    if (p == "...") return std::isdigit(static_cast<unsigned char>(peek(3))) != 0;
    return false;
  }

  static std::string_view spelling(std::string_view written) {
    for (const Spelling& s : kSpellings)
      if (s.written == written) return s.meant;
    return written;
  }

  void rule(char c, Tok kind, Location where) {
    while (peek() == c) step();
    add(kind, kind == Tok::rule ? "----" : "====", where);
  }

  // <1>, <1>2, <2>a., <*>, <+>: labels of proof steps.
  bool proof_step(Location where) {
    std::size_t k = 1;
    while (std::isdigit(static_cast<unsigned char>(peek(k))) != 0) ++k;
    if (k == 1 && (peek(1) == '*' || peek(1) == '+')) k = 2;
    if (k == 1 || peek(k) != '>' || peek(k + 1) == '>') return false;
    if (!line_empty_ && !out_.empty() && ends_operand(out_.back())) return false;  // a <1> b
    ++k;
    while (word_character(peek(k))) ++k;
    while (peek(k) == '.') ++k;
    step(k);
    add(Tok::step, "<step>", where);
    return true;
  }

  bool ends_operand(const Token& t) const {
    if (t.kind == Tok::number || t.kind == Tok::string) return true;
    if (t.kind == Tok::name) {
      const std::string& s = symbols_.text(t.text);
      return s != "BY" && s != "PROOF" && s != "DEF" && s != "USE" && s != "HIDE" && s != "QED";
    }
    const std::string& s = symbols_.text(t.text);
    return t.kind == Tok::op && (s == ")" || s == "]" || s == "}" || s == ">>" || s == "'");
  }

  void string(Location where) {
    std::string content;
    for (step(); peek() != '"'; step()) {
      if (at_ >= text_.size() || peek() == '\n') throw Failure(where, "this string does not end");
      if (peek() != '\\') {
        content += peek();
        continue;
      }
      step();
      switch (peek()) {
        case 'n': content += '\n'; break;
        case 't': content += '\t'; break;
        case 'r': content += '\r'; break;
        case 'f': content += '\f'; break;
        default: content += peek();
      }
    }
    step();
    add(Tok::string, content, where);
  }

  void word(Location where) {
    std::size_t n = 0;
    bool letter = false;
    while (word_character(peek(n))) {
      letter = letter || !(std::isdigit(static_cast<unsigned char>(peek(n))) != 0);
      ++n;
    }
    const std::string_view text = text_.substr(at_, n);
    if (!letter) return number(where, text);
    if ((text.starts_with("WF_") || text.starts_with("SF_"))) {
      step(3);
      return add(Tok::name, text.substr(0, 3), where);
    }
    step(n);
    add(Tok::name, text, where);
  }

  void number(Location where, std::string_view digits) {
    std::int64_t value = 0;
    for (const char c : digits) {
      if (value > (INT64_MAX - 9) / 10) throw Failure(where, "this number is too large");
      value = value * 10 + (c - '0');
    }
    step(digits.size());
    if (peek() == '.' && std::isdigit(static_cast<unsigned char>(peek(1))) != 0) {
      step();
      while (std::isdigit(static_cast<unsigned char>(peek())) != 0) step();
      return add(Tok::real, "real", where);
    }
    add(Tok::number, digits, where, value);
  }

  static int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 99;
  }

  // \b101, \o17, \hFF; otherwise \cup and the like.
  bool backslash(Location where) {
    const char kind = static_cast<char>(std::tolower(static_cast<unsigned char>(peek(1))));
    const int base = kind == 'b' ? 2 : kind == 'o' ? 8 : kind == 'h' ? 16 : 0;
    if (base > 0 && digit_of(peek(2)) < base) {
      std::size_t n = 2;
      std::int64_t value = 0;
      for (; digit_of(peek(n)) < base; ++n) {
        if (value > (INT64_MAX >> 5)) throw Failure(where, "this number is too large");
        value = value * base + digit_of(peek(n));
      }
      if (!word_character(peek(n))) {
        step(n);
        add(Tok::number, "", where, value);
        return true;
      }
    }
    std::size_t n = 1;
    while (std::isalpha(static_cast<unsigned char>(peek(n))) != 0) ++n;
    if (n == 1) return false;
    const std::string_view written = spelling(text_.substr(at_, n));
    step(n);
    add(Tok::op, written, where);
    return true;
  }

  void unicode(Location where) {
    for (const Spelling& s : kUnicode)
      if (starts(s.written)) {
        step(s.written.size());
        const bool name = std::isalpha(static_cast<unsigned char>(s.meant[0])) != 0;
        std::string meant(s.meant);
        if ((meant == ">>") && peek() == '_') step(), meant = ">>_";
        return add(name ? Tok::name : Tok::op, meant, where);
      }
    throw Failure(where, "a character that TLA+ does not have");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t file_, line_ = 1;
  std::size_t column_ = 1;
  bool line_empty_ = true;
  Symbols& symbols_;
  std::vector<Token> out_;
};

}  // namespace

std::vector<Token> lex(std::string_view text, std::uint32_t file, Symbols& symbols) {
  return Lexer(text, file, symbols).module_tokens();
}

std::vector<Token> lex_config(std::string_view text, std::uint32_t file, Symbols& symbols) {
  return Lexer(text, file, symbols).tokens();
}

}  // namespace schism::tla
