// A TLA+ model with a mapping, ready to follow runs of one configuration of a system. Events become
// steps, states are numbers, and what a step leads to is remembered: following a run that went this
// way before costs two looks into tables an event.
//
//   auto model = Model::load("models/raft_guide.tla", setup, Use::guide);
//   StateId s = (*model)->initial().front();
//   if (auto step = (*model)->step_of(world, event)) s = (*model)->follow(s, *step).states.front();
#pragma once

#include <memory>
#include <optional>

#include "schism/model/field_reader.hpp"
#include "schism/model/mapping.hpp"
#include "schism/oracle/testimony.hpp"
#include "schism/schema/where.hpp"
#include "schism/tla/steps.hpp"
#include "schism/world/world.hpp"

namespace schism::model {

using tla::StateId;
using StepId = std::uint32_t;

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
  // What follows looks at its own node alone: the same again changes nothing.
  bool local() const { return mapping_.local; }
  Followed follow(StateId from, StepId step);
  // The abstract state: what coverage counts.
  std::uint64_t key_of(StateId s);
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
    StateId stuck = 0;  // judge: the last state in which the action that failed was tried
    bool ambiguous = false, unknown = false;
  };
  class Builder;

  Model() = default;
  const Rule* rule_for(const Event& event) const;
  std::optional<StepId> make_step(const Rule& rule, const World& world, const Event& event);
  static const void* place_of(const Parameter& p, const World& world, const Event& event,
                              const FieldReader*& reader);
  std::uint64_t abstract(const tla::State& state);
  Entry compute(StateId from, const Step& step);
  Walk walk(StateId from, const Step& step);
  std::vector<tla::Value> observed_args(const World& world, NodeId node);
  bool is_settled(const Rule& rule, const Step& step, const tla::State& state);
  bool advance(const tla::Action& action, const Step& step, Walk& walk);
  Walk pass(StateId from, const Step& step);
  bool take(const Rule& rule, std::uint32_t action, const Step& step, Walk& walk);
  bool repeat(const Rule& rule, std::uint32_t action, const Step& step, Walk& walk);
  std::optional<std::vector<StateId>> apply(const tla::Action& action, const Step& step,
                                            StateId from);

  Use use_ = Use::guide;
  std::string spec_file_;
  Mapping mapping_;
  std::unique_ptr<tla::Spec> spec_;
  std::unique_ptr<tla::Steps> states_;
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
  tla::State here_, there_;          // of a guide on its way
  StateId only_ = 0;                 // the one that was asked for last
  std::vector<std::uint64_t> keys_;  // of states; 0: not yet known
};

// The mapping that belongs to a specification: the .toml file of the same name.
std::string mapping_beside(const std::string& spec);

}  // namespace schism::model
