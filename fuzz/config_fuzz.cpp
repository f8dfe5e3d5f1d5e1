// What decides a run, as people write it. An input is a TOML file, or, when it begins with
// "schism ", a command line whose words are separated by spaces. What is accepted must come back
// from its own text.
#include <sstream>

#include "memory_path.hpp"
#include "schism/cli/command.hpp"

namespace {
using namespace schism;

void read_words(std::vector<std::string> words) {
  cli::Flags all;
  cli::RunFlags flags(all);
  flags.allow_in_file({"seed", "runs", "time", "jobs", "out", "keep-going"});
  if (!cli::read_words(all, std::move(words))) return;
  const auto text = flags.text();
  if (!text) return require(!text.error().empty());
  const auto config = make_config(*text);
  if (!config) return require(!config.error().empty());
  const auto again = make_config(to_text(*config));
  require(again.has_value() && to_flags(*again) == to_flags(*config));
}

void read_small_parts(std::string_view text) {
  if (const auto spec = parse_spec(text)) {
    const auto again = parse_spec(print_spec(*spec));
    require(again.has_value() && *again == *spec);
  }
  if (const auto us = parse_duration(text)) require(*us >= 0);
  if (const auto i = parse_integer(text, -5, 5)) require(*i >= -5 && *i <= 5);
  if (const auto d = parse_number(text, 0, 1)) require(*d >= 0 && *d <= 1);
  nearest(text.substr(0, 100), {"seed", "runs", "max-steps"});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_small_parts(text);
  if (!text.starts_with("schism ")) {
    read_words({"--config", memory_path(text)});
    return 0;
  }
  std::istringstream stream{std::string(text.substr(7))};
  std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
  // Files of the machine that fuzzes are no input of ours.
  for (const std::string& word : words)
    if (word.find("--config") != std::string::npos) return 0;
  read_words(words);
  return 0;
}
