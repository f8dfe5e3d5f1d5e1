// `evolve`: genomes of delays or priorities, one gene a (sender, receiver, class of messages), bred
// for a fitness (DiscoTest: van Meerten, Ozkan and Panichella 2023; Groot: priorities that age). A
// genome is played `repeats` times with seeds of their own; what it is worth is the mean, and how
// much of what tells genomes apart is noise is said at the end. See docs/evolution.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "schism/evolve/algorithm.hpp"
#include "schism/evolve/obedient.hpp"
#include "schism/evolve/strikes.hpp"
#include "schism/explore/registry.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/words/codec.hpp"
#include "schism/world/world.hpp"

namespace schism::evolve {
namespace {

constexpr std::string_view kRarity = "rarity";

// Sums of what fitness was within and between genomes.
struct Noise {
  std::uint64_t genomes = 0;
  double within = 0, sum = 0, squares = 0;  // within: of variances
  FIELDS(genomes, within, sum, squares)
};

class Evolve final : public Explorer {
 public:
  struct Options {
    Representation representation = Representation::delay;
    Optimizer algorithm = Optimizer::plus;
    Crossover crossover = Crossover::own;
    Mutation mutation = Mutation::own;
    std::string fitness, marks, classes, inbox;
    std::int64_t parents = 4, children = 4, tournament = 3, elites = 0, repeats = 1;
    double mutation_rate = 0, deviation = 0, eta = 3, location = 0, scale = 0.5, high = 300;
    std::int64_t power = 9;
    Micros max = 4'000'000, cap = 1'000'000, budget = 0;
    bool strikes = false;
    std::int64_t horizon = 1000;
  };

  Evolve(const Options& options, std::vector<Child<Scheduler>> children) : options_(options) {
    if (!children.empty()) {
      child_ = children[0].spec;
      timed_ = children[0].made->time_use() == TimeUse::timed;
    }
    if (options_.representation == Representation::delay && !child_) timed_ = true;
    if (options_.fitness.empty()) options_.fitness = by_inbox() || timed_ ? "time" : "steps";
    if (options_.marks.empty()) options_.marks = "deliveries/announcements";
  }

  std::vector<Spec> arms() const override {
    Spec out;
    const auto set = [&](const char* key, std::string value) {
      if (!value.empty()) out.values.emplace_back(key, std::move(value));
    };
    if (options_.representation == Representation::delay) {
      out.name = "delays";
      set("max", print_duration(options_.max));
    } else if (by_inbox()) {
      out.name = "inbox";
      if (options_.representation == Representation::aged) {
        set("order", "aged");
        set("cap", print_duration(options_.cap));
        set("high", detail::print_number(options_.high));
      }
      for (auto& [key, value] : rate_parameters()) set(key.c_str(), value);
    } else {
      out.name = "ranks";
      set("high", detail::print_number(options_.high));
      if (options_.representation == Representation::aged) set("aging", "1");
    }
    set("classes", options_.classes);
    set("gauges", gauge_words_of_runs());
    if (child_ && out.name != "inbox") out.children = {*child_};
    return {options_.strikes ? struck(std::move(out)) : out};
  }

  Status begin(const Setup& setup) override {
    if (!child_fits())
      return error("evolve: {} plays without an inbox only where runs are untimed", child_->name);
    const auto classes = find_message_classes(*setup.system, options_.classes);
    if (!classes) return error("evolve: {} has {}", setup.system->name, classes.error());
    if (setup.nodes < 2) return error("evolve: there is nothing to breed with one node");
    AlgorithmOptions make;
    make.optimizer = options_.algorithm;
    make.parents = static_cast<std::size_t>(options_.parents);
    make.children = static_cast<std::size_t>(options_.children);
    make.tournament = static_cast<std::size_t>(options_.tournament);
    make.elites = static_cast<std::size_t>(options_.elites);
    const std::size_t strikes = options_.strikes ? strike_genes(setup.options.faults) : 0;
    if (options_.strikes && strikes == 0)
      return error(
          "evolve: there is nothing to strike with; --faults crash=1, partition=1 or duplicate=1 "
          "gives it something");
    make.breeding = {space(Layout(setup.places(), classes->words.size()).genes() + strikes),
                     options_.crossover,
                     options_.mutation,
                     options_.mutation_rate,
                     options_.eta,
                     options_.deviation,
                     options_.location,
                     options_.scale,
                     options_.power};
    auto algorithm = make_algorithm(make);
    if (!algorithm) return error("evolve: {}", algorithm.error());
    algorithm_ = *std::move(algorithm);
    return {};
  }

  std::vector<RunPlan> propose(std::uint64_t seed, std::uint64_t first_run) override {
    if (options_.budget > 0 && spent_us_ >= static_cast<std::uint64_t>(options_.budget)) return {};
    Rng random(keyed(seed, first_run, hash_text("evolve")));
    asked_ = algorithm_->ask(random);
    std::vector<RunPlan> plans;
    for (const Genome& genome : asked_)
      for (std::int64_t i = 0; i < options_.repeats; ++i) {
        RunPlan& plan = plans.emplace_back();
        plan.seed = plan.node_seed = keyed(seed, first_run + plans.size(), hash_text("repeat"));
        plan.gene = pack(genome);
      }
    return plans;
  }

  void learn(std::span<const RunPlan> plans, std::span<const RunResult> results) override {
    for (const RunResult& result : results) spent_us_ += result.summary.simulated_us;
    if (results.size() < plans.size()) return;  // the hunt ends here
    const auto repeats = static_cast<std::size_t>(options_.repeats);
    std::vector<Individual> generation;
    for (std::size_t i = 0; i + repeats <= results.size(); i += repeats)
      generation.push_back(judge(unpack(plans[i].gene), results.subspan(i, repeats)));
    if (generation.empty()) return;
    ++generations_;
    for (const Individual& one : generation)
      if (generations_ == 1 || one.fitness > best_) best_ = one.fitness;
    algorithm_->tell(std::move(generation));
  }

  std::vector<std::pair<std::string, std::string>> account() const override {
    std::vector<std::pair<std::string, std::string>> out = {
        {"evolve", fmt::format("{} generations, best {} {:.4g}, mean {:.4g}", generations_,
                               options_.fitness, best_, mean())}};
    if (const std::string more = algorithm_ ? algorithm_->account() : ""; !more.empty())
      out.emplace_back("archive", more);
    out.emplace_back("noise", noise_text());
    return out;
  }

  std::string save() const override {
    return encode(
        Saved{algorithm_ ? algorithm_->save() : "", spent_us_, generations_, best_, noise_, seen_});
  }
  Status load(std::string_view bytes) override {
    auto saved = decode<Saved>(bytes);
    if (!saved) return tl::unexpected(saved.error());
    if (auto s = algorithm_->load(saved->algorithm); !s) return s;
    spent_us_ = saved->spent_us, generations_ = saved->generations, best_ = saved->best;
    noise_ = saved->noise;
    seen_ = std::move(saved->seen);
    return {};
  }

 private:
  struct Saved {
    std::string algorithm;
    std::uint64_t spent_us = 0, generations = 0;
    double best = 0;
    Noise noise;
    std::map<std::uint64_t, std::uint64_t> seen;
    FIELDS(algorithm, spent_us, generations, best, noise, seen)
  };

  // Priorities without a scheduler of their own wait in a timed inbox.
  bool by_inbox() const { return options_.representation != Representation::delay && !child_; }
  bool child_fits() const {
    return options_.representation == Representation::delay || !child_ || !timed_;
  }

  bool by_rarity() const { return options_.fitness == kRarity; }
  std::string gauge_words_of_runs() const {
    return by_rarity() ? options_.marks : options_.fitness + "/" + options_.marks;
  }

  // Around the scheduler of the messages: faults, whose genes have the range of the messages'.
  Spec struck(Spec inner) const {
    Spec out{"strikes"};
    const Space range = space(0);
    out.values.emplace_back("horizon", std::to_string(options_.horizon));
    out.values.emplace_back("low", detail::print_number(range.low));
    out.values.emplace_back("high", detail::print_number(range.high));
    out.children = {std::move(inner)};
    return out;
  }

  // "target=10/events=50" as parameters of the inbox.
  Pairs rate_parameters() const {
    Pairs out;
    for (const std::string& word : gauge_words(options_.inbox)) {
      const std::size_t at = std::min(word.find('='), word.size());
      out.emplace_back(word.substr(0, at), at < word.size() ? word.substr(at + 1) : "");
    }
    return out;
  }

  // Without a clock any numbers rank; a permutation is DiscoTest's.
  Space space(std::size_t genes) const {
    const auto max_ms = static_cast<double>(options_.max) * 1e-3;
    switch (options_.representation) {
      case Representation::delay: return {genes, 0, max_ms, false};
      case Representation::priority: return {genes, 1, static_cast<double>(genes), !by_pagmo()};
      case Representation::aged: return {genes, 0, options_.high, false};
    }
    return {};
  }
  bool by_pagmo() const {
    return options_.algorithm == Optimizer::cmaes || options_.algorithm == Optimizer::nsga2 ||
           options_.algorithm == Optimizer::sade;
  }

  Individual judge(Genome genes, std::span<const RunResult> repeats) {
    Individual out;
    out.genes = std::move(genes);
    double sum = 0, squares = 0;
    for (const RunResult& result : repeats) {
      // A run that died says nothing: it is a find, and worth nothing as a parent.
      const Report report = decode<Report>(result.report).value_or(Report{});
      std::vector<double> marks = report.values;
      double worth = 0;
      if (by_rarity()) {
        worth = 1 / static_cast<double>(++seen_[report.behaviour]);
      } else if (!marks.empty()) {
        worth = marks[0];
        marks.erase(marks.begin());
      }
      sum += worth;
      squares += worth * worth;
      out.marks.resize(std::max(out.marks.size(), marks.size()));
      for (std::size_t i = 0; i < marks.size(); ++i)
        out.marks[i] += marks[i] / static_cast<double>(repeats.size());
    }
    const auto k = static_cast<double>(repeats.size());
    out.fitness = sum / k;
    ++noise_.genomes;
    noise_.sum += out.fitness;
    noise_.squares += out.fitness * out.fitness;
    if (k > 1) noise_.within += std::max(0.0, (squares - sum * sum / k) / (k - 1));
    return out;
  }

  double mean() const {
    return noise_.genomes == 0 ? 0 : noise_.sum / static_cast<double>(noise_.genomes);
  }
  std::string noise_text() const {
    const auto n = static_cast<double>(noise_.genomes);
    if (options_.repeats < 2 || noise_.genomes < 2) return "not known: repeats=1";
    const double between = std::max(0.0, (noise_.squares - noise_.sum * noise_.sum / n) / (n - 1));
    const double mean_noise = noise_.within / n / static_cast<double>(options_.repeats);
    return fmt::format(
        "deviation {:.3g} between repetitions of a genome, {:.3g} between genomes; {:.0f}% of what "
        "selection sees is noise",
        std::sqrt(noise_.within / n), std::sqrt(between),
        between > 0 ? std::min(100.0, 100 * mean_noise / between) : 100.0);
  }

  Options options_;
  std::optional<Spec> child_;
  bool timed_ = false;
  std::unique_ptr<Algorithm> algorithm_;
  std::vector<Genome> asked_;
  std::uint64_t spent_us_ = 0, generations_ = 0;
  double best_ = 0;
  Noise noise_;
  std::map<std::uint64_t, std::uint64_t> seen_;  // behaviours, how often
};

using O = Evolve::Options;
const Registration registered =
    explorer<Evolve>("evolve",
                     "delays or priorities of messages, bred for a fitness; what else happens is "
                     "up to the scheduler in parentheses")
        .children(schedulers(), "scheduler", 0, 1)
        .param<&O::representation>(
            "representation",
            "delay: ms that messages wait, by a clock; priority: DiscoTest's "
            "ranking; aged: Groot's priorities")
        .param<&O::algorithm>("algorithm", "who breeds; cmaes, nsga2 and sade are pagmo's")
        .param<&O::fitness>("fitness", "a gauge, or rarity; none: time, or steps without a clock")
        .param<&O::marks>("marks", "gauges that tell behaviours apart, for elites")
        .param<&O::parents>("parents", 1, 10'000, "that survive (mu)")
        .param<&O::children>("children", 1, 10'000, "a generation (lambda, the population)")
        .param<&O::tournament>("tournament", 1, 10'000, "how many compete to be a parent")
        .param<&O::elites>("elites", 0, 10'000, "best ones that a generation keeps as they are")
        .param<&O::repeats>("repeats", 1, 1000, "runs a genome, with seeds of their own")
        .param<&O::crossover>("crossover", "own: sbx, or pmx for permutations")
        .param<&O::mutation>("mutation", "own: gaussian, or swap for permutations")
        .param<&O::mutation_rate>("mutation-rate", 0.0, 1.0, "of a gene; 0: one a genome")
        .param<&O::deviation>("deviation", 0.0, 1e6, "of gaussian; 0: a hundredth of the range")
        .param<&O::eta>("eta", 0.001, 1000.0, "of sbx: the higher, the nearer to the parents")
        .param<&O::location>("location", -10.0, 10.0, "of laplace")
        .param<&O::scale>("scale", 0.0, 10.0, "of laplace")
        .param<&O::power>("power", 1, 100, "of mptm")
        .duration<&O::max>("max", 1_ms, 60_s, "longest delay of a message")
        .duration<&O::cap>("cap", 0, 60_s, "longest wait where priorities age; 0s: any")
        .param<&O::high>("high", 1.0, 1e6, "highest priority where they age")
        .param<&O::inbox>("inbox", "parameters of the inbox, such as target=10/events=50")
        .param<&O::strikes>("strikes",
                            "crashes, partitions and duplicates are genes, too: one for each that "
                            "the budgets allow")
        .param<&O::horizon>("horizon", 8, 1'000'000'000, "steps in which they come")
        .param<&O::classes>("classes", "which messages share a gene; none: as the system says")
        .duration<&O::budget>("budget", 0, 1'000'000_s,
                              "simulated time after which it is finished; 0s: never");

}  // namespace
}  // namespace schism::evolve
