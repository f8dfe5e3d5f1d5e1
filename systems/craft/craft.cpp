// `craft`: the workload, and what there is to switch.
#include "systems/craft/craft.hpp"

#include "schism/schism.hpp"
#include "systems/craft/oracles.hpp"

namespace schism::craft {
namespace {

std::optional<std::uint64_t> led(const StateChange& change) {
  if (change.state != Role::leader) return std::nullopt;
  return change.term;
}

void commands(Workload& w, const Config& config) {
  int number = 1;
  for (int i = 0; i < config.commands; ++i)
    for (int client = 0; client < config.clients; ++client) {
      const int count =
          1 + static_cast<int>(w.random.below(static_cast<std::uint64_t>(config.batch)));
      w.request<Craft>(client, kAnyNode, Apply{number, count});
      number += count;
    }
}

// Half of the wishes are for voters: on the way there servers are added and catch up.
void membership_change(Workload& w, int administrator) {
  static constexpr Wish wishes[] = {Wish::voter,   Wish::voter, Wish::voter,
                                    Wish::standby, Wish::spare, Wish::gone};
  const int server = static_cast<int>(w.random.below(static_cast<std::uint64_t>(w.nodes)));
  w.request<Craft>(administrator, kAnyNode, Reconfigure{server, wishes[w.random.below(6)]});
}

// Two administrators, so that a change can be asked for while another one is stuck.
void administration(Workload& w, const Config& config) {
  int changes = config.membership, transfers = config.transfers, closes = config.closes;
  while (changes + transfers + closes > 0) {
    const int administrator = config.clients + static_cast<int>(w.random.below(2));
    const int all = changes + transfers + closes;
    const auto which = static_cast<int>(w.random.below(static_cast<std::uint64_t>(all)));
    if (which < changes) {
      --changes;
      membership_change(w, administrator);
    } else if (which < changes + transfers) {
      --transfers;
      const int to = static_cast<int>(w.random.below(static_cast<std::uint64_t>(w.nodes) + 1)) - 1;
      w.request<Craft>(administrator, kAnyNode, Transfer{to});
    } else {
      --closes;
      w.request<Craft>(administrator, kAnyNode, Close{});
    }
  }
}

void workload(Workload& w) {
  const Config& config = w.config<Craft>();
  commands(w, config);
  administration(w, config);
}

Lessons lessons() {
  Lessons out;
  out.tick = 50'000;
  out.asked = "state = leader";
  out.bound = "any(term > 9)";
  out.predicates = {
      "one_in_term(t): any(term = t)",
      "all_in_term(t): all(term >= t)",
      "term_diff(k): max(term) - min(term) >= k",
      "commit_entries(k): any(commit >= k)",
      "entry_in_term(t): any(term = t and commit > 0) via one_in_term(t), leader_in_term(t)",
      "leader_in_term(t): any(term = t and state = leader)",
      "log_diff(k): max(last) - min(last) >= k via log_diff(1..k-1)",
      "log_commit_diff(k): max(commit) - min(commit) >= k via log_diff(1)",
      "one_leader_one_candidate: any(state = leader) and any(state = candidate) via "
      "any(state = leader), max(term) - min(term) > 1"};
  return out;
}

const Registration registered =
    system<Craft>("craft", "Canonical's C-Raft library as Debian ships it, behind its I/O seam")
        .nodes(3, 1, kServersMax)
        // Written for streams: a message is lost with its connection, and never comes twice.
        .survives({Fault::drop, Fault::crash, Fault::pause, Fault::cut, Fault::partition,
                   Fault::disk_error})
        .colour<Craft>([](const Craft& node, Paint& paint) {
          paint.role(node.state);
          paint.size(node.last, 8);
          paint.rank(node.term);
          paint.rank(node.commit);
        })
        .portrait<Craft>([](const Craft& node, const Sitter& sitter, Paint& paint) {
          constexpr std::uint64_t kTerms = 3;
          paint.role(node.state);
          paint.is(node.commit);
          paint.is(sitter.knows(static_cast<NodeId>(node.leader)));
          paint.is(sitter.knows(static_cast<NodeId>(node.vote)));
          paint.size(node.term, kTerms);
          paint.is(node.last);
        })
        .lessons(lessons())
        .duration<&Config::heartbeat>("heartbeat", 1_ms, 10_s, "period of the library's ticks")
        .duration<&Config::election>("election", 1_ms, 100_s,
                                     "an election timeout lasts from this to twice this")
        .duration<&Config::install_timeout>("install-timeout", 1_ms, 1000_s,
                                            "after which a snapshot is sent again")
        .duration<&Config::round_duration>("round-duration", 1_ms, 1000_s,
                                           "longest round of catching up before a promotion")
        .param<&Config::rounds>("rounds", 1, 1000, "rounds of catching up before a promotion")
        .param<&Config::pre_vote>("pre-vote", "ask whether an election could be won before it")
        .param<&Config::snapshot_threshold>("snapshots", 0, 100000,
                                            "entries between snapshots; 0: none")
        .param<&Config::snapshot_trailing>("trailing", 1, 100000,
                                           "entries that a snapshot leaves in the log")
        .param<&Config::async_snapshots>("async-snapshots", "snapshots are taken in the background")
        .param<&Config::members>("members", 0, kServersMax,
                                 "voters at the beginning, lowest ids first; 0: all")
        .param<&Config::clients>("clients", 0, 100, "clients, each with a request at a time")
        .param<&Config::commands>("commands", 0, 100000, "requests a client")
        .param<&Config::batch>("batch", 1, 16, "commands in a request, at most")
        .param<&Config::barriers>("barriers", "whoever becomes leader appends a barrier")
        .param<&Config::membership>("membership", 0, 100000,
                                    "changes of the members or their roles that are asked for")
        .param<&Config::own_role>("own-role", "the leader may be asked to remove or demote itself")
        .param<&Config::transfers>("transfers", 0, 100000,
                                   "transfers of leadership that are asked for")
        .param<&Config::closes>("closes", 0, 100000, "clean shutdowns, each followed by a start")
        .param<&Config::failed_sends>("failed-sends", 0, 100000,
                                      "messages that the library is told could not be sent, a node")
        .param<&Config::failed_snapshots>("failed-snapshots", 0, 100000,
                                          "own snapshots whose write fails, a node")
        .param<&Config::progress>("progress", "judge liveness in the fair tail")
        .param<&Config::early>("early",
                               "judge rules of the paper whose breach has done no harm yet")
        .param<&Config::matches>("matches",
                                 "judge what leaders believe that the others have stored")
        .judgement({"progress", "early", "matches"})
        .settled({"members"})
        .restless()
        .streams()
        .fails_itself("the library breaks ten of these properties as it is: docs/findings/craft.md")
        .bug<&Config::vote_not_persisted>("vote-not-persisted",
                                          "the adapter does not write votes to the disk")
        .bug<&Config::ack_before_durable>(
            "ack-before-durable", "the adapter completes appends that a crash may still lose")
        .bug<&Config::truncate_forgotten>(
            "truncate-forgotten", "the adapter leaves on disk what the library has truncated")
        .bug<&Config::snapshot_forgets_members>(
            "snapshot-forgets-members", "the adapter stores snapshots without the last server")
        .oracle(one_leader<StateChange>("election-safety", "term", led))
        .oracle(LogMatching())
        .oracle(CommittedEntries())
        .oracle(SameHistory())
        .oracle(NoFlaw("commit-monotonicity", FlawKind::commit_back))
        .oracle(NoFlaw("commit-within-log", FlawKind::commit_beyond))
        .oracle(NoFlaw("own-term-commits", FlawKind::own_term))
        .oracle(NoFlaw("log-on-disk", FlawKind::log_on_disk))
        .oracle(NoFlaw("term-and-vote-on-disk", FlawKind::hard_state))
        .oracle(NoFlaw("addressed-messages", FlawKind::address))
        .oracle(NoFlaw("stays-available", FlawKind::shut_down))
        .oracle(NoFlaw("starts-again", FlawKind::restart))
        .oracle(NoFlaw("one-callback", FlawKind::callback))
        .oracle(NoFlaw("memory-safety", FlawKind::memory))
        .oracle([](const Setup& s) { return std::make_unique<MatchIndices>(s); })
        .oracle([](const Setup& s) { return std::make_unique<Progressing>(s); })
        .workload(workload)
        .timer_weight("tick", 25)
        .timer_weight("sent", 60)
        .timer_weight("work", 60)
        .steps(2000)
        .tail(60_s)
        .fragile();

}  // namespace
}  // namespace schism::craft
