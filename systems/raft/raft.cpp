// `raft`: the beginning of a server, its workload, and what there is to switch.
#include "systems/raft/raft.hpp"

#include "schism/oracle/linearizability.hpp"
#include "schism/schism.hpp"
#include "systems/raft/oracles.hpp"

namespace schism::raft {
namespace {

Members initial_members(const Config& config, int nodes) {
  const int count = config.members == 0 ? nodes : std::min(config.members, nodes);
  return (Members{1} << count) - 1;
}

}  // namespace

void Raft::start(Context& c) {
  const Config& config = c.config();
  snapshot.members = initial_members(config, c.nodes());
  peers.assign(static_cast<std::size_t>(c.nodes()), {});
  recover(c);
  if (config.bootstrap && c.restarts() == 0) bootstrap(c);
  if (config.voters_stick()) heard_at = c.now();
  if (log.size() > 0 && c.restarts() > 0) c.announce(LogChange{c.self, log.base() + 1, log.last()});
  change_role(c, Role::StateFollower);
  reset_election_timer(c);
}

void Raft::on_timer(Context& c, Timer timer) {
  switch (timer) {
    case Timer::election: on_election_timeout(c); break;
    case Timer::heartbeat: on_heartbeat_timeout(c); break;
    case Timer::retry: on_retry_timeout(c); break;
  }
  settle(c);
}

namespace {

std::optional<std::uint64_t> led(const StateChange& change) {
  if (change.new_state != Role::StateLeader) return std::nullopt;
  return change.term;
}

// Values are unique, so that a read tells which write it saw. A cas expects one of the values that
// were meant for its key, or none.
void key_value_requests(Workload& w, const Config& config) {
  std::vector<std::vector<int>> written(static_cast<std::size_t>(config.keys), {0});
  const auto keys = static_cast<std::uint64_t>(config.keys);
  for (int i = 0; i < config.requests; ++i) {
    for (int client = 0; client < config.clients; ++client) {
      const int key = static_cast<int>(w.random.below(keys));
      const int value = 1 + i * config.clients + client;
      auto& values = written[static_cast<std::size_t>(key)];
      switch (w.random.below(5)) {
        case 0:
        case 1: w.request<Raft>(client, kAnyNode, Get{key}); break;
        case 2: {
          const int expected = values[w.random.below(values.size())];
          w.request<Raft>(client, kAnyNode, Cas{key, expected, value});
          values.push_back(value);
          break;
        }
        default: w.request<Raft>(client, kAnyNode, Put{key, value}); values.push_back(value);
      }
    }
  }
}

// Two administrators, so that a change can be asked for while another one is stuck at a leader that
// cannot commit it.
void administrator_requests(Workload& w, const Config& config) {
  const auto nodes = static_cast<std::uint64_t>(w.nodes);
  Members members = initial_members(config, w.nodes);
  int changes = config.membership, transfers = config.transfers;
  while (changes + transfers > 0) {
    const int who = config.clients + static_cast<int>(w.random.below(2));
    const int node = static_cast<int>(w.random.below(nodes));
    const auto left = static_cast<std::uint64_t>(changes + transfers);
    if (w.random.below(left) >= static_cast<std::uint64_t>(changes)) {
      --transfers;
      w.request<Raft>(who, kAnyNode, Transfer{node});
      continue;
    }
    --changes;
    if (contains(members, node)) w.request<Raft>(who, kAnyNode, RemoveNode{node});
    else w.request<Raft>(who, kAnyNode, AddNode{node});
    members ^= bit_of(node);
  }
}

void workload(Workload& w) {
  const Config& config = w.config<Raft>();
  key_value_requests(w, config);
  administrator_requests(w, config);
}

// The key-value store as its clients see it: a register a key, 0 before the first write.
Linearizability::Model client_history() {
  Linearizability::Model model;
  model.initial = Value(0);
  model.call = [](const World& world, const Event& e) -> std::optional<linearize::Call> {
    const Setup& setup = world.setup();
    // Leases assume one clock: without it a read under a lease promises nothing.
    const bool promised = static_cast<const Config*>(setup.config.get())->reads != Reads::lease ||
                          setup.options.time != TimeUse::untimed;
    if (e.as<Get>() && !promised) return std::nullopt;
    if (const Put* put = e.as<Put>()) return linearize::write(put->key, put->value);
    if (const Get* get = e.as<Get>()) return linearize::read(get->key);
    if (const Cas* cas = e.as<Cas>()) return linearize::cas(cas->key, cas->expected, cas->value);
    return std::nullopt;  // administrators
  };
  model.answer = [](linearize::History& history, linearize::OpId op, const Event& e) {
    const Answer* answer = e.as<Answer>();
    if (!answer) return;
    switch (answer->outcome) {
      case Outcome::ok:
        if (history[op].function == linearize::Function::read) history.saw(op, answer->value);
        else history.done(op);
        break;
      case Outcome::mismatch: history.missed(op); break;
      case Outcome::refused: history.failed(op); break;
      case Outcome::unknown: history.unknown(op); break;
    }
  };
  return model;
}

// As in the published experiments with etcd, and what a snapshot covers.
void portrait(const Raft& node, const Sitter& sitter, Paint& paint) {
  constexpr Term kTerms = 6;
  paint.role(node.role);
  paint.is(node.commit);
  paint.is(sitter.knows(node.leader));
  paint.is(sitter.knows(node.vote));
  paint.is(node.log.last());
  paint.is(node.log.base());
  paint.size(node.term, kTerms);
  for (const Entry& entry : node.log) {
    paint.size(entry.term, kTerms + 1);
    paint.is(entry.type);
  }
}

Lessons lessons() {
  Lessons out;
  out.asked = "role = StateLeader";
  out.bound = "any(term > 9)";
  out.predicates = {
      "one_in_term(t): any(term = t) via one_in_term(2..t-1)",
      "all_in_term(t): all(term >= t) via any(term >= t-2), any(term >= t)",
      "term_diff(k): max(term) - min(term) >= k",
      "commit_entries(k): any(commit >= k)",
      "min_commit(k): any(commit >= k) via any(commit >= 1), any(commit >= 1 and role = "
      "StateLeader)",
      "entry_in_term(t): any(term = t and commit > 0) via one_in_term(t), leader_in_term(t)",
      "leader_in_term(t): any(term = t and role = StateLeader) via any(term >= t-1), any(term >= "
      "t)",
      "commit_in_term(t): any(term = t and commit > 0) via any(term = t), leader_in_term(t)",
      "log_diff(k): max(snapshot.index + log.size) - min(snapshot.index + log.size) >= k via "
      "log_diff(1..k-1)",
      "log_commit_diff(k): max(commit) - min(commit) >= k via log_diff(1..k)",
      "log_gap(k): max(log.size) - min(log.size) >= k and min(log.size) > 0 via log_diff(1)",
      "log_commit_gap(k): max(commit) - min(commit) >= k and min(log.size) > 0 via log_diff(1..k)",
      "one_leader_one_candidate: any(role = StateLeader) and any(role = StateCandidate) via "
      "any(role = StateLeader), max(term) - min(term) > 1"};
  return out;
}

const Registration registered =
    system<Raft>("raft", "consensus on a log: Raft with a replicated key-value store")
        .nodes(5, 1, kServersMax)
        .survives(kBenignFaults.with(Fault::disk_error))
        .colour<Raft>([](const Raft& node, Paint& paint) {
          paint.role(node.role);
          paint.size(node.log.last(), 4);
          paint.rank(node.term);
          paint.rank(node.commit);
        })
        .param<&Config::pre_vote>("pre-vote", "ask whether an election could be won before it")
        .param<&Config::check_quorum>(
            "check-quorum", "a leader without a quorum steps down; voters stick to a live leader")
        .param<&Config::empty_entry>("empty-entry", "a new leader appends an empty entry")
        .param<&Config::bootstrap>("bootstrap",
                                   "the log begins with one committed entry a member, as in etcd")
        .param<&Config::forward>("forward", "followers pass requests on instead of refusing them")
        .param<&Config::reads>("reads",
                               "how reads are answered: as an entry of the log, after a "
                               "round of heartbeats, or under a lease")
        .param<&Config::members>("members", 0, kServersMax,
                                 "members at the beginning, lowest ids first; 0: all")
        .param<&Config::batch>("batch", 1, static_cast<int>(kBatchMax), "entries a message")
        .param<&Config::snapshot_every>("snapshot-every", 0, 1'000'000,
                                        "entries after which a log is compacted; 0: never")
        .duration<&Config::election>("election", 1000, 60'000'000,
                                     "least election timeout; the most is twice that")
        .duration<&Config::heartbeat>("heartbeat", 1000, 60'000'000, "between two heartbeats")
        .duration<&Config::retry>("retry", 1000, 600'000'000,
                                  "after which an open request is proposed again")
        .param<&Config::clients>("clients", 0, kClientsMax - 2, "of the key-value store")
        .param<&Config::requests>("requests", 0, 1'000'000, "a client")
        .param<&Config::keys>("keys", 1, kKeysMax, "of the key-value store")
        .param<&Config::attempts>("attempts", 1, 1000,
                                  "proposals of a request before its outcome is called unknown")
        .param<&Config::membership>("membership", 0, 1000,
                                    "servers that administrators add or remove")
        .param<&Config::transfers>("transfers", 0, 1000,
                                   "transfers of leadership that administrators ask for")
        .param<&Config::progress>("progress", "judge liveness in the fair tail")
        .judgement({"progress"})
        .settled({"members", "attempts"})
        .restless()
        .bug<&Config::quorum_third>("quorum-third", "a quorum is a third of the members and one")
        .bug<&Config::vote_not_persisted>("vote-not-persisted",
                                          "a vote is not written to disk: a restarted server votes "
                                          "again in the same term")
        .bug<&Config::term_not_persisted>(
            "term-not-persisted",
            "the term is not written to disk: a restarted server goes "
            "back to the term of its last entry")
        .bug<&Config::ack_before_sync>("ack-before-sync",
                                       "appended entries are acknowledged, and counted by the "
                                       "leader, before they are on disk")
        .bug<&Config::conflict_not_truncated>("conflict-not-truncated",
                                              "a conflicting entry is overwritten, but the entries "
                                              "after it stay")
        .bug<&Config::truncate_without_conflict>(
            "truncate-without-conflict",
            "an append erases what follows its entries even if "
            "nothing conflicts, so an old one erases newer "
            "entries")
        .bug<&Config::commit_old_term>("commit-old-term",
                                       "entries of earlier terms are committed by counting")
        .bug<&Config::stale_term_response>("stale-term-response",
                                           "responses of earlier terms are counted")
        .bug<&Config::vote_without_log_check>("vote-without-log-check",
                                              "a vote is given without comparing the logs")
        .bug<&Config::unsafe_membership>("unsafe-membership",
                                         "members change without waiting for the change before or "
                                         "for an entry of the leader's own term, and there is no "
                                         "empty entry: the single-server bug of 2015")
        .bug<&Config::snapshot_loses_tail>("snapshot-loses-tail",
                                           "a snapshot also replaces the entries after it that the "
                                           "log already holds")
        .bug<&Config::restore_resurrects>("restore-resurrects",
                                          "entries beyond a snapshot that conflicts with the log "
                                          "come back after it was installed")
        .bug<&Config::deposed_leader_read>("deposed-leader-read",
                                           "a leader answers reads at once from its own state, "
                                           "without making sure that it still leads")
        .bug<&Config::retry_applied_twice>("retry-applied-twice",
                                           "sessions are ignored: a repeated request takes effect "
                                           "again")
        .bug<&Config::transfer_double_vote>("transfer-double-vote",
                                            "the vote request of a leadership transfer is granted "
                                            "by servers that have already voted in that term")
        .bug<&Config::heartbeat_commits_beyond_match>(
            "heartbeat-commits-beyond-match",
            "a heartbeat carries the leader's commit index "
            "even to followers whose log is not known to "
            "match")
        .bug<&Config::snapshot_missing>("snapshot-missing",
                                        "a server that restarted has compacted its log, but has no "
                                        "snapshot to send as a leader (etcd-io/raft issue 108)")
        .bug<&Config::term_kept_on_append>("term-kept-on-append",
                                           "entries of a later term are taken and acknowledged in "
                                           "it, but the term is not taken up")
        .bug<&Config::term_kept_on_vote>("term-kept-on-vote",
                                         "a vote is given in a later term without taking it up")
        .bug<&Config::term_kept_on_vote_answer>(
            "term-kept-on-vote-answer",
            "an answer of a later term ends a candidacy, but the term is not taken up, and an "
            "assertion fails")
        .bug<&Config::delete_below_snapshot>("delete-below-snapshot",
                                             "entries of an old append that the snapshot has "
                                             "replaced are taken for a conflict and deleted")
        .bug<&Config::read_below_snapshot>("read-below-snapshot",
                                           "a leader reads the last entry that its snapshot has "
                                           "replaced")
        .bug<&Config::follower_asserts>("follower-asserts",
                                        "an assertion fails where a candidate becomes a follower "
                                        "before its candidacy is on disk")
        .bug<&Config::restore_loses_log>("restore-loses-log",
                                         "entries after a snapshot are not read again after a "
                                         "crash, if they were written before it")
        .portrait<Raft>(portrait)
        .lessons(lessons())
        .oracle(one_leader<StateChange>("election-safety", "term", led))
        .oracle(LogMatching())
        .oracle(LeaderCompleteness())
        .oracle(StateMachineSafety())
        .oracle(CommitMonotonicity())
        .oracle(AtMostOnce())
        .oracle(FreshReads())
        .oracle(Linearizability(client_history()))
        .oracle([](const Setup& setup) { return std::make_unique<Progressing>(setup); })
        .workload(workload)
        // Followers are many and a leader is one: without this nobody would lead for long.
        .timer_weight("election", 2)
        .timer_weight("heartbeat", 20)
        .timer_weight("retry", 2)
        // A hundred elections: with luck against it a cluster needs many. It ends with the first
        // leader whose log everybody has.
        .tail(30_s)
        .thread_safe();

}  // namespace
}  // namespace schism::raft
