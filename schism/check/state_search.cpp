// `dfs` and `bfs`: all reachable states, each expanded once. A state is known by its digest, which
// covers all that the future and its verdict depend on.
#include <absl/container/flat_hash_map.h>

#include "schism/check/search.hpp"

namespace schism::check {
namespace {

// The largest remainder of the depth with which each state was expanded.
class Known {
 public:
  explicit Known(bool wide) : wide_(wide) {}

  // True: new, or met again with more steps left than ever.
  bool add(const Hash128& key, std::uint32_t left) {
    return wide_ ? add_to(whole_, key, left) : add_to(half_, key.lo, left);
  }
  std::size_t size() const { return half_.size() + whole_.size(); }

 private:
  template <class Map, class Key>
  static bool add_to(Map& map, const Key& key, std::uint32_t left) {
    const auto [at, fresh] = map.try_emplace(key, left);
    if (fresh) return true;
    if (at->second >= left) return false;
    at->second = left;
    return true;
  }
  bool wide_;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> half_;
  absl::flat_hash_map<Hash128, std::uint32_t> whole_;
};

struct StateOptions {
  std::int64_t bits = 64;
};

class StateSearch : public Search {
 public:
  using Options = StateOptions;
  bool reducing() const override { return false; }
  Status check(std::uint32_t) const override {
    if (bits_ != 64 && bits_ != 128) return error("bits of a state's key are 64 or 128");
    return {};
  }

 protected:
  explicit StateSearch(const Options& o) : bits_(o.bits) {}

  enum class Met : std::uint8_t { fresh, known, over, stop };

  // The state where the model stands now, right after a step.
  Met meet(WorldModel& model, const Limits& limits, Known& known, SearchTotals& t) {
    const std::uint32_t depth = model.depth();
    t.longest = std::max<std::uint64_t>(t.longest, depth);
    ++t.steps;
    const auto key = model.digest();
    if (!key) model.give_up("an oracle of this system cannot say what its verdict depends on");
    if (model.world().drawn() > 0)
      model.give_up("nodes draw random numbers, which a state's key does not cover; use dpor");
    if (!model.problem().empty()) return Met::stop;
    if (!known.add(*key, limits.depth > 0 ? limits.depth - depth : 0)) {
      ++t.blocked;
      return Met::known;
    }
    t.states = known.size();
    bool enabled = false;
    for (const Pend& p : model.pends()) enabled = enabled || p.enabled();
    const bool cut = enabled && depth >= (limits.depth > 0 ? limits.depth : limits.most);
    if (enabled && !cut) return Met::fresh;
    ++t.executions;
    t.cut += cut ? 1 : 0;
    return model.finish(!cut) ? Met::over : Met::stop;
  }
  static Finished stopped(const WorldModel& model) {
    return model.violation() ? Finished::by_model : Finished::broken;
  }
  static std::vector<std::uint32_t> enabled(const Model& model) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < model.pends().size(); ++i)
      if (model.pends()[i].enabled()) out.push_back(i);
    return out;
  }

  std::int64_t bits_;
};

class DepthFirst final : public StateSearch {
 public:
  explicit DepthFirst(const Options& o) : StateSearch(o) {}

  Finished run(WorldModel& model, const Limits& limits, SearchTotals& t) override {
    Known known(bits_ == 128);
    std::vector<std::vector<std::uint32_t>> todo;
    model.keep_digest();
    model.rewind(0);
    Met met = meet(model, limits, known, t);
    for (;;) {
      if (met == Met::stop) return stopped(model);
      if (met == Met::fresh) todo.push_back(enabled(model));
      while (!todo.empty() && todo.back().empty()) todo.pop_back();
      if (todo.empty()) return Finished::all;
      if (limits.stop && (t.steps & 255) == 0 && limits.stop(t)) return Finished::stopped;
      model.rewind(static_cast<std::uint32_t>(todo.size() - 1));
      const std::uint32_t next = todo.back().back();
      todo.back().pop_back();
      if (!model.execute(next)) return stopped(model);
      met = meet(model, limits, known, t);
    }
  }
};

class BreadthFirst final : public StateSearch {
 public:
  explicit BreadthFirst(const Options& o) : StateSearch(o) {}

  Finished run(WorldModel& model, const Limits& limits, SearchTotals& t) override {
    Known known(bits_ == 128);
    std::vector<Node> nodes = {{0, 0}};
    model.keep_digest();
    model.rewind(0);
    const Met first = meet(model, limits, known, t);
    if (first == Met::stop) return stopped(model);
    if (first != Met::fresh) return Finished::all;
    for (std::uint32_t at = 0; at < nodes.size(); ++at) {
      if (!go_to(model, nodes, at)) return stopped(model);
      const std::uint32_t depth = model.depth();
      for (const std::uint32_t next : enabled(model)) {
        if (limits.stop && (t.steps & 255) == 0 && limits.stop(t)) return Finished::stopped;
        model.rewind(depth);
        if (!model.execute(next)) return stopped(model);
        const Met met = meet(model, limits, known, t);
        if (met == Met::stop) return stopped(model);
        if (met == Met::fresh) nodes.push_back({at, next});
      }
    }
    return Finished::all;
  }

 private:
  struct Node {
    std::uint32_t parent, pend;
  };

  // As little as possible of the way is left and taken anew: neighbours share most of it.
  static bool go_to(WorldModel& model, const std::vector<Node>& nodes, std::uint32_t at) {
    std::vector<std::uint32_t> path;
    for (std::uint32_t i = at; i != 0; i = nodes[i].parent) path.push_back(nodes[i].pend);
    std::uint32_t shared = 0;
    while (shared < path.size() && shared < model.depth() &&
           model.run()[shared] == path[path.size() - 1 - shared])
      ++shared;
    model.rewind(shared);
    for (std::size_t i = shared; i < path.size(); ++i)
      if (!model.execute(path[path.size() - 1 - i])) return false;
    return true;
  }
};

const Registration dfs =
    search<DepthFirst>("dfs", "every reachable state once, depth first")
        .param<&StateOptions::bits>("bits", 64, 128, "of a state's key: 64 or 128");
const Registration bfs =
    search<BreadthFirst>("bfs", "every reachable state once, shortest runs first")
        .param<&StateOptions::bits>("bits", 64, 128, "of a state's key: 64 or 128");

}  // namespace
}  // namespace schism::check
