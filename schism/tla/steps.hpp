// Steps by name, remembered: a campaign asks for the same action in the same state again and again.
// States are numbers here; what was computed once costs one look into a table.
//
//   Steps steps(spec);
//   StateId s = steps.intern(initial);
//   auto next = steps.apply(*spec.action("Timeout").value(), server, s);
//   // all that it leads to
//
// forget() gives the memory of the table back; states keep their numbers. A campaign that makes
// ever new values says between two of its runs which states it still needs, once full() tells that
// more memory than the limit is in use:
//
//   if (steps.full()) steps.keep_only(live);  // the numbers of the live states are rewritten
#pragma once

#include "absl/container/flat_hash_map.h"

#include "schism/tla/spec.hpp"
#include "schism/tla/state_table.hpp"

namespace schism::tla {

using StateId = std::uint32_t;

class Steps {
 public:
  static constexpr std::size_t kBytesMax = std::size_t{256} << 20;
  explicit Steps(Spec& spec, std::size_t limit = kBytesMax)
      : spec_(spec), limit_(limit), table_(spec.variables().size()) {}

  StateId intern(std::span<const Value> s);
  State state(StateId id) const;
  void read(StateId id, State& into) const;
  std::size_t states() const { return table_.size(); }
  // The span lives until the next call of apply or forget.
  Result<std::span<const StateId>> apply(const Action& action, std::span<const Value> args,
                                         StateId from);
  void forget();
  std::size_t bytes() const {
    return table_.bytes() + memo_.capacity() * 40 + results_.capacity() * 4 + args_.capacity() * 8;
  }
  // Whether these steps and the values of their specification take more than the limit.
  bool full() const { return bytes() + spec_.store().bytes() > limit_; }
  // Every other state and every value that was made on the way is given back. Values that the
  // caller holds (arguments) must be made anew, other Steps of the same specification begin anew.
  void keep_only(std::span<StateId> live);

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
  std::size_t limit_;
  StateTable table_;
  absl::flat_hash_map<Key, Entry> memo_;
  std::vector<Value> args_;
  std::vector<StateId> results_;
  std::vector<StateId> once_;
  std::vector<std::uint32_t> row_;
  State here_;
};

}  // namespace schism::tla
