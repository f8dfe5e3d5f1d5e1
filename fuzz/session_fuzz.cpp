// Requests of `schism step --json`, a line each. Every answer is one JSON object; what is refused
// changes nothing; what was played replays.
#include <cstdlib>

#include "schism/step/json_prompt.hpp"
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
bool harmless(std::string_view line) {
  const auto request = schism::parse_json(line);
  if (!request || !request->as_object()) return true;
  if (request->find("run") || request->find("file")) return false;
  const schism::Value* steps = request->find("steps");
  return !steps || !steps->as_int() || *steps->as_int() < 100;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  schism::JsonPrompt prompt(session(), "");
  for (int lines = 0; !text.empty() && lines < 30; ++lines) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!harmless(line)) continue;
    const auto before = prompt.session().world().digest_from_scratch();
    const schism::JsonPrompt::Reply reply = prompt.say(line);
    if (reply.line.empty()) continue;
    const auto answer = schism::parse_json(reply.line);
    require(answer && answer->as_object() && answer->find("position"));
    require(reply.line.find('\n') == std::string::npos);
    require(reply.bad == (answer->find("error") != nullptr));
    if (reply.bad) require(prompt.session().world().digest_from_scratch() == before);
  }
  if (prompt.session().position() < 200)
    require(!schism::replay(prompt.session().trace()).difference);
  return 0;
}
