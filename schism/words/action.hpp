// One decision of a scheduler, as the hot loop records it. The table of kinds is open: a new kind
// is appended, with the trace version that introduced it, and never renumbered.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "schism/base/time.hpp"
#include "schism/words/name.hpp"

namespace schism {

enum class Do : std::uint8_t {
  nothing,    // a scheduler that has no more to do
  deliver,    // a message to its receiver
  drop,       // a message is lost
  duplicate,  // a second copy of a message is in flight
  mutate,     // a liar's message: its content is replaced
  inject,     // a message that a liar made up is in flight
  fire,       // a timer
  complete,   // a disk operation
  submit,     // a client's request
  crash,
  restart,
  pause,
  resume,
  cut,  // a link, one direction
  heal,
  advance,  // the clock
  choose,   // k of n, asked for by the step before it
  begin,    // a macro step: a note, and what is charged to its budget
  end,
  calm,  // faults are over: the fair tail begins
  omit,  // a liar's message is never sent
};

// What the name of an action, or of an event, is that of (operands.hpp has the parts of each).
enum class About : std::uint8_t {
  nothing,
  message,
  timer,
  disk,
  request,
  node,
  crash,
  link,
  macro,
  restart
};

struct ActionKind {
  Do kind;
  std::string_view name;
  int since;  // trace version
  About about = About::nothing;
};

inline constexpr std::array kActionKinds = {
    ActionKind{Do::nothing, "nothing", 1},
    ActionKind{Do::deliver, "deliver", 1, About::message},
    ActionKind{Do::drop, "drop", 1, About::message},
    ActionKind{Do::duplicate, "duplicate", 1, About::message},
    ActionKind{Do::mutate, "mutate", 1, About::message},
    ActionKind{Do::inject, "inject", 1, About::message},
    ActionKind{Do::fire, "fire", 1, About::timer},
    ActionKind{Do::complete, "complete", 1, About::disk},
    ActionKind{Do::submit, "submit", 1, About::request},
    ActionKind{Do::crash, "crash", 1, About::crash},
    ActionKind{Do::restart, "restart", 1, About::restart},
    ActionKind{Do::pause, "pause", 1, About::node},
    ActionKind{Do::resume, "resume", 1, About::node},
    ActionKind{Do::cut, "cut", 1, About::link},
    ActionKind{Do::heal, "heal", 1, About::link},
    ActionKind{Do::advance, "advance", 1},
    ActionKind{Do::choose, "choose", 1},
    ActionKind{Do::begin, "begin", 1, About::macro},
    ActionKind{Do::end, "end", 1, About::macro},
    ActionKind{Do::calm, "calm", 1},
    ActionKind{Do::omit, "omit", 5, About::message},
};
inline constexpr std::size_t kActionKindCount = kActionKinds.size();

constexpr std::string_view action_name(Do kind) {
  return kActionKinds[static_cast<std::size_t>(kind)].name;
}
constexpr About about(Do kind) { return kActionKinds[static_cast<std::size_t>(kind)].about; }

// Which table of pending events an action serves, by the action that is usually done with what is
// in it; nothing: none.
constexpr Do serves(Do kind) {
  switch (about(kind)) {
    case About::message: return kind == Do::inject ? Do::nothing : Do::deliver;
    case About::timer:
    case About::disk:
    case About::request: return kind;
    default: return Do::nothing;
  }
}

// 16 bytes. What `name` and `arg` mean is said at the makers below. `hint` is where the pending
// event stood when the decision was made: replay looks there first and believes only the name.
// `free`: no budget pays for it. That is a part of the action and not of where it stands, so that
// it stays true when the actions around it are left out.
struct Action {
  Name name;
  std::uint32_t hint : 31 = 0;
  std::uint32_t free : 1 = 0;
  Do kind = Do::nothing;
  std::uint8_t arg_high = 0;
  std::uint16_t arg_low = 0;

  constexpr std::uint32_t arg() const { return std::uint32_t{arg_high} << 16 | arg_low; }
  friend constexpr bool operator==(const Action& a, const Action& b) {  // the hint is no identity
    return a.name == b.name && a.kind == b.kind && a.arg() == b.arg() && a.free == b.free;
  }
};
static_assert(sizeof(Action) == 16);

inline constexpr std::uint32_t kArgMax = (1U << 24) - 1;
inline constexpr std::uint32_t kHintMax = (1U << 31) - 1;

constexpr Action make_action(Do kind, Name name, std::uint32_t arg = 0, std::uint32_t hint = 0) {
  Action out;
  out.name = name;
  out.hint = hint & kHintMax;
  out.kind = kind;
  out.arg_high = static_cast<std::uint8_t>(arg >> 16 & 0xff);
  out.arg_low = static_cast<std::uint16_t>(arg & 0xffff);
  return out;
}
// The same with another argument, or under another name; and the same at nobody's expense.
constexpr Action with_arg(const Action& a, std::uint32_t arg) {
  Action out = make_action(a.kind, a.name, arg, a.hint);
  out.free = a.free;
  return out;
}
constexpr Action with_name(Action a, Name name) {
  a.name = name;
  return a;
}
constexpr Action for_free(Action a) {
  a.free = 1;
  return a;
}

// deliver, complete: `arg` microseconds pass first (timed runs; a longer wait is an advance before
// it). submit: `arg` is the node. crash: `arg` is what the disk keeps. inject, mutate: `arg` is an
// index into the run's contents. restart: of a liar that is up, `arg` says with which disk it
// begins again: as it was after so many syncs, 0: without. begin, end: `arg` is the Macro; begin
// has its label beside it.
constexpr Action node_action(Do kind, NodeId node, std::uint32_t arg = 0) {
  return make_action(kind, Name(node, 0, 0, 0), arg);
}
constexpr Action link_action(Do kind, NodeId from, NodeId to) {
  return make_action(kind, Name(from, to, 0, 0));
}
// A disk operation that fails: its completion's name is marked as the failing copy.
constexpr Action failing(const Action& complete) {
  const Name& n = complete.name;
  return with_name(complete, Name(n.from(), n.to(), n.type(), n.nth(), 1));
}
constexpr Action advance_by(Micros us) {
  return make_action(Do::advance, Name(static_cast<std::uint64_t>(us)));
}
constexpr Action choose_of(std::uint32_t k, std::uint32_t n) {
  return make_action(Do::choose, Name(std::uint64_t{n} << 32 | k));
}
constexpr Micros advance_us(const Action& a) { return static_cast<Micros>(a.name.bits()); }

// Macro steps expand into primitive actions between begin and end, and may nest; only a partition
// has none inside it. A begin may have a label for people, a text among the run's contents.
enum class Macro : std::uint8_t { other, partition, scenario };
inline constexpr std::string_view kMacroNames = "other, partition, scenario";
inline constexpr std::uint32_t kMacroCount = 3;
inline constexpr std::uint32_t kLabelsMax = 0xffff;  // contents that may be labels

// A kind that nobody knows is just a note.
constexpr Macro macro_of(const Action& a) {
  const std::uint32_t macro = a.arg() & 0xff;
  return macro < kMacroCount ? static_cast<Macro>(macro) : Macro::other;
}
constexpr Action begin_macro(Macro macro) {
  return make_action(Do::begin, Name(), static_cast<std::uint32_t>(macro));
}
constexpr Action end_macro(Macro macro) {
  return make_action(Do::end, Name(), static_cast<std::uint32_t>(macro));
}

// Whether an action has a content of its own, which one of the run's contents that is, and the same
// action with another one. A begin without a label has none.
inline constexpr std::uint32_t kNoContent = ~std::uint32_t{0};
constexpr std::uint32_t content_index(const Action& a) {
  if (a.kind == Do::mutate || a.kind == Do::inject) return a.arg();
  if (a.kind == Do::begin && a.arg() > 0xff) return (a.arg() >> 8) - 1;
  return kNoContent;
}
constexpr bool has_content(const Action& a) { return content_index(a) != kNoContent; }
constexpr Action with_content(const Action& a, std::uint32_t content) {
  if (a.kind != Do::begin) return with_arg(a, content);
  const std::uint32_t label = content < kLabelsMax ? content + 1 : 0;  // too many: without
  return with_arg(a, label << 8 | (a.arg() & 0xff));
}

// What the disk keeps of the operations that were not synced when its node crashed: the oldest
// `kept` of them, and a torn version of the next if that is a record.
struct CrashOutcome {
  std::uint32_t kept = 0;
  bool torn = false;
  constexpr std::uint32_t arg() const { return kept << 1 | (torn ? 1U : 0U); }
  static constexpr CrashOutcome of(std::uint32_t arg) { return {arg >> 1, (arg & 1) != 0}; }
};

// The node at which an action happens; -1: at none, or at all.
constexpr NodeId place_of(const Action& action) {
  switch (action.kind) {
    case Do::deliver: return action.name.to();
    case Do::submit: return static_cast<NodeId>(action.arg());
    case Do::fire:
    case Do::complete:
    case Do::crash:
    case Do::restart:
    case Do::pause:
    case Do::resume: return action.name.from();
    default: return -1;
  }
}

}  // namespace schism
