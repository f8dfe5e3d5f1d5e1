#include "schism/fuzz/minimise.hpp"

#include <absl/container/flat_hash_set.h>

#include <algorithm>

#include "schism/fuzz/schedule.hpp"

namespace schism::fuzz {

Result<std::vector<std::uint64_t>> shown_by(const Trace& trace,
                                            const std::vector<Spec>& coverages) {
  Runner runner(trace.config.setup, trace.config.limits);
  std::vector<std::unique_ptr<Coverage>> watching;
  for (const Spec& spec : coverages) {
    auto made = schism::coverages().make(spec, "coverage");
    if (!made) return tl::unexpected(made.error());
    if (auto good = (*made)->check(trace.config.setup); !good) return tl::unexpected(good.error());
    watching.push_back(*std::move(made));
    runner.attach(*watching.back());
  }
  Replay replay(steps_of(schedule_of(trace)), trace.config.setup.options.time);
  runner.replay(replay, trace.plan, FairEnd::never);
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i < watching.size(); ++i)
    for (const std::uint64_t key : watching[i]->keys())
      out.push_back(key | tag_of(coverages[i].name));
  return out;
}

std::vector<std::size_t> enough(const std::vector<Shown>& runs) {
  absl::flat_hash_set<std::uint64_t> shown;
  const auto missing = [&](const Shown& run) {
    return static_cast<std::size_t>(std::count_if(
        run.keys.begin(), run.keys.end(), [&](std::uint64_t key) { return !shown.contains(key); }));
  };
  std::vector<std::size_t> left(runs.size()), out;
  for (std::size_t i = 0; i < runs.size(); ++i) left[i] = i;
  while (!left.empty()) {
    std::size_t best = runs.size(), most = 0;
    std::erase_if(left, [&](std::size_t i) {
      const std::size_t own = missing(runs[i]);
      if (own > most || (own == most && own > 0 && runs[i].actions < runs[best].actions))
        best = i, most = own;
      return own == 0;
    });
    if (best == runs.size()) break;
    shown.insert(runs[best].keys.begin(), runs[best].keys.end());
    out.push_back(best);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace schism::fuzz
