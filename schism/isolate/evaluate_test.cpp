// The fast evaluation against the definition, on random runs.
#include "schism/isolate/evaluate.hpp"

#include <gtest/gtest.h>

#include "schism/base/random.hpp"
#include "schism/isolate/testing/reference.hpp"

namespace schism::isolate {
namespace {

constexpr const char* kSchema = R"(
processes = 5
[predicates]
thresholds = [1, 3]
tolerances = [0, 3]
assertions = 2
[[group]]
members = [0, 1, 2]
receivers = [0, 1]
[[group]]
members = [1, 2, 3, 4]
receivers = [2, 3]
[kind]
a = { type = "integer", operators = ["=", "!=", "<", ">"] }
b = { type = "text", operators = ["!=", "="] }
[[verb]]
name = "X"
fields = [{ name = "p", at = 2, kind = "a" }, { name = "q", at = 3, kind = "b" },
          { name = "r", at = 4, kind = "a" }]
[[verb]]
name = "Y"
fields = [{ name = "s", at = 2, kind = "a" }]
[[verb]]
name = "Z"
fields = []
)";

isolate::Run random_run(const Schema& schema, Rng& rng) {
  isolate::Run run;
  for (int p = 0; p < schema.processes; ++p) {
    for (std::uint64_t n = rng.below(12); n > 0; --n) {
      Message m;
      m.verb = static_cast<std::uint16_t>(rng.below(schema.verbs.size()));
      m.sender = static_cast<std::int16_t>(rng.between(-1, schema.processes - 1));
      m.first = static_cast<std::uint32_t>(run.values.size());
      for (std::size_t f = 0; f < schema.verbs[m.verb].fields.size(); ++f)
        run.values.push_back(rng.between(-1, 1));
      run.messages.push_back(m);
    }
    run.inbox_end.push_back(static_cast<std::uint32_t>(run.messages.size()));
  }
  return run;
}

TEST(Evaluate, AgreesWithTheDefinitionOnRandomRuns) {
  const auto schema = parse_schema(kSchema, "test");
  ASSERT_TRUE(schema) << schema.error();
  const auto predicates = Predicates::generate(*schema);
  ASSERT_TRUE(predicates);
  Evaluator evaluator(*predicates);
  RunBits bits = evaluator.fresh_bits();
  Rng rng(7);
  std::size_t held = 0, all = 0;
  for (int i = 0; i < 40; ++i) {
    const isolate::Run run = random_run(*schema, rng);
    evaluator.evaluate(run, bits);
    for (std::uint32_t set = 0; set < predicates->sets(); ++set)
      for (int threshold = 1; threshold <= 3; ++threshold)
        for (int tolerance = 0; tolerance <= 3; ++tolerance) {
          const bool fast = bits.level(tolerance, threshold - 1)[set / 64] >> set % 64 & 1;
          const PredicateId id{threshold, tolerance, set};
          ASSERT_EQ(fast, reference::observed_true(*predicates, run, id))
              << predicates->notation(id) << " in run " << i;
          held += fast, ++all;
        }
  }
  EXPECT_GT(held, all / 100);  // neither side is trivially false
  EXPECT_LT(held, all / 2);
}

TEST(Evaluate, WitnessesAreThereExactlyWhereItHolds) {
  const auto schema = parse_schema(kSchema, "test");
  const auto predicates = Predicates::generate(*schema);
  Evaluator evaluator(*predicates);
  Rng rng(8);
  std::size_t found = 0;
  for (int i = 0; i < 30; ++i) {
    const isolate::Run run = random_run(*schema, rng);
    for (std::uint32_t set = 0; set < predicates->sets(); set += 7)
      for (int threshold = 1; threshold <= 2; ++threshold) {
        const auto witnesses = evaluator.witnesses(run, {threshold, 0, set});
        std::size_t at = 0;
        for (int p = 0; p < schema->processes; ++p) {
          const bool here = at < witnesses.size() && witnesses[at].process == p;
          ASSERT_EQ(here, reference::observed_true(*predicates, run, p, threshold, set));
          if (!here) continue;
          const Witness& w = witnesses[at++];
          EXPECT_GE(static_cast<int>(w.left.size()), threshold);
          for (const std::uint32_t l : w.left) EXPECT_LT(l, w.right);
          ++found;
        }
      }
  }
  EXPECT_GT(found, 100U);
}

TEST(Predicates, AreAsManyAsAlgorithm1Gives) {
  // Senders with five relations; X: p and r cross-compare (4 pairs of 4), q (2); X-Y: p-s, r-s; Y.
  const auto schema = parse_schema(kSchema, "test");
  const auto predicates = Predicates::generate(*schema);
  const auto sets = [](std::vector<int> operators) {
    int sum = 1, pairs = 0;
    for (std::size_t i = 0; i < operators.size(); ++i) {
      sum += operators[i];
      for (std::size_t j = 0; j < i; ++j) pairs += operators[i] * operators[j];
    }
    return sum + pairs;
  };
  const int expected =
      sets({5, 4, 4, 4, 4, 2}) + 2 * sets({5, 4, 4}) + sets({5, 4}) + 5 * sets({5});
  EXPECT_EQ(predicates->sets(), static_cast<std::uint32_t>(expected));
  EXPECT_EQ(predicates->size(), predicates->sets() * 3U * 4U);
}

TEST(Predicates, AreSaidInNotationAndWords) {
  const auto schema = parse_schema(kSchema, "test");
  const auto predicates = Predicates::generate(*schema);
  const VerbPair& xy = predicates->pair(0, 1);
  std::uint32_t set = xy.first_set;
  while (predicates->assertion_texts(set) != std::vector<std::string>{"senders disjoint", "p < s"})
    ++set;
  EXPECT_EQ(predicates->notation({2, 1, set}),
            "2 x X -> Y for more than 1 process: senders(l) ∩ senders(r) = ∅, p(l) < s(r)");
  EXPECT_EQ(predicates->sentence({2, 1, set}),
            "At 2 processes or more, the same X arrived from at least 2 senders and later a Y with "
            "a s higher than the first one's p, from none of these senders.");
}

}  // namespace
}  // namespace schism::isolate
