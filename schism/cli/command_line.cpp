// The only file that knows CLI11.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cassert>
#include <sstream>

#include "schism/base/params.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/cli/verb.hpp"

#ifndef SCHISM_VERSION
#define SCHISM_VERSION "unknown"
#endif

namespace schism::cli {
namespace {

// CLI11's own says "not in range 0.000000 to" and 300 digits.
CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  const std::string allowed = high == UINT64_MAX
                                  ? fmt::format("a whole number from {} on", low)
                                  : fmt::format("a whole number from {} to {}", low, high);
  return {[=](std::string& text) -> std::string {
            const auto seed = parse_seed(text);
            const bool good = seed && *seed >= low && *seed <= high;
            return good ? "" : fmt::format("{} is not {}", text, allowed);
          },
          ""};
}

CLI::Option* declare(CLI::App& app, const Flag& flag, bool* into) {
  return app.add_flag(flag.name, *into, flag.help);
}
template <class T>
CLI::Option* declare(CLI::App& app, const Flag& flag, T* into) {
  return app.add_option(flag.name, *into, flag.help);
}

void declare(CLI::App& app, const Flag& flag) {
  CLI::Option* option = std::visit([&](auto* into) { return declare(app, flag, into); }, flag.into);
  if (flag.is_required) option->required();
  if (flag.takes_one) option->take_all()->allow_extra_args(false);
  if (flag.is_hidden) option->group("");
  if (flag.is_positive) option->check(whole_number(1, UINT64_MAX));
  if (flag.range)
    option->check(whole_number(static_cast<std::uint64_t>(flag.range->first),
                               static_cast<std::uint64_t>(flag.range->second)));
  if (!flag.choices.empty()) option->check(CLI::IsMember(flag.choices));
}

void declare(CLI::App& app, const Flags& flags) {
  for (const Flag& flag : flags.all()) declare(app, flag);
}

// The words that would have been understood, for the nearest suggestion.
std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
  return out;
}

std::string first_line(const CLI::ParseError& e) {
  const std::string text = e.what();
  // "--runs: At Most 1 required but received 2"
  if (const auto at = text.find(": At Most 1 required but received "); at != std::string::npos)
    return text.substr(0, at) + " is given more than once";
  return text.substr(0, text.find('\n'));
}

std::string explain(const CLI::App& app, const CLI::ParseError& e, int argc, char** argv) {
  const CLI::App* verb = &app;
  for (const CLI::App* sub : app.get_subcommands()) verb = sub;
  if (dynamic_cast<const CLI::ExtrasError*>(&e) == nullptr) return first_line(e);
  const auto flags = flags_of(*verb);
  for (int i = 1; i < argc; ++i) {
    const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    if (!word.starts_with("-") || word == "-" || word == "--") continue;
    if (std::find(flags.begin(), flags.end(), word) == flags.end())
      return unknown_word("flag", word, flags);
  }
  return "more words than this command takes";
}

// A verb as it stands on this command line.
struct Offered {
  explicit Offered(const Verb& verb) : run(verb.declare(flags)) {}
  Flags flags;
  std::function<int()> run;
  CLI::App* app = nullptr;
};

}  // namespace

std::string Flags::footer() const {
  std::string out = examples_.empty() ? "" : "Examples:\n";
  for (const auto& [command, what] : examples_)
    out += fmt::format("  {}\n      {}\n", command, what);
  for (const auto& lines : notes_) out += "\n" + lines();
  return out;
}

Flag& Flags::at(std::string_view name) {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const Flag& flag) { return flag.name == name; });
  assert(found != all_.end());
  return *found;
}

Status read_words(const Flags& flags, std::vector<std::string> words) {
  CLI::App app;
  declare(app, flags);
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& e) {
    return tl::unexpected(first_line(e));
  }
  return {};
}

int run_command_line(int argc, char** argv) {
  CLI::App app{"Finds, reproduces and explains the schedules that break distributed protocols."};
  app.name("schism");
  app.set_version_flag("--version", SCHISM_VERSION);
  app.require_subcommand(0, 1);
  std::deque<Offered> offered;
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) {
    Offered& one = offered.emplace_back(verb);
    one.app = app.add_subcommand(verb.name, verb.what);
    declare(*one.app, one.flags);
    one.app->footer([&flags = one.flags] { return flags.footer(); });
    names.push_back(verb.name);
  }

  if (argc > 1 && argv[1][0] != '-' &&
      std::find(names.begin(), names.end(), argv[1]) == names.end())
    return bad_input(unknown_word("command", argv[1], names));
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
  for (const Offered& one : offered)
    if (one.app->parsed()) return one.run();
  say("{}", Shown{app.help()});
  return kBadInput;
}

}  // namespace schism::cli
