#include "schism/finds/repetitions.hpp"

#include <fmt/format.h>

#include "schism/run/make_world.hpp"

namespace schism {

Repeats repeat_decisions(const Trace& trace, std::uint32_t of, const std::atomic<bool>& stop) {
  Repeats out;
  while (out.of < of && !stop.load(std::memory_order_relaxed)) {
    ++out.of;
    const Trace again =
        make_trace(trace.config, trace.plan, trace.run, trace.steps, fair_end_of(trace));
    const bool same = again.violation && again.violation->property == trace.violation->property;
    out.times += same ? 1 : 0;
  }
  return out;
}

Result<Examined> examine_repeatedly(const RunConfig& config, const RunPlan& plan, std::uint64_t run,
                                    const std::atomic<bool>& stop) {
  Examined out;
  const auto scheduler = make_scheduler(config);
  Specimen found;
  for (std::uint32_t i = 0; i < kRepetitions && !found.trace.violation; ++i) {
    if (stop.load(std::memory_order_relaxed)) break;
    found.trace = record_run(config, plan, run, *scheduler);
  }
  if (!found.trace.violation) {
    out.difference =
        Difference{0, "a violation",
                   fmt::format("none in {} repetitions, which a world of {} plays as best it can",
                               kRepetitions, make_world(config.setup)->name())};
    return out;
  }
  found.trace.repeats = repeat_decisions(found.trace, kRepetitions, stop);
  // Without exact replay finds are told apart by their property alone.
  const std::string& property = found.trace.violation->property;
  found.look = Look{property, seeded(property, 0)};
  out.specimens.push_back(std::move(found));
  return out;
}

}  // namespace schism
