// The library under test: Canonical's C-Raft, unmodified, as the package installs it. Its header
// has no linkage specification of its own.
#pragma once

extern "C" {
#include <raft.h>
}
