// Texts that differ hash differently, however they are cut into pieces; a hash survives being
// written and read, and nothing else is read as one.
#include "schism/base/hash.hpp"

#include <gtest/gtest.h>

#include <set>

#include "schism/base/params.hpp"
#include "schism/base/random.hpp"

namespace schism {
namespace {

TEST(HashTest, OfTextTellsContentAndLength) {
  std::set<Hash128> seen;
  std::size_t texts = 0;
  for (std::size_t zeros = 0; zeros < 40; ++zeros)
    for (const std::string& end : {std::string(), std::string("a"), std::string("ab")}) {
      seen.insert(absorb_text({}, std::string(zeros, '\0') + end));
      ++texts;
    }
  EXPECT_EQ(seen.size(), texts);
  const auto two = [](std::string_view a, std::string_view b) {
    return absorb_text(absorb_text({}, a), b);
  };
  const std::string text = "a text of some length, cut anywhere";
  std::set<Hash128> cuts;
  for (std::size_t at = 0; at <= text.size(); ++at)
    cuts.insert(two(text.substr(0, at), text.substr(at)));
  EXPECT_EQ(cuts.size(), text.size() + 1);
}

TEST(HashTest, IsWrittenAsItsDigitsAndRead) {
  EXPECT_EQ(to_hex({0x0123456789abcdefULL, 0xfedcba9876543210ULL}),
            "fedcba98765432100123456789abcdef");
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    const Hash128 h{rng.next(), rng.next()};
    Hash128 again;
    ASSERT_TRUE(from_hex(to_hex(h), again));
    ASSERT_EQ(again, h);
  }
}

TEST(HashTest, IsReadFrom32SmallDigitsOnly) {
  const std::string good = "fedcba98765432100123456789abcdef";
  Hash128 h;
  for (const std::string& bad : {std::string(), good + "0", good.substr(1), "F" + good.substr(1),
                                 "g" + good.substr(1), "-" + good.substr(1), good + good})
    EXPECT_FALSE(from_hex(bad, h)) << bad;
  EXPECT_TRUE(from_hex(good, h));
}

TEST(Words, ForYesAndNoAndSeedsAreWhole) {
  for (const char* yes : {"true", "on", "1"}) EXPECT_EQ(parse_flag(yes).value_or(false), true);
  for (const char* no : {"false", "off", "0"}) EXPECT_EQ(parse_flag(no).value_or(true), false);
  for (const char* bad : {"", "yes", "truee", "of", "2"}) EXPECT_FALSE(parse_flag(bad)) << bad;
  EXPECT_EQ(parse_seed("18446744073709551615").value_or(0), UINT64_MAX);
  for (const char* bad : {"", "1x", "1 ", " 1", "-1", "1.5", "18446744073709551616", "0x1"})
    EXPECT_FALSE(parse_seed(bad)) << bad;
}

}  // namespace
}  // namespace schism
