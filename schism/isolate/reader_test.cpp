// Lines and schemas from outside: what is read, and the sentence for what is not.
#include "schism/isolate/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/base/file.hpp"
#include "schism/base/lines.hpp"
#include "schism/base/random.hpp"

namespace schism::isolate {
namespace {

using testing::HasSubstr;

constexpr const char* kList = R"(
processes = 2
[run]
bugs = "bugs"
fold = ["c"]
branches = "branches"
[kind]
n = { type = "integer", operators = ["="] }
d = { type = "number", operators = ["=", "<"] }
t = { type = "text", operators = ["="] }
b = { type = "boolean", operators = ["="] }
[[verb]]
name = "Vote"
tag = "V"
fields = [{ name = "term", at = 2, kind = "n" },
          { name = "hash", at = 3, kind = "t", optional = true },
          { name = "time", at = 4, kind = "d", optional = true },
          { name = "ok", at = 5, kind = "b", optional = true }]
)";
constexpr const char* kObject = R"(
processes = 2
[run]
name = "id"
failed = "outcome"
failures = ["timeout", "crash"]
inbox = "received"
[message]
verb = "type"
sender = "from"
[kind]
n = { type = "integer", operators = ["="] }
[[verb]]
name = "Vote"
fields = [{ name = "term", kind = "n" }]
)";

struct Reading {
  explicit Reading(const char* text) : schema(*parse_schema(text, "s")), reader(schema) {}
  std::string read(std::string line) {  // the problem, or nothing
    line.reserve(line.size() + Lines::kPadding);
    const auto good = reader.read(line, run);
    return good ? "" : good.error();
  }
  Schema schema;
  RunReader reader;
  isolate::Run run;
};

TEST(RunReader, ReadsMessagesThatAreLists) {
  Reading r(kList);
  ASSERT_EQ(r.read(R"({"run":"a","failed":true,"bugs":["x"],"c":3,"branches":{"f:1":3},
                       "inbox":[[["V",1,7,"h",0.5,true],["V",-1,7]],[["V",0,-2,"h",-1.5]]]})"),
            "");
  EXPECT_EQ(r.run.info.name, "a");
  EXPECT_TRUE(r.run.info.failed);
  EXPECT_EQ(r.run.info.bugs, std::vector<std::string>{"x"});
  EXPECT_EQ(r.run.info.fold, "c=3");
  ASSERT_EQ(r.run.inbox(0).size(), 2U);
  ASSERT_EQ(r.run.inbox(1).size(), 1U);
  EXPECT_EQ(r.run.inbox(0)[1].sender, -1);
  const auto* first = r.run.fields(r.run.inbox(0)[0]);
  const auto* other = r.run.fields(r.run.inbox(1)[0]);
  EXPECT_EQ(first[0], 7);
  EXPECT_EQ(first[1], other[1]);  // the same text
  EXPECT_GT(first[2], other[2]);  // 0.5 > -1.5
  EXPECT_EQ(unordered(other[2]), -1.5);
  EXPECT_EQ(r.run.fields(r.run.inbox(0)[1])[2], 0);  // a missing one
}

TEST(RunReader, ReadsMessagesThatAreObjects) {
  Reading r(kObject);
  ASSERT_EQ(
      r.read(R"({"id":5,"outcome":"crash","received":[[{"type":"Vote","from":1,"term":2}],[]]})"),
      "");
  EXPECT_EQ(r.run.info.name, "5");
  EXPECT_TRUE(r.run.info.failed);
  EXPECT_EQ(r.read(R"({"id":5,"outcome":"fine","received":[[],[]]})"), "");
  EXPECT_FALSE(r.run.info.failed);
}

TEST(RunReader, SaysWhatIsWrong) {
  const struct {
    const char *line, *says;
  } rows[] = {
      {"", "not JSON"},
      {"{", "not JSON"},
      {R"({"run":"a","failed":true,"c":1,"inbox":[[],[]]} x)", "not JSON"},
      {"[1]", "a run is a JSON object"},
      {R"({"failed":true})", "a run without \"run\""},
      {R"({"run":"a","inbox":[[],[]]})", "a run without an outcome"},
      {R"({"run":"a","failed":null})", "a run without an outcome"},
      {R"({"run":"a","failed":"no","c":1})", "\"failed\" is true or false, not \"no\""},
      {R"({"run":"a","failed":true,"bugs":"x"})", "\"bugs\" is a list of texts"},
      {R"({"run":"a","failed":true,"bugs":[1]})", "\"bugs\" is a list of texts, not 1"},
      {R"({"run":"a","failed":true})", "a run without \"c\""},
      {R"({"run":"a","failed":true,"c":1})", "a run without \"inbox\""},
      {R"({"run":"a","failed":true,"c":1,"branches":[1]})", "\"branches\" is an object"},
      {R"({"run":"a","failed":true,"c":1,"branches":{"x":4}})", "branch \"x\" is 0 to 3, not 4"},
      {R"({"run":"a","failed":true,"c":1,"inbox":[[]]})", "messages of 1 processes, not of 2"},
      {R"({"run":"a","failed":true,"c":1,"inbox":[[],3]})", "process 1: its messages are a list"},
      {R"({"run":"a","failed":true,"c":1,"inbox":[[],[7]]})",
       "process 1, message 0: a list is expected, not 7"},
      {R"({"run":"a","failed":true,"c":1,"inbox":[[["V"]],[]]})",
       "process 0, message 0: too short"},
      {R"({"run":"a","failed":true,"c":1,"inbox":[[["W",0]],[]]})", "no verb \"W\""},
      {R"({"run":"a","failed":true,"c":1,"inbox":[[[1,0]],[]]})", "the verb is a text, not 1"},
      {R"({"run":"a","failed":true,"c":1,"inbox":[[["V",2,1]],[]]})",
       "the sender is a process from 0 to 1"},
      {R"({"run":"a","failed":true,"c":1,"inbox":[[["V","0",1]],[]]})", "the sender is a process"},
      {R"({"run":"a","failed":true,"c":1,"inbox":[[["V",0]],[]]})", "term is missing"},
      {R"({"run":"a","failed":true,"c":1,"inbox":[[["V",0,"1"]],[]]})",
       "term is of type integer, not \"1\""},
      {R"({"run":"a","failed":true,"c":1,"inbox":[[["V",0,1.5]],[]]})", "term is of type integer"},
      {R"({"run":"a","failed":true,"c":1,"inbox":[[["V",0,1,2]],[]]})",
       "hash is of type text, not 2"},
      {R"({"run":"a","failed":true,"c":1,"inbox":[[["V",0,1,"h",1,1]],[]]})",
       "ok is of type boolean, not 1"},
      {R"({"run":"a","failed":true,"c":1,"inbox":[[["V",0,1,"h",1,true,8]],[]]})",
       "Vote has a field at place 6 that the schema does not know"},
  };
  Reading r(kList);
  for (const auto& row : rows) EXPECT_THAT(r.read(row.line), HasSubstr(row.says)) << row.line;
  Reading o(kObject);
  EXPECT_THAT(o.read(R"({"id":5,"outcome":7,"received":[[],[]]})"), HasSubstr("is a text, not 7"));
  EXPECT_THAT(
      o.read(R"({"id":5,"outcome":"x","received":[[{"type":"Vote","from":1,"terms":2}],[]]})"),
      HasSubstr("term is missing"));
  EXPECT_THAT(
      o.read(
          R"({"id":5,"outcome":"x","received":[[{"type":"Vote","from":1,"term":2,"trm":1}],[]]})"),
      HasSubstr("Vote: no field \"trm\"; did you mean \"term\"?"));
}

TEST(SchemaReader, SaysWhatIsWrong) {
  const struct {
    const char *text, *says;
  } rows[] = {
      {"processes = ", "s, line 1: "},
      {"processes = 2", "there is no [[verb]]"},
      {"processes = 100\n[[verb]]\nname='x'", "\"processes\" is a whole number from 1 to 64"},
      {"proceses = 2", "no key \"proceses\"; did you mean \"processes\"?"},
      {"[[verb]]\nname = 'x'", "\"processes\" says how many there are"},
      {"processes = 2\n[kind]\na = { type = 'int' }\n[[verb]]\nname='x'", "no type \"int\""},
      {"processes = 2\n[kind]\na = { type = 'text', operators = ['<'] }\n[[verb]]\nname='x'",
       "operator \"<\" is for numbers"},
      {"processes = 2\n[kind]\na = { type = 'text', operators = ['~'] }\n[[verb]]\nname='x'",
       "no operator \"~\""},
      {"processes = 2\n[[verb]]\nname='x'\nfields=[{name='f', at=2, kind='k'}]", "no kind \"k\""},
      {"processes = 2\n[[verb]]\nname='x'\n[[verb]]\nname='x'", "there are two verbs \"x\""},
      {"processes = 2\n[[group]]\nmembers=[0,2]\n[[verb]]\nname='x'",
       "\"members\" is a whole number"},
      {"processes = 2\n[[group]]\nmembers=[0]\n[[group]]\nmembers=[0]\n[[verb]]\nname='x'",
       "a process receives in two groups"},
      {"processes = 2\n[predicates]\nthresholds=[3,1]\n[[verb]]\nname='x'",
       "\"thresholds\" is a whole number from 3"},
      {"processes = 2\nkind = 3\n[[verb]]\nname='x'", "\"kind\" is a table"},
      {"processes = 2\nverb = 3", "\"verb\" is a list of tables"},
  };
  for (const auto& row : rows) {
    const auto schema = parse_schema(row.text, "s");
    ASSERT_FALSE(schema) << row.text;
    EXPECT_THAT(schema.error(), HasSubstr(row.says)) << row.text;
  }
}

// Long and short lines across the buffer's ends, plain and packed.
TEST(Lines, AreTheLinesOfTheFile) {
  Rng rng(4);
  std::string text;
  std::vector<std::string> expected;
  for (int i = 0; i < 3000; ++i) {
    expected.emplace_back(rng.below(i % 100 == 0 ? 600'000 : 200), static_cast<char>('a' + i % 26));
    text += expected.back() + "\n";
  }
  expected.emplace_back("the last, without an end");
  text += expected.back();
  for (const bool packed : {false, true}) {
    Lines lines(Source::memory(packed ? compress(text) : text, "test"));
    std::string_view line;
    for (const std::string& e : expected) {
      const auto more = lines.next(line);
      ASSERT_TRUE(more && *more);
      ASSERT_EQ(line, e);
    }
    const auto more = lines.next(line);
    ASSERT_TRUE(more);
    EXPECT_FALSE(*more);
    EXPECT_EQ(lines.number(), expected.size());
  }
}

TEST(Lines, DamagedAndShortenedZstdIsAnError) {
  const std::string packed = compress(std::string(500'000, 'x') + "\n" + std::string(50, 'y'));
  const auto read = [](std::string bytes) {
    Lines lines(Source::memory(std::move(bytes), "test"));
    std::string_view line;
    for (;;) {
      const auto more = lines.next(line);
      if (!more) return more.error();
      if (!*more) return std::string();
    }
  };
  EXPECT_EQ(read(packed), "");
  EXPECT_THAT(read(packed.substr(0, packed.size() - 3)), HasSubstr("too early"));
  std::string damaged = packed;
  damaged[5] = static_cast<char>(damaged[5] ^ 0x7f);
  EXPECT_THAT(read(damaged), HasSubstr("zstd"));
}

}  // namespace
}  // namespace schism::isolate
