#include "schism/trace/claim.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/system/system.hpp"

namespace schism {

void FaultCount::see(const Action& action) {
  count(action, happened_);
  if (!action.free) count(action, used_);
  if (action.kind == Do::begin) macros_.push_back(macro_of(action));
  if (action.kind == Do::end && !macros_.empty()) macros_.pop_back();
}

void FaultCount::count(const Action& action, Faults& out) const {
  const auto fault = fault_of(action);
  if (!fault) return;
  const bool within = std::find(macros_.begin(), macros_.end(), Macro::partition) != macros_.end();
  if (*fault == Fault::cut && within) return;  // the partition was counted
  ++budget_of(out, *fault);
}

FaultKinds kinds_of(const Faults& budgets) {
  FaultKinds out;
  for (std::size_t i = 0; i < enum_count<Fault>(); ++i)
    if (budget_of(budgets, static_cast<Fault>(i)) > 0) out.add(static_cast<Fault>(i));
  return out;
}

FaultKinds faults_in(const Trace& trace) {
  FaultCount count;
  for (const Recorded& step : trace.steps) count.see(step.action);
  return kinds_of(count.happened());
}

namespace {

constexpr Fault kLying[] = {Fault::mutate, Fault::inject, Fault::omit};

int liars_in(const Setup& setup) {
  const WorldOptions& o = setup.options;
  return std::max(static_cast<int>(o.liars.size()), o.liars_drawn);
}

int liars_survived(const Setup& setup) {
  return setup.system->tolerates ? setup.system->tolerates(setup) : 0;
}

std::string counted(int liars) { return fmt::format("{} liar{}", liars, liars == 1 ? "" : "s"); }

std::string claim_of(const Setup& setup) {
  const std::string kinds = setup.system->survives ? setup.system->survives(setup).text() : "";
  if (!setup.system->tolerates && liars_in(setup) == 0)
    return fmt::format("{} is built to survive {}", setup.system->name, kinds);
  return fmt::format("{} is built to survive {}{}{}", setup.system->name, kinds,
                     kinds.empty() ? "" : " and ",
                     liars_survived(setup) > 0 ? counted(liars_survived(setup)) : "no liars");
}

// What is beyond its claim, in words; empty: nothing. Too many liars are that, whatever they do.
std::string beyond_text(const Setup& setup, FaultKinds kinds) {
  FaultKinds beyond = beyond_claim(setup, kinds);
  const int liars = liars_in(setup);
  if (!too_many_liars(setup)) return beyond.empty() ? "" : beyond.text();
  FaultKinds told;
  for (const Fault lie : kLying) told = told.with(lie);
  beyond = beyond.beyond(told);
  return counted(liars) + (beyond.empty() ? "" : " and " + beyond.text());
}

}  // namespace

FaultKinds beyond_claim(const Setup& setup, FaultKinds kinds) {
  if (!setup.system->survives) return {};
  FaultKinds claimed = setup.system->survives(setup);
  if (setup.options.cut == WhenCut::holds)
    claimed = claimed.with(Fault::cut).with(Fault::partition);
  if (setup.system->tolerates && liars_in(setup) <= liars_survived(setup))
    for (const Fault kind : kLying) claimed = claimed.with(kind);
  return kinds.beyond(claimed);
}

bool same_claim(const Setup& a, const Setup& b) {
  if (!a.system->survives || !b.system->survives) return true;
  return a.system->survives(a) == b.system->survives(b) && liars_survived(a) == liars_survived(b);
}

std::string beyond_claim(const Trace& trace) {
  return beyond_text(trace.config.setup, faults_in(trace));
}

bool too_many_liars(const Setup& setup) { return liars_in(setup) > liars_survived(setup); }

std::string claim_note(const Trace& trace) {
  const Setup& setup = trace.config.setup;
  const std::string beyond = beyond_claim(trace);
  if (beyond.empty()) return "";
  return fmt::format("beyond its claim: {}; this run has {}", claim_of(setup), beyond);
}

std::string claim_note(const Setup& setup) {
  const FaultKinds tried = kinds_of(setup.options.faults);
  if (const std::string beyond = beyond_text(setup, tried); !beyond.empty())
    return fmt::format("beyond its claim: {}; these runs {} {}", claim_of(setup),
                       too_many_liars(setup) ? "have" : "may have", beyond);
  if (!tried.empty()) return "";
  if (setup.options.scripted)  // by an explorer or a scenario, without budgets
    return setup.system->survives ? "what goes wrong is up to the explorer; " + claim_of(setup)
                                  : "";
  if (!setup.system->survives)
    return fmt::format("no faults were tried (--faults); {} does not say which it survives",
                       setup.system->name);
  return fmt::format("no faults were tried (--faults); {}", claim_of(setup));
}

}  // namespace schism
