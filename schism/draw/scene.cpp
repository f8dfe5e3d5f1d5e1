#include "schism/draw/scene.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/explain/relevance.hpp"
#include "schism/trace/claim.hpp"
#include "schism/trace/describe.hpp"

namespace schism::draw {
namespace {

// Sends of one content by one node are one effect: a broadcast is one line.
class Sends {
 public:
  void add(const Seen& seen, bool named) {
    const std::string what =
        (named ? fmt::format("node {}: sends ", seen.from) : "sends ") + seen.content();
    if (all_.empty() || all_.back().what != what) all_.push_back({what, "", seen.from});
    all_.back().receivers += fmt::format(" {}", seen.to);
  }
  void give(std::vector<Effect>& out) const {
    for (const One& one : all_)
      out.push_back({EffectKind::sends, one.what + " to" + one.receivers, one.node, -1, ""});
  }

 private:
  struct One {
    std::string what, receivers;
    NodeId node;
  };
  std::vector<One> all_;
};

std::string words_of(const Value& v) { return v.as_text() ? *v.as_text() : print(v); }

void read_effects(const std::vector<Seen>& events, SceneStep& step) {
  const bool everywhere = is_everywhere(step.kind);
  Sends sends;
  for (const Seen& seen : events) {
    const std::string who =
        everywhere && seen.node >= 0 ? fmt::format("node {}: ", seen.node) : std::string();
    const auto effect = [&](EffectKind kind, std::string text) {
      step.effects.push_back({kind, std::move(text), seen.node, seen.client, seen.content()});
    };
    if (seen.kind == "delivered") {
      step.label = seen.content();
      step.title = fmt::format("{} receives {} from {}", seen.to, step.label, seen.from);
    } else if (seen.kind == "dropped") {
      step.label = seen.content();
      step.title = fmt::format("dropped: {} from {} to {}", step.label, seen.from, seen.to);
    } else if (seen.kind == "invoked") {
      step.label = seen.content();
      step.title = fmt::format("client {} asks {}: {}", seen.client, seen.node, step.label);
    } else if (seen.kind == "sent") {
      sends.add(seen, everywhere);
    } else if (seen.kind == "announced") {
      effect(EffectKind::announces, who + seen.content());
    } else if (seen.kind == "answered") {
      effect(EffectKind::answers,
             fmt::format("{}answers client {}: {}", who, seen.client, seen.content()));
    } else if (seen.kind == "lost") {
      effect(EffectKind::loses,
             fmt::format("lost: {} from {} to {}", seen.content(), seen.from, seen.to));
    } else if (seen.kind == "failed") {
      const Value* message = seen.body.find("message");
      effect(EffectKind::fails, who + "fails: " + words_of(message ? *message : seen.body));
    } else if (seen.kind == "duplicated" || seen.kind == "mutated" || seen.kind == "injected") {
      step.label = fmt::format("{}: {}", seen.kind, seen.content());
      step.title = fmt::format("{} from {} to {}", step.label, seen.from, seen.to);
    }
  }
  sends.give(step.effects);
}

SceneStep read_step(const Trace& trace, std::size_t number) {
  const Recorded& recorded = trace.steps[number];
  const System& system = *trace.config.setup.system;
  const Action& a = recorded.action;
  SceneStep step;
  step.kind = a.kind;
  step.at = recorded.at;
  const NodeId place = place_of(a);
  if (place >= 0 && place < trace.config.setup.nodes) step.node = place;
  if (a.kind == Do::submit) step.client = a.name.from();
  switch (a.kind) {
    case Do::deliver:
    case Do::drop:
    case Do::duplicate:
    case Do::mutate:
    case Do::inject:
    case Do::cut:
    case Do::heal:
      step.from = a.name.from();
      step.to = a.name.to();
      break;
    default: break;
  }
  step.title = a.kind == Do::nothing ? "start" : print_action(system, a);
  step.label = step.title;
  switch (a.kind) {
    case Do::fire:
      step.label = system.timer_name(a.name.type()) + " fires";
      step.title = fmt::format("{} at {}", step.label, step.node);
      break;
    case Do::crash:
    case Do::restart:
    case Do::pause:
    case Do::resume: step.label = std::string(action_name(a.kind)); break;
    case Do::begin:
      if (const auto* label = recorded.content.as_text())
        step.title = step.label = fmt::format("{}: {}", step.title, *label);
      break;
    case Do::calm: step.title = step.label = "faults are over: the fair tail begins"; break;
    case Do::advance:
      if (recorded.at >= 0) step.title = step.label = fmt::format("clock {} us", recorded.at);
      break;
    default: break;
  }
  read_effects(events_of(trace, number), step);
  return step;
}

// An end has no label of its own: it is named by the begin that it belongs to.
void name_macro(const Recorded& recorded, std::vector<std::string>& labels, SceneStep& step) {
  if (recorded.action.kind == Do::begin) {
    const auto* label = recorded.content.as_text();
    labels.push_back(label ? *label : "");
  }
  if (recorded.action.kind != Do::end || labels.empty()) return;
  if (!labels.back().empty()) step.title = step.label = step.title + ": " + labels.back();
  labels.pop_back();
}

void read_violation(const Violation& violation, std::vector<SceneStep>& steps) {
  for (const Evidence& e : violation.evidence)
    if (e.step < steps.size()) steps[e.step].roles.push_back(e.role);
  if (violation.step < steps.size()) steps[violation.step].violating = true;
}

}  // namespace

Scene make_scene(const Trace& trace, bool judge_relevance) {
  Scene scene{&trace, trace.config.setup.nodes, 0, Causality(trace), {}};
  std::vector<std::string> labels;  // of the macro steps that have begun
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    SceneStep step = read_step(trace, i);
    name_macro(trace.steps[i], labels, step);
    step.sent_in = scene.causality.sent_in(i);
    scene.clients = std::max(scene.clients, step.client + 1);
    for (const Effect& effect : step.effects)
      scene.clients = std::max(scene.clients, effect.client + 1);
    scene.steps.push_back(std::move(step));
  }
  if (!trace.violation) return scene;
  read_violation(*trace.violation, scene.steps);
  if (!judge_relevance) return scene;
  const std::vector<bool> relevant = relevant_steps(trace, scene.causality);
  for (std::size_t i = 0; i < scene.steps.size(); ++i) scene.steps[i].relevant = relevant[i];
  return scene;
}

std::string verdict_line(const Trace& trace) {
  if (!trace.violation) return "";
  const Violation& v = *trace.violation;
  const FaultKinds beyond = beyond_claim(trace.config.setup, faults_in(trace));
  return fmt::format("{} is violated at step {}{}: {}", v.property, v.step,
                     beyond.empty() ? "" : " (beyond its claim: " + beyond.text() + ")", v.message);
}

std::string headline(const Trace& trace) {
  // A run that was made smaller is nobody's seed any more.
  if (trace.shrunk_from)
    return fmt::format("# {}, shrunk from {} actions", to_flags(trace.config),
                       trace.shrunk_from->actions);
  return fmt::format("schism hunt {} --seed {} --runs 1", to_flags(trace.config), trace.plan.seed);
}

}  // namespace schism::draw
