// Decides inside a run: which action next. It also sees everything that becomes pending, may stamp
// it, and answers choices. One small file a strategy; see docs/how-to-add.md.
#pragma once

#include <memory>
#include <string>

#include "schism/base/random.hpp"
#include "schism/base/result.hpp"
#include "schism/words/plan.hpp"
#include "schism/world/world.hpp"

namespace schism {

class Watcher;

// Lies for the Byzantine nodes of a run. It is told of every message that became pending and says
// what to do about it before anything else happens, in the fair tail too.
class Liar {
 public:
  virtual ~Liar() = default;
  virtual void hear(World& world, std::uint32_t flight) = 0;
  virtual Action lie(World& world) = 0;                                  // Do::nothing: no more now
  virtual void delivers(World& /*world*/, const Action& /*deliver*/) {}  // before it is
};

class Scheduler : public Attendant {
 public:
  virtual TimeUse time_use() const = 0;
  // Which faults it makes by itself: a budget for any other would be a misunderstanding.
  virtual bool plays(Do fault) const = 0;
  // Contradictions between what it would do and what the run allows; one sentence.
  virtual Status check(const Setup&) const { return {}; }
  // What its runs are like where nobody says otherwise.
  struct Manner {
    std::uint32_t steps = 0;  // so many at most; 0: as many as the system says
    bool tail = true;         // a fair tail follows
    bool scripted = false;    // it makes free actions: the world must allow them
    bool twins = false;       // its liars are two
  };
  virtual Manner manner() const { return {}; }
  // What its explorer says: of all runs that follow, and of the next one alone. Before begin().
  virtual void heed(std::string_view /*policy*/) {}
  virtual void prepare(const RunPlan&) {}
  // What a step under it costs, compared with one under `random`.
  virtual double price() const { return 1; }
  // A new run. The world is reset after this, so that the scheduler sees what the nodes' start
  // makes pending.
  virtual void begin(const Setup& setup, std::uint64_t seed) = 0;
  // Do::nothing: it has no more to do.
  virtual Action next(World& world) = 0;
  // Who lies under it; null: nobody, or it does so by itself.
  virtual Liar* liar() { return nullptr; }
  // What its explorer wants to hear of the run that has ended.
  virtual std::string report() const { return {}; }
  // Who looks on at the run to know it; asked after prepare(). Null: nobody.
  virtual Watcher* watcher() { return nullptr; }
  // Events that the world must tell for it, beside those that oracles ask for.
  virtual EventMask listens_to() const { return 0; }
  // Who plays the fair tail of its run: the tail itself, or the tail behind filters that stay.
  virtual Scheduler& in_tail(Scheduler& tail) { return tail; }
  // Whether on_pending is of interest: a call for every message costs something.
  virtual bool sees_pending() const { return false; }

  void on_pending(World&, Do, std::uint32_t) override {}
  std::uint32_t on_choice(World&, std::uint32_t) override { return 0; }
};

}  // namespace schism
