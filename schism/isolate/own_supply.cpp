// Runs of our own systems: played on the spot, or from traces.
#include <algorithm>
#include <filesystem>

#include "schism/base/random.hpp"
#include "schism/isolate/own_runs.hpp"
#include "schism/isolate/supply.hpp"

namespace schism::isolate {
namespace {

// With several bugs at once nobody knows which one is to blame, only what it broke.
std::vector<std::string> blamed(const RunConfig& config, const OwnRuns& failed,
                                bool by_property = false) {
  return config.bugs.size() == 1 && !by_property ? config.bugs : failed.violated();
}

// Plays the runs of one configuration by their numbers.
struct Player {
  Player(const RunConfig& config, const Schema& schema)
      : config(config), runs(config, schema), explorer(make_explorer(config)) {}

  // Explorers propose in batches; runs are asked for in order.
  const RunPlan* plan(std::uint64_t seed, std::uint64_t number) {
    while (number >= plans.size()) {
      learn();
      const auto more = explorer->propose(seed, plans.size());
      if (more.empty()) return nullptr;
      plans.insert(plans.end(), more.begin(), more.end());
    }
    return &plans[number];
  }

  // The batch that was played last.
  void learn() {
    const std::size_t first = plans.size() - results.size();
    explorer->learn(std::span(plans).subspan(first), results);
    results.clear();
  }

  RunConfig config;
  OwnRuns runs;
  std::unique_ptr<Explorer> explorer;
  std::vector<RunPlan> plans;
  std::vector<RunResult> results;  // of the batch so far
};

class HuntSupply final : public Supply {
 public:
  HuntSupply(const std::vector<RunConfig>& configs, Schema schema, const HuntPlan& plan)
      : schema_(std::move(schema)), plan_(plan), name_(configs[0].system.name) {
    for (const RunConfig& c : configs) players_.push_back(std::make_unique<Player>(c, schema_));
  }

  const std::string& name() const override { return name_; }
  const Schema& schema() const override { return schema_; }

  Result<ReadReport> each(const std::function<void(const Run&)>& take) override {
    ReadReport out;
    Run run;
    ends_.clear();
    lengths_.clear();
    std::vector<std::uint32_t> ends;
    for (std::uint64_t i = 0; i < plan_.runs && play(i, run, 0); ++i) {
      Player& player = *players_[i % players_.size()];
      player.results.emplace_back().summary = summary_;
      const auto steps = static_cast<std::uint32_t>(summary_.steps);
      ends.push_back(run.info.failed ? steps : kPassed);
      if (run.info.failed) lengths_.push_back(steps);
    }
    ends_ = std::move(ends);
    for (std::uint64_t i = 0; i < ends_.size() && play(i, run, counted(i)); ++i) {
      ++out.runs;
      take(run);
    }
    return out;
  }

  Result<Run> again(std::uint64_t place) override {
    Run run;
    if (!play(place, run, counted(place))) return error("run {} does not exist", place);
    return run;
  }

 private:
  // Up to which step a run's messages count.
  std::uint32_t counted(std::uint64_t i) const {
    const bool cut = i < ends_.size() && ends_[i] == kPassed && !lengths_.empty();
    return cut ? lengths_[keyed(plan_.seed, i) % lengths_.size()] : UINT32_MAX;
  }
  bool play(std::uint64_t i, Run& run, std::uint32_t until) {
    Player& player = *players_[i % players_.size()];
    const RunPlan* plan = player.plan(plan_.seed, i / players_.size());
    if (!plan) return false;
    summary_ = player.runs.play(*plan, run, until);
    run.info.name = std::to_string(i);
    run.info.place = i;
    run.info.fold = fmt::format("quarter {} of the runs", 1 + i * 4 / plan_.runs);
    if (run.info.failed) run.info.bugs = blamed(player.config, player.runs, plan_.by_property);
    return true;
  }

  Schema schema_;
  HuntPlan plan_;
  std::string name_;
  std::vector<std::unique_ptr<Player>> players_;
  RunSummary summary_;  // of the last run
  static constexpr std::uint32_t kPassed = UINT32_MAX;
  std::vector<std::uint32_t> ends_;     // the step at which a run failed, once all were played
  std::vector<std::uint32_t> lengths_;  // of those that failed
};

class TraceSupply final : public Supply {
 public:
  TraceSupply(std::string folder, std::vector<std::string> files, const RunConfig& first,
              Schema schema, std::uint64_t passing, bool skip_bad)
      : name_(std::move(folder)),
        files_(std::move(files)),
        first_(first),
        schema_(std::move(schema)),
        passing_(passing),
        skip_bad_(skip_bad),
        player_(first, schema_) {}

  const std::string& name() const override { return name_; }
  const Schema& schema() const override { return schema_; }

  Result<ReadReport> each(const std::function<void(const Run&)>& take) override {
    ReadReport out;
    for (std::uint64_t i = 0; i < files_.size() + passing_; ++i) {
      const auto run = again(i);
      if (run && i >= files_.size() && run->info.failed) continue;  // a find nobody kept
      if (run) {
        ++out.runs;
        take(*run);
      } else if (skip_bad_) {
        if (out.skipped++ == 0) out.first_problem = run.error();
      } else {
        return tl::unexpected(run.error());
      }
    }
    return out;
  }

  Result<Run> again(std::uint64_t place) override {
    Run run;
    if (place < files_.size()) {
      const auto trace = read_trace(files_[place]);
      if (!trace) return tl::unexpected(trace.error());
      const Setup& setup = trace->config.setup;
      if (setup.system != first_.setup.system || setup.nodes != first_.setup.nodes)
        return error("{}: a run of {} with {} nodes among runs of {} with {}", files_[place],
                     trace->config.system.name, setup.nodes, first_.system.name,
                     first_.setup.nodes);
      OwnRuns runs(trace->config, schema_);
      runs.replay(*trace, run);
      run.info.name = std::filesystem::path(files_[place]).filename();
      if (run.info.failed) run.info.bugs = blamed(trace->config, runs);
      if (lengths_.size() < files_.size())
        lengths_.push_back(static_cast<std::uint32_t>(trace->steps.size() - 1));
    } else {
      const RunPlan* plan = player_.plan(1, place - files_.size());
      if (!plan) return error("there are not so many runs");
      player_.runs.play(
          *plan, run, lengths_.empty() ? UINT32_MAX : lengths_[keyed(1, place) % lengths_.size()]);
      run.info.name = fmt::format("played {}", place - files_.size());
    }
    run.info.place = place;
    return run;
  }

 private:
  std::string name_;
  std::vector<std::string> files_;
  RunConfig first_;
  Schema schema_;
  std::uint64_t passing_;
  bool skip_bad_;
  Player player_;
  std::vector<std::uint32_t> lengths_;  // of the traces, in steps
};

}  // namespace

Result<std::unique_ptr<Supply>> supply_from_hunt(const RunText& text, const HuntPlan& plan) {
  if (plan.alone && text.bugs.empty())
    return error("--alone plants one --bug at a time: which ones?");
  std::vector<RunConfig> configs;
  for (std::size_t i = 0; i < (plan.alone ? text.bugs.size() : 1); ++i) {
    RunText one = text;
    if (plan.alone) one.bugs = {text.bugs[i]};
    const auto config = make_config(one);
    if (!config) return tl::unexpected(config.error());
    configs.push_back(*config);
  }
  for (const RunConfig& config : configs)
    if (config.asked)
      return error("isolate compares runs of one configuration; {} draws many (--explorer random)",
                   config.explorer.name);
  auto schema = plan.schema ? Result<Schema>(*plan.schema) : schema_of(configs[0]);
  if (!schema) return tl::unexpected(schema.error());
  if (plan.schema)
    if (auto s = fits(*schema, configs[0]); !s) return error("the schema: {}", s.error());
  return std::make_unique<HuntSupply>(configs, *std::move(schema), plan);
}

Result<std::unique_ptr<Supply>> supply_from_traces(const std::string& folder, std::uint64_t passing,
                                                   bool skip_bad) {
  auto listed = list_traces(folder);
  if (!listed) return tl::unexpected(listed.error());
  std::vector<std::string> files = *std::move(listed);
  // A bug's folder holds a run as it happened, and what was made of it.
  std::erase_if(files, [](const std::string& file) {
    const std::filesystem::path path(file);
    const std::string name = path.filename();
    return (name == "bug.trace" || name == "fifo.trace" || name.starts_with("shape-")) &&
           std::filesystem::exists(path.parent_path() / "original.trace");
  });
  if (files.empty()) return error("{}: there are no traces in it", folder);
  std::string problem;
  for (const std::string& file : files) {
    const auto first = read_trace(file);
    if (!first && !skip_bad) return tl::unexpected(first.error());
    if (!first) {
      problem = first.error();
      continue;
    }
    auto schema = schema_of(first->config);
    if (!schema) return tl::unexpected(schema.error());
    return std::make_unique<TraceSupply>(folder, std::move(files), first->config,
                                         *std::move(schema), passing, skip_bad);
  }
  return error("{}: none of its {} traces can be read; {}", folder, files.size(), problem);
}

}  // namespace schism::isolate
