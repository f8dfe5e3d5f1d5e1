#include "schism/finds/repetitions.hpp"

#include <fmt/format.h>

#include "schism/draw/story.hpp"
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

void examine_repeatedly(const RunConfig& config, const LookClosely& order, guard::Outbox& out,
                        const std::atomic<bool>& over) {
  const auto scheduler = make_scheduler(config, order.plan.arm);
  scheduler->heed(order.policy);
  Original original;
  for (std::uint32_t i = 0; i < kRepetitions && !original.trace.violation && !over; ++i)
    original.trace = record_run(config, order.plan, order.run, *scheduler);
  if (!original.trace.violation) {
    out.put(encode(original));
    out.put(encode(Confirmed{
        Difference{0, "a violation",
                   fmt::format("none in {} repetitions, which a world of {} plays as best it can",
                               kRepetitions, make_world(config.setup)->name())}}));
    return;
  }
  // Without exact replay finds are told apart by their property alone.
  const std::string& property = original.trace.violation->property;
  original.evidence = property;
  out.put(encode(original));
  out.flush();
  out.put(encode(Confirmed{}));
  Specimen found{original.trace, {}, Look{property, seeded(property, 0)}, {}, {}};
  found.trace.repeats = repeat_decisions(found.trace, kRepetitions, over);
  if (order.pictures.story) {
    StoryOptions story;
    story.color = order.pictures.color;
    story.width = order.pictures.width;
    found.story = tell(found.trace, story);
  }
  out.put(encode(Examined{{std::move(found)}, {}}));
}

}  // namespace schism
