// A liar and a network that works for it. A run has one or a few victims and one to three phases,
// which go by the views that the system declares (SystemBuilder::order), else by how much was said.
// In a phase the victims may be unheard, or hear nothing: what they send and get is held back, as
// any network may, and comes in the fair tail. Liars are loyal to the victims, and to the others
// they say what the phase has for them.
#pragma once

#include <vector>

#include "schism/base/enum.hpp"
#include "schism/base/random.hpp"
#include "schism/system/system.hpp"
#include "schism/world/world.hpp"

namespace schism::byzantine {

// To those who are no victims: the truth; nothing of what it does with the victims (no word, and
// empty lists where there are lists); everything, but its lists are empty; as it usually lies.
SCHISM_ENUM(Side, truth, dark, forgetful, usual);

class Plot {
 public:
  // Nothing happens until it is begun.
  void end() { phases_.clear(); }
  void begin(const Setup& setup, std::uint64_t seed);
  bool begun() const { return !phases_.empty(); }

  // A message was sent: which phase it belongs to.
  struct Phase {
    bool unheard = false, deaf = false;  // the victims
    bool twice = false;                  // they are told everything twice
    Side others = Side::truth;
  };
  const Phase& see(const World& world, const Flight& flight);
  bool is_victim(NodeId id) const { return victims_[static_cast<std::size_t>(id)]; }
  // Whether it stays with the network: neither of its ends lies.
  bool keeps(const World& world, const Flight& flight, const Phase& phase) const;
  // Which list is empty, and the like: the same for all messages of a type.
  std::uint64_t seed_of(int type) const {
    return keyed(seed_, static_cast<std::uint64_t>(type) + 1);
  }

 private:
  void choose_victims(const Setup& setup, Rng& random);

  const System* system_ = nullptr;
  std::vector<Phase> phases_;
  std::vector<std::uint32_t> until_;  // of each phase but the last, in messages
  std::vector<std::int64_t> views_;   // that were seen, in order
  std::vector<bool> victims_;
  std::uint32_t said_ = 0;
  std::uint64_t seed_ = 0;
};

}  // namespace schism::byzantine
