#include "schism/trace/claim.hpp"

#include <fmt/format.h>

#include "schism/system/system.hpp"

namespace schism {

void FaultCount::see(const Action& action) {
  switch (action.kind) {
    case Do::drop: ++used_.drop; break;
    case Do::duplicate: ++used_.duplicate; break;
    case Do::mutate: ++used_.mutate; break;
    case Do::inject: ++used_.inject; break;
    case Do::crash: ++used_.crash; break;
    case Do::pause: ++used_.pause; break;
    case Do::cut: used_.cut += macros_ == 0 ? 1 : 0; break;
    case Do::begin:
      ++macros_;
      used_.partition += action.arg() == static_cast<std::uint32_t>(Macro::partition) ? 1 : 0;
      break;
    case Do::end: --macros_; break;
    case Do::complete: used_.disk_error += action.name.copy() > 0 ? 1 : 0; break;
    default: break;
  }
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
  return kinds_of(count.used());
}

FaultKinds beyond_claim(const Setup& setup, FaultKinds kinds) {
  if (!setup.system->survives) return {};
  FaultKinds claimed = setup.system->survives(setup);
  if (setup.options.cut == WhenCut::holds)
    claimed = claimed.with(Fault::cut).with(Fault::partition);
  return kinds.beyond(claimed);
}

namespace {

std::string claim_of(const Setup& setup) {
  return fmt::format("{} is built to survive {}", setup.system->name,
                     setup.system->survives(setup).text());
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
  if (!setup.system->survives)
    return fmt::format("no faults were tried (--faults); {} does not say which it survives",
                       setup.system->name);
  return fmt::format("no faults were tried (--faults); {}", claim_of(setup));
}

}  // namespace schism
