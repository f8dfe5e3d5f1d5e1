// `random` and `replay`: a few runs, not all. They can find a violation and prove nothing.
#include "schism/base/random.hpp"
#include "schism/check/search.hpp"

namespace schism::check {
namespace {

std::vector<std::uint32_t> enabled(const Model& model) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < model.pends().size(); ++i)
    if (model.pends()[i].enabled()) out.push_back(i);
  return out;
}

Finished stopped(const WorldModel& model) {
  return model.violation() ? Finished::by_model : Finished::broken;
}

class RandomWalks final : public Search {
 public:
  struct Options {
    std::int64_t runs = 10'000, seed = 1;
  };
  explicit RandomWalks(const Options& o)
      : runs_(static_cast<std::uint64_t>(o.runs)), seed_(static_cast<std::uint64_t>(o.seed)) {}

  bool reducing() const override { return true; }
  bool exhaustive() const override { return false; }
  Status check(const Limits& limits) const override {
    if (limits.delays != kNever) return error("random: delays bound prefix, dfs and bfs only");
    return {};
  }

  Finished run(WorldModel& model, const Limits& limits, SearchTotals& t) override {
    for (std::uint64_t run = 0; run < runs_; ++run) {
      Rng rng(keyed(seed_, run));
      model.answer_by([&](std::uint32_t n) { return static_cast<std::uint32_t>(rng.below(n)); });
      model.rewind(limits.from);
      auto able = enabled(model);
      for (; !able.empty() && model.depth() < limits.end(); able = enabled(model))
        if (!model.execute(able[rng.below(able.size())])) return stopped(model);
      ++t.executions;
      t.cut += able.empty() ? 0 : 1;
      t.steps += model.depth();
      t.longest = std::max<std::uint64_t>(t.longest, model.depth());
      if (!model.finish(able.empty())) return stopped(model);
      if (limits.stop && (run & 63) == 0 && limits.stop(t)) return Finished::stopped;
    }
    return Finished::all;
  }

 private:
  std::uint64_t runs_, seed_;
};

// The given beginning is the run.
class FollowTrace final : public Search {
 public:
  struct Options {};
  explicit FollowTrace(const Options&) {}

  bool reducing() const override { return true; }
  bool exhaustive() const override { return false; }
  Status check(const Limits& limits) const override {
    if (limits.from == 0) return error("replay: --from says which trace");
    if (limits.delays != kNever || limits.depth > 0)
      return error("replay: a trace is followed as it is, without bounds");
    return {};
  }

  Finished run(WorldModel& model, const Limits& limits, SearchTotals& t) override {
    model.rewind(limits.from);
    t.executions = 1;
    t.steps = t.longest = model.depth();
    return model.finish(enabled(model).empty()) ? Finished::all : stopped(model);
  }
};

const Registration random_walks =
    search<RandomWalks>("random", "random runs: can find a violation, proves nothing")
        .param<&RandomWalks::Options::runs>("runs", 1, 1'000'000'000, "of each search")
        .param<&RandomWalks::Options::seed>("seed", 0, 1'000'000'000, "of the first run");
const Registration follow =
    search<FollowTrace>("replay", "the run that --from names, judged: proves nothing");

}  // namespace
}  // namespace schism::check
