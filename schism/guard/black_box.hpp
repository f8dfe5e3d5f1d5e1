// A flight recorder: what a run decided, written before it is applied into memory that the parent
// process shares, between pages that nobody may touch, with a checksum. When the process dies the
// parent reads how far it came.
//
//   BlackBox box;
//   if (fork() == 0) { box.record(); ... play ...; _exit(0); }
//   waitpid(...); box.intact(), box.at(), box.decisions()
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "schism/guard/shared_pages.hpp"
#include "schism/words/action.hpp"

namespace schism::guard {

inline constexpr std::size_t kDecisionsMax = std::size_t{1} << 20;
inline constexpr int kFramesMax = 48;

// In memory that a stray write may hit: whatever byte is there says yes or no.
class Flag {
 public:
  Flag(bool yes = false) : byte_(yes ? 1 : 0) {}  // NOLINT(google-explicit-constructor)
  operator bool() const { return byte_ != 0; }    // NOLINT(google-explicit-constructor)

 private:
  std::uint8_t byte_;
};

// How a process ended, as far as it could say so itself.
struct LastWords {
  int signal = 0;  // 0: none was caught
  Flag hang;       // no step for too long
  int frame_count = 0;
  void* frames[kFramesMax] = {};
};

class BlackBox {
 public:
  struct Position {
    std::uint64_t run = 0;  // how-manieth of its batch
    std::uint32_t step = 0;
    std::uint32_t call = 0;
    Flag inside;
  };

  BlackBox();
  BlackBox(const BlackBox&) = delete;
  BlackBox& operator=(const BlackBox&) = delete;

  // In the child: every world of this process writes here from now on.
  void record();
  // And not any more.
  static void forget() { active_ = nullptr; }
  static BlackBox* active() { return active_; }

  void begin_run(std::uint64_t run) { *head_ = {{run, 0, 0, false}, 0, kSeed, {}, false}; }
  void begin_step(std::uint32_t step, const Action& action) {
    head_->position.step = step;
    decided(action);
  }
  void decided(const Action& action) {
    Head& h = *head_;
    if (h.count < kDecisionsMax) actions_[h.count] = action;
    h.checksum = mixed(h.checksum, action);
    ++h.count;
  }
  void enter(std::uint32_t call) {
    head_->position.call = call;
    head_->position.inside = inside_ = true;
  }
  void leave() {
    if (stray_) vanish();
    head_->position.inside = inside_ = false;
  }
  void conclude(bool violated) { head_->violated = violated; }
  LastWords& last_words() { return head_->words; }

  // What the parent asks.
  Position at() const { return head_->position; }
  const LastWords& last_words() const { return head_->words; }
  bool violated() const { return head_->violated; }  // as a run that survived says of itself
  // False: a stray write of the system hit it.
  bool intact() const;
  std::uint64_t checksum() const { return head_->checksum; }
  std::span<const Action> decisions() const;

 private:
  struct Head {
    Position position;
    std::uint64_t count = 0;
    std::uint64_t checksum = 0;
    LastWords words;
    Flag violated;
  };
  static constexpr std::uint64_t kSeed = 0x5c415354;
  static std::uint64_t mixed(std::uint64_t sum, const Action& action);

  [[noreturn]] static void vanish();

  static inline BlackBox* active_ = nullptr;
  static inline bool inside_ = false;  // this process's own: others may share the box
  static inline bool stray_ = false;   // this process was forked by a system that is being recorded
  SharedPages pages_;
  Head* head_ = nullptr;
  Action* actions_ = nullptr;
};

inline std::uint64_t BlackBox::mixed(std::uint64_t sum, const Action& action) {
  const auto kind = static_cast<std::uint64_t>(action.kind) << 40;
  sum = (sum ^ action.name.bits()) * 0x9e3779b97f4a7c15ULL;
  return (sum ^ sum >> 29 ^ kind ^ action.arg()) * 0xbf58476d1ce4e5b9ULL;
}

}  // namespace schism::guard
