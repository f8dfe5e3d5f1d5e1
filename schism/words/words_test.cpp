// Names and actions keep what they were made of, up to the last bit; deaths say what they know.
#include <gtest/gtest.h>

#include "schism/base/random.hpp"
#include "schism/words/action.hpp"
#include "schism/words/death.hpp"

namespace schism {
namespace {

struct Parts {
  int from, to, type;
  std::uint32_t nth;
  int copy;
};

Parts any_parts(Rng& rng) {
  const auto edge = [&](int most) {  // often one of the ends
    if (rng.chance(0.3)) return rng.chance(0.5) ? 0 : most - 1;
    return static_cast<int>(rng.below(static_cast<std::uint64_t>(most)));
  };
  return {edge(kNodesMax), edge(kNodesMax), edge(kTypesMax),
          static_cast<std::uint32_t>(edge(1 << 28)), edge(kCopiesMax)};
}

TEST(Names, KeepWhatTheyWereMadeOf) {
  Rng rng(1);
  for (int i = 0; i < 10'000; ++i) {
    const Parts p = any_parts(rng);
    const Name name(p.from, p.to, p.type, p.nth, p.copy);
    ASSERT_EQ(name.from(), p.from);
    ASSERT_EQ(name.to(), p.to);
    ASSERT_EQ(name.type(), p.type);
    ASSERT_EQ(name.nth(), p.nth);
    ASSERT_EQ(name.copy(), p.copy);
    ASSERT_EQ(Name(name.bits()), name);
  }
}

TEST(Names, OfRenamedNodesAreRenamed) {
  const Renaming r{{2, 0, 1}, {5, 4, 3}};
  const Name name(0, 1, 7, 9, 2);
  EXPECT_EQ(renamed_message(name, r), Name(2, 0, 7, 9, 2));
  EXPECT_EQ(renamed_request(name, r), Name(5, 1, 7, 9, 2));
  EXPECT_EQ(renamed_message(Name(8, 9, 0, 0), r), Name(8, 9, 0, 0));
}

TEST(Actions, AreTheSameOnlyInEverythingButTheirHint) {
  Rng rng(2);
  for (int i = 0; i < 1000; ++i) {
    const Parts p = any_parts(rng);
    const Name name(p.from, p.to, p.type, p.nth, p.copy);
    const auto arg = static_cast<std::uint32_t>(rng.below(kArgMax + 1ULL));
    const Action a = make_action(Do::deliver, name, arg, 1);
    ASSERT_EQ(a.arg(), arg);
    EXPECT_EQ(a, make_action(Do::deliver, name, arg, 2));
    EXPECT_FALSE(a == make_action(Do::drop, name, arg, 1));
    EXPECT_FALSE(a == make_action(Do::deliver, Name(name.bits() ^ 1), arg, 1));
    EXPECT_FALSE(a == make_action(Do::deliver, name, arg ^ 1U, 1));
    EXPECT_FALSE(a == make_action(Do::deliver, name, arg ^ (1U << 20), 1));
  }
}

TEST(Actions, SayWhereTheyHappen) {
  const Name name(3, 5, 1, 0);
  EXPECT_EQ(place_of(make_action(Do::deliver, name)), 5);
  EXPECT_EQ(place_of(make_action(Do::submit, name, 7)), 7);
  for (const Do kind : {Do::fire, Do::complete, Do::crash, Do::restart, Do::pause, Do::resume})
    EXPECT_EQ(place_of(make_action(kind, name)), 3);
  for (const Do kind : {Do::drop, Do::cut, Do::heal, Do::calm, Do::begin, Do::advance})
    EXPECT_EQ(place_of(make_action(kind, name)), -1);
}

TEST(Actions, SayWhatACrashKeeps) {
  for (std::uint32_t kept = 0; kept < 100; ++kept)
    for (const bool torn : {false, true}) {
      const CrashOutcome again = CrashOutcome::of(CrashOutcome{kept, torn}.arg());
      EXPECT_EQ(again.kept, kept);
      EXPECT_EQ(again.torn, torn);
    }
  const Action fine = make_action(Do::complete, Name(1, 2, 3, 4), 5, 6);
  EXPECT_EQ(failing(fine), make_action(Do::complete, Name(1, 2, 3, 4, 1), 5));
  EXPECT_EQ(advance_us(advance_by(123'456'789)), 123'456'789);
}

TEST(Deaths, SayHowAndWhere) {
  Death death{"SIGSEGV", 412, 9, true, {"replicationUpdate", "recvCb"}, "free(): invalid pointer"};
  EXPECT_EQ(death.kind(), "SIGSEGV in replicationUpdate < recvCb");
  EXPECT_EQ(death.sentence(),
            "SIGSEGV at step 412 in replicationUpdate < recvCb: free(): invalid pointer");
  death.inside = false;
  death.said.clear();
  EXPECT_EQ(death.sentence(), "SIGSEGV after step 412 in replicationUpdate < recvCb");
  death.frames.clear();
  EXPECT_EQ(death.kind(), "SIGSEGV");
}

}  // namespace
}  // namespace schism
