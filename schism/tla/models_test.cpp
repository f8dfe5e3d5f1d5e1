// The models of this repository, with the counts that TLC and independent programs give for them.
#include <gtest/gtest.h>

#include "schism/base/file.hpp"
#include "schism/tla/big_stack.hpp"
#include "schism/tla/checker.hpp"
#include "tests/places/places.hpp"

namespace schism::tla {
namespace {

const std::string kModels = std::string(places::kSource) + "/models/";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

CheckReport check(const std::string& model, const std::string& config) {
  CheckReport report;
  const auto tla = read_file(kModels + model + ".tla");
  EXPECT_TRUE(tla.has_value());
  on_big_stack([&] {
    auto spec = Spec::from_text(*tla, config);
    ASSERT_TRUE(spec.has_value()) << spec.error();
    const std::atomic<bool> go_on{false};
    report = Checker(**spec, {}, go_on).run();
  });
  return report;
}

std::string config_of(const std::string& name) { return *read_file(kModels + name + ".cfg"); }

void expect_counts(const CheckReport& r, std::uint64_t generated, std::uint64_t distinct,
                   std::uint64_t depth) {
  EXPECT_EQ(r.outcome, Outcome::holds) << r.what;
  EXPECT_EQ(r.generated, generated);
  EXPECT_EQ(r.distinct, distinct);
  EXPECT_EQ(r.depth, depth);
}

std::string workers(int m) {
  std::string out = "{1";
  for (int i = 2; i <= m; ++i) out += ", " + std::to_string(i);
  return out + "}";
}

TEST(TlaModels, WorkerPool) {
  struct Row {
    int m, n;
    std::uint64_t generated;
  };
  for (const Row& row : {Row{1, 1, 74}, Row{2, 3, 553}, Row{3, 5, 2996}, Row{5, 10, 70170}}) {
    std::string config = replaced(config_of("worker_pool"), "N = 3", fmt::format("N = {}", row.n));
    config = replaced(config, "{1, 2}", workers(row.m));
    std::uint64_t power = 3;
    for (int i = 0; i < row.m; ++i) power *= 3;
    expect_counts(check("worker_pool", config), row.generated,
                  power + 3 * static_cast<std::uint64_t>(row.n) + 6,
                  static_cast<std::uint64_t>(row.n + 2 * row.m + 7));
  }
}

TEST(TlaModels, TwoPhaseCommit) {
  const std::string config = config_of("two_phase");
  for (const std::uint64_t n : {1, 2, 3})
    expect_counts(check("two_phase", replaced(config, "N = 1", fmt::format("N = {}", n))),
                  1138 * n + 1, 239 * n + 1, 15 * n + 1);
  expect_counts(check("two_phase", replaced(config, "{r1, r2, r3}", "{r1}")), 20, 12, 8);
  expect_counts(check("two_phase", replaced(config, "{r1, r2, r3}", "{r1, r2}")), 156, 48, 12);
  expect_counts(check("two_phase", replaced(config, "{r1, r2, r3}", "{r1, r2, r3, r4}")), 8014,
                1344, 20);
}

TEST(TlaModels, RaftOfTwo) { expect_counts(check("raft", config_of("raft")), 398441, 20489, 23); }

TEST(TlaModels, RaftOfThree) {
  expect_counts(check("raft", config_of("raft_3")), 439606, 23895, 14);
}

TEST(TlaModels, RaftOfThreeUpToRenaming) {
  expect_counts(check("raft", config_of("raft_3_symmetry")), 74908, 4082, 14);
}

// The model that follows runs: its invariants hold within small bounds.
TEST(TlaModels, RaftForGuidance) {
  expect_counts(check("raft_guide", config_of("raft_guide")), 175071, 37776, 33);
}

}  // namespace
}  // namespace schism::tla
