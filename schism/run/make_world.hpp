// The one place that makes worlds: a system names its own maker, or else the setup's options say
// where its nodes live. And the one place that refuses a world to whoever needs more than it has:
//
//   if (auto s = needs(setup, "check", {Need::exact_replay}); !s) return s;
//   std::unique_ptr<World> world = make_world(setup);
#pragma once

#include <initializer_list>
#include <memory>
#include <string_view>

#include "schism/base/result.hpp"
#include "schism/world/world.hpp"

namespace schism {

// Not yet reset, so that it costs nothing to ask what it can do.
std::unique_ptr<World> make_world(const Setup& setup);

// Whether the options' place fits this system and the rest of the options; one sentence if not.
Status check_place(const Setup& setup);

// What somebody needs of a world; what each means is said at Capabilities.
enum class Need : std::uint8_t { exact_replay, snapshots, virtual_clock, quiescence };

bool has(const Setup& setup, Need need);
// One sentence that names what is missing: "check needs exact replay, which a world of processes
// does not have (--world place=processes)".
Status needs(const Setup& setup, std::string_view who, std::initializer_list<Need> what);

}  // namespace schism
