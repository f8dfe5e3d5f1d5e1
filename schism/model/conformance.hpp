// The model as a judge: a run deviates where an event's action is not enabled in any of the model
// states that it may be in, or where a node then looks otherwise than the model says.
#pragma once

#include "schism/model/follower.hpp"
#include "schism/oracle/oracle.hpp"
#include "schism/oracle/testimony.hpp"

namespace schism::model {

class Conformance final : public Oracle, public Counting, public Witness {
 public:
  explicit Conformance(std::string spec) : follower_(std::move(spec), Use::judge) {}

  std::string_view name() const override { return "conformance"; }
  // Which events the mapping names is known when a run begins: all that it can name.
  EventMask wakes_on() const override { return kMappable; }
  // A model need not be as independent as the nodes are.
  std::optional<Observer> observes() const override { return Observer{wakes_on(), {}}; }

  void begin(const World& world) override;
  void look(const World& world, std::span<const Event> events) override;

  void count(NamedCounts& sums) const override { follower_.counts().add_to(sums, name()); }
  std::optional<Testimony> testimony(const World& world) override {
    return follower_.testimony(world);
  }
  // A run of which nothing was mapped says nothing.
  bool judged() const override { return !follower_.lost() && follower_.counts().mapped > 0; }

  std::optional<std::uint64_t> mark() override;
  void back(std::uint64_t mark) override;
  std::optional<Hash128> digest() const override;

 private:
  void judge(const World& world);

  mutable Follower follower_;
  std::vector<std::vector<StateId>> marks_;
};

}  // namespace schism::model
