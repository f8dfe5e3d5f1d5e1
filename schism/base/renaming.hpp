// Nodes under other numbers. Where a protocol does not care which of its nodes is which, a state
// and the same state with its nodes renumbered have the same future; hashing a state as if its
// nodes were called otherwise shows that two states are alike.
//
// A number says nothing about being a node's: fields that hold one must have a type that does
// (node/ids.hpp), or any type with `Hash128 renamed(Hash128 h, const Renaming& r) const`.
#pragma once

#include <vector>

#include "schism/base/hash.hpp"

namespace schism {

// What each node and each client is called instead. Numbers beyond the list keep their name. Two
// may get the same name: then they are not told apart.
struct Renaming {
  std::vector<int> nodes, clients;

  int node(int id) const { return of(nodes, id); }
  int client(int id) const { return of(clients, id); }

 private:
  static int of(const std::vector<int>& names, int id) {
    return id >= 0 && id < static_cast<int>(names.size()) ? names[static_cast<std::size_t>(id)]
                                                          : id;
  }
};

namespace detail {

template <class T>
concept Renamable = requires(const T& t, const Renaming& r) {
  { t.renamed(Hash128{}, r) } -> std::same_as<Hash128>;
};

}  // namespace detail
}  // namespace schism
