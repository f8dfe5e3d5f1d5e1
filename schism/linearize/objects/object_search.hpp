// The search of Wing and Gong with Lowe's memory for any object: depth first over configurations,
// which are the operations ordered so far and the object's state. What can be ordered at once is;
// of those that do the same, the one that answers first; those without an answer only where they
// help (rules.hpp), the oldest first.
#pragma once

#include <chrono>

#include "schism/linearize/memory.hpp"
#include "schism/linearize/objects/rules.hpp"

namespace schism::linearize {

class ObjectSearch {
 public:
  ObjectSearch(const ObjectHistory& history, const Limits& limits);
  Finding run();

 private:
  struct Frame {
    std::size_t trail, moves;
    State state;
  };
  struct Spares {
    std::vector<std::uint32_t> acts;  // that do the same, in order of invocation
    std::uint32_t used = 0;
  };

  const Act& completed(std::uint32_t c) const { return history_.acts[completed_[c]]; }
  const Act& spare(const Spares& s, std::uint32_t i) const { return history_.acts[s.acts[i]]; }
  bool is_return(std::uint32_t node) const { return node == return_node_[owner_[node]]; }

  // Those that do the same have the same number.
  std::uint32_t kind_of(std::uint32_t act);
  void build_list(std::vector<std::pair<std::uint32_t, std::uint32_t>> events);
  void lift(std::uint32_t c);
  void put_back(std::uint32_t c);
  void take_spare(std::uint32_t s);
  void undo_to(std::size_t trail);

  bool enter();  // true: everything is ordered
  void take_at_once();
  bool is_new();
  void list_moves();
  bool apply(std::uint32_t move);
  bool is_beyond_limits();
  Finding finish(Verdict verdict);

  const ObjectHistory& history_;
  const Limits& limits_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::unique_ptr<Rules> rules_;

  // Completed operations in order of invocation, and the list of their events; node 0 is its end.
  std::vector<std::uint32_t> completed_, invoke_node_, return_node_;
  std::vector<std::uint32_t> owner_, next_, previous_;
  std::vector<std::uint32_t> kind_;    // of the completed ones
  std::vector<std::uint64_t> lifted_;  // a bit a completed operation
  std::vector<Spares> spares_;
  std::vector<std::uint32_t> spares_used_;

  State state_ = 0;
  std::vector<std::uint32_t> trail_;  // what was ordered: completed ones, spares beyond them
  std::vector<std::uint32_t> moves_;  // the same; taken from the back
  std::vector<Frame> frames_;
  std::vector<const Act*> could_follow_;
  absl::flat_hash_map<std::uint64_t, std::vector<std::uint32_t>> alike_;  // kinds, by their look
  std::vector<std::uint32_t> examples_;  // of kinds: an operation of each
  std::vector<std::uint32_t> earliest_;  // of kinds: the first answer among those that could follow
  std::vector<std::uint64_t> burden_;
  std::uint32_t deepest_ = 0;
  std::uint64_t steps_ = 0;
  Memory memory_;
};

}  // namespace schism::linearize
