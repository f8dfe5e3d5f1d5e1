// `vsr`: Viewstamped Replication (Oki and Liskov 1988; Liskov and Cowling, Viewstamped Replication
// Revisited, 2012): a log that a majority shares, led by the primary of a view. Who hears nothing
// from the primary starts the next view; its primary takes the best of a majority's logs. A replica
// that crashed forgets its log and asks a majority for it, the primary among them.
//
// The view is on disk, as in 1988. The paper of 2012 leaves that out, and then a replica that comes
// back can forget that it had left a view. Links keep no order, so a Prepare has
// the whole log instead of its last entry, and there is no separate state transfer.
//
//   vsr hunt vsr                             nothing is found
//   vsr hunt vsr --bug longest-log           two replicas commit different requests
//   vsr hunt vsr --faults crash=2 --nodes 3  exactly these faults
#include "schism/schism.hpp"

#include <algorithm>
#include <utility>

namespace {
using namespace schism;

struct Put {
  int value;
  FIELDS(value)
};
struct Accepted {  // the answer
  int at;
  FIELDS(at)
};
struct Refused {  // not by the primary
  FIELDS()
};

struct Entry {
  RequestId request;
  int value = 0;
  FIELDS(request, value)
};
using Entries = std::vector<Entry>;

struct Prepare {
  int view, commit;
  Entries log;
  FIELDS(view, commit, log)
};
struct PrepareOk {
  int view, length;
  FIELDS(view, length)
};
struct StartViewChange {
  int view;
  FIELDS(view)
};
struct DoViewChange {
  int view, normal, commit;  // `normal`: the last view in which its sender took part
  Entries log;
  FIELDS(view, normal, commit, log)
};
struct StartView {
  int view, commit;
  Entries log;
  FIELDS(view, commit, log)
};
struct Recovery {
  int nonce;
  FIELDS(nonce)
};
struct RecoveryResponse {
  int nonce, view, commit;
  bool primary;  // only then it has the log
  Entries log;
  FIELDS(nonce, view, commit, primary, log)
};

struct ViewRecord {  // on disk
  int view = 0;
  FIELDS(view)
};
struct Committed {  // announced
  int at, value;
  FIELDS(at, value)
};

SCHISM_ENUM(Status, normal, view_change, recovering);
SCHISM_ENUM(Patience, primary_is_silent);

struct Replica : Node<Replica, Prepare, PrepareOk, StartViewChange, DoViewChange, StartView,
                      Recovery, RecoveryResponse> {
  struct Config {
    int clients = 2, requests = 2, views = 4;
    bool longest_log = false, any_log = false;
  };
  using Requests = Types<Put>;
  using Timers = Patience;

  Status status = Status::normal;
  int view = 0, normal = 0, commit = 0;
  Entries log;
  PerNode<int> acknowledged;  // by each, in this view
  NodeSet leaving;            // who wants this view to begin
  std::vector<DoViewChange> offers;
  NodeSet offered;
  bool sent_offer = false;
  std::vector<RecoveryResponse> responses;
  NodeSet responded;
  std::vector<RequestId> open;
  FIELDS(status, view, normal, commit, log, acknowledged, leaving, offers, offered, sent_offer,
         responses, responded, open)

  void start(Context& c) {
    acknowledged.assign(static_cast<std::size_t>(c.nodes()), 0);
    c.set_timer(Patience::primary_is_silent, between(200_ms, 400_ms));
    if (c.restarts() == 0) return;
    const auto views = c.disk().load<ViewRecord>(0);
    if (!views.empty()) view = views.front().value.view;
    status = Status::recovering;
    c.broadcast(Recovery{c.restarts()});
  }

  // ---- normal operation
  void on_request(Context& c, RequestId request, const Put& put) {
    if (status != Status::normal || !leads(c)) return c.answer(request, Refused{});
    open.push_back(request);
    log.push_back({request, put.value});
    prepare(c);
  }
  void on(Context& c, NodeId from, const Prepare& m) {
    if (status == Status::recovering || m.view < view) return;
    if (m.view > view || status == Status::view_change) begin(c, m.view, m.log);
    if (m.log.size() > log.size()) log = m.log;
    commit_to(c, m.commit);
    c.send(from, PrepareOk{view, length()});
  }
  void on(Context& c, NodeId from, const PrepareOk& m) {
    if (status != Status::normal || m.view != view || !leads(c)) return;
    acknowledge(c, from, m.length);
  }

  // ---- another view
  void on_timer(Context& c, Patience) {
    if (status == Status::recovering || view >= c.config().views) return;
    if (status == Status::normal && leads(c)) return prepare(c);
    leave(c, view + 1);
    c.set_timer(Patience::primary_is_silent, between(200_ms, 400_ms));
  }
  void on(Context& c, NodeId from, const StartViewChange& m) {
    if (status == Status::recovering || m.view < view) return;
    if (m.view > view) leave(c, m.view);
    if (status != Status::view_change) return;
    leaving.insert(from);
    offer(c);
  }
  void on(Context& c, NodeId from, const DoViewChange& m) {
    if (status == Status::recovering || m.view < view) return;
    if (m.view > view) leave(c, m.view);
    if (status != Status::view_change || offered.contains(from)) return;
    offered.insert(from);
    offers.push_back(m);
    if (static_cast<int>(offers.size()) < c.majority()) return;
    const DoViewChange* best = &offers.front();
    int known = 0;
    for (const DoViewChange& o : offers) {
      if (better(c, o, *best)) best = &o;
      known = std::max(known, o.commit);
    }
    begin(c, view, Entries(best->log));
    commit_to(c, known);
    c.broadcast(StartView{view, commit, log});
    acknowledge(c, c.self, length());
  }
  void on(Context& c, NodeId from, const StartView& m) {
    if (status == Status::recovering || m.view < view) return;
    if (m.view == view && status == Status::normal) return;
    begin(c, m.view, m.log);
    commit_to(c, m.commit);
    c.send(from, PrepareOk{view, length()});
  }

  // ---- recovery
  void on(Context& c, NodeId from, const Recovery& m) {
    if (status != Status::normal) return;
    c.send(from, RecoveryResponse{m.nonce, view, leads(c) ? commit : 0, leads(c),
                                  leads(c) || c.config().any_log ? log : Entries{}});
  }
  void on(Context& c, NodeId from, const RecoveryResponse& m) {
    if (status != Status::recovering || m.nonce != c.restarts()) return;
    if (responded.contains(from)) return;
    responded.insert(from);
    responses.push_back(m);
    if (static_cast<int>(responses.size()) < c.majority()) return;
    const RecoveryResponse* newest = nullptr;
    for (const RecoveryResponse& r : responses)
      if (!newest || r.view > newest->view || (r.view == newest->view && r.primary)) newest = &r;
    if (newest->view < view) return;
    if (!newest->primary && !c.config().any_log) return;
    const int known = newest->commit;
    begin(c, newest->view, Entries(newest->log));
    commit_to(c, known);
  }

 private:
  NodeId primary(Context& c, int of) const { return of % c.nodes(); }
  bool leads(Context& c) const { return primary(c, view) == c.self; }
  int length() const { return static_cast<int>(log.size()); }

  static bool better(Context& c, const DoViewChange& a, const DoViewChange& b) {
    if (a.normal != b.normal && !c.config().longest_log) return a.normal > b.normal;
    return a.log.size() > b.log.size();
  }

  void prepare(Context& c) {
    c.broadcast(Prepare{view, commit, log});
    acknowledge(c, c.self, length());
  }
  // What a majority has is committed: it was said in this view, of this view's log.
  void acknowledge(Context& c, NodeId who, int length_there) {
    int& known = acknowledged[static_cast<std::size_t>(who)];
    known = std::max(known, length_there);
    for (int at = length(); at > commit; --at) {
      int have = 0;
      for (const int has : acknowledged) have += has >= at ? 1 : 0;
      if (have >= c.majority()) return commit_to(c, at);
    }
  }
  void commit_to(Context& c, int to) {
    for (; commit < to && commit < length(); ++commit) {
      const Entry& entry = log[static_cast<std::size_t>(commit)];
      c.announce(Committed{commit, entry.value});
      const auto mine = [&](RequestId r) { return r == entry.request; };
      if (std::erase_if(open, mine) > 0) c.answer(entry.request, Accepted{commit});
    }
  }

  // It takes no part in earlier views any more, whatever happens to it.
  void note_view(Context& c) { c.disk().write_now(0, ViewRecord{view}); }
  void leave(Context& c, int next) {
    view = next;
    note_view(c);
    status = Status::view_change;
    leaving.clear();
    offers.clear();
    offered.clear();
    sent_offer = false;
    c.broadcast(StartViewChange{view});
  }
  void offer(Context& c) {
    if (sent_offer || static_cast<int>(leaving.size()) + 1 < c.majority()) return;
    sent_offer = true;
    const DoViewChange mine{view, normal, commit, log};
    if (leads(c)) on(c, c.self, mine);
    else c.send(primary(c, view), mine);
  }
  // By value: what is given may be part of what is cleared.
  void begin(Context& c, int of, Entries with) {
    view = normal = of;
    note_view(c);
    status = Status::normal;
    log = std::move(with);
    acknowledged.assign(acknowledged.size(), 0);
    offers.clear();
    responses.clear();
    responded.clear();
    for (const RequestId request : std::exchange(open, {})) c.answer(request, Refused{});
    c.set_timer(Patience::primary_is_silent, between(200_ms, 400_ms));
  }
};

const Registration vsr =
    system<Replica>("vsr", "Viewstamped Replication: view change and recovery")
        .nodes(3, 3, 7)
        .param<&Replica::Config::clients>("clients", 1, 4, "clients")
        .param<&Replica::Config::requests>("requests", 1, 6, "requests of a client")
        .param<&Replica::Config::views>("views", 0, 20, "views that may be begun")
        .settled({"views"})
        .bug<&Replica::Config::longest_log>(
            "longest-log", "a new primary takes the longest log, not that of the latest view")
        .bug<&Replica::Config::any_log>("any-log",
                                        "who recovers takes any replica's log for the primary's")
        .survives({Fault::crash, Fault::drop, Fault::duplicate, Fault::partition})
        .thread_safe()
        .workload([](Workload& w) {
          const Replica::Config& config = w.config<Replica>();
          for (int client = 0; client < config.clients; ++client)
            for (int i = 0; i < config.requests; ++i)
              w.request<Replica>(client, kAnyNode, Put{client * config.requests + i});
        })
        .oracle(agreement<Committed>(&Committed::at, &Committed::value));

}  // namespace
