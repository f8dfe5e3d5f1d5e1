// `bft-smart`: the state machine replication of the BFT-SMaRt library (Bessani, Sousa, Alchieri,
// DSN 2014). The last nodes are clients; the others are replicas, of which a third may lie.
#include "systems/bft_smart/oracles.hpp"
#include "systems/bft_smart/replica.hpp"

namespace {
using namespace bft_smart;

const Config& config_of(const Setup& setup) {
  return *static_cast<const Config*>(setup.config.get());
}

bool is_client(NodeId id, int nodes, const Config& config) {
  return id >= replicas_of(nodes, config);
}

// Everybody is answered; or more replicas are away or lie than may be.
bool all_answered(const World& world) {
  const int nodes = world.setup().nodes, replicas = replicas_of(nodes, config_of(world.setup()));
  std::size_t away = 0;
  for (NodeId id = 0; id < nodes; ++id) {
    const auto* replica = world.as<Replica>(id);
    if (id < replicas) away += world.liar(id) || !world.up(id) || !replica || replica->gone ? 1 : 0;
  }
  if (away > faults_of(replicas)) return true;
  for (NodeId id = replicas; id < nodes; ++id)
    if (const auto* client = world.as<Client>(id); client && client->open) return false;
  return true;
}

// Instances, and the four verbs of a request. What belongs to a leader change has no instance of
// its own, so that it has no round.
std::optional<OrderKey> order_of(const TypeInfo& type, const void* m) {
  const auto is = [&](const TypeInfo& other) { return &type == &other; };
  if (is(type_info<Propose>())) return OrderKey{0, static_cast<const Propose*>(m)->cid - 1, 1};
  if (is(type_info<Write>())) return OrderKey{0, static_cast<const Write*>(m)->cid - 1, 2};
  if (is(type_info<Accept>())) return OrderKey{0, static_cast<const Accept*>(m)->vote->cid - 1, 3};
  if (is(type_info<Reply>())) return OrderKey{0, static_cast<const Reply*>(m)->cid - 1, 4};
  return std::nullopt;
}

int any_number(Rng& rng) { return static_cast<int>(rng.below(1U << 30)); }

using Builder = SystemBuilder<Replica>;

void add_lies_about_instances(Builder& b) {
  b.lie<Propose>("another nonce", [](Propose& m, Rng&) { return m.batch.nonce += 1, true; });
  b.lie<Propose>("without an operation", [](Propose& m, Rng& r) {
    if (m.batch.ops.size() < 2) return false;
    m.batch.ops.erase(m.batch.ops.begin() +
                      static_cast<std::ptrdiff_t>(r.below(m.batch.ops.size())));
    return true;
  });
  b.lie<Propose>("an operation changed", [](Propose& m, Rng&) {
    if (m.batch.ops.empty()) return false;
    return m.batch.ops[0].value.add += 1, true;
  });
  b.far_lie<Propose>("instance", [](Propose& m, Rng& r) { return m.cid = any_number(r), true; });
  for (const int by : {-1, 1}) {
    const std::string way = by < 0 ? " - 1" : " + 1";
    b.lie<Propose>("instance" + way, [by](Propose& m, Rng&) { return m.cid += by, true; });
    b.lie<Write>("instance" + way, [by](Write& m, Rng&) { return m.cid += by, true; });
    b.lie<Write>("epoch" + way, [by](Write& m, Rng&) { return m.epoch += by, true; });
    b.lie<Accept>("instance" + way, [by](Accept& m, Rng&) { return m.vote.value.cid += by, true; });
    b.lie<Accept>("epoch" + way, [by](Accept& m, Rng&) { return m.vote.value.epoch += by, true; });
    b.lie<Stop>("regency" + way, [by](Stop& m, Rng&) { return m.regency += by, true; });
  }
  b.lie<Write>("another value", [](Write& m, Rng&) { return m.digest += 1, true; });
  b.lie<Accept>("another value", [](Accept& m, Rng&) { return m.vote.value.digest += 1, true; });
  b.far_lie<Write>("epoch", [](Write& m, Rng& r) { return m.epoch = any_number(r), true; });
  b.far_lie<Accept>("epoch",
                    [](Accept& m, Rng& r) { return m.vote.value.epoch = any_number(r), true; });
  b.lie<Reply>("result + 1", [](Reply& m, Rng&) { return m.result += 1, true; });
  b.far_lie<Reply>("result", [](Reply& m, Rng& r) { return m.result = any_number(r), true; });
  b.lie<FwdDecision>("another value", [](FwdDecision& m, Rng&) {
    m.decision.batch = {m.decision.batch.nonce + 1, {}};
    return true;
  });
  b.lie<FwdDecision>("as that of the next instance",
                     [](FwdDecision& m, Rng&) { return m.decision.cid += 1, true; });
  b.lie<State>("regency + 3", [](State& m, Rng&) { return m.regency += 3, true; });
}

// A leader who shows what tells of a value to nobody, and has forgotten it; with four replicas.
bool hide(Sync& m, bool decision, bool sign_twice) {
  constexpr int kReplicas = 4;
  if (decision && m.last.cid != 1) return false;
  if (decision) m.last = {};
  const int running = m.last.cid + 1;
  std::optional<Signed<Collect>> own;
  std::erase_if(m.collects, [&](const Signed<Collect>& collect) {
    if (collect.signer == m.regency % kReplicas) own = collect;
    return collect.signer == m.regency % kReplicas ||
           (collect->cid == running && collect->quorum_digest != 0);
  });
  if (!own) return false;
  own->value = {running, m.regency, -1, 0, {}};
  m.collects.push_back(*own);
  if (sign_twice) m.collects.push_back(*own);
  m.batch.nonce += 1;
  return true;
}

// The forgetful witness, the boaster and the bad clerk of a leader change.
void add_lies_about_changes(Builder& b) {
  b.lie<StopData>("forgets what was written", [](StopData& m, Rng&) {
    Collect& c = m.collect.value;
    const bool told = c.quorum_digest != 0 || !c.written.empty();
    c.quorum_epoch = -1;
    c.quorum_digest = 0;
    c.written.clear();
    return told;
  });
  b.lie<StopData>("forgets its last decision", [](StopData& m, Rng&) {
    if (m.last.cid == 0) return false;
    m.last = {};
    return true;
  });
  b.lie<StopData>("a decision of its own", [](StopData& m, Rng&) {
    m.last.cid += 1;
    m.last.batch = {-1, {}};
    m.last.proof = {{{m.last.cid, 0, digest_of(m.last.batch)}, m.collect.signer, 0}};
    return true;
  });
  b.lie<StopData>("a value of its own", [](StopData& m, Rng&) {
    Collect& c = m.collect.value;
    const Batch batch{-2, {}};
    c.quorum_epoch = c.regency;
    c.quorum_digest = digest_of(batch);
    c.written = {{c.quorum_epoch, batch}, {c.quorum_epoch + 1, batch}};
    return true;
  });
  b.lie<StopData>("is at the next instance",
                  [](StopData& m, Rng&) { return m.collect.value.cid += 1, true; });
  b.lie<Sync>("another batch", [](Sync& m, Rng&) {
    m.batch = {m.batch.nonce + 1, {}};
    return true;
  });
  b.lie<Sync>("hides a value", [](Sync& m, Rng&) { return hide(m, false, false); });
  b.lie<Sync>("hides a decision", [](Sync& m, Rng&) { return hide(m, true, false); });
  b.lie<Sync>("hides a value, its own collect twice",
              [](Sync& m, Rng&) { return hide(m, false, true); });
  b.lie<Sync>("an operation changed", [](Sync& m, Rng&) {
    if (m.batch.ops.empty()) return false;
    return m.batch.ops[0].value.add += 1, true;
  });
  b.lie<Sync>("an operation once more", [](Sync& m, Rng&) {
    if (m.last.batch.ops.empty()) return false;
    m.batch.ops = m.last.batch.ops;
    return true;
  });
  b.lie<Sync>("without a collect", [](Sync& m, Rng& r) {
    if (m.collects.empty()) return false;
    m.collects.erase(m.collects.begin() + static_cast<std::ptrdiff_t>(r.below(m.collects.size())));
    return true;
  });
  b.lie<Sync>("without the last decision", [](Sync& m, Rng&) {
    if (m.last.cid == 0) return false;
    m.last = {};
    return true;
  });
}

// What the library does today and should not: all of it at once with as=library.
void add_habits(Builder& b) {
  b.bug<&Config::epoch_zero_unbound>(
      "epoch-zero-unbound", "a collect of epoch 0 and one of nothing have the same timestamp");
  b.bug<&Config::highest_cid_unproved>("highest-cid-unproved",
                                       "the highest last decision is taken without its proof");
  b.bug<&Config::left_epoch_votes>(
      "left-epoch-votes", "WRITEs of an epoch that was left still make a replica ACCEPT in it");
  b.bug<&Config::present_epoch_claimed>(
      "present-epoch-claimed",
      "a quorum of WRITEs is reported for the epoch that the instance is in by then");
  b.bug<&Config::later_collects_empty>(
      "later-collects-empty", "a collect of a later instance says that nothing was written");
  b.bug<&Config::collects_not_distinct>("collects-not-distinct",
                                        "collects are counted, not who signed them");
  b.bug<&Config::entries_certify>("entries-certify",
                                  "entries of write sets are counted, not whose they are");
  b.bug<&Config::sync_unchecked>("sync-unchecked",
                                 "what a SYNC proposes is not checked as a PROPOSE is");
  b.bug<&Config::sync_batch_early>(
      "sync-batch-early",
      "a new leader takes its batch before it executes the last decision, and nobody checks it");
  b.bug<&Config::asks_unproposed_only>(
      "asks-unproposed-only",
      "who was proposed what is decided never asks, whatever is kept from it");
  b.bug<&Config::proposed_for_good>("proposed-for-good",
                                    "a request that was put into a batch is in no other of the "
                                    "same leader");
}

void add_bugs(Builder& b) {
  b.bug<&Config::decide_own_proposal>("decide-own-proposal",
                                      "a quorum of ACCEPTs decides, whatever was proposed here");
  b.bug<&Config::old_collects>("old-collects", "collects of earlier regencies count in a SYNC");
  b.bug<&Config::proof_mixes>("proof-mixes",
                              "a proof may be of votes for anything, in any instance and epoch");
  b.bug<&Config::leader_replay>("leader-replay", "what is executed is accepted in a batch again");
  b.bug<&Config::accept_before_propose>("accept-before-propose",
                                        "a quorum of ACCEPTs before the PROPOSE ends the replica");
  b.bug<&Config::timer_dies>("timer-dies",
                             "the timer is not armed again when no request has expired yet");
  b.bug<&Config::quorum_ceil>("quorum-ceil", "more than the upper half of n + f votes are needed");
  b.bug<&Config::transfer_leader>("transfer-leader",
                                  "with a state the regency is taken that the last reply tells");
}

Registration register_bft_smart() {
  Builder b = system<Replica>(
      "bft-smart", "the BFT-SMaRt library's state machine replication: replicas, then clients");
  b.nodes(6, 6, 64)
      // Links are streams that lose nothing, each direction by itself. Nothing is kept on a disk:
      // who crashed stays away.
      .survives({Fault::crash, Fault::pause})
      .streams()
      .liars(
          [](const Setup& s) {
            return static_cast<int>(faults_of(replicas_of(s.nodes, config_of(s))));
          },
          [](NodeId id, const Setup& s) { return !is_client(id, s.nodes, config_of(s)); })
      .order(4, order_of)
      .also<Client>(is_client)
      .colour<Replica>([](const Replica& node, Paint& paint) {
        paint.is(node.stopped);
        paint.is(node.asked_for > node.regency);
        paint.size(node.last, 4);
        paint.rank(node.regency);
      })
      .param<&Config::as>("as", "library: with all that it does today; repaired: without")
      .param<&Config::clients>("clients", 1, 8, "of the nodes, the last ones")
      .param<&Config::requests>("requests", 0, 64, "that each client makes")
      .param<&Config::read_only>(
          "read-only",
          "clients wait for a quorum of equal replies, as where there are read-only "
          "requests; else for f + 1")
      .settled({"as", "clients"})
      .workload([](Workload& w) {
        const Config& config = w.config<Replica>();
        for (int i = 0; i < config.requests; ++i)
          for (NodeId id = replicas_of(w.nodes, config); id < w.nodes; ++id)
            w.request<Client>(id - replicas_of(w.nodes, config), id, Add{i + 1});
      })
      .oracle(agreement<Decided>(&Decided::cid, &Decided::digest))
      .oracle(validity<Executed, Asked>(&Executed::digest, &Asked::digest))
      .oracle(integrity<Executed>(&Executed::once, &Executed::n))
      .oracle(agreement<Executed>(&Executed::n, &Executed::digest, "executed-order"))
      .oracle(agreement<Computed>(&Computed::once, &Computed::value, "answers"))
      .oracle(EpochsLeft())
      .oracle(ClaimedQuorums())
      .oracle(DecidedKept())
      .oracle(eventually("termination", all_answered))
      .timer_weight("requests", 1)
      .timer_weight("resend", 1)
      .steps(1500)
      .tail(120'000'000)
      .patience(300)
      .thread_safe();
  add_lies_about_instances(b);
  add_lies_about_changes(b);
  add_habits(b);
  add_bugs(b);
  return b;
}

const Registration registered = register_bft_smart();

}  // namespace
