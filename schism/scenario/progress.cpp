#include "schism/scenario/progress.hpp"

#include <algorithm>

#include "schism/base/file.hpp"
#include "schism/scenario/parse.hpp"

namespace schism::scenario {
namespace {

constexpr std::size_t kCastingsMax = 5040;  // seven roles among seven nodes

bool is(const BoundTerm& term, const State& state, NodeId node) {
  if (term.term.kind == Term::nothing) return true;
  const Value meant = term.read(state, {});
  return meant.as_int() && *meant.as_int() == node;
}

bool fits(const BoundCue& cue, const World& world, State& state, const Moment& m) {
  switch (cue.cue->kind) {
    case Cue::deliver:
      return m.kind == Happened::delivered && (cue.type < 0 || Name(m.name).type() == cue.type) &&
             is(cue.from, state, m.from) && is(cue.to, state, m.to) &&
             cue.check.holds(world, state, m);
    case Cue::fire:
      return m.kind == Happened::timer_fired && (cue.type < 0 || m.detail == cue.type) &&
             is(cue.to, state, m.at);
    case Cue::submit:
      return m.kind == Happened::invoked && m.type && m.type->name == cue.cue->type &&
             is(cue.to, state, m.at);
    case Cue::crash: return m.kind == Happened::crashed && is(cue.to, state, m.at);
    case Cue::restart: return m.kind == Happened::restarted && is(cue.to, state, m.at);
    default: return false;
  }
}

}  // namespace

Progress::Progress(Scenario scenario) : scenario_(std::move(scenario)) {
  for (const Line& line : scenario_.script)
    steps_ += static_cast<std::size_t>(std::count_if(line.cues.begin(), line.cues.end(), counts));
}

bool Progress::counts(const Cue& cue) {
  return cue.kind == Cue::deliver || cue.kind == Cue::fire || cue.kind == Cue::submit ||
         cue.kind == Cue::crash || cue.kind == Cue::restart;
}

Status Progress::bind(const Setup& setup) {
  if (program_ && system_ == setup.system && nodes_ == setup.nodes) return {};
  program_.reset();
  castings_.clear();
  if (scenario_.run.system.name != setup.system->name)
    return error("scenario \"{}\" is for {}, not for {}", scenario_.name, scenario_.run.system.name,
                 setup.system->name);
  auto bound = Program::bind(scenario_, setup);
  if (!bound) return tl::unexpected(bound.error());
  script_.clear();
  std::set<int> roles;  // whatever stands for a node of a step
  for (const auto& line : (*bound)->script) {
    std::vector<const BoundCue*> waited;
    for (const BoundCue& cue : line) {
      if (!counts(*cue.cue)) continue;
      waited.push_back(&cue);
      for (const BoundTerm* term : {&cue.from, &cue.to})
        if (term->term.kind == Term::variable) roles.insert(term->index);
    }
    if (!waited.empty()) script_.push_back(std::move(waited));
  }
  roles_.assign(roles.begin(), roles.end());
  if (roles_.size() > static_cast<std::size_t>(setup.nodes))
    return error("scenario \"{}\" has {} roles, and there are {} nodes", scenario_.name,
                 roles_.size(), setup.nodes);
  double ways = 1;
  for (std::size_t i = 0; i < roles_.size(); ++i) ways *= setup.nodes - static_cast<double>(i);
  if (ways > kCastingsMax)
    return error("scenario \"{}\" can be cast in {} ways: more than {}", scenario_.name, ways,
                 kCastingsMax);
  program_ = *std::move(bound);
  system_ = setup.system;
  nodes_ = setup.nodes;
  cast(setup.nodes);
  return {};
}

// Every way to give the roles to different nodes.
void Progress::cast(int nodes) {
  std::vector<NodeId> chosen(roles_.size(), 0);
  const auto distinct = [&](std::size_t upto) {
    return std::find(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(upto),
                     chosen[upto]) == chosen.begin() + static_cast<std::ptrdiff_t>(upto);
  };
  std::size_t at = 0;
  for (;;) {
    while (at < chosen.size() && chosen[at] < nodes && !distinct(at)) ++chosen[at];
    if (at == chosen.size()) {
      castings_.push_back({chosen, {}, 0, 0, {}});
    } else if (chosen[at] < nodes) {
      if (++at < chosen.size()) chosen[at] = 0;
      continue;
    }
    if (at == 0) return;
    ++chosen[--at];
  }
}

void Progress::begin(const World& world) {
  told_ = 0;
  if (!bind(world.setup())) return;
  for (Casting& casting : castings_) {
    casting.state.begin(*program_, world);
    for (std::size_t r = 0; r < roles_.size(); ++r)
      casting.state.variables[static_cast<std::size_t>(roles_[r])] =
          Value(std::int64_t{casting.nodes[r]});
    casting.line = casting.done = 0;
    settle(casting);
    told_ = std::max(told_, casting.done);
  }
}

// How often each step of the line is to happen. "All that there are" is one: how many there were is
// known only to whoever plays it.
void Progress::settle(Casting& casting) const {
  for (; casting.line < script_.size(); ++casting.line) {
    casting.left.clear();
    for (const BoundCue* cue : script_[casting.line]) {
      const Value times = cue->times.read(casting.state, {});
      const std::int64_t wanted = times.as_int() ? *times.as_int() : 1;
      casting.left.push_back(cue->cue->all ? 1 : std::max<std::int64_t>(wanted, 0));
    }
    casting.done +=
        static_cast<std::size_t>(std::count(casting.left.begin(), casting.left.end(), 0));
    if (std::any_of(casting.left.begin(), casting.left.end(), [](auto n) { return n > 0; })) return;
  }
}

void Progress::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    if ((mask_of(event.kind) & kHeard) == 0) continue;
    const Moment m = moment_of(event);
    for (Casting& casting : castings_) {
      if (casting.line == script_.size()) continue;
      take(casting, world, m);
      told_ = std::max(told_, casting.done);
    }
  }
}

// The first step of the line that fits takes it.
void Progress::take(Casting& casting, const World& world, const Moment& m) const {
  const auto& line = script_[casting.line];
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (casting.left[i] == 0 || !fits(*line[i], world, casting.state, m)) continue;
    casting.done += --casting.left[i] == 0 ? 1 : 0;
    break;
  }
  if (std::any_of(casting.left.begin(), casting.left.end(), [](auto n) { return n > 0; })) return;
  ++casting.line;
  settle(casting);
}

Result<Scenario> read_script(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  auto all = parse(*text, path);
  if (!all) return tl::unexpected(all.error());
  for (std::size_t i = all->size(); i-- > 0;)
    if (!(*all)[i].script.empty()) return std::move((*all)[i]);
  return error("{}: no scenario in it has a script", path);
}

}  // namespace schism::scenario
