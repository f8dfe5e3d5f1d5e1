// `random`: a weighted random walk over the enabled actions. Every pending event has the weight of
// its kind (timers: of their class), so a walk with many messages in flight delivers more often
// than it crashes nodes. Untimed: an armed timer is one more pending event.
#include "schism/schedule/faults.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/schedule/scheduler.hpp"
#include "schism/system/system.hpp"

namespace schism {
namespace {

class RandomScheduler final : public Scheduler {
 public:
  struct Options {
    std::int64_t deliver = 100, fire = 10, complete = 100, submit = 20;
    std::int64_t drop = 2, duplicate = 2, mutate = 2, omit = 2;
    std::int64_t crash = 1, restart = 10, pause = 1, resume = 10;
    std::int64_t cut = 1, heal = 5, partition = 1, disk_error = 1;
    Weights timers;
  };

  explicit RandomScheduler(const Options& options) : options_(options) {}

  TimeUse time_use() const override { return TimeUse::untimed; }
  bool plays(Do fault) const override { return fault != Do::inject; }

  Status check(const Setup& setup) const override {
    const auto names = setup.system->timer_names();
    for (const auto& [timer, weight] : options_.timers)
      if (std::find(names.begin(), names.end(), timer) == names.end())
        return error("{} has {}", setup.system->name, unknown_word("timer", timer, names));
    return {};
  }

  void begin(const Setup& setup, std::uint64_t seed) override {
    rng_ = Rng(seed);
    script_.clear();
    if (&setup.system->timer_weights != prepared_for_) weigh(*setup.system);
    // What can never be enabled in this run is not looked at in every step.
    const Faults& f = setup.options.faults;
    kinds_.clear();
    kinds_.push_back({Do::deliver, options_.deliver});
    add(setup.system->workload != nullptr, Do::submit, options_.submit);
    add(setup.options.disk == DiskUse::async, Do::complete, options_.complete);
    add(f.crash > 0, Do::restart, options_.restart);
    add(f.pause > 0, Do::resume, options_.resume);
    add(f.cut + f.partition > 0, Do::heal, options_.heal);
    progress_ = kinds_.size();
    add(f.drop > 0, Do::drop, options_.drop);
    add(f.duplicate > 0, Do::duplicate, options_.duplicate);
    add(f.mutate > 0, Do::mutate, options_.mutate);
    add(f.omit > 0, Do::omit, options_.omit);
    add(f.crash > 0, Do::crash, options_.crash);
    add(f.pause > 0, Do::pause, options_.pause);
    add(f.cut > 0, Do::cut, options_.cut);
    add(f.partition > 0, Do::begin, options_.partition);
  }

  Action next(World& world) override {
    if (!script_.empty()) return from_script();
    const Pending& pending = world.pending();
    const std::uint32_t messages = pending.deliverable.size();
    counts_[0] = kinds_[0].weight * messages;
    std::uint64_t total = counts_[0], progress = total;
    for (std::size_t i = 1; i < kinds_.size(); ++i) {
      counts_[i] = kinds_[i].weight * count(world, kinds_[i].kind);
      total += counts_[i];
      if (i < progress_) progress += counts_[i];
    }
    std::uint64_t fires = 0;
    if (pending.armed_total > 0)
      for (std::uint32_t t = 0; t < pending.timer_classes(); ++t)
        fires += timer_weights_[t] * pending.count_fire(t);
    if (progress + fires == 0) return {};  // what is left could only be faults

    // First the kind, then which of that kind: a second draw is cheaper than a division.
    std::uint64_t r = total + fires == counts_[0] ? 0 : rng_.below(total + fires);
    if (r < counts_[0]) return pending.nth_deliver(below(messages));
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      if (r < counts_[i]) return pick(world, kinds_[i].kind, below(count(world, kinds_[i].kind)));
      r -= counts_[i];
    }
    for (std::uint32_t t = 0;; ++t) {
      const std::uint64_t weight = timer_weights_[t] * pending.count_fire(t);
      if (r < weight) return pending.nth_fire(t, below(pending.count_fire(t)));
      r -= weight;
    }
  }

  std::uint32_t on_choice(World&, std::uint32_t n) override {
    return static_cast<std::uint32_t>(rng_.below(n));
  }

 private:
  struct Kind {
    Do kind;
    std::uint64_t weight;
    Kind(Do k, std::int64_t w) : kind(k), weight(static_cast<std::uint64_t>(w)) {}
  };

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(rng_.below(n)); }

  void weigh(const System& system) {
    prepared_for_ = &system.timer_weights;
    timer_weights_.clear();
    for (const std::string& name : system.timer_names()) {
      std::int64_t weight = options_.fire;
      if (auto own = system.timer_weights.find(name); own != system.timer_weights.end())
        weight = own->second;
      if (auto chosen = options_.timers.find(name); chosen != options_.timers.end())
        weight = chosen->second;
      timer_weights_.push_back(static_cast<std::uint64_t>(weight));
    }
  }

  void add(bool possible, Do kind, std::int64_t weight) {
    if (possible && weight > 0) kinds_.emplace_back(kind, weight);
  }

  // How many messages of liars could be delivered now; the i-th of them.
  static std::uint32_t from_liars(const World& world) {
    const Pending& pending = world.pending();
    std::uint32_t out = 0;
    for (std::uint32_t i = 0; i < pending.deliverable.size(); ++i)
      if (world.may_lie(pending.flights[pending.deliverable[i]].name.from())) ++out;
    return out;
  }
  static Action nth_of_liars(const World& world, std::uint32_t i) {
    const Pending& pending = world.pending();
    for (std::uint32_t at = 0;; ++at) {
      const Action action = pending.nth_deliver(at);
      if (world.may_lie(action.name.from()) && i-- == 0) return action;
    }
  }

  static std::uint32_t count(const World& world, Do kind) {
    const Pending& pending = world.pending();
    if (kind == Do::mutate) return pending.left.mutate > 0 ? from_liars(world) : 0;
    if (kind == Do::omit) return pending.left.omit > 0 ? from_liars(world) : 0;
    if (kind == Do::begin)
      return pending.left.partition > 0 && pending.severed.size() == 0 && pending.live.size() > 1;
    return pending.count(kind);
  }

  Action pick(World& world, Do kind, std::uint32_t i) {
    const Pending& pending = world.pending();
    switch (kind) {
      case Do::crash: return random_crash(world, pending.nth(kind, i), rng_);
      case Do::complete: {
        const Action ok = pending.nth(kind, i);
        if (pending.left.disk_error == 0 ||
            !rng_.chance(static_cast<double>(options_.disk_error) /
                         static_cast<double>(options_.complete + options_.disk_error)))
          return ok;
        return failing(ok);
      }
      case Do::mutate: {
        const Action message = nth_of_liars(world, i);
        const auto mutation = random_mutation(world, message, rng_);
        return mutation ? *mutation : message;
      }
      case Do::omit: {
        const Action message = nth_of_liars(world, i);
        return make_action(Do::omit, message.name, 0, message.hint);
      }
      case Do::begin: partition(world, *random_sides(world, rng_), script_); return from_script();
      case Do::heal:
        // A partition ends as it began, at once; a single cut link heals alone.
        if (pending.severed.size() > 1 && world.setup().options.faults.partition > 0) {
          heal_all(world, script_);
          return from_script();
        }
        return pending.nth(kind, i);
      default: return pending.nth(kind, i);
    }
  }

  Action from_script() {
    const Action action = script_.front();
    script_.pop_front();
    return action;
  }

  Options options_;
  Rng rng_;
  std::vector<Kind> kinds_;
  std::uint64_t counts_[16] = {};
  std::size_t progress_ = 0;  // kinds before this one keep a run going
  std::vector<std::uint64_t> timer_weights_;
  const void* prepared_for_ = nullptr;
  Script script_;
};

using O = RandomScheduler::Options;
const Registration registered =
    scheduler<RandomScheduler>("random", "a random walk over the enabled actions, by weight")
        .param<&O::deliver>("deliver", 0, 1'000'000, "weight of a message's delivery")
        .param<&O::fire>("fire", 0, 1'000'000, "weight of an armed timer")
        .param<&O::timers>("timer.*", "weight of timers of that class")
        .param<&O::complete>("complete", 1, 1'000'000, "weight of a disk operation's completion")
        .param<&O::submit>("submit", 0, 1'000'000, "weight of a client's next request")
        .param<&O::drop>("drop", 0, 1'000'000, "weight of losing a message")
        .param<&O::duplicate>("duplicate", 0, 1'000'000, "weight of duplicating a message")
        .param<&O::mutate>("mutate", 0, 1'000'000, "weight of changing a liar's message")
        .param<&O::omit>("omit", 0, 1'000'000, "weight of omitting a liar's message")
        .param<&O::crash>("crash", 0, 1'000'000, "weight of crashing a node")
        .param<&O::restart>("restart", 0, 1'000'000, "weight of restarting a node")
        .param<&O::pause>("pause", 0, 1'000'000, "weight of pausing a node")
        .param<&O::resume>("resume", 0, 1'000'000, "weight of resuming a node")
        .param<&O::cut>("cut", 0, 1'000'000, "weight of cutting a link")
        .param<&O::heal>("heal", 0, 1'000'000, "weight of healing a link, or the partition")
        .param<&O::partition>("partition", 0, 1'000'000, "weight of splitting the nodes in two")
        .param<&O::disk_error>("disk-error", 0, 1'000'000,
                               "weight of a completion that fails, against one that does not");

}  // namespace
}  // namespace schism
