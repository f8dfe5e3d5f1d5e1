// `patient`: node 0 sends the same thing again and again, the others acknowledge; after so many
// rounds one of them delivers twice. Its runs are as long as one likes and nearly all repetition,
// as those of a protocol with a periodic timer are.
#include "schism/schism.hpp"

namespace {
using namespace schism;

SCHISM_ENUM(Chore, resend);

struct Resend {
  int number;
  FIELDS(number)
};
struct Ack {
  int number;
  FIELDS(number)
};
struct Delivered {
  int item, number;
  FIELDS(item, number)
};

struct Patient : Node<Patient, Resend, Ack> {
  struct Config {
    int rounds = 100;
    bool twice = false;
  };
  using Timers = Chore;

  int sent = 0, acknowledged = 0;
  std::vector<int> delivered;
  FIELDS(sent, acknowledged, delivered)

  void start(Context& c) {
    if (c.self == 0) c.set_timer(Chore::resend, 1000);
  }
  void on(Context& c, NodeId from, const Resend& m) {
    const bool again = c.config().twice && m.number >= c.config().rounds;
    if (delivered.empty() || (again && delivered.size() == 1)) {
      delivered.push_back(m.number);
      c.announce(Delivered{1, m.number});
    }
    c.send(from, Ack{m.number});
  }
  void on(Context&, NodeId, const Ack& m) { acknowledged = std::max(acknowledged, m.number); }
  void on_timer(Context& c, Chore, int) {
    if (sent >= c.config().rounds) return;
    c.broadcast(Resend{++sent});
    c.set_timer(Chore::resend, 1000);
  }
};

const Registration patient =
    system<Patient>("patient", "sends the same thing again and again")
        .nodes(3, 2, 8)
        .steps(1'000'000)
        .param<&Patient::Config::rounds>("rounds", 1, 1'000'000, "how often it is sent")
        .bug<&Patient::Config::twice>("twice", "the last time is delivered once more")
        .oracle(integrity<Delivered>(&Delivered::item, &Delivered::number));

}  // namespace
