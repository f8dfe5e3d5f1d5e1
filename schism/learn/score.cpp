#include "schism/learn/score.hpp"

#include <absl/container/flat_hash_set.h>

#include "schism/guard/black_box.hpp"
#include "schism/guard/child.hpp"

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
  // `steps`: of all episodes, if none ends early.
  Board(std::size_t targets, std::uint64_t steps) : behind_(targets), all_steps_(steps) {
    out.targets.resize(targets);
    out.planned = steps;
  }

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
    while (out.curve.size() < kCurvePoints &&
           out.steps * kCurvePoints >= all_steps_ * (out.curve.size() + 1)) {
      out.curve.push_back(seen_.size());
      for (std::size_t t = 0; t < behind_.size(); ++t)
        out.targets[t].curve.push_back(behind_[t].size());
    }
  }
  void finish() {
    out.states = seen_.size();
    for (std::size_t t = 0; t < behind_.size(); ++t) out.targets[t].states = behind_[t].size();
  }

  TrialScore out;

 private:
  absl::flat_hash_set<Key> seen_;
  std::vector<absl::flat_hash_set<Key>> behind_;
  std::uint64_t all_steps_;
};

constexpr std::size_t kTargetsMax = 64;
constexpr std::uint64_t kAhead = 100;  // episodes that a copy of this process plays first

// One learner and its episodes. A fragile system may kill this process: a copy plays some episodes
// ahead, and where that comes back so does this one. Where it dies each of them has a scout of its
// own, and the one that kills ends with its death as its violation.
class Trial {
 public:
  Trial(const RunConfig& config, Agent& agent, const std::vector<Predicate>& targets, Board& board,
        bool last_counts)
      : agent_(agent),
        marks_(targets),
        board_(board),
        last_counts_(last_counts),
        guarded_(is_guarded(config.setup)),
        hang_(config.setup.options.hang),
        careful_(config.setup, config.limits),
        bold_(config.setup, config.limits) {
    bold_.risk_it();
    for (Runner* runner : {&careful_, &bold_}) runner->attach(marks_);
    if (guarded_) box_ = std::make_unique<guard::BlackBox>();
  }

  void play(std::uint64_t episodes, const std::atomic<bool>& stop) {
    for (std::uint64_t first = 0; first < episodes && !stop; first += kAhead) {
      const std::uint64_t end = std::min(episodes, first + kAhead);
      Runner& runner = survives(first, end, stop) ? bold_ : careful_;
      for (std::uint64_t i = first; i < end && !stop; ++i) play_one(runner, i);
    }
  }

 private:
  bool survives(std::uint64_t first, std::uint64_t end, const std::atomic<bool>& stop) {
    if (!guarded_) return true;
    return !guard::scout(*box_, hang_, [&] {
      for (std::uint64_t i = first; i < end && !stop; ++i) play_one(bold_, i);
    });
  }

  void play_one(Runner& runner, std::uint64_t episode) {
    auto& learner = static_cast<Learner&>(agent_);
    const RunPlan plan = agent_.plan(episode);
    const RunSummary summary = runner.run(agent_.scheduler(), plan);
    const RunResult result = runner.result(summary, agent_.scheduler());
    board_.add(learner.environment().episode(), marks_.held, last_counts_);
    TrialScore& out = board_.out;
    out.primitive += summary.steps;
    out.violated += summary.violated ? 1 : 0;
    if (summary.violated && runner.violation()) {
      const auto& death = runner.world().setup().death;
      ++out.shown[death ? death->kind() : runner.violation()->property];
    }
    for (std::size_t o = 0; o < runner.oracles().size(); ++o)
      if (summary.muted >> o & 1) ++out.muted[std::string(runner.oracles()[o]->name())];
    agent_.learn(plan, result);
  }

  Agent& agent_;
  Marks marks_;
  Board& board_;
  bool last_counts_, guarded_;
  Micros hang_;
  std::unique_ptr<guard::BlackBox> box_;
  Runner careful_, bold_;
};

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
  const auto options = environment_of(config);
  if (!options) return error("{}: nothing of it can be scored", options.error());
  const auto explorer = make_explorer(config);
  if (auto good = explorer->begin(config.setup); !good) return tl::unexpected(good.error());
  const auto* learning = dynamic_cast<const LearningExplorer*>(explorer.get());
  std::unique_ptr<Agent> agent =
      learning ? learning->make_agent(0, seed)
               : std::make_unique<Learner>(*options, std::make_unique<RandomPolicy>(), seed);
  auto& learner = static_cast<Learner&>(*agent);

  const EnvironmentOptions& played = learner.environment().options();
  Board board(last.size(), episodes * static_cast<std::uint64_t>(played.horizon));
  Trial(config, *agent, last, board, played.as == As::text).play(episodes, stop);
  board.finish();
  if (const Table* table = learner.policy().table()) {
    board.out.pairs = table->size();
    board.out.table_bytes = table->bytes();
  }
  return board.out;
}

}  // namespace schism::learn
