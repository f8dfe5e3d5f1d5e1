// `modelfuzz`: inputs that led to new states of a model, mutated (seed thesis, chapter 5:
// Definition 7, Algorithms 5 to 7). A pool, first in first out: what is run next does not depend on
// what the runs before it in the pool bring, so that batches are the sequential algorithm.
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "schism/base/codec.hpp"
#include "schism/coverage/coverage.hpp"
#include "schism/explore/registry.hpp"
#include "schism/model/fuzz_input.hpp"
#include "schism/model/retold.hpp"
#include "schism/system/system.hpp"

namespace schism::model {
namespace {

constexpr std::int64_t kPoolMax = 100'000;  // where it is never begun anew

SCHISM_ENUM(Guidance, model, trace, edges, random);
// What an input is: choices of processes, drawn before a run; or what a run did.
SCHISM_ENUM(Told, choices, events);

class ModelFuzz final : public Explorer {
 public:
  struct Options {
    Guidance guidance = Guidance::model;
    std::int64_t steps = 100, messages = 5, crashes = 10, requests = 5;
    std::int64_t mutations = 5, seeds = 20, reseed = 200, swaps = 20, crash_swaps = 2, batch = 64;
    std::string inbox = "process", tick = "25ms";
    Told input = Told::choices;
    Way way = Way::text;
  };
  explicit ModelFuzz(const Options& options) : options_(options) {}

  std::vector<Spec> arms() const override {
    if (retells())
      return {{"retold", {{"steps", std::to_string(options_.steps)}, {"tick", options_.tick}}}};
    return {{"inputs", {{"inbox", options_.inbox}, {"tick", options_.tick}}}};
  }
  std::vector<Spec> coverage() const override {
    return options_.guidance == Guidance::random ? std::vector<Spec>()
                                                 : std::vector<Spec>{{word()}};
  }

  Status begin(const Setup& setup) override {
    if (options_.guidance != Guidance::random)
      if (auto may = may_teach(word()); !may) return error("modelfuzz: {}", may.error());
    if (retells() && (options_.crashes > 0 || options_.requests > 0))
      return error(
          "modelfuzz: an input of events has no crashes and no requests: say crashes=0 "
          "and requests=0");
    terms_.way = options_.way;
    terms_.nodes = setup.places();
    terms_.steps = options_.steps;
    terms_.messages = options_.messages;
    terms_.crashes = std::min<std::int64_t>(options_.crashes, setup.options.faults.crash);
    terms_.requests = options_.requests;
    terms_.swaps = options_.swaps;
    terms_.crash_swaps = options_.crash_swaps;
    return {};
  }

  std::vector<RunPlan> propose(std::uint64_t seed, std::uint64_t first_run) override {
    seed_ = seed;
    if (options_.guidance == Guidance::random) {
      std::vector<std::string> fresh;
      for (std::int64_t i = 0; i < options_.batch; ++i) fresh.push_back(fresh_input());
      return plans(fresh);
    }
    refill();
    const std::int64_t left =
        options_.way == Way::coyote ? options_.batch : options_.reseed - since_;
    const auto most = static_cast<std::size_t>(std::min(options_.batch, left));
    std::vector<std::string> out;
    heeded_.clear();
    while (out.size() < most && !pool_.empty()) {
      out.push_back(std::move(pool_.front().gene));
      heeded_.push_back(pool_.front().heeded);
      pool_.pop_front();
    }
    since_ += static_cast<std::int64_t>(out.size());
    first_ = first_run;
    return plans(out);
  }

  void learn(std::span<const RunPlan> batch, std::span<const RunResult> results) override {
    if (options_.guidance == Guidance::random) return;
    const std::uint64_t tag = tag_of(word());
    for (std::size_t i = 0; i < results.size(); ++i) {
      const auto& fresh = results[i].fresh;
      auto news = static_cast<std::int64_t>(std::count_if(
          fresh.begin(), fresh.end(), [&](std::uint64_t key) { return tag_of_key(key) == tag; }));
      if (options_.guidance == Guidance::trace) news = std::min<std::int64_t>(news, 1);
      if (news == 0 || i >= heeded_.size() || !heeded_[i]) continue;
      ++interesting_;
      Rng random(keyed(seed_, first_ + i, hash_text("modelfuzz mutants")));
      // More than a period can run would never be run: the pool is cleared at its end.
      const auto room = (options_.way == Way::coyote ? kPoolMax : options_.reseed) -
                        static_cast<std::int64_t>(pool_.size());
      if (room <= 0) continue;
      for (std::string& gene :
           mutants_of(batch[i], results[i], std::min(options_.mutations * news, room), random))
        pool_.push_back({std::move(gene), true});
    }
  }

  std::vector<std::pair<std::string, std::string>> account() const override {
    return {{"inputs",
             fmt::format("{} drawn at random, {} runs were interesting", drawn_, interesting_)}};
  }

  std::string save() const override {
    return encode(
        Saved{{pool_.begin(), pool_.end()}, heeded_, since_, seed_, first_, drawn_, interesting_});
  }
  Status load(std::string_view bytes) override {
    auto saved = decode<Saved>(bytes);
    if (!saved) return tl::unexpected(saved.error());
    pool_.assign(saved->pool.begin(), saved->pool.end());
    heeded_ = std::move(saved->heeded);
    since_ = saved->since, seed_ = saved->seed, first_ = saved->first;
    drawn_ = saved->drawn, interesting_ = saved->interesting;
    return {};
  }

 private:
  struct Waiting {
    std::string gene;
    bool heeded = true;  // what it shows that is new brings mutants
    FIELDS(gene, heeded)
  };
  struct Saved {
    std::vector<Waiting> pool;
    std::vector<bool> heeded;  // of the batch that was being played, which is learnt from later
    std::int64_t since = 0;
    std::uint64_t seed = 0, first = 0, drawn = 0, interesting = 0;
    FIELDS(pool, heeded, since, seed, first, drawn, interesting)
  };

  bool retells() const { return options_.input == Told::events || options_.way == Way::coyote; }
  std::vector<std::string> mutants_of(const RunPlan& plan, const RunResult& result,
                                      std::int64_t count, Rng& random) const {
    std::vector<std::string> out;
    if (retells()) {
      for (const Retold& mutant : mutants(entries_of(result.report), count, terms_, random))
        out.push_back(to_gene(mutant));
    } else if (const auto input = from_gene(plan.gene)) {
      for (const Input& mutant : mutants(*input, count, terms_, random))
        out.push_back(to_gene(mutant));
    }
    return out;
  }

  std::string word() const {
    switch (options_.guidance) {
      case Guidance::trace: return "classes";
      case Guidance::edges: return "edges";
      default: return "model";
    }
  }
  // The published programs play seeds once for nothing, and an empty pool gets one input alone;
  // the one for Coyote never begins anew.
  void refill() {
    const bool text = options_.way == Way::text, coyote = options_.way == Way::coyote;
    const bool over = since_ >= options_.reseed && !coyote;
    if (over) pool_.clear(), since_ = 0;
    if (!pool_.empty()) return;
    std::vector<std::string> seeds;
    const bool all = text || over || drawn_ == 0;
    for (std::int64_t i = 0; i < (all ? options_.seeds : 1); ++i) seeds.push_back(fresh_input());
    if (all && !text && !coyote)
      for (const std::string& seed : seeds) pool_.push_back({seed, false});
    for (std::string& seed : seeds) pool_.push_back({std::move(seed), true});
  }
  std::string fresh_input() {
    Rng random(keyed(seed_, drawn_++, hash_text("modelfuzz inputs")));
    if (retells()) return to_gene(Retold{random.next(), {}});
    return to_gene(random_input(terms_, random));
  }
  // The same input is the same run: nodes draw the same numbers in all of them.
  std::vector<RunPlan> plans(const std::vector<std::string>& genes) const {
    std::vector<RunPlan> out;
    for (const std::string& gene : genes) {
      RunPlan& plan = out.emplace_back();
      plan.seed = plan.node_seed = seed_;
      plan.gene = gene;
    }
    return out;
  }

  Options options_;
  InputTerms terms_;
  std::deque<Waiting> pool_;
  std::vector<bool> heeded_;  // of the batch that is played
  std::int64_t since_ = 0;    // runs since the pool was filled anew
  std::uint64_t seed_ = 0, first_ = 0, drawn_ = 0, interesting_ = 0;
};

using O = ModelFuzz::Options;
const Registration registered =
    explorer<ModelFuzz>("modelfuzz", "inputs that led to new states of a model, mutated")
        .param<&O::guidance>("guidance",
                             "what is new: states of the model, runs up to order, edges "
                             "of the code; or nothing: every input is random")
        .param<&O::steps>("steps", 1, 100'000, "choices of a process in an input")
        .param<&O::messages>("messages", 1, 1000, "delivered a step, at most")
        .param<&O::crashes>("crashes", 0, 1000, "in an input, within the budget of faults")
        .param<&O::requests>("requests", 0, 1000, "of clients, in an input")
        .param<&O::mutations>("mutations", 1, 1000, "mutants for each new thing")
        .param<&O::seeds>("seeds", 1, 100'000, "random inputs when the pool is empty")
        .param<&O::reseed>("reseed", 1, 1'000'000'000, "runs after which the pool is begun anew")
        .param<&O::swaps>("swaps", 0, 10'000, "pairs of steps that a mutation swaps")
        .param<&O::crash_swaps>("crash-swaps", 0, 10'000, "pairs of crashes that it swaps")
        .param<&O::inbox>("inbox", "process or link: of whom messages wait together")
        .param<&O::tick>("tick", "how far the clock advances a step")
        .param<&O::input>("input",
                          "choices of processes, drawn before a run; or events of the run that it "
                          "is a mutant of, as in the published micro-benchmark")
        .param<&O::way>("way",
                        "of the text, or of a published program with its defects, for comparisons")
        .param<&O::batch>("batch", 1, 100'000, "runs that are planned at once");

}  // namespace
}  // namespace schism::model
