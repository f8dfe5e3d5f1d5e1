#include "schism/finds/shape.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "schism/shrink/stage.hpp"
#include "schism/system/liars.hpp"
#include "schism/system/system.hpp"
#include "schism/trace/operand_words.hpp"

namespace schism {
namespace {

// What a step did, as it was recorded, with the nodes that its events are about.
struct Happening {
  std::string kind, type;
  int node = -1, peer = -1;
  Value body;
};

// What can be seen of a protocol; timers and disks are its own affair.
constexpr EventMask kTelling =
    mask_of(Happened::announced) | mask_of(Happened::answered) | mask_of(Happened::invoked) |
    mask_of(Happened::delivered) | mask_of(Happened::mutated) | mask_of(Happened::injected) |
    mask_of(Happened::omitted) | mask_of(Happened::failed) | mask_of(Happened::chosen);

std::vector<std::vector<Happening>> happenings(const Trace& trace) {
  const System& system = *trace.config.setup.system;
  std::vector<std::vector<Happening>> out;
  for (const Recorded& step : trace.steps) {
    auto& here = out.emplace_back();
    for (const RecordedEvent& event : step.events) {
      if ((kTelling & mask_of(event.kind)) == 0) continue;
      Happening h;
      h.kind = happened_name(event.kind);
      h.type = event.type;
      if (about(event.kind) == About::request)
        h.type += word_of(system, Means::request, get(event, Part::type));
      h.node = event.node;
      if (about(event.kind) == About::message) h.peer = event.peer;
      if (auto body = parse_json(event.body)) h.body = *std::move(body);
      here.push_back(std::move(h));
    }
  }
  return out;
}

// Numbers are replaced by their rank among all numbers of the same field; a field that only ever
// holds one of the nodes concerned is such a node.
class Ranks {
 public:
  void learn(const Happening& h) { learn(h, "", h.body); }

  std::string text(const Happening& h, const std::string& field, const Value& value) const {
    if (const auto* i = value.as_int()) {
      const Field& f = fields_.at(field);
      if (f.names_node) return *i == h.node ? "self" : "peer";
      return std::to_string(std::distance(f.values.begin(), f.values.find(*i)));
    }
    std::string out;
    if (const auto* items = value.as_array()) {
      for (const Value& item : *items) out += text(h, field, item) + ",";
      return "[" + out + "]";
    }
    if (const auto* members = value.as_object()) {
      for (const auto& [key, member] : *members) out += key + "=" + text(h, key, member) + ",";
      return "(" + out + ")";
    }
    return to_json(value);
  }

 private:
  struct Field {
    std::set<std::int64_t> values;
    bool names_node = true;
  };
  void learn(const Happening& h, const std::string& field, const Value& value) {
    if (const auto* i = value.as_int()) {
      Field& f = fields_[field];
      f.values.insert(*i);
      f.names_node = f.names_node && (*i == h.node || *i == h.peer);
    } else if (const auto* items = value.as_array()) {
      for (const Value& item : *items) learn(h, field, item);
    } else if (const auto* members = value.as_object()) {
      for (const auto& [key, member] : *members) learn(h, key, member);
    }
  }

  std::map<std::string, Field> fields_;
};

Hash128 shape_of(const Trace& trace, const Outline& outline) {
  const auto all = happenings(trace);
  Ranks ranks;
  for (const auto& step : all)
    for (const Happening& h : step) ranks.learn(h);
  const auto label = [&](Hash128 h, std::size_t step, int node) {
    for (const Happening& what : all[step])
      if (node < 0 || what.node == node)
        h = absorb_text(absorb_text(absorb_text(h, what.kind), what.type),
                        ranks.text(what, "", what.body));
    return h;
  };

  const System& system = *outline.config.setup.system;
  const Setup& setup = outline.config.setup;
  const auto n = static_cast<std::size_t>(setup.places());
  std::vector<Hash128> last(n);  // of each node
  for (std::size_t id = 0; id < n; ++id) {
    const NodeClass& type = system.class_of(identity_of(setup, static_cast<NodeId>(id)), setup);
    last[id] = label(absorb_text(seeded("node"), type.state->name), 0, static_cast<int>(id));
  }
  Hash128 sum = seeded("shape", n);
  for (const Hash128& h : last) sum += h;
  std::map<std::uint32_t, Hash128> made;  // by move
  for (std::size_t i = 0; i < outline.moves.size(); ++i) {
    const Move& move = outline.moves[i];
    const Action& a = move.step.action;
    Hash128 h = absorb_text(seeded("step"), action_name(a.kind));
    if (a.kind == Do::fire) h = absorb_text(h, system.timer_name(a.name.type()));
    if (const auto creator = made.find(move.creator); creator != made.end())
      h = absorb(absorb(h, creator->second), move.nth);
    const NodeId node = place_of(a);
    if (node >= 0) h = absorb(h, last[static_cast<std::size_t>(node)]);
    h = label(h, i + 1, -1);
    if (node >= 0) last[static_cast<std::size_t>(node)] = h;
    made[move.id] = h;
    sum += h;
  }
  return sum;
}

}  // namespace

Result<Look> look_of(const Trace& trace) {
  const auto outline = outline_of(trace);
  if (!outline) return tl::unexpected(outline.error());
  return Look{signature(*trace.violation, *outline), shape_of(trace, *outline)};
}

}  // namespace schism
