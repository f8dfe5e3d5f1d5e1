#include "schism/schedule/registry.hpp"

namespace schism {

// Function-local, so that it exists before the first static object that registers.
Table<Scheduler>& schedulers() {
  static Table<Scheduler> table;
  return table;
}

}  // namespace schism
