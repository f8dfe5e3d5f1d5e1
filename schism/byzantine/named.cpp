// `liar`: named ways to lie, each for all of a run, combinable: liar:silent=1,future=2. The number
// is a weight: every message of a liar meets one of them, or the truth. What a way needs of a
// protocol comes from the fields of its messages, and from the changes that the system declares.
#include <algorithm>

#include "schism/byzantine/lies.hpp"
#include "schism/byzantine/lying.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/system/system.hpp"

namespace schism::byzantine {
namespace {

class NamedLiar final : public Lying {
 public:
  struct Options {
    std::int64_t truth = 2, silent = 0, choosy = 0, two_faced = 0, double_voter = 0, future = 0;
    std::int64_t forgetful = 0, archivist = 0, declared = 0;
  };
  NamedLiar(const Options& options, std::vector<Child<Scheduler>> children)
      : Lying(std::move(children)), options_(options) {
    if (of(Way::silent) + of(Way::choosy) + of(Way::two_faced) + of(Way::double_voter) +
            of(Way::future) + of(Way::forgetful) + of(Way::archivist) + of(Way::declared) ==
        0)
      options_.silent = options_.choosy = options_.two_faced = options_.double_voter =
          options_.future = options_.forgetful = options_.archivist = options_.declared = 1;
  }

 protected:
  void begin_lying(const Setup& setup, std::uint64_t seed) override {
    random_ = Rng(seed);
    heard_.clear();
    group_ = 0;
    half_.assign(static_cast<std::size_t>(setup.nodes), false);
    for (std::size_t i = 0; i < half_.size(); ++i) half_[i] = random_.chance(0.5);
    draw_character(setup);
  }

  void sent(World& world, std::uint32_t slot, bool lies) override {
    const Flight& flight = world.pending().flights[slot];
    if (world.liar(flight.name.to()) || lies) keep(flight);
    if (!lies || !about_[static_cast<std::size_t>(flight.name.type())]) return;
    // All messages of one broadcast are lied about in one way, with one seed.
    if (flight.group() == 0 || flight.group() != group_) {
      way_ = draw_way();
      seed_ = random_.next();
    }
    group_ = flight.group();
    tell(world, slot);
  }

 private:
  enum class Way : std::uint8_t {
    truth,
    silent,
    choosy,
    two_faced,
    double_voter,
    future,
    forgetful,
    archivist,
    declared
  };
  struct Kept {
    int type;
    Value content;
  };
  static constexpr std::size_t kKept = 64;
  static constexpr std::int64_t kShifts[] = {1, 2, -1};

  std::int64_t of(Way way) const {
    const std::int64_t all[] = {options_.truth,     options_.silent,       options_.choosy,
                                options_.two_faced, options_.double_voter, options_.future,
                                options_.forgetful, options_.archivist,    options_.declared};
    return all[static_cast<std::size_t>(way)];
  }

  // Who lies in every way about everything gets nowhere. A run has a few of the ways, how often it
  // is truthful beside them, and the types of messages that it lies about.
  void draw_character(const Setup& setup) {
    weights_.assign(static_cast<std::size_t>(Way::declared) + 1, 0);
    std::int64_t all = 0;
    for (std::size_t i = 1; i < weights_.size(); ++i)
      all += weights_[i] = random_.chance(0.4) ? of(static_cast<Way>(i)) : 0;
    for (std::size_t i = 1; all == 0 && i < weights_.size(); ++i)
      weights_[i] = of(static_cast<Way>(i));
    static constexpr std::int64_t kTruths[] = {0, 1, 4, 20};
    weights_[0] = of(Way::truth) * kTruths[random_.below(4)];
    about_.assign(static_cast<std::size_t>(setup.system->message_count()), true);
    if (random_.chance(0.7))
      for (std::size_t i = 0; i < about_.size(); ++i) about_[i] = random_.chance(0.5);
  }

  Way draw_way() {
    std::int64_t all = 0;
    for (const std::int64_t weight : weights_) all += weight;
    auto left = static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(all)));
    for (std::size_t i = 0;; ++i) {
      left -= weights_[i];
      if (left < 0) return static_cast<Way>(i);
    }
  }

  // What a liar has sent or will have received, to be shown again.
  void keep(const Flight& flight) {
    Kept kept{flight.name.type(), flight.body->type->to_value(flight.body->content())};
    if (heard_.size() < kKept) heard_.push_back(std::move(kept));
    else heard_[random_.below(kKept)] = std::move(kept);
  }

  static std::optional<Value> same(const Flight& flight) {
    return flight.body->type->to_value(flight.body->content());
  }

  // Something else that could have been said in its place.
  std::optional<Value> another(const World& world, const Flight& flight) const {
    if (seed_ % 3 != 0)
      for (std::size_t i = 0; i < heard_.size(); ++i) {
        const Kept& old = heard_[(seed_ / 3 + i) % heard_.size()];
        if (old.type != flight.name.type()) continue;
        if (auto content = blended(world, flight, old.content, seed_)) return content;
      }
    return lie_about(world, flight, Scope::near, seed_);
  }

  void tell(World& world, std::uint32_t slot) {
    const Flight& flight = world.pending().flights[slot];
    const bool other_half = half_[static_cast<std::size_t>(flight.name.to())];
    std::optional<Value> content;
    switch (way_) {
      case Way::truth: return;
      case Way::silent: return say(omission(world, slot));
      case Way::choosy:
        if (other_half) say(omission(world, slot));
        return;
      case Way::two_faced:
        if (other_half) content = another(world, flight);
        break;
      case Way::double_voter:
        if (auto second = seed_ % 2 == 0 ? another(world, flight) : same(flight))
          say(invention(world, flight.name.from(), flight.name.to(), flight.name.type(),
                        *std::move(second)));
        return;
      case Way::future: content = shifted(world, flight, seed_ >> 8, kShifts[seed_ % 3]); break;
      case Way::forgetful: content = shortened(world, flight, seed_); break;
      case Way::archivist: {
        const Kept& old = heard_[seed_ % heard_.size()];
        return say(invention(world, flight.name.from(), flight.name.to(), old.type, old.content));
      }
      case Way::declared: content = lie_about(world, flight, Scope::near, seed_); break;
    }
    if (content) say(mutation(world, slot, *std::move(content)));
  }

  Options options_;
  Rng random_{0};
  std::vector<std::int64_t> weights_;  // of the ways, in this run
  std::vector<bool> about_;            // a flag a type of messages
  std::vector<bool> half_;
  std::vector<Kept> heard_;
  std::uint32_t group_ = 0;
  Way way_ = Way::truth;
  std::uint64_t seed_ = 0;
};

using O = NamedLiar::Options;
constexpr std::int64_t kMost = 1000;
const Registration registered =
    scheduler<NamedLiar>("liar",
                         "named ways to lie, by weight, over another scheduler (timed); all if "
                         "none is named")
        .children(schedulers(), "scheduler", 0, 1)
        .param<&O::truth>("truth", std::int64_t{0}, kMost, "says what it should")
        .param<&O::silent>("silent", std::int64_t{0}, kMost, "says nothing")
        .param<&O::choosy>("choosy", std::int64_t{0}, kMost, "says nothing to one half")
        .param<&O::two_faced>("two-faced", std::int64_t{0}, kMost, "says another thing to one half")
        .param<&O::double_voter>("double-voter", std::int64_t{0}, kMost,
                                 "says it twice, or another thing beside it")
        .param<&O::future>("future", std::int64_t{0}, kMost,
                           "a number is one or two more, or one less")
        .param<&O::forgetful>("forgetful", std::int64_t{0}, kMost, "leaves out of a list")
        .param<&O::archivist>("archivist", std::int64_t{0}, kMost,
                              "shows again what it sent or received")
        .param<&O::declared>("declared", std::int64_t{0}, kMost,
                             "a change that the system declares, to all");

}  // namespace
}  // namespace schism::byzantine
