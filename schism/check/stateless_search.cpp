// `dpor` and `prefix`: searches that store no states.
#include "schism/check/orders.hpp"
#include "schism/check/search.hpp"

namespace schism::check {
namespace {

constexpr std::uint64_t kStepsBetweenLooks = 2000;  // at the clock and for an interruption

class Stateless : public Search {
 public:
  bool reducing() const override { return true; }
  const DporOptions* divisible() const override {
    const bool races = options_.mode == Reduction::source || options_.mode == Reduction::optimal;
    return races ? nullptr : &options_;
  }

  Finished run(WorldModel& model, const Limits& limits, SearchTotals& totals) override {
    DporOptions options = options_;
    options.depth = limits.end();
    options.delays = limits.delays;
    options.from = limits.from;
    Dpor dpor(model, options);
    std::uint64_t next = 0;
    Orders orders;
    const Finished ending = dpor.run({[&](const Model&, const DporTotals& t, bool asleep) {
      if (options.reduces() && !asleep && !orders.trust(model)) return false;
      if (!limits.stop || t.steps < next) return true;
      next = t.steps + kStepsBetweenLooks;
      totals = totals_of(t);
      return !limits.stop(totals);
    }});
    totals = totals_of(dpor.totals());
    return ending;
  }

 protected:
  explicit Stateless(const DporOptions& options) : options_(options) {}
  DporOptions options_;
};

DporOptions options_of(Reduction mode, Order order, std::int64_t order_seed) {
  DporOptions out;
  out.mode = mode, out.order = order, out.order_seed = static_cast<std::uint64_t>(order_seed);
  return out;
}

class DporSearch final : public Stateless {
 public:
  struct Options {
    Reduction mode = Reduction::optimal;
    // Neighbouring runs of a depth-first search are alike; a scattered order meets bugs sooner.
    Order order = Order::hashed;
    std::int64_t order_seed = 1;
  };
  explicit DporSearch(const Options& o) : Stateless(options_of(o.mode, o.order, o.order_seed)) {}

  Status check(const Limits& limits) const override {
    if (limits.delays != kNever && options_.mode != Reduction::none)
      return error(
          "dpor: of runs that differ only in the order of independent steps one may need more "
          "delays than another, so delays cannot bound it; use prefix, dfs or bfs");
    const bool either = options_.mode == Reduction::sleep || options_.mode == Reduction::source;
    if (limits.depth > 0 && either)
      return error("dpor: with a depth, mode is optimal or none; --events bounds all modes");
    return {};
  }
};

// Go-MC (Appendix C) keeps a list of unexplored prefixes; a depth-first stack is the same set in an
// order that needs no memory.
class PrefixSearch final : public Stateless {
 public:
  struct Options {};
  explicit PrefixSearch(const Options&)
      : Stateless(options_of(Reduction::none, Order::oldest, 0)) {}
};

const Registration dpor =
    search<DporSearch>("dpor", "one run of each class, by partial order reduction")
        .param<&DporSearch::Options::mode>("mode", "how much it reduces")
        .param<&DporSearch::Options::order>("order", "which event a new run tries first")
        .param<&DporSearch::Options::order_seed>("order-seed", 0, 1'000'000'000,
                                                 "for order=hashed");
const Registration prefix =
    search<PrefixSearch>("prefix", "all interleavings, as Go-MC's prefix scheduler");

}  // namespace
}  // namespace schism::check
