#include "schism/explore/registry.hpp"

namespace schism {

// Function-local, so that it exists before the first static object that registers.
Table<Explorer>& explorers() {
  static Table<Explorer> table;
  return table;
}

}  // namespace schism
