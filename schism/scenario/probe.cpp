#include "schism/scenario/probe.hpp"

#include <algorithm>

#include "schism/run/runner.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/system/system.hpp"

namespace schism::scenario {

void probe(const Setup& setup, std::vector<const TypeInfo*>& announcements,
           std::vector<const TypeInfo*>& answers) {
  constexpr std::uint64_t kRuns = 4;
  const auto add = [](std::vector<const TypeInfo*>& into, const TypeInfo* type) {
    if (type && std::find(into.begin(), into.end(), type) == into.end()) into.push_back(type);
  };
  const auto watcher = watch(mask_of(Happened::announced) | mask_of(Happened::answered),
                             [&](const World&, std::span<const Event> events) {
                               for (const Event& e : events) {
                                 if (e.kind == Happened::announced) add(announcements, e.type);
                                 if (e.kind == Happened::answered) add(answers, e.type);
                               }
                             });
  for (const char* name : {"random", "timed"}) {
    auto scheduler = schedulers().make({name}, "scheduler");
    Runner runner(setup, {setup.system->steps_max, 0, 0});
    runner.attach(*watcher);
    for (std::uint64_t seed = 1; seed <= kRuns; ++seed) runner.run(**scheduler, {seed, seed});
  }
  const auto by_name = [](const TypeInfo* a, const TypeInfo* b) { return a->name < b->name; };
  std::sort(announcements.begin(), announcements.end(), by_name);
  std::sort(answers.begin(), answers.end(), by_name);
}

}  // namespace schism::scenario
