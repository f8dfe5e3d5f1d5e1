// `mix`: every run is played by one of several schedulers, drawn from the run's seed. Strategies
// find different bugs, and nobody knows beforehand which one a bug needs (swarm testing: Groce et
// al., ISSTA 2012). The one that is drawn gets the run's own seed, so run s of mix(random;pos) is
// run s of `random` or run s of `pos`, and what it finds can be had again without the mix.
#include <algorithm>
#include <numeric>

#include "schism/schedule/registry.hpp"
#include "schism/schedule/scheduler.hpp"

namespace schism {
namespace {

class Mix final : public Scheduler {
 public:
  struct Options {
    std::vector<std::int64_t> weights;
  };

  Mix(const Options& options, std::vector<Child<Scheduler>> children)
      : weights_(options.weights), children_(std::move(children)) {
    if (children_.empty())
      for (const char* name : {"random", "pctcp", "pos"})
        children_.push_back({{name}, std::move(*schedulers().make({name}, "scheduler"))});
    if (weights_.empty()) weights_.assign(children_.size(), 1);
    for (const auto& child : children_) {
      sees_pending_ |= child.made->sees_pending();
      own_key_ = mix64(own_key_ ^ hash_text(print_spec(child.spec)));
    }
    player_ = children_[0].made.get();
  }

  TimeUse time_use() const override { return children_[0].made->time_use(); }

  bool plays(Do fault) const override {
    return std::any_of(children_.begin(), children_.end(),
                       [&](const auto& child) { return child.made->plays(fault); });
  }

  Status check(const Setup& setup) const override {
    if (weights_.size() != children_.size())
      return error("mix: {} weights for {} schedulers", weights_.size(), children_.size());
    if (*std::min_element(weights_.begin(), weights_.end()) < 0 || total() == 0)
      return error("mix: weights are 0 or more, and not all 0");
    for (const auto& child : children_) {
      if (child.made->time_use() != time_use())
        return error("mix: {} is {} and {} is {}: all must use time alike", children_[0].spec.name,
                     enum_name(time_use()), child.spec.name, enum_name(child.made->time_use()));
      if (auto good = child.made->check(setup); !good) return good;
    }
    return {};
  }

  // What any of them may be: which one it is, is known when a run is.
  Manner manner() const override {
    Manner out{0, false, false, false};
    bool as_the_system_says = false;
    for (const auto& child : children_) {
      const Manner own = child.made->manner();
      as_the_system_says |= own.steps == 0;
      out.steps = std::max(out.steps, own.steps);
      out.tail |= own.tail;
      out.scripted |= own.scripted;
      out.twins |= own.twins;
    }
    if (as_the_system_says) out.steps = 0;
    return out;
  }
  double price() const override {
    double sum = 0;
    for (std::size_t i = 0; i < children_.size() && i < weights_.size(); ++i)
      sum += static_cast<double>(weights_[i]) * children_[i].made->price();
    return total() > 0 ? sum / static_cast<double>(total()) : 1;
  }
  void heed(std::string_view policy) override {
    for (const auto& child : children_) child.made->heed(policy);
  }
  void prepare(const RunPlan& plan) override {
    draw(plan.seed);
    player_->prepare(plan);
  }
  std::string report() const override { return player_->report(); }
  Watcher* watcher() override { return player_->watcher(); }
  Liar* liar() override { return player_->liar(); }
  EventMask listens_to() const override { return player_->listens_to(); }
  Scheduler& in_tail(Scheduler& tail) override { return player_->in_tail(tail); }

  void begin(const Setup& setup, std::uint64_t seed) override {
    draw(seed);
    player_->begin(setup, seed);
  }

  Action next(World& world) override { return player_->next(world); }
  bool sees_pending() const override { return sees_pending_; }
  void on_pending(World& world, Do kind, std::uint32_t slot) override {
    if (player_sees_pending_) player_->on_pending(world, kind, slot);
  }
  std::uint32_t on_choice(World& world, std::uint32_t n) override {
    return player_->on_choice(world, n);
  }

 private:
  void draw(std::uint64_t seed) {
    std::uint64_t r = scale_below(keyed(seed, own_key_), total());
    std::size_t i = 0;
    while (r >= static_cast<std::uint64_t>(weights_[i]))
      r -= static_cast<std::uint64_t>(weights_[i++]);
    player_ = children_[i].made.get();
    player_sees_pending_ = player_->sees_pending();
  }

  std::uint64_t total() const {
    return static_cast<std::uint64_t>(
        std::accumulate(weights_.begin(), weights_.end(), std::int64_t{0}));
  }

  std::vector<std::int64_t> weights_;
  std::vector<Child<Scheduler>> children_;
  Scheduler* player_;          // of this run
  std::uint64_t own_key_ = 0;  // a mix in a mix draws for itself
  bool sees_pending_ = false, player_sees_pending_ = false;
};

const Registration registered =
    scheduler<Mix>("mix",
                   "each run by one of several schedulers, drawn from its seed: those in "
                   "parentheses, else random, pctcp and pos")
        .children(schedulers(), "scheduler", 0, 100)
        .param<&Mix::Options::weights>("weights",
                                       "how often each is drawn, such as 3/1/1; none: all alike");

}  // namespace
}  // namespace schism
