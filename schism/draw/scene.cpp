#include "schism/draw/scene.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/base/difference.hpp"
#include "schism/explain/relevance.hpp"
#include "schism/system/liars.hpp"
#include "schism/trace/claim.hpp"
#include "schism/trace/describe.hpp"
#include "schism/words/operands.hpp"

namespace schism::draw {
namespace {

// Sends of one content by one node are one effect: a broadcast is one line.
class Sends {
 public:
  explicit Sends(const Setup& setup) : setup_(setup) {}
  void add(const RecordedEvent& sent, const std::string& content, bool named) {
    const std::string what =
        (named ? fmt::format("node {}: sends ", place_text(setup_, sent.node)) : "sends ") +
        content;
    if (all_.empty() || all_.back().what != what) all_.push_back({what, "", sent.node});
    all_.back().receivers += " " + place_text(setup_, sent.peer);
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
  const Setup& setup_;
  std::vector<One> all_;
};

std::string words_of(const Value& v) { return v.as_text() ? *v.as_text() : print(v); }

std::string message_of_failure(const RecordedEvent& failed) {
  const auto body = parse_json(failed.body);
  if (!body) return "";
  const Value* message = body->find("message");
  return words_of(message ? *message : *body);
}

// What is changed, with the honest value beside it.
std::string lie_in(const Recorded& recorded, const std::string& what) {
  if (!recorded.differs || changes_of(*recorded.differs).empty()) return what;
  return in_words(recorded.content, *recorded.differs);
}

void read_effects(const Setup& setup, const std::vector<RecordedEvent>& events,
                  const Recorded& recorded, SceneStep& step) {
  const System& system = *setup.system;
  const bool everywhere = is_everywhere(step.kind);
  Sends sends(setup);
  for (const RecordedEvent& event : events) {
    const std::string what = print_content(system, event);
    const std::string node = place_text(setup, event.node), peer = place_text(setup, event.peer);
    const std::string who = everywhere ? fmt::format("node {}: ", node) : std::string();
    const std::string way = fmt::format("{} from {} to {}", what, peer, node);
    const int client = event.name().from();
    const auto effect = [&](EffectKind kind, const std::string& text) {
      const bool asked = about(event.kind) == About::request;
      step.effects.push_back({kind, text, event.node, asked ? client : -1, what});
    };
    const auto name_step = [&](const std::string& label, std::string title) {
      step.label = label;
      step.title = std::move(title);
    };
    switch (event.kind) {
      case Happened::delivered:
        name_step(what, fmt::format("{} receives {} from {}", node, what, peer));
        break;
      case Happened::dropped: name_step(what, "dropped: " + way); break;
      case Happened::invoked:
        name_step(what, fmt::format("client {} asks {}: {}", client, node, what));
        break;
      case Happened::omitted:
        name_step("omitted: " + what, fmt::format("{} keeps {} from {}", peer, what, node));
        break;
      case Happened::mutated:
        name_step("lie: " + lie_in(recorded, what),
                  fmt::format("{} tells {} {}", peer, node, lie_in(recorded, what)));
        break;
      case Happened::duplicated:
      case Happened::injected: {
        const std::string kind(happened_name(event.kind));
        name_step(kind + ": " + what, kind + ": " + way);
        break;
      }
      case Happened::sent: sends.add(event, what, everywhere); break;
      case Happened::announced: effect(EffectKind::announces, who + what); break;
      case Happened::answered:
        effect(EffectKind::answers, fmt::format("{}answers client {}: {}", who, client, what));
        break;
      case Happened::answered_late:
        effect(EffectKind::loses,
               system.answers  // one of those that it counts
                   ? fmt::format("{}has an answer for client {}: {}", who, client, what)
                   : fmt::format("{}answers client {}, too late: {}", who, client, what));
        break;
      case Happened::lost: effect(EffectKind::loses, "lost: " + way); break;
      case Happened::failed:
        effect(EffectKind::fails, who + "fails: " + message_of_failure(event));
        break;
      default: break;
    }
  }
  sends.give(step.effects);
}

// Where nobody crashes, a liar that begins again has done so by itself.
bool forgets(const Setup& setup, NodeId node) {
  const auto& liars = setup.options.liars;
  return setup.options.faults.crash == 0 &&
         std::find(liars.begin(), liars.end(), identity_of(setup, node)) != liars.end();
}

SceneStep read_step(const Setup& setup, const Recorded& recorded) {
  const System& system = *setup.system;
  const Action& a = recorded.action;
  SceneStep step;
  step.kind = a.kind;
  step.at = recorded.at;
  const NodeId place = place_of(a);
  if (place >= 0 && place < setup.places()) step.node = place;
  if (a.kind == Do::submit) step.client = a.name.from();
  if (about(a.kind) == About::message || about(a.kind) == About::link) {
    step.from = a.name.from();
    step.to = a.name.to();
  }
  step.title = a.kind == Do::nothing ? "start" : print_action(setup, a);
  step.label = step.title;
  switch (a.kind) {
    case Do::fire:
      step.label = system.timer_name(a.name.type()) + " fires";
      step.title = fmt::format("{} at {}", step.label, place_text(setup, step.node));
      break;
    case Do::restart:
      step.label = "restart";
      if (a.arg() > 0) {
        step.label = "goes back to an older disk";
        step.title = fmt::format("{} goes back to its disk after sync {} and begins again",
                                 place_text(setup, a.name.from()), a.arg());
      } else if (forgets(setup, a.name.from())) {
        step.label = "forgets everything";
        step.title =
            fmt::format("{} forgets everything and begins again", place_text(setup, a.name.from()));
      }
      break;
    case Do::crash:
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
  read_effects(setup, recorded.events, recorded, step);
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

std::string Scene::name(NodeId id) const { return place_text(trace->config.setup, id); }

SceneStep SceneReader::read(const Recorded& recorded) {
  SceneStep step = read_step(setup_, recorded);
  name_macro(recorded, labels_, step);
  return step;
}

Scene make_scene(const Trace& trace, bool judge_relevance) {
  Scene scene{&trace, trace.config.setup.places(), 0, Causality(trace), {}};
  SceneReader reader(trace.config.setup);
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    SceneStep step = reader.read(trace.steps[i]);
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
