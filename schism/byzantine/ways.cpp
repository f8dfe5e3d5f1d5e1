#include "schism/byzantine/ways.hpp"

#include "schism/byzantine/lies.hpp"
#include "schism/system/system.hpp"

namespace schism::byzantine {
namespace {

constexpr std::size_t kKept = 64;
constexpr std::uint32_t kHelp = 40;  // messages at most
constexpr std::int64_t kShifts[] = {1, 2, -1};
constexpr std::int64_t kBoasts[] = {4, 100, 1'000'000};

// Something else that could have been said in its place.
std::optional<Value> another(const World& world, const Flight& flight, const LiarMemory& memory,
                             std::uint64_t seed) {
  const auto& heard = memory.heard();
  if (seed % 3 != 0 && !heard.empty()) {
    const Hash128 own = flight.body->type->hash(flight.body->content());
    std::optional<Blend> blend;  // taking a content apart is dear
    for (std::size_t i = 0; i < heard.size(); ++i) {
      const LiarMemory::Kept& old = heard[(seed / 3 + i) % heard.size()];
      if (old.type != flight.name.type() || old.hash == own) continue;
      if (!blend) blend.emplace(world, flight);
      if (auto content = blend->with(*old.content, seed)) return content;
    }
  }
  return lie_about(world, flight, Scope::near, seed);
}

}  // namespace

void LiarMemory::begin(const Setup& setup, std::uint64_t seed) {
  random_ = Rng(seed);
  heard_.clear();
  half_.assign(static_cast<std::size_t>(setup.places()), false);
  for (std::size_t i = 0; i < half_.size(); ++i) half_[i] = random_.chance(0.5);
  sent_.assign(half_.size(), 0);
  help_ = 1 + static_cast<std::uint32_t>(random_.below(kHelp));
}

void LiarMemory::keep(const World& world, const Flight& flight) {
  if (!world.liar(flight.name.to()) && !world.liar(flight.name.from())) return;
  if (world.liar(flight.name.from())) ++sent_[static_cast<std::size_t>(flight.name.from())];
  const TypeInfo& type = *flight.body->type;
  Kept kept{flight.name.type(), type.hash(flight.body->content()), nullptr, flight.name.from()};
  for (const Kept& old : heard_)
    if (old.type == kept.type && old.hash == kept.hash) kept.content = old.content;
  if (!kept.content)
    kept.content = std::make_shared<const Value>(type.to_value(flight.body->content()));
  if (heard_.size() < kKept) heard_.push_back(std::move(kept));
  else heard_[random_.below(kKept)] = std::move(kept);
}

std::optional<Action> lie_by(World& world, std::uint32_t slot, Way way, const LiarMemory& memory,
                             std::uint64_t seed) {
  const Flight& flight = world.pending().flights[slot];
  const Name name = flight.name;
  const bool other_half = memory.other_half(name.to());
  std::optional<Value> content;
  switch (way) {
    case Way::truth: return std::nullopt;
    case Way::silent: return omission(world, slot);
    case Way::choosy:
      if (!other_half) return std::nullopt;
      return omission(world, slot);
    case Way::two_faced:
      if (other_half) content = another(world, flight, memory, seed);
      break;
    case Way::double_voter: {
      auto second = seed % 2 == 0
                        ? another(world, flight, memory, seed)
                        : std::optional(flight.body->type->to_value(flight.body->content()));
      if (!second) return std::nullopt;
      return invention(world, name.from(), name.to(), name.type(), *std::move(second));
    }
    case Way::future: content = shifted(world, flight, seed >> 8, kShifts[seed % 3]); break;
    case Way::forgetful: content = shortened(world, flight, seed); break;
    case Way::boaster: content = shifted(world, flight, seed >> 8, kBoasts[seed % 3]); break;
    case Way::archivist: {
      if (memory.heard().empty()) return std::nullopt;
      const LiarMemory::Kept& old = memory.heard()[seed % memory.heard().size()];
      return invention(world, name.from(), name.to(), old.type, *old.content);
    }
    case Way::declared: content = lie_about(world, flight, Scope::near, seed); break;
    case Way::nil_voter: content = nothing_voted(world, flight); break;
    case Way::helper:
      if (!memory.gone(name.from())) return std::nullopt;
      return omission(world, slot);
    case Way::amnesiac: return node_action(Do::restart, name.from());
    case Way::old_disk: {
      const std::uint32_t syncs = world.syncs(name.from());
      if (syncs < 2) return std::nullopt;
      return node_action(Do::restart, name.from(),
                         1 + static_cast<std::uint32_t>(seed % (syncs - 1)));
    }
  }
  if (!content) return std::nullopt;
  return mutation(world, slot, *std::move(content));
}

}  // namespace schism::byzantine
