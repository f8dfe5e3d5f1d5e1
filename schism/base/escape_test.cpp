#include "schism/base/escape.hpp"

#include <gtest/gtest.h>

namespace schism::draw {
namespace {

TEST(Escape, OneLineIsValidAndVisible) {
  EXPECT_EQ(printable("a\nb\tc"), "a␊b␉c");
  EXPECT_EQ(printable("\x1b[31m"), "␛[31m");
  EXPECT_EQ(printable("größer 日本"), "größer 日本");
  EXPECT_EQ(printable("\xff|\xc3|\xe2\x82|\xed\xa0\x80|\xf4\x90\x80\x80|\xc0\xaf").find('\xff'),
            std::string::npos);
  EXPECT_EQ(printable("\xc3("), "\xef\xbf\xbd(");
  EXPECT_EQ(printable("\xe2\x80\xae turned"), "\xef\xbf\xbd turned");
  EXPECT_EQ(printable(std::string("\0", 1)), "␀");
}

TEST(Escape, ClipCountsCharacters) {
  EXPECT_EQ(clip("größer", 6), "größer");
  EXPECT_EQ(clip("größer", 5), "größ…");
  EXPECT_EQ(characters(clip("größer als alles", 9)), 9U);
}

TEST(Escape, NoLanguageIsBrokenOut) {
  const std::string odd = "</script>\"'&\\;#%\n--x:[end]";
  EXPECT_EQ(escape_xml("<a b=\"c\">&'"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
  EXPECT_EQ(escape_dot("say \"\\N\" & go"), "say \\\"\\\\N\\\" &amp; go");
  EXPECT_EQ(escape_mermaid("a;b#c:d"), "a#59;b#35;c#58;d");
  EXPECT_EQ(escape_plantuml("a<b\\n"), "a<U+003C>b<U+005C>n");
  for (const char c : {'<', '>', '"', '\n'}) {
    EXPECT_EQ(escape_xml(odd).find(c), std::string::npos);
    EXPECT_EQ(escape_mermaid(odd).find(c), std::string::npos);
  }
  EXPECT_EQ(json_for_script(R"({"a":"</script><!--"})").find('<'), std::string::npos);
}

}  // namespace
}  // namespace schism::draw
