// What is new in a run: a watcher that makes keys of what it sees. A hunt knows which keys earlier
// runs have shown (coverage/book.hpp), so that each coverage is a number on the progress line, a
// curve, and what an explorer learns from. A key is a hash; the same thing gives the same key in
// every run, process and program.
//
//   struct Lengths final : Coverage {
//     struct Options {};
//     explicit Lengths(const Options&) {}
//     EventMask wakes_on() const override { return 0; }
//     void start(const World&) override {}
//     void end(const World& w) override { see(scatter(w.step()).lo); }
//   };
//   static const Registration r = coverage<Lengths>("lengths", "runs by their number of steps");
#pragma once

#include "schism/base/registry.hpp"
#include "schism/coverage/key_set.hpp"
#include "schism/world/watcher.hpp"

namespace schism {

class Coverage : public Watcher {
 public:
  // Keys leave their lowest byte to those who keep them (coverage/book.hpp).
  static constexpr std::uint64_t kTagMask = 0xff;

  // Whether it can see anything in runs of that set-up; one sentence if not.
  virtual Status check(const Setup&) const { return {}; }
  // False: what it sees may depend on the process; then no explorer may learn from it.
  virtual bool exact() const { return true; }
  // What the run has shown so far, each once.
  std::span<const std::uint64_t> keys() const { return keys_.keys(); }

  std::string_view name() const final { return name_; }
  void called(std::string name) { name_ = std::move(name); }
  void begin(const World& world) final {
    keys_.clear();
    start(world);
  }
  // A fair tail is the same whoever plays before it: what is seen there would be nobody's merit.
  void look(const World& world, std::span<const Event> events) final {
    if (!world.calm()) take(world, events);
  }
  void finish(const World& world, const Ending&) final { end(world); }

 protected:
  virtual void start(const World& world) = 0;
  virtual void take(const World&, std::span<const Event>) {}
  virtual void end(const World&) {}
  void see(std::uint64_t key) { keys_.add(key & ~kTagMask); }

  KeySet keys_;

 private:
  std::string name_ = "coverage";
};

// For a coverage that can go back: what it knows at a mark is how many keys there were, and a copy
// of its own state.
template <class State>
class Marks {
 public:
  void clear() { kept_.clear(); }
  std::uint64_t mark(const KeySet& keys, const State& state) {
    kept_.push_back({keys.size(), state});
    return kept_.size() - 1;
  }
  // Marks that were made later are gone.
  void back(std::uint64_t mark, KeySet& keys, State& state) {
    keys.shrink(kept_[mark].keys);
    state = kept_[mark].state;
    kept_.resize(mark + 1);
  }

 private:
  struct Kept {
    std::size_t keys = 0;
    State state;
  };
  std::vector<Kept> kept_;
};

Table<Coverage>& coverages();

template <class C>
StrategyBuilder<Coverage, C> coverage(std::string name, std::string description) {
  return {coverages(), std::move(name), std::move(description)};
}

// One sentence if no explorer may learn from a coverage of that name.
Status may_teach(std::string_view coverage);

// Where it stands in the table: the same in all processes of a program.
std::uint64_t tag_of(std::string_view coverage);
inline std::uint64_t tag_of_key(std::uint64_t key) { return key & Coverage::kTagMask; }

// "states,colours:bits=22": each a known word, none twice.
Result<std::vector<Spec>> parse_coverages(std::string_view text);

// Steps of a node: each step has one of these events, or happens at no node.
inline constexpr EventMask kNodeSteps =
    mask_of(Happened::started) | mask_of(Happened::delivered) | mask_of(Happened::timer_fired) |
    mask_of(Happened::disk_completed) | mask_of(Happened::invoked) | mask_of(Happened::crashed) |
    mask_of(Happened::restarted);

}  // namespace schism
