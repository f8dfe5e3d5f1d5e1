#include "schism/check/orders.hpp"

#include <algorithm>

#include "schism/trace/describe.hpp"

namespace schism::check {
namespace {

// All runs at first, as long as that is quick (time is quadratic), then one of so many.
constexpr std::uint64_t kAtFirst = 200, kWorkAtFirst = 50'000'000, kLater = 512;
constexpr std::uint32_t kStepsMost = 2'000;  // of a run that is compared

std::string entangled(const std::string& how) {
  return fmt::format(
      "independent steps in another order do something else: {}. So a node looks at what another "
      "one did without a message (a static variable, a global, an object that they share), or a "
      "property judges an order that it does not declare, and one run does not speak for its class",
      how);
}

bool any_enabled(const Model& model) {
  return std::any_of(model.pends().begin(), model.pends().end(),
                     [](const Pend& p) { return p.enabled(); });
}

std::uint32_t find(const Model& model, const Hash128& id) {
  for (std::uint32_t i = 0; i < model.pends().size(); ++i)
    if (model.pends()[i].id == id && model.pends()[i].enabled()) return i;
  return kNever;
}

// Where both runs have ended.
std::string compare_ends(WorldModel& one, WorldModel& other) {
  for (NodeId id = 0; id < one.setup().places(); ++id) {
    const Value a = one.world().inspect(id), b = other.world().inspect(id);
    if (a != b)
      return entangled(fmt::format("node {} ends as {} instead of {}", id, print(b), print(a)));
  }
  if (one.digest() == other.digest()) return {};
  return entangled("other messages, timers or files are left");
}

}  // namespace

// In which whatever happened before another step still does. Without random numbers the latest step
// that is possible comes first, which turns around as much as can be.
std::vector<Process> Orders::another_order(const WorldModel& model, Rng* random) {
  const std::uint32_t steps = model.depth();
  std::vector<std::uint32_t> causes(steps + 1, 0), ready;
  for (std::uint32_t step = 1; step <= steps; ++step) {
    for (std::uint32_t cause = 1; cause < step; ++cause)
      causes[step] += races_.before(cause, step) ? 1 : 0;
    if (causes[step] == 0) ready.push_back(step);
  }
  std::vector<Process> out;
  while (!ready.empty()) {
    const auto pick = random
                          ? ready.begin() + static_cast<std::ptrdiff_t>(random->below(ready.size()))
                          : std::max_element(ready.begin(), ready.end());
    const std::uint32_t step = *pick;
    ready.erase(pick);
    out.push_back(model.pends()[model.run()[step - 1]]);
    for (std::uint32_t later = step + 1; later <= steps; ++later)
      if (races_.before(step, later) && --causes[later] == 0) ready.push_back(later);
  }
  return out;
}

std::string Orders::play(WorldModel& model, const std::vector<Process>& order) {
  if (!other_)
    other_ = std::make_unique<WorldModel>(model.setup(), model.bounds(), true, model.start());
  WorldModel& other = *other_;
  other.rewind(0);
  const auto named = [&](const Process& p) -> std::string {
    for (std::uint32_t i = 0; i < model.pends().size(); ++i)
      if (model.pends()[i].id == p.id) return print_action(model.setup(), model.action(i));
    return "a step";
  };
  for (const Process& p : order) {
    const std::uint32_t found = find(other, p.id);
    if (found == kNever) return entangled(named(p) + " is not possible any more");
    if (other.execute(found, p.choices)) continue;
    return entangled(other.violation() ? named(p) + " violates " + other.violation()->property
                                       : named(p) + " cannot be played");
  }
  if (!other.finish(!any_enabled(model))) return entangled("the end is judged otherwise");
  return compare_ends(model, other);
}

std::string Orders::compare(WorldModel& model, std::uint64_t seed) {
  if (model.depth() > kStepsMost) return {};
  races_.forget(0);
  races_.follow(model);
  Rng random(seed);
  for (Rng* by : {static_cast<Rng*>(nullptr), &random}) {
    const std::vector<Process> order = another_order(model, by);
    const bool same = std::equal(
        order.begin(), order.end(), model.run().begin(), model.run().end(),
        [&](const Process& p, std::uint32_t pend) { return p.id == model.pends()[pend].id; });
    if (same) continue;
    ++compared_;
    std::string what = play(model, order);
    if (other_) other_->leave();
    if (what.empty()) continue;
    other_.reset();
    return what;
  }
  return {};
}

bool Orders::trust(WorldModel& model) {
  const bool at_first = ++runs_ <= kAtFirst && work_ <= kWorkAtFirst;
  if (!at_first && runs_ % kLater != 0) return true;
  work_ += std::uint64_t{model.depth()} * model.depth();
  std::string what = compare(model, runs_);
  if (what.empty()) return true;
  model.give_up(std::move(what));
  return false;
}

Entangled find_entangled(const Setup& setup, std::uint32_t trials, std::uint64_t seed) {
  constexpr std::uint32_t steps_most = 100;
  Entangled out;
  for (std::uint32_t trial = 0; trial < trials && out.what.empty(); ++trial) {
    Rng rng(keyed(seed, trial));
    Setup own = setup;
    own.node_seed = rng.next();
    WorldModel model(own, {}, true);
    model.answer_by([&](std::uint32_t n) { return static_cast<std::uint32_t>(rng.below(n)); });
    model.rewind(0);
    bool goes = true;
    while (goes && model.depth() < steps_most) {
      std::vector<std::uint32_t> able;
      for (std::uint32_t i = 0; i < model.pends().size(); ++i)
        if (model.pends()[i].enabled()) able.push_back(i);
      if (able.empty()) break;
      goes = model.execute(able[rng.below(able.size())]);
    }
    if (!goes || !model.finish(!any_enabled(model))) continue;
    Orders orders;
    out.what = orders.compare(model, rng.next());
    out.orders += orders.compared();
  }
  return out;
}

}  // namespace schism::check
