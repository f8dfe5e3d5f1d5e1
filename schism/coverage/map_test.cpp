// The map against a std::map, the set of a run's keys against a std::set, and the book: who was
// first in the order of the plans has found it.
#include "schism/coverage/map.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <csignal>
#include <map>
#include <set>

#include "schism/coverage/book.hpp"
#include "schism/coverage/key_set.hpp"
#include "schism/guard/child.hpp"
#include "schism/run/config.hpp"

namespace schism {
namespace {

std::uint64_t key_of(std::uint64_t n) { return mix64(n) & ~Coverage::kTagMask; }

RC_GTEST_PROP(KeySetOf, ARunIsASetThatForgetsItsLast, (const std::vector<std::uint8_t>& adds)) {
  KeySet keys;
  std::set<std::uint64_t> seen;
  std::vector<std::uint64_t> order;
  for (const std::uint8_t n : adds) {
    const bool fresh = seen.insert(key_of(n)).second;
    RC_ASSERT(keys.add(key_of(n)) == fresh);
    if (fresh) order.push_back(key_of(n));
  }
  RC_ASSERT(std::equal(order.begin(), order.end(), keys.keys().begin(), keys.keys().end()));
  const std::size_t left = order.size() / 2;
  keys.shrink(left);
  for (std::size_t i = 0; i < order.size(); ++i) RC_ASSERT(keys.add(order[i]) == (i >= left));
}

TEST(KeySetOf, AnyNumberForgetsNone) {
  KeySet keys;
  for (std::uint64_t n = 0; n < 20'000; ++n) ASSERT_TRUE(keys.add(key_of(n)));
  for (std::uint64_t n = 0; n < 20'000; ++n) ASSERT_FALSE(keys.add(key_of(n))) << n;
  EXPECT_EQ(keys.keys().size(), 20'000U);
}

RC_GTEST_PROP(CoverageMapOf, AHuntCountsUpToOften, (const std::vector<std::uint8_t>& adds)) {
  CoverageMap map(9);
  std::map<std::uint64_t, std::uint64_t> slow;
  for (const std::uint8_t n : adds) {
    const std::uint64_t before = std::min(slow[key_of(n)]++, CoverageMap::kOften);
    RC_ASSERT(map.count(key_of(n)) == before);
    RC_ASSERT(map.add(key_of(n)) == before);
  }
  RC_ASSERT(map.keys() == slow.size());
  CoverageMap again(9);
  RC_ASSERT(bool(again.load(map.save())));
  RC_ASSERT(again.keys() == slow.size());
  for (const auto& [key, count] : slow)
    RC_ASSERT(again.count(key) == std::min(count, CoverageMap::kOften));
}

TEST(CoverageMap, TakesNoMoreWhenItIsFull) {
  CoverageMap map(CoverageMap::kBitsMin);
  std::uint64_t n = 0;
  while (!map.full()) EXPECT_EQ(map.add(key_of(n++)), 0U);
  EXPECT_EQ(map.keys(), map.places() - map.places() / 8);
  EXPECT_EQ(map.add(key_of(n)), CoverageMap::kOften) << "nobody knows whether it is new";
  EXPECT_EQ(map.count(key_of(n)), 0U);
  EXPECT_EQ(map.add(key_of(0)), 1U) << "what is known is counted on";
  EXPECT_FALSE(map.load("nonsense"));
}

TEST(CoverageMap, IsReadAndNotWrittenElsewhere) {
  CoverageMap map(10);
  map.add(key_of(1));
  map.protect();  // its maker may still write
  map.add(key_of(1));
  guard::Child reads([&](int) {
    map.protect();
    ::_exit(map.count(key_of(1)) == 2 ? 7 : 8);
  });
  EXPECT_EQ(WEXITSTATUS(reads.wait()), 7);
  guard::Child writes([&](int) {
    ::signal(SIGSEGV, SIG_DFL);  // a sanitizer would end the process in its own way
    map.protect();
    map.add(key_of(2));
    ::_exit(7);
  });
  EXPECT_TRUE(WIFSIGNALED(writes.wait()));
  EXPECT_EQ(map.keys(), 1U);
}

// As a map is written, without looking at what is in it.
struct SavedMap {
  std::vector<std::uint64_t> places;
  FIELDS(places)
};

TEST(CoverageMap, ReadsBackOnlyWhatAMapCanHave) {
  CoverageMap large(CoverageMap::kBitsMin + 1), small(CoverageMap::kBitsMin);
  for (std::uint64_t n = 0; !large.full(); ++n) large.add(key_of(n));
  EXPECT_FALSE(small.load(large.save())) << "more keys than places";
  SavedMap saved;
  saved.places = {key_of(1) | 1, key_of(2) | 3};
  EXPECT_TRUE(small.load(encode(saved)));
  EXPECT_EQ(small.count(key_of(2)), 3U);
  saved.places = {key_of(1) | 1, key_of(1) | 2};
  EXPECT_FALSE(small.load(encode(saved))) << "a key twice";
  saved.places = {key_of(1)};
  EXPECT_FALSE(small.load(encode(saved))) << "seen not once";
}

// By a list of all runs.
TEST(BookOf, AHuntKnowsWhatShareOfTheLastRunsWasNew) {
  NewsShare share;
  std::vector<bool> all;
  Rng random(6);
  for (int i = 0; i < 3000; ++i) {
    all.push_back(random.chance(i < 1500 ? 0.8 : 0.2));
    share.add(all.back());
    const std::size_t last = std::min<std::size_t>(all.size(), share.runs());
    ASSERT_EQ(share.share(), static_cast<double>(std::count(
                                 all.end() - static_cast<std::ptrdiff_t>(last), all.end(), true)) /
                                 static_cast<double>(last));
  }
  EXPECT_LT(share.runs(), 1500U) << "only the last ones";
}

// Asked when everything is registered.
std::uint64_t colours() { return tag_of("colours"); }
std::uint64_t events() { return tag_of("events"); }
const schism::Setup kSetup;

TEST(BookOf, AHuntSettlesWhoWasFirst) {
  const auto book = Book::open({{"colours"}, {"events"}}, kSetup);
  ASSERT_TRUE(book) << book.error();
  const auto run = [&](std::vector<std::uint64_t> keys) {
    RunResult result;
    result.fresh = std::move(keys);
    (*book)->settle(result);
    return std::pair(result.fresh, result.rare);
  };
  using Keys = std::vector<std::uint64_t>;
  const std::uint64_t a = key_of(1) | colours(), b = key_of(1) | events();
  EXPECT_EQ(run({a}), std::pair(Keys{a}, Keys{}));
  EXPECT_EQ(run({a, b}), std::pair(Keys{b}, Keys{a})) << "each coverage has its own";
  EXPECT_EQ(run({}), std::pair(Keys{}, Keys{}));
  const std::uint64_t unknown = key_of(1) | Coverage::kTagMask;
  EXPECT_EQ(run({unknown}), std::pair(Keys{}, Keys{}));
  const auto covered = (*book)->covered();
  ASSERT_EQ(covered.size(), 2U);
  EXPECT_EQ(covered[0].name, "colours");
  EXPECT_EQ(covered[0].keys, 1U);
  EXPECT_EQ(covered[0].share, 0.25);
  EXPECT_EQ(covered[0].curve.front(), (std::pair<std::uint64_t, std::uint64_t>{1, 1}));
  EXPECT_EQ(covered[0].curve.back().first, 4U);
  EXPECT_EQ(covered[1].curve.front(), (std::pair<std::uint64_t, std::uint64_t>{1, 0}));
}

// Watches nothing, and has seen what it is told.
class Seen final : public Coverage {
 public:
  explicit Seen(const std::vector<std::uint64_t>& keys) {
    for (const std::uint64_t key : keys) see(key);
  }
  EventMask wakes_on() const override { return 0; }

 private:
  void start(const World&) override {}
};

// What a run reports: what nobody showed before, what few did, and of which coverage it is.
TEST(BookOf, AHuntIsToldWhatIsNewAndWhatIsRare) {
  const auto book = Book::open({{"colours"}, {"events"}}, kSetup);
  const auto report = [&](const std::vector<std::uint64_t>& of_colours,
                          const std::vector<std::uint64_t>& of_events) {
    std::vector<std::unique_ptr<Coverage>> run;
    run.push_back(std::make_unique<Seen>(of_colours));
    run.push_back(std::make_unique<Seen>(of_events));
    RunResult result;
    (*book)->report(run, result);
    return result;
  };
  RunResult first = report({key_of(1)}, {key_of(1), key_of(2)});
  EXPECT_EQ(first.fresh, (std::vector<std::uint64_t>{key_of(1) | colours(), key_of(1) | events(),
                                                     key_of(2) | events()}));
  EXPECT_TRUE(first.rare.empty());
  (*book)->settle(first);
  const RunResult second = report({key_of(2)}, {key_of(2)});
  EXPECT_EQ(second.fresh, std::vector<std::uint64_t>{key_of(2) | colours()});
  EXPECT_EQ(second.rare, std::vector<std::uint64_t>{key_of(2) | events()});
  for (std::uint64_t i = 1; i < CoverageMap::kOften; ++i) {
    RunResult again = report({}, {key_of(2)});
    (*book)->settle(again);
  }
  EXPECT_TRUE(report({}, {key_of(2)}).rare.empty()) << "often enough";
}

TEST(BookOf, AHuntGoesOnAfterItWasSaved) {
  const auto one = Book::open({{"colours"}}, kSetup), two = Book::open({{"colours"}}, kSetup);
  const auto other = Book::open({{"events"}}, kSetup);
  Rng random(3);
  const auto draw = [&] {
    RunResult result;
    for (int i = 0; i < 5; ++i) result.fresh.push_back(key_of(random.below(400)) | colours());
    std::sort(result.fresh.begin(), result.fresh.end());
    result.fresh.erase(std::unique(result.fresh.begin(), result.fresh.end()), result.fresh.end());
    return result;
  };
  for (int i = 0; i < 1500; ++i) {
    RunResult result = draw();
    (*one)->settle(result);
  }
  ASSERT_TRUE((*two)->load((*one)->save()));
  EXPECT_FALSE((*other)->load((*one)->save())) << "another coverage";
  for (int i = 0; i < 500; ++i) {
    RunResult a = draw(), b = a;
    EXPECT_EQ((*one)->settle(a), (*two)->settle(b));
    EXPECT_EQ(a.fresh, b.fresh);
    EXPECT_EQ(a.rare, b.rare);
  }
  EXPECT_EQ((*one)->save(), (*two)->save());
}

}  // namespace
}  // namespace schism
