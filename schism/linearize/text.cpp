#include "schism/linearize/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "schism/linearize/assemble.hpp"
#include "schism/linearize/event.hpp"

namespace schism::linearize {
namespace {

// In both a map opens an event; what follows in JSON is a quote. An EDN map with text keys counts
// as JSON, which says so in its first line.
Format guess_format(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return Format::json;
  if (text[first] != '{') return Format::edn;
  const std::size_t second = text.find_first_not_of(" \t\r\n", first + 1);
  return second != std::string_view::npos && (text[second] == '"' || text[second] == '}')
             ? Format::json
             : Format::edn;
}

}  // namespace

// The text is gone through twice, at first only as far as it takes to know its model and whether
// values are tuples: events are never kept.
Result<History> read_history(std::string_view text, const ReadOptions& options) {
  const Format format = options.format == Format::automatic ? guess_format(text) : options.format;
  const auto open = [&] { return format == Format::json ? json_events(text) : edn_events(text); };
  const bool transactional = options.model >= Model::multi_register;
  Guess guess(options.model, transactional ? Tuples::no : options.tuples);
  Event event;
  if (!guess.is_settled()) {
    const auto events = open();
    while (!guess.is_settled()) {
      const auto more = events->next(event);
      if (!more) return error("{}", more.error());
      if (!*more) break;
      guess.take(event);
    }
  }
  Assembler assembler(guess.model(), guess.tuples());
  const auto events = open();
  for (;;) {
    const auto more = events->next(event);
    if (!more) return error("{}", more.error());
    if (!*more) return assembler.take();
    if (const Status added = assembler.add(event); !added) return error("{}", added.error());
  }
}

}  // namespace schism::linearize
