#include "schism/scenario/from_trace.hpp"

#include <algorithm>

#include "schism/run/runner.hpp"
#include "schism/scenario/cues.hpp"
#include "schism/scenario/parse.hpp"
#include "schism/scenario/staged.hpp"
#include "schism/scenario/test.hpp"

namespace schism::scenario {
namespace {

Term number_term(std::int64_t n) {
  Term out;
  out.kind = Term::number, out.value = n;
  return out;
}

bool is_name(std::string_view text) {
  const auto good = [](char c) {
    return c == '_' || (std::isalnum(static_cast<unsigned char>(c)) != 0);
  };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(), good);
}

// A number, word, text or flag; other contents cannot be said.
std::optional<Term> term_of(const Value& v) {
  Term out;
  if (v.is_null()) return out;
  if (const std::int64_t* n = v.as_int()) return number_term(*n);
  if (const bool* yes = v.as_bool()) {
    out.kind = Term::word, out.name = *yes ? "true" : "false";
    return out;
  }
  const std::string* text = v.as_text();
  if (!text) return std::nullopt;
  out.kind = is_name(*text) ? Term::word : Term::text;
  out.name = *text;
  return out;
}

// Plays the recorded run and notes before each step what it does, in words that mean it among all
// that could be done then.
class Noting final : public Scheduler {
 public:
  Noting(const Trace& trace) : replay_(trace.steps, trace.config.setup.options.time) {}

  TimeUse time_use() const override { return replay_.time_use(); }
  bool plays(Do) const override { return true; }
  void begin(const Setup& setup, std::uint64_t seed) override { replay_.begin(setup, seed); }
  std::uint32_t on_choice(World& world, std::uint32_t n) override {
    if (replay_.position() == 0) problem = "nodes choose when they start";
    return replay_.on_choice(world, n);
  }
  Action next(World& world) override {
    const Action action = replay_.next(world);
    calm_ = calm_ || action.kind == Do::calm;
    if (!calm_ && action.kind != Do::nothing)
      note(world, action, replay_.steps()[replay_.position() - 1]);
    return action;
  }

  bool calm() const { return calm_; }  // it has a fair tail

  std::vector<Cue> cues;
  std::vector<int> clients;  // of the cues that submit; -1: others
  std::string problem;

 private:
  void note(World& world, const Action& action, const Recorded& step) {
    Cue cue;
    const Name name = action.name;
    cue.to = number_term(place_of(action));
    int client = -1;
    switch (action.kind) {
      case Do::deliver:
      case Do::drop:
      case Do::duplicate:
      case Do::mutate:
      case Do::inject: message(world, action, step, cue); break;
      case Do::fire:
        cue.kind = Cue::fire;
        cue.type = world.setup().system->timer_name(name.type());
        cue.skipped = older(world, action).first;
        break;
      case Do::complete:
        cue.kind = name.copy() > 0 ? Cue::fail : Cue::complete;
        cue.skipped = older(world, action).first;
        break;
      case Do::submit:
        cue.kind = Cue::submit;
        client = name.from();
        request(world, name, cue);
        break;
      case Do::crash:
        cue.kind = Cue::crash;
        cue.kept = static_cast<int>(CrashOutcome::of(action.arg()).kept);
        cue.torn = CrashOutcome::of(action.arg()).torn;
        break;
      case Do::restart: cue.kind = Cue::restart; break;
      case Do::pause: cue.kind = Cue::pause; break;
      case Do::resume: cue.kind = Cue::resume; break;
      case Do::cut:
      case Do::heal:
        cue.kind = action.kind == Do::cut ? Cue::cut : Cue::heal;
        cue.from = number_term(name.from()), cue.to = number_term(name.to());
        break;
      default: return;  // notes, the clock
    }
    for (const Action& choice : step.choices)
      cue.choices.push_back(static_cast<int>(choice.name.bits() & 0xffffffff));
    cues.push_back(std::move(cue));
    clients.push_back(client);
  }

  // How many of the same kind, way and type are older and could be served as well, and which.
  static std::pair<int, std::vector<Kept>> older(World& world, const Action& action) {
    const Name name = action.name;
    const Do kind = serves(action.kind);
    const bool message = kind == Do::deliver, disk = kind == Do::complete;
    const auto all = servable_now(world, kind, [&](Name n) {
      return n.from() == name.from() && (!message || n.to() == name.to()) &&
             (disk || n.type() == name.type());
    });
    const auto is = [&](const Kept& k) {
      const Name n(k.name);
      return n.type() == name.type() && n.nth() == name.nth() &&
             (disk || (n.to() == name.to() && n.copy() == name.copy()));
    };
    const auto found = std::find_if(all.begin(), all.end(), is);
    return {static_cast<int>(found - all.begin()), all};
  }

  void message(World& world, const Action& action, const Recorded& step, Cue& cue) {
    static constexpr std::pair<Do, Cue::Kind> kinds[] = {{Do::deliver, Cue::deliver},
                                                         {Do::drop, Cue::drop},
                                                         {Do::duplicate, Cue::duplicate},
                                                         {Do::mutate, Cue::change},
                                                         {Do::inject, Cue::forge}};
    for (const auto& [what, kind] : kinds)
      if (what == action.kind) cue.kind = kind;
    cue.type = world.setup().system->message(action.name.type()).name;
    cue.from = number_term(action.name.from()), cue.to = number_term(action.name.to());
    if (cue.kind == Cue::change || cue.kind == Cue::forge) cue.content = to_json(step.content);
    if (cue.kind == Cue::forge) return;
    const auto [before, all] = older(world, action);
    if (before == 0 || static_cast<std::size_t>(before) >= all.size()) return;
    cue.skipped = before;
    tell_apart(world, all, static_cast<std::size_t>(before), cue);
  }

  // By a field that none of the older ones has, rather than by age.
  static void tell_apart(const World& world, const std::vector<Kept>& all, std::size_t which,
                         Cue& cue) {
    const auto content = [&](std::size_t i) {
      const Flight& flight = world.pending().flights[all[i].slot];
      return flight.body->type->to_value(flight.body->content());
    };
    const TypeInfo& type = *world.pending().flights[all[which].slot].body->type;
    const Value mine = content(which);
    for (const FieldInfo& field : type.fields) {
      const Value* value = mine.find(field.name);
      if (!value || !is_name(field.name)) continue;
      const auto term = term_of(*value);
      if (!term || term->kind == Term::nothing) continue;
      bool unique = true;
      for (std::size_t i = 0; i < which && unique; ++i) {
        const Value other = content(i);
        const Value* theirs = other.find(field.name);
        unique = theirs && !(*theirs == *value);
      }
      if (!unique) continue;
      cue.skipped = 0;
      cue.condition.kind = Cond::compare;
      Term left;
      left.kind = Term::field, left.name = std::string(field.name);
      cue.condition.terms = {left, *term};
      return;
    }
  }

  void request(const World& world, Name name, Cue& cue) {
    const auto& askings = world.pending().askings;
    for (std::uint32_t slot = 0; slot < askings.size(); ++slot) {
      if (!askings[slot].alive() || !(askings[slot].name == name)) continue;
      const Body& body = *askings[slot].body;
      cue.type = body.type->name;
      const Value content = body.type->to_value(body.content());
      for (const FieldInfo& field : body.type->fields) {
        const Value* value = content.find(field.name);
        const auto term = value ? term_of(*value) : std::nullopt;
        if (!term) {
          problem = cue.type + " has a content that a script cannot say";
          continue;
        }
        cue.fields.emplace_back(field.name, *term);
      }
    }
  }

  Replay replay_;
  bool calm_ = false;
};

// Clients that ask more than once stay the same one.
void name_clients(std::vector<Cue>& cues, const std::vector<int>& clients) {
  for (std::size_t i = 0; i < cues.size(); ++i)
    if (clients[i] >= 0 && std::count(clients.begin(), clients.end(), clients[i]) > 1)
      cues[i].client = "c" + std::to_string(clients[i]);
}

std::string role_name(std::size_t i) {
  return i < 26 ? std::string(1, static_cast<char>('a' + i)) : "n" + std::to_string(i);
}

// Numbers of nodes become roles, in the order of their first appearance; those in `fixed` stand for
// that node.
Scenario with_roles(Scenario s, const std::set<NodeId>& fixed, std::vector<NodeId>* order) {
  std::vector<NodeId> seen;
  for (Line& line : s.script)
    for (Cue& cue : line.cues)
      for (Term* t : {&cue.from, &cue.to}) {
        if (t->kind != Term::number) continue;
        const auto id = static_cast<NodeId>(t->value);
        auto found = std::find(seen.begin(), seen.end(), id);
        if (found == seen.end()) found = seen.insert(seen.end(), id);
        *t = Term{};
        t->kind = Term::variable;
        t->name = role_name(static_cast<std::size_t>(found - seen.begin()));
      }
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (fixed.contains(seen[i])) {
      Let let;
      let.name = role_name(i);
      let.value = number_term(seen[i]);
      s.lets.push_back(std::move(let));
    }
  if (order) *order = seen;
  return s;
}

// What the trace says of its run; a scenario that stood in front of it leaves its property.
Result<Scenario> frame_of(const Trace& trace) {
  Scenario s;
  s.run = to_text(trace.config);
  if (!s.run.scenario.empty()) {
    auto old = parse(s.run.scenario, "the trace's scenario");
    if (!old) return tl::unexpected(old.error());
    s.property = old->front().property;
    s.lets = old->front().lets;
    s.run.scenario.clear();
  }
  s.run.scenario_file.clear();
  s.run.faults.clear();
  std::erase_if(s.run.world, [](const auto& pair) { return pair.first == "scripted"; });
  s.run.explorer = {"random", {}};
  s.run.steps.clear();
  s.name = trace.violation->property;
  Expectation expected;
  expected.kind = Expectation::violation;
  expected.property = trace.violation->property;
  s.expectations = {expected};
  return s;
}

bool comes_back(const Scenario& s, const std::string& property, std::uint64_t runs) {
  return judge(s, property, runs, runs).violated == runs;
}

std::string where_it_stands(const Scenario& s) {
  const std::atomic<bool> stop{false};
  const auto played = run_test(s, {1, {}, false, false}, stop);
  if (!played) return "; " + played.error();
  if (played->stands.empty()) return "; it comes to its end, and nothing is violated";
  return "; it comes no further than \"" + played->stands[0].line + "\"";
}

}  // namespace

Result<Script> script_of(const Trace& trace) {
  if (!trace.violation) return error("the trace has no violation");
  auto frame = frame_of(trace);
  if (!frame) return tl::unexpected(frame.error());
  Noting noting(trace);
  Runner runner(trace.config.setup, trace.config.limits);
  runner.replay(noting, trace.plan, fair_end_of(trace));
  if (!runner.violation() || runner.violation()->property != trace.violation->property)
    return error("the trace does not violate {} any more; `replay` says why",
                 trace.violation->property);
  if (!noting.problem.empty()) return error("no script can be written: {}", noting.problem);
  name_clients(noting.cues, noting.clients);
  Script out;
  out.property = trace.violation->property;
  out.actions = noting.cues.size();
  Scenario& s = *frame;
  // A run that came to rest by itself rests here too: what is held back is how things are.
  if (noting.calm()) s.until_calm = true;
  else s.run.tail.clear();
  const std::size_t steps = std::max<std::size_t>(4 * out.actions + 100, trace.config.limits.steps);
  s.run.steps = std::to_string(steps);
  const System& system = *trace.config.setup.system;
  s.filters = {holding(classes_of(system), system)};
  for (Cue& cue : noting.cues) s.script.push_back({{std::move(cue)}});

  // Any node can play any role, unless it turns out that it cannot.
  constexpr std::uint64_t kQuick = 30, kSure = 100;
  std::vector<NodeId> roles;
  out.scenario = with_roles(s, {}, &roles);
  out.roles = roles.size();
  if (comes_back(out.scenario, out.property, kSure)) return out;
  std::set<NodeId> fixed(roles.begin(), roles.end());
  if (!comes_back(with_roles(s, fixed, nullptr), out.property, kQuick)) {
    s.node_seed = static_cast<std::int64_t>(trace.plan.node_seed & INT64_MAX);
    const Scenario exact = with_roles(s, fixed, nullptr);
    if (!comes_back(exact, out.property, kQuick))
      return error(
          "no script can be written: what it needs beside its steps is lost, such as the "
          "clock{}",
          where_it_stands(exact));
  }
  for (const NodeId role : roles) {
    std::set<NodeId> fewer = fixed;
    fewer.erase(role);
    if (comes_back(with_roles(s, fewer, nullptr), out.property, kQuick)) fixed = fewer;
  }
  out.scenario = with_roles(s, fixed, nullptr);
  if (!comes_back(out.scenario, out.property, kSure)) {
    fixed = std::set<NodeId>(roles.begin(), roles.end());
    out.scenario = with_roles(s, fixed, nullptr);
  }
  out.fixed = fixed.size();
  return out;
}

}  // namespace schism::scenario
