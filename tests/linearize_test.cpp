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

// Each model with a history that breaks it, as docs/linearizability.md has them.
TEST(Linearize, KnowsOtherObjectsThanRegisters) {
  const auto op = [](int process, const std::string& f, const std::string& invoked,
                     const std::string& answered) {
    const auto event = [&](const char* type, const std::string& value) {
      return "{:process " + std::to_string(process) + ", :type " + type + ", :f " + f +
             ", :value " + value + "}\n";
    };
    return event(":invoke", invoked) + event(":ok", answered);
  };
  const struct {
    std::string model, text, says;
  } broken[] = {
      {"queue",
       op(0, ":enqueue", "1", "1") + op(0, ":enqueue", "2", "2") + op(1, ":dequeue", "nil", "2"),
       "`dequeue 2` by client 1"},
      {"mutex", op(0, ":acquire", "nil", "nil") + op(1, ":acquire", "nil", "nil"),
       "`acquire` by client 1"},
      {"owned_mutex", op(0, ":acquire", "nil", "nil") + op(1, ":release", "nil", "nil"),
       "`release` by client 1"},
      {"set", op(0, ":add", "3", "3") + op(1, ":read", "nil", "#{}"), "`read []` by client 1"},
      {"list", op(0, ":append", "3", "3") + op(1, ":read", "nil", "[]"), "`read []` by client 1"},
      {"multi_register",
       op(0, ":write", "{:x 1 :y 1}", "{:x 1 :y 1}") + op(1, ":read", "[:x :y]", "{:x 1 :y nil}"),
       "by client 1"},
      {"list_append",
       op(0, ":txn", "[[:r x nil] [:append x 1]]", "[[:r x []] [:append x 1]]") +
           op(1, ":txn", "[[:r x nil] [:append x 2]]", "[[:r x []] [:append x 2]]"),
       "lost update"},
      {"rw_register",
       op(0, ":txn", "[[:w x 1] [:r y nil]]", "[[:w x 1] [:r y 2]]") +
           op(1, ":txn", "[[:w y 2] [:r x nil]]", "[[:w y 2] [:r x 1]]"),
       "T1 before T2 (wr)"},
  };
  for (const auto& b : broken) {
    const Outcome o = Folder().run({"linearize", "-", "--model", b.model}, b.text);
    EXPECT_EQ(o.code, 1) << b.model << o;
    EXPECT_THAT(o.out, HasSubstr(b.says)) << b.model;
    const Outcome json = Folder().run({"linearize", "-", "--json", "--model", b.model}, b.text);
    EXPECT_EQ(nlohmann::json::parse(json.out)["model"], b.model) << json;
    if (b.model != "owned_mutex" && b.model != "multi_register") {
      EXPECT_EQ(Folder().run({"linearize", "-"}, b.text).code, 1) << b.model;
    }
  }
  const Outcome help = Folder().run({"linearize", "--help"});
  for (const auto& b : broken) EXPECT_THAT(help.out, HasSubstr(b.model));
  const Outcome strict = Folder().run({"linearize", "-", "--strict"}, broken[0].text);
  EXPECT_EQ(strict.code, 2) << strict;
  EXPECT_THAT(strict.err, HasSubstr("--strict is for transactions"));
}

TEST(Linearize, BadInputIsOneLine) {
  const struct {
    std::string text, message;
  } bad[] = {
      {"{\"process\":0,\"type\":\"invoke\",\"f\":\"write\",\"value\":1}\n{\"process\"", "line 2"},
      {"{\"process\":0,\"type\":\"ok\",\"value\":1}\n", "line 1"},
      {"{:process 0 :type :invoke :f :pop :value 1}", "line 1"},
      {"{:process 0 :type :invoke :f :enqueue :value 1}\n{:process 1 :type :invoke :f :add :value "
       "1}",
       "line 2: the model queue has no add"},
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

// Whoever recorded nothing has shown nothing.
TEST(LinearizeProgram, AnEmptyHistoryIsUnknown) {
  const Folder folder;
  folder.write("nothing.jsonl", "");
  const Outcome o = folder.run({"linearize", "nothing.jsonl"});
  EXPECT_EQ(o.code, 3) << o;
  EXPECT_THAT(o.out, HasSubstr("there is no operation in it")) << o;
}

}  // namespace
}  // namespace schism::e2e
