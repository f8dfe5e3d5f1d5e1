#include "schism/byzantine/plot.hpp"

#include <algorithm>

#include "schism/system/liars.hpp"

namespace schism::byzantine {
namespace {

constexpr std::uint32_t kLongest = 120;  // messages in a phase, where nobody declares views

// Most plots begin with somebody whom only the liar hears, and end with nothing out of the usual.
Plot::Phase draw_phase(bool first, bool last, Rng& random) {
  Plot::Phase out;
  const double quiet = last && !first ? 0.7 : 0.1;
  if (!random.chance(quiet)) {
    out.unheard = random.chance(0.85);
    out.deaf = random.chance(first ? 0.15 : 0.5);
  }
  out.twice = random.chance(0.3);
  const double which = random.unit();
  if (first) out.others = which < 0.6 ? Side::dark : which < 0.75 ? Side::forgetful : Side::usual;
  else if (last) out.others = which < 0.6 ? Side::truth : Side::usual;
  else out.others = which < 0.5 ? Side::forgetful : which < 0.7 ? Side::dark : Side::truth;
  return out;
}

}  // namespace

void Plot::begin(const Setup& setup, std::uint64_t seed) {
  Rng random(seed);
  seed_ = random.next();
  system_ = setup.system;
  said_ = 0;
  views_.clear();
  phases_.clear();
  until_.clear();
  static constexpr std::size_t kCounts[] = {1, 2, 2, 3, 3, 3};
  const std::size_t count = kCounts[random.below(std::size(kCounts))];
  for (std::size_t i = 0; i < count; ++i) {
    phases_.push_back(draw_phase(i == 0, i + 1 == count, random));
    const auto length = static_cast<std::uint32_t>(5 + random.below(kLongest));
    until_.push_back(length + (until_.empty() ? 0 : until_.back()));
  }
  // A view that begins is told of in the next phase, so that a plot of one phase has two.
  if (count == 1 && system_->order_of) {
    phases_.push_back(phases_[0]);
    phases_[1].others = random.chance(0.7) ? Side::forgetful : Side::truth;
  }
  choose_victims(setup, random);
}

void Plot::choose_victims(const Setup& setup, Rng& random) {
  std::vector<NodeId> may;
  const std::vector<NodeId> liars = liars_of(setup);
  for (NodeId id = 0; id < setup.nodes; ++id)
    if (std::find(liars.begin(), liars.end(), id) == liars.end() && may_lie_at(setup, id))
      may.push_back(id);
  victims_.assign(static_cast<std::size_t>(setup.places()), false);
  const std::size_t most = std::max<std::size_t>(1, liars.size());
  const std::size_t wanted = std::min<std::size_t>(may.size(), 1 + random.below(most));
  for (std::size_t i = 0; i < wanted; ++i) {
    std::swap(may[i], may[i + random.below(may.size() - i)]);
    victims_[static_cast<std::size_t>(may[i])] = true;
  }
}

const Plot::Phase& Plot::see(const World&, const Flight& flight) {
  ++said_;
  std::size_t at = 0;
  if (system_->order_of) {
    const auto key = system_->order_of(*flight.body->type, flight.body->content());
    if (key) {
      auto place = std::lower_bound(views_.begin(), views_.end(), key->view);
      if (place == views_.end() || *place != key->view) place = views_.insert(place, key->view);
      at = static_cast<std::size_t>(place - views_.begin());
    } else {
      at = views_.empty() ? 0 : views_.size() - 1;
    }
  } else {
    while (at + 1 < phases_.size() && said_ > until_[at]) ++at;
  }
  return phases_[std::min(at, phases_.size() - 1)];
}

bool Plot::keeps(const World& world, const Flight& flight, const Phase& phase) const {
  const NodeId from = flight.name.from(), to = flight.name.to();
  if (world.calm() || world.liar(from) || world.liar(to)) return false;
  // Who is no victim and may not lie (a client) is heard by everybody.
  const bool own = is_victim(from) != is_victim(to) && may_lie_at(world.setup(), from) &&
                   may_lie_at(world.setup(), to);
  return own && ((phase.unheard && is_victim(from)) || (phase.deaf && is_victim(to)));
}

}  // namespace schism::byzantine
