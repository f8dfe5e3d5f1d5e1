#include "schism/run/make_world.hpp"

#include <fmt/format.h>

#include "schism/process/process_world.hpp"
#include "schism/sim/sim_world.hpp"
#include "schism/system/system.hpp"

namespace schism {
namespace {

bool has(const Capabilities& can, Need need) {
  switch (need) {
    case Need::exact_replay: return can.exact_replay;
    case Need::snapshots: return can.snapshots;
    case Need::virtual_clock: return can.virtual_clock;
    case Need::quiescence: return can.can_quiesce;
  }
  return false;
}

std::string_view name_of(Need need) {
  static constexpr std::string_view names[] = {"exact replay", "snapshots of nodes",
                                               "a virtual clock", "to know when nothing is left"};
  return names[static_cast<std::size_t>(need)];
}

}  // namespace

std::unique_ptr<World> make_world(const Setup& setup) {
  if (setup.system->world) return setup.system->world(setup);
  if (setup.options.place == Place::processes) return std::make_unique<ProcessWorld>();
  return std::make_unique<SimWorld>();
}

bool has(const Setup& setup, Need need) { return has(make_world(setup)->capabilities(), need); }

Status check_place(const Setup& setup) {
  if (setup.options.place == Place::here) return {};
  if (setup.system->world)
    return error("world: {} has a world of its own, so that its nodes have no other place",
                 setup.system->name);
  return ProcessWorld::check(setup);
}

Status needs(const Setup& setup, std::string_view who, std::initializer_list<Need> what) {
  const auto world = make_world(setup);
  for (const Need need : what) {
    if (has(world->capabilities(), need)) continue;
    const bool chosen = !setup.system->world && setup.options.place != Place::here;
    return error("{} needs {}, which a world of {} does not have{}", who, name_of(need),
                 world->name(),
                 chosen ? fmt::format(" (--world place={})", enum_name(setup.options.place)) : "");
  }
  return {};
}

}  // namespace schism
