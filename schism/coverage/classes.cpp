// `classes`: runs that differ only in the order of independent steps are one (Mazurkiewicz). One
// key a run, from the causal hash that the world keeps anyway.
#include "schism/coverage/coverage.hpp"

namespace schism {
namespace {

class Classes final : public Coverage {
 public:
  struct Options {};
  explicit Classes(const Options&) {}

  EventMask wakes_on() const override { return 0; }
  // Nothing is kept before the end.
  std::optional<std::uint64_t> mark() override { return 0; }
  void back(std::uint64_t) override { keys_.clear(); }

 private:
  void start(const World&) override {}
  void end(const World& world) override {
    const Hash128 run = world.causal_hash();
    see(mix64(run.lo ^ rotate_left(run.hi, 32)));
  }
};

const Registration registered =
    coverage<Classes>("classes", "whole runs, up to the order of independent steps");

}  // namespace
}  // namespace schism
