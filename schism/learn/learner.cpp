#include "schism/learn/learner.hpp"

#include <charconv>

#include "schism/explore/registry.hpp"
#include "schism/learn/bonus_max.hpp"
#include "schism/learn/neg_rl.hpp"
#include "schism/learn/ucb_zero.hpp"
#include "schism/learn/waypoint.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/system/system.hpp"

namespace schism::learn {

RunPlan Learner::plan(std::uint64_t episode) {
  RunPlan plan;
  plan.seed = keyed(seed_, episode, 1);
  plan.node_seed = options_.node_seed == NodeSeed::fixed ? mix64(seed_) : keyed(seed_, episode, 2);
  return plan;
}

// ---- what they share -----------------------------------------------------------------------

LearningExplorer::LearningExplorer(const EnvironmentOptions& options, std::int64_t agents)
    : options_(options), agents_(agents) {}

// Waypoints that stand in files are not read with the configuration: a find's trace has it too, and
// replays where these files are gone. begin() reads them, when learners are about to play.
std::vector<Spec> LearningExplorer::arms() const {
  EnvironmentOptions own = options_;
  if (names_files(own.to)) own.to.clear();
  return {{"random-steps", schedulers().find("random-steps")->params.changed(&own)}};
}

std::unique_ptr<Agent> LearningExplorer::make_agent(std::uint32_t number,
                                                    std::uint64_t seed) const {
  return std::make_unique<Learner>(options_, make_policy(), keyed(seed, number + 1));
}

Status LearningExplorer::begin(const Setup& setup) {
  auto sequence = read_sequence(*setup.system, options_.to);
  if (!sequence) return tl::unexpected(sequence.error());
  if (auto bound = sequence->scripts.bind(setup); !bound) return bound;
  const auto reward = reward_of(options_);
  if (!reward) return tl::unexpected(reward.error());
  if (*reward)
    if (auto good = (*reward)->check(setup); !good) return good;
  reached_.clear();
  for (const Predicate& predicate : sequence->predicates) reached_.push_back({predicate.text()});
  return {};
}

void LearningExplorer::learn(std::span<const RunPlan>, std::span<const RunResult> results) {
  for (const RunResult& result : results) {
    ++episodes_;
    const std::string& report = result.report;
    std::uint64_t first = 0, ever = 0;
    const char* const end = report.data() + report.size();
    const auto one = std::from_chars(report.data(), end, first, 16);
    if (one.ptr != end) std::from_chars(one.ptr + 1, end, ever, 16);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      reached_[i].initially |= (first >> i & 1) != 0;
      if ((ever >> i & 1) == 0) continue;
      if (reached_[i].episodes++ == 0) reached_[i].first = episodes_;
    }
  }
}

std::vector<std::pair<std::string, std::string>> LearningExplorer::account() const {
  constexpr std::uint64_t kPatience = 1000;
  std::vector<std::pair<std::string, std::string>> out;
  for (std::size_t i = 0; i < reached_.size(); ++i) {
    const Reached& r = reached_[i];
    std::string text;
    if (r.episodes == 0) {
      text = fmt::format("never held in {} episodes{}", episodes_,
                         episodes_ >= kPatience ? "; is it what you mean?" : "");
    } else {
      text =
          fmt::format("first held in episode {}, then in {} of {}", r.first, r.episodes, episodes_);
      if (r.initially) text += "; it holds at the beginning, so that nothing is learnt from it";
      else if (r.first > kPatience) text += "; not in the first 1000";
    }
    out.emplace_back(fmt::format("waypoint {} of {}, {}", i + 1, reached_.size(), r.text), text);
  }
  return out;
}

Result<EnvironmentOptions> environment_of(const RunConfig& config) {
  const auto explorer = make_explorer(config);
  if (const auto* learning = dynamic_cast<const LearningExplorer*>(explorer.get()))
    return learning->environment();
  if (config.scheduler.name != "random-steps")
    return error("{} plays no macro steps", config.explorer.name);
  EnvironmentOptions out;
  const Params& params = schedulers().find("random-steps")->params;
  for (const auto& [name, text] : config.scheduler.values)
    if (auto set = params.set(&out, name, text, "random-steps"); !set)
      return tl::unexpected(set.error());
  return out;
}

// ---- the explorers -------------------------------------------------------------------------

namespace {

template <class B, class O>
B& with_environment(B& b) {
  b.template param<&O::horizon>("horizon", 1, 100'000, "macro steps of an episode")
      .template param<&O::ticks>("ticks", -1, 1000, "ticks of a macro step; -1: the system's")
      .template duration<&O::tick>("tick", 0, 60'000'000, "length of a tick; 0: the system's")
      .template param<&O::deliveries>("deliveries", 1, 1'000'000, "messages a tick, at most")
      .template param<&O::same>("same", 0, 1000, "how long equal states are counted")
      .template param<&O::requests>("requests", 0, 1'000'000, "clients' requests an episode")
      .template param<&O::crashes>("crashes", 0, 1'000'000, "crashes an episode")
      .template param<&O::down>("down", 0, kNodesMax, "nodes down at once")
      .template param<&O::as>("as", "by the text, or with the published program's departures")
      .template param<&O::ids>("ids", "how a colour names other nodes: self, none, other; or raw")
      .template param<&O::model>(
          "model", "states and steps are of colours, of nodes by number, or of single links")
      .template param<&O::node_seed>("node-seed", "of nodes' random numbers: an episode's, or one")
      .template param<&O::sees>("sees", "fields that a learner sees of nodes; none: the portrait")
      .template param<&O::to>("to", "waypoints, the last one the target");
  return b;
}

template <class B, class O>
B& with_coverage(B& b) {
  b.template param<&O::coverage>("coverage",
                                 "what is new in it rewards; none: what was hardly done yet");
  return b;
}

template <class E>
StrategyBuilder<Explorer, E> learner(std::string name, std::string description) {
  auto b = explorer<E>(std::move(name), std::move(description));
  with_environment<StrategyBuilder<Explorer, E>, typename E::Options>(b);
  b.template param<&E::Options::agents>("agents", 1, 1024, "learners side by side");
  return b;
}

class BonusMaxExplorer final : public LearningExplorer {
 public:
  using Options = BonusMaxOptions;
  explicit BonusMaxExplorer(const Options& o) : LearningExplorer(o, o.agents), own_(o) {}
  std::unique_ptr<Policy> make_policy() const override { return std::make_unique<BonusMax>(own_); }

 private:
  BonusMaxOptions own_;
};

template <bool visits>
class NegRlExplorer final : public LearningExplorer {
 public:
  using Options = NegRlOptions;
  explicit NegRlExplorer(const Options& o) : LearningExplorer(o, o.agents), own_(o) {}
  std::unique_ptr<Policy> make_policy() const override {
    return std::make_unique<NegRl>(own_, visits);
  }

 private:
  NegRlOptions own_;
};

class UcbZeroExplorer final : public LearningExplorer {
 public:
  using Options = UcbZeroOptions;
  explicit UcbZeroExplorer(const Options& o) : LearningExplorer(o, o.agents), own_(o) {}
  std::unique_ptr<Policy> make_policy() const override {
    return std::make_unique<UcbZero>(own_, options_.horizon);
  }

 private:
  UcbZeroOptions own_;
};

// Waypoints are the environment's: it has read them before the first state is met.
class WaypointExplorer final : public LearningExplorer {
 public:
  using Options = WaypointOptions;
  explicit WaypointExplorer(const Options& o) : LearningExplorer(o, o.agents), own_(o) {}
  Status begin(const Setup& setup) override {
    if (options_.to.find_first_not_of(' ') == std::string::npos)
      return error(
          "waypoint needs to know where to: to=\"PREDICATE; PREDICATE\", or a name of "
          "the system's own");
    return LearningExplorer::begin(setup);
  }
  std::unique_ptr<Policy> make_policy() const override { return std::make_unique<Waypoint>(own_); }
  std::unique_ptr<Agent> make_agent(std::uint32_t number, std::uint64_t seed) const override {
    auto policy = std::make_unique<Waypoint>(own_);
    Waypoint& waypoint = *policy;
    auto agent = std::make_unique<Learner>(options_, std::move(policy), keyed(seed, number + 1));
    waypoint.follow(&agent->environment().sequence());
    return agent;
  }

 private:
  WaypointOptions own_;
};

template <class B, class O>
B& with_rates(B& b) {
  b.template param<&O::alpha>("alpha", 0.0, 1.0, "how much a new value counts")
      .template param<&O::gamma>("gamma", 0.0, 1.0, "what the step after is worth");
  return b;
}

Registration random_steps() {
  auto b = scheduler<Environment>(
      "random-steps", "macro steps at random: splits of the network, crashes, requests, ticks");
  with_environment<decltype(b), EnvironmentOptions>(b);
  return b;
}
Registration bonus_max() {
  using O = BonusMaxExplorer::Options;
  auto b = learner<BonusMaxExplorer>("bonusmax", "BonusMaxRL: learns to reach what is rare");
  with_coverage<decltype(b), O>(b);
  with_rates<decltype(b), O>(b)
      .param<&O::epsilon>("epsilon", 0.0, 1.0, "chance of a step at random")
      .param<&O::update>("update", "backward when an episode is over, or after every step");
  return b;
}
template <bool visits>
Registration neg_rl(const char* name, const char* description) {
  using E = NegRlExplorer<visits>;
  using O = typename E::Options;
  auto b = learner<E>(name, description);
  with_rates<decltype(b), O>(b)
      .template param<&O::temperature>("temperature", 0.001, 1000.0, "of the choice")
      .template param<&O::ahead>("ahead", "of what lies ahead: the best, or nothing");
  return b;
}
Registration ucb_zero() {
  using O = UcbZeroExplorer::Options;
  auto b = learner<UcbZeroExplorer>("ucbzero", "UCBZero: optimism without rewards");
  b.param<&O::c>("c", 0.0, 1000.0, "size of the bonus")
      .param<&O::epsilon>("epsilon", 0.0, 1.0, "chance of a step at random")
      .param<&O::states>("states", 1, 1'000'000'000, "that the bonus reckons with")
      .param<&O::actions>("actions", 1, 1'000'000, "that the bonus reckons with")
      .param<&O::episodes>("episodes", 1, 1'000'000'000, "that the bonus reckons with")
      .param<&O::table>("table", "a table for each step of an episode, or one");
  return b;
}
Registration waypoint() {
  using O = WaypointExplorer::Options;
  auto b = learner<WaypointExplorer>("waypoint",
                                     "WaypointRL: learns the way to a target, explores "
                                     "what is behind it");
  with_coverage<decltype(b), O>(b);
  with_rates<decltype(b), O>(b)
      .param<&O::epsilon>("epsilon", 0.0, 1.0, "chance of a step at random")
      .param<&O::final>("final", "which moves share in reaching the target: upwards, or both")
      .param<&O::late>("late", "whether a target reached by the last step was reached");
  return b;
}

const Registration random_steps_registered = random_steps();
const Registration bonus_max_registered = bonus_max();
const Registration neg_rl_registered =
    neg_rl<false>("negrl", "every step costs 1, so that what was not done yet looks best");
const Registration neg_rl_visits_registered =
    neg_rl<true>("negrl-visits", "a step costs as much as the state was met that it leads to");
const Registration ucb_zero_registered = ucb_zero();
const Registration waypoint_registered = waypoint();

}  // namespace
}  // namespace schism::learn
