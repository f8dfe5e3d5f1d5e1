#include "schism/shrink/anchored.hpp"

#include <algorithm>
#include <map>

#include "schism/run/jury.hpp"
#include "schism/system/system.hpp"
#include "schism/trace/describe.hpp"
#include "schism/words/operands.hpp"

namespace schism {
namespace {

struct Origin {
  std::uint32_t step, nth;
};

// Where everything that a trace mentions came from: which step made it pending, and the how-manieth
// of its kind on its way that was.
class Origins {
 public:
  void learn(std::uint32_t step, const std::vector<RecordedEvent>& events) {
    std::map<Key, std::uint32_t> seen;
    for (const RecordedEvent& event : events) {
      if (event.kind != Happened::sent && event.kind != Happened::duplicated &&
          event.kind != Happened::injected && event.kind != Happened::timer_set)
        continue;
      const Name n = event.name();
      const Key way = {about(event.kind), Name(n.from(), n.to(), n.type(), 0).bits()};
      origins_[{about(event.kind), n.bits()}] = {step, seen[way]++};
    }
  }
  std::optional<Origin> find(const Action& action) const {
    const auto found = origins_.find({about(action.kind), action.name.bits()});
    return found == origins_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  using Key = std::pair<About, std::uint64_t>;  // a message's or timer's name
  std::map<Key, Origin> origins_;
};

// A property that is judged at a fair end gets one of this run's own.
bool wants_tail(const Trace& trace) {
  for (const auto& make : trace.config.setup.system->oracles)
    if (const auto oracle = make(trace.config.setup); oracle->name() == trace.violation->property)
      return oracle->wants_fair_tail();
  return false;
}

}  // namespace

Outline recorded_outline(const Trace& trace, bool with_tail) {
  Outline out;
  out.config = trace.config;
  out.plan = trace.plan;
  out.run = trace.run;
  out.config.setup.requests =
      std::make_shared<const std::vector<ClientRequest>>(requests_of(trace.config, trace.plan));
  out.tail = trace.violation && wants_tail(trace);
  Origins origins;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const Recorded& step = trace.steps[i];
    // The tail follows from what was before it, and is found anew.
    if (step.action.kind == Do::calm && !with_tail) {
      out.tail = true;
      break;
    }
    if (i == 0) {
      out.start.choices = step.choices;
    } else {
      Move move;
      move.id = static_cast<std::uint32_t>(i);
      move.step = step;
      move.step.events.clear();
      if (const auto origin = origins.find(step.action)) {
        move.creator = origin->step;
        move.nth = origin->nth;
      } else if (step.action.kind == Do::complete) {
        move.creator = kStartMove;  // the oldest of its kind at the node
        move.nth = UINT32_MAX;
      }
      out.moves.push_back(std::move(move));
    }
    origins.learn(static_cast<std::uint32_t>(i), step.events);
  }
  return out;
}

namespace {

class Replayer {
 public:
  Replayer(const Trace& trace, std::uint64_t neighbours_max)
      : trace_(trace), outline_(recorded_outline(trace)), most_(neighbours_max) {}

  AnchoredReplay run() {
    out_.anchors = outline_.moves.size();
    Performance p = stage_.perform(outline_, Messages::any);
    if (!shows(p) && outline_.moves.size() + 1 < trace_.steps.size()) {
      // What happened in its tail once need not happen in the tail of today.
      Outline whole = recorded_outline(trace_, true);
      if (Performance again = stage_.perform(whole, Messages::any); shows(again)) {
        outline_ = std::move(whole);
        out_.anchors = outline_.moves.size();
        p = std::move(again);
      } else {
        stage_.perform(outline_, Messages::any);
      }
    }
    out_.matched = p.applied;
    if (shows(p)) {
      out_.reached = Reached::reproduced;
      keep(outline_);
      return std::move(out_);
    }
    if (p.violation && is_known()) {  // it ended the run
      out_.reached = Reached::another;
      keep(outline_);
    } else if (p.first_skipped) {
      out_.reached = Reached::unreachable;
      out_.missing = outline_.moves[*p.first_skipped].id;
    } else {
      const bool judged = stage_.judged(trace_.violation->property);
      out_.reached = judged ? Reached::not_reproduced : Reached::not_judged;
    }
    try_neighbours();
    return std::move(out_);
  }

 private:
  bool shows(const Performance& p) const {
    return p.violation && p.violation->property == trace_.violation->property;
  }

  bool is_known() const {
    const Jury jury(trace_.config.setup);
    return std::any_of(jury.oracles().begin(), jury.oracles().end(), [&](const auto& oracle) {
      return oracle->name() == trace_.violation->property;
    });
  }

  void keep(const Outline& outline) { out_.now = stage_.record(outline, Messages::any); }

  // One anchor a place earlier or later, or left out, from the end backwards.
  void try_neighbours() {
    const std::size_t n = outline_.moves.size();
    for (std::size_t i = n; i-- > 0 && out_.neighbours < most_;) {
      Outline fewer = outline_;
      fewer.moves.erase(fewer.moves.begin() + static_cast<std::ptrdiff_t>(i));
      if (attempt(fewer)) return;
      if (i == 0) continue;
      Outline swapped = outline_;
      std::swap(swapped.moves[i - 1], swapped.moves[i]);
      if (attempt(swapped)) return;
    }
  }

  bool attempt(const Outline& outline) {
    if (out_.neighbours >= most_) return false;
    ++out_.neighbours;
    if (!shows(stage_.perform(outline, Messages::any))) return false;
    out_.in_neighbour = true;
    out_.reached = Reached::reproduced;
    keep(outline);
    return true;
  }

  const Trace& trace_;
  Outline outline_;
  std::uint64_t most_;
  Stage stage_;
  AnchoredReplay out_;
};

}  // namespace

AnchoredReplay replay_by_meaning(const Trace& trace, std::uint64_t neighbours_max) {
  return Replayer(trace, neighbours_max).run();
}

}  // namespace schism
