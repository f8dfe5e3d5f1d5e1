#include "schism/oracle/linearizability.hpp"

#include <algorithm>

#include "schism/linearize/judge.hpp"

namespace schism {
namespace {

// What nobody has asked yet.
const Hash128 kSilence = seeded("client history");

// A run is short: what a search cannot settle with this it will hardly settle at all.
constexpr std::uint64_t kConfigurations = 200'000;

}  // namespace

void Linearizability::begin(const World&) {
  absolve();
  history_.clear();
  open_.clear();
  seen_ = kSilence;
  judged_ = true;
}

void Linearizability::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    if (!(mask_of(event.kind) & kClientEvents)) continue;
    seen_ = absorb(absorb(absorb(seen_, static_cast<std::uint64_t>(event.kind)), event.value),
                   event.type->hash(event.body));
    const Name name = event.name();
    if (event.kind == Happened::invoked) {
      if (const auto call = model_.call(world, event))
        open_.emplace_back(name, history_.invoke(name.from(), *call, world.step()));
      continue;
    }
    const auto at = std::find_if(open_.begin(), open_.end(),
                                 [&](const auto& entry) { return entry.first == name; });
    if (at == open_.end()) continue;
    model_.answer(history_, at->second, event);
    open_.erase(at);
  }
}

void Linearizability::finish(const World& world, const Ending&) {
  linearize::Options options;
  options.initial = model_.initial;
  options.strict = model_.strict;
  options.limits.configurations = kConfigurations;
  const linearize::Report report = linearize::judge_history(history_, options);
  // Clients asked, and none of it was an operation: whatever they were answered, nobody looked.
  const bool looked = seen_ == kSilence || !history_.operations().empty();
  judged_ = looked && report.verdict != linearize::Verdict::unknown;
  if (report.verdict != linearize::Verdict::violation) return;
  std::vector<Evidence> evidence;
  if (report.offence)
    for (const linearize::OpId op : report.offence->operations)
      evidence.push_back(
          {history_[op].invoke_mark,
           "client " + std::to_string(history_[op].client) + ": " + history_.describe(op)});
  std::string sentence = "no order explains what clients saw";
  if (report.offence) sentence = report.offence->sentence;
  if (report.offence && !report.offence->anomaly.empty())
    sentence = report.offence->anomaly + ": " + sentence;
  violate(world, std::move(sentence), std::move(evidence));
}

}  // namespace schism
