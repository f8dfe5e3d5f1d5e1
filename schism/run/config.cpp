#include "schism/run/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "schism/base/shell.hpp"
#include "schism/model/beside.hpp"
#include "schism/run/jury.hpp"
#include "schism/run/make_world.hpp"
#include "schism/system/liars.hpp"

namespace schism {

const Params& world_params() {
  static const Params params = [] {
    using W = WorldOptions;
    Params p;
    p.add<&W::down>("down", "what becomes of a message to a node that is down");
    p.add<&W::crashes>("crashes", "whether a node that crashed comes back, or stops for good");
    p.add<&W::cut>("cut", "what a link that is cut does with messages");
    p.add<&W::links>("links", "in which order a link delivers");
    p.add<&W::disk>("disk", "whether disk operations complete later or within the step");
    p.add<&W::completions>("completions", "in which order a disk's operations complete");
    p.add<&W::draws>("draws",
                     "who decides a draw of at most 16 outcomes: the node seed, or the scheduler");
    p.add<&W::scripted>("scripted",
                        "actions may be free of budgets, and what is held or not first on its "
                        "link can be lost or changed");
    p.add<&W::place>("place", "where nodes live: in this process, or each in one of its own");
    p.add<&W::forked>("forked", "play in forked processes: a crash of the system is a find");
    p.add_duration<&W::hang>("hang", 1'000, 3'600'000'000, "how long a handler may take there");
    p.add<&W::down_max>("down-max", 0, kNodesMax, "nodes down at once; 0: no limit");
    p.add<&W::may_crash>("may-crash", "which nodes may crash; none: all");
    p.add<&W::liars>("liars", "which nodes are Byzantine; none: as many as liars-drawn says");
    p.add<&W::liars_drawn>("liars-drawn", 0, kNodesMax, "how many liars each run draws");
    p.add<&W::twins>("twins", "each liar is two copies of its node, with one name and one key");
    p.add<&W::lies>("lies",
                    "whose messages are changed, made up or omitted (anyone: any bit flips)");
    p.add<&W::skew_us>("skew-us", "how far each node's clock is ahead, in microseconds");
    p.add<&W::drift_ppm>("drift-ppm", "how much faster each node's clock runs, in millionths");
    return p;
  }();
  return params;
}

const Params& fault_params() {
  static const Params params = [] {
    using F = Faults;
    constexpr std::int64_t most = 1'000'000'000;
    Params p;
    p.add<&F::drop>("drop", std::int64_t{0}, most, "messages that may be lost");
    p.add<&F::duplicate>("duplicate", std::int64_t{0}, most, "messages that may be duplicated");
    p.add<&F::mutate>("mutate", std::int64_t{0}, most, "messages that liars may change");
    p.add<&F::inject>("inject", std::int64_t{0}, most, "messages that liars may make up");
    p.add<&F::crash>("crash", std::int64_t{0}, most, "crashes of nodes");
    p.add<&F::pause>("pause", std::int64_t{0}, most, "pauses of nodes");
    p.add<&F::cut>("cut", std::int64_t{0}, most, "cuts of single links, one direction");
    p.add<&F::partition>("partition", std::int64_t{0}, most, "splits of the nodes in two");
    p.add<&F::disk_error>("disk-error", std::int64_t{0}, most, "disk operations that fail");
    p.add<&F::omit>("omit", std::int64_t{0}, most, "messages that liars may keep to themselves");
    return p;
  }();
  return params;
}

namespace {

Status set_all(const Params& params, void* object, const Pairs& pairs, std::string_view owner) {
  for (const auto& [name, text] : pairs)
    if (auto set = params.set(object, name, text, owner); !set) return set;
  return {};
}

// `--explorer pctcp:depth=3` may name a scheduler: then it is `seeds` over it.
Status choose_strategy(const RunText& text, RunConfig& config) {
  const Spec given = text.explorer.name.empty() ? Spec{"random", {}} : text.explorer;
  if (schedulers().find(given.name)) {
    config.explorer = {"seeds", {}};
    auto scheduler = schedulers().complete(given, "scheduler");
    if (!scheduler) return tl::unexpected(scheduler.error());
    config.scheduler = *std::move(scheduler);
    config.arms = {config.scheduler};
    return {};
  }
  auto explorer = explorers().complete(given, "explorer");
  if (!explorer) return tl::unexpected(explorer.error());
  config.explorer = *std::move(explorer);
  const auto made = explorers().make(config.explorer, "explorer");
  if (!made) return tl::unexpected(made.error());
  for (const Spec& arm : (*made)->arms()) {
    auto scheduler = schedulers().complete(arm, "scheduler");
    if (!scheduler) return tl::unexpected(scheduler.error());
    config.arms.push_back(*std::move(scheduler));
  }
  if (config.arms.empty()) return error("{} plays its runs with no scheduler", given.name);
  if ((*made)->draws()) {
    config.asked = text;
    config.asked->explorer = config.explorer;
  }
  config.scheduler = config.arms.front();
  return {};
}

Status choose_system(const RunText& text, RunConfig& config) {
  const System* system = systems().find(text.system.name);
  if (!system) return tl::unexpected(unknown_word("system", text.system.name, systems().names()));
  if (!text.system.children.empty())
    return error("{} takes nothing in parentheses; a value with some stands in double quotes",
                 system->name);
  config.setup.system = system;
  const auto own = system->fresh_config();
  Pairs values = text.system.values;
  std::string model;  // not a parameter: what stands beside the system
  std::erase_if(values, [&](const auto& pair) {
    return pair.first == model::kModelKey && (model = pair.second, true);
  });
  if (auto set = set_all(system->params, own.get(), values, system->name); !set) return set;
  config.system = {system->name, system->params.changed(own.get())};
  if (!model.empty()) config.system.values.emplace_back(model::kModelKey, model);
  for (const std::string& name : text.bugs) {
    const Bug* bug = system->find_bug(name);
    if (!bug)
      return error("{} has {}", system->name, unknown_word("bug", name, system->bug_names()));
    bug->plant(own.get());
    if (std::find(config.bugs.begin(), config.bugs.end(), name) == config.bugs.end())
      config.bugs.push_back(name);
  }
  config.setup.config = own;
  config.setup.nodes = system->node_range.fallback;
  if (!text.nodes.empty()) {
    const auto n = parse_integer(text.nodes, system->node_range.low, system->node_range.high);
    if (!n) return error("{}: nodes {}", system->name, n.error());
    config.setup.nodes = static_cast<int>(*n);
  }
  if (!model.empty()) return model::put_beside(config.setup, model);
  return {};
}

Status check_world(const Setup& setup) {
  const auto nodes = static_cast<std::size_t>(setup.nodes);
  const std::pair<const char*, const std::vector<std::int64_t>*> lists[] = {
      {"may-crash", &setup.options.may_crash}, {"liars", &setup.options.liars}};
  for (const auto& [name, ids] : lists)
    for (const std::int64_t id : *ids) {
      if (id < 0 || id >= setup.nodes)
        return error("world: {} names node {}, but there are nodes 0 to {}", name, id,
                     setup.nodes - 1);
      if (std::count(ids->begin(), ids->end(), id) > 1)  // `check` would count its crash twice
        return error("world: {} names node {} twice", name, id);
    }
  if (setup.options.skew_us.size() > nodes || setup.options.drift_ppm.size() > nodes)
    return error("world: skew-us and drift-ppm have at most a number a node, {} here", nodes);
  for (const std::int64_t ppm : setup.options.drift_ppm)
    if (ppm <= -1'000'000) return error("world: drift-ppm is more than -1000000, not {}", ppm);
  return {};
}

// Who lies, lies as he likes, within a bound; who does not lie cannot be made to.
Status check_liars(Setup& setup) {
  Faults& f = setup.options.faults;
  if (!has_liars(setup.options)) {
    if (setup.options.twins)
      return error("world: a twin is the second half of a liar, and nobody lies here (--liars 1)");
    if (setup.options.lies == Lies::anyone) return {};
    for (const Fault kind : {Fault::mutate, Fault::inject, Fault::omit})
      if (budget_of(f, kind) > 0)
        return error("faults: {} is what liars do, and nobody lies here (--liars 1)",
                     fault_name(kind));
    return {};
  }
  std::int64_t may = 0;
  for (NodeId id = 0; id < setup.nodes; ++id) may += may_lie_at(setup, id) ? 1 : 0;
  if (setup.options.liars_drawn > may)
    return error("{} liars, but only {} nodes of {} may lie", setup.options.liars_drawn, may,
                 setup.system->name);
  if (setup.system->is_service)
    for (const std::int64_t id : setup.options.liars)
      if (setup.system->is_service(static_cast<NodeId>(id), setup))
        return error("world: liars names node {}, which is a service and never fails", id);
  if (setup.options.place == Place::processes)
    return error("a world of processes (--world place=processes) has no liars");
  if (f.mutate + f.inject + f.omit == 0) f.mutate = f.inject = f.omit = kLies;
  return {};
}

// Services keep their promises: the others may crash, and links to services would have to be whole.
Status spare_services(Setup& setup) {
  if (!setup.system->is_service) return {};
  std::vector<std::int64_t> others;
  for (NodeId id = 0; id < setup.nodes; ++id)
    if (!setup.system->is_service(id, setup)) others.push_back(id);
  if (others.size() == static_cast<std::size_t>(setup.nodes)) return {};
  WorldOptions& o = setup.options;
  for (const std::int64_t id : o.may_crash)
    if (std::find(others.begin(), others.end(), id) == others.end())
      return error("world: may-crash names node {}, which is a service and never crashes", id);
  if (o.faults.crash > 0 && o.may_crash.empty()) o.may_crash = others;
  Faults rest = o.faults;
  rest.crash = rest.disk_error = 0;
  if (rest.drop + rest.duplicate + rest.mutate + rest.inject + rest.pause + rest.cut +
          rest.partition >
      0)
    return error("faults: this configuration of {} has services as nodes; only crash is possible",
                 setup.system->name);
  return {};
}

// A budget that the scheduler never draws on is a misunderstanding.
Status check_faults(const std::vector<std::unique_ptr<Scheduler>>& arms, const RunConfig& config) {
  const Faults& f = config.setup.options.faults;
  for (std::size_t i = 0; i < enum_count<Fault>(); ++i) {
    const auto kind = static_cast<Fault>(i);
    const bool played = std::any_of(arms.begin(), arms.end(),
                                    [&](const auto& arm) { return arm->plays(action_of(kind)); });
    const bool given = budget_of(f, kind) != kLies || !kByzantineFaults.has(kind);
    if (budget_of(f, kind) > 0 && !played && given)
      return error("faults: {} never makes a fault of the kind {}", config.scheduler.name,
                   fault_name(kind));
  }
  return {};
}

}  // namespace

namespace {

// Steps and tail where nobody gave them: as the schedulers are, or else the system.
void adopt_manners(const std::vector<std::unique_ptr<Scheduler>>& arms, const RunText& text,
                   RunConfig& config) {
  std::uint32_t steps = 0;
  bool tail = false;
  for (const auto& arm : arms) {
    const Scheduler::Manner manner = arm->manner();
    steps = std::max(steps, manner.steps > 0 ? manner.steps : config.setup.system->steps_max);
    tail |= manner.tail;
    config.setup.options.scripted |= manner.scripted;
    config.setup.options.twins |= manner.twins && has_liars(config.setup.options);
  }
  if (text.steps.empty()) config.limits.steps = steps;
  if (text.tail.empty() && !tail) config.limits.tail = 0;
}

// A property that nobody judges cannot be muted: a misspelt word would mute nothing.
Status check_mute(const Setup& setup, const std::vector<std::string>& mute) {
  if (mute.empty()) return {};
  std::vector<std::string> names;
  const Jury jury(setup);
  for (const auto& oracle : jury.oracles()) names.emplace_back(oracle->name());
  for (const std::string& word : mute) {
    const std::string property = word.substr(0, word.find('='));
    if (std::find(names.begin(), names.end(), property) == names.end())
      return error("mute: {}", unknown_word("property", property, names));
  }
  return {};
}

// Its world may have nodes that no class describes; then nobody knows.
Status check_oracles(const Setup& setup) {
  if (setup.system->world) return {};
  const std::string blind = Jury(setup).blind(*setup.system);
  if (!blind.empty()) return error("{}: {}", setup.system->name, blind);
  return {};
}

}  // namespace

Result<RunConfig> make_config(const RunText& text) {
  RunConfig config;
  if (auto s = choose_system(text, config); !s) return tl::unexpected(s.error());
  WorldOptions& options = config.setup.options;
  if (auto s = set_all(world_params(), &options, text.world, "world"); !s)
    return tl::unexpected(s.error());
  if (auto s = set_all(fault_params(), &options.faults, text.faults, "faults"); !s)
    return tl::unexpected(s.error());
  if (auto s = check_world(config.setup); !s) return tl::unexpected(s.error());
  if (auto s = check_liars(config.setup); !s) return tl::unexpected(s.error());
  if (!text.scenario.empty()) {
    auto staging = make_staging(text.scenario, config.setup);
    if (!staging) return tl::unexpected(staging.error());
    stage(config, *std::move(staging));
    config.scenario_file = text.scenario_file;
  }
  if (auto s = spare_services(config.setup); !s) return tl::unexpected(s.error());
  if (auto s = choose_strategy(text, config); !s) return tl::unexpected(s.error());

  if (auto s = check_oracles(config.setup); !s) return tl::unexpected(s.error());
  if (auto s = check_mute(config.setup, text.mute); !s) return tl::unexpected(s.error());
  config.setup.mute = text.mute;
  config.limits.steps = config.setup.system->steps_max;
  config.limits.tail = config.setup.system->tail;
  if (!text.steps.empty()) {
    const auto steps = parse_integer(text.steps, 1, 1'000'000'000);
    if (!steps) return error("max-steps {}", steps.error());
    config.limits.steps = static_cast<std::uint32_t>(*steps);
  }
  if (!text.tail.empty()) {
    const auto tail = parse_duration(text.tail);
    if (!tail) return error("tail {}", tail.error());
    config.limits.tail = *tail;
  }
  if (auto s = check_place(config.setup); !s) return tl::unexpected(s.error());
  std::vector<std::unique_ptr<Scheduler>> arms;
  for (std::uint32_t arm = 0; arm < config.arms.size(); ++arm) {
    arms.push_back(make_scheduler(config, arm));
    if (arms.back()->time_use() != TimeUse::untimed)
      if (auto s = needs(config.setup, config.arms[arm].name, {Need::virtual_clock}); !s)
        return tl::unexpected(s.error());
    if (auto s = arms.back()->check(config.setup); !s) return tl::unexpected(s.error());
  }
  options.time = arms.front()->time_use();
  adopt_manners(arms, text, config);
  // Two copies are lie enough: they say what their code says, unless somebody asks for more.
  const auto is_lie = [](const auto& pair) {
    return pair.first == "mutate" || pair.first == "inject" || pair.first == "omit";
  };
  if (options.twins && std::none_of(text.faults.begin(), text.faults.end(), is_lie))
    options.faults.mutate = options.faults.inject = options.faults.omit = 0;
  if (config.setup.places() > kNodesMax)
    return error("{} nodes and {} twins are more than {}", config.setup.nodes,
                 config.setup.places() - config.setup.nodes, kNodesMax);
  if (auto s = check_faults(arms, config); !s) return tl::unexpected(s.error());
  return config;
}

RunText to_text(const RunConfig& config) {
  if (config.asked) return *config.asked;  // what is not in it is drawn: a default would settle it
  RunText text;
  text.system = config.system;
  text.bugs = config.bugs;
  text.nodes = std::to_string(config.setup.nodes);
  text.world = world_params().changed(&config.setup.options);
  text.faults = fault_params().changed(&config.setup.options.faults);
  text.explorer = config.explorer.name == "seeds" ? config.scheduler : config.explorer;
  text.steps = std::to_string(config.limits.steps);
  text.tail = print_duration(config.limits.tail);
  text.mute = config.setup.mute;
  if (config.staging) text.scenario = config.staging->text();
  text.scenario_file = config.scenario_file;
  return text;
}

std::string to_flags(const RunConfig& config) {
  const RunText text = to_text(config);
  const System& system = *config.setup.system;
  std::string out = quote(print_spec(text.system));
  for (const std::string& bug : text.bugs) out += " --bug " + quote(bug);
  const bool drawn = config.asked.has_value();  // what was given is said, be it the default
  const auto plain = [&](std::string_view flag, const std::string& value, bool is_default) {
    if (drawn ? !value.empty() : !is_default) out += fmt::format(" --{} {}", flag, quote(value));
  };
  plain("nodes", text.nodes, config.setup.nodes == system.node_range.fallback);
  const auto pairs = [&](std::string_view flag, const Pairs& list) {
    if (list.empty()) return;
    const std::string word = print_spec({"x", list});  // as a flag is read: "x:" before it
    out += fmt::format(" --{} {}", flag, quote(word.substr(2)));
  };
  pairs("world", text.world);
  pairs("faults", text.faults);
  out += " --explorer " + quote(print_spec(text.explorer));
  plain("max-steps", text.steps, config.limits.steps == system.steps_max);
  plain("tail", text.tail, config.limits.tail == system.tail);
  for (const std::string& word : text.mute) out += " --mute " + quote(word);
  if (!text.scenario_file.empty()) out += " --scenario " + quote(text.scenario_file);
  return out;
}

void stage(RunConfig& config, std::shared_ptr<const Staging> staging) {
  config.setup.system = &staging->system();
  staging->prepare(config.setup.options);
  config.staging = std::move(staging);
}

std::unique_ptr<Scheduler> make_scheduler(const RunConfig& config, std::uint32_t arm) {
  const Spec& spec = arm < config.arms.size() ? config.arms[arm] : config.scheduler;
  auto made = std::move(*schedulers().make(spec, "scheduler"));
  return config.staging ? config.staging->before(std::move(made)) : std::move(made);
}

std::unique_ptr<Explorer> make_explorer(const RunConfig& config) {
  auto explorer = std::move(*explorers().make(config.explorer, "explorer"));
  if (config.asked) explorer->ask(*config.asked);
  return explorer;
}

DrawnConfig draw_config(const RunConfig& base, const Explorer& explorer, std::uint32_t world,
                        std::string_view policy) {
  constexpr int kAttempts = 8;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    DrawnText drawn = explorer.draw(world, policy, attempt);
    if (auto config = make_config(drawn.text)) return {*std::move(config), std::move(drawn.about)};
  }
  // Nothing that it draws is possible here: the runs are played as they were asked for.
  DrawnConfig out{base, "refused"};
  out.config.explorer = {"seeds", {}};
  out.config.asked.reset();
  out.config.arms.resize(1);
  return out;
}

}  // namespace schism
