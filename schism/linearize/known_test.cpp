// Histories from the literature and from practice, with the verdict that everybody agrees on.
#include <gtest/gtest.h>

#include "schism/linearize/evidence.hpp"
#include "schism/linearize/judge.hpp"
#include "schism/linearize/text.hpp"
#include "schism/linearize/watch.hpp"

namespace {
using namespace schism;
using namespace schism::linearize;

// A line an event: client, then "w 1", "r" or "c 1 2" to invoke, "ok", "ok 1", "miss", "fail",
// "info" to answer.
History story(std::string_view text) {
  History history;
  std::map<int, OpId> open;
  std::size_t at = 0;
  const auto word = [&] {
    at = std::min(text.find_first_not_of(" \n", at), text.size());
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string_view out = text.substr(at, end - at);
    at = end;
    return std::string(out);
  };
  const auto value = [&] {
    const std::string w = word();
    return w == "nil" ? Value() : Value(std::stoi(w));
  };
  for (std::string who = word(); !who.empty(); who = word()) {
    const int client = std::stoi(who);
    const std::string what = word();
    if (what == "w") {
      open[client] = history.invoke(client, write("x", value()));
    } else if (what == "r") {
      open[client] = history.invoke(client, read("x"));
    } else if (what == "c") {
      const Value old = value();
      open[client] = history.invoke(client, cas("x", old, value()));
    } else if (what == "miss") {
      history.missed(open[client]);
    } else if (what == "fail") {
      history.failed(open[client]);
    } else if (what == "info") {
      history.unknown(open[client]);
    } else if (history[open[client]].function == Function::read) {
      history.saw(open[client], value());
    } else {
      history.done(open[client]);
    }
  }
  return history;
}

Report judge(std::string_view text) { return judge_history(story(text), {}); }
void expect_good(std::string_view text) {
  EXPECT_EQ(judge(text).verdict, Verdict::linearizable) << text;
}
// And the number of operations that cannot be ordered.
void expect_bad(std::string_view text, std::size_t operations) {
  const Report report = judge(text);
  ASSERT_EQ(report.verdict, Verdict::violation) << text;
  EXPECT_EQ(report.offence->operations.size(), operations) << print(report);
  EXPECT_TRUE(report.offence->smallest);
  EXPECT_TRUE(report.offence->located);
}

// Herlihy and Wing 1990, figure 2: registers.
TEST(KnownHistories, RegistersOfHerlihyAndWing) {
  // H5: a write of 0 comes in between, so that the last read is right.
  expect_good("0 w 0  0 ok  1 w 1  0 r  0 ok 1  2 w 0  2 ok  1 ok  1 r  1 ok 0");
  // H6: without it, the last read sees a write that was over before.
  expect_bad("0 w 0  0 ok  1 w 1  0 r  0 ok 1  1 ok  1 r  1 ok 0", 3);
}

TEST(KnownHistories, StaleReadAsInEtcdWithoutQuorumReads) {
  expect_bad("0 w 1  0 ok  1 w 2  1 ok  2 r  2 ok 1", 3);
  expect_good("0 w 1  0 ok  1 w 2  2 r  2 ok 1  1 ok");  // still concurrent
}

TEST(KnownHistories, ReadsThatGoBackInTime) {
  expect_bad("0 w 1  0 ok  0 w 2  1 r  1 ok 2  2 r  2 ok 1  0 ok", 4);
  expect_good("0 w 1  0 ok  0 w 2  1 r  1 ok 1  2 r  2 ok 2  0 ok");
  // Two readers disagree on the order of two writes.
  expect_bad("0 w 1  1 w 2  2 r  2 ok 1  2 r  2 ok 2  3 r  3 ok 2  3 r  3 ok 1  0 ok  1 ok", 5);
}

TEST(KnownHistories, AValueOutOfThinAir) {
  expect_bad("0 w 1  0 ok  1 r  1 ok 7", 1);
  const Report report = judge("0 w 1  0 ok  1 r  1 ok 7");
  EXPECT_EQ(report.offence->sentence,
            "key x: `read 7` by client 1 found a value that nobody had written");
}

TEST(KnownHistories, LostUpdate) {
  // Both swaps say that they found 1.
  expect_bad("0 w 1  0 ok  1 c 1 2  2 c 1 3  1 ok  2 ok", 3);
  expect_good("0 w 1  0 ok  1 c 1 2  2 c 1 3  1 ok  2 miss");
  expect_good("0 w 1  0 ok  1 c 1 2  2 c 1 3  1 ok  2 fail");
  expect_good("0 w 1  0 ok  1 c 1 2  2 c 1 3  1 ok  2 info");
}

TEST(KnownHistories, AMissThatShouldHaveHit) {
  expect_bad("0 w 1  0 ok  1 c 1 2  1 miss  2 r  2 ok 1", 2);
  expect_good("0 w 1  0 ok  1 c 1 2  1 fail  2 r  2 ok 1");  // `fail` promises no reason
}

TEST(KnownHistories, AnUnknownWriteMayTakeEffectLateOrNever) {
  expect_good("0 w 1  0 info  1 r  1 ok nil  1 r  1 ok nil  1 r  1 ok 1");
  expect_good("0 w 1  0 info  1 r  1 ok nil");
  expect_bad("0 w 1  0 info  1 r  1 ok 1  1 r  1 ok nil", 3);             // but not be undone
  expect_bad("0 w 1  0 info  1 r  1 ok 1  2 w 2  2 ok  1 r  1 ok 1", 4);  // nor happen twice
}

TEST(KnownHistories, AFailedWriteIsNotRead) { expect_bad("0 w 1  0 fail  1 r  1 ok 1", 1); }

TEST(KnownHistories, PendingOperationsAreOptionalToo) {
  expect_good("0 w 1  1 r  1 ok 1");
  expect_good("0 w 1  1 r  1 ok nil");
  expect_good("0 c nil 1  1 c 1 2  2 r  2 ok 2");  // both must have happened
}

TEST(KnownHistories, ADeepChainOfConcurrentSwaps) {
  expect_good("0 c 2 3  1 c 1 2  2 c nil 1  0 ok  1 ok  2 ok  3 r  3 ok 3");
  expect_bad("0 c 2 3  0 ok  1 c 1 2  2 c nil 1  1 ok  2 ok", 1);  // 2 came too late for it
  expect_bad("2 c nil 1  2 ok  0 c 2 3  1 c 1 2  3 r  3 ok 2  3 r  3 ok 1", 4);
}

// The write of 3 is seen by nobody, so it is ordered before another write: the unknown write of the
// value that is there already.
TEST(KnownHistories, ASpareWriteHidesAnUnseenOne) {
  expect_good("0 w 2  0 info  1 w 2  1 ok  2 w 3  3 c 2 1  3 ok  2 ok  4 r  4 ok 1");
  expect_good("0 w 2  0 info  1 w 2  1 ok  2 w 3  3 c 2 1  3 info  2 ok  4 r  4 ok 1");
}

TEST(KnownHistories, KeysAreJudgedApart) {
  const auto history = read_history(
      "{:process 0, :type :invoke, :f :write, :value [:a 1]}\n"
      "{:process 0, :type :ok, :f :write, :value [:a 1]}\n"
      "{:process 1, :type :invoke, :f :read, :value [:b nil]}\n"
      "{:process 1, :type :ok, :f :read, :value [:b nil]}\n"
      "{:process 1, :type :invoke, :f :read, :value [:a nil]}\n"
      "{:process 1, :type :ok, :f :read, :value [:a nil]}\n");
  ASSERT_TRUE(history) << history.error();
  const Report report = judge_history(*history, {});
  EXPECT_EQ(report.keys, 2u);
  EXPECT_EQ(report.violating_keys, 1u);
  ASSERT_TRUE(report.offence);
  EXPECT_EQ(report.offence->key, Value(":a"));
}

TEST(KnownHistories, TheFirstValueCanBeChosen) {
  const History history = story("0 r  0 ok 5");
  EXPECT_EQ(judge_history(history, {}).verdict, Verdict::violation);
  Options options;
  options.initial = 5;
  EXPECT_EQ(judge_history(history, options).verdict, Verdict::linearizable);
}

TEST(Watch, FindsAViolationEarlyAndNamesTheStep) {
  Watch watch;
  bool early = false;
  for (std::uint32_t step = 0; step < 400; step += 4) {
    const OpId w = watch.history().invoke(0, write("x", static_cast<int>(step)), step);
    watch.history().done(w, step + 1);
    early = early || watch.looks_broken(w);
    const OpId r = watch.history().invoke(1, read("x"), step + 2);
    watch.history().saw(r, static_cast<int>(step >= 100 ? 96 : step), step + 3);
    early = early || watch.looks_broken(r);
    EXPECT_TRUE(!early || step >= 100);
  }
  EXPECT_TRUE(early);
  const Report report = watch.judge();
  ASSERT_EQ(report.verdict, Verdict::violation);
  EXPECT_EQ(watch.history()[report.offence->culprit].answer_mark, 103u);
  watch.clear();
  EXPECT_EQ(watch.judge().verdict, Verdict::linearizable);
  EXPECT_EQ(watch.judge().operations, 0u);
}

}  // namespace
