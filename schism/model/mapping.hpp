// What an event of a system is in a model, as data: a TOML file beside the .tla file.
//
//   system = "raft"
//   constants = { Server = "0..$nodes - 1" }
//   [[event]]
//   on = "delivered MsgVote"                  # or timer_fired election, crashed, sent MsgVoteResp
//   ... do = ["HandleVote($node, $peer, $term)"]  # an action of the model; $name is a field
//   [after]                                   # after every step of a node
//   do = ["Settled($node, $self.role)"]
//   unless = "role[$node] = $self.role"       # then it would change nothing
//   [observe]                                 # what must be equal after it: model = node
//   term = ["currentTerm[$node]", "$self.term"]
//
// $node is where it happened, $peer the other end, $self.x a field of the node after the step, any
// other $x a field of the content; the rest is TLA+.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schism/base/result.hpp"

namespace schism::model {

struct EventRule {
  std::string on;                    // "delivered MsgVote"
  std::string when;                  // a condition over the content; empty: always
  std::vector<std::string> actions;  // one after the other; "repeat A": until it changes nothing
  std::vector<std::string> guide;    // instead of them for coverage, which may need less
  bool check = false;                // for conformance only: guidance learns nothing from it
  std::string place;                 // "raft_guide.toml, line 12"
};

struct Observation {
  std::string name, model, node;
};

struct Mapping {
  std::string file;
  std::string system;  // whose events; empty: those of a log
  std::string config;  // a .cfg file beside it; empty: the model's own
  int nodes_min = 1;
  std::vector<std::pair<std::string, std::string>> constants;
  std::vector<std::pair<std::string, std::string>> only;  // parameters of the system it is for
  std::vector<EventRule> events;
  std::vector<std::string> after, after_guide;
  std::string unless;  // where it holds there is nothing to do after a step; empty: never
  std::vector<Observation> observe;
  std::vector<std::string> ignore;  // events of a log that mean nothing
  std::string view;                 // an abstraction of states for coverage
  std::string define;               // TLA+ definitions for all of this

  static Result<Mapping> read(const std::string& file);
};

// "$entries[].term" and the like in a text, in order; the text with a parameter in place of each.
struct Holes {
  std::vector<std::string> names;  // without the $, each once
  std::string fill(std::string_view text);
};

// Takes "repeat" off an action; whether it was there.
bool take_repeat(std::string& action);

}  // namespace schism::model
