#include "schism/step/menu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "schism/base/params.hpp"
#include "schism/system/system.hpp"
#include "schism/trace/describe.hpp"

namespace schism {
namespace {

// Progress before repairs before faults.
constexpr std::array kOrder = {Do::deliver, Do::fire,   Do::complete,  Do::submit,
                               Do::restart, Do::resume, Do::heal,      Do::crash,
                               Do::pause,   Do::drop,   Do::duplicate, Do::cut};

bool is_message(Do kind) {
  return kind == Do::deliver || kind == Do::drop || kind == Do::duplicate;
}

std::string content_of(const World& world, const Action& action) {
  const Pending& pending = world.pending();
  const auto show = [](const Body* body) {
    return print(body->type->name, body->type->to_value(body->content()));
  };
  if (is_message(action.kind)) return show(pending.flights[action.hint].body);
  if (action.kind == Do::submit) return show(pending.askings[action.hint].body);
  if (action.kind == Do::fire) return "due " + print_duration(pending.timers[action.hint].due);
  return {};
}

// How the action is told; what print_action leaves out because names rarely need it.
std::string title_of(const World& world, const Action& action) {
  std::string title = print_action(*world.setup().system, action);
  if (action.kind == Do::fire && action.name.to() > 0)
    title += fmt::format(" key {}", action.name.to());
  if (action.kind == Do::crash && action.arg() > 0) {
    const CrashOutcome outcome = CrashOutcome::of(action.arg());
    title += fmt::format(" kept {}", outcome.kept);
    if (outcome.torn) title += " torn";
  }
  return title;
}

std::uint32_t created(const World& world, const Action& action) {
  const bool slotted = is_message(action.kind) || action.kind == Do::fire ||
                       action.kind == Do::complete || action.kind == Do::submit;
  return slotted ? world.pending().slot(action.kind, action.hint).created : 0;
}

void add_kind(const World& world, Do kind, std::vector<MenuItem>& menu) {
  const Pending& pending = world.pending();
  std::vector<Action> actions;
  for (std::uint32_t i = 0; i < pending.count(kind); ++i) {
    const Action action = pending.nth(kind, i);
    if (kind == Do::crash) {
      for (const CrashOutcome outcome : world.crash_outcomes(action.name.from()))
        actions.push_back(node_action(kind, action.name.from(), outcome.arg()));
      continue;
    }
    const bool too_early = kind == Do::fire && !world.calm() &&
                           world.setup().options.time == TimeUse::stepped &&
                           pending.timers[action.hint].due > world.clock();
    if (!too_early) actions.push_back(action);
    if (kind == Do::complete && pending.left.disk_error > 0) actions.push_back(failing(action));
  }
  std::stable_sort(actions.begin(), actions.end(), [&](const Action& a, const Action& b) {
    return std::tuple(created(world, a), a.name.bits(), a.arg()) <
           std::tuple(created(world, b), b.name.bits(), b.arg());
  });
  for (const Action& action : actions)
    menu.push_back({action, title_of(world, action), content_of(world, action)});
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool begins(std::string_view word, std::string_view beginning) {
  return word.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), word.begin(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

std::vector<std::string> split(std::string_view text, std::string_view at) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const auto end = text.find_first_of(at);
    if (end != 0) out.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

bool has(const std::vector<std::string>& own, const std::string& word, bool whole) {
  return std::any_of(own.begin(), own.end(), [&](const std::string& w) {
    return begins(w, word) && (!whole || w.size() == word.size());
  });
}

// The same but for its number: which of them is meant hardly matters.
bool alike(const Action& a, const Action& b) {
  return a.kind == b.kind && a.arg() == b.arg() && a.name.from() == b.name.from() &&
         a.name.to() == b.name.to() && a.name.type() == b.name.type();
}

}  // namespace

std::vector<MenuItem> menu_of(const World& world) {
  std::vector<MenuItem> menu;
  for (const Do kind : kOrder) add_kind(world, kind, menu);
  return menu;
}

std::vector<std::size_t> matching(const std::vector<MenuItem>& menu,
                                  const std::vector<std::string>& words) {
  std::vector<std::size_t> found;
  for (const bool whole : {true, false}) {
    for (std::size_t i = 0; i < menu.size(); ++i) {
      const auto own = split(menu[i].title + " " + menu[i].content, " (),");
      if (std::all_of(words.begin(), words.end(),
                      [&](const std::string& word) { return has(own, word, whole); }))
        found.push_back(i);
    }
    if (!found.empty()) break;
  }
  return found;
}

Result<std::size_t> pick(const std::vector<MenuItem>& menu, const std::vector<std::string>& words) {
  const auto found = matching(menu, words);
  std::string said;
  for (const std::string& word : words) said += (said.empty() ? "" : " ") + word;
  if (found.empty()) return error("nothing that is enabled matches \"{}\"; `list` shows all", said);
  for (const std::size_t i : found)  // "crash 1", though "crash 1 kept 2" has these words too
    if (split(menu[i].title, " ").size() == words.size() && menu[i].content.empty()) return i;
  for (const std::size_t i : found)
    if (!alike(menu[i].action, menu[found[0]].action))
      return error("\"{}\" could be {} actions, such as \"{}\" and \"{}\"", said, found.size(),
                   menu[found[0]].title, menu[i].title);
  return found[0];
}

std::vector<std::string> words_of_line(std::string_view line) {
  const auto json = line.find_first_of("{[");
  std::vector<std::string> words = split(line.substr(0, json), " \t\r");
  if (json != std::string_view::npos) words.emplace_back(line.substr(json));
  return words;
}

}  // namespace schism
