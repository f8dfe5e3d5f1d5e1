#include "schism/campaign/tally.hpp"

#include <algorithm>

namespace schism {
namespace {

struct Saved {
  std::uint64_t runs = 0, steps = 0, deliveries = 0, simulated_us = 0, violated = 0;
  Distinct classes;
  std::vector<Find> finds;
  std::vector<Leak> leaks;
  std::vector<std::string> unexamined;
  std::map<std::uint32_t, std::uint64_t> closely, muted;
  std::uint64_t met = 0, judged = 0;
  NamedCounts counts;
  FIELDS(runs, steps, deliveries, simulated_us, violated, classes, finds, leaks, unexamined,
         closely, muted, met, judged, counts)
};

}  // namespace

bool Tally::count(const RunSummary& summary) {
  HuntProgress& t = result.totals;
  ++t.runs;
  t.steps += summary.steps;
  t.deliveries += summary.deliveries;
  t.simulated_us += summary.simulated_us;
  t.violated += summary.violated ? 1 : 0;
  met_ |= summary.met;
  judged_ |= summary.judged;
  for (std::uint64_t left = summary.muted; left != 0; left &= left - 1)
    ++muted_[static_cast<std::uint32_t>(__builtin_ctzll(left))];
  return t.classes.add(summary.run_class);
}

void Tally::count(const NamedCounts& counts) {
  for (const auto& [name, count] : counts) {
    const auto own = std::find_if(result.counts.begin(), result.counts.end(),
                                  [&name = name](const auto& sum) { return sum.first == name; });
    if (own == result.counts.end()) result.counts.emplace_back(name, count);
    else own->second += count;
  }
}

void Tally::count_only(std::uint32_t oracle) {
  for (Find& find : result.finds)
    if (find.oracle == oracle) {
      ++find.count;
      return;
    }
}

std::pair<const Find*, Bugs::News> Tally::file(Specimen specimen, std::uint32_t oracle,
                                               std::uint64_t count) {
  const Look& look = specimen.look;
  const auto [place, news] = bugs_.add(specimen.smallest(), look, specimen.trace.plan.seed);
  if (news == Bugs::News::bug)
    result.finds.push_back({std::move(specimen.trace),
                            {},
                            look.evidence,
                            {},
                            oracle,
                            0,
                            specimen.story,
                            specimen.page});
  Find& find = result.finds[place];
  find.count += count;
  find.shapes = bugs_.groups()[place].shapes;
  if (specimen.small && find.shapes.front().shape == look.shape && news != Bugs::News::nothing) {
    find.small = std::move(specimen.small);
    find.story = std::move(specimen.story);
    find.page = std::move(specimen.page);
  }
  return {&find, news};
}

std::string Tally::save() const {
  const HuntProgress& t = result.totals;
  return encode(Saved{t.runs, t.steps, t.deliveries, t.simulated_us, t.violated, t.classes,
                      result.finds, result.leaks, result.unexamined, closely_, muted_, met_,
                      judged_, result.counts});
}

Status Tally::load(std::string_view bytes) {
  auto saved = decode<Saved>(bytes);
  if (!saved) return tl::unexpected(saved.error());
  HuntProgress& t = result.totals;
  t.runs = saved->runs, t.steps = saved->steps, t.deliveries = saved->deliveries;
  t.simulated_us = saved->simulated_us, t.violated = saved->violated, t.classes = saved->classes;
  closely_ = std::move(saved->closely), muted_ = std::move(saved->muted);
  met_ = saved->met, judged_ = saved->judged;
  std::vector<BugGroup> groups;
  for (const Find& find : saved->finds) {
    if (!find.trace.violation) return error("a find has no violation");
    groups.push_back({find.trace.violation->property, find.evidence, find.shapes});
  }
  bugs_.restore(std::move(groups));
  result.finds = std::move(saved->finds);
  result.leaks = std::move(saved->leaks);
  result.unexamined = std::move(saved->unexamined);
  result.counts = std::move(saved->counts);
  return {};
}

}  // namespace schism
