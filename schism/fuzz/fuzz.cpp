// `fuzz`: coverage-guided fuzzing of schedules. Runs that show something new are kept, changed by
// mutations that mean something, followed by name as far as they apply, and gone on from by a
// scheduler (the idea: AFL; for schedules of distributed systems: ModelFuzz, Gulcan et al. 2024;
// energy by rarity: AFLFast, Boehme et al., CCS 2016). See docs/coverage.md.
#include <fmt/format.h>

#include "schism/explore/registry.hpp"
#include "schism/fuzz/corpus.hpp"
#include "schism/fuzz/feedback.hpp"
#include "schism/fuzz/mutate.hpp"
#include "schism/schedule/registry.hpp"

namespace schism::fuzz {
namespace {

constexpr std::uint32_t kPlain = 0, kFollow = 1;  // arms

class Fuzz final : public Explorer {
 public:
  struct Options {
    std::string coverage = "colours/events";
    std::int64_t batch = 256, corpus = 1024;
    double plain = 0.25;
    std::string seeds;
  };

  Fuzz(const Options& options, std::vector<Child<Scheduler>> children)
      : options_(options),
        then_(children.empty() ? Spec{"random"} : children[0].spec),
        price_(children.empty() ? 1 : children[0].made->price()),
        corpus_(static_cast<std::size_t>(options.corpus)),
        feedback_(parse_feedback(options.coverage).value_or(std::vector<std::string>{"colours"})) {}

  std::vector<Spec> arms() const override { return {then_, {"follow", {}, {then_}}}; }
  std::vector<Spec> coverage() const override { return feedback_.specs(); }
  bool keeps_schedules() const override { return true; }
  std::size_t lag() const override { return 1; }
  // To look at colours, to mutate schedules and to carry them about: measured on raft.
  double price() const override { return price_ * 1.8; }

  Status begin(const Setup& setup) override {
    if (const auto words = parse_feedback(options_.coverage); !words)
      return error("fuzz: {}", words.error());
    terms_ = {setup.places(), setup.options.faults};
    return options_.seeds.empty() ? Status() : plant(*setup.system);
  }

  std::vector<RunPlan> propose(std::uint64_t seed, std::uint64_t first_run) override {
    corpus_.settle();
    std::vector<RunPlan> plans(static_cast<std::size_t>(options_.batch));
    for (std::size_t i = 0; i < plans.size(); ++i) {
      Rng random(keyed(seed, first_run + i, hash_text("fuzz")));
      if (corpus_.empty() || random.chance(options_.plain)) {
        // As `seeds` would: with the same runs.
        plans[i].seed = plans[i].node_seed = seed + plain_++;
        continue;
      }
      const Entry& entry = corpus_.draw(random);
      plans[i].arm = kFollow;
      plans[i].seed = random.next();
      plans[i].node_seed = random.below(8) == 0 ? random.next() : entry.node_seed;
      plans[i].gene =
          pack({entry.id, mutate(entry.schedule, corpus_.draw(random).schedule, terms_, random)});
    }
    return plans;
  }

  void learn(std::span<const RunPlan> plans, std::span<const RunResult> results) override {
    for (std::size_t i = 0; i < results.size(); ++i) {
      const bool mutant = plans[i].arm == kFollow;
      const bool found = take(plans[i], results[i], mutant ? parent_of(plans[i].gene) : 0);
      (mutant ? mutants_ : plains_).runs += 1;
      (mutant ? mutants_ : plains_).found += found ? 1 : 0;
      if (!mutant) continue;
      corpus_.tried(parent_of(plans[i].gene), found);
      if (const auto report = decode<std::pair<std::uint64_t, std::uint64_t>>(results[i].report)) {
        followed_ += report->first;
        skipped_ += report->second;
      }
    }
  }

  void overhear(std::span<const RunPlan> plans, std::span<const RunResult> results) override {
    for (std::size_t i = 0; i < results.size(); ++i) take(plans[i], results[i], 0);
  }

  std::vector<std::pair<std::string, std::string>> account() const override {
    const auto part = [](const Share& share) {
      return fmt::format("{} of {} runs showed something new", share.found, share.runs);
    };
    const std::uint64_t moves = followed_ + skipped_;
    return {{"corpus", fmt::format("{} schedules, by {} ({:.0f}% of the last runs new)",
                                   corpus_.size(), feedback_.name(), 100 * feedback_.share())},
            {"plain", part(plains_)},
            {"mutants",
             part(mutants_) + fmt::format(", {:.0f}% of their moves applied",
                                          moves == 0 ? 100.0
                                                     : 100.0 * static_cast<double>(followed_) /
                                                           static_cast<double>(moves))}};
  }

  std::vector<KeptRun> kept() const override {
    std::vector<KeptRun> out;
    for (const Entry& entry : corpus_.entries()) {
      KeptRun& run = out.emplace_back();
      run.run = entry.run;
      run.plan.node_seed = entry.node_seed;
      run.decisions = entry.schedule.moves;
      run.contents = entry.schedule.contents;
    }
    return out;
  }

  std::string save() const override {
    return encode(Saved{corpus_.save(), feedback_.save(), plain_, taken_, mutants_, plains_,
                        followed_, skipped_});
  }
  Status load(std::string_view bytes) override {
    auto saved = decode<Saved>(bytes);
    if (!saved) return tl::unexpected(saved.error());
    if (auto s = corpus_.load(saved->corpus); !s) return s;
    if (auto s = feedback_.load(saved->feedback); !s) return s;
    plain_ = saved->plain, taken_ = saved->taken;
    mutants_ = saved->mutants, plains_ = saved->plains;
    followed_ = saved->followed, skipped_ = saved->skipped;
    return {};
  }

 private:
  struct Share {
    std::uint64_t runs = 0, found = 0;
    FIELDS(runs, found)
  };
  struct Saved {
    std::string corpus, feedback;
    std::uint64_t plain = 0, taken = 0;
    Share mutants, plains;
    std::uint64_t followed = 0, skipped = 0;
    FIELDS(corpus, feedback, plain, taken, mutants, plains, followed, skipped)
  };

  // True: it showed something new. A run that violates something is a find, not a way to more.
  bool take(const RunPlan& plan, const RunResult& result, std::uint64_t parent) {
    const std::uint64_t run = taken_++;
    const auto news = feedback_.of(result.fresh);
    feedback_.add(result);
    corpus_.count(result.rare);
    if (news.empty()) return false;
    if (result.summary.violated || result.decisions.empty()) return true;
    Entry entry;
    entry.parent = parent;
    entry.run = run;
    entry.node_seed = plan.node_seed;
    entry.schedule = schedule_of(result.decisions, result.contents);
    corpus_.add(std::move(entry), news);
    return true;
  }

  // Kept traces to begin with. Their names may mean nothing here: then they are soon worthless.
  Status plant(const System& system) {
    const auto files = list_traces(options_.seeds);
    if (!files) return error("fuzz: seeds: {}", files.error());
    if (files->empty()) return error("fuzz: seeds: no traces in {}", options_.seeds);
    for (const std::string& file : *files) {
      const auto trace = read_trace(file);
      if (!trace) return error("fuzz: seeds: {}", trace.error());
      if (trace->config.setup.system != &system)
        return error("fuzz: seeds: {} is a run of {}", file, trace->config.setup.system->name);
      Entry entry;
      entry.run = trace->run;
      entry.node_seed = trace->plan.node_seed;
      entry.schedule = schedule_of(*trace);
      corpus_.add(std::move(entry), {});
    }
    return {};
  }

  Options options_;
  Spec then_;
  double price_;
  Terms terms_;
  Corpus corpus_;
  Feedback feedback_;
  std::uint64_t plain_ = 0, taken_ = 0;  // runs so far: planned without a schedule; learnt from
  Share mutants_, plains_;
  std::uint64_t followed_ = 0, skipped_ = 0;  // moves of mutants
};

using O = Fuzz::Options;
const Registration registered =
    explorer<Fuzz>("fuzz",
                   "schedules that showed something new, mutated; then the scheduler in "
                   "parentheses, else random")
        .children(schedulers(), "scheduler", 0, 1)
        .param<&O::coverage>("coverage",
                             "what is new: the finest of these that saturates, such as "
                             "states/colours/events, the finest first")
        .param<&O::batch>("batch", 1, 100'000, "runs that are planned at once")
        .param<&O::corpus>("corpus", 1, 1'000'000, "schedules that are kept, about")
        .param<&O::plain>("plain", 0.0, 1.0, "share of runs by the scheduler alone")
        .param<&O::seeds>("seeds", "a folder of traces to begin with");

}  // namespace
}  // namespace schism::fuzz
