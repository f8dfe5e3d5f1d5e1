// A run as a learner plays it (chapter 4 of the BonusMaxRL thesis): few large steps instead of many
// small ones. In each the network is split into blocks, or stays as it is, and some ticks pass, in
// which messages within a block arrive in random order and others are lost; or a node crashes or
// comes back; or a client asks. Nodes are known by their colours, not by their numbers.
//
// It is a scheduler: each macro step is spelled out in primitive actions between labelled notes, so
// that whatever is found replays, shrinks and shows without it. Losses and crashes are free
// actions: its own bounds count them, not the run's budgets.
#pragma once

#include <optional>

#include "schism/coverage/coverage.hpp"
#include "schism/coverage/painter.hpp"
#include "schism/learn/options.hpp"
#include "schism/learn/policy.hpp"
#include "schism/learn/predicate.hpp"
#include "schism/learn/splits.hpp"
#include "schism/schedule/scheduler.hpp"

namespace schism::learn {

// The coverage whose keys reward; null: none does. An error where nobody may learn from it.
Result<std::unique_ptr<Coverage>> reward_of(const EnvironmentOptions& options);

class Environment final : public Scheduler {
 public:
  using Options = EnvironmentOptions;

  explicit Environment(const Options& options) : Environment(options, nullptr) {}
  // Without a policy of its own it takes any step.
  Environment(const Options& options, Policy* policy);

  TimeUse time_use() const override { return TimeUse::stepped; }
  bool plays(Do fault) const override { return fault == Do::drop || fault == Do::crash; }
  Manner manner() const override;
  Status check(const Setup& setup) const override;
  void begin(const Setup& setup, std::uint64_t seed) override;
  Action next(World& world) override;
  std::string report() const override;
  Watcher* watcher() override { return onlooker_.needed() ? &onlooker_ : nullptr; }
  std::uint32_t on_choice(World&, std::uint32_t n) override {
    return static_cast<std::uint32_t>(rng_.below(n));
  }

  const Options& options() const { return options_; }
  const Episode& episode() const { return episode_; }
  // Which of the predicates held at each moment of the episode: a bit each.
  const std::vector<std::uint64_t>& held() const { return held_; }
  const Sequence& sequence() const { return sequence_; }

 private:
  enum class Phase : std::uint8_t { between, ticking, over };

  // Who looks on at its runs: the coverage that rewards, and scripts that waypoints ask for.
  class Onlooker final : public Watcher {
   public:
    explicit Onlooker(Environment& own) : own_(own) {}
    bool needed() const { return own_.coverage_ || wakes_on() != 0; }
    std::string_view name() const override { return "a learner"; }
    EventMask wakes_on() const override;
    void begin(const World& world) override;
    void look(const World& world, std::span<const Event> events) override;
    void finish(const World& world, const Ending& ending) override;

   private:
    Environment& own_;
  };

  void read_lessons(const Setup& setup);
  bool meet(World& world);
  void look(const World& world);
  void make_offers(const World& world);
  void offer_splits();
  void offer_links();
  void offer_faults(const World& world);
  void offer_requests(const World& world);
  void show();
  Key seen_of(const World& world, NodeId id) const;
  Key blocks_key(std::span<const std::uint8_t> blocks) const;
  Key links_key(std::uint32_t links) const;
  std::uint32_t link_bit(NodeId from, NodeId to) const;
  bool connected(NodeId from, NodeId to) const;
  void take(World& world, const Offer& offer);
  void change(const Offer& offer);
  void label(World& world, const Offer& offer);
  void plan_tick(const World& world);
  std::optional<Action> find_twin(const Pending& pending) const;
  void plan_deliveries(const World& world);
  void plan_timers(const World& world);
  Action from_script() { return script_[next_++]; }

  Options options_;
  RandomPolicy any_;
  Policy* policy_;
  const System* system_ = nullptr;
  Micros tick_ = 0;
  int ticks_ = 0;
  bool scripted_ = false, whole_ = false;  // whole: nobody is cut off, because services are nodes
  std::optional<Predicate> bound_;
  std::vector<std::pair<const TypeInfo*, Where>> asked_;
  std::vector<std::pair<const TypeInfo*, std::vector<Path>>> sees_;  // a class each
  Sequence sequence_;
  std::unique_ptr<Coverage> coverage_;
  Onlooker onlooker_;

  Rng rng_;
  Phase phase_ = Phase::between;
  int ticks_left_ = 0;
  bool first_tick_ = false, delivers_ = true, firing_ = false;
  std::vector<Action> script_;
  std::size_t next_ = 0;
  Episode episode_;
  std::vector<std::uint64_t> held_;
  std::size_t shown_ = 0;  // keys of the coverage that the episode has

  // Of the present state.
  std::vector<std::uint8_t> block_;     // by node
  std::uint32_t links_ = 0;             // that are up, a bit each; where links are chosen
  std::vector<std::uint64_t> hues_;     // by node: its colour
  std::vector<std::uint64_t> colours_;  // by node: what a learner sees of it
  std::vector<NodeId> sorted_;          // live nodes by colour, equal ones in random order
  std::vector<std::uint64_t> sorted_colours_;
  std::vector<std::uint8_t> sorted_blocks_;
  Key before_ = 0;  // the coloured blocks of the last moment
  std::int64_t same_ = 0, requests_left_ = 0, crashes_left_ = 0;

  Painter painter_;
  Palette palette_;
  Splits splits_;
  std::vector<Paint> paints_;
  std::vector<std::uint64_t> types_;
  std::vector<Action> batch_;
  std::vector<std::pair<Micros, Action>> due_;
};

}  // namespace schism::learn
