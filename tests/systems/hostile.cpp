// Everything that a terminal, a page or a CI server could obey, in the text of a system: contents,
// announcements, the name of a property, the sentence of a failure.
#include "schism/schism.hpp"

namespace {
using namespace schism;

// ESC, BEL, a C1 control, overriding and isolating of direction, zero width, no UTF-8, markup.
constexpr const char* kHostile =
    "\x1b]0;owned\x07\x1b[2J|\xc2\x9b"
    "31m|\xe2\x80\xae|\xe2\x81\xa6|\xe2\x80\x8b|\xff\xfe|\xed\xa0\x80|"
    "</script><b>&\"'\n--x\r[end]]>";

struct Rumour {
  std::string text;
  FIELDS(text)
};

struct Gossip : Node<Gossip, Rumour> {
  std::string heard;
  FIELDS(heard)
  void start(Context& c) {
    if (c.self == 0) c.broadcast(Rumour{kHostile});
  }
  void on(Context& c, NodeId, const Rumour& r) {
    heard = r.text;
    c.announce(r);
    if (c.self == 1) c.fail(std::string("it said ") + kHostile);
  }
};
const Registration hostile = system<Gossip>("hostile", "its text is all that terminals obey");

const Registration hostile_name =
    system<Gossip>("hostile-name", "so is the name of its property")
        .oracle(invariant<Gossip>(kHostile, [](const Gossip& g) { return g.heard.empty(); }));

}  // namespace
