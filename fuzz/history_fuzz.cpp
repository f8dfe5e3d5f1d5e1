// Histories from strangers: reading never crashes, an error is a sentence with a line, what was
// read survives being written and read again, and a verdict does not depend on the format.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "schism/linearize/judge.hpp"
#include "schism/linearize/text.hpp"

namespace {

using namespace schism::linearize;

void require(bool condition) {
  if (!condition) std::abort();
}

Report judge(const History& history) {
  Options options;
  options.limits.configurations = 2000;
  options.explain_work = 2000;
  return judge_history(history, options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Format format : {Format::automatic, Format::json, Format::edn}) {
    ReadOptions options;
    options.format = format;
    const auto history = read_history(text, options);
    if (!history) {
      require(history.error().starts_with("line ") && !history.error().ends_with('.'));
      continue;
    }
    const Report report = judge(*history);
    require(!print(report).empty());
    // Tuples were resolved in reading; JSON knows no text that is not UTF-8, so it is not asked to
    // keep what EDN can say.
    const auto again =
        read_history(to_edn(*history), {.format = Format::edn, .tuples = Tuples::no});
    if (again) require(again->operations().size() == history->operations().size());
  }
  return 0;
}
