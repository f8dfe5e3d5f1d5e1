// `schism run`: the same nodes on real threads and the wall clock.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <chrono>

#include "schism/base/file.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/live/live_prompt.hpp"

namespace schism::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct LiveFlags {
  explicit LiveFlags(Flags& flags) : run(flags) {
    flags.example("schism run raft --for 5s", "the same nodes on real threads, recorded");
    flags.example("schism run raft --for 5s --loss 0.1 --delay 1ms..50ms", "over a bad network");
    flags.option("--seed", seed, "of the nodes' random numbers, delays and losses (1)");
    flags.option("--for", time, "end by itself after this long, such as 5s");
    flags.option("--delay", delay, "of a message: 5ms, or 1ms..5ms (1ms..5ms)");
    flags.option("--loss", loss, "chance that a message is lost, 0 to 1 (0)");
    flags.option("-o,--out", out, "the record (schism-out/SYSTEM-live.trace)");
    flags.flag("--no-workload", no_workload, "clients ask only what you tell them to");
    flags.flag("--announcements", announcements, "show what nodes announce to oracles, too");
    flags.flag("--quiet", quiet, "do not show what happens, only answers to commands");
  }

  RunFlags run;
  std::string seed = "1", time, delay, loss, out;
  bool no_workload = false, announcements = false, quiet = false;
};

Status read_delay(const std::string& text, LiveOptions& options) {
  if (text.empty()) return {};
  const auto dots = text.find("..");
  const auto low = parse_duration(text.substr(0, dots));
  const auto high = dots == std::string::npos ? low : parse_duration(text.substr(dots + 2));
  if (!low) return error("--delay {}", low.error());
  if (!high) return error("--delay {}", high.error());
  if (*low > *high)
    return error("--delay: {} is more than {}", text.substr(0, dots), text.substr(dots + 2));
  options.delay_min = *low, options.delay_max = *high;
  return {};
}

Result<LiveOptions> options_of(const LiveFlags& f) {
  LiveOptions options;
  const auto seed = parse_seed(f.seed);
  if (!seed) return error("--seed {}", seed.error());
  options.seed = *seed;
  if (auto good = read_delay(f.delay, options); !good) return tl::unexpected(good.error());
  if (!f.loss.empty()) {
    const auto loss = parse_number(f.loss, 0, 1);
    if (!loss) return error("--loss {}", loss.error());
    options.loss = *loss;
  }
  options.workload = !f.no_workload;
  options.news = !f.quiet;
  options.announcements = f.announcements;
  return options;
}

Result<RunConfig> config_of(const LiveFlags& f) {
  auto text = f.run.text();
  if (!text) return tl::unexpected(text.error());
  if (!text->explorer.name.empty()) return error("run: the wall clock decides, not an explorer");
  if (!text->faults.empty())
    return error("run: faults have no budgets here, they are made by commands and by --loss");
  text->explorer = {"timed", {}};
  auto config = make_config(*text);
  if (!config) return config;
  if (auto good = LiveWorld::check(*config); !good) return tl::unexpected(good.error());
  return config;
}

// Lines of standard input, as they come, without waiting for them.
class Input {
 public:
  // The next whole line if there is one.
  std::optional<std::string> line() {
    const auto end = text_.find('\n');
    if (end == std::string::npos && !(ended_ && !text_.empty())) return std::nullopt;
    std::string out = text_.substr(0, end);
    text_.erase(0, end == std::string::npos ? end : end + 1);
    return out;
  }
  bool ended() const { return ended_ && text_.empty(); }
  void listen(int milliseconds) {
    pollfd p{STDIN_FILENO, POLLIN, 0};
    if (ended_) p.fd = -1;  // only the time passes
    if (::poll(&p, 1, milliseconds) <= 0) return;
    char buffer[4096];
    const ssize_t n = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (n > 0) text_.append(buffer, static_cast<std::size_t>(n));
    else if (n == 0 || errno != EINTR) ended_ = true;
  }

 private:
  std::string text_;
  bool ended_ = false;
};

class Conversation {
 public:
  Conversation(LiveWorld& live, std::optional<Micros> time)
      : live_(live), prompt_(live), asked_(::isatty(STDIN_FILENO) != 0) {
    if (time) ends_ = Clock::now() + std::chrono::microseconds(*time);
  }

  // Until it is over, in whatever way.
  void hold() {
    show_prompt();
    while (!live_.stopped() && !interrupted() && (!ends_ || Clock::now() < *ends_)) {
      tell_news();
      if (waiting()) {
        input_.listen(20);
        continue;
      }
      if (const auto line = input_.line()) {
        const LivePrompt::Reply reply = prompt_.say(*line);
        say("{}", Shown{reply.text});
        if (reply.quit) return;
        waits_ = Clock::now() + std::chrono::microseconds(reply.wait);
        answers_ = reply.answers;
        show_prompt();
      } else if (input_.ended() && !ends_) {
        return;
      } else {
        input_.listen(50);
      }
    }
  }

  void tell_news() {
    const auto news = live_.news();
    if (news.empty()) return;
    if (asked_) say("\r");
    for (const std::string& line : news) say("{}\n", line);
    show_prompt();
  }

  std::string stats() const { return prompt_.stats(); }

 private:
  bool waiting() const {
    if (Clock::now() >= waits_) return false;
    return answers_ == 0 || live_.stats().answered < answers_;
  }
  void show_prompt() const {
    if (asked_) say("> ");
    flush_out();
  }

  LiveWorld& live_;
  LivePrompt prompt_;
  Input input_;
  bool asked_;
  std::optional<Clock::time_point> ends_;
  Clock::time_point waits_ = Clock::now();
  std::uint64_t answers_ = 0;
};

Status write_record(const LiveFlags& f, const RunConfig& config, const Trace& trace,
                    std::string& path) {
  path = f.out;
  if (path.empty()) {
    if (auto made = make_directory("schism-out"); !made) return made;
    path = fmt::format("schism-out/{}-live.trace", config.system.name);
  }
  return write_trace(trace, path);
}

int run_live(const LiveFlags& f) {
  const auto config = config_of(f);
  if (!config) return bad_input(config.error());
  const auto options = options_of(f);
  if (!options) return bad_input(options.error());
  std::optional<Micros> time;
  if (!f.time.empty()) {
    const auto given = parse_duration(f.time);
    if (!given) return bad_input("--for " + given.error());
    time = *given;
  }
  catch_interrupts();
  LiveWorld live(*config, *options);
  Conversation conversation(live, time);
  live.start();
  conversation.hold();
  const bool at_once = live.violation().has_value();
  live.stop();
  conversation.tell_news();
  const auto violation = live.violation();
  if (violation)
    say("{} is violated at step {}{}\n  {}\n", violation->property, violation->step,
        at_once ? ", and all nodes stopped" : ", as the end showed", violation->message);
  say("{}", Shown{conversation.stats()});
  const Trace trace = live.trace();
  std::string path;
  if (auto good = write_record(f, *config, trace, path); !good) return bad_input(good.error());
  if (trace.violation.has_value() != violation.has_value())
    say("the record does not repeat it: {} is not deterministic\n", config->system.name);
  const std::string program = quote(program_name());
  say("again:    {} replay {}\npicture:  {} show {}\n", program, quote(path), program, quote(path));
  return violation ? kViolation : interrupted() ? kInterrupted : kFine;
}

const Registration registered = verb<LiveFlags>(
    130, "run", "the same nodes on real threads and the wall clock, recorded", run_live);

}  // namespace
}  // namespace schism::cli
