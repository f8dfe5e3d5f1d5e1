#include "schism/explain/lies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "schism/base/difference.hpp"
#include "schism/system/liars.hpp"
#include "schism/system/system.hpp"
#include "schism/trace/describe.hpp"
#include "schism/world/body.hpp"

namespace schism::draw {
namespace {

struct Lie {
  NodeId liar = 0;
  std::string what;  // with a place for the receivers
  std::string seals;
  std::vector<NodeId> to;
  std::set<NodeId> took, left;  // who did something when it came, and who did not
  std::size_t often = 0;
};

std::string times(std::size_t n) {
  return n == 1 ? "once" : n == 2 ? "twice" : fmt::format("{} times", n);
}

template <class Ids>
std::string listed(const Ids& ids, const Setup* setup = nullptr) {
  std::string out;
  for (const NodeId id : ids)
    out += (out.empty() ? "" : ", ") + (setup ? place_text(*setup, id) : std::to_string(id));
  return out;
}

class Reader {
 public:
  explicit Reader(const Trace& trace) : trace_(trace), system_(*trace.config.setup.system) {
    Setup setup = trace.config.setup;
    setup.node_seed = trace.plan.node_seed;
    liars_ = liars_of(setup);
  }

  std::vector<Lie> read() {
    std::set<NodeId> down;
    for (const Recorded& step : trace_.steps) {
      const Action& a = step.action;
      const NodeId from = a.name.from();
      if (a.kind == Do::crash) down.insert(from);
      if (a.kind == Do::restart && down.erase(from) == 0 && lies(from))
        note(from,
             a.arg() == 0
                 ? std::string("forgets everything and begins again")
                 : fmt::format("goes back to its disk after sync {} and begins again", a.arg()),
             "", -1);
      if (a.kind == Do::mutate && lies(from)) told(step, "tells {} " + changed(step));
      if (a.kind == Do::inject && lies(from)) told(step, "makes up for {} " + whole(step));
      if (a.kind == Do::omit && lies(from))
        note(from, fmt::format("keeps {} from {{}}", type_of(a).name), "", a.name.to());
      if (a.kind == Do::deliver) delivered(step);
    }
    return std::move(all_);
  }

 private:
  bool lies(NodeId place) const {
    const NodeId id = identity_of(trace_.config.setup, place);
    return std::find(liars_.begin(), liars_.end(), id) != liars_.end();
  }
  const TypeInfo& type_of(const Action& a) const { return system_.message(a.name.type()); }
  std::string changed(const Recorded& step) const {
    if (!step.differs || changes_of(*step.differs).empty()) return whole(step);
    return in_words(step.content, *step.differs);
  }
  std::string whole(const Recorded& step) const {
    return print(type_of(step.action), step.content);
  }

  std::size_t note(NodeId liar, const std::string& what, const std::string& seals, NodeId to) {
    const auto same = [&](const Lie& l) {
      return l.liar == liar && l.what == what && l.seals == seals;
    };
    auto at = std::find_if(all_.begin(), all_.end(), same);
    if (at == all_.end()) at = all_.insert(all_.end(), {liar, what, seals, {}, {}, {}, 0});
    ++at->often;
    if (to >= 0 && std::find(at->to.begin(), at->to.end(), to) == at->to.end())
      at->to.push_back(to);
    return static_cast<std::size_t>(at - all_.begin());
  }

  void told(const Recorded& step, const std::string& what) {
    const Action& a = step.action;
    const std::size_t lie = note(a.name.from(), what, seals_of(step), a.name.to());
    // What is made up has a number of its own, which its event tells.
    for (const RecordedEvent& e : step.events)
      if (e.kind == Happened::mutated || e.kind == Happened::injected) under_way_[e.value] = lie;
  }

  // Whose signatures it holds, and whether they hold; nothing: it has none.
  std::string seals_of(const Recorded& step) const {
    const TypeInfo& type = type_of(step.action);
    if (!type.seals || !type.construct) return "";
    BodyPool pool;
    Body* body = pool.build(type);
    std::set<int> good, bad;
    if (type.from_value(step.content, body->content())) {
      struct Look {
        std::set<int>*good, *bad;
      } look{&good, &bad};
      type.seals(body->content(), &look, [](void* self, const Seal& seal) {
        auto& at = *static_cast<Look*>(self);
        if (seal.signer >= 0) (seal.holds() ? at.good : at.bad)->insert(seal.signer);
      });
    }
    pool.release(body);
    std::string out;
    if (good.erase(identity_of(trace_.config.setup, step.action.name.from())) > 0)
      out = "signed by itself";
    if (!good.empty())
      out += fmt::format("{}with what {} signed", out.empty() ? "" : ", ", listed(good));
    if (!bad.empty())
      out +=
          fmt::format("{}the signature of {} does not hold", out.empty() ? "" : ", ", listed(bad));
    return out;
  }

  void delivered(const Recorded& step) {
    const auto lie = under_way_.find(step.action.name.bits());
    if (lie == under_way_.end()) return;
    const bool acts = std::any_of(step.events.begin(), step.events.end(), [](const auto& e) {
      return e.kind == Happened::sent || e.kind == Happened::announced ||
             e.kind == Happened::answered || e.kind == Happened::failed;
    });
    Lie& l = all_[lie->second];
    (acts ? l.took : l.left).insert(step.action.name.to());
    under_way_.erase(lie);
  }

  const Trace& trace_;
  const System& system_;
  std::vector<NodeId> liars_;
  std::vector<Lie> all_;
  std::map<std::uint64_t, std::size_t> under_way_;
};

std::string line_of(const Lie& lie, const Setup& setup) {
  std::string what = lie.what;
  if (const auto place = what.find("{}"); place != std::string::npos && !lie.to.empty())
    what.replace(place, 2, listed(lie.to, &setup));
  std::string out = fmt::format("{} {}, {}", place_text(setup, lie.liar), what, times(lie.often));
  if (!lie.seals.empty()) out += "; " + lie.seals;
  std::set<NodeId> left = lie.left;
  for (const NodeId id : lie.took) left.erase(id);
  const auto said = [&](const std::set<NodeId>& who, const char* one, const char* many) {
    return fmt::format("; {} {}", listed(who, &setup), who.size() == 1 ? one : many);
  };
  if (!lie.took.empty()) out += said(lie.took, "goes on with it", "go on with it");
  if (!left.empty()) out += said(left, "does nothing at once", "do nothing at once");
  return out;
}

}  // namespace

std::vector<std::string> lies_of(const Trace& trace, std::size_t most) {
  std::vector<std::string> out;
  const Setup& setup = trace.config.setup;
  for (NodeId twin = setup.nodes; twin < setup.places(); ++twin) {
    const std::string liar = std::to_string(identity_of(setup, twin));
    out.push_back(fmt::format("{0} is two, {0} and {0}', with one name and one key", liar));
  }
  const std::vector<Lie> all = Reader(trace).read();
  for (std::size_t i = 0; i < all.size() && i < most; ++i) out.push_back(line_of(all[i], setup));
  if (all.size() > most) out.push_back(fmt::format("and {} more", all.size() - most));
  return out;
}

}  // namespace schism::draw
