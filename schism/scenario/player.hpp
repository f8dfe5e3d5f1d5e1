// Filters in front of a scheduler, which is just another scheduler. After every step its events are
// judged in their order: the state machine steps, then the first filter that matches acts. What no
// filter takes becomes pending for the scheduler behind, as if nobody had been there; what one
// holds back that scheduler never hears of until it is released. Actions go before its own, each
// filter's as a macro step with the filter's name, and are free of budgets.
#pragma once

#include <deque>

#include "schism/byzantine/ways.hpp"
#include "schism/scenario/cues.hpp"
#include "schism/schedule/around.hpp"

namespace schism::scenario {

// What filters and states did in all runs so far, for warnings.
struct Tally {
  std::uint64_t runs = 0;
  std::vector<std::uint64_t> matches;           // a filter each
  std::vector<std::uint64_t> fateless;          // of these: a pending thing that was given no fate
  std::vector<std::uint64_t> powerless;         // a fate for something whose fate was past
  std::vector<std::uint64_t> failed;            // changes and actions that were not possible
  std::vector<std::uint64_t> visited;           // a state each of the machine that filters ask
  std::vector<std::uint64_t> stored, released;  // a set each
  std::set<std::string> counted;                // counters that moved
  std::set<int> unset;                          // variables that were read before they were set
  std::set<int> overwritten;                    // recorded again with another value
  std::vector<std::uint64_t> cues;              // a step of the script each: how often it was done
  std::uint64_t unmatched = 0;

  void fit(const Program& program);
};

class Player final : public Around {
 public:
  Player(std::shared_ptr<const Program> program, std::unique_ptr<Scheduler> behind);

  EventMask listens_to() const override { return program_->listens | Around::listens_to(); }
  bool sees_pending() const override { return true; }
  Scheduler& in_tail(Scheduler& tail) override;
  void begin(const Setup& setup, std::uint64_t seed) override;
  Action next(World& world) override;
  void on_pending(World& world, Do kind, std::uint32_t slot) override;
  std::uint32_t on_choice(World& world, std::uint32_t n) override;

  const Tally& tally() const { return tally_; }
  // Of the run that has ended: the line at which its script stands; none: it came to its end.
  std::optional<std::size_t> stands_at() const;

 private:
  struct Fresh {  // has just become pending
    Do kind;
    std::uint32_t slot, generation;
    std::int64_t after;  // which event of its step
    std::uint64_t name;
  };
  struct Order {
    Action action;
    bool serves = false;  // something pending, of that generation
    std::uint32_t generation = 0;
  };
  struct Late {
    Kept what;
    std::uint64_t until;
  };
  struct Own {  // a client of the scenario's
    int client = -1, wanted = 0;
    NodeId target = 0;
    Kept waiting;
    bool has = false;
  };
  enum class Fate : std::uint8_t { none, taken, passed };

  bool interests(Do kind) const;  // some condition may be about it
  void ask(World& world);
  void look(World& world);
  void judge(World& world, const Moment& m);
  bool own_request(World& world, const Fresh& fresh);
  void act(World& world, const Deed& deed, std::size_t filter, const Moment& m, Fate& fate,
           bool& go_on);
  void act_on_it(World& world, const Deed& deed, std::size_t filter, const Moment& m, Fate& fate);
  void act_on_nodes(World& world, const Deed& deed, std::size_t filter, const Moment& m);
  void change(World& world, const Deed& deed, std::size_t filter, const Moment& m);
  bool lie(World& world, const Deed& deed, std::size_t filter, const Moment& m);
  void forge(World& world, const Deed& deed, std::size_t filter, const Moment& m);
  void submit(World& world, Own& own);
  void empty_set(World& world, const Deed& deed);
  void hand_over(World& world, const Kept& what);
  void serve(const World& world, const Kept& what);
  void wake(World& world, bool next_is_over);
  std::optional<Action> pop(World& world);
  bool follow_script(World& world);
  std::uint32_t label(World& world, std::uint32_t& known, const std::string& text);
  void serve_cue(World& world, const Cues::Found& found);
  bool alive(const World& world, const Kept& k) const;
  Kept kept(const World& world, const Moment& m) const;
  std::optional<NodeId> node(const BoundTerm& term, const Moment& m) const;
  void order(const Action& action) { script_.push_back({action, false, 0}); }

  std::shared_ptr<const Program> program_;
  Scheduler* server_;  // the one behind, or the fair tail
  bool server_sees_ = false;
  State state_;
  Tally tally_;
  Rng rng_;
  byzantine::LiarMemory memory_;
  std::uint64_t lying_seed_ = 0;
  std::int64_t seen_ = -1;  // the step that was looked at last
  std::uint64_t served_ = 0;
  bool mine_ = false;  // the last action was the scenario's: what it made is not judged
  std::vector<Fresh> fresh_;
  std::deque<Order> script_;
  std::vector<Late> late_;
  std::vector<Own> own_;
  // A filter, a step of the script each: its name among the run's contents.
  std::vector<std::uint32_t> labels_, cue_labels_;
  Cues cues_;
  std::deque<int> choices_;  // that nodes make in the step that is played
};

}  // namespace schism::scenario
