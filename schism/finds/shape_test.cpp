// The same story between other nodes and with later numbers has the same shape; another story has
// another one.
#include "schism/finds/shape.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schism/step/prompt.hpp"
#include "schism/system/system.hpp"

namespace schism {
namespace {

struct Apple {
  int number = 0;
  std::string text;
  FIELDS(number, text)
};
struct Pear {
  int number = 0;
  std::string text;
  FIELDS(number, text)
};
struct Give {
  std::string fruit;
  int number = 0;
  std::string text;
  FIELDS(fruit, number, text)
};
SCHISM_ENUM(Bell, ding, dong);

// Sends the last node what it is asked for; two of them are too many.
struct Basket : Node<Basket, Apple, Pear> {
  using Timers = Bell;
  using Requests = Types<Give>;
  int got = 0;
  FIELDS(got)
  void start(Context& c) {
    c.set_timer(Bell::ding, 10);
    c.set_timer(Bell::dong, 10);
  }
  void on(Context& c, NodeId, const Apple&) { take(c); }
  void on(Context& c, NodeId, const Pear&) { take(c); }
  void on_timer(Context&, Bell, int) {}
  void on_request(Context& c, RequestId, const Give& g) {
    const NodeId last = c.nodes() - 1;
    if (g.fruit == "apple") c.send(last, Apple{g.number, g.text});
    else c.send(last, Pear{g.number, g.text});
  }
  void take(Context& c) {
    if (++got == 2) c.fail("two are too many");
  }
};

const Registration registered =
    system<Basket>("test-basket", "two of anything are too many").nodes(4, 4, 4).thread_safe();

struct Fruit {
  const char* kind;
  int giver, number;
  const char* text;
};

// Each is asked for by a client of its own; then the lines, word by word.
Look look_at(const std::vector<Fruit>& fruits, const std::vector<std::string>& lines) {
  RunText text;
  text.system = {"test-basket", {}};
  text.faults = {{"mutate", "3"}};
  text.world = {{"liars", "0/1/2"}};
  const auto config = make_config(text);
  EXPECT_TRUE(config);
  Prompt prompt(std::make_unique<Session>(*config, RunPlan{1, 1}), {});
  const auto say = [&](const std::string& line) {
    const Prompt::Reply reply = prompt.say(line);
    EXPECT_FALSE(reply.bad) << line << "\n" << reply.text;
  };
  for (std::size_t i = 0; i < fruits.size(); ++i) {
    const Fruit& f = fruits[i];
    say(fmt::format(R"(ask {{"client":{},"node":{},"request":"Give",)"
                    R"("body":{{"fruit":"{}","number":{},"text":"{}"}}}})",
                    i, f.giver, f.kind, f.number, f.text));
    say(fmt::format("submit client {}", i));
  }
  for (const std::string& line : lines) say(line);
  const auto look = look_of(prompt.session().trace());
  EXPECT_TRUE(look) << (look ? "" : look.error());
  return look ? *look : Look{};
}

const std::vector<std::string> kInTurn = {"deliver Apple 0->3", "deliver Pear 1->3"};

TEST(Shape, IsThatOfTheSameStoryBetweenOtherNodesWithLaterNumbers) {
  const Look plain = look_at({{"apple", 0, 10, "x"}, {"pear", 1, 20, "y"}}, kInTurn);
  const Look others = look_at({{"apple", 2, 110, "x"}, {"pear", 0, 120, "y"}},
                              {"deliver Apple 2->3", "deliver Pear 0->3"});
  EXPECT_EQ(plain.evidence, others.evidence);
  EXPECT_EQ(plain.shape, others.shape);
}

TEST(Shape, TellsStoriesApart) {
  const std::vector<Fruit> two = {{"apple", 0, 10, "x"}, {"pear", 1, 20, "y"}};
  const std::vector<Fruit> three = {
      {"apple", 0, 10, "x"}, {"pear", 1, 20, "y"}, {"apple", 2, 30, "z"}};
  const auto after = [](std::vector<std::string> first) {
    first.insert(first.end(), kInTurn.begin(), kInTurn.end());
    return first;
  };
  const std::vector<std::pair<std::string, Look>> stories = {
      {"plain", look_at(two, kInTurn)},
      {"the other first", look_at(two, {"deliver Pear 1->3", "deliver Apple 0->3"})},
      {"equal numbers", look_at({{"apple", 0, 10, "x"}, {"pear", 1, 10, "y"}}, kInTurn)},
      {"the larger first", look_at({{"apple", 0, 20, "x"}, {"pear", 1, 10, "y"}}, kInTurn)},
      {"another text", look_at({{"apple", 0, 10, "x"}, {"pear", 1, 20, "w"}}, kInTurn)},
      {"by one node", look_at({{"apple", 0, 10, "x"}, {"pear", 0, 20, "y"}},
                              {"deliver Apple 0->3", "deliver Pear 0->3"})},
      {"a ding", look_at(two, after({"fire 0 ding"}))},
      {"a dong", look_at(two, after({"fire 0 dong"}))},
      {"one more", look_at(three, kInTurn)},
      {"changed, and never delivered",
       look_at(three, after({R"(mutate Apple 2->3 {"number":30,"text":"red"})"}))},
      {"changed otherwise",
       look_at(three, after({R"(mutate Apple 2->3 {"number":30,"text":"blue"})"}))},
  };
  for (std::size_t i = 0; i < stories.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_NE(stories[i].second.shape, stories[j].second.shape)
          << stories[i].first << " / " << stories[j].first;
}

}  // namespace
}  // namespace schism
