// Any number of workers finds the same: counts, order of states, counterexample, warnings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/base/file.hpp"
#include "schism/base/hash.hpp"
#include "schism/tla/tell.hpp"
#include "tests/places/places.hpp"

namespace schism::tla {
namespace {

// Everything that a user sees, and all states in their order.
std::string everything(const std::string& module, const std::string& config, unsigned jobs) {
  std::string out;
  on_big_stack([&] {
    auto spec = Spec::from_text(module, config);
    ASSERT_TRUE(spec.has_value()) << spec.error();
    const std::atomic<bool> go_on{false};
    CheckLimits limits;
    limits.jobs = jobs;
    std::uint64_t edges = 0;
    limits.edge = [&](std::uint32_t from, std::uint32_t to, const Node* action) {
      edges = mix64(edges + from * 7919 + to + (action != nullptr ? action->slot : 0));
    };
    limits.print = [&](const std::string& text) { out += text + "\n"; };
    Checker checker(**spec, std::move(limits), go_on);
    const CheckReport r = checker.run();
    std::uint64_t states = 0;
    for (std::uint32_t i = 0; i < checker.states(); ++i)
      states = mix64(states + (*spec)->fingerprint(checker.state(i)));
    out += fmt::format("{} {} {} {} {} {} {} {}\n", static_cast<int>(r.outcome), r.what,
                       r.generated, r.distinct, r.depth, r.initial, states, edges);
    for (const std::uint64_t n : r.by_action) out += fmt::format("{} ", n);
    for (const std::uint64_t n : r.new_by_action) out += fmt::format("{} ", n);
    for (const std::string& w : r.warnings) out += w + "\n";
    for (const std::string& w : r.unchecked) out += w + "\n";
    out += tell_trace(**spec, r, {});
  });
  return out;
}

void expect_same(const std::string& module, const std::string& config) {
  const std::string one = everything(module, config, 1);
  EXPECT_FALSE(one.empty());
  EXPECT_EQ(everything(module, config, 2), one);
  EXPECT_EQ(everything(module, config, 4), one);
}

std::string file(const std::string& name) {
  return *read_file(std::string(places::kSource) + "/models/" + name);
}

TEST(TlaWorkers, ModelsOfThisRepository) {
  expect_same(file("two_phase.tla"), file("two_phase.cfg"));
  expect_same(file("worker_pool.tla"), file("worker_pool.cfg"));
  expect_same(file("raft.tla"), file("raft_3_symmetry.cfg"));
  expect_same(file("raft_guide.tla"), file("raft_guide.cfg"));
}

constexpr const char* kGrid = R"(---- MODULE Grid ----
EXTENDS Integers, Sequences, TLC
CONSTANT Max
VARIABLES x, y, log
Init == x \in 0..3 /\ y = 0 /\ log = <<>>
Right == x < Max /\ x' = x + 1 /\ UNCHANGED <<y, log>>
Up == y < Max /\ y' = y + 1 /\ log' = [log EXCEPT ![9] = ToString(y)] /\ x' = x
Note == Len(log) < 2 /\ log' = Append(log, ToString(x + y)) /\ UNCHANGED <<x, y>>
Next == Right \/ Up \/ Note
Spec == Init /\ [][Next]_<<x, y, log>> /\ WF_<<x, y, log>>(Right)
Near == x + y < 17
Sound == IF x = 9 /\ y = 8 THEN Head(<<>>) = 1 ELSE TRUE
Said == Assert(x + y < 18, "far")
Loud == IF x = 7 /\ y = 7 THEN PrintT(<<x, y, log>>) ELSE TRUE
NoBack == [][x' >= x /\ (x = 8 => y' <= y)]_<<x, y>>
Tops == <>(y = Max)
Sum == x + y
====
)";

TEST(TlaWorkers, Verdicts) {
  const std::string spec = "SPECIFICATION Spec CONSTANT Max = 12 CHECK_DEADLOCK FALSE ";
  expect_same(kGrid, spec);
  for (const char* more :
       {"INVARIANT Near", "INVARIANT Sound", "INVARIANT Said", "INVARIANT Loud", "PROPERTY NoBack",
        "PROPERTY Tops", "CONSTRAINT Near", "VIEW Sum", "CONSTRAINT Near PROPERTY Tops"})
    expect_same(kGrid, spec + more);
  expect_same(kGrid, "SPECIFICATION Spec CONSTANT Max = 12");  // deadlock
  EXPECT_THAT(everything(kGrid, spec, 2), testing::HasSubstr("EXCEPT changes nothing"));
}

}  // namespace
}  // namespace schism::tla
