// The process survives the run: no signal, no exit, no hang, no exception that nobody catches.
#pragma once

#include "schism/oracle/oracle.hpp"

namespace schism {

class Survival final : public Oracle {
 public:
  static constexpr std::string_view kName = "crash";

  std::string_view name() const override { return kName; }
  EventMask wakes_on() const override { return mask_of(Happened::failed); }
  void begin(const World&) override { absolve(); }
  void look(const World& world, std::span<const Event> events) override {
    for (const Event& event : events) {
      const Failure* failure = event.as<Failure>();
      if (!failure || !event.flag) continue;
      const auto& death = world.setup().death;
      std::string role = death ? death->kind() : "threw";
      violate(world, failure->message, {{world.step(), std::move(role)}});
    }
  }
  std::optional<Hash128> digest() const override { return Hash128{}; }
  std::optional<Hash128> renamed_digest(const Renaming&) const override { return digest(); }
};

}  // namespace schism
