#include "schism/learn/score.hpp"

#include <absl/container/flat_hash_set.h>

namespace schism::learn {
namespace {

// Which targets hold at the beginning and after every macro step, a bit each.
class Marks final : public Watcher {
 public:
  explicit Marks(const std::vector<Predicate>& targets) : targets_(targets) {}
  std::string_view name() const override { return "targets"; }
  EventMask wakes_on() const override { return mask_of(Happened::noted); }
  void begin(const World& world) override {
    held.clear();
    note(world);
  }
  void look(const World& world, std::span<const Event> events) override {
    for (const Event& event : events)
      if (event.kind == Happened::noted && event.flag) note(world);
  }

  std::vector<std::uint64_t> held;

 private:
  void note(const World& world) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < targets_.size(); ++i)
      if (targets_[i].holds(world)) bits |= std::uint64_t{1} << i;
    held.push_back(bits);
  }
  const std::vector<Predicate>& targets_;
};

class Board {
 public:
  explicit Board(std::size_t targets) : behind_(targets) { out.targets.resize(targets); }

  void add(const Episode& episode, const std::vector<std::uint64_t>& held, bool last_counts) {
    ++out.episodes;
    out.steps += episode.steps();
    const std::size_t moments = last_counts ? episode.moments() : episode.steps();
    std::uint64_t reached = 0;
    for (std::size_t i = 0; i < moments; ++i) {
      const Key colours = episode[i].colours;
      seen_.insert(colours);
      if (i < held.size()) reached |= held[i];
      for (std::size_t t = 0; t < behind_.size(); ++t)
        if (reached >> t & 1) behind_[t].insert(colours);
    }
    for (std::size_t t = 0; t < behind_.size(); ++t) {
      if ((reached >> t & 1) == 0) continue;
      if (out.targets[t].episodes++ == 0) out.targets[t].first = out.episodes;
    }
    if (out.steps < next_) return;
    out.curve.emplace_back(out.steps, seen_.size());
    next_ = out.steps + out.steps / 8 + 1;
  }
  void finish() {
    out.states = seen_.size();
    out.curve.emplace_back(out.steps, seen_.size());
    for (std::size_t t = 0; t < behind_.size(); ++t) out.targets[t].states = behind_[t].size();
  }

  TrialScore out;

 private:
  absl::flat_hash_set<Key> seen_;
  std::vector<absl::flat_hash_set<Key>> behind_;
  std::uint64_t next_ = 1;
};

constexpr std::size_t kTargetsMax = 64;

}  // namespace

Result<TrialScore> score(const RunConfig& config, std::uint64_t seed, std::uint64_t episodes,
                         const std::vector<std::string>& targets, const std::atomic<bool>& stop) {
  std::vector<Predicate> last;
  for (const std::string& text : targets) {
    auto sequence = read_sequence(*config.setup.system, text);
    if (!sequence) return tl::unexpected(sequence.error());
    if (sequence->predicates.empty()) return error("a target is missing");
    last.push_back(std::move(sequence->predicates.back()));
  }
  if (last.size() > kTargetsMax) return error("more than {} targets", kTargetsMax);
  const auto explorer = make_explorer(config);
  const auto* learning = dynamic_cast<const LearningExplorer*>(explorer.get());
  if (!learning && config.scheduler.name != "random-steps")
    return error("{} plays no macro steps: nothing of it can be scored", config.explorer.name);
  if (auto good = explorer->begin(config.setup); !good) return tl::unexpected(good.error());

  EnvironmentOptions options;
  const Params& params = schedulers().find("random-steps")->params;
  for (const auto& [name, text] : config.scheduler.values)
    if (auto set = params.set(&options, name, text, "random-steps"); !set)
      return tl::unexpected(set.error());
  std::unique_ptr<Agent> agent =
      learning ? learning->make_agent(0, seed)
               : std::make_unique<Learner>(options, std::make_unique<RandomPolicy>(), seed);
  auto& learner = static_cast<Learner&>(*agent);

  Marks marks(last);
  Board board(last.size());
  Runner runner(config.setup, config.limits);
  runner.attach(marks);
  for (std::uint64_t i = 0; i < episodes && !stop; ++i) {
    const RunPlan plan = agent->plan(i);
    const RunSummary summary = runner.run(agent->scheduler(), plan);
    const RunResult result = runner.result(summary, agent->scheduler());
    board.add(learner.environment().episode(), marks.held, options.as == As::text);
    board.out.primitive += summary.steps;
    board.out.violated += summary.violated ? 1 : 0;
    for (std::size_t o = 0; o < runner.oracles().size(); ++o)
      if (summary.muted >> o & 1) ++board.out.muted[std::string(runner.oracles()[o]->name())];
    agent->learn(plan, result);
  }
  board.finish();
  if (const Table* table = learner.policy().table()) {
    board.out.pairs = table->size();
    board.out.table_bytes = table->bytes();
  }
  return board.out;
}

}  // namespace schism::learn
