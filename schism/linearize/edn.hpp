// The part of EDN (the notation of Clojure data) that Jepsen writes histories in, read form by
// form.
//
//   EdnReader reader(text);
//   while (Result<bool> more = reader.next()) { if (!*more) break; use(reader.form()); }
//
// next(event) reads a form that must be a map straight into an event, so that no value is made of
// what nobody asks for.
//
// A keyword :a becomes the text ":a"; symbols, characters, numbers beyond 64 bits and ratios become
// their own text; lists, vectors and sets become arrays (sets sorted), maps become objects, whose
// keys are texts (others as printed). Tags, metadata and comments (; and #_) are skipped. One
// vector or list around everything is opened, so that next() yields its elements.
#pragma once

#include <string_view>

#include "schism/base/result.hpp"
#include "schism/base/value.hpp"
#include "schism/linearize/event.hpp"

namespace schism::linearize {

class EdnReader {
 public:
  explicit EdnReader(std::string_view text) : text_(text) {}

  // False at the end. An error names the line.
  Result<bool> next();
  Result<bool> next(Event& event);
  const Value& form() const { return form_; }
  std::uint32_t line() const { return form_line_; }  // where the form began, from 1

 private:
  enum class Got : std::uint8_t { form, nothing, error };

  // To the next form; false at the end of the history.
  Result<bool> seek();
  // The map that begins here, all of whose keys are keywords; nothing else is taken.
  Got read_event(Event& event, int depth);
  Got read_field(Field* field, int depth);

  bool skip_blank();  // spaces, commas and ; comments; false at the end of the text
  Got read(Value& out, int depth);
  Got read_sequence(Value& out, char close, int depth);
  Got read_map(Value& out, int depth);
  Got read_text(Value& out);
  Got read_hash(Value& out, int depth);
  Got read_atom(Value& out);
  std::string_view token();
  Got problem(std::string_view what);

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1, form_line_ = 1;
  char closing_ = 0;  // of the vector around everything, while inside
  bool begun_ = false, ended_ = false;
  std::size_t values_ = 0;  // in this form so far
  Value form_, skipped_;
  std::vector<std::string_view> names_;  // of the event's fields
  std::string problem_;
};

}  // namespace schism::linearize
