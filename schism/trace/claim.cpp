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

FaultKinds beyond_claim(const Setup& setup, FaultKinds kinds) {
  if (!setup.system->survives) return {};
  FaultKinds claimed = setup.system->survives(setup);
  if (setup.options.cut == WhenCut::holds)
    claimed = claimed.with(Fault::cut).with(Fault::partition);
  const WorldOptions& o = setup.options;
  const auto liars = std::max(static_cast<int>(o.liars.size()), o.liars_drawn);
  if (setup.system->tolerates && liars <= setup.system->tolerates(setup))
    for (const Fault kind : {Fault::mutate, Fault::inject, Fault::omit})
      claimed = claimed.with(kind);
  return kinds.beyond(claimed);
}

bool same_claim(const Setup& a, const Setup& b) {
  if (!a.system->survives || !b.system->survives) return true;
  return a.system->survives(a) == b.system->survives(b);
}

namespace {

std::string claim_of(const Setup& setup) {
  return fmt::format("{} is built to survive {}", setup.system->name,
                     setup.system->survives(setup).text()) +
         (setup.system->tolerates ? fmt::format(" and {} liars", setup.system->tolerates(setup))
                                  : "");
}

}  // namespace

std::string claim_note(const Trace& trace) {
  const Setup& setup = trace.config.setup;
  const FaultKinds beyond = beyond_claim(setup, faults_in(trace));
  if (beyond.empty()) return "";
  return fmt::format("beyond its claim: {}; this run has {}", claim_of(setup), beyond.text());
}

std::string claim_note(const Setup& setup) {
  const FaultKinds tried = kinds_of(setup.options.faults);
  const FaultKinds beyond = beyond_claim(setup, tried);
  if (!beyond.empty())
    return fmt::format("beyond its claim: {}; these runs may have {}", claim_of(setup),
                       beyond.text());
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
