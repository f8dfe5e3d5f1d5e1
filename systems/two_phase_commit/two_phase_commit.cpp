// `two-phase-commit`: atomic commitment with one transaction manager, node 0 (Gray and Lamport,
// Consensus on Transaction Commit, section 3). A resource manager prepares or gives up, whichever
// of its two timers fires first; the manager waits for all, or loses patience.
#include "schism/scenario/vocabulary.hpp"
#include "schism/schism.hpp"

#include <bit>

namespace {
using namespace schism;

struct Prepared {
  FIELDS()
};
struct GaveUp {
  FIELDS()
};
struct Outcome {
  bool commit;
  FIELDS(commit)
};
using CommitMessages = Types<Prepared, GaveUp, Outcome>;

struct Ended {  // announced by resource managers
  bool commit;
  FIELDS(commit)
};

SCHISM_ENUM(Choice, prepare, give_up, lose_patience);

struct CommitConfig {
  bool patience = false, may_give_up = true;
  bool commit_early = false, change_mind = false, forget_outcome = false;
};

struct Manager : Node<Manager, CommitMessages> {
  using Config = CommitConfig;
  using Timers = Choice;

  int prepared = 0;
  std::optional<bool> outcome;
  bool gone = false;  // nothing is on a disk: who crashed stays away
  FIELDS(prepared, outcome, gone)

  void start(Context& c) {
    gone = c.restarts() > 0;
    if (!gone && !c.config().patience) c.set_timer(Choice::lose_patience, 1'000'000);
  }
  void on_timer(Context& c, Choice) { decide(c, false); }
  void on(Context& c, NodeId, const Prepared&) {
    ++prepared;
    const int wanted = c.config().commit_early ? c.nodes() - 2 : c.nodes() - 1;
    if (prepared >= wanted) decide(c, true);
  }
  void on(Context& c, NodeId, const GaveUp&) { decide(c, false); }
  void on(Context&, NodeId, const Outcome&) {}

 private:
  void decide(Context& c, bool commit) {
    if (gone) return;
    if (outcome && !c.config().forget_outcome) return;
    outcome = commit;
    c.cancel_timer(Choice::lose_patience);
    c.broadcast(Outcome{commit});
  }
};

struct Resource : Node<Resource, CommitMessages> {
  using Config = CommitConfig;
  using Timers = Choice;

  bool prepared = false;
  std::optional<bool> ended;
  bool gone = false;
  FIELDS(prepared, ended, gone)

  void start(Context& c) {
    gone = c.restarts() > 0;
    if (gone) return;
    c.set_timer(Choice::prepare, 1'000);
    if (c.config().may_give_up) c.set_timer(Choice::give_up, 2'000);
  }
  void on_timer(Context& c, Choice choice) {
    if (choice == Choice::prepare) {
      prepared = true;
      if (!c.config().change_mind) c.cancel_timer(Choice::give_up);
      c.send(0, Prepared{});
    } else {
      c.cancel_timer(Choice::prepare);
      c.send(0, GaveUp{});
      end(c, false);
    }
  }
  void on(Context& c, NodeId, const Outcome& o) { end(c, o.commit); }
  void on(Context&, NodeId, const Prepared&) {}
  void on(Context&, NodeId, const GaveUp&) {}

 private:
  void end(Context& c, bool commit) {
    if (gone) return;
    c.cancel_timer(Choice::prepare);
    c.cancel_timer(Choice::give_up);
    if (ended && *ended == commit) return;  // told what it had decided itself
    ended = commit;
    c.announce(Ended{commit});
  }
};

constexpr auto kOnlyInstance = [](const Ended&) { return 0; };

// It is promised only where the manager survives, and either everybody else or not its patience.
bool all_ended(const World& world) {
  const auto* manager = world.as<Manager>(0);
  bool all_alive = true, all_ended = true;
  for (NodeId id = 1; id < world.setup().nodes; ++id) {
    const auto* node = world.as<Resource>(id);
    const bool alive = node && !node->gone;
    all_alive = all_alive && alive;
    all_ended = all_ended && (!alive || node->ended);
  }
  if (!manager || manager->gone) return true;
  return manager->outcome ? all_ended : !all_alive;
}

const Registration registered =
    system<Resource>("two-phase-commit", "atomic commitment by one transaction manager, node 0")
        .nodes(4, 2, 60)
        // Over perfect links, which lose nothing and bring nothing twice.
        .survives({Fault::crash, Fault::pause})
        .colour<Manager>([](const Manager& node, Paint& paint) {
          paint.role(node.outcome ? 1 + static_cast<int>(*node.outcome) : 0);
          paint.is(node.gone);
          paint.is(node.prepared);
        })
        .colour<Resource>([](const Resource& node, Paint& paint) {
          paint.role(node.ended ? 1 + static_cast<int>(*node.ended) : 0);
          paint.is(node.prepared);
          paint.is(node.gone);
        })
        .param<&CommitConfig::patience>("patience", "the manager never aborts by itself")
        .param<&CommitConfig::may_give_up>("may-give-up", "resource managers may refuse to prepare")
        .bug<&CommitConfig::commit_early>("commit-early",
                                          "the manager commits when all but one have prepared")
        .bug<&CommitConfig::change_mind>("change-mind",
                                         "a resource manager can give up after it has prepared")
        .bug<&CommitConfig::forget_outcome>("forget-outcome",
                                            "the manager decides again when another vote arrives")
        .also<Manager>([](NodeId id, int, const CommitConfig&) { return id == 0; })
        .oracle(agreement<Ended>(kOnlyInstance, &Ended::commit))
        .oracle(integrity<Ended>(kOnlyInstance, &Ended::commit))
        .oracle(eventually("termination", all_ended))
        .symmetric([](const Setup& s) {
          std::vector<int> groups(static_cast<std::size_t>(s.nodes), 1);
          groups[0] = 0;
          return groups;
        })
        .thread_safe();

const Registration words =
    scenario::vocabulary("two-phase-commit")
        .announces<Ended>()
        .word("prepares", {}, "sent Prepared", "a resource manager is ready to commit")
        .word("gives-up", {}, "sent GaveUp", "a resource manager aborts by itself")
        .word("decides-commit", {}, "sent Outcome and .commit = true",
              "the manager decides to commit")
        .word("decides-abort", {}, "sent Outcome and .commit = false",
              "the manager decides to abort")
        .word("commits", {}, "announced Ended and .commit = true", "a resource manager commits")
        .word("aborts", {}, "announced Ended and .commit = false", "a resource manager aborts");

}  // namespace
