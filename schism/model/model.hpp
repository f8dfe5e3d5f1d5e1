// A TLA+ model with a mapping, ready to follow runs of one configuration of a system.
//
// To guide, what an event does is remembered by what it looks at in a state: nearly every state is
// new, what a server's part of it is seldom.
//
//   auto model = Model::load("models/raft_guide.tla", setup, Use::guide);
//   tla::State now = (*model)->state((*model)->initial().front());
//   std::uint64_t token = (*model)->new_token();
//   if (auto e = (*model)->event_of(world, event)) (*model)->guide(now, token, *e);
//
// A judge asks apart for what an event is (step_of) and for what follows it (step_after), and
// follows from all states that a run may be in. States are numbers then.
#pragma once

#include <memory>
#include <optional>

#include "schism/model/field_reader.hpp"
#include "schism/model/mapping.hpp"
#include "schism/oracle/testimony.hpp"
#include "schism/schema/where.hpp"
#include "schism/tla/recall.hpp"
#include "schism/tla/steps.hpp"
#include "schism/world/world.hpp"

namespace schism::model {

using tla::StateId;
using StepId = std::uint32_t;
using EventId = std::uint32_t;  // what an event is, and what follows it

// guide: an action that is not enabled is passed over, of several successors the first is taken.
// judge: then there is no next state, and all of them are kept.
enum class Use : std::uint8_t { guide, judge };

// What a mapping can name: who follows a run listens to these and to nothing else.
inline constexpr EventMask kMappable =
    mask_of(Happened::started) | mask_of(Happened::sent) | mask_of(Happened::delivered) |
    mask_of(Happened::timer_fired) | mask_of(Happened::disk_completed) |
    mask_of(Happened::invoked) | mask_of(Happened::crashed) | mask_of(Happened::restarted);

inline constexpr std::size_t kStatesMax = 64;  // that are kept side by side

// Steps of a node that [after] follows.
inline constexpr EventMask kStepsOfNodes =
    mask_of(Happened::delivered) | mask_of(Happened::timer_fired) |
    mask_of(Happened::disk_completed) | mask_of(Happened::invoked) | mask_of(Happened::restarted);

struct Followed {
  std::span<const StateId> states;  // until the next call
  std::uint32_t failed = 0;         // judge: which action had no successor, from 1; guide: how many
  bool ambiguous = false;
  bool unknown = false;  // judge: there are more states than are kept, or one could not be computed
};

// What an event was to a guide. Disabled: an action of it was not possible.
struct Guided {
  bool moved = false, disabled = false, ambiguous = false, unknown = false;
};

// A step that the model does not have.
struct Deviation {
  StateId from = 0;
  StepId step = 0;
  std::uint32_t failed = 0;  // which of its actions, from 1
  NodeId node = 0;
};

class Model {
 public:
  static Result<std::unique_ptr<Model>> load(const std::string& spec, const Setup& setup, Use use);
  ~Model();

  EventMask wakes_on() const { return wakes_on_; }
  const std::vector<StateId>& initial() const { return initial_; }
  // Nothing: the event means nothing here.
  std::optional<StepId> step_of(const World& world, const Event& event);
  // What follows every step of a node; nothing: this is none, or nothing does.
  std::optional<StepId> step_after(const World& world, const Event& event);
  Followed follow(StateId from, StepId step);
  // For guidance, both at once.
  std::optional<EventId> event_of(const World& world, const Event& event);
  // `token` names the state among all that were guided: what did nothing there does nothing again.
  Guided guide(tla::State& now, std::uint64_t& token, EventId event);
  std::uint64_t new_token() { return ++tokens_; }
  tla::State state(StateId s) const { return states_->state(s); }
  StateId number_of(const tla::State& state) { return states_->intern(state); }
  // The abstract state: what coverage counts.
  std::uint64_t key_of(const tla::State& state);
  std::uint64_t key_of(StateId s) { return key_of(state(s)); }
  std::uint64_t fingerprint(StateId s);

  // For people.
  std::string print(StateId s);
  std::string print_step(StepId step) const;
  // Why it is not possible there: the guard that is false, or what differs.
  std::string why_not(const Deviation& deviation);
  // The model's variables there, beside what is observed of the node.
  Testimony testimony(const Deviation& deviation, const World& world);

  std::size_t bytes() const;

 private:
  enum class From : std::uint8_t { node, peer, content, self };
  struct Parameter {
    std::string name;
    From from = From::node;
    std::vector<std::pair<const TypeInfo*, FieldReader>> readers;  // by the type of what is read
  };
  struct Rule {
    Happened kind{};
    const TypeInfo* type = nullptr;  // of the content; null: any
    int detail = -1;                 // of a timer
    std::optional<Where> when;
    std::vector<Parameter> parameters;
    std::vector<const tla::Action*> actions;
    const tla::Action* unless = nullptr;  // where it is possible all but the last `firm` do nothing
    std::uint32_t firm = 0;
    std::vector<bool> repeats;  // until it changes nothing
    std::vector<std::string> texts;
  };
  struct Step {
    std::uint32_t rule = 0;
    tla::Recall::Question questions = 0;  // one for each action, and one for `unless`
    std::vector<tla::Value> args;
  };
  struct Entry {
    std::uint32_t begin = 0;  // of its results; or the only result itself
    std::uint8_t count = 0, failed = 0;
    bool ambiguous = false, unknown = false;
  };
  // A step on its way through its actions.
  struct Walk {
    std::vector<StateId> now;
    std::uint32_t failed = 0;
    StateId stuck = 0;  // the last state in which the action that failed was tried
    bool ambiguous = false, unknown = false;
  };
  // What an event is to a guide.
  struct Meaning {
    std::optional<StepId> own, after;
    tla::Recall::Way way;
    std::uint64_t quiet = 0;  // the state in which it last did nothing at all
  };
  struct Recent {
    Hash128 hash;
    EventId event = UINT32_MAX;
  };
  class Builder;

  Model() = default;
  const Rule* rule_for(const Event& event) const;
  bool add_to(Gist& gist, const Rule& rule, const World& world, const Event& event) const;
  std::optional<StepId> make_step(const Rule& rule, const World& world, const Event& event);
  static const void* place_of(const Parameter& p, const World& world, const Event& event,
                              const FieldReader*& reader);
  Entry compute(StateId from, const Step& step);
  Walk walk(StateId from, const Step& step);
  std::vector<tla::Value> observed_args(const World& world, NodeId node);
  bool is_settled(const Rule& rule, const Step& step, const tla::State& state,
                  tla::Trail* trail = nullptr);
  bool advance(const Rule& rule, std::uint32_t action, const Step& step, std::uint8_t& flags);
  void pass(const Step& step, std::uint8_t& flags);
  std::uint8_t find_way(tla::State& now, Meaning& meaning);
  bool take(const Rule& rule, std::uint32_t action, const Step& step, Walk& walk);
  bool repeat(const Rule& rule, std::uint32_t action, const Step& step, Walk& walk);
  std::optional<std::vector<StateId>> apply(const tla::Action& action, const Step& step,
                                            StateId from);

  Use use_ = Use::guide;
  std::string spec_file_;
  Mapping mapping_;
  std::unique_ptr<tla::Spec> spec_;
  std::unique_ptr<tla::Steps> states_;
  std::unique_ptr<tla::Recall> recall_;
  // The view's parts, where it is a tuple; else the whole of it. A function [i \in S |-> ...] is
  // remembered by its elements.
  struct ViewPart {
    tla::Recall::Question question = 0;  // and those that follow
    tla::Code code;
    tla::Value domain;  // of such a function; its variable's slot
    std::uint32_t slot = 0;
    tla::Looked looked = tla::kLookedAtAll;  // when it was last asked for
  };
  tla::Value value_of(ViewPart& part, const tla::State& state);
  std::vector<ViewPart> view_;
  bool view_is_tuple_ = false;
  std::vector<Rule> rules_;
  std::optional<std::uint32_t> after_;  // the rule of [after]
  std::vector<Parameter> observed_;     // what the observations of a node look at
  std::vector<std::vector<std::uint32_t>> by_kind_;
  EventMask wakes_on_ = 0;
  std::vector<StateId> initial_;
  absl::flat_hash_map<Hash128, StepId> known_steps_;
  std::vector<Step> steps_;
  absl::flat_hash_map<std::uint64_t, Entry> memo_;
  std::vector<StateId> results_;
  absl::flat_hash_map<Hash128, EventId> known_events_;
  static constexpr std::size_t kRecent = 4096;
  std::vector<Recent> recent_ = std::vector<Recent>(kRecent);  // of them, by a part of the hash
  std::vector<Meaning> meanings_;
  tla::Trail trail_;
  std::uint64_t tokens_ = 0;
  tla::State here_, there_;                  // of a guide on its way
  std::vector<tla::Value> seen_, elements_;  // the parts of its view
  tla::State viewed_;                        // whose parts they are
  std::uint64_t key_ = 0;
  StateId only_ = 0;  // the one that was asked for last
};

// The mapping that belongs to a specification: the .toml file of the same name.
std::string mapping_beside(const std::string& spec);

}  // namespace schism::model
