// Groups of finds against a recount from the list of everything that was added.
#include "schism/finds/bugs.hpp"

#include <gtest/gtest.h>

#include <map>

#include "schism/base/random.hpp"

namespace schism {
namespace {

struct Made {
  Trace trace;
  Look look;
};

Made any_find(Rng& rng, std::uint64_t seed) {
  Made out;
  out.trace.violation.emplace();
  out.trace.violation->property = rng.chance(0.5) ? "agreement" : "validity";
  out.trace.plan = {seed, seed};
  out.trace.config.setup.nodes = 2 + static_cast<int>(rng.below(3));
  out.trace.steps.resize(1 + rng.below(6));
  out.look = {rng.chance(0.5) ? "twice" : "never", seeded("shape", rng.below(3))};
  return out;
}

std::pair<int, std::size_t> size_of(const Trace& trace) {
  return {trace.config.setup.nodes, trace.steps.size()};
}

TEST(Bugs, AreWhatARecountOfTheFindsSays) {
  for (std::uint64_t number = 1; number <= 30; ++number) {
    Rng rng(number);
    Bugs bugs;
    std::vector<Made> all;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      all.push_back(any_find(rng, seed));
      const Made& last = all.back();
      // What was there before it.
      bool same_bug = false, same_shape = false;
      std::pair<int, std::size_t> least{1000, 0};
      for (std::size_t i = 0; i + 1 < all.size(); ++i) {
        const Made& m = all[i];
        if (m.trace.violation->property != last.trace.violation->property ||
            m.look.evidence != last.look.evidence)
          continue;
        same_bug = true;
        if (m.look.shape != last.look.shape) continue;
        same_shape = true;
        least = std::min(least, size_of(m.trace));
      }
      const auto [place, news] = bugs.add(last.trace, last.look, last.trace.plan.seed);
      const auto expected = !same_bug                     ? Bugs::News::bug
                            : !same_shape                 ? Bugs::News::shape
                            : size_of(last.trace) < least ? Bugs::News::smaller
                                                          : Bugs::News::nothing;
      ASSERT_EQ(news, expected) << number << " " << seed;
      const BugGroup& group = bugs.groups()[place];
      EXPECT_EQ(group.property, last.trace.violation->property);
      EXPECT_EQ(group.evidence, last.look.evidence);
    }
    std::uint64_t counted = 0;
    for (const BugGroup& group : bugs.groups()) {
      counted += group.count();
      EXPECT_TRUE(std::is_sorted(group.shapes.begin(), group.shapes.end(),
                                 [](const ShapeGroup& a, const ShapeGroup& b) {
                                   return size_of(a.smallest) < size_of(b.smallest);
                                 }));
      for (const ShapeGroup& shape : group.shapes) {
        std::vector<std::uint64_t> seeds;
        std::pair<int, std::size_t> least{1000, 0};
        for (const Made& m : all)
          if (m.trace.violation->property == group.property && m.look.evidence == group.evidence &&
              m.look.shape == shape.shape) {
            seeds.push_back(m.trace.plan.seed);
            least = std::min(least, size_of(m.trace));
          }
        EXPECT_EQ(shape.count, seeds.size());
        EXPECT_EQ(size_of(shape.smallest), least);
        seeds.resize(std::min<std::size_t>(seeds.size(), 5));
        EXPECT_EQ(shape.seeds, seeds);
      }
    }
    EXPECT_EQ(counted, all.size());
  }
}

}  // namespace
}  // namespace schism
