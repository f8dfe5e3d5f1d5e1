// JSON lines. What is plain goes through simdjson, a line at a time; whatever that does not take,
// or what needs a closer look (a key that stands twice, a map within), is read by parse_json, whose
// errors and limits are those of all our files.
#include <simdjson.h>

#include <array>

#include "schism/linearize/event.hpp"

namespace schism::linearize {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

constexpr std::size_t kLineMax = std::size_t{1} << 20;  // longer ones may hold too many values
constexpr int kDepthMax = 32;                           // well below parse_json's
constexpr std::size_t kFieldsMax = 16;

// False: there is more in it than numbers, texts and lists of them, or it is deep.
bool is_plain(const element& e, int depth = 0) {
  if (e.type() == element_type::OBJECT || e.type() == element_type::UINT64) return false;
  if (e.type() != element_type::ARRAY) return true;
  if (depth == kDepthMax) return false;
  for (const element item : array(e))
    if (!is_plain(item, depth + 1)) return false;
  return true;
}

Value value_of(const element& e) {
  switch (e.type()) {
    case element_type::INT64: return std::int64_t(e);
    case element_type::DOUBLE: return double(e);
    case element_type::STRING: return std::string_view(e);
    case element_type::BOOL: return bool(e);
    case element_type::ARRAY: {
      const array list(e);
      Value::Array out;
      out.reserve(list.size());
      for (const element item : list) out.push_back(value_of(item));
      return out;
    }
    default: return {};
  }
}

void put(Field& field, const element& e) {
  switch (e.type()) {
    case element_type::INT64: return field.set(std::int64_t(e));
    case element_type::STRING: return field.set(std::string_view(e));
    case element_type::NULL_VALUE: return field.set_nil();
    default: return field.set(value_of(e));
  }
}

class JsonEvents final : public EventReader {
 public:
  explicit JsonEvents(std::string_view text)
      : rest_(text), padded_until_(text.data() + text.size()) {}

  Result<bool> next(Event& event) override {
    while (!rest_.empty()) {
      ++line_;
      const std::size_t end = rest_.find('\n');
      const std::string_view row = rest_.substr(0, end);
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      if (row.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      event.line = line_;
      if (!read_fast(row, event))
        if (const Status read = read_slowly(row, event); !read) return error("{}", read.error());
      if (event.process.word() != "nemesis") return true;
    }
    return false;
  }

 private:
  bool read_fast(std::string_view row, Event& event) {
    if (row.size() > kLineMax) return false;
    // simdjson reads beyond the end: within the text that does no harm.
    const auto left = static_cast<std::size_t>(padded_until_ - (row.data() + row.size()));
    const bool copy = left < simdjson::SIMDJSON_PADDING;
    element e;
    object map;
    if (parser_.parse(row.data(), row.size(), copy).get(e) != simdjson::SUCCESS ||
        e.get(map) != simdjson::SUCCESS)
      return false;
    event.clear();
    std::array<std::string_view, kFieldsMax> names;
    std::size_t count = 0;
    for (const auto& [name, item] : map) {
      if (count == kFieldsMax || name.starts_with(':') || !is_plain(item)) return false;
      for (std::size_t i = 0; i < count; ++i)
        if (names[i] == name) return false;
      names[count++] = name;
      if (Field* field = event.field(name)) put(*field, item);
    }
    return true;
  }

  Status read_slowly(std::string_view row, Event& event) {
    std::string problem;
    auto map = parse_json(row, &problem);
    if (!map) return error("line {}: {}", line_, problem);
    if (!map->as_object()) return error("line {}: an event must be a map", line_);
    map_ = *std::move(map);
    event.take(map_);
    return {};
  }

  std::string_view rest_;
  const char* padded_until_;
  std::uint32_t line_ = 0;
  simdjson::dom::parser parser_;
  Value map_;
};

}  // namespace

std::unique_ptr<EventReader> json_events(std::string_view text) {
  return std::make_unique<JsonEvents>(text);
}

}  // namespace schism::linearize
