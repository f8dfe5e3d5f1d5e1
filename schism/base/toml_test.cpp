#include "schism/base/toml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schism {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Toml, ErrorsNameTheLine) {
  EXPECT_THAT(parse_toml("a = 1\nb = ", "x").error(), StartsWith("x, line 2: "));
  EXPECT_EQ(*parse_toml("a.b = 'c.d'", "x")->at_path("a.b").value<std::string>(), "c.d");
}

// Tables in tables by dots would take more stack than there is.
TEST(Toml, DotsHaveALimit) {
  const auto chain = [](const std::string& part, int n) {
    std::string out = part;
    for (int i = 0; i < n; ++i) out += "." + part;
    return out;
  };
  for (const std::string part : {"a", "\"=\"", "' # '", "a ", "\"\\\"\""}) {
    EXPECT_TRUE(parse_toml(chain(part, 30) + " = 1", "x")) << part;
    for (const std::string& text : {chain(part, 200'000) + " = 1", "[" + chain(part, 200'000) + "]",
                                    "a = { " + chain(part, 200'000) + " = 1 }"})
      EXPECT_THAT(parse_toml(text, "x").error(), HasSubstr("line 1: a name with more than 32 dots"))
          << part;
  }
  // Dots that are no names.
  const std::string many(1000, '.');
  EXPECT_TRUE(
      parse_toml("a = '" + many + "' # " + many + "\nb = \"\"\"\n" + many + "\n\"\"\"", "x"));
  EXPECT_TRUE(parse_toml("a = [" + std::string("0.5, ") + chain("0.5,", 0) + "]", "x"));
}

TEST(Toml, TooMuchIsRefused) {
  EXPECT_THAT(parse_toml(std::string(2'000'000, '#'), "x").error(), HasSubstr("more than 1 MiB"));
}

}  // namespace
}  // namespace schism
