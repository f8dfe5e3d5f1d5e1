#include "schism/scenario/lexer.hpp"

namespace schism::scenario {
namespace {

bool is_letter(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool in_name(char c) { return is_letter(c) || is_digit(c); }

}  // namespace

void Lexer::take(std::size_t count) {
  for (; count > 0 && next_ < text_.size(); --count) {
    if (text_[next_++] == '\n') {
      ++place_.line;
      place_.column = 1;
    } else {
      ++place_.column;
    }
  }
}

void Lexer::skip_space() {
  for (;;) {
    const char c = at(next_);
    if (next_ < text_.size() && (c == ' ' || c == '\t' || c == '\r' || c == '\n')) take(1);
    else if (c == '#')
      while (next_ < text_.size() && at(next_) != '\n') take(1);
    else return;
  }
}

void Lexer::take_quoted() {
  now_.kind = Token::quoted;
  take(1);
  while (next_ < text_.size() && at(next_) != '"' && at(next_) != '\n') {
    if (at(next_) == '\\' && next_ + 1 < text_.size()) take(1);
    now_.text += at(next_);
    take(1);
  }
  if (at(next_) == '"') take(1);
  else problem_ = "a text that is not closed";
}

// A name may have dashes inside it, as parameters and bugs do; "a -> b" and "x - 1" have spaces.
void Lexer::advance() {
  skip_space();
  now_ = {Token::end, {}, place_};
  start_ = next_;
  if (next_ >= text_.size() || !problem_.empty()) return;
  const char c = at(next_);
  std::size_t length = 0;
  const auto name_from = [&](std::size_t i) {
    while (in_name(at(i)) || (at(i) == '-' && in_name(at(i + 1)) && i > next_)) ++i;
    return i - next_;
  };
  if (c == '"') return take_quoted();
  if (is_letter(c)) {
    now_.kind = Token::word, length = name_from(next_);
  } else if (is_digit(c)) {
    now_.kind = Token::number;
    while (in_name(at(next_ + length))) ++length;
  } else if (c == '$' && is_letter(at(next_ + 1))) {
    now_.kind = Token::variable, length = name_from(next_ + 1);
  } else if (c == '.' && is_letter(at(next_ + 1))) {
    now_.kind = Token::field, length = 1;
    for (;;) {  // .log[2].term, .log.size()
      const char f = at(next_ + length);
      const bool call = f == '(' && at(next_ + length + 1) == ')';
      if (in_name(f) || f == '.' || f == '[' || f == ']') ++length;
      else if (call) length += 2;
      else break;
    }
  } else {
    now_.kind = Token::sign;
    const std::string_view two = text_.substr(next_, 2);
    const bool pair = two == "->" || two == "!=" || two == "<=" || two == ">=" || two == "==";
    length = pair ? 2 : 1;
    if (!pair && std::string_view("(),=<>|{}+-%:").find(c) == std::string_view::npos)
      problem_ = "a character that means nothing here";
  }
  const bool marked = now_.kind == Token::variable || now_.kind == Token::field;
  now_.text = std::string(text_.substr(next_ + (marked ? 1 : 0), length - (marked ? 1 : 0)));
  take(length);
}

std::string Lexer::rest_of_line() {
  std::size_t end = start_;
  while (end < text_.size() && text_[end] != '\n' && text_[end] != '#') ++end;
  std::string out(text_.substr(start_, end - start_));
  while (!out.empty() && (out.back() == ' ' || out.back() == '\t' || out.back() == '\r'))
    out.pop_back();
  if (next_ < end) take(end - next_);
  advance();
  return out;
}

}  // namespace schism::scenario
