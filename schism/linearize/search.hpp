// The depth-first walk over configurations behind checker.hpp, for one register. search.cpp holds
// the list of events and the loop; moves.cpp what can come next in a configuration, and by which
// rules.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "schism/linearize/checker.hpp"
#include "schism/linearize/memory.hpp"

namespace schism::linearize {

// Operations without an answer that do the same, oldest first: interchangeable, but that an older
// one can be used earlier.
struct Spares {
  Effect effect;
  std::uint32_t first, second;
  std::uint32_t product;
  std::vector<std::uint32_t> ops;  // of the partition, in order of invocation
  std::uint32_t used = 0;
};

class Search {
 public:
  Search(const Partition& partition, const Limits& limits);
  Finding run();

 private:
  // A completed operation, or spares (index beyond the completed ones), or all unseen writes.
  struct Move {
    std::uint32_t index;
    std::uint32_t returned;  // earliest first; the order of trying does not change the verdict
  };
  static constexpr std::uint32_t kUnseenWrites = UINT32_MAX;
  struct Frame {
    std::size_t trail, moves;
    std::uint32_t value;
  };
  enum class Entered : std::uint8_t { done, fresh, known };

  const RegisterOp& op_at(std::uint32_t node) const {
    return partition_.ops[completed_[owner_[node]]];
  }
  bool is_return(std::uint32_t node) const { return node == return_node_[owner_[node]]; }
  bool is_empty() const { return next_[0] == 0; }

  void lift(std::uint32_t c);
  void put_back(std::uint32_t c);
  void take_spare(std::uint32_t s);
  void count(const RegisterOp& op, int by);
  void count_product(std::uint32_t value, int by);
  void undo_to(std::size_t trail);

  bool misses_matter() const {
    return live_misses_ + (setters_[value_] == 0 ? misses_[value_] : 0) != 0;
  }
  bool is_unseen_write(const RegisterOp& op) const {
    return op.effect == Effect::set && viewers_[op.first] == 0;
  }
  bool spare_ready(const Spares& s, std::uint32_t horizon) const {
    return s.used < s.ops.size() && partition_.ops[s.ops[s.used]].invoked < horizon;
  }

  Entered enter();
  void take_fitting_reads();
  void write_key();
  std::uint32_t list_burden();
  void list_moves();
  void add_move(const RegisterOp& op, std::uint32_t c);
  // A completed operation that does the same can come next: the spare can wait.
  bool has_twin(const Spares& s) const {
    const bool set = s.effect == Effect::set;
    return (set || s.first == value_) &&
           (set ? set_twins_ : swap_twins_)[s.product].stamp == stamp_;
  }
  void list_spares(std::uint32_t horizon, bool blocked_miss, bool unseen, std::size_t begin);
  bool apply(const Move& move);
  void take_unseen_writes();
  bool is_beyond_limits();
  Finding finish(Verdict verdict);

  const Partition& partition_;
  const Limits& limits_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();

  // Completed operations in order of invocation, and the list of their events; node 0 is its end.
  std::vector<std::uint32_t> completed_;
  std::vector<std::uint32_t> invoke_node_, return_node_;
  std::vector<std::uint32_t> owner_, next_, previous_;
  std::vector<std::uint32_t> rank_;          // among setters, or among those that only look
  std::vector<std::uint32_t> reach_;         // how many setters are invoked before it answers
  std::vector<std::uint32_t> reads_before_;  // how many others are invoked before a node
  std::vector<std::uint32_t> setters_in_order_;
  std::vector<std::uint64_t> lifted_;  // setters, by rank
  std::uint32_t low_ = 0;              // all setters below are lifted

  std::vector<Spares> spares_;
  std::vector<std::vector<std::uint32_t>> spares_for_;  // by product
  std::vector<std::uint32_t> spare_viewers_;            // swaps among them, by what they look for
  std::vector<std::uint32_t> spares_used_;              // those of which some are ordered

  // Of what is not ordered yet, by value:
  std::vector<std::uint32_t> must_see_;  // completed operations that must find it
  std::vector<std::uint32_t> viewers_;   // those, spares that would, and misses of it
  std::vector<std::uint32_t> setters_;   // operations that set it, spares too
  std::vector<std::uint32_t> misses_;
  std::uint64_t misses_left_ = 0;
  std::uint64_t live_misses_ = 0;  // of values that can be set again

  std::uint32_t nothing_;  // stands for any value that nobody will look at
  std::uint32_t value_ = 0;
  std::vector<std::uint32_t> trail_;  // what was ordered: completed ones, spares beyond them
  std::vector<Move> moves_;
  std::vector<Frame> frames_;
  std::vector<std::uint64_t> burden_;
  std::vector<std::uint32_t> wanted_;  // values, for list_spares
  std::vector<std::uint64_t> wanted_at_;
  struct Twin {
    std::uint64_t stamp = 0;  // of the configuration that has such a move
    std::size_t move = 0;
  };
  std::vector<Twin> set_twins_, swap_twins_;  // by product
  std::uint64_t stamp_ = 0;
  std::uint32_t deepest_ = 0;
  std::uint64_t steps_ = 0;
  Memory memory_;
};

}  // namespace schism::linearize
