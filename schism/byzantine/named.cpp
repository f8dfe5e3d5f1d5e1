// `liar`: named ways to lie, each for all of a run, combinable: liar:silent=1,future=2. The number
// is a weight: every message of a liar meets one of them, or the truth. What a way needs of a
// protocol comes from the fields of its messages, and from the changes that the system declares.
#include <algorithm>

#include "schism/byzantine/lying.hpp"
#include "schism/byzantine/ways.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/system/system.hpp"

namespace schism::byzantine {
namespace {

class NamedLiar final : public Lying {
 public:
  struct Options {
    std::int64_t truth = 2, silent = 0, choosy = 0, two_faced = 0, double_voter = 0, future = 0;
    std::int64_t forgetful = 0, boaster = 0, archivist = 0, declared = 0;
  };
  NamedLiar(const Options& options, std::vector<Child<Scheduler>> children)
      : Lying(std::move(children)), options_(options) {
    std::int64_t named = 0;
    for (std::size_t i = 1; i < enum_count<Way>(); ++i) named += of(static_cast<Way>(i));
    if (named > 0) return;
    options_ = {options_.truth, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  }

 protected:
  void begin_lying(const Setup& setup, std::uint64_t seed) override {
    random_ = Rng(seed);
    memory_.begin(setup, random_.next());
    group_ = 0;
    draw_character(setup);
  }

  void sent(World& world, std::uint32_t slot, bool lies) override {
    const Flight& flight = world.pending().flights[slot];
    memory_.keep(world, flight);
    if (!lies || !about_[static_cast<std::size_t>(flight.name.type())]) return;
    // All messages of one broadcast are lied about in one way, with one seed.
    if (flight.group() == 0 || flight.group() != group_) {
      way_ = draw_way(flight.name.type());
      seed_ = random_.next();
    }
    group_ = flight.group();
    if (const auto lie = lie_by(world, slot, way_, memory_, seed_)) say(*lie);
  }

 private:
  std::int64_t of(Way way) const {
    const std::int64_t all[] = {options_.truth,     options_.silent,       options_.choosy,
                                options_.two_faced, options_.double_voter, options_.future,
                                options_.forgetful, options_.boaster,      options_.archivist,
                                options_.declared};
    return all[static_cast<std::size_t>(way)];
  }

  // Who lies in every way about everything gets nowhere. A run has a few of the ways, how often it
  // is truthful beside them, and the types of messages that it lies about.
  void draw_character(const Setup& setup) {
    weights_.assign(enum_count<Way>(), 0);
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
    // In every third run it has one way for each type: it helps with votes and forgets in reports.
    settled_.clear();
    if (!random_.chance(0.33)) return;
    all = 0;
    for (std::size_t i = 1; i < weights_.size(); ++i) all += weights_[i] = of(static_cast<Way>(i));
    weights_[0] = of(Way::truth) > 0 ? all : 0;
    std::vector<Way> ways;
    for (std::size_t i = 0; i < about_.size(); ++i) ways.push_back(draw_way(0));
    settled_ = std::move(ways);
  }

  Way draw_way(int type) {
    if (!settled_.empty()) return settled_[static_cast<std::size_t>(type)];
    std::int64_t all = 0;
    for (const std::int64_t weight : weights_) all += weight;
    auto left = static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(all)));
    for (std::size_t i = 0;; ++i) {
      left -= weights_[i];
      if (left < 0) return static_cast<Way>(i);
    }
  }

  Options options_;
  Rng random_{0};
  std::vector<std::int64_t> weights_;  // of the ways, in this run
  std::vector<bool> about_;            // a flag a type of messages
  std::vector<Way> settled_;           // a way a type; empty: drawn anew for each message
  LiarMemory memory_;
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
        .param<&O::boaster>("boaster", std::int64_t{0}, kMost, "a number is much more")
        .param<&O::archivist>("archivist", std::int64_t{0}, kMost,
                              "shows again what it sent or received")
        .param<&O::declared>("declared", std::int64_t{0}, kMost,
                             "a change that the system declares, to all");

}  // namespace
}  // namespace schism::byzantine
