// `pbft`: Practical Byzantine Fault Tolerance (Castro and Liskov, OSDI 1999), with the mutators and
// rounds of ByzzFuzz (Winter et al., OOPSLA 2023) and twelve bugs that implementations have had.
// The last nodes are clients; the others are replicas, of which a third may lie.
#include "systems/pbft/replica.hpp"

namespace {
using namespace pbft;

const Config& config_of(const Setup& setup) {
  return *static_cast<const Config*>(setup.config.get());
}

bool is_client(NodeId id, int nodes, const Config& config) {
  return id >= replicas_of(nodes, config);
}

bool all_answered(const World& world) {
  for (NodeId id = 0; id < world.setup().nodes; ++id)
    if (const auto* client = world.as<Client>(id); client && client->open) return false;
  return true;
}

std::optional<OrderKey> order_of(const TypeInfo& type, const void* m) {
  const auto is = [&](const TypeInfo& other) { return &type == &other; };
  if (is(type_info<PrePrepare>())) {
    const Proposal& p = *static_cast<const PrePrepare*>(m)->proposal;
    return OrderKey{p.view, p.n - 1, 1};
  }
  if (is(type_info<Prepare>())) {
    const Accept& a = *static_cast<const Prepare*>(m)->accept;
    return OrderKey{a.view, a.n - 1, 2};
  }
  if (is(type_info<Commit>())) {
    const Settle& s = *static_cast<const Commit*>(m)->settle;
    return OrderKey{s.view, s.n - 1, 3};
  }
  if (is(type_info<Reply>())) {
    const Reply& r = *static_cast<const Reply*>(m);
    return OrderKey{r.view, r.n - 1, 4};
  }
  if (is(type_info<ViewChange>()))
    return OrderKey{static_cast<const ViewChange*>(m)->change->view, -1, 5};
  if (is(type_info<NewView>())) return OrderKey{static_cast<const NewView*>(m)->view, -1, 6};
  return std::nullopt;  // requests and checkpoints have no round
}

int any_number(Rng& rng) { return static_cast<int>(rng.below(1U << 30)); }

using Builder = SystemBuilder<Replica>;

// Table 1 of the paper. Own items are signed anew by the world.
void add_lies(Builder& b) {
  b.lie<PrePrepare>("operand - 1", [](PrePrepare& m, Rng&) { return m.op.value.add -= 1, true; });
  b.lie<PrePrepare>("view - 1",
                    [](PrePrepare& m, Rng&) { return m.proposal.value.view -= 1, true; });
  b.lie<PrePrepare>("seq + 1", [](PrePrepare& m, Rng&) { return m.proposal.value.n += 1, true; });
  b.far_lie<PrePrepare>("operand",
                        [](PrePrepare& m, Rng& r) { return m.op.value.add = any_number(r), true; });
  b.far_lie<PrePrepare>(
      "view", [](PrePrepare& m, Rng& r) { return m.proposal.value.view = any_number(r), true; });
  b.far_lie<PrePrepare>(
      "seq", [](PrePrepare& m, Rng& r) { return m.proposal.value.n = any_number(r), true; });
  for (const int by : {-1, 1}) {
    const std::string way = by < 0 ? " - 1" : " + 1";
    b.lie<Prepare>("view" + way,
                   [by](Prepare& m, Rng&) { return m.accept.value.view += by, true; });
    b.lie<Prepare>("seq" + way, [by](Prepare& m, Rng&) { return m.accept.value.n += by, true; });
    b.lie<Commit>("view" + way, [by](Commit& m, Rng&) { return m.settle.value.view += by, true; });
    b.lie<Commit>("seq" + way, [by](Commit& m, Rng&) { return m.settle.value.n += by, true; });
    b.lie<ViewChange>("view" + way,
                      [by](ViewChange& m, Rng&) { return m.change.value.view += by, true; });
    b.lie<ViewChange>("stable" + way,
                      [by](ViewChange& m, Rng&) { return m.change.value.stable += by, true; });
    b.lie<NewView>("view" + way, [by](NewView& m, Rng&) { return m.view += by, true; });
  }
  // The bad clerk.
  b.lie<NewView>("without its last proposal", [](NewView& m, Rng&) {
    if (m.proposals.empty() || m.ops.size() != m.proposals.size()) return false;
    m.proposals.pop_back();
    m.ops.pop_back();
    return true;
  });
  b.lie<NewView>("a null request", [](NewView& m, Rng& r) {
    if (m.proposals.empty() || m.ops.size() != m.proposals.size()) return false;
    const auto i = static_cast<std::size_t>(r.below(m.proposals.size()));
    m.proposals[i].value.digest = digest_of(Op{});
    m.ops[i] = {};
    return true;
  });
  b.far_lie<Prepare>("view",
                     [](Prepare& m, Rng& r) { return m.accept.value.view = any_number(r), true; });
  b.far_lie<Prepare>("seq",
                     [](Prepare& m, Rng& r) { return m.accept.value.n = any_number(r), true; });
  b.far_lie<Commit>("view",
                    [](Commit& m, Rng& r) { return m.settle.value.view = any_number(r), true; });
  b.far_lie<Commit>("seq",
                    [](Commit& m, Rng& r) { return m.settle.value.n = any_number(r), true; });
  b.lie<Reply>("result + 1", [](Reply& m, Rng&) { return m.result += 1, true; });
  b.far_lie<Reply>("result", [](Reply& m, Rng& r) { return m.result = any_number(r), true; });
}

void add_bugs(Builder& b) {
  b.bug<&Config::digest_unchecked>("digest-unchecked",
                                   "whatever stands beside a proposal is taken for what was asked");
  b.bug<&Config::slot_votes_unbound>("slot-votes-unbound",
                                     "votes count for a number, whatever they are for");
  b.bug<&Config::votes_not_distinct>("votes-not-distinct",
                                     "COMMITs are counted, not who sent them");
  b.bug<&Config::commit_quorum_2f>("commit-quorum-2f", "2f COMMITs suffice");
  b.bug<&Config::prepared_lost>("prepared-lost", "a VIEW-CHANGE tells of nothing prepared");
  b.bug<&Config::new_view_unchecked>("new-view-unchecked",
                                     "what a NEW-VIEW proposes is taken as it comes");
  b.bug<&Config::lowest_view_wins>("lowest-view-wins",
                                   "of two certificates for a number the older one is taken");
  b.bug<&Config::o_off_by_one>("o-off-by-one", "the first number is lost in every view change");
  b.bug<&Config::early_gc>("early-gc", "f + 1 checkpoints are stable, whatever states they name");
  b.bug<&Config::reply_quorum>("reply-quorum", "a client waits for 2f + 1 equal replies");
  b.bug<&Config::timers_cleared>("timers-cleared", "a new view does not watch over those who wait");
  b.bug<&Config::new_view_trusted>("new-view-trusted", "any NEW-VIEW moves the view");
}

Registration register_pbft() {
  Builder b =
      system<Replica>("pbft", "Practical Byzantine Fault Tolerance: replicas, then clients");
  b.nodes(6, 5, 64)
      // Replicas keep nothing on disk: one that restarts has forgotten what it promised.
      .survives({Fault::drop, Fault::duplicate, Fault::pause, Fault::cut, Fault::partition})
      .liars(
          [](const Setup& s) {
            return static_cast<int>(faults_of(replicas_of(s.nodes, config_of(s))));
          },
          [](NodeId id, const Setup& s) { return !is_client(id, s.nodes, config_of(s)); })
      .order(4, order_of)
      .also<Client>(is_client)
      .colour<Replica>([](const Replica& node, Paint& paint) {
        paint.role(node.active);
        paint.size(node.log.size(), 4);
        paint.size(node.prepared.size(), 3);
        paint.size(node.changes.size(), 2);
        paint.rank(node.view);
        paint.rank(node.stable);
      })
      .colour<Client>([](const Client& node, Paint& paint) {
        paint.role(node.open.has_value());
        paint.size(node.asking.empty() ? 0 : node.asking.begin()->second.replies.size(), 3);
      })
      .param<&Config::clients>("clients", 0, 8,
                               "of the nodes, the last ones; 0: all but the first four")
      .param<&Config::requests>("requests", 0, 64, "that each client makes")
      .duration<&Config::apart>("apart", 0, 60'000'000,
                                "a client sends its next request after so long, answered or not; "
                                "0s: when it has its answer")
      .param<&Config::interval>("interval", 1, 100, "operations between two checkpoints")
      .param<&Config::resend>("resend", "what may have been lost is sent again")
      .settled({"clients", "resend", "apart"})
      .workload([](Workload& w) {
        const Config& config = w.config<Replica>();
        // Who does not wait asks for all at once, one after the other.
        for (int i = 0; i < (config.apart > 0 ? 1 : config.requests); ++i)
          for (NodeId id = replicas_of(w.nodes, config); id < w.nodes; ++id)
            w.request<Client>(id - replicas_of(w.nodes, config), id, Add{i + 1});
      })
      .oracle(agreement<Executed>(&Executed::n, &Executed::digest))
      .oracle(validity<Executed, Asked>(&Executed::digest, &Asked::digest))
      .oracle(integrity<Executed>(&Executed::once, &Executed::n))
      .oracle(eventually("termination", all_answered))
      .timer_weight("patience", 1)
      .timer_weight("resend", 1)
      .steps(2000)
      .tail(120'000'000)
      .patience(300)
      .thread_safe();
  add_lies(b);
  add_bugs(b);
  return b;
}

const Registration registered = register_pbft();

}  // namespace
