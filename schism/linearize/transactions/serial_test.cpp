// Dependency cycles against the definition: all serial orders of small histories.
#include "schism/linearize/transactions/serial.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "schism/linearize/judge.hpp"
#include "schism/linearize/testing/leaky_store.hpp"
#include "schism/linearize/testing/object_brute_force.hpp"
#include "schism/linearize/text.hpp"

namespace {
using namespace schism;
using namespace schism::linearize;

std::string show(const History& h) {
  std::string out;
  for (OpId op = 0; op < h.operations().size(); ++op)
    out += fmt::format("{}: {} [{} {}] {}\n", op, h.describe(op), h[op].invoked, h[op].answered,
                       enum_name(h[op].outcome));
  return out;
}

struct Counts {
  int right = 0, wrong = 0, unknown = 0;
  std::map<std::string, int> names;
};

Counts compare(Object object, bool strict, int values, std::uint64_t seeds) {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Rng rng(seed * 7919);
    LeakyMix mix;
    mix.object = object;
    mix.level = static_cast<Level>(rng.below(5));
    mix.transactions = static_cast<int>(rng.between(3, 6));
    mix.keys = static_cast<int>(rng.between(1, 3));
    mix.steps = static_cast<int>(rng.between(2, 4));
    mix.values = values;
    mix.open = static_cast<std::size_t>(rng.between(2, 4));
    mix.fail = rng.chance(0.5) ? 0.15 : 0;
    mix.info = rng.chance(0.5) ? 0.2 : 0;
    const History history = LeakyStore(mix, seed).run();
    const bool expected = brute_force_objects(history, strict);
    const SerialFinding found = check_serial(history, {}, strict, {});
    if (found.verdict == Verdict::unknown) {
      ++counts.unknown;
      EXPECT_FALSE(found.doubts.empty());
      continue;
    }
    EXPECT_EQ(found.verdict, expected ? Verdict::linearizable : Verdict::violation)
        << "seed " << seed << " " << enum_name(mix.level) << "\n"
        << show(history)
        << (found.anomalies.empty()
                ? ""
                : found.anomalies[0].name + " " + tell(history, found.anomalies[0]));
    if (found.verdict != (expected ? Verdict::linearizable : Verdict::violation)) break;
    (expected ? counts.right : counts.wrong)++;
    if (!found.anomalies.empty()) ++counts.names[found.anomalies[0].name];
  }
  fmt::print("{}{}: {} serializable, {} not, {} unknown\n", enum_name(object),
             strict ? " strict" : "", counts.right, counts.wrong, counts.unknown);
  for (const auto& [name, n] : counts.names) fmt::print("  {} {}\n", n, name);
  return counts;
}

// Lists with elements of their own: the verdict is exact in both directions, never unknown.
TEST(Serial, ListsAgreeWithAllOrders) {
  for (const bool strict : {false, true}) {
    const Counts counts = compare(Object::list_append, strict, 0, 20'000);
    EXPECT_EQ(counts.unknown, 0);
    EXPECT_GE(counts.right, 5000);
    EXPECT_GE(counts.wrong, 3000);
    EXPECT_GE(counts.names.size(), strict ? 9U : 8U);
  }
}

TEST(Serial, RegistersAgreeWithAllOrders) {
  for (const bool strict : {false, true}) {
    const Counts counts = compare(Object::rw_register, strict, 0, 20'000);
    EXPECT_EQ(counts.unknown, 0);  // so small that a search settles what cycles leave open
    EXPECT_GE(counts.right, 5000);
    EXPECT_GE(counts.wrong, 2000);
    EXPECT_GE(counts.names.size(), 7U);
  }
}

// The same value again and again: what cannot be told apart makes it unknown, never wrong.
TEST(Serial, EqualValuesNeverMakeAWrongVerdict) {
  for (const Object object : {Object::list_append, Object::rw_register}) {
    const Counts counts = compare(object, false, 2, 10'000);
    EXPECT_GE(counts.right, 1000);
    EXPECT_GE(counts.wrong, 500);
  }
}

// What the search cannot settle for its limit is unknown.
TEST(Serial, ALimitYieldsUnknownAndNeverAnotherVerdict) {
  int unknown = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    LeakyMix mix{.object = Object::rw_register, .level = static_cast<Level>(seed % 5)};
    mix.transactions = 12, mix.open = 6, mix.values = seed % 3 == 0 ? 3 : 0;
    const History history = LeakyStore(mix, seed).run();
    const Verdict truth = check_serial(history, {}, false, {}).verdict;
    const Verdict limited = check_serial(history, {}, false, {.configurations = 1}).verdict;
    if (limited == Verdict::unknown) ++unknown;
    else EXPECT_EQ(limited, truth) << seed;
  }
  EXPECT_GE(unknown, 10);
}

TEST(Serial, LongHistoriesOfASerialStore) {
  for (const Object object : {Object::list_append, Object::rw_register}) {
    LeakyMix mix{.object = object, .transactions = 5000, .keys = 50, .open = 10};
    const History history = LeakyStore(mix, 1).run();
    EXPECT_EQ(check_serial(history, {}, true, {}).verdict, Verdict::linearizable);
    mix.level = Level::committed;
    EXPECT_EQ(check_serial(LeakyStore(mix, 1).run(), {}, false, {}).verdict, Verdict::violation);
  }
}

// ---- what is said -------------------------------------------------------------------------------

std::string judged(std::string_view edn, bool strict = false) {
  const auto history = read_history(edn);
  if (!history) return "error: " + history.error();
  Options options;
  options.strict = strict;
  const std::string out = print(judge_history(*history, options));
  return out.substr(0, out.rfind("in 0."));
}

std::string txn(int process, std::string_view invoked, std::string_view answered) {
  return fmt::format(
      "{{:process {}, :type :invoke, :f :txn, :value [{}]}}\n"
      "{{:process {}, :type :ok, :f :txn, :value [{}]}}\n",
      process, invoked, process, answered);
}

TEST(SerialStory, WriteSkewIsTwoStaleReads) {
  EXPECT_EQ(judged(txn(0, "[:r x nil] [:append y 1]", "[:r x []] [:append y 1]") +
                   txn(1, "[:r y nil] [:append x 2]", "[:r y []] [:append x 2]") +
                   txn(2, "[:r x nil] [:r y nil]", "[:r x [2]] [:r y [1]]")),
            "not serializable: 3 transactions by 3 clients on 2 keys (3 ok, 0 failed, 0 info, 0 "
            "pending)\n"
            "G2-item (a circle with several reads of what was overwritten): 2 transactions must "
            "each come before the next, and the last before the first\n\n"
            "  T1  client 0, line 1: read x [], append y 1\n"
            "  T2  client 1, line 3: read y [], append x 2\n\n"
            "  T1 before T2 (rw): T1 read x empty, before T2 appended 2\n"
            "  T2 before T1 (rw): T2 read y empty, before T1 appended 1\n\n");
}

TEST(SerialStory, RealTimeIsAskedForOnlyWhenStrict) {
  const std::string stale = txn(0, "[:w x 1]", "[:w x 1]") + txn(1, "[:r x nil]", "[:r x nil]");
  EXPECT_TRUE(judged(stale).starts_with("serializable: 2 transactions")) << judged(stale);
  EXPECT_EQ(judged(stale, true),
            "not strictly serializable: 2 transactions by 2 clients on 1 key (2 ok, 0 failed, 0 "
            "info, 0 pending)\n"
            "G-single-realtime (a circle with one read of what was overwritten): 2 transactions "
            "must each come before the next, and the last before the first\n\n"
            "  T1  client 1, line 3: read x nil\n"
            "  T2  client 0, line 1: write x 1\n\n"
            "  T1 before T2 (rw): T1 read x as it was at first, before T2 wrote 1\n"
            "  T2 before T1 (rt): T2 had answered when T1 was invoked\n\n");
}

TEST(SerialStory, NamesWhatNeedsNoCycle) {
  const auto first_name = [](const std::string& edn) {
    const auto history = read_history(edn);
    EXPECT_TRUE(history);
    const auto found = check_serial(*history, {}, false, {});
    return found.anomalies.empty() ? std::string() : found.anomalies[0].name;
  };
  const std::string failed =
      "{:process 9, :type :invoke, :f :txn, :value [[:append x 7]]}\n"
      "{:process 9, :type :fail, :f :txn, :value [[:append x 7]]}\n";
  EXPECT_EQ(first_name(failed + txn(0, "[:r x nil]", "[:r x [7]]")), "G1a (aborted read)");
  EXPECT_EQ(first_name(txn(0, "[:append x 1] [:append x 2]", "[:append x 1] [:append x 2]") +
                       txn(1, "[:r x nil]", "[:r x [1]]")),
            "G1b (intermediate read)");
  EXPECT_EQ(first_name(txn(0, "[:append x 1] [:r x nil]", "[:append x 1] [:r x []]")),
            "internal inconsistency");
  EXPECT_EQ(first_name(txn(0, "[:append x 1]", "[:append x 1]") +
                       txn(1, "[:append x 2]", "[:append x 2]") +
                       txn(2, "[:r x nil]", "[:r x [1 2]]") + txn(3, "[:r x nil]", "[:r x [2]]")),
            "incompatible order");
  EXPECT_EQ(
      first_name(txn(0, "[:append x 1]", "[:append x 1]") + txn(1, "[:r x nil]", "[:r x [1 1]]")),
      "duplicate element");
  EXPECT_EQ(first_name(txn(0, "[:w x 1] [:r y nil]", "[:w x 1] [:r y 2]") +
                       txn(1, "[:w y 2] [:r x nil]", "[:w y 2] [:r x 1]")),
            "G1c (information flows in a circle)");
  EXPECT_EQ(first_name(txn(0, "[:r x nil] [:w x 1]", "[:r x nil] [:w x 1]") +
                       txn(1, "[:r x nil] [:w x 2]", "[:r x nil] [:w x 2]")),
            "lost update");
  EXPECT_EQ(first_name(txn(0, "[:append x 1] [:append y 1]", "[:append x 1] [:append y 1]") +
                       txn(1, "[:append x 2] [:append y 2]", "[:append x 2] [:append y 2]") +
                       txn(2, "[:r x nil]", "[:r x [1 2]]") + txn(3, "[:r y nil]", "[:r y [2 1]]")),
            "G0 (writes in a circle)");
}

}  // namespace
