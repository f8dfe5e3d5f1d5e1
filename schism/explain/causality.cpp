#include "schism/explain/causality.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "schism/system/liars.hpp"
#include "schism/words/operands.hpp"

namespace schism::draw {
namespace {

using Step = std::uint32_t;

// Goes through the run once, remembering the last step of everything that later ones may need.
class Builder {
 public:
  explicit Builder(const Trace& trace)
      : trace_(trace),
        fifo_(trace.config.setup.options.links == LinkOrder::fifo),
        anywhere_(trace.config.setup.system->answers_anywhere),
        at_node_(static_cast<std::size_t>(trace.config.setup.places()), -1) {
    Setup setup = trace.config.setup;
    setup.node_seed = trace.plan.node_seed;
    liars_ = liars_of(setup);
  }

  struct Found {
    std::vector<Cause> causes;
    std::int64_t sent_in = -1;
  };

  Found look(Step step) {
    found_ = {};
    const Action& a = trace_.steps[step].action;
    step_ = step;
    order(a);
    switch (a.kind) {
      case Do::deliver:
      case Do::drop:
      case Do::omit:
      case Do::duplicate: message(a); break;
      case Do::mutate:
        message(a);
        lie();
        break;
      case Do::inject:
        lie();
        needs(injected_, Why::message);
        injected_ = step;
        break;
      case Do::fire: needs(last(born_, std::pair(About::timer, a.name.bits())), Why::timer); break;
      case Do::submit:
        needs(last(freed_, a.name.from()), Why::client);
        needs(last(asked_, a.name.from()), Why::client);
        asked_[a.name.from()] = step;
        open_[a.name.from()] = static_cast<NodeId>(a.arg());
        askers_[static_cast<NodeId>(a.arg())].insert(a.name.from());
        client(a.name.from());
        break;
      case Do::crash:  // whoever waited there for an answer goes on without
        for (const auto& [client, node] : open_)
          if (node == a.name.from()) freed_[client] = step;
        std::erase_if(open_, [&](const auto& asked) { return asked.second == a.name.from(); });
        for (const int asker : askers_[a.name.from()]) client(asker);
        break;
      case Do::restart: restarted_[a.name.from()] = step; break;
      case Do::cut:
        needs(macros_.empty() ? -1 : macros_.back(), Why::macro);
        needs(last(healed_, link(a)), Why::link);
        cut_[link(a)] = step;
        break;
      case Do::heal:
        needs(last(cut_, link(a)), Why::link);
        healed_[link(a)] = step;
        break;
      case Do::begin:
        if (!macros_.empty()) needs(macros_.back(), Why::macro);
        macros_.push_back(step);
        break;
      case Do::end:
        if (macros_.empty()) break;
        needs(macros_.back(), Why::macro);
        macros_.pop_back();
        break;
      case Do::calm: calm_ = step; break;
      case Do::advance:
        needs(calm_, Why::clock);  // before it the clocks may be the nodes' own
        clock_ = step;
        break;
      default: break;
    }
    effects(step);
    return std::move(found_);
  }

 private:
  template <class Map, class Key>
  static std::int64_t last(const Map& map, const Key& key) {
    const auto at = map.find(key);
    return at == map.end() ? -1 : static_cast<std::int64_t>(at->second);
  }

  static std::pair<int, int> link(const Action& a) { return {a.name.from(), a.name.to()}; }

  // The first reason given stays: an edge is drawn once.
  void needs(std::int64_t earlier, Why why) {
    if (earlier < 0 || earlier >= step_) return;
    const auto step = static_cast<Step>(earlier);
    for (const Cause& cause : found_.causes)
      if (cause.step == step && cause.why == why) return;
    found_.causes.push_back({step, why});
  }

  void order(const Action& a) {
    if (is_everywhere(a.kind)) {
      for (std::int64_t& at : at_node_) {
        needs(at, Why::order);
        at = step_;
      }
      needs(clock_, Why::clock);
      return;
    }
    const NodeId node = place_of(a);
    if (node < 0 || node >= trace_.config.setup.places()) return;
    std::int64_t& at = at_node_[static_cast<std::size_t>(node)];
    needs(at, Why::order);
    needs(clock_, Why::clock);
    at = step_;
  }

  // Where any node may answer, who is first depends on all that a client has seen.
  void client(int id) {
    if (!anywhere_) return;
    needs(last(at_client_, id), Why::client);
    at_client_[id] = step_;
  }

  // What a lie may hold depends on what liars have received.
  void lie() {
    for (const NodeId liar : liars_) {
      std::int64_t& at = at_node_[static_cast<std::size_t>(liar)];
      needs(at, Why::order);
      at = step_;
    }
  }

  void message(const Action& a) {
    const std::pair key(About::message, a.name.bits());
    found_.sent_in = last(born_, key);
    needs(found_.sent_in, Why::message);
    needs(last(healed_, link(a)), Why::link);
    // What is sent to a node that is down may be lost, whatever becomes of it afterwards.
    if (a.kind != Do::deliver) needs(last(restarted_, a.name.to()), Why::order);
    if (a.kind == Do::mutate) born_[key] = step_;
    if (a.kind == Do::duplicate) {
      const Name original(a.name.from(), a.name.to(), a.name.type(), a.name.nth());
      needs(last(copied_, original.bits()), Why::message);
      copied_[original.bits()] = step_;
    }
    if (!fifo_) return;
    needs(last(fates_, link(a)), Why::link);
    if (a.kind == Do::deliver || a.kind == Do::drop) fates_[link(a)] = step_;
  }

  void effects(Step step) {
    for (const RecordedEvent& event : trace_.steps[step].events) {
      const Name name = event.name();
      switch (event.kind) {
        case Happened::sent:
        case Happened::duplicated:
        case Happened::injected:
        case Happened::timer_set: born_[{about(event.kind), name.bits()}] = step; break;
        case Happened::answered:
          freed_[name.from()] = step, open_.erase(name.from());
          client(name.from());
          break;
        case Happened::answered_late: client(name.from()); break;
        case Happened::lost:
          if (fifo_) fates_[{name.from(), name.to()}] = step;
          break;
        default: break;
      }
    }
  }

  const Trace& trace_;
  bool fifo_, anywhere_;
  Step step_ = 0;
  Found found_;
  std::vector<std::int64_t> at_node_;
  std::vector<NodeId> liars_;
  std::map<std::pair<About, std::uint64_t>, Step> born_;  // messages and timers, by name
  std::map<int, Step> freed_, asked_, at_client_;         // of clients
  std::map<NodeId, std::set<int>> askers_;                // who has ever asked a node
  std::map<int, NodeId> open_;                            // where a client waits for its answer
  std::map<std::uint64_t, Step> copied_;                  // by the original's name
  std::map<NodeId, Step> restarted_;
  std::map<std::pair<int, int>, Step> cut_, healed_, fates_;
  std::vector<std::int64_t> macros_;  // that have begun
  std::int64_t clock_ = -1, injected_ = -1, calm_ = -1;
};

// A client has one request at a time, so an answer belongs to its last one.
std::vector<std::int64_t> answers(const Trace& trace) {
  std::vector<std::int64_t> out(trace.steps.size(), -1);
  std::map<int, Step> asked;
  for (Step step = 0; step < trace.steps.size(); ++step) {
    const Action& a = trace.steps[step].action;
    if (a.kind == Do::submit) asked[a.name.from()] = step;
    for (const RecordedEvent& event : trace.steps[step].events) {
      if (event.kind != Happened::answered) continue;
      if (const auto at = asked.find(event.name().from()); at != asked.end()) {
        out[at->second] = step;
        asked.erase(at);
      }
    }
  }
  return out;
}

}  // namespace

bool is_everywhere(Do kind) { return kind == Do::nothing || kind == Do::calm; }

Causality::Causality(const Trace& trace) : answered_in_(answers(trace)) {
  Builder builder(trace);
  for (Step step = 0; step < trace.steps.size(); ++step) {
    auto found = builder.look(step);
    causes_.push_back(std::move(found.causes));
    sent_in_.push_back(found.sent_in);
  }
}

std::vector<bool> Causality::past(std::span<const std::uint32_t> steps) const {
  std::vector<bool> in(causes_.size(), false);
  for (const std::uint32_t step : steps)
    if (step < in.size()) in[step] = true;
  // Causes stand before what they cause.
  for (std::size_t step = in.size(); step-- > 0;)
    if (in[step])
      for (const Cause& cause : causes_[step]) in[cause.step] = true;
  return in;
}

}  // namespace schism::draw
