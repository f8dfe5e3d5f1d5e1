// What a validator that lies may say (ByzzFuzz's table for the XRP Ledger), and the order of
// messages by which its rounds are counted.
#pragma once

#include "schism/system/system.hpp"

namespace schism::xrpl {

void add_lies(System& system);

}  // namespace schism::xrpl
