// What a person types into `schism run`, line by line, while nodes live on their threads. No line
// may crash the program, and what was recorded replays.
#include "memory_path.hpp"
#include "schism/live/live_prompt.hpp"
#include "schism/step/menu.hpp"
#include "tests/systems/busy.cpp"  // it has every kind of action

namespace {

schism::RunConfig config() {
  schism::RunText text;
  text.system = {"busy", {}};
  text.explorer = {"timed", {}};
  const auto made = schism::make_config(text);
  require(made.has_value());
  return *made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  static const schism::RunConfig busy = config();
  schism::LiveOptions options;
  options.steps_max = 500;
  options.delay_min = options.delay_max = options.disk = options.think = 0;
  schism::LiveWorld live(busy, options);
  schism::LivePrompt prompt(live);
  live.start();
  for (int lines = 0; !text.empty() && lines < 20; ++lines) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const auto words = schism::words_of_line(line);
    if (!words.empty() && words[0] == "save") continue;  // files are not for a fuzzer
    const schism::LivePrompt::Reply reply = prompt.say(line);
    require(reply.text.empty() || reply.text.back() == '\n');
    if (reply.bad) require(reply.text.find('\n') + 1 == reply.text.size());
  }
  live.stop();
  live.news();
  require(!schism::replay(live.trace()).difference);
  return 0;
}
