#include "schism/check/outcome.hpp"

namespace schism::check {

Outcome outcome_of(WorldModel& model, Finished ending, const SearchTotals& totals) {
  Outcome out;
  out.ending = ending;
  out.totals = totals;
  out.met = model.met(), out.judged = model.judged();
  out.bounded = model.bounded();
  out.drew = model.drew();
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
  const auto chosen = [&](std::size_t at) {
    return at < actions.size() && actions[at].kind == Do::choose;
  };
  const auto answer = [&](std::size_t at) {
    return static_cast<std::uint8_t>(actions[at].name.bits() & 0xff);
  };
  std::size_t at = 0;
  for (; chosen(at); ++at)  // by nodes that started
    if (at >= model.start().count || model.start().k[at] != answer(at)) return false;
  while (at < actions.size()) {
    const Action action = actions[at++];
    std::uint32_t found = kNever;
    for (std::uint32_t i = 0; i < model.pends().size(); ++i)
      if (model.pends()[i].enabled() && model.does(i, action)) found = i;
    if (found == kNever) return false;
    if (action.kind == Do::inject && at < actions.size()) ++at;  // and is delivered at once
    Choices given = model.outcome_of(action);
    for (; chosen(at); ++at)
      if (given.count < Choices::kMost) given.push(answer(at));
    if (!model.execute(found, given)) return model.violation().has_value();
  }
  return true;
}

}  // namespace schism::check
