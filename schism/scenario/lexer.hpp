// The words of a scenario's file, one at a time, each with its place.
#pragma once

#include <string>
#include <string_view>

#include "schism/scenario/syntax.hpp"

namespace schism::scenario {

struct Token {
  enum Kind : std::uint8_t { end, word, number, quoted, variable, field, sign };
  Kind kind = end;
  std::string text = {};  // without quotes, $ or the first dot
  Position where = {};
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { advance(); }

  const Token& now() const { return now_; }
  void advance();
  // The rest of the line of the current token, that one included: specs have a form of their own.
  std::string rest_of_line();
  // A character that begins no token; empty: there was none so far.
  const std::string& problem() const { return problem_; }

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  void skip_space();
  void take(std::size_t count);
  void take_quoted();

  std::string_view text_;
  std::size_t start_ = 0;  // of the current token
  std::size_t next_ = 0;
  Position place_{1, 1};
  Token now_;
  std::string problem_;
};

}  // namespace schism::scenario
