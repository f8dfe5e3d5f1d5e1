// What a strategy of your own includes: the tables, and the one-line registration.
#pragma once

#include "schism/explore/registry.hpp"   // IWYU pragma: export
#include "schism/schedule/registry.hpp"  // IWYU pragma: export
#include "schism/system/systems.hpp"     // IWYU pragma: export
