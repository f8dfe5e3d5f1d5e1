// The tables of docs/tla.md say what is supported; here every row is tried. Examples are true, what
// is refused is refused, behaviours come out as the row says, and the operators of a module are
// those that it has: a table that differs from the program fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/base/file.hpp"
#include "schism/tla/checker.hpp"
#include "tests/places/places.hpp"

namespace schism::tla {
namespace {

using Row = std::vector<std::string>;

std::string cell(std::string text) {
  while (!text.empty() && text.front() == ' ') text.erase(text.begin());
  while (!text.empty() && text.back() == ' ') text.pop_back();
  if (text.size() >= 2 && text.front() == '`' && text.back() == '`')
    text = text.substr(1, text.size() - 2);
  return text;
}

// The rows of the table under a heading, without its own two lines.
std::vector<Row> table(const std::string& heading) {
  const std::string docs = *read_file(std::string(places::kSource) + "/docs/tla.md");
  std::size_t at = docs.find("\n### " + heading + "\n");
  EXPECT_NE(at, std::string::npos) << heading;
  if (at == std::string::npos) return {};
  at = docs.find("\n|", at);
  std::vector<Row> rows;
  while (at < docs.size() && docs.compare(at, 2, "\n|") == 0) {
    const std::size_t end = std::min(docs.find('\n', at + 1), docs.size());
    Row& row = rows.emplace_back();
    std::string text;
    for (std::size_t i = at + 2; i < end; ++i) {
      if (docs[i] == '|') {
        row.push_back(cell(std::exchange(text, {})));
        continue;
      }
      if (docs[i] == '\\' && docs[i + 1] == '|') ++i;
      text += docs[i];
    }
    at = end;
  }
  EXPECT_GT(rows.size(), 3u) << heading;
  rows.erase(rows.begin(), rows.begin() + 2);
  return rows;
}

constexpr const char* kAround =
    "---- MODULE M ----\n"
    "EXTENDS Integers, Sequences, FiniteSets, Bags, TLC\n"
    "RECURSIVE Fact(_)\nFact(n) == IF n = 0 THEN 1 ELSE n * Fact(n - 1)\n"
    "Twice(Op(_), x) == Op(Op(x))\na \\bullet b == (a + b) % 5\n"
    "half[n \\in Nat] == IF n < 2 THEN 0 ELSE 1 + half[n - 2]\n"
    "Both == /\\ a:: 1 = 1\n        /\\ b:: 2 = 2\n"
    "Among(k) == \\A i \\in {1} : LET s == i + k IN \\E j \\in {2} : inside(i, j):: s = j\n"
    "Plus3 == {x + 3 : x \\in {1}}\nTHEOREM Known == 1 + 1 = 2\n"
    "---- MODULE Inner ----\nEXTENDS Integers\nCONSTANT k\nPlus(n) == n + k\n====\n"
    "I(k) == INSTANCE Inner\nJ == INSTANCE Inner WITH k <- 7\n====\n";

TEST(TlaSupported, Expressions) {
  on_big_stack([] {
    auto spec = Spec::from_text(kAround, "");
    ASSERT_TRUE(spec.has_value()) << spec.error();
    for (const Row& row : table("Expressions")) {
      const auto v = (*spec)->evaluate(row.at(1));
      ASSERT_TRUE(v.has_value()) << row[1] << ": " << v.error();
      EXPECT_EQ(*v, kTrue) << row[1];
    }
  });
}

TEST(TlaSupported, WhatIsRefused) {
  on_big_stack([] {
    auto spec = Spec::from_text(kAround, "");
    ASSERT_TRUE(spec.has_value()) << spec.error();
    for (const Row& row : table("Refused")) {
      const auto v = (*spec)->evaluate(row.at(1));
      ASSERT_FALSE(v.has_value()) << row[1];
      EXPECT_THAT(v.error(), testing::HasSubstr(row.at(2))) << row[1];
    }
  });
}

// "3/2/2" for generated, distinct, depth; or what is violated.
std::string outcome(const std::string& action, const std::string& config) {
  std::string out;
  on_big_stack([&] {
    auto spec = Spec::from_text(
        "---- MODULE M ----\nEXTENDS Integers, Sequences, TLC\n"
        "VARIABLES x, y\nvars == <<x, y>>\nInit == x = 0 /\\ y = 0\n"
        "Keep == UNCHANGED y\nUp == x < 2 /\\ x' = x + 1 /\\ Keep\n"
        "Small == x < 2\nGrows == [][x' > x]_x\nEnds == <>(x = 2)\n"
        "Sum == x + y\nDone == TLCGet(\"distinct\") > 1\n"
        "Step == x' <= x + 1\nTop == 2\nAct == " +
            action + "\nSpec == Init /\\ [][Act]_vars /\\ WF_vars(Act)\n====\n",
        config);
    if (!spec) {
      out = spec.error();
      return;
    }
    const std::atomic<bool> go_on{false};
    const CheckReport r = Checker(**spec, {}, go_on).run();
    if (r.outcome == Outcome::holds)
      out = fmt::format("{}/{}/{}", r.generated, r.distinct, r.depth);
    else out = r.what;
  });
  return out;
}

TEST(TlaSupported, Actions) {
  for (const Row& row : table("Actions"))
    EXPECT_EQ(outcome(row.at(1), "INIT Init NEXT Act CHECK_DEADLOCK FALSE"), row.at(2)) << row[1];
}

TEST(TlaSupported, Configurations) {
  for (const Row& row : table("Configuration and properties"))
    EXPECT_EQ(outcome("Up", row.at(1)), row.at(2)) << row[1];
}

TEST(TlaSupported, Modules) {
  Symbols symbols;
  for (const Row& row : table("Modules")) {
    const std::string& name = row.at(0);
    std::vector<std::string> have;
    for (const BuiltinOperator& o : builtin_operators())
      if (o.module == name && o.builtin != Builtin::refuse) have.emplace_back(o.name);
    if (const std::string_view text = builtin_module_text(name); !text.empty()) {
      Library library(symbols, {});
      for (const Definition* d : library.load_text(std::string(text), name)->definitions)
        if (!d->local && d->instance == nullptr) have.push_back(symbols.text(d->name));
    }
    std::sort(have.begin(), have.end());
    have.erase(std::unique(have.begin(), have.end()), have.end());
    std::string list;
    for (const std::string& op : have) list += (list.empty() ? "" : " ") + op;
    EXPECT_EQ(row.at(1), list) << name;
  }
}

}  // namespace
}  // namespace schism::tla
