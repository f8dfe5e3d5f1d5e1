// `rsl`: the beginning of a replica, its clock, its workload, and what there is to switch.
#include "schism/schism.hpp"
#include "systems/rsl/oracles.hpp"
#include "systems/rsl/replica.hpp"

namespace schism::rsl {

void Replica::start(Context& c) {
  const Config& config = c.config();
  if (!config.forget) recover(c);
  no_progress_at = static_cast<Ticks>(config.no_progress);
  c.set_timer(Timer::tick, config.tick);
  initialise(c);
}

void Replica::on_timer(Context& c, Timer) {
  const Config& config = c.config();
  c.set_timer(Timer::tick, config.tick);
  ++ticks;
  if (config.quit && ticks > no_progress_at) return;
  pursue_requests(c);
  // Two candidates with one number make secondaries of each other. The published rule leaves such a
  // replica, which still owns its ballot, waiting for ever.
  const bool may_stand =
      config.published() ? is_stable() && !owns_ballot(c) : role == Role::secondary;
  if (may_stand && ticks > next_election) initialise(c);
  if (leads() && ready) {
    const auto interval = static_cast<Ticks>(config.heartbeat);
    const bool due =
        config.published() ? ticks - last_chosen > interval : ticks - spoke_at >= interval;
    if (due || !queue.empty()) send_next(c);
  }
  if (ticks <= action_at) return;
  if (leads()) send_next(c);
  else if (role == Role::initialising) initialise(c);
  else if (role == Role::preparing) ask_for_promises(c);
}

namespace {

// Ballots are compared by number, so a number must have one primary.
std::optional<std::uint64_t> led(const RoleChange& change) {
  if (change.role != Role::primary) return std::nullopt;
  return change.ballot;
}

// Commands are unique, so that an answer tells which was decided.
void workload(Workload& w) {
  const Config& config = w.config<Replica>();
  for (int i = 0; i < config.requests; ++i)
    for (int client = 0; client < config.clients; ++client)
      w.request<Replica>(client, kAnyNode, Propose{1 + i * config.clients + client});
}

// All that the published experiments tell apart: of the log without its proposers.
void portrait(const Replica& node, const Sitter&, Paint& paint) {
  constexpr std::uint32_t kBallots = 5;
  paint.role(node.role);
  paint.size(node.accepted.ballot.number, kBallots);
  paint.is(node.accepted.decree);
  paint.is(node.decided.last());
  paint.is(node.prepared.number);
  for (const Record& record : node.log) {
    paint.is(record.accepted);
    paint.is(record.ballot.number);
    paint.is(record.decree);
    paint.is(record.command);
  }
}

Lessons lessons() {
  Lessons out;
  out.asked = "role = primary";
  out.bound = "any(accepted.ballot.number > 9)";
  out.predicates = {
      "any_ballot(b): any(accepted.ballot.number = b)",
      "all_ballot(b): all(accepted.ballot.number >= b)",
      "entry_ballot(b): any(log: ballot.number = b)",
      "any_decree(d): any(accepted.decree = d)",
      "ballot_diff(k): max(accepted.ballot.number) - min(accepted.ballot.number) >= k and "
      "min(accepted.ballot.number) > 0",
      "any_decided(k): any(decided.size = k)",
      "primary_in_ballot(b): any(role = primary and accepted.ballot.number = b) via any_ballot(b)",
      "decided_diff(k): max(decided.size where decided.size > 0) - "
      "min(decided.size where decided.size > 0) >= k via decided_diff(1..k-1)"};
  return out;
}

const Registration registered =
    system<Replica>("rsl", "consensus on a list of commands: Azure's Replicated State Library")
        .nodes(3, 1, kReplicasMax)
        .survives(kBenignFaults)  // as published: what it decides, not that it decides
        .colour<Replica>([](const Replica& node, Paint& paint) {
          paint.role(node.role);
          paint.is(node.ready);
          paint.size(node.decided.size(), 6);
          paint.rank(node.prepared.number);
          paint.rank(node.accepted.rank());
        })
        .param<&Config::as>("as",
                            "the rules corrected where they get stuck, or as in the published "
                            "program")
        .param<&Config::quit>("quit", "a replica without progress does nothing more")
        .param<&Config::forward>("forward", "secondaries pass commands on instead of refusing them")
        .duration<&Config::tick>("tick", 1000, 60'000'000, "of a replica's clock")
        .param<&Config::heartbeat>("heartbeat", 1, 1'000'000, "ticks between two heartbeats")
        .param<&Config::no_progress>("no-progress", 1, 1'000'000,
                                     "ticks after which a replica would quit")
        .param<&Config::election>("election", 1, 1'000'000,
                                  "ticks without a primary before an election")
        .param<&Config::spread>("spread", 0, 1'000'000, "the most ticks drawn and added to that")
        .param<&Config::grace>("grace", 1, 1'000'000, "ticks that a candidate is given")
        .param<&Config::retry>("retry", 1, 1'000'000, "ticks before something is asked for again")
        .param<&Config::clients>("clients", 0, 64, "that propose commands")
        .param<&Config::requests>("requests", 0, 1'000'000, "a client")
        .param<&Config::patience>("patience", 1, 1'000'000,
                                  "ticks after which a command's fate is called unknown")
        .param<&Config::progress>("progress", "judge liveness in the fair tail")
        .judgement({"progress"})
        .settled({"as", "quit"})  // other programs, which get stuck
        .timing({"heartbeat", "no-progress", "election", "spread", "grace", "retry", "patience"})
        .restless()
        .bug<&Config::execute_twice>("execute-twice",
                                     "a decree that is proposed again in a higher ballot is "
                                     "executed again: the published InconsistentLogs")
        .bug<&Config::answer_equal_ballot>("answer-equal-ballot",
                                           "a replica promises a ballot number to a second "
                                           "candidate")
        .bug<&Config::ignore_prepared>("ignore-prepared",
                                       "a promise does not tell what its sender has accepted")
        .bug<&Config::minority>("minority", "a quorum has one replica too few")
        .bug<&Config::gap_execute>("gap-execute",
                                   "a proposal that does not follow the last one is accepted all "
                                   "the same, and the last one is executed")
        .bug<&Config::forget>("forget",
                              "a restarted replica has forgotten its log and its promises")
        .portrait<Replica>(portrait)
        .lessons(lessons())
        .oracle(agreement<Executed>(&Executed::position, &Executed::command, "decided-lists"))
        .oracle(one_leader<RoleChange>("one-primary", "ballot", led))
        .oracle([](const Setup& setup) { return std::make_unique<Progressing>(setup); })
        .workload(workload)
        // An election takes a dozen ticks, and a round of messages must fit between two.
        .timer_weight("tick", 20)
        // A hundred elections; it ends with the first primary that all follow.
        .tail(30_s)
        .thread_safe();

}  // namespace
}  // namespace schism::rsl
