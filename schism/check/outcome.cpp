#include "schism/check/outcome.hpp"

namespace schism::check {

Outcome outcome_of(WorldModel& model, Finished ending, const SearchTotals& totals) {
  Outcome out;
  out.ending = ending;
  out.totals = totals;
  out.met = model.met(), out.judged = model.judged();
  out.bounded = model.bounded();
  out.problem = model.problem();
  out.violated = model.violation().has_value();
  if (out.violated) {
    out.fair = model.fair();
    const auto actions = model.world().decisions();
    out.actions.assign(actions.begin(), actions.end());
  }
  return out;
}

bool follow(WorldModel& model, const std::vector<Action>& actions) {
  model.rewind(0);
  for (const Action& action : actions) {
    std::uint32_t found = kNever;
    for (std::uint32_t i = 0; i < model.pends().size(); ++i)
      if (model.pends()[i].enabled() && model.action(i) == action) found = i;
    if (found == kNever) return false;
    if (!model.execute(found)) return model.violation().has_value();
  }
  return true;
}

}  // namespace schism::check
