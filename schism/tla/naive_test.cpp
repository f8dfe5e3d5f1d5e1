// A second evaluator, as naive as can be, against which random expressions and random small modules
// are compared: values are plain containers, names are looked up in a list, nothing is kept or
// inlined; and a step is tried for every pair of states instead of being enumerated.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "schism/base/random.hpp"
#include "schism/tla/big_stack.hpp"
#include "schism/tla/checker.hpp"

namespace schism::tla {
namespace {

// --- Naive values: integers, Booleans and sets of integers ---------------------------------------

struct Naive {
  enum { number, truth, set } kind = number;
  long i = 0;
  std::set<long> elements;
};

std::string text_of(const Naive& v) {
  if (v.kind == Naive::number) return std::to_string(v.i);
  if (v.kind == Naive::truth) return v.i != 0 ? "TRUE" : "FALSE";
  std::string out;
  for (const long e : v.elements) out += (out.empty() ? "" : ", ") + std::to_string(e);
  return "{" + out + "}";
}

struct Tree {
  std::string op;
  std::vector<Tree> kids;
  std::string name;  // of a variable, bound or not
  long i = 0;
};

using Names = std::vector<std::pair<std::string, Naive>>;

Naive num(long i) { return {Naive::number, i, {}}; }
Naive truth(bool b) { return {Naive::truth, b ? 1 : 0, {}}; }

Naive value(const Tree& t, Names& names);

// All values of the bound variable in turn.
template <class F>
void for_each(const Tree& t, Names& names, F f) {
  const Naive s = value(t.kids[0], names);
  for (const long e : s.elements) {
    names.emplace_back(t.name, num(e));
    const Naive body = value(t.kids[1], names);
    names.pop_back();
    f(e, body);
  }
}

Naive value(const Tree& t, Names& names) {
  const auto kid = [&](std::size_t k) { return value(t.kids[k], names); };
  if (t.op == "number") return num(t.i);
  if (t.op == "truth") return truth(t.i != 0);
  if (t.op == "name") {
    for (auto n = names.rbegin(); n != names.rend(); ++n)
      if (n->first == t.name) return n->second;
    ADD_FAILURE() << t.name;
    return num(0);
  }
  if (t.op == "+") return num(kid(0).i + kid(1).i);
  if (t.op == "-") return num(kid(0).i - kid(1).i);
  if (t.op == "mod") return num(((kid(0).i % t.i) + t.i) % t.i);
  if (t.op == "if") return kid(0).i != 0 ? kid(1) : kid(2);
  if (t.op == "let" || t.op == "lambda") {
    const Naive bound = kid(0);
    names.emplace_back(t.name, bound);
    const Naive out = value(t.kids[1], names);
    names.pop_back();
    return out;
  }
  if (t.op == "/\\") return truth(kid(0).i != 0 && kid(1).i != 0);
  if (t.op == "\\/") return truth(kid(0).i != 0 || kid(1).i != 0);
  if (t.op == "=>") return truth(kid(0).i == 0 || kid(1).i != 0);
  if (t.op == "~") return truth(kid(0).i == 0);
  if (t.op == "<") return truth(kid(0).i < kid(1).i);
  if (t.op == "=") return truth(kid(0).i == kid(1).i);
  if (t.op == "\\in") return truth(kid(1).elements.contains(kid(0).i));
  if (t.op == "\\subseteq") {
    const Naive a = kid(0), b = kid(1);
    return truth(
        std::includes(b.elements.begin(), b.elements.end(), a.elements.begin(), a.elements.end()));
  }
  if (t.op == "card") return num(static_cast<long>(kid(0).elements.size()));
  Naive out{Naive::set, 0, {}};
  if (t.op == "\\A" || t.op == "\\E") {
    bool all = true, some = false;
    for_each(t, names,
             [&](long, const Naive& b) { all = all && b.i != 0, some = some || b.i != 0; });
    return truth(t.op == "\\A" ? all : some);
  }
  if (t.op == "filter")
    for_each(t, names, [&](long e, const Naive& b) {
      if (b.i != 0) out.elements.insert(e);
    });
  else if (t.op == "map")
    for_each(t, names, [&](long, const Naive& b) { out.elements.insert(b.i); });
  else if (t.op == "enum")
    for (std::size_t k = 0; k < t.kids.size(); ++k) out.elements.insert(kid(k).i);
  else if (t.op == "..") {
    for (long i = kid(0).i, to = kid(1).i; i <= to; ++i) out.elements.insert(i);
  } else {
    const Naive a = kid(0), b = kid(1);
    for (const long e : a.elements)
      if (t.op == "\\cup" || b.elements.contains(e) == (t.op == "\\cap")) out.elements.insert(e);
    if (t.op == "\\cup") out.elements.insert(b.elements.begin(), b.elements.end());
  }
  return out;
}

std::string print(const Tree& t) {
  const auto kid = [&](std::size_t k) { return print(t.kids[k]); };
  if (t.op == "number") return t.i < 0 ? fmt::format("(-{})", -t.i) : std::to_string(t.i);
  if (t.op == "truth") return t.i != 0 ? "TRUE" : "FALSE";
  if (t.op == "name") return t.name;
  if (t.op == "mod") return fmt::format("(({}) % {})", kid(0), t.i);
  if (t.op == "if") return fmt::format("(IF {} THEN {} ELSE {})", kid(0), kid(1), kid(2));
  if (t.op == "let") return fmt::format("(LET {} == {} IN {})", t.name, kid(0), kid(1));
  if (t.op == "lambda") return fmt::format("App(LAMBDA {} : {}, {})", t.name, kid(1), kid(0));
  if (t.op == "~") return fmt::format("(~({}))", kid(0));
  if (t.op == "card") return fmt::format("Cardinality({})", kid(0));
  if (t.op == "\\A" || t.op == "\\E")
    return fmt::format("({} {} \\in {} : {})", t.op, t.name, kid(0), kid(1));
  if (t.op == "filter") return fmt::format("{{{} \\in {} : {}}}", t.name, kid(0), kid(1));
  if (t.op == "map") return fmt::format("{{{} : {} \\in {}}}", kid(1), t.name, kid(0));
  if (t.op == "enum") {
    std::string out;
    for (std::size_t k = 0; k < t.kids.size(); ++k) out += (k > 0 ? ", " : "") + kid(k);
    return "{" + out + "}";
  }
  return fmt::format("({} {} {})", kid(0), t.op, kid(1));
}

// --- Random expressions --------------------------------------------------------------------------

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  Tree make(int kind, int depth, std::vector<std::string>& names) {
    if (kind == Naive::number) return number(depth, names);
    return kind == Naive::truth ? truth(depth, names) : set(depth, names);
  }
  Rng& random() { return random_; }

 private:
  Tree pick(std::initializer_list<const char*> ops) {
    return {*(ops.begin() + random_.below(ops.size())), {}, "", 0};
  }
  Tree bound(Tree t, int first, int second, int depth, std::vector<std::string>& names) {
    t.name = fmt::format("v{}", names.size());
    t.kids.push_back(make(first, depth - 1, names));
    names.push_back(t.name);
    t.kids.push_back(make(second, depth - 1, names));
    names.pop_back();
    return t;
  }

  Tree number(int depth, std::vector<std::string>& names) {
    if (depth <= 0 || random_.below(4) == 0) {
      if (!names.empty() && random_.below(2) == 0)
        return {"name", {}, names[random_.below(names.size())], 0};
      return {"number", {}, "", static_cast<long>(random_.between(-3, 5))};
    }
    Tree t = pick({"+", "-", "mod", "if", "let", "lambda", "card"});
    if (t.op == "let" || t.op == "lambda")
      return bound(t, Naive::number, Naive::number, depth, names);
    if (t.op == "mod") t.i = static_cast<long>(random_.between(1, 5));
    if (t.op == "if") t.kids.push_back(make(Naive::truth, depth - 1, names));
    const int kind = t.op == "card" ? Naive::set : Naive::number;
    for (int i = t.op == "mod" || t.op == "card" ? 1 : 2; i > 0; --i)
      t.kids.push_back(make(kind, depth - 1, names));
    return t;
  }

  Tree truth(int depth, std::vector<std::string>& names) {
    if (depth <= 0) return {"truth", {}, "", static_cast<long>(random_.below(2))};
    Tree t = pick({"/\\", "\\/", "=>", "~", "<", "=", "\\in", "\\subseteq", "\\A", "\\E"});
    if (t.op == "\\A" || t.op == "\\E") return bound(t, Naive::set, Naive::truth, depth, names);
    int first = Naive::truth, second = Naive::truth;
    if (t.op == "<" || t.op == "=") first = second = Naive::number;
    if (t.op == "\\in") first = Naive::number, second = Naive::set;
    if (t.op == "\\subseteq") first = second = Naive::set;
    t.kids.push_back(make(first, depth - 1, names));
    if (t.op != "~") t.kids.push_back(make(second, depth - 1, names));
    return t;
  }

  Tree set(int depth, std::vector<std::string>& names) {
    Tree t =
        depth <= 0 ? pick({"enum"}) : pick({"enum", "..", "\\cup", "\\cap", "\\", "filter", "map"});
    if (t.op == "filter") return bound(t, Naive::set, Naive::truth, depth, names);
    if (t.op == "map") return bound(t, Naive::set, Naive::number, depth, names);
    const bool numbers = t.op == "enum" || t.op == "..";
    const std::uint64_t n = t.op == "enum" ? random_.below(4) : 2;
    for (std::uint64_t i = 0; i < n; ++i)
      t.kids.push_back(make(numbers ? Naive::number : Naive::set, depth - 1, names));
    return t;
  }

  Rng random_;
};

const char* const kHead =
    "---- MODULE M ----\nEXTENDS Integers, FiniteSets\nApp(F(_), a) == F(a)\n";

TEST(TlaNaive, RandomExpressions) {
  on_big_stack([] {
    auto spec = Spec::from_text(std::string(kHead) + "====\n", "");
    ASSERT_TRUE(spec.has_value()) << spec.error();
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
      Maker maker(seed);
      std::vector<std::string> names;
      const Tree t = maker.make(static_cast<int>(seed % 3), 5, names);
      Names none;
      const std::string text = print(t);
      const auto got = (*spec)->evaluate(text);
      ASSERT_TRUE(got.has_value()) << text << "\n" << got.error();
      ASSERT_EQ((*spec)->print(*got), text_of(value(t, none))) << text;
    }
  });
}

// --- Random modules ------------------------------------------------------------------------------

// Actions over x and y in 0..3, with D for a definition over them. Whether a pair of states is a
// step is the naive value of the text with "x'", "y'" and "D'" as further names.
Tree step_of(Maker& maker, int depth) {
  Rng& random = maker.random();
  std::vector<std::string> here = {"x", "y", "D"};
  const auto small = [&](Tree t) { return Tree{"mod", {std::move(t)}, "", 4}; };
  const auto assign = [&](const char* name) {
    const Tree left{"name", {}, name, 0};
    if (random.below(3) == 0) {
      Tree elements{"map", {maker.make(Naive::set, 2, here)}, "m", 0};
      elements.kids.push_back(small({"name", {}, "m", 0}));
      return Tree{"\\in", {left, elements}, "", 0};
    }
    return Tree{"=", {left, small(maker.make(Naive::number, 3, here))}, "", 0};
  };
  if (depth <= 0) return {"/\\", {assign("x'"), assign("y'")}, "", 0};
  switch (random.below(5)) {
    case 0: return {"\\/", {step_of(maker, depth - 1), step_of(maker, depth - 1)}, "", 0};
    case 1: return {"/\\", {maker.make(Naive::truth, 3, here), step_of(maker, depth - 1)}, "", 0};
    case 2:
      return {
          "if",
          {maker.make(Naive::truth, 2, here), step_of(maker, depth - 1), step_of(maker, depth - 1)},
          "",
          0};
    case 3: {  // what follows tests the primed variables
      std::vector<std::string> after = {"x", "y", "D", "x'", "y'", "D'"};
      return {"/\\", {step_of(maker, depth - 1), maker.make(Naive::truth, 3, after)}, "", 0};
    }
    default: {
      Tree t{"\\E", {maker.make(Naive::set, 2, here)}, "e", 0};
      t.kids.push_back(step_of(maker, depth - 1));
      return t;
    }
  }
}

TEST(TlaNaive, RandomModules) {
  on_big_stack([] {
    for (std::uint64_t seed = 0; seed < 250; ++seed) {
      Maker maker(seed + 100'000);
      std::vector<std::string> variables = {"x", "y"};
      const Tree definition = maker.make(Naive::number, 3, variables);
      const Tree step = step_of(maker, 3);
      const std::string text =
          fmt::format("{}VARIABLES x, y\nD == {}\nInit == x = 0 /\\ y = 0\nNext == {}\n====\n",
                      kHead, print(definition), print(step));
      const auto defined = [&](long x, long y) {
        Names names = {{"x", num(x)}, {"y", num(y)}};
        return value(definition, names);
      };
      std::map<std::pair<long, long>, std::uint64_t> level = {{{0, 0}, 1}};
      std::vector<std::pair<long, long>> open = {{0, 0}};
      std::uint64_t depth = 1;
      for (std::size_t at = 0; at < open.size(); ++at)
        for (long a = 0; a < 4; ++a)
          for (long b = 0; b < 4; ++b) {
            const auto [x, y] = open[at];
            Names names = {{"x", num(x)},  {"y", num(y)},  {"D", defined(x, y)},
                           {"x'", num(a)}, {"y'", num(b)}, {"D'", defined(a, b)}};
            if (value(step, names).i == 0 || level.contains({a, b})) continue;
            depth = level[{a, b}] = level[{x, y}] + 1;
            open.emplace_back(a, b);
          }
      auto spec = Spec::from_text(text, "INIT Init NEXT Next CHECK_DEADLOCK FALSE");
      ASSERT_TRUE(spec.has_value()) << spec.error() << "\n" << text;
      const std::atomic<bool> go_on{false};
      const CheckReport r = Checker(**spec, {}, go_on).run();
      ASSERT_EQ(r.outcome, Outcome::holds) << r.what << "\n" << text;
      ASSERT_EQ(r.distinct, level.size()) << text;
      ASSERT_EQ(r.depth, depth) << text;
    }
  });
}

}  // namespace
}  // namespace schism::tla
