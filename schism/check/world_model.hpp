// A simulated world as a Model: its pending events as processes, with who enabled and who killed
// each. Runs are untimed. A run is taken back by playing its beginning again, which is cheaper here
// than keeping copies.
//
// Budgets are static and local: which nodes may crash and how often, losses and duplicates a link.
// world_model.cpp: the run, and what becomes pending; world_effects.cpp: what a step changes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "schism/base/result.hpp"
#include "schism/check/model.hpp"
#include "schism/check/rounds.hpp"
#include "schism/run/jury.hpp"
#include "schism/world/world.hpp"

namespace schism::check {

struct Bounds {
  std::vector<NodeId> may_crash;  // each of them once, or once a restart
  // How often each of these crashes and comes back in all: after an odd number it is down in the
  // end. Empty: as often as `restarts` allow, and then once more for good.
  std::vector<std::uint32_t> turns;
  std::uint32_t crashes = 0;   // in all: an object that all crashes share; 0: no such budget
  std::uint32_t restarts = 0;  // a node
  std::uint32_t drops = 0, duplicates = 0;  // a link
  std::uint32_t events = 0;                 // a node may have; 0: no bound
  // False, to show that it is needed: what waits for a restart is one event, not one for each life.
  bool incarnations = true;

  std::uint32_t turns_of(NodeId node) const;  // 0: it never crashes
};

inline bool is_loss(Do kind) { return kind == Do::drop || kind == Do::duplicate; }
inline std::uint64_t node_bit(NodeId node) { return std::uint64_t{1} << node; }

class WorldModel final : public Model, private Attendant {
 public:
  // `reducing`: what is lost at a node that is down stays known, and crashes do not depend on
  // sends. Else the world loses it for good, and its digest forgets it.
  // `start`: what nodes answer themselves when they start, as far as it is settled.
  WorldModel(const Setup& setup, const Bounds& bounds, bool reducing, const Choices& start = {});
  ~WorldModel() override;

  // What this setup asks for and a search by processes cannot give; one sentence.
  static Status check(const Setup& setup, const Bounds& bounds);

  void rewind(std::uint32_t depth) override;
  bool finish(bool whole) override;
  // The run is over, though nobody goes on from here: its nodes end, too.
  void leave();
  std::uint32_t default_choice() override;

  const Setup& setup() const { return setup_; }
  const Bounds& bounds() const { return bounds_; }
  World& world() { return *world_; }
  const Jury& jury() const { return jury_; }
  const std::optional<Violation>& violation() const { return jury_.violation(); }
  bool fair() const { return fair_; }        // how the last finished run ended
  bool bounded() const { return bounded_; }  // some run met the bound of a node
  bool waits() const;  // some node's handlers wait inside, with what no digest covers
  // Something was drawn by the node seed and is the same in all runs.
  bool drew() const { return drew_; }
  // What nodes answered when they started, and of how many they chose.
  const Choices& start() const { return start_; }
  const std::vector<std::uint8_t>& start_asked() const { return start_asked_; }
  const std::string& problem() const { return problem_; }  // why it cannot go on, if it cannot
  std::uint64_t met() const { return met_; }  // oracles that some run showed, a bit each
  std::uint64_t judged() const { return judged_; }
  std::uint64_t replayed() const { return replayed_; }  // steps played again so far
  Action action(std::uint32_t pend) const;
  // The contents of what liars say, as their actions number them.
  const std::vector<Value>& lies() const { return lies_; }
  // Whether executing it is this action, whatever a crash's disk keeps; and that, as an answer.
  bool does(std::uint32_t pend, const Action& act) const;
  Choices outcome_of(const Action& act) const;
  // What a pend does, whatever it is called in this run: alike pends of equal states have the same
  // effect. The model stands where its run ends.
  using Likeness = std::tuple<int, NodeId, std::uint64_t, Hash128>;
  Likeness likeness(std::uint32_t pend) const;
  // The same for who asks what waits to happen; nobody waits for a fault.
  Happening happening(std::uint32_t pend);
  // The nodes that took back a timer or disk operation in the last step, a bit each.
  std::uint64_t renewed() const;
  // Everything that the future and its verdict depend on; nothing: an oracle cannot say.
  std::optional<Hash128> digest();
  // The same with nodes called otherwise; another hash, also where they keep their names.
  std::optional<Hash128> renamed_digest(const Renaming& renaming);
  void keep_digest() { world_->keep_digest(true); }
  bool clock_read() const { return world_->clock_reads() > 0; }
  // Whether digests tell states apart by what the nodes' clocks show. Nothing depends on it, and
  // not on when timers are due, where no node reads its clock.
  void digest_clocks(bool on) {
    clocks_ = on;
    world_->digest_times(on ? DigestTimes::clocks : DigestTimes::nothing);
  }
  bool digests_clocks() const { return clocks_; }
  void give_up(std::string why) { problem_ = std::move(why); }
  // Only counts, whatever happens in the runs.
  void judge_nothing() { jury_.dismiss(), world_->listen(0); }

 private:
  enum Killer : std::uint8_t { at_node, at_message, at_link, at_budget };
  struct Message {  // or a client's request
    Hash128 id;
    Name name;
    Do kind = Do::deliver;
    std::uint32_t slot = 0, born = 0;
    std::uint32_t previous = kNone;  // on its link, where links keep order
    std::uint32_t fate = 0;          // the step that decided it
    NodeId to = 0;
  };
  struct More {  // about a pend, besides what the search sees
    Do kind{};
    NodeId node = 0;
    std::uint32_t message = kNone;  // or the slot of a timer or disk operation
    std::uint32_t generation = 0;
    std::uint32_t life = 0;  // of the node: how often it had restarted
    std::uint32_t born = 0;  // in which step this run came to know it
  };
  struct Life {
    std::uint32_t begun = 0, ended = 0;  // steps; ended 0: not yet
  };
  struct NodeLog {
    std::vector<Life> lives;
    std::uint32_t events = 0, bound = 0;  // how many; the step that was the last allowed
  };
  struct LinkLog {
    std::uint32_t last = kNone;                     // message
    std::uint32_t drops = 0, duplicates = 0;        // so far
    std::uint32_t no_drops = 0, no_duplicates = 0;  // the step that took the last unit
  };

  bool play(std::uint32_t pend) override;
  void on_pending(World& world, Do kind, std::uint32_t slot) override;
  std::uint32_t on_choice(World& world, std::uint32_t n) override;
  std::uint32_t choose(std::uint32_t n);
  bool comes_back(NodeId node) const;
  Action with_outcome(const Action& crash);

  // What a liar may send at any time, as often as it likes. It is made up and delivered in one
  // step; the liar itself does nothing, and what it is sent nobody looks at.
  struct Lie {
    NodeId from = 0, to = 0;
    int type = 0;
    std::uint32_t content = 0;
  };
  void know_lies();
  void add_lie(std::uint32_t lie);
  bool tell(const Action& lie);

  void begin();
  void reset(bool sees_pending);
  void settle();
  void play_again();
  bool stopped_by_bound() const;
  LinkLog& link_of(Name name);
  std::uint64_t observed(Do kind) const;
  bool takes(NodeId node, Name request) const;
  bool arrives_when_down(const Message& message) const;
  bool has_lives(const Message& message) const;
  bool has_fates(const Message& message) const;
  std::uint64_t link_number(Name name) const;
  Pend& add(More more, const Hash128& id, std::uint64_t bits);
  void add_message(std::uint32_t slot);
  void add_request(std::uint32_t slot);
  void add_arrivals(std::uint32_t message);
  void add_arrival(std::uint32_t message, NodeId node, std::uint32_t life);
  void add_losses(std::uint32_t message);
  void add_local(Do kind, std::uint32_t slot);
  void add_crash(NodeId node, std::uint32_t life);
  void kill(std::uint32_t pend, Killer by);
  template <class Which>
  void kill_where(Killer by, Which which);
  void uncount(const More& done);
  void after(std::uint32_t pend);
  void after_fate(const More& done);
  void after_crash(NodeId node);
  void after_restart(NodeId node);
  void after_node(NodeId node);
  void open_next(std::uint32_t message);
  void reopen();

  Setup setup_;
  Bounds bounds_;
  std::unique_ptr<World> world_;
  Jury jury_;
  std::vector<Observer> observers_;
  std::vector<More> more_;
  std::vector<Message> messages_;
  std::vector<NodeLog> nodes_;
  std::vector<LinkLog> links_;
  std::vector<Action> actions_;      // of the run
  std::vector<std::uint32_t> ends_;  // of each step: how many actions there are after it
  std::vector<Lie> liar_moves_;
  std::vector<Value> lies_;
  std::uint32_t told_ = kNone;  // the slot of a lie on its way
  std::vector<std::uint8_t> start_asked_;
  Choices start_, answers_;  // of the nodes' start, of the step being played
  std::uint32_t step_ = 0;   // being played
  std::uint32_t crashes_ = 0, no_crashes_ = 0;
  bool has_locals_ = false;                // timers or disk operations in this system's runs
  bool begun_ = false, in_place_ = false;  // the world stands where the run ends
  bool replaying_ = false, drew_ = false, clocks_ = false;
  bool fair_ = false, bounded_ = false;
  std::uint64_t met_ = 0, judged_ = 0, replayed_ = 0;
  std::uint32_t replayed_step_ = 0, replayed_choice_ = 0;
  std::string problem_;
};

}  // namespace schism::check
