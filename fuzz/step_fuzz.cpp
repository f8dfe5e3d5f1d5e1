// What a person types into `schism step`, line by line. No line may crash the program, and one that
// is not understood changes nothing.
#include <cstdlib>

#include "schism/step/prompt.hpp"
#include "tests/systems/busy.cpp"  // it has every kind of action

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

std::unique_ptr<schism::Session> session() {
  schism::RunText text;
  text.system = {"busy", {}};
  text.world = {{"liars", "0/2"}};
  text.faults = {{"crash", "3"}, {"drop", "3"}, {"duplicate", "3"}, {"mutate", "3"},
                 {"pause", "3"}, {"cut", "3"},  {"partition", "3"}, {"disk-error", "3"}};
  text.tail = "100ms";
  const auto config = schism::make_config(text);
  require(config.has_value());
  return std::make_unique<schism::Session>(*config, schism::RunPlan{1, 1});
}

// Files are not for a fuzzer, and a long run finds nothing that a short one does not.
bool harmless(const std::vector<std::string>& words) {
  if (words.empty()) return true;
  if (words[0] == "save" || words[0] == "load") return false;
  return words[0] != "run" || words.size() < 2 || words[1].size() < 3;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  schism::Prompt prompt(session(), {});
  for (int lines = 0; !text.empty() && lines < 30; ++lines) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!harmless(schism::words_of_line(line))) continue;
    const auto before = prompt.session().world().digest_from_scratch();
    const schism::Prompt::Reply reply = prompt.say(line);
    require(reply.text.empty() || reply.text.back() == '\n');
    if (!reply.bad) continue;
    require(reply.text.find('\n') + 1 == reply.text.size());
    require(prompt.session().world().digest_from_scratch() == before);
  }
  if (prompt.session().position() < 200)
    require(!schism::replay(prompt.session().trace()).difference);
  return 0;
}
