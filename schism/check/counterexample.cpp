#include "schism/check/counterexample.hpp"

#include "schism/system/liars.hpp"

namespace schism::check {
namespace {

struct Translated {
  std::vector<Action> actions;
  std::uint32_t left_out = 0;  // steps
  bool chose = false;
};

// Where messages to a node that is down are lost by themselves, the search lost or copied them
// there as steps of its own.
Translated translated(const RunConfig& config, const std::vector<Action>& actions) {
  Translated out;
  std::vector<bool> down(static_cast<std::size_t>(config.setup.nodes), false);
  for (const Action& action : actions) {
    const auto node = static_cast<std::size_t>(action.name.from());
    if (action.kind == Do::choose) out.chose = true;
    if (action.kind == Do::crash) down[node] = true;
    if (action.kind == Do::restart) down[node] = false;
    if (is_loss(action.kind) && config.setup.options.down == WhenDown::lost &&
        down[static_cast<std::size_t>(action.name.to())]) {
      ++out.left_out;
      continue;
    }
    out.actions.push_back(action);
  }
  return out;
}

// What the search's liars said, numbered as it does.
std::vector<Value> lies_of(const Setup& setup) {
  return has_liars(setup.options) ? WorldModel(setup, {}, false).lies() : std::vector<Value>();
}

}  // namespace

Result<Trace> counterexample_of(const RunConfig& config, const CheckOptions& options,
                                const Outcome& o, std::uint64_t run) {
  RunConfig own = config;
  const auto links = static_cast<std::uint32_t>(own.setup.nodes * own.setup.nodes);
  Faults& faults = own.setup.options.faults;  // budgets that are large enough
  faults.drop *= links;
  faults.duplicate *= links;
  // Who does not come back is down for good, also where the run is played on, as shrinking does.
  if (faults.crash > 0 && options.restarts == 0) own.setup.options.crashes = Crashes::stop;
  faults.crash *= 1 + options.restarts;
  own.setup.options.scripted = has_liars(own.setup.options);
  const Translated t = translated(own, o.actions);
  if (t.chose) own.setup.options.draws = Draws::chosen;
  if (o.death) {
    Death death = *o.death;
    death.step -= std::min(death.step, t.left_out);
    own.setup.death = std::make_shared<const Death>(std::move(death));
  }
  const RunPlan plan{0, own.setup.node_seed};
  Trace trace = make_trace(own, plan, run, record(t.actions, lies_of(own.setup)), FairEnd::stopped);
  trace.checked_by = print_spec(options.search);
  if (!trace.violation && o.death)
    return error(
        "its process died ({}), and the run that it was in does not do that again: state that "
        "outlives a run, a destructor, or a kill from outside",
        o.death->kind());
  if (!trace.violation || replay(trace).difference)
    return error("a violation did not repeat: the system is not deterministic");
  return trace;
}

}  // namespace schism::check
