// A trace made ready for drawing: each step with where it happens, what it says, what it causes and
// whether it matters. Every picture is drawn from this, so that they all tell the same story.
#pragma once

#include <string>
#include <vector>

#include "schism/base/enum.hpp"
#include "schism/explain/causality.hpp"

namespace schism::draw {

SCHISM_ENUM(EffectKind, sends, announces, answers, loses, fails, note);

struct Effect {
  EffectKind kind = EffectKind::note;
  std::string text;     // "sends Commit(value=1) to 1 2"
  NodeId node = -1;     // whose; -1: nobody's
  int client = -1;      // of an answer
  std::string content;  // of an announcement or answer
};

struct SceneStep {
  Do kind = Do::nothing;
  NodeId node = -1;  // where it happens; -1: nowhere, or everywhere
  NodeId from = -1;  // sender of the message or begin of the link, in `title`
  NodeId to = -1;
  int client = -1;    // who asks
  std::string title;  // "0 receives Commit(value=1) from 1"
  std::string label;  // "Commit(value=1)", "election fires", "crash"
  std::vector<Effect> effects;
  std::int64_t sent_in = -1;       // the step that sent the message
  Micros at = -1;                  // the clock, in runs that have one
  bool relevant = true;            // see relevance.hpp
  bool violating = false;          // the property was judged here
  std::vector<std::string> roles;  // of this step in the violation's evidence

  bool is_message() const { return kind == Do::deliver || kind == Do::drop; }
};

// The steps of one run, in order: what each says by itself. Macro steps are named by their begins.
class SceneReader {
 public:
  explicit SceneReader(const Setup& setup) : setup_(setup) {}
  SceneStep read(const Recorded& recorded);

 private:
  Setup setup_;
  std::vector<std::string> labels_;  // of the macro steps that have begun
};

struct Scene {
  const Trace* trace = nullptr;
  int nodes = 0, clients = 0;  // lanes (Setup::places); the highest number that occurs, and one
  Causality causality;
  std::vector<SceneStep> steps;

  std::string name(NodeId id) const;  // of a lane: a twin's is its liar's and a mark
};

// The trace must outlive it. Whether steps matter is found by replays, so it can be left out.
Scene make_scene(const Trace& trace, bool judge_relevance = true);

// "agreement is violated at step 4: node 1 decided ..."; empty where nothing is.
std::string verdict_line(const Trace& trace);
// The first line of most exports: system and configuration as flags.
std::string headline(const Trace& trace);

}  // namespace schism::draw
