// The protocol's own assertions: a call of Context::fail is a violation.
#pragma once

#include "schism/oracle/oracle.hpp"

namespace schism {

class Assertion final : public Oracle {
 public:
  std::string_view name() const override { return "assertion"; }
  EventMask wakes_on() const override { return mask_of(Happened::failed); }
  void begin(const World&) override { absolve(); }
  void look(const World& world, std::span<const Event> events) override {
    for (const Event& event : events)
      if (const Failure* failure = event.as<Failure>(); failure && !event.flag)
        violate(world, fmt::format("node {}: {}", event.node, failure->message),
                {{world.step(), "failed"}});
  }
  std::optional<Hash128> digest() const override { return Hash128{}; }
  std::optional<Hash128> renamed_digest(const Renaming&) const override { return digest(); }
};

}  // namespace schism
