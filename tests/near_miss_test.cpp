// Handlers that look as if they were called and are not, and members that nobody declared, do not
// compile, and the error names what is expected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using testing::HasSubstr;

Outcome compiled(const std::string& members) {
  const Folder folder;
  folder.write("node.cpp",
               "#include \"schism/schism.hpp\"\n"
               "using namespace schism;\n"
               "struct M { int n = 0; FIELDS(n) };\n"
               "struct Q { int n = 0; FIELDS(n) };\n"
               "SCHISM_ENUM(Alarm, ring);\n"
               "struct N : Node<N, M> {\n"
               "  int seen = 0;\n"
               "  void on(Context&, NodeId, const M&) {}\n" +
                   members +
                   "};\n"
                   "static const Registration r = system<N>(\"n\", \"a node\");\n");
  return Process(folder.path(),
                 {"c++", "-std=c++20", "-fsyntax-only", std::string("-I") + places::kSource,
                  "node.cpp"},
                 {})
      .finish();
}

void does_not(const std::string& members, const std::string& why) {
  const Outcome o = compiled(members);
  EXPECT_NE(o.code, 0) << members;
  EXPECT_THAT(o.err, HasSubstr(why)) << members;
}

TEST(NearMiss, WhatIsRightCompiles) {
  const Outcome o = compiled(
      "  using Timers = Alarm; using Requests = Types<Q>; int hint = 0;\n"
      "  FIELDS(seen) NOT_STATE(hint)\n"
      "  void start(Context& c) { c.disk().sync(1); }\n"
      "  void on_timer(Context&, Alarm) {}\n"
      "  void on_request(Context&, RequestId, const Q&) {}\n"
      "  void on_disk(Context&, const DiskDone&) {}\n");
  EXPECT_EQ(o.code, 0) << o;
}

TEST(NearMiss, StartWithAnotherSignature) {
  does_not("  FIELDS(seen)\n  void start(Context&, int) {}\n", "start(Context&)");
}

TEST(NearMiss, OnDiskThatWouldChangeItsArgument) {
  does_not("  FIELDS(seen)\n  void on_disk(Context&, DiskDone&) {}\n",
           "on_disk(Context&, const DiskDone&)");
}

TEST(NearMiss, ASyncThatNobodyHears) {
  does_not("  FIELDS(seen)\n  void start(Context& c) { c.disk().sync(1); }\n",
           "on_disk(Context&, const DiskDone&)");
}

TEST(NearMiss, TimersAndRequestsWithoutTheirLists) {
  does_not("  FIELDS(seen)\n  void on_timer(Context&, Alarm) {}\n", "using Timers");
  does_not("  FIELDS(seen)\n  void on_request(Context&, RequestId, const Q&) {}\n",
           "using Requests");
}

TEST(NearMiss, AMemberThatIsNeitherFieldNorNot) {
  does_not("  bool overtaken = false;\n  FIELDS(seen)\n", "NOT_STATE");
}

// A text converts to bool, and any text is true: such an invariant would hold whatever happens.
TEST(NearMiss, AnInvariantThatSaysWhatIsWrong) {
  const auto with = [](const char* oracle) {
    return std::string("  FIELDS(seen)\n};\nstatic const auto o = ") + oracle +
           ";\nstruct None {\n";
  };
  EXPECT_EQ(compiled(with("invariant<N>(\"o\", [](const N& n) { return n.seen < 2; })")).code, 0);
  for (const char* oracle :
       {"invariant<N>(\"o\", [](const N& n) { return n.seen < 2 ? \"\" : \"twice\"; })",
        "eventually(\"o\", [](const World&) { return \"not yet\"; })",
        "sometimes<M>(\"o\", [](const M& m) { return m.n; })",
        "announced<M>([](const M& m) { return m.n; })"})
    does_not(with(oracle), "answered by bool");
}

}  // namespace
}  // namespace schism::e2e
