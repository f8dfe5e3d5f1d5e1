#include "schism/learn/score.hpp"

#include <absl/container/flat_hash_set.h>

#include "schism/guard/black_box.hpp"
#include "schism/guard/child.hpp"

namespace schism::learn {
namespace {

// Which of some predicates hold at the beginning and after every macro step, a bit each.
class Marks final : public Watcher {
 public:
  explicit Marks(const Sequence& all) : all_(all) {}
  std::string_view name() const override { return "targets"; }
  EventMask wakes_on() const override { return mask_of(Happened::noted) | all_.scripts.wakes_on(); }
  void begin(const World& world) override {
    all_.scripts.begin(world);
    held.clear();
    note(world);
  }
  void look(const World& world, std::span<const Event> events) override {
    all_.scripts.look(world, events);
    for (const Event& event : events)
      if (event.kind == Happened::noted && event.flag) note(world);
  }

  std::vector<std::uint64_t> held;

 private:
  void note(const World& world) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < all_.predicates.size(); ++i)
      if (all_.predicates[i].holds(world)) bits |= std::uint64_t{1} << i;
    held.push_back(bits);
  }
  const Sequence& all_;
};

class Board {
 public:
  // `steps`: of all episodes, if none ends early.
  Board(std::size_t targets, std::size_t places, std::uint64_t steps)
      : behind_(targets), within_(places), all_steps_(steps) {
    out.targets.resize(targets);
    out.planned = steps;
  }

  // `held`: the targets at each moment, from the lowest bit on, then the places.
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
      for (std::size_t p = 0; p < within_.size() && i < held.size(); ++p)
        if (held[i] >> (behind_.size() + p) & 1) within_[p].insert(colours);
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
    for (const auto& states : within_) out.places.push_back(states.size());
    for (const auto& keys : covered_) out.covered.push_back(keys.size());
  }
  void cover(const std::vector<std::unique_ptr<Coverage>>& coverages) {
    covered_.resize(coverages.size());
    for (std::size_t c = 0; c < coverages.size(); ++c)
      covered_[c].insert(coverages[c]->keys().begin(), coverages[c]->keys().end());
  }

  TrialScore out;

 private:
  absl::flat_hash_set<Key> seen_;
  std::vector<absl::flat_hash_set<Key>> behind_, within_, covered_;
  std::uint64_t all_steps_;
};

constexpr std::size_t kTargetsMax = 64;
constexpr std::uint64_t kAhead = 100;  // episodes that a copy of this process plays first

// One learner and its episodes. A fragile system may kill this process: a copy plays some episodes
// ahead, and where that comes back so does this one. Where it dies each of them has a scout of its
// own, and the one that kills ends with its death as its violation.
class Trial {
 public:
  Trial(const RunConfig& config, Agent& agent, const Sequence& asked,
        std::vector<std::unique_ptr<Coverage>> coverages, Board& board, bool last_counts)
      : agent_(agent),
        marks_(asked),
        coverages_(std::move(coverages)),
        board_(board),
        last_counts_(last_counts),
        guarded_(is_guarded(config.setup)),
        hang_(config.setup.options.hang),
        careful_(config.setup, config.limits),
        bold_(config.setup, config.limits) {
    bold_.risk_it();
    for (Runner* runner : {&careful_, &bold_}) {
      runner->attach(marks_);
      for (const auto& coverage : coverages_) runner->attach(*coverage);
    }
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
    board_.cover(coverages_);
    TrialScore& out = board_.out;
    out.primitive += summary.steps;
    out.violated += summary.violated ? 1 : 0;
    if (summary.violated && runner.violation()) {
      const auto& death = runner.world().setup().death;
      ++out.shown[death ? death->kind() : runner.violation()->property];
    }
    out.wrong += summary.violated || summary.muted != 0 ? 1 : 0;
    for (std::size_t o = 0; o < runner.oracles().size(); ++o)
      if (summary.muted >> o & 1) ++out.muted[std::string(runner.oracles()[o]->name())];
    agent_.learn(plan, result);
  }

  Agent& agent_;
  Marks marks_;
  std::vector<std::unique_ptr<Coverage>> coverages_;
  Board& board_;
  bool last_counts_, guarded_;
  Micros hang_;
  std::unique_ptr<guard::BlackBox> box_;
  Runner careful_, bold_;
};

// The last of each sequence, and the places; scripts that several ask for look on once.
Result<Sequence> read_asked(const Setup& setup, const std::vector<std::string>& targets,
                            const std::vector<std::string>& places) {
  Sequence out;
  for (const std::string& text : targets) {
    const auto sequence = read_sequence(*setup.system, text);
    if (!sequence) return tl::unexpected(sequence.error());
    if (sequence->predicates.empty()) return error("a target is missing");
    auto last = Predicate::parse(*setup.system, sequence->predicates.back().text(), &out.scripts);
    if (!last) return tl::unexpected(last.error());
    out.predicates.push_back(*std::move(last));
  }
  for (const std::string& text : places) {
    auto place = Predicate::parse(*setup.system, text, &out.scripts);
    if (!place) return tl::unexpected(place.error());
    out.predicates.push_back(*std::move(place));
  }
  if (out.predicates.size() > kTargetsMax)
    return error("more than {} targets and places", kTargetsMax);
  if (auto bound = out.scripts.bind(setup); !bound) return tl::unexpected(bound.error());
  return out;
}

Result<std::vector<std::unique_ptr<Coverage>>> make_coverages(const Setup& setup,
                                                              const std::vector<Spec>& specs) {
  std::vector<std::unique_ptr<Coverage>> out;
  for (const Spec& spec : specs) {
    auto made = coverages().make(spec, "coverage");
    if (!made) return tl::unexpected(made.error());
    if (auto good = (*made)->check(setup); !good) return tl::unexpected(good.error());
    out.push_back(*std::move(made));
  }
  return out;
}

}  // namespace

Result<TrialScore> score(const RunConfig& config, std::uint64_t seed, std::uint64_t episodes,
                         const std::vector<std::string>& targets, const std::atomic<bool>& stop,
                         const Also& also) {
  const auto asked = read_asked(config.setup, targets, also.places);
  if (!asked) return tl::unexpected(asked.error());
  auto covering = make_coverages(config.setup, also.coverages);
  if (!covering) return tl::unexpected(covering.error());
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
  Board board(targets.size(), also.places.size(),
              episodes * static_cast<std::uint64_t>(played.horizon));
  Trial(config, *agent, *asked, *std::move(covering), board, played.as == As::text)
      .play(episodes, stop);
  board.finish();
  if (const Table* table = learner.policy().table()) {
    board.out.pairs = table->size();
    board.out.table_bytes = table->bytes();
  }
  return board.out;
}

}  // namespace schism::learn
