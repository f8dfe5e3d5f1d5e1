#include "schism/cli/program.hpp"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <sstream>

#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"

#ifndef SCHISM_VERSION
#define SCHISM_VERSION "unknown"
#endif

namespace schism {
namespace cli {
namespace {

// A name from a file may be megabytes long; what is wrong stands before it or is lost anyway.
constexpr std::size_t kSentenceMax = 2000;

std::atomic<bool> g_interrupted{false};
std::string g_program = "schism";

extern "C" void on_interrupt(int) {
  if (g_interrupted.exchange(true)) ::_exit(kInterrupted);
}

// The words that would have been understood, for the nearest suggestion.
std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
  return out;
}

std::string explain(const CLI::App& app, const CLI::ParseError& e, int argc, char** argv) {
  const CLI::App* verb = &app;
  for (const CLI::App* sub : app.get_subcommands()) verb = sub;
  if (dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr) {
    for (int i = 1; i < argc; ++i) {
      const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
      if (!word.starts_with("-") || word == "-" || word == "--") continue;
      const auto flags = flags_of(*verb);
      if (std::find(flags.begin(), flags.end(), word) == flags.end())
        return unknown_word("flag", word, flags);
    }
    return "more words than this command takes";
  }
  std::string text = e.what();
  text = text.substr(0, text.find('\n'));
  return text;
}

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    out.push_back(sub->get_name());
  return out;
}

int run(int argc, char** argv) {
  if (argc > 0) g_program = argv[0];
  CLI::App app{"Finds, reproduces and explains the schedules that break distributed protocols."};
  app.name("schism");
  app.set_version_flag("--version", SCHISM_VERSION);
  app.require_subcommand(0, 1);
  std::vector<std::pair<CLI::App*, Action>> verbs;
  const auto add = [&](const char* name, const char* what, Action (*fill)(CLI::App&)) {
    CLI::App* verb = app.add_subcommand(name, what);
    Action action = fill(*verb);
    verbs.emplace_back(verb, std::move(action));
  };
  add("list", "what there is: systems with their bugs, explorers, schedulers, oracles", add_list);
  add("hunt", "run many schedules of a system until one breaks it", add_hunt);
  add("check", "all schedules of a system, and what that proves", add_check);
  add("replay", "run a found trace again", add_replay);
  add("show", "draw a trace", add_show);
  add("shrink", "make a found trace as small as it can be", add_shrink);
  add("sort", "which finds in a folder are the same bug", add_sort);
  add("linearize", "judge what clients saw", add_linearize);
  add("compare", "strategies side by side, on an experiment that a file describes", add_compare);
  add("isolate", "which messages explain the failures of many runs", add_isolate);
  add("doctor", "is a system deterministic, and if not, why", add_doctor);
  add("step", "a run by hand: what is enabled, pick one, go back, keep what you find", add_step);
  add("run", "the same nodes on real threads and the wall clock, recorded", add_run);
  add("model", "check a TLA+ specification", add_model);

  if (argc > 1 && argv[1][0] != '-') {
    const auto names = verbs_of(app);
    if (std::find(names.begin(), names.end(), argv[1]) == names.end())
      return bad_input(unknown_word("command", argv[1], names));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {  // somebody asked for help, or the version
    std::ostringstream text;
    const int code = app.exit(e, text, text);
    say("{}", Shown{text.str()});
    return code;
  } catch (const CLI::ParseError& e) {
    return bad_input(explain(app, e, argc, argv));
  }
  for (const auto& [verb, action] : verbs)
    if (verb->parsed()) return action();
  say("{}", Shown{app.help()});
  return kBadInput;
}

}  // namespace

int bad_input(const std::string& what) {
  flush_out();
  say_aside("schism: {}\n", clip(what, kSentenceMax));
  return kBadInput;
}

ColorFlag::ColorFlag(CLI::App& verb) {
  verb.add_option("--color", when_, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
}

bool ColorFlag::wanted(int descriptor) const {
  if (when_ != "auto") return when_ == "always";
  return ::isatty(descriptor) != 0 && std::getenv("NO_COLOR") == nullptr;
}

const std::atomic<bool>& interrupted() { return g_interrupted; }

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

const std::string& program_name() { return g_program; }

int terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
    return std::min<int>(size.ws_col, 200);
  return 100;
}

std::string quote(const std::string& word) {
  const bool plain = word.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                         "_-./:=,@%+") == std::string::npos;
  if (plain && !word.empty()) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace cli

int run_program(int argc, char** argv) {
  cli::occupy_standard_files();
  try {
    return cli::exit_code_after_output(cli::run(argc, argv));
  } catch (const std::exception& e) {
    cli::say_aside("schism: our own bug, please report it: {}\n", e.what());
    return cli::kOwnBug;
  }
}

}  // namespace schism
