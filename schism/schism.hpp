// Everything that a protocol under test needs. Strategies include schedule/scheduler.hpp or
// explore/explorer.hpp and registry.hpp instead.
#pragma once

#include "schism/node/node.hpp"          // IWYU pragma: export
#include "schism/oracle/consensus.hpp"   // IWYU pragma: export
#include "schism/oracle/eventually.hpp"  // IWYU pragma: export
#include "schism/oracle/invariant.hpp"   // IWYU pragma: export
#include "schism/oracle/property.hpp"    // IWYU pragma: export
#include "schism/system/system.hpp"      // IWYU pragma: export
