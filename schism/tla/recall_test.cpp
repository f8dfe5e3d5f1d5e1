// What is remembered by what was looked at is what would be computed, in states that differ
// everywhere else. Over random actions and states; the definition is the specification itself.
#include "schism/tla/recall.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <tuple>

#include "schism/tla/big_stack.hpp"

namespace schism::tla {
namespace {

constexpr const char* kGuards[] = {
    "TRUE",         "f[i] > k",      "i \\in s",    "i \\notin s",
    "g[i][j] = k",  "u \\in 0..2",   "f[j] = f[i]", "\\E x \\in DOMAIN f : f[x] = k",
    "Small",        "h.a = k",       "Len(q) > k",  "q # <<>> /\\ Head(q) = k",
    "ENABLED Grow", "6 \\div u > 1", "k \\in s",    "(Len(q) > 0 => q[1] # f[i])"};
constexpr const char* kF[] = {"f' = f",
                              "UNCHANGED f",
                              "f' = [f EXCEPT ![i] = k]",
                              "f' = [f EXCEPT ![i] = (@ + 1) % 3]",
                              "f' = [f EXCEPT ![i] = f[j], ![j] = k]",
                              "f' = [f EXCEPT ![7] = 1]",
                              "f' = IF u > 1 THEN f ELSE [f EXCEPT ![j] = u]",
                              "f' = [x \\in DOMAIN f |-> IF x = i THEN k ELSE f[x]]",
                              "f' = Put(i, k)",
                              "f' = [f EXCEPT ![i] = k] /\\ UNCHANGED <<f, s>>",
                              "f' \\in {f, [f EXCEPT ![i] = 0]}",
                              "(\\E x \\in 0..1 : f' = [f EXCEPT ![i] = x])"};
constexpr const char* kG[] = {"g' = g", "g' = [g EXCEPT ![i][j] = k]",
                              "g' = [g EXCEPT ![i] = [x \\in {0, 1, 2} |-> f[x]]]",
                              "g' = [g EXCEPT ![i][j] = @ + f'[i]]"};
constexpr const char* kU[] = {"u' = u",
                              "u' = k",
                              "u' = (u + f[i]) % 4",
                              "u' = f'[j]",
                              "u' = Cardinality(s)",
                              "u' = u + 0 /\\ u' = u"};
constexpr const char* kS[] = {"s' = s", "s' = s \\cup {i}", "s' = s \\ {i}", "s' = {f[0], f[1]}",
                              "UNCHANGED <<s>>"};
constexpr const char* kQ[] = {"q' = q", "q' = Append(q, k)", "q' = SubSeq(q, 2, Len(q))",
                              "q' = [x \\in DOMAIN q |-> k]",
                              "q' = IF i \\in DOMAIN q THEN [q EXCEPT ![i] = k] ELSE q"};
constexpr const char* kH[] = {"h' = h", "h' = [h EXCEPT !.a = k]", "h' = [h EXCEPT !.b = @ + 1]",
                              "h' = [a |-> u, b |-> 0]"};

template <std::size_t n>
const char* one_of(const char* const (&list)[n]) {
  return list[static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(n)))];
}

std::string action_text(int number) {
  std::string out = fmt::format("A{}(i, j, k) ==", number);
  const int ways = *rc::gen::inRange(0, 4) == 3 ? 2 : 1;
  for (int w = 0; w < ways; ++w)
    out += fmt::format(" \\/ ({} /\\ {} /\\ {} /\\ {} /\\ {} /\\ {} /\\ {} /\\ {})",
                       one_of(kGuards), one_of(kGuards), one_of(kF), one_of(kG), one_of(kU),
                       one_of(kS), one_of(kQ), one_of(kH));
  return out + "\n";
}

constexpr int kActions = 4;
constexpr const char* kViews[] = {
    "<<f, u>>", "<<[x \\in {0, 1, 2} |-> IF x \\in s THEN f[x] ELSE 9], Len(q)>>",
    "[x \\in {1, 2} |-> <<f[x], g[x][0]>>]", "IF u = 0 THEN f ELSE h.a"};

std::string module_text(int actions) {
  std::string out =
      "---- MODULE M ----\nEXTENDS Integers, Sequences, FiniteSets, TLC\n"
      "VARIABLES f, g, u, s, q, h\n"
      "Small == \\A x \\in DOMAIN f : f[x] < 2\n"
      "Put(x, v) == [f EXCEPT ![x] = v]\n"
      "Grow == u < 3 /\\ u' = u + 1 /\\ UNCHANGED <<f, g, s, q, h>>\n"
      "Init == /\\ f \\in [{0, 1, 2} -> 0..1] /\\ g = [x \\in {0, 1, 2} |-> f] /\\ u \\in 0..2\n"
      "        /\\ s \\in SUBSET {0, 1, 2} /\\ q \\in {<<>>, <<1>>, <<0, 2>>}\n"
      "        /\\ h = [a |-> u, b |-> 0]\n";
  for (int i = 0; i < actions; ++i) out += action_text(i);
  return out + "====\n";
}

std::string text_of(const Spec& spec, const State& s) { return spec.print(s); }

// All that is told of an action: what Recall says, and what the specification does.
struct Said {
  bool possible = false, ambiguous = false, failed = false;
  std::string to;
  friend bool operator==(const Said&, const Said&) = default;
};

Said defined(Spec& spec, const Action& action, const std::vector<Value>& args, const State& s) {
  Said out;
  const auto next = spec.apply(action, args, s);
  out.failed = !next;
  if (!next || next->empty()) return out;
  out.possible = true;
  out.to = text_of(spec, next->front());
  for (const State& t : *next) out.ambiguous = out.ambiguous || t != next->front();
  return out;
}

TEST(TlaRecall, WhatIsRememberedIsWhatIsComputed) {
  on_big_stack([] {
    int hits = 0;
    const bool ok = rc::check([&] {
      const std::string text = module_text(kActions);
      RC_LOG() << text;
      auto spec = Spec::from_text(text, "INIT Init NEXT Grow");
      RC_ASSERT(spec.has_value());
      const std::vector<State> own = *(*spec)->initial();
      Recall recall(**spec);
      std::map<std::tuple<int, int, int, int>, Recall::Question> questions;
      std::size_t at = static_cast<std::size_t>(*rc::gen::inRange(0, 400)) % own.size();
      State here = own[at], there;
      int asked = 0;
      for (int step = 0; step < 60; ++step) {
        const int a = *rc::gen::inRange(0, kActions), i = *rc::gen::inRange(0, 3),
                  j = *rc::gen::inRange(0, 3), k = *rc::gen::inRange(0, 3);
        const std::vector<Value> args = {Value::integer(i), Value::integer(j), Value::integer(k)};
        const auto [known, is_new] = questions.try_emplace({a, i, j, k}, 0);
        if (is_new) known->second = recall.questions(1);
        const Action& action = **(*spec)->action(fmt::format("A{}", a));
        const auto outcome = recall.first(known->second, action, args, here, there);
        ++asked;
        Said fast{outcome.possible, outcome.ambiguous, outcome.failed, ""};
        if (fast.possible) fast.to = text_of(**spec, there);
        const Said wanted = defined(**spec, action, args, here);
        RC_ASSERT(fast.possible == wanted.possible && fast.failed == wanted.failed);
        RC_ASSERT(fast.to == wanted.to);
        RC_ASSERT(fast.ambiguous == wanted.ambiguous);
        if (fast.possible && there[2].is_integer() && there[2].as_integer() < 9) here = there;
        else here = own[static_cast<std::size_t>(*rc::gen::inRange(0, 400)) % own.size()];
      }
      hits += asked - static_cast<int>(recall.computed());
    });
    EXPECT_TRUE(ok);
    EXPECT_GT(hits, 300);  // else nothing was remembered
  });
}

// Several actions in a row are remembered as one way.
TEST(TlaRecall, AWayIsThatOfItsActions) {
  on_big_stack([] {
    int hits = 0, moved = 0;
    const bool ok = rc::check([&] {
      const std::string text = module_text(kActions);
      RC_LOG() << text;
      auto spec = Spec::from_text(text, "INIT Init NEXT Grow");
      RC_ASSERT(spec.has_value());
      const std::vector<State> own = *(*spec)->initial();
      Recall recall(**spec);
      Trail trail;
      const int i = *rc::gen::inRange(0, 3), j = *rc::gen::inRange(0, 3);
      const std::vector<Value> args = {Value::integer(i), Value::integer(j), Value::integer(1)};
      const Recall::Question parts = recall.questions(kActions);
      Recall::Way way = recall.way();
      for (int step = 0; step < 40; ++step) {
        const State begin = own[static_cast<std::size_t>(*rc::gen::inRange(0, 400)) % own.size()];
        State slow = begin;
        bool plain = true;
        for (int a = 0; a < kActions; ++a) {
          const auto next = (*spec)->apply(**(*spec)->action(fmt::format("A{}", a)), args, slow);
          plain = plain && next;
          if (next && !next->empty()) slow = next->front();
        }
        State now = begin;
        if (const auto gone = recall.follow(way, now)) {
          ++hits;
          moved += gone->moved ? 1 : 0;
          RC_ASSERT(plain);
          RC_ASSERT(text_of(**spec, now) == text_of(**spec, slow));
          RC_ASSERT(gone->moved == (now != begin));
          continue;
        }
        trail.begin();
        State there;
        for (int a = 0; a < kActions; ++a) {
          const Action& action = **(*spec)->action(fmt::format("A{}", a));
          const auto o =
              recall.first(parts + static_cast<std::uint32_t>(a), action, args, now, there, &trail);
          if (o.possible && !o.failed) now = there;
        }
        RC_ASSERT(text_of(**spec, now) == text_of(**spec, slow));
        recall.keep(way, begin, trail, 0);
      }
    });
    EXPECT_TRUE(ok);
    EXPECT_GT(hits, 100);
    EXPECT_GT(moved, 20);
  });
}

TEST(TlaRecall, ValuesOfExpressions) {
  on_big_stack([] {
    auto spec = Spec::from_text(module_text(0), "INIT Init NEXT Grow");
    ASSERT_TRUE(spec.has_value()) << spec.error();
    const std::vector<State> all = *(*spec)->initial();
    Recall recall(**spec);
    std::uint64_t asked = 0;
    for (const char* view : kViews) {
      const auto check = (*spec)->predicate(view);
      ASSERT_TRUE(check.has_value()) << check.error();
      const Recall::Question q = recall.questions(1);
      for (std::size_t i = 0; i < all.size(); i += 7, ++asked) {
        Looked looked = 0;
        const Value value = recall.value(q, check->code, all[i], looked);
        ASSERT_EQ(value, *(*spec)->evaluate(view, all[i])) << view;
        // Whatever it did not look at may be otherwise.
        State other = all[(i * 31 + 5) % all.size()];
        for (std::uint32_t v = 0; v < other.size(); ++v)
          if (looked & looked_at(v)) other[v] = all[i][v];
        ASSERT_EQ(value, *(*spec)->evaluate(view, other)) << view;
      }
    }
    EXPECT_LT(recall.computed() * 2, asked);
  });
}

}  // namespace
}  // namespace schism::tla
