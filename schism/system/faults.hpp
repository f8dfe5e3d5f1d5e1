// Which faults a protocol is built to survive. A violation under others is no bug of it: a protocol
// over reliable links that stops when a message is lost does what its authors said.
//
//   .survives({Fault::crash, Fault::duplicate})
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "schism/base/enum.hpp"
#include "schism/words/action.hpp"
#include "schism/words/options.hpp"

namespace schism {

// In the order of the budgets, and with their names but for dashes.
SCHISM_ENUM(Fault, drop, duplicate, mutate, inject, crash, pause, cut, partition, disk_error, omit);

std::string fault_name(Fault kind);  // as in --faults
std::uint32_t budget_of(const Faults& faults, Fault kind);
std::uint32_t& budget_of(Faults& faults, Fault kind);
// Which fault an action is; what undoes one is none.
std::optional<Fault> fault_of(const Action& action);
Do action_of(Fault kind);  // the kind of action that makes one

// A set of them.
class FaultKinds {
 public:
  constexpr FaultKinds() = default;
  constexpr FaultKinds(std::initializer_list<Fault> kinds) {
    for (const Fault kind : kinds) add(kind);
  }

  constexpr void add(Fault kind) { bits_ |= bit(kind); }
  constexpr bool has(Fault kind) const { return (bits_ & bit(kind)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr FaultKinds with(Fault kind) const {
    FaultKinds more = *this;
    more.add(kind);
    return more;
  }
  // Those of this set that are not in the other.
  constexpr FaultKinds beyond(FaultKinds other) const {
    FaultKinds rest;
    rest.bits_ = bits_ & ~other.bits_;
    return rest;
  }
  std::vector<std::string> names() const;
  std::string text() const;  // "crash, drop"; "none"
  friend constexpr bool operator==(FaultKinds, FaultKinds) = default;

 private:
  static constexpr std::uint32_t bit(Fault kind) { return 1U << static_cast<unsigned>(kind); }
  std::uint32_t bits_ = 0;
};

// What liars do.
inline constexpr FaultKinds kByzantineFaults = {Fault::mutate, Fault::inject, Fault::omit};

// What happens to nodes and networks without malice and without failing disks.
inline constexpr FaultKinds kBenignFaults = {Fault::drop,  Fault::duplicate, Fault::crash,
                                             Fault::pause, Fault::cut,       Fault::partition};

}  // namespace schism
