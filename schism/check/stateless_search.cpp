// `dpor` and `prefix`: searches that store no states.
#include "schism/check/search.hpp"

namespace schism::check {
namespace {

constexpr std::uint64_t kStepsBetweenLooks = 2000;  // at the clock and for an interruption

class Stateless : public Search {
 public:
  bool reducing() const override { return true; }

  Finished run(WorldModel& model, const Limits& limits, SearchTotals& totals) override {
    DporOptions options = options_;
    options.depth = limits.depth > 0 ? limits.depth : limits.most;
    Dpor dpor(model, options);
    const auto copy = [&](const DporTotals& t) {
      totals.executions = t.executions, totals.cut = t.cut, totals.blocked = t.blocked;
      totals.steps = t.steps, totals.longest = t.longest, totals.wakeup_peak = t.wakeup_peak;
    };
    std::uint64_t next = 0;
    const Finished ending = dpor.run({[&](const Model&, const DporTotals& t, bool) {
      if (!limits.stop || t.steps < next) return true;
      next = t.steps + kStepsBetweenLooks;
      copy(t);
      return !limits.stop(totals);
    }});
    copy(dpor.totals());
    return ending;
  }

 protected:
  explicit Stateless(const DporOptions& options) : options_(options) {}
  DporOptions options_;
};

class DporSearch final : public Stateless {
 public:
  struct Options {
    Reduction mode = Reduction::optimal;
    // Neighbouring runs of a depth-first search are alike; a scattered order meets bugs sooner.
    Order order = Order::hashed;
    std::int64_t order_seed = 1;
  };
  explicit DporSearch(const Options& o)
      : Stateless({o.mode, o.order, static_cast<std::uint64_t>(o.order_seed), 0, {}}) {}

  Status check(std::uint32_t depth) const override {
    if (depth > 0 && (options_.mode == Reduction::sleep || options_.mode == Reduction::source))
      return error("dpor: with a depth, mode is optimal or none; --events bounds all modes");
    return {};
  }
};

// Go-MC (Appendix C) keeps a list of unexplored prefixes; a depth-first stack is the same set in an
// order that needs no memory.
class PrefixSearch final : public Stateless {
 public:
  struct Options {};
  explicit PrefixSearch(const Options&) : Stateless({Reduction::none, Order::oldest, 0, 0, {}}) {}
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
