#include "schism/linearize/edn.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "schism/base/limits.hpp"

namespace schism::linearize {
namespace {

constexpr int kDepthMax = 64;  // recursion must stay within the stack, here and in consumers

bool is_blank(char c) { return c == ' ' || c == ',' || (c >= '\t' && c <= '\r'); }
bool ends_token(char c) {
  return is_blank(c) || std::string_view("()[]{}\";").find(c) != std::string_view::npos;
}

void append_utf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xe0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

// A number, or its text where it has no exact 64-bit form. Clojure's suffixes N and M are dropped.
Value number_or_text(std::string_view token) {
  std::string_view digits = token;
  if (digits.size() > 1 && (digits.back() == 'N' || digits.back() == 'M')) digits.remove_suffix(1);
  if (digits.front() == '+') digits.remove_prefix(1);
  const char* end = digits.data() + digits.size();
  std::int64_t integer = 0;
  if (auto [p, e] = std::from_chars(digits.data(), end, integer); e == std::errc{} && p == end)
    return integer;
  double real = 0;
  if (digits.find_first_of(".eE") != std::string_view::npos)
    if (auto [p, e] = std::from_chars(digits.data(), end, real);
        e == std::errc{} && p == end && std::isfinite(real))
      return real;
  return token;
}

// Sets are equal in any order.
void sort_as_set(Value::Array& items) {
  std::vector<std::pair<std::string, std::size_t>> order;
  for (std::size_t i = 0; i < items.size(); ++i) order.emplace_back(to_json(items[i]), i);
  std::sort(order.begin(), order.end());
  Value::Array sorted;
  for (const auto& [text, i] : order) sorted.push_back(std::move(items[i]));
  items = std::move(sorted);
}

}  // namespace

EdnReader::Got EdnReader::problem(std::string_view what) {
  if (problem_.empty()) problem_ = fmt::format("line {}: {}", line_, what);
  return Got::error;
}

Result<bool> EdnReader::seek() {
  if (!problem_.empty()) return error("{}", problem_);
  if (!begun_) {
    begun_ = true;
    if (skip_blank() && (text_[at_] == '[' || text_[at_] == '(')) {
      closing_ = text_[at_++] == '[' ? ']' : ')';
    }
  }
  while (skip_blank()) {
    if (closing_ && text_[at_] == closing_) {
      ++at_;
      closing_ = 0;
      ended_ = true;
      continue;
    }
    if (ended_) return problem("text after the end of the history"), error("{}", problem_);
    form_line_ = line_;
    values_ = 0;
    return true;
  }
  if (closing_)
    return problem(fmt::format("the closing {} is missing", closing_)), error("{}", problem_);
  return false;
}

Result<bool> EdnReader::next() {
  for (;;) {
    const Result<bool> there = seek();
    if (!there || !*there) return there;
    const Got got = read(form_, 0);
    if (got == Got::error) return error("{}", problem_);
    if (got == Got::form) return true;
  }
}

bool EdnReader::skip_blank() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ';') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (is_blank(c)) {
      line_ += c == '\n';
      ++at_;
    } else {
      return true;
    }
  }
  return false;
}

// `nothing` after a discarded form.
EdnReader::Got EdnReader::read(Value& out, int depth) {
  if (depth > kDepthMax) return problem("nested too deeply");
  if (++values_ > kValuesMax) return problem("more than a million values");
  if (!skip_blank()) return problem("the text ends within a form");
  switch (text_[at_]) {
    case '[': ++at_; return read_sequence(out, ']', depth);
    case '(': ++at_; return read_sequence(out, ')', depth);
    case '{': ++at_; return read_map(out, depth);
    case '"': ++at_; return read_text(out);
    case '#': ++at_; return read_hash(out, depth);
    case '^': {  // metadata, then the form that it is about
      ++at_;
      Value metadata;
      const Got got = read(metadata, depth + 1);
      return got == Got::error ? got : read(out, depth + 1);
    }
    case ']':
    case ')':
    case '}': return problem(fmt::format("a {} that closes nothing", text_[at_]));
    default: return read_atom(out);
  }
}

EdnReader::Got EdnReader::read_sequence(Value& out, char close, int depth) {
  Value::Array items;
  for (;;) {
    if (!skip_blank()) return problem(fmt::format("the closing {} is missing", close));
    if (text_[at_] == close) break;
    Value item;
    const Got got = read(item, depth + 1);
    if (got == Got::error) return got;
    if (got == Got::form) items.push_back(std::move(item));
  }
  ++at_;
  out = Value(std::move(items));
  return Got::form;
}

EdnReader::Got EdnReader::read_map(Value& out, int depth) {
  Value items;
  const Got got = read_sequence(items, '}', depth);
  if (got == Got::error) return got;
  Value::Array& flat = items.array();
  if (flat.size() % 2 != 0) return problem("a map with a key but no value");
  Value::Object object;
  for (std::size_t i = 0; i < flat.size(); i += 2) {
    const std::string* text = flat[i].as_text();
    object.emplace_back(text ? *text : to_json(flat[i]), std::move(flat[i + 1]));
  }
  std::vector<std::string_view> keys;
  for (const auto& [key, value] : object) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  if (const auto twice = std::adjacent_find(keys.begin(), keys.end()); twice != keys.end())
    return problem(fmt::format("the key {} stands twice", *twice));
  out = Value(std::move(object));
  return Got::form;
}

EdnReader::Got EdnReader::read_text(Value& out) {
  std::string text;
  while (at_ < text_.size()) {
    char c = text_[at_++];
    if (c == '"') {
      out = Value(std::move(text));
      return Got::form;
    }
    line_ += c == '\n';
    if (c != '\\') {
      text += c;
      continue;
    }
    if (at_ == text_.size()) break;
    c = text_[at_++];
    switch (c) {
      case 'n': text += '\n'; break;
      case 't': text += '\t'; break;
      case 'r': text += '\r'; break;
      case 'b': text += '\b'; break;
      case 'f': text += '\f'; break;
      case '\\':
      case '"': text += c; break;
      case 'u': {
        unsigned code = 0;
        const std::string_view digits = text_.substr(at_, 4);
        const auto [p, e] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
        if (digits.size() < 4 || e != std::errc{} || p != digits.data() + 4)
          return problem("\\u without four digits");
        at_ += 4;
        append_utf8(text, code);
        break;
      }
      default: return problem("an unknown escape in a string");
    }
  }
  return problem("a string without an end");
}

EdnReader::Got EdnReader::read_hash(Value& out, int depth) {
  if (at_ == text_.size()) return problem("a lone #");
  if (text_[at_] == '{') {
    ++at_;
    const Got got = read_sequence(out, '}', depth);
    if (got == Got::form) sort_as_set(out.array());
    return got;
  }
  if (text_[at_] == '_') {
    ++at_;
    Value dropped;
    const Got got = read(dropped, depth + 1);
    return got == Got::form ? Got::nothing : got;
  }
  if (text_[at_] == '#') {  // ##Inf, ##NaN
    ++at_;
    out = Value("##" + std::string(token()));
    return Got::form;
  }
  if (token().empty()) return problem("a # without a tag");
  return read(out, depth + 1);
}

std::string_view EdnReader::token() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && !ends_token(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

EdnReader::Got EdnReader::read_atom(Value& out) {
  if (text_[at_] == '\\') {  // a character: it may be one that would end a token
    const std::size_t begin = ++at_;
    if (at_ == text_.size()) return problem("a lone \\");
    line_ += text_[at_] == '\n';
    ++at_;
    token();
    out = Value(text_.substr(begin, at_ - begin));
    return Got::form;
  }
  const std::string_view word = token();
  const char c = word.front();
  const bool sign = (c == '-' || c == '+') && word.size() > 1;
  const char digit = sign ? word[1] : c;
  if (word == "nil") {
    out = Value();
  } else if (word == "true" || word == "false") {
    out = Value(word == "true");
  } else if (digit >= '0' && digit <= '9') {
    out = number_or_text(word);
  } else {
    out = Value(word);
  }
  return Got::form;
}

}  // namespace schism::linearize
