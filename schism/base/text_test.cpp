#include "schism/base/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "schism/base/value.hpp"

namespace schism {
namespace {

// Nothing that a terminal obeys, that hides, or that turns its surroundings.
bool harmless(std::string_view text, bool lines = false) {
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t c = take_character(text);
    const bool invalid = c == 0xfffd && !before.starts_with("\xef\xbf\xbd");
    if (invalid || (is_unseen(c) && !(lines && c == '\n'))) return false;
  }
  return true;
}

TEST(Text, PrintableShowsWhatHasNoShape) {
  EXPECT_EQ(printable("a\nb\tc"), "a␊b␉c");
  EXPECT_EQ(printable("\x1b[31m\x07"), "␛[31m␇");
  EXPECT_EQ(printable("\x7f"), "␡");
  EXPECT_EQ(printable("größer 日本 👍"), "größer 日本 👍");
  const std::string instead = "\xef\xbf\xbd";
  for (const char* hostile :
       {"\xc2\x9b", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa9", "\xe2\x80\x8b", "\xe2\x80\xa8",
        "\xef\xbb\xbf", "\xd8\x9c", "\xc2\xad", "\xf3\xa0\x81\x81", "\xff", "\xc3"})
    EXPECT_EQ(printable(hostile), instead) << hostile;
  EXPECT_EQ(printable("\xc3("), instead + "(");
  EXPECT_EQ(printable(std::string("\0", 1)), "␀");
}

TEST(Text, LinesKeepTheirFeedsAndOurColours) {
  static constexpr std::string_view kOwn[] = {"\x1b[1m", "\x1b[0m", ""};
  const std::string text = "\x1b[1mbold\x1b[0m\n\x1b[2Jgone\r";
  EXPECT_EQ(printable_lines(text, kOwn), "\x1b[1mbold\x1b[0m\n␛[2Jgone␍");
  EXPECT_EQ(printable_lines(text), "␛[1mbold␛[0m\n␛[2Jgone␍");
}

TEST(Text, JsonIsHarmlessAndSaysTheSame) {
  const std::string hostile = "\x1b\x07\xc2\x9b\xe2\x80\xae\xf3\xa0\x81\x81 \x7f größer";
  const std::string json = to_json(Value(hostile));
  EXPECT_TRUE(harmless(json)) << json;
  EXPECT_EQ(json, R"("\u001b\u0007\u009b\u202e\udb40\udc41 \u007f größer")");
  EXPECT_EQ(*parse_json(json)->as_text(), hostile);
}

RC_GTEST_PROP(Text, WhateverComesOutIsHarmless, ()) {
  // Bytes, and characters near those that matter.
  std::string text;
  for (const auto& [kind, c] :
       *rc::gen::arbitrary<std::vector<std::pair<std::uint8_t, std::uint32_t>>>()) {
    if (kind % 3 == 0) text += static_cast<char>(c);
    else put_character(text, kind % 3 == 1 ? c % 0x2100 : c % 0x110000);
  }
  RC_ASSERT(harmless(printable(text)));
  RC_ASSERT(harmless(printable_lines(text), true));
  RC_ASSERT(harmless(escape_xml(text)));
  RC_ASSERT(harmless(to_json(Value(text))));
  RC_ASSERT(printable(printable(text)) == printable(text));
  RC_ASSERT(characters(clip(printable(text), 7)) <= 7);
}

TEST(Text, XmlIsNotBrokenOut) {
  EXPECT_EQ(escape_xml("<a b=\"c\">&'\x1b"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;␛");
}

}  // namespace
}  // namespace schism
