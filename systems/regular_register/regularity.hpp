// Regularity of a register (Cachin, Guerraoui and Rodrigues, Module 4.1): a read that no write
// overlaps returns the last value written; one that is overlapped returns the last or one that is
// being written. With several writers: no read returns a value that was overwritten before it
// began, that is, by a write between that value's and the read.
//
// "Before" is meant as the nodes could tell: a step is before another in some order of independent
// steps unless the other is in its causal past. So the verdict is that of the whole class of runs,
// costs a reduction nothing, and a violation stands for a run in which the clock says so too.
#pragma once

#include <bitset>
#include <map>

#include "schism/oracle/oracle.hpp"
#include "systems/regular_register/operations.hpp"

namespace schism::registers {

class Regularity final : public Oracle {
 public:
  static constexpr std::size_t kOperationsMax = 128;

  explicit Regularity(int initial) : initial_(initial) {}

  std::string_view name() const override { return "regularity"; }
  EventMask wakes_on() const override;
  void begin(const World& world) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  using Past = std::bitset<kOperationsMax>;  // operations that had begun
  struct Operation {
    bool write = false, ended = false;
    int node = 0, value = 0;
    Past past;  // of its end
    std::uint32_t began_at = 0, ended_at = 0;
  };
  struct Carried {  // by a message in flight
    Past past;
    int copies = 1;
  };

  void follow(const Event& event);
  void land(const Event& event);
  void judge(const World& world);
  void judge_read(const World& world, int read);

  int initial_;
  std::vector<Past> nodes_;
  std::map<std::uint64_t, Carried> flying_;  // by name, copies together
  std::map<int, Operation> operations_;
};

}  // namespace schism::registers
