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
  struct {
    Format format;
    Model model;
  } const ways[] = {{Format::automatic, Model::any},  {Format::json, Model::any},
                    {Format::edn, Model::any},        {Format::automatic, Model::multi_register},
                    {Format::automatic, Model::list}, {Format::automatic, Model::owned_mutex}};
  for (const auto& way : ways) {
    ReadOptions options;
    options.format = way.format;
    options.model = way.model;
    const auto history = read_history(text, options);
    if (!history) {
      require(history.error().starts_with("line ") && !history.error().ends_with('.'));
      continue;
    }
    const Report report = judge(*history);
    require(!print(report).empty());
    // Tuples were resolved in reading; JSON knows no text that is not UTF-8, so it is not asked to
    // keep what EDN can say.
    const auto again = read_history(
        to_edn(*history), {.format = Format::edn, .model = way.model, .tuples = Tuples::no});
    if (again) require(again->operations().size() == history->operations().size());
  }
  return 0;
}
