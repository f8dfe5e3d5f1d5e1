// One thing that happens, as conditions see it: an event of the world, or something that has just
// become pending and still has a fate to be decided.
#pragma once

#include "schism/world/world.hpp"

namespace schism::scenario {

struct Moment {
  Happened kind{};
  bool asked = false;  // a request became pending: no event of the world says so
  NodeId at = -1, from = -1, to = -1;
  std::uint16_t detail = 0;  // a timer's class, a disk operation's kind
  std::uint64_t name = 0;    // of the message, timer, operation or request
  const TypeInfo* type = nullptr;
  const void* body = nullptr;
  // What is pending because of it; nothing: its fate is past.
  Do serves = Do::nothing;
  std::uint32_t slot = 0;
  bool gone = false;  // it was lost or cancelled within the step that made it

  bool pending() const { return serves != Do::nothing; }
};

inline bool is_message(Happened kind) {
  return (kind >= Happened::sent && kind <= Happened::injected);
}

inline Moment moment_of(const Event& e) {
  Moment m;
  m.kind = e.kind;
  m.at = e.node;
  m.detail = e.detail;
  m.name = e.value;
  m.type = e.type;
  m.body = e.body;
  if (e.kind == Happened::sent) m.from = e.node, m.to = e.peer;
  else if (is_message(e.kind)) m.from = e.peer, m.to = e.node;
  return m;
}

}  // namespace schism::scenario
