// A user's protocol: a token goes round and whoever sees its own number again leads.
#include "schism/schism.hpp"

namespace {
using namespace schism;

struct Token {
  int number;
  FIELDS(number)
};
struct Leads {
  int number;
  FIELDS(number)
};

struct Member : Node<Member, Token> {
  struct Config {
    bool eager = false;
  };
  bool leads = false;
  FIELDS(leads)

  void start(Context& c) { c.send((c.self + 1) % c.nodes(), Token{c.self}); }
  void on(Context& c, NodeId, const Token& t) {
    if (t.number == c.self || (c.config().eager && t.number < c.self)) {
      leads = true;
      c.announce(Leads{c.self});
    } else if (t.number > c.self) {
      c.send((c.self + 1) % c.nodes(), t);
    }
  }
};

const Registration ring =
    system<Member>("ring", "elects the largest number of a ring")
        .nodes(4, 2)
        .bug<&Member::Config::eager>("eager", "leads already when it sees a smaller number")
        .oracle(world_invariant("one leader", [](const World& w) {
          int leaders = 0;
          for (NodeId id = 0; id < w.setup().nodes; ++id) {
            const Member* m = w.as<Member>(id);
            leaders += m && m->leads ? 1 : 0;
          }
          return leaders > 1 ? std::string("two nodes lead") : std::string();
        }));

}  // namespace
