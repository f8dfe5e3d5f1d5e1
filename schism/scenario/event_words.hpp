// The kinds of events that a condition can name: which of the world's they are, and what types they
// have.
#pragma once

#include "schism/words/event.hpp"

namespace schism::scenario {

struct EventWord {
  std::string_view word;
  EventMask happenings;
  enum Of : std::uint8_t { messages, announcements, requests, answers, timers, none } of;
};

inline constexpr EventMask bit(Happened h) { return mask_of(h); }

inline constexpr EventWord kWords[] = {
    {"sent", bit(Happened::sent), EventWord::messages},
    {"received", bit(Happened::delivered), EventWord::messages},
    {"message", bit(Happened::sent) | bit(Happened::delivered), EventWord::messages},
    {"dropped", bit(Happened::dropped), EventWord::messages},
    {"lost", bit(Happened::lost), EventWord::messages},
    {"announced", bit(Happened::announced), EventWord::announcements},
    {"asked", 0, EventWord::requests},
    {"invoked", bit(Happened::invoked), EventWord::requests},
    {"answered", bit(Happened::answered), EventWord::answers},
    {"armed", bit(Happened::timer_set), EventWord::timers},
    {"fired", bit(Happened::timer_fired), EventWord::timers},
    {"queued", bit(Happened::disk_queued), EventWord::none},
    {"completed", bit(Happened::disk_completed), EventWord::none},
    {"started", bit(Happened::started), EventWord::none},
    {"crashed", bit(Happened::crashed), EventWord::none},
    {"restarted", bit(Happened::restarted), EventWord::none},
    {"paused", bit(Happened::paused), EventWord::none},
    {"resumed", bit(Happened::resumed), EventWord::none},
    {"calmed", bit(Happened::calmed), EventWord::none},
};

inline const EventWord& event_word(std::string_view word) {
  for (const EventWord& w : kWords)
    if (w.word == word) return w;
  return kWords[0];
}

}  // namespace schism::scenario
