// EDN straight into events: maps whose keys are keywords, with a tag or without, as Jepsen writes
// them. All others are read as values first.
#include <algorithm>
#include <charconv>

#include "schism/base/limits.hpp"
#include "schism/linearize/edn.hpp"

namespace schism::linearize {

Result<bool> EdnReader::next(Event& event) {
  for (;;) {
    const Result<bool> there = seek();
    if (!there || !*there) return there;
    event.line = form_line_;
    const std::size_t at = at_;
    const bool tagged = text_[at_] == '#' && at_ + 1 < text_.size() &&
                        std::string_view("{_#").find(text_[at_ + 1]) == std::string_view::npos;
    Got got = Got::nothing;
    if (tagged) token();
    if (skip_blank() && text_[at_] == '{') got = read_event(event, tagged ? 1 : 0);
    if (got == Got::nothing) {
      at_ = at, line_ = form_line_, values_ = 0;
      got = read(form_, 0);
      if (got == Got::nothing) continue;
      if (got == Got::form && !form_.as_object())
        return error("line {}: an event must be a map", form_line_);
      if (got == Got::form) event.take(form_);
    }
    if (got == Got::error) return error("{}", problem_);
    return true;
  }
}

EdnReader::Got EdnReader::read_event(Event& event, int depth) {
  event.clear();
  names_.clear();
  values_ += 1;
  ++at_;
  for (;;) {
    if (!skip_blank()) return problem("the closing } is missing");
    if (text_[at_] == '}') break;
    if (text_[at_] != ':') return Got::nothing;
    const std::string_view name = token();
    names_.push_back(name);
    ++values_;
    if (!skip_blank()) return problem("the closing } is missing");
    const Got got = read_field(event.field(name.substr(1)), depth + 1);
    if (got != Got::form) return got;
  }
  ++at_;
  if (names_.size() > 1) {
    std::sort(names_.begin(), names_.end());
    if (const auto twice = std::adjacent_find(names_.begin(), names_.end()); twice != names_.end())
      return problem(fmt::format("the key {} stands twice", *twice));
  }
  return Got::form;
}

// Null: the field is read and forgotten.
EdnReader::Got EdnReader::read_field(Field* field, int depth) {
  switch (text_[at_]) {
    case '}': ++at_; return problem("a map with a key but no value");
    case '#': return Got::nothing;  // it may be nothing, and then the next form counts
    case '[':
    case '(':
    case '{':
    case '"':
    case '^':
    case '\\': {
      const Got got = read(skipped_, depth);
      if (got == Got::form && field) field->set(std::move(skipped_));
      return got;
    }
    default: break;
  }
  if (++values_ > kValuesMax) return problem("more than a million values");
  const std::size_t begin = at_;
  const std::string_view word = token();
  if (word.empty() || !field) return word.empty() ? Got::nothing : Got::form;
  std::int64_t integer = 0;
  const char* end = word.data() + word.size();
  if (const auto [p, e] = std::from_chars(word.data(), end, integer);
      e == std::errc{} && p == end) {
    field->set(integer);
  } else if (word == "nil") {
    field->set_nil();
  } else if (word[0] == ':') {
    field->set(word);
  } else {
    at_ = begin;
    const Got got = read_atom(skipped_);
    if (got == Got::form) field->set(std::move(skipped_));
    return got;
  }
  return Got::form;
}

namespace {

class EdnEvents final : public EventReader {
 public:
  explicit EdnEvents(std::string_view text) : reader_(text) {}
  Result<bool> next(Event& event) override {
    for (;;) {
      Result<bool> more = reader_.next(event);
      if (!more || !*more || event.process.word() != "nemesis") return more;
    }
  }

 private:
  EdnReader reader_;
};

}  // namespace

std::unique_ptr<EventReader> edn_events(std::string_view text) {
  return std::make_unique<EdnEvents>(text);
}

}  // namespace schism::linearize
