// What is drawn of the system and its world; the scheduler is in draw_scheduler.cpp.
#include "schism/explore/draw.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/explore/sketch.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/system/systems.hpp"

namespace schism {
namespace {

constexpr std::int64_t kBudgetMax = 32;  // of a kind of fault
constexpr std::int64_t kStepsMin = 30;

std::string number(std::int64_t i) { return std::to_string(i); }

FaultKinds played_by(const std::string& name) {
  FaultKinds out;
  const auto made = schedulers().make({name, {}}, "scheduler");
  for (std::size_t i = 0; made && i < enum_count<Fault>(); ++i)
    if ((*made)->plays(action_of(static_cast<Fault>(i)))) out.add(static_cast<Fault>(i));
  return out;
}

FaultKinds asked_kinds(const Pairs& faults) {
  FaultKinds out;
  for (std::size_t i = 0; i < enum_count<Fault>(); ++i)
    for (const auto& [name, budget] : faults)
      if (name == fault_name(static_cast<Fault>(i)) && budget != "0")
        out.add(static_cast<Fault>(i));
  return out;
}

bool has(const Pairs& pairs, std::string_view name) {
  return std::any_of(pairs.begin(), pairs.end(), [&](const auto& p) { return p.first == name; });
}

}  // namespace

Draw::Draw(const RunText& asked, double slow)
    : system_(systems().find(asked.system.name)), asked_(asked), slow_(slow) {
  const FaultKinds wanted = asked_kinds(asked.faults);
  for (const char* name : {"random", "pos", "timed", "stepped", "pctcp"}) {
    if (!schism::schedulers().find(name)) continue;
    plays_[name] = played_by(name);
    const bool clocked = std::string_view(name) == "timed" || std::string_view(name) == "stepped";
    const bool fits = !system_ || !system_->drawing.clock || clocked;
    if (fits && wanted.beyond(plays_[name]).empty()) possible_.emplace_back(name);
  }
  if (possible_.empty()) possible_.emplace_back("random");  // which will be refused with the reason
}

bool Draw::asked_parameter(std::string_view name) const { return has(asked_.system.values, name); }
bool Draw::asked_world(std::string_view name) const { return has(asked_.world, name); }

DrawnText Draw::wild(Rng& random, const Damping& damping) const {
  Sketch s(asked_, random, damping);
  s.parameters = pick<double>(random, {0, 0.3, 0.7});
  s.faults = pick<double>(random, {0, 0.25, 0.5, 0.75});
  s.weights = pick<double>(random, {0, 0.5, 1});
  s.timers = pick<double>(random, {0, 0.5, 1});
  draw_scheduler_name(s);
  draw_intent(s);
  draw_nodes(s);
  draw_length(s);
  draw_parameters(s);
  draw_faults(s);
  draw_world(s);
  draw_weights(s);
  draw_slowness(s);
  draw_liars(s);
  return finish(s);
}

DrawnText Draw::plain(std::string_view scheduler, bool tail) const {
  Rng unused;
  const Damping none;
  Sketch s(asked_, unused, none);
  s.scheduler = scheduler;
  s.text.explorer = {s.scheduler, {}};
  s.feature("plain");
  if (!asked_.nodes.empty()) draw_nodes(s);  // as asked
  if (asked_.faults.empty()) {
    const FaultKinds may = survived(s);
    for (const auto& [kind, budget] :
         std::initializer_list<std::pair<Fault, const char*>>{{Fault::crash, "2"},
                                                              {Fault::drop, "5"},
                                                              {Fault::duplicate, "2"},
                                                              {Fault::partition, "1"}})
      if (may.has(kind) && plays_.at(s.scheduler).has(kind))
        s.text.faults.emplace_back(fault_name(kind), budget);
  }
  s.kinds = asked_kinds(s.text.faults);
  s.tail = tail || !asked_.tail.empty();
  if (!s.tail) s.text.tail = "0s";
  return finish(s);
}

DrawnText Draw::finish(Sketch& s) const {
  s.feature("scheduler." + s.scheduler);
  for (const std::string& kind : s.kinds.names()) s.feature("fault." + kind);
  if (s.kinds.empty()) s.feature("fault.none");
  if (system_->drawing.restless && s.tail) s.feature("tail");
  return {std::move(s.text), std::move(s.about)};
}

void Draw::draw_nodes(Sketch& s) const {
  const NodeRange& range = system_->node_range;
  s.nodes = range.fallback;
  if (!asked_.nodes.empty()) {
    s.nodes =
        static_cast<int>(parse_integer(asked_.nodes, range.low, range.high).value_or(s.nodes));
    return;
  }
  if (s.random.below(4) > 0) s.nodes = pick<int>(s.random, {3, 3, 3, 3, 3, 4, 5, 5});
  s.nodes = std::clamp(s.nodes, range.low, range.high);
  s.text.nodes = number(s.nodes);
  s.feature("nodes." + s.text.nodes);
}

// Short ones are cheap, and some bugs are near the beginning.
void Draw::draw_length(Sketch& s) const {
  s.steps = system_->steps_max;
  if (!asked_.steps.empty()) {
    s.steps = parse_integer(asked_.steps, 1, 1'000'000'000).value_or(s.steps);
    return;
  }
  const double share = power(0.1, s.random.unit());
  s.steps = std::max(kStepsMin, static_cast<std::int64_t>(static_cast<double>(s.steps) * share));
  s.text.steps = number(s.steps);
  s.feature(share < 0.3162 ? "length.short" : "length.long");
}

void Draw::draw_parameters(Sketch& s) const {
  // Few runs of a system that never rests have a fair tail: it would cost most of them.
  s.tail = !system_->drawing.restless || s.random.below(10) == 0;
  if (s.plan) s.tail = s.tail && s.random.chance(0.5);
  if (!asked_.tail.empty()) s.tail = asked_.tail != "0s";
  else if (!s.tail) s.text.tail = "0s";
  for (const Param& param : system_->params.list()) {
    const Purpose part = system_->drawing.purpose(param.name);
    const bool drawn = part == Purpose::workload || (part == Purpose::timing && !s.tail);
    if (!drawn || asked_parameter(param.name)) continue;
    const std::string value = value_of(param, s);
    if (value.empty() || value == param.fallback) continue;
    s.text.system.values.emplace_back(param.name, value);
    const bool words = param.values.kind != Values::integer;
    s.feature("parameter." + param.name + (words ? "=" + value : ""));
  }
}

// From name, range and default alone; empty: as it is.
std::string Draw::value_of(const Param& param, Sketch& s) const {
  const Values& v = param.values;
  const std::string feature = "parameter." + param.name;
  if (v.kind == Values::flag) {
    const std::string other = param.fallback == "true" ? "false" : "true";
    return s.chance(s.parameters / 2, feature + "=" + other) ? other : "";
  }
  if (v.kind == Values::word && !v.words.empty())
    return s.chance(s.parameters, feature) ? pick(s.random, v.words) : "";
  if (v.kind != Values::integer || !s.chance(s.parameters, feature)) return "";
  const std::int64_t usual = parse_integer(param.fallback, v.low, v.high).value_or(v.low);
  const std::int64_t low = usual <= 0 ? 1 : std::max<std::int64_t>(1, usual / 10);
  const std::int64_t high = usual <= 0 ? 40 : std::max<std::int64_t>(4, 4 * usual);
  if (high < v.low || low > v.high) return "";
  return number(s.between(std::max(low, v.low), std::min(high, v.high)));
}

// Those that the system claims to survive in this configuration. Cuts that hold messages back are
// delays, which every asynchronous protocol survives.
FaultKinds Draw::survived(const Sketch& s) const {
  if (!system_->survives) return {};
  const Setup setup = setup_of(s);
  if (!setup.config) return {};
  FaultKinds out = system_->survives(setup);
  for (NodeId id = 0; system_->is_service && id < setup.nodes; ++id)
    if (system_->is_service(id, setup))  // only the others may crash, and nothing else may happen
      return out.has(Fault::crash) ? FaultKinds{Fault::crash} : FaultKinds{};
  return out;
}

// What was drawn so far, as far as claims depend on it; without a config: it is not possible.
Setup Draw::setup_of(const Sketch& s) const {
  Setup setup;
  setup.system = system_;
  const auto own = system_->fresh_config();
  for (const auto& [name, value] : s.text.system.values)
    if (!system_->params.set(own.get(), name, value, "")) return setup;
  for (const std::string& bug : asked_.bugs)
    if (const Bug* known = system_->find_bug(bug)) known->plant(own.get());
  setup.config = own;
  setup.nodes = s.nodes > 0 ? s.nodes : system_->node_range.fallback;
  return setup;
}

int Draw::survived_liars(const Sketch& s) const {
  const Setup setup = setup_of(s);
  return setup.config && system_->tolerates ? system_->tolerates(setup) : 0;
}

void Draw::draw_faults(Sketch& s) const {
  if (!asked_.faults.empty()) {
    s.kinds = asked_kinds(asked_.faults);
    return;
  }
  const FaultKinds may = survived(s);
  const bool delays = !may.empty() && !(may == FaultKinds{Fault::crash}) && !system_->drawing.clock;
  bool held = false;  // links that are cut must hold what they have
  for (std::size_t i = 0; i < enum_count<Fault>(); ++i) {
    const auto kind = static_cast<Fault>(i);
    const bool cuts = kind == Fault::cut || kind == Fault::partition;
    const bool only_held = cuts && !may.has(kind) && delays;
    if ((!may.has(kind) && !only_held) || !plays_.at(s.scheduler).has(kind)) continue;
    if (only_held && asked_world("cut")) continue;
    const double p = kind == Fault::disk_error ? s.faults / 2 : s.faults;
    if (!s.chance(p, "fault." + fault_name(kind))) continue;
    held = held || only_held;
    s.kinds.add(kind);
    s.text.faults.emplace_back(fault_name(kind), number(s.between(1, kBudgetMax)));
  }
  if (held) s.text.world.emplace_back("cut", "holds");
}

void Draw::draw_world(Sketch& s) const {
  const auto put = [&](const char* name, const std::string& value) {
    if (has(s.text.world, name)) return;
    s.text.world.emplace_back(name, value);
    s.feature(fmt::format("world.{}={}", name, value));
  };
  if (s.kinds.has(Fault::crash)) {
    if (s.random.below(4) == 0) put("down", "waits");
    const double most = s.random.unit();
    if (most < 0.3) put("down-max", "1");
    else if (most < 0.6) put("down-max", number(std::max(1, (s.nodes - 1) / 2)));
  }
  if ((s.kinds.has(Fault::cut) || s.kinds.has(Fault::partition)) && s.random.chance(0.3))
    put("cut", "holds");
  if (s.random.chance(system_->drawing.streams ? 0.8 : 0.2)) put("links", "fifo");
  if (s.random.chance(0.1)) put("disk", "sync");
}

}  // namespace schism
