// A position is (trace, step), and everything reaches it by seek: the nearest checkpoint before it,
// then replay. Where nodes cannot be copied there are no checkpoints, only replay from the start.
//
//   Timeline line(trace);
//   const World& world = line.seek(412);       // after step 412; 0 is the start
//   line.seek(411);                            // one back
#pragma once

#include <map>
#include <memory>

#include "schism/trace/trace.hpp"

namespace schism {

class Timeline {
 public:
  // A checkpoint every so many steps; 0: none.
  explicit Timeline(const Trace& trace, std::uint32_t checkpoint_every = 64);
  ~Timeline();

  std::uint32_t length() const { return length_; }  // steps after the start
  // Steps beyond the end give the end. Its events() are those of the step it arrived by, empty
  // right after a jump to a checkpoint.
  const World& seek(std::uint32_t step);
  const World& here() const { return *world_; }  // where the last seek went
  std::uint32_t position() const { return position_; }
  std::uint64_t steps_replayed() const { return replayed_; }  // so far, by all seeks

 private:
  void restart();
  void go_on();

  RunConfig config_;
  RunPlan plan_;
  Replay replay_;
  std::unique_ptr<World> world_;
  std::map<std::uint32_t, std::unique_ptr<World::Snapshot>> checkpoints_;
  std::uint32_t every_, length_, position_ = 0;
  std::uint64_t replayed_ = 0;
};

}  // namespace schism
