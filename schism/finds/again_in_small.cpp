#include "schism/finds/again_in_small.hpp"

#include <algorithm>
#include <chrono>

#include "schism/finds/shape.hpp"
#include "schism/run/runner.hpp"
#include "schism/trace/claim.hpp"

namespace schism {
namespace {

// Of all hunts together: a second or two.
constexpr std::uint64_t kSteps = 1'000'000;
constexpr std::uint64_t kRuns = 5000;  // of one of them
constexpr std::int64_t kValues = 4;    // of a parameter that are tried
// Parameters are tried where the story is long: a short one has nothing to gain.
constexpr std::uint64_t kLong = 20;

class SmallHunt {
 public:
  SmallHunt(const Trace& original, const Shrunk& small, const ShrinkOptions& options,
            const std::atomic<bool>& over)
      : original_(original), small_(small), options_(options), over_(over) {}

  std::optional<Shrunk> run() {
    const auto look = look_of(small_.trace);
    if (!look) return std::nullopt;
    evidence_ = look->evidence;
    const int least = original_.config.setup.system->node_range.low;
    for (int nodes = least; nodes < small_.after.nodes && !enough(); ++nodes) {
      RunText text = to_text(original_.config);
      text.nodes = std::to_string(nodes);
      if (auto found = with(text)) return found;
    }
    if (small_.after.actions < kLong) return std::nullopt;
    return with_smaller_parameters();
  }

 private:
  // One parameter of the workload at a time: with the smallest value that shows it.
  std::optional<Shrunk> with_smaller_parameters() {
    const Setup& setup = original_.config.setup;
    for (const Param& param : setup.system->params.list()) {
      if (param.values.kind != Values::integer ||
          setup.system->drawing.purpose(param.name) != Purpose::workload)
        continue;
      const auto now = parse_integer(param.print(setup.config.get()), INT64_MIN, INT64_MAX);
      for (std::int64_t value = param.values.low; now && value < *now && !enough();
           value += std::max<std::int64_t>(1, (*now - param.values.low) / kValues)) {
        RunText text = to_text(original_.config);
        auto& values = text.system.values;
        std::erase_if(values, [&](const auto& pair) { return pair.first == param.name; });
        values.emplace_back(param.name, std::to_string(value));
        if (auto found = with(text)) return found;
      }
    }
    return std::nullopt;
  }

  std::optional<Shrunk> with(const RunText& text) {
    const auto config = make_config(text);
    if (!config || config->arms.empty()) return std::nullopt;
    if (!same_claim(original_.config.setup, config->setup)) return std::nullopt;
    const std::size_t arm = original_.plan.arm < config->arms.size() ? original_.plan.arm : 0;
    const auto scheduler = make_scheduler(*config, static_cast<std::uint32_t>(arm));
    if (!scheduler->check(config->setup)) return std::nullopt;
    Runner runner(config->setup, config->limits);
    for (std::uint64_t i = 0; i < kRuns && !enough(); ++i) {
      RunPlan plan;
      plan.seed = plan.node_seed = original_.plan.seed + i;
      const RunSummary summary = runner.run(*scheduler, plan);
      steps_ += summary.steps;
      if (!runner.violation() || runner.violation()->property != original_.violation->property ||
          runner.world().setup().death)
        continue;
      RunConfig played = *config;
      played.setup.options.time = scheduler->time_use();
      const World& world = runner.world();
      if (auto found = made_small(
              make_trace(played, plan, original_.run, record(world.decisions(), world.contents()))))
        return found;
    }
    return std::nullopt;
  }

  bool enough() const {
    return steps_ >= kSteps || over_ || (options_.seconds > 0 && spent() > options_.seconds);
  }
  double spent() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  }

  // Nothing: it is another bug.
  std::optional<Shrunk> made_small(const Trace& trace) const {
    if (!trace.violation) return std::nullopt;
    ShrinkOptions rest = options_;
    if (options_.seconds > 0) rest.seconds = std::max(options_.seconds - spent(), 0.001);
    auto out = shrink(trace, rest, over_);
    if (!out || !(out->after < small_.after)) return std::nullopt;
    const auto look = look_of(out->trace);
    if (!look || look->evidence != evidence_) return std::nullopt;
    out->before = small_.before;
    out->replays += small_.replays;
    out->trace.shrunk_from = small_.trace.shrunk_from;
    return *std::move(out);
  }

  const Trace& original_;
  const Shrunk& small_;
  const ShrinkOptions& options_;
  const std::atomic<bool>& over_;
  std::string evidence_;
  std::uint64_t steps_ = 0;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace

std::optional<Shrunk> again_in_small(const Trace& original, const Shrunk& small,
                                     const ShrinkOptions& options, const std::atomic<bool>& over) {
  const Setup& setup = original.config.setup;
  if (setup.death || setup.requests || !original.checked_by.empty()) return std::nullopt;
  return SmallHunt(original, small, options, over).run();
}

}  // namespace schism
