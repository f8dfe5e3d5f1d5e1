// `schism linearize`: a verdict, the operations that cannot be ordered, and bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace schism::e2e {
namespace {

using testing::HasSubstr;

constexpr const char* kFine =
    R"({"process":0,"type":"invoke","f":"write","key":"x","value":3}
{"process":1,"type":"invoke","f":"cas","key":"x","value":[3,4]}
{"process":0,"type":"ok"}
{"process":1,"type":"ok","swapped":false}
{"process":2,"type":"invoke","f":"read","key":"x"}
{"process":2,"type":"ok","value":3}
)";

constexpr const char* kStale = R"({:process 0, :type :invoke, :f :write, :value 1}
{:process 0, :type :ok, :f :write, :value 1}
{:process 0, :type :invoke, :f :write, :value 2}
{:process 0, :type :ok, :f :write, :value 2}
{:process 1, :type :invoke, :f :read, :value nil}
{:process 1, :type :ok, :f :read, :value 1}
)";

TEST(Linearize, SaysThatAHistoryIsFine) {
  Folder folder;
  folder.write("h.jsonl", kFine);
  const Outcome o = folder.run({"linearize", "h.jsonl"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_TRUE(o.out.starts_with("linearizable: 3 operations by 3 clients on 1 key")) << o;
}

TEST(Linearize, ShowsWhatCannotBeOrdered) {
  const Outcome o = Folder().run({"linearize", "-"}, kStale);
  EXPECT_EQ(o.code, 1) << o;
  EXPECT_TRUE(o.out.starts_with("not linearizable")) << o;
  EXPECT_THAT(o.out, HasSubstr("`read 1` by client 1"));
  EXPECT_THAT(o.out, HasSubstr("|write 2|"));
  const Outcome json = Folder().run({"linearize", "-", "--json"}, kStale);
  EXPECT_EQ(nlohmann::json::parse(json.out)["verdict"], "violation") << json;
  EXPECT_EQ(nlohmann::json::parse(json.out)["cannot_be_ordered"].size(), 3U) << json;
}

TEST(Linearize, GivesUpAtItsLimit) {
  std::string text;  // everything in flight at once: many orders to try
  for (int i = 0; i < 30; ++i)
    text += "{\"process\":" + std::to_string(i) + ",\"type\":\"invoke\",\"f\":\"cas\",\"value\":[" +
            std::to_string(i % 3) + "," + std::to_string((i + 1) % 3) + "]}\n";
  for (int i = 0; i < 30; ++i)
    text += "{\"process\":" + std::to_string(i) +
            ",\"type\":\"ok\",\"swapped\":" + (i % 2 == 0 ? "true" : "false") + "}\n";
  const Outcome o = Folder().run({"linearize", "-", "--limit", "1", "--initial", "0"}, text);
  EXPECT_EQ(o.code, 3) << o;
  EXPECT_TRUE(o.out.starts_with("unknown")) << o;
}

TEST(Linearize, BadInputIsOneLine) {
  const struct {
    std::string text, message;
  } bad[] = {
      {"{\"process\":0,\"type\":\"invoke\",\"f\":\"write\",\"value\":1}\n{\"process\"", "line 2"},
      {"{\"process\":0,\"type\":\"ok\",\"value\":1}\n", "line 1"},
      {"{:process 0 :type :invoke :f :enqueue :value 1}", "line 1"},
  };
  for (const auto& b : bad) {
    const Outcome o = Folder().run({"linearize", "-"}, b.text);
    EXPECT_EQ(o.code, 2) << o;
    EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
    EXPECT_THAT(o.err, HasSubstr("standard input, " + b.message));
  }
  const Outcome missing = Folder().run({"linearize", "nowhere.edn"});
  EXPECT_EQ(missing.code, 2) << missing;
}

}  // namespace
}  // namespace schism::e2e
