#include "schism/explore/registry.hpp"

#include "schism/schedule/registry.hpp"

namespace schism {

// Function-local, so that it exists before the first static object that registers.
Table<Explorer>& explorers() {
  static Table<Explorer> table = [] {
    Table<Explorer> t;
    t.read_others("seeds", [] { return schedulers().names(); });
    return t;
  }();
  return table;
}

}  // namespace schism
