// `dfs` and `bfs`: all reachable states, each expanded once. A state is known by its digest, which
// covers all that the future and its verdict depend on.
#include "schism/check/futures.hpp"
#include "schism/check/graph.hpp"
#include "schism/check/known_states.hpp"
#include "schism/check/rounds.hpp"
#include "schism/check/search.hpp"
#include "schism/check/symmetry.hpp"
#include "schism/system/liars.hpp"

namespace schism::check {
namespace {

struct StateOptions {
  std::int64_t bits = 64;
  bool symmetry = false;
};

class StateSearch : public Search {
 public:
  using Options = StateOptions;
  bool reducing() const override { return false; }
  bool symmetric() const override { return options_.symmetry; }
  bool by_state() const override { return true; }
  Status check(const Limits& limits) const override {
    if (options_.bits != 64 && options_.bits != 128)
      return error("bits of a state's key are 64 or 128");
    if (options_.symmetry && limits.delays != kNever)
      return error("symmetry: delays count from a default that knows nodes by their numbers");
    if (options_.symmetry && limits.from > 0)
      return error("symmetry: after the beginning of a trace nodes are not interchangeable");
    return {};
  }

  // Clocks are left out of states until a node reads one: then every state is told anew. And once
  // more where runs may go round for ever: they have no end, so that what is judged at ends is
  // judged in every state, and whether they are fair is found out.
  Finished run(WorldModel& model, const Limits& limits, SearchTotals& t) override {
    clocks_ = read_ = goes_round_ = false;
    rounds_.reset();
    Finished ending = explore(model, limits, t);
    if (read_) {
      clocks_ = true;
      goes_round_ = false;
      t = {};
      ending = explore(model, limits, t);
    }
    if (ending != Finished::all || !goes_round_ || has_liars(model.setup().options)) return ending;
    rounds_.emplace();
    t = {};
    ending = explore(model, limits, t);
    t.endless = rounds_->fair();
    rounds_.reset();
    return ending;
  }

 protected:
  explicit StateSearch(const Options& o) : options_(o) {}
  virtual Finished explore(WorldModel& model, const Limits& limits, SearchTotals& t) = 0;

  enum class Met : std::uint8_t { fresh, known, over, stop };
  // A step to be taken, with the deviations from the default that are left after it.
  struct Way {
    std::uint32_t pend, delays;
    Choices given = {};
  };
  struct Next : Way {
    Happening happening = {};
  };

  KnownStates begin(WorldModel& model, const Limits& limits) {
    if (limits.graph) limits.graph->clear();
    from_ = GraphPart::kNobody;
    step_.reset();
    numbers_.clear();
    symmetry_.reset();
    futures_ = {};
    if (options_.symmetry)
      if (auto made = Symmetry::of(model.setup(), model.bounds()); made && made->any())
        symmetry_ = *std::move(made);
    model.digest_clocks(clocks_);
    if (!symmetry_) model.keep_digest();
    return KnownStates(options_.bits == 128);
  }

  std::optional<Hash128> key(WorldModel& model) {
    if (!symmetry_) return model.digest();
    if (!model.renamed_digest({})) return std::nullopt;
    return symmetry_->key([&](const Renaming& r) { return *model.renamed_digest(r); });
  }

  // The state where the model stands now, right after a step.
  Met meet(WorldModel& model, const Limits& limits, std::uint32_t delays, KnownStates& known,
           SearchTotals& t) {
    const std::uint32_t depth = model.depth();
    t.longest = std::max<std::uint64_t>(t.longest, depth);
    ++t.steps;
    const auto of_state = key(model);
    if (!of_state) model.give_up("an oracle of this system cannot say what its verdict depends on");
    if (model.waits())
      model.give_up(
          "handlers of its nodes wait inside (co_await), with what is in no field: states cannot "
          "be "
          "told apart; use dpor");
    if (model.world().drawn() > 0)
      model.give_up(
          "nodes draw random numbers of more than 16 outcomes, which a state's key does not cover; "
          "dpor can say whether it holds for one node seed");
    if (!model.problem().empty()) return Met::stop;
    read_ = !clocks_ && model.clock_read();
    if (read_) return Met::stop;
    if (limits.graph) at_ = limits.graph->met(*of_state, model, from_);
    if (rounds_ && step_)
      rounds_->step(step_->from, number_of(*of_state), step_->happening, model.renewed());
    key_ = *of_state;
    if (!known.add(*of_state, {limits.depth > 0 ? limits.depth - depth : 0, delays})) {
      ++t.blocked;
      return futures_.trust(model) ? Met::known : Met::stop;
    }
    futures_.remember(model);
    t.states = known.size();
    bool enabled = false;
    for (const Pend& p : model.pends()) enabled = enabled || p.enabled();
    const bool cut = enabled && depth >= limits.end();
    // Runs without an end: what is judged at one is judged in every state.
    const bool endless = rounds_ || has_liars(model.setup().options);
    if (enabled && !cut && endless && !model.finish(false)) return Met::stop;
    if (enabled && !cut) return Met::fresh;
    ++t.executions;
    t.cut += cut ? 1 : 0;
    return model.finish(!cut) ? Met::over : Met::stop;
  }
  std::uint32_t number_of(const Hash128& key) {
    return numbers_.try_emplace(key, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }
  // After a step that could not be taken, or violates something.
  Finished stopped_by(WorldModel& model, const Limits& limits) {
    if (limits.graph && model.violation())
      if (const auto of_state = key(model)) limits.graph->met(*of_state, model, from_);
    return stopped(model);
  }
  static Finished stopped(const WorldModel& model) {
    return model.violation() ? Finished::by_model : Finished::broken;
  }
  std::vector<Next> nexts(WorldModel& model, std::uint32_t delays, SearchTotals& t) const {
    std::vector<Next> out;
    const bool bounded = delays != kNever;
    const std::uint32_t plain = bounded ? model.default_choice() : kNever;
    for (std::uint32_t i = 0; i < model.pends().size(); ++i) {
      if (!model.pends()[i].enabled()) continue;
      if (!bounded || i == plain) out.push_back({i, delays, {}});
      else if (delays > 0) out.push_back({i, delays - 1, {}});
      else ++t.withheld;
    }
    // With symmetry nodes have other names in the next state: then everything counts as fair.
    if (rounds_ && !symmetry_)
      for (Next& next : out) next.happening = model.happening(next.pend);
    return out;
  }

  // One step, and where it was asked to choose the same with the other answers is still to be
  // taken.
  bool take(WorldModel& model, std::uint32_t from, const Next& next, std::vector<Next>& others) {
    step_ = {from, next.happening};
    if (!model.execute(next.pend, next.given)) return false;
    each_alternative(model, next.given.count,
                     [&, happening = next.happening](const Choices& other) {
                       others.push_back({next.pend, next.delays, other, happening});
                     });
    return true;
  }

  Options options_;
  std::optional<Symmetry> symmetry_;
  Futures futures_;
  bool clocks_ = false;      // are part of states
  bool read_ = false;        // one was, and they are not
  bool goes_round_ = false;  // a run may come back to a state that it was in, or seems to
  std::optional<Rounds> rounds_;
  struct Step {
    std::uint32_t from;
    Happening happening;
  };
  std::optional<Step> step_;                             // the last one; nothing: at the beginning
  Hash128 key_;                                          // of the state that was met last
  absl::flat_hash_map<Hash128, std::uint32_t> numbers_;  // of states, where steps are kept
  // For a graph: the numbers of the state before the last step, and of that after it.
  std::uint32_t from_ = GraphPart::kNobody, at_ = 0;
};

class DepthFirst final : public StateSearch {
 public:
  explicit DepthFirst(const Options& o) : StateSearch(o) {}

  Finished explore(WorldModel& model, const Limits& limits, SearchTotals& t) override {
    KnownStates known = begin(model, limits);
    std::vector<OnTheWay> way;
    absl::flat_hash_map<Hash128, std::uint32_t> times;  // how often a state is on the way
    model.rewind(limits.from);
    std::uint32_t delays = limits.delays;
    Met met = meet(model, limits, delays, known, t);
    for (;;) {
      if (met == Met::stop) return stopped(model);
      if (met == Met::fresh) {
        way.push_back({key_, rounds_ ? number_of(key_) : 0, at_, nexts(model, delays, t)});
        ++times[key_];
      }
      for (; !way.empty() && way.back().todo.empty(); way.pop_back())
        if (const auto at = times.find(way.back().key); --at->second == 0) times.erase(at);
      if (way.empty()) return Finished::all;
      if (limits.stop && (t.steps & 255) == 0 && limits.stop(t)) return Finished::stopped;
      model.rewind(limits.from + static_cast<std::uint32_t>(way.size() - 1));
      OnTheWay& last = way.back();
      const Next next = last.todo.back();
      last.todo.pop_back();
      from_ = last.number;
      if (!take(model, last.state, next, last.todo)) return stopped_by(model, limits);
      delays = next.delays;
      met = meet(model, limits, delays, known, t);
      goes_round_ = goes_round_ || times.contains(key_);
    }
  }

 private:
  struct OnTheWay {
    Hash128 key;
    std::uint32_t state, number;  // its number here, and in the graph
    std::vector<Next> todo;
  };
};

class BreadthFirst final : public StateSearch {
 public:
  explicit BreadthFirst(const Options& o) : StateSearch(o) {}

  Finished explore(WorldModel& model, const Limits& limits, SearchTotals& t) override {
    KnownStates known = begin(model, limits);
    model.rewind(limits.from);
    std::vector<Node> nodes = {{0, {0, limits.delays}, 0, 0}};
    const Met first = meet(model, limits, limits.delays, known, t);
    if (first == Met::stop) return stopped(model);
    if (first != Met::fresh) return Finished::all;
    nodes[0].state = number_of(key_);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> steps;
    for (std::uint32_t at = 0; at < nodes.size(); ++at) {
      if (!go_to(model, limits.from, nodes, at)) return stopped(model);
      const std::uint32_t depth = model.depth();
      std::vector<Next> todo = nexts(model, nodes[at].way.delays, t);
      for (std::size_t i = 0; i < todo.size(); ++i) {
        if (limits.stop && (t.steps & 255) == 0 && limits.stop(t)) return Finished::stopped;
        const Next next = todo[i];
        model.rewind(depth);
        from_ = nodes[at].number;
        if (!take(model, nodes[at].state, next, todo)) return stopped_by(model, limits);
        const Met met = meet(model, limits, next.delays, known, t);
        if (met == Met::stop) return stopped(model);
        const std::uint32_t state = number_of(key_);
        if (!rounds_) steps.emplace_back(nodes[at].state, state);
        if (met != Met::fresh) continue;
        nodes.push_back({at, next, at_, state});
        nodes.back().way.given = model.pends()[next.pend].choices;  // all its answers
      }
    }
    goes_round_ = has_circle(static_cast<std::uint32_t>(numbers_.size()), steps);
    return Finished::all;
  }

 private:
  struct Node {
    std::uint32_t parent;
    Way way;
    std::uint32_t number, state;  // in the graph, and here
  };

  // As little as possible of the way is left and taken anew: neighbours share most of it.
  static bool go_to(WorldModel& model, std::uint32_t from, const std::vector<Node>& nodes,
                    std::uint32_t at) {
    std::vector<std::uint32_t> path;  // nodes, the last one first
    for (std::uint32_t i = at; i != 0; i = nodes[i].parent) path.push_back(i);
    const auto way = [&](std::size_t i) -> const Way& {
      return nodes[path[path.size() - 1 - i]].way;
    };
    std::uint32_t shared = 0;
    while (shared < path.size() && from + shared < model.depth() &&
           model.run()[from + shared] == way(shared).pend &&
           model.pends()[way(shared).pend].choices == way(shared).given)
      ++shared;
    model.rewind(from + shared);
    for (std::size_t i = shared; i < path.size(); ++i)
      if (!model.execute(way(i).pend, way(i).given)) return false;
    return true;
  }
};

constexpr auto kBits = "of a state's key: 64 or 128";
constexpr auto kSymmetry = "states that differ in the names of interchangeable nodes count as one";

const Registration dfs = search<DepthFirst>("dfs", "every reachable state once, depth first")
                             .param<&StateOptions::bits>("bits", 64, 128, kBits)
                             .param<&StateOptions::symmetry>("symmetry", kSymmetry);
const Registration bfs =
    search<BreadthFirst>("bfs", "every reachable state once, shortest runs first")
        .param<&StateOptions::bits>("bits", 64, 128, kBits)
        .param<&StateOptions::symmetry>("symmetry", kSymmetry);

}  // namespace
}  // namespace schism::check
