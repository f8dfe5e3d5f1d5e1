// `schism list`: everything the registry knows.
#include <fmt/format.h>

#include "schism/check/search.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/coverage/coverage.hpp"
#include "schism/evolve/gauge.hpp"
#include "schism/explore/explorer.hpp"
#include "schism/oracle/oracle.hpp"

namespace schism::cli {
namespace {

Value params_value(const Params& params) {
  Value::Array out;
  for (const Param& p : params.list()) {
    Value item;
    item.set("name", p.name);
    item.set("default", p.fallback);
    item.set("range", p.range);
    item.set("meaning", p.meaning);
    out.push_back(std::move(item));
  }
  return out;
}

std::vector<std::string> oracle_names(const System& system) {
  Setup setup;
  setup.system = &system;
  setup.config = system.fresh_config();
  setup.nodes = system.node_range.fallback;
  std::vector<std::string> out = {"assertion", "crash"};
  for (const auto& make : system.oracles) out.emplace_back(make(setup)->name());
  return out;
}

// By default: what it survives may depend on its parameters.
std::optional<FaultKinds> survived_by(const System& system) {
  if (!system.survives) return std::nullopt;
  Setup setup;
  setup.system = &system;
  setup.config = system.fresh_config();
  setup.nodes = system.node_range.fallback;
  return system.survives(setup);
}

Value system_value(const System& system) {
  Value out;
  out.set("name", system.name);
  out.set("description", system.description);
  out.set("nodes", system.node_range.fallback);
  if (const auto kinds = survived_by(system)) {
    Value::Array names;
    for (const std::string& name : kinds->names()) names.emplace_back(name);
    out.set("survives", std::move(names));
  }
  out.set("parameters", params_value(system.params));
  Value::Array bugs;
  for (const Bug& bug : system.bugs) {
    Value item;
    item.set("name", bug.name);
    item.set("meaning", bug.meaning);
    bugs.push_back(std::move(item));
  }
  out.set("bugs", std::move(bugs));
  Value::Array oracles;
  for (const std::string& name : oracle_names(system)) oracles.emplace_back(name);
  out.set("oracles", std::move(oracles));
  return out;
}

Value children_value(const ChildRule& rule) {
  Value out;
  out.set("what", rule.what);
  out.set("least", static_cast<std::int64_t>(rule.least));
  out.set("most", static_cast<std::int64_t>(rule.most));
  return out;
}

template <class Made>
Value strategies_value(const Table<Made>& table) {
  Value::Array out;
  for (const auto& entry : table.sorted()) {
    Value item;
    item.set("name", entry.name);
    item.set("description", entry.description);
    item.set("parameters", params_value(entry.params));
    if (!entry.children.none()) item.set("children", children_value(entry.children));
    out.push_back(std::move(item));
  }
  return out;
}

// Text in a column, broken at spaces.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 100) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const auto space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    if (column + word.size() + 1 > width && column > indent) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) out += ' ', ++column;
    out += word;
    column += word.size();
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
  }
  return out;
}

void print_params(const Params& params) {
  for (const Param& p : params.list()) {
    const std::string about =
        p.fallback.empty() ? p.range : fmt::format("{}, default {}", p.range, p.fallback);
    say("    {:<18} {}\n", p.name, Shown{wrapped(fmt::format("{} ({})", p.meaning, about), 23)});
  }
}

void print_system(const System& system, bool details) {
  say("  {:<20} {}\n", system.name, Shown{wrapped(system.description, 23)});
  if (!details) {
    if (!system.bugs.empty()) {
      std::string names;
      for (const Bug& bug : system.bugs) names += (names.empty() ? "" : " ") + bug.name;
      say("  {:<20} bugs: {}\n", "", Shown{wrapped(names, 29)});
    }
    return;
  }
  say("\n  {} nodes, {} to {}\n", system.node_range.fallback, system.node_range.low,
      system.node_range.high);
  const auto survives = survived_by(system);
  say("\n  built to survive\n    {}\n",
      survives ? survives->text() : "it does not say; see SystemBuilder::survives");
  if (!system.params.list().empty()) say("\n  parameters\n");
  print_params(system.params);
  if (!system.bugs.empty()) say("\n  known bugs\n");
  for (const Bug& bug : system.bugs)
    say("    {:<26} {}\n", bug.name, Shown{wrapped(bug.meaning, 31)});
  std::string oracles;
  for (const std::string& name : oracle_names(system))
    oracles += (oracles.empty() ? "" : ", ") + name;
  say("\n  judged by\n    {}\n", Shown{wrapped(oracles, 4)});
}

template <class Made>
void print_strategies(std::string_view title, const Table<Made>& table) {
  say("\n{}\n", title);
  for (const auto& entry : table.sorted())
    say("  {:<20} {}\n", entry.name,
        Shown{wrapped(entry.description +
                          (entry.children.none() ? "" : "; takes " + entry.children.how_many()),
                      23)});
}

int list_all(bool json) {
  if (json) {
    Value out;
    Value::Array all;
    for (const auto& system : systems().sorted()) all.push_back(system_value(*system));
    out.set("systems", std::move(all));
    out.set("schedulers", strategies_value(schedulers()));
    out.set("explorers", strategies_value(explorers()));
    out.set("coverages", strategies_value(coverages()));
    out.set("gauges", strategies_value(evolve::gauges()));
    out.set("check", strategies_value(check::searches()));
    out.set("world", params_value(world_params()));
    out.set("faults", params_value(fault_params()));
    say("{}\n", to_json(out));
    return kFine;
  }
  say("systems\n");
  for (const auto& system : systems().sorted()) print_system(*system, false);
  print_strategies("explorers", explorers());
  print_strategies("schedulers (as an explorer: one seed after the other)", schedulers());
  print_strategies("coverages (`hunt --coverage`)", coverages());
  print_strategies("gauges (`evolve:fitness=`)", evolve::gauges());
  print_strategies("explorers of `check`", check::searches());
  say("\n--world\n");
  print_params(world_params());
  say("\n--faults, budgets of a run\n");
  print_params(fault_params());
  say("\n`schism list NAME` shows the parameters of one\n");
  return kFine;
}

int list_one(const std::string& name, bool json) {
  if (const System* system = systems().find(name)) {
    if (json) say("{}\n", to_json(system_value(*system)));
    else print_system(*system, true);
    return kFine;
  }
  const auto strategy = [&](const auto& table) {
    const auto* entry = table.find(name);
    if (!entry) return false;
    if (json) {
      say("{}\n", to_json(params_value(entry->params)));
    } else {
      say("  {:<20} {}\n", entry->name, Shown{wrapped(entry->description, 23)});
      if (!entry->children.none())
        say("\n  in parentheses, separated by ;\n    {}\n", entry->children.how_many());
      say("\n  parameters\n");
      print_params(entry->params);
    }
    return true;
  };
  // A name may be an explorer of hunts and one of `check`.
  const bool hunts = strategy(schedulers()) || strategy(explorers()) || strategy(coverages());
  if (hunts && !json && check::searches().find(name)) say("\nof `check`\n");
  if ((!hunts || !json) && strategy(check::searches())) return kFine;
  if (hunts) return kFine;
  auto names = systems().names();
  for (auto& n : schedulers().names()) names.push_back(n);
  for (auto& n : explorers().names()) names.push_back(n);
  for (auto& n : coverages().names()) names.push_back(n);
  for (auto& n : check::searches().names()) names.push_back(n);
  return bad_input(unknown_word("system, scheduler or explorer", name, names));
}

struct ListFlags {
  explicit ListFlags(Flags& flags) {
    flags.example("schism list", "everything that is registered");
    flags.example("schism list raft",
                  "one system: its parameters, bugs, timers, messages and oracles");
    flags.option("name", name, "show one of them, with its parameters");
    flags.flag("--json", json, "for programs");
  }

  std::string name;
  bool json = false;
};

int run_list(const ListFlags& f) {
  return f.name.empty() ? list_all(f.json) : list_one(f.name, f.json);
}

const Registration registered = verb<ListFlags>(
    10, "list", "what there is: systems with their bugs, explorers, schedulers, oracles", run_list);

}  // namespace
}  // namespace schism::cli
