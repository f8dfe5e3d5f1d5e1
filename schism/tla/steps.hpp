// Steps by name, remembered: a campaign asks for the same action in the same state again and again.
// States are numbers here; what was computed once costs one look into a table.
//
//   Steps steps(spec);
//   StateId s = steps.intern(initial);
//   auto next = steps.apply(*spec.action("Timeout").value(), server, s);
//   // all that it leads to
//
// forget() gives the memory of the table back; states keep their numbers.
#pragma once

#include "absl/container/flat_hash_map.h"

#include "schism/tla/spec.hpp"
#include "schism/tla/state_table.hpp"

namespace schism::tla {

using StateId = std::uint32_t;

class Steps {
 public:
  explicit Steps(Spec& spec) : spec_(spec), table_(spec.variables().size()) {}

  StateId intern(std::span<const Value> s);
  State state(StateId id) const;
  std::size_t states() const { return table_.size(); }
  // The span lives until the next call of apply or forget.
  Result<std::span<const StateId>> apply(const Action& action, std::span<const Value> args,
                                         StateId from);
  void forget();
  std::size_t bytes() const { return table_.bytes() + memo_.size() * 40 + results_.size() * 4; }

 private:
  struct Key {
    const Action* action;
    StateId from;
    std::uint64_t args;  // their hash; the arguments themselves are compared
    friend bool operator==(const Key&, const Key&) = default;
    template <class H>
    friend H AbslHashValue(H h, const Key& k) {
      return H::combine(std::move(h), k.action, k.from, k.args);
    }
  };
  struct Entry {
    std::uint32_t args, results, count;  // where they begin, and how many results
  };

  Spec& spec_;
  StateTable table_;
  absl::flat_hash_map<Key, Entry> memo_;
  std::vector<Value> args_;
  std::vector<StateId> results_;
  std::vector<StateId> once_;
};

}  // namespace schism::tla
