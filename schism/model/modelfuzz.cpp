// `modelfuzz`: inputs that led to new states of a model, mutated (seed thesis, chapter 5:
// Definition 7, Algorithms 5 to 7). A pool, first in first out: what is run next does not depend on
// what the runs before it in the pool bring, so that batches are the sequential algorithm.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

#include "schism/base/codec.hpp"
#include "schism/coverage/coverage.hpp"
#include "schism/explore/registry.hpp"
#include "schism/model/fuzz_input.hpp"
#include "schism/model/retold.hpp"
#include "schism/system/system.hpp"

namespace schism::model {
namespace {

constexpr std::int64_t kPoolMax = 100'000;  // where it is never begun anew

// order: the run as it went; so the published micro-benchmark has it where it says trace.
SCHISM_ENUM(Guidance, model, trace, order, edges, random);
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
    return by_coverage() ? std::vector<Spec>{{word()}} : std::vector<Spec>();
  }

  Status begin(const Setup& setup) override {
    if (by_coverage())
      if (auto may = may_teach(word()); !may) return error("modelfuzz: {}", may.error());
    if (retells() && (options_.crashes > 0 || options_.requests > 0))
      return error(
          "modelfuzz: an input of events has no crashes and no requests: say crashes=0 "
          "and requests=0");
    if (options_.guidance == Guidance::order && !retells())
      return error("modelfuzz: guidance=order is for input=events");
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
      heeded_.push_back(pool_.front().heeded);
      out.push_back(take_first());
    }
    since_ += static_cast<std::int64_t>(out.size());
    first_ = first_run;
    return plans(out);
  }

  void learn(std::span<const RunPlan> batch, std::span<const RunResult> results) override {
    if (options_.guidance == Guidance::random) return;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::int64_t news = news_of(results[i]);
      if (news == 0 || i >= heeded_.size() || !heeded_[i]) continue;
      ++interesting_;
      // More than a period can run would never be run: the pool is cleared at its end.
      const auto room = (options_.way == Way::coyote ? kPoolMax : options_.reseed) - waiting_;
      if (room > 0)
        breed(batch[i], results[i], std::min(options_.mutations * news, room),
              keyed(seed_, first_ + i, hash_text("modelfuzz mutants")));
    }
  }

  std::vector<std::pair<std::string, std::string>> account() const override {
    return {{"inputs",
             fmt::format("{} drawn at random, {} runs were interesting", drawn_, interesting_)}};
  }

  std::string save() const override {
    return encode(Saved{{pool_.begin(), pool_.end()},
                        heeded_,
                        since_,
                        seed_,
                        first_,
                        drawn_,
                        interesting_,
                        orders_});
  }
  Status load(std::string_view bytes) override {
    auto saved = decode<Saved>(bytes);
    if (!saved) return tl::unexpected(saved.error());
    heeded_ = std::move(saved->heeded);
    since_ = saved->since, seed_ = saved->seed, first_ = saved->first;
    drawn_ = saved->drawn, interesting_ = saved->interesting;
    orders_ = std::move(saved->orders);
    pool_.clear(), waiting_ = 0;
    for (Waiting& one : saved->pool) wait(std::move(one));
    if (pool_.empty()) return {};
    for (std::int64_t left = std::exchange(pool_.front().made, 0); left > 0; --left) next_mutant();
    return {};
  }

 private:
  // An input; or its mutants, of which each is made when it is its turn: half of them never are.
  struct Waiting {
    std::string gene;
    bool heeded = true;  // what it shows that is new brings mutants
    std::int64_t mutants = 0, made = 0;
    std::uint64_t seed = 0;  // of the mutants
    FIELDS(gene, heeded, mutants, made, seed)
  };
  struct Saved {
    std::vector<Waiting> pool;
    std::vector<bool> heeded;  // of the batch that was being played, which is learnt from later
    std::int64_t since = 0;
    std::uint64_t seed = 0, first = 0, drawn = 0, interesting = 0;
    std::set<std::uint64_t> orders;
    FIELDS(pool, heeded, since, seed, first, drawn, interesting, orders)
  };

  bool by_coverage() const {
    return options_.guidance != Guidance::random && options_.guidance != Guidance::order;
  }
  std::int64_t news_of(const RunResult& result) {
    if (options_.guidance == Guidance::order)
      return orders_.insert(hash_text(result.report)).second ? 1 : 0;
    const std::uint64_t tag = tag_of(word());
    const auto news = std::count_if(result.fresh.begin(), result.fresh.end(),
                                    [&](std::uint64_t key) { return tag_of_key(key) == tag; });
    return options_.guidance == Guidance::trace ? std::min<std::int64_t>(news, 1) : news;
  }
  bool retells() const { return options_.input == Told::events || options_.way == Way::coyote; }
  void wait(Waiting one) {
    waiting_ += std::max<std::int64_t>(one.mutants - one.made, 1);
    pool_.push_back(std::move(one));
  }
  std::string take_first() {
    --waiting_;
    Waiting& first = pool_.front();
    std::string out = first.mutants > 0 ? next_mutant() : std::move(first.gene);
    if (first.made == first.mutants) pool_.pop_front();
    return out;
  }
  std::string next_mutant() {  // of the first in the pool
    Waiting& first = pool_.front();
    if (first.made++ == 0)
      parent_ = from_gene(first.gene).value_or(Input()), random_ = Rng(first.seed);
    return to_gene(mutated(parent_, terms_, random_));
  }
  void breed(const RunPlan& plan, const RunResult& result, std::int64_t count, std::uint64_t seed) {
    if (retells()) {
      Rng random(seed);
      for (const Retold& mutant : mutants(entries_of(result.report), count, terms_, random))
        wait({to_gene(mutant)});
    } else if (const auto input = from_gene(plan.gene); input && has_mutants(*input, terms_)) {
      wait({plan.gene, true, count, 0, seed});
    }
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
    if (over) pool_.clear(), waiting_ = since_ = 0;
    if (!pool_.empty()) return;
    std::vector<std::string> seeds;
    const bool all = text || over || drawn_ == 0;
    for (std::int64_t i = 0; i < (all ? options_.seeds : 1); ++i) seeds.push_back(fresh_input());
    if (all && !text && !coyote)
      for (const std::string& seed : seeds) wait({seed, false});
    for (std::string& seed : seeds) wait({std::move(seed)});
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
  std::int64_t waiting_ = 0;  // inputs in the pool
  Input parent_;              // of the mutants that stand first in it
  Rng random_;
  std::vector<bool> heeded_;  // of the batch that is played
  std::int64_t since_ = 0;    // runs since the pool was filled anew
  std::uint64_t seed_ = 0, first_ = 0, drawn_ = 0, interesting_ = 0;
  std::set<std::uint64_t> orders_;  // that runs had
};

using O = ModelFuzz::Options;
const Registration registered =
    explorer<ModelFuzz>("modelfuzz", "inputs that led to new states of a model, mutated")
        .param<&O::guidance>("guidance",
                             "what is new: states of the model, runs up to order, runs in "
                             "their order, edges of the code; or nothing: every input is random")
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
