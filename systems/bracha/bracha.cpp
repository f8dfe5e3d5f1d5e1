// `bracha`: reliable broadcast among nodes of which f may lie (Bracha 1987; Cachin, Guerraoui and
// Rodrigues, Algorithm 3.18). Node 0 sends one value; whoever gets it echoes it; (n + f) / 2 + 1
// echoes, or f + 1 who are ready, make a node ready; 2f + 1 who are ready deliver. Of each node the
// first echo counts, and the first that it is ready.
#include <algorithm>

#include "schism/schism.hpp"

namespace {
using namespace schism;

struct Initial {
  int value;
  FIELDS(value)
};
struct Echo {
  int value;
  FIELDS(value)
};
struct Ready {
  int value;
  FIELDS(value)
};
struct Delivered {  // announced
  int broadcast, value;
  FIELDS(broadcast, value)
};

constexpr int kNothing = -1;

int liars_tolerated(int nodes) { return (nodes - 1) / 3; }

struct Broadcaster : Node<Broadcaster, Initial, Echo, Ready> {
  struct Config {
    int values = 2;
    bool echo_majority = false, ready_on_one = false, no_amplification = false;
    bool deliver_early = false, votes_not_distinct = false;
  };

  int echoed = kNothing, ready = kNothing, delivered = kNothing;
  std::vector<NodeSet> echoes, readies;  // a set a value
  std::vector<int> ready_count;          // messages, where they are counted instead
  FIELDS(echoed, ready, delivered, echoes, readies, ready_count)

  void start(Context& c) {
    const auto values = static_cast<std::size_t>(c.config().values);
    echoes.resize(values), readies.resize(values), ready_count.resize(values, 0);
    if (c.self != 0) return;
    c.broadcast(Initial{0});
    echo(c, 0);
  }

  void on(Context& c, NodeId from, const Initial& m) {
    if (from == 0 && sensible(m.value)) echo(c, m.value);
  }
  void on(Context& c, NodeId from, const Echo& m) {
    if (!sensible(m.value) || has_voted(echoes, from)) return;
    at(echoes, m.value).insert(from);
    settle(c);
  }
  void on(Context& c, NodeId from, const Ready& m) {
    const bool counted = c.config().votes_not_distinct;
    if (!sensible(m.value) || (has_voted(readies, from) && !counted)) return;
    at(readies, m.value).insert(from);
    if (counted) ++at(ready_count, m.value);
    settle(c);
  }

 private:
  template <class T>
  static T& at(std::vector<T>& all, int value) {
    return all[static_cast<std::size_t>(value)];
  }
  static bool has_voted(const std::vector<NodeSet>& votes, NodeId who) {
    return std::any_of(votes.begin(), votes.end(),
                       [&](const NodeSet& of_value) { return of_value.contains(who); });
  }
  bool sensible(int value) const { return value >= 0 && value < static_cast<int>(echoes.size()); }

  void echo(Context& c, int value) {
    if (echoed != kNothing) return;
    echoed = value;
    c.broadcast(Echo{value});
    at(echoes, value).insert(c.self);
    settle(c);
  }

  void settle(Context& c) {
    const auto f = static_cast<std::size_t>(liars_tolerated(c.nodes()));
    const auto n = static_cast<std::size_t>(c.nodes());
    const std::size_t quorum = c.config().echo_majority ? n / 2 : (n + f) / 2 + 1;
    const std::size_t joins = c.config().ready_on_one ? f : f + 1;
    for (int value = 0; value < static_cast<int>(echoes.size()); ++value) {
      const bool by_echoes = at(echoes, value).size() >= quorum;
      const bool by_others = at(readies, value).size() >= joins && !c.config().no_amplification;
      if (ready == kNothing && (by_echoes || by_others)) {
        ready = value;
        c.broadcast(Ready{value});
        at(readies, value).insert(c.self);
        if (c.config().votes_not_distinct) ++at(ready_count, value);
      }
      const std::size_t count = c.config().votes_not_distinct
                                    ? static_cast<std::size_t>(at(ready_count, value))
                                    : at(readies, value).size();
      if (delivered == kNothing && count >= (c.config().deliver_early ? f + 1 : 2 * f + 1)) {
        delivered = value;
        c.announce(Delivered{0, value});
      }
    }
  }
};

std::vector<const Broadcaster*> correct(const World& world) {
  std::vector<const Broadcaster*> out;
  for (NodeId id = 0; id < world.setup().nodes; ++id)
    if (const auto* node = world.as<Broadcaster>(id)) out.push_back(node);
  return out;
}

// All or none; and all where the sender is correct.
bool all_deliver(const World& world) {
  bool any = world.as<Broadcaster>(0) != nullptr;
  for (const Broadcaster* node : correct(world)) any = any || node->delivered != kNothing;
  for (const Broadcaster* node : correct(world))
    if (any && node->delivered == kNothing) return false;
  return true;
}

// What a correct sender sends, and nothing else.
std::string something_else(const World& world) {
  const Broadcaster* sender = world.as<Broadcaster>(0);
  for (const Broadcaster* node : correct(world))
    if (sender && node->delivered > 0)
      return fmt::format("{} was delivered, and 0 sent", node->delivered);
  return "";
}

// Every message that a liar could send, for searches that try everything.
std::vector<LiarMessage> anything(NodeId liar, const Setup& setup) {
  std::vector<LiarMessage> out;
  const auto& config = *static_cast<const Broadcaster::Config*>(setup.config.get());
  for (NodeId to = 0; to < setup.nodes; ++to)
    for (int type = liar == 0 ? 0 : 1; to != liar && type < 3; ++type)
      for (int value = 0; value < config.values; ++value) {
        Value content;
        content.set("value", value);
        out.push_back({to, type, std::move(content)});
      }
  return out;
}

template <class M>
bool other_value(M& m, Rng&) {
  m.value = 1 - m.value;
  return true;
}

using C = Broadcaster::Config;
const Registration registered =
    system<Broadcaster>("bracha", "reliable broadcast among nodes of which a third may lie")
        .nodes(4, 4, 64)
        // Over perfect links: nothing is sent again that was lost.
        .survives({Fault::duplicate, Fault::pause})
        .colour<Broadcaster>([](const Broadcaster& node, Paint& paint) {
          paint.role(node.delivered != kNothing ? 3
                     : node.ready != kNothing   ? 2
                                                : int{node.echoed != kNothing});
          for (const int value : {node.echoed, node.ready, node.delivered}) paint.is(value);
          for (const NodeSet& voters : node.readies) paint.size(voters.size(), 4);
        })
        .liars([](const Setup& s) { return liars_tolerated(s.nodes); })
        .order(3,
               [](const TypeInfo& type, const void*) -> std::optional<OrderKey> {
                 const int verb = &type == &type_info<Initial>() ? 1
                                  : &type == &type_info<Echo>()  ? 2
                                                                 : 3;
                 return OrderKey{0, 0, verb};
               })
        .lie<Initial>("another value", other_value<Initial>)
        .lie<Echo>("another value", other_value<Echo>)
        .lie<Ready>("another value", other_value<Ready>)
        .far_lie<Initial>("another value", other_value<Initial>)
        .far_lie<Echo>("another value", other_value<Echo>)
        .far_lie<Ready>("another value", other_value<Ready>)
        .liar_messages(anything)
        .param<&C::values>("values", 2, 8, "that can be told apart; 0 is sent")
        .settled({"values"})
        .bug<&C::echo_majority>("echo-majority",
                                "half of the nodes suffice as echoes: a sender with two faces "
                                "makes two values ready")
        .bug<&C::ready_on_one>("ready-on-one", "f who are ready make a node ready: a liar does")
        .bug<&C::no_amplification>("no-amplification",
                                   "nobody becomes ready because others are: a liar that helps "
                                   "one node leaves the others behind")
        .bug<&C::deliver_early>("deliver-early", "f + 1 who are ready deliver")
        .bug<&C::votes_not_distinct>("votes-not-distinct",
                                     "messages of the ready are counted, not who sent them")
        .oracle(agreement<Delivered>(&Delivered::broadcast, &Delivered::value))
        .oracle(integrity<Delivered>(&Delivered::broadcast, &Delivered::value))
        .oracle(eventually("totality", all_deliver))
        .oracle(world_invariant("validity", something_else))
        .symmetric([](const Setup& s) {
          std::vector<int> groups(static_cast<std::size_t>(s.nodes), 1);
          groups[0] = 0;
          for (const std::int64_t liar : s.options.liars)
            groups[static_cast<std::size_t>(liar)] = 2 + static_cast<int>(liar);
          return groups;
        })
        .steps(400)
        .thread_safe();

}  // namespace
