// The named ways to lie: what a liar does about one message of its own. A strategy (named.cpp)
// draws them, a scenario names them (`lie future`); both remember alike.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "schism/base/enum.hpp"
#include "schism/base/random.hpp"
#include "schism/words/action.hpp"
#include "schism/world/world.hpp"

namespace schism::byzantine {

// truth: what its handlers say. silent, choosy: nothing, to all or to one half. two_faced: another
// thing to one half. double_voter: it twice, or another thing beside it. future: a number is one or
// two more, or one less. forgetful: a list lacks an element. boaster: a number is much more.
// archivist: shows again what it sent or received. declared: a change that the system declares.
// nil_voter: votes for nothing, as the system says that is done. helper: the truth, and from some
// message on nothing. amnesiac: it begins again, without its disk. old_disk: it begins again, with
// its disk as it was after an earlier sync.
SCHISM_ENUM(Way, truth, silent, choosy, two_faced, double_voter, future, forgetful, boaster,
            archivist, declared, nil_voter, helper, amnesiac, old_disk);

// What liars have sent and been sent, to be shown again, which nodes are the other half, and when a
// helper goes.
class LiarMemory {
 public:
  void begin(const Setup& setup, std::uint64_t seed);
  // A message became pending; of interest if a liar sends or gets it.
  void keep(const World& world, const Flight& flight);
  bool other_half(NodeId id) const { return half_[static_cast<std::size_t>(id)]; }
  bool gone(NodeId helper) const { return sent_[static_cast<std::size_t>(helper)] > help_; }

  struct Kept {
    int type;
    Hash128 hash;                          // of the content
    std::shared_ptr<const Value> content;  // shared by equal ones: what is sent again is soon kept
    NodeId from;
  };
  const std::vector<Kept>& heard() const { return heard_; }

 private:
  Rng random_{0};
  std::vector<Kept> heard_;
  std::vector<bool> half_;
  std::vector<std::uint32_t> sent_;  // how many messages, by each liar
  std::uint32_t help_ = 0;           // so many of them are sent
};

// What to do about the liar's message in that slot; nothing: it goes as it is. The seed decides
// everything that is left open, so that all messages of one broadcast can be lied about alike.
std::optional<Action> lie_by(World& world, std::uint32_t slot, Way way, const LiarMemory& memory,
                             std::uint64_t seed);

}  // namespace schism::byzantine
