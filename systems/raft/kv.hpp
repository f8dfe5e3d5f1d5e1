// The replicated state machine: a few registers by key, and a session a client, so that a request
// that reaches the log twice takes effect once (dissertation 6.3).
#pragma once

#include <cstdint>

#include "schism/base/fields.hpp"
#include "systems/raft/inline_list.hpp"

namespace schism::raft {

inline constexpr int kClientsMax = 8;  // two administrators included
inline constexpr int kKeysMax = 8;
inline constexpr std::uint16_t kNoClient = 0xffff;  // an entry that the protocol made itself

SCHISM_ENUM(Op, none, get, put, cas, add_node, remove_node);

// What a client asks for, named by (client, sequence). For changes of membership `key` is the node.
struct Command {
  std::uint32_t sequence = 0;
  std::uint16_t client = kNoClient;
  Op op = Op::none;
  std::uint8_t key = 0;
  std::int32_t value = 0, expected = 0;
  FIELDS(sequence, client, op, key, value, expected)

  friend bool operator==(const Command&, const Command&) = default;
  Hash128 digest() const {
    const std::uint64_t who = std::uint64_t{sequence} << 32 | std::uint64_t{client} << 16 |
                              static_cast<std::uint64_t>(op) << 8 | key;
    const std::uint64_t what = std::uint64_t{static_cast<std::uint32_t>(value)} << 32 |
                               static_cast<std::uint32_t>(expected);
    return absorb(scatter(who), what);
  }
};

// `refused`: it had no effect and never will. `unknown`: it may have, or may still.
SCHISM_ENUM(Outcome, ok, mismatch, refused, unknown);

struct Answer {
  Outcome outcome = Outcome::ok;
  std::int32_t value = 0;     // read; for a cas the value that was there; 0: none was written yet
  std::uint32_t version = 0;  // the log index of the write that the answer is about
  FIELDS(outcome, value, version)
};

class Machine {
 public:
  struct Effect {
    Answer answer;
    bool took_effect;  // false: a repetition, answered from the session
  };
  // `index` is the command's place in the log. `forgetful` ignores sessions (a seeded bug).
  Effect apply(const Command& command, std::uint32_t index, bool forgetful);
  Answer read(int key) const;
  // The answer to a request that was applied, if this session still knows it.
  const Answer* answer_to(int client, std::uint32_t sequence) const;

  // Everything applied so far, in order: the state is a function of it.
  const Hash128& digest() const { return history_; }
  FIELDS(registers_, sessions_)

 private:
  struct Register {
    std::int32_t value = 0;
    std::uint32_t version = 0;
    FIELDS(value, version)
  };
  struct Session {
    std::uint32_t next = 0;  // the sequence number after the last one applied
    Answer answer;
    FIELDS(next, answer)
  };
  Answer execute(const Command& command, std::uint32_t index);

  std::array<Register, kKeysMax> registers_{};
  std::array<Session, kClientsMax> sessions_{};
  Hash128 history_;
};

}  // namespace schism::raft
