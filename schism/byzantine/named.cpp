// `liar`: named ways to lie, each for all of a run, combinable: liar:silent=1,future=2. The number
// is a weight: every message of a liar meets one of them, or the truth. What a way needs of a
// protocol comes from the fields of its messages, and from the changes that the system declares.
// `plot` is how many of the runs have one (plot.hpp), beside the ways.
#include <algorithm>

#include "schism/byzantine/lies.hpp"
#include "schism/byzantine/lying.hpp"
#include "schism/byzantine/plot.hpp"
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
    std::int64_t nil_voter = 0, helper = 0, amnesiac = 0, old_disk = 0;
    std::int64_t plot = 0;
  };
  NamedLiar(const Options& options, std::vector<Child<Scheduler>> children)
      : Lying(std::move(children)), options_(options) {
    std::int64_t named = options_.plot;
    for (std::size_t i = 1; i < enum_count<Way>(); ++i) named += of(static_cast<Way>(i));
    if (named > 0) return;
    options_ = {options_.truth, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 7};
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
    Side side = Side::usual;
    if (plot_.begun() && !world.calm()) {  // which is a network that keeps nothing back
      const Plot::Phase& phase = plot_.see(world, flight);
      if (plot_.keeps(world, flight, phase))
        return world.hold(Do::deliver, slot, Holder::scheduler);
      if (lies && plot_.is_victim(flight.name.to())) return confide(world, slot, phase);
      side = phase.others;
    }
    if (!lies || side == Side::truth) return;
    if (side != Side::usual) return keep_dark(world, slot, side);
    usual(world, slot);
  }

 private:
  std::int64_t of(Way way) const {
    const std::int64_t all[] = {options_.truth,     options_.silent,       options_.choosy,
                                options_.two_faced, options_.double_voter, options_.future,
                                options_.forgetful, options_.boaster,      options_.archivist,
                                options_.declared,  options_.nil_voter,    options_.helper,
                                options_.amnesiac,  options_.old_disk};
    return all[static_cast<std::size_t>(way)];
  }

  // All messages of one broadcast are lied about in one way, with one seed; with two faces, and in
  // every other run, all messages of a type.
  void usual(World& world, std::uint32_t slot) {
    const Flight& flight = world.pending().flights[slot];
    const int type = flight.name.type();
    if (!about_[static_cast<std::size_t>(type)]) return;
    if (flight.group() == 0 || flight.group() != group_) {
      way_ = draw_way(type);
      seed_ = random_.next();
      if (begins_again(way_) && !random_.chance(kForgets)) way_ = Way::truth;
    }
    group_ = flight.group();
    const bool steady = steady_ && way_ != Way::archivist;
    const std::uint64_t seed = steady ? keyed(habit_, static_cast<std::uint64_t>(type) + 1) : seed_;
    if (const auto lie = lie_by(world, slot, way_, memory_, seed)) say(*lie);
    if (begins_again(way_)) way_ = Way::truth;  // once
  }

  void confide(World& world, std::uint32_t slot, const Plot::Phase& phase) {
    if (!phase.twice) return;
    const Flight& flight = world.pending().flights[slot];
    const Name name = flight.name;
    say(invention(world, name.from(), name.to(), name.type(),
                  flight.body->type->to_value(flight.body->content())));
  }

  void keep_dark(World& world, std::uint32_t slot, Side side) {
    const Flight& flight = world.pending().flights[slot];
    if (auto content = emptied(world, flight, plot_.seed_of(flight.name.type())))
      return say(mutation(world, slot, *std::move(content)));
    if (side == Side::dark) say(omission(world, slot));
  }

  // Who lies in every way about everything gets nowhere. A run has a plot; or one way; or a few of
  // them, how often it is truthful beside them, and the types of messages that it lies about; or
  // one way for each type: it helps with votes and forgets in reports.
  void draw_character(const Setup& setup) {
    weights_.assign(enum_count<Way>(), 0);
    settled_.clear();
    plot_.end();
    about_.assign(static_cast<std::size_t>(setup.system->message_count()), true);
    steady_ = random_.chance(0.5);
    habit_ = random_.next();
    std::int64_t all = 0;
    for (std::size_t i = 1; i < weights_.size(); ++i) all += of(static_cast<Way>(i));
    const auto whole = static_cast<std::uint64_t>(all + options_.plot);
    if (random_.below(whole) < static_cast<std::uint64_t>(options_.plot))
      plot_.begin(setup, random_.next());
    if (all == 0) return void(weights_[0] = 1);
    switch (random_.below(3)) {
      case 0: return pure();
      case 1: return mixed();
      default: return by_type();
    }
  }

  void pure() {
    for (std::size_t i = 1; i < weights_.size(); ++i) weights_[i] = of(static_cast<Way>(i));
    const Way only = draw_way(0);
    weights_.assign(weights_.size(), 0);
    weights_[static_cast<std::size_t>(only)] = 1;
    if (random_.chance(0.5)) some_types();
  }

  void mixed() {
    std::int64_t all = 0;
    for (std::size_t i = 1; i < weights_.size(); ++i) {
      const auto way = static_cast<Way>(i);
      if (way == Way::old_disk && of(way) == 0) continue;  // runs without it are as they were
      all += weights_[i] = random_.chance(0.3) ? of(way) : 0;
    }
    for (std::size_t i = 1; all == 0 && i < weights_.size(); ++i)
      weights_[i] = of(static_cast<Way>(i));
    static constexpr std::int64_t kTruths[] = {0, 1, 4, 20};
    weights_[0] = of(Way::truth) * kTruths[random_.below(4)];
    if (random_.chance(0.7)) some_types();
  }

  void by_type() {
    std::int64_t all = 0;
    for (std::size_t i = 1; i < weights_.size(); ++i) all += weights_[i] = of(static_cast<Way>(i));
    weights_[0] = of(Way::truth) > 0 ? all : 0;
    std::vector<Way> ways;
    for (std::size_t i = 0; i < about_.size(); ++i) ways.push_back(draw_way(0));
    settled_ = std::move(ways);
  }

  void some_types() {
    for (std::size_t i = 0; i < about_.size(); ++i) about_[i] = random_.chance(0.5);
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

  static bool begins_again(Way way) { return way == Way::amnesiac || way == Way::old_disk; }

  static constexpr double kForgets = 0.1;  // of the messages of who begins again

  Options options_;
  Rng random_{0};
  std::vector<std::int64_t> weights_;  // of the ways, in this run
  std::vector<bool> about_;            // a flag a type of messages
  std::vector<Way> settled_;           // a way a type; empty: drawn anew for each message
  bool steady_ = false;                // one seed a type, so that each half hears one story
  std::uint64_t habit_ = 0;
  LiarMemory memory_;
  Plot plot_;
  std::uint32_t group_ = 0;
  Way way_ = Way::truth;
  std::uint64_t seed_ = 0;
};

using O = NamedLiar::Options;
constexpr std::int64_t kMost = 1000;
const Registration registered =
    scheduler<NamedLiar>("liar",
                         "named ways to lie, by weight, over another scheduler (timed); all but "
                         "old-disk if none is named")
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
                             "a change that the system declares, to all")
        .param<&O::nil_voter>("nil-voter", std::int64_t{0}, kMost,
                              "votes for nothing, as the system declares it")
        .param<&O::helper>("helper", std::int64_t{0}, kMost,
                           "says what it should, and from some message on nothing")
        .param<&O::amnesiac>("amnesiac", std::int64_t{0}, kMost, "begins again, without its disk")
        .param<&O::old_disk>("old-disk", std::int64_t{0}, kMost,
                             "begins again, with its disk as it was after an earlier sync")
        .param<&O::plot>("plot", std::int64_t{0}, kMost,
                         "the network works for it: it confides in somebody whom nobody hears");

}  // namespace
}  // namespace schism::byzantine
