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
#include "schism/schema/where.hpp"
#include "schism/tla/steps.hpp"
#include "schism/world/world.hpp"

namespace schism::model {

using tla::StateId;
using StepId = std::uint32_t;

// guide: an action that is not enabled is passed over, of several successors the first is taken.
// judge: then there is no next state, and all of them are kept.
enum class Use : std::uint8_t { guide, judge };

inline constexpr std::size_t kStatesMax = 64;  // that are kept side by side

struct Followed {
  std::span<const StateId> states;  // until the next call
  std::uint32_t failed = 0;         // judge: which action had no successor, from 1; guide: how many
  bool ambiguous = false;
  bool unknown = false;  // judge: there are more states than are kept, or one could not be computed
};

class Model {
 public:
  static Result<std::unique_ptr<Model>> load(const std::string& spec, const Setup& setup, Use use);
  ~Model();

  EventMask wakes_on() const { return wakes_on_; }
  const std::vector<StateId>& initial() const { return initial_; }
  // Nothing: the event means nothing here.
  std::optional<StepId> step_of(const World& world, const Event& event);
  Followed follow(StateId from, StepId step);
  // The abstract state: what coverage counts.
  std::uint64_t key_of(StateId s);
  std::uint64_t fingerprint(StateId s);

  // For people.
  std::string print(StateId s);
  std::string print_step(StepId step) const;
  // Why action `failed` of the step is not possible there.
  std::string why_not(StateId from, StepId step, std::uint32_t failed);
  const std::string& problem() const { return problem_; }  // an evaluation that failed; empty: none

  std::size_t bytes() const;
  // Forgets everything but the initial states, whose numbers change: for the time between two runs.
  void begin_anew();

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
    bool after = false;              // a step of a node
    std::optional<Where> when;
    std::vector<Parameter> parameters;
    std::vector<const tla::Action*> actions;
    std::vector<std::string> texts;
  };
  struct Step {
    std::uint32_t rule = 0;
    std::vector<tla::Value> args;
  };
  struct Entry {
    std::uint32_t begin = 0, count = 0, failed = 0;
    bool ambiguous = false, unknown = false;
  };
  class Builder;

  Model() = default;
  const Rule* rule_for(const Event& event) const;
  static const void* place_of(const Parameter& p, const World& world, const Event& event,
                              const FieldReader*& reader);
  Entry compute(StateId from, const Step& step);
  std::optional<std::vector<StateId>> apply(const tla::Action& action, const Step& step,
                                            StateId from);

  Use use_ = Use::guide;
  std::string spec_file_;
  Mapping mapping_;
  std::unique_ptr<tla::Spec> spec_;
  std::unique_ptr<tla::Steps> states_;
  std::vector<Rule> rules_;
  std::vector<std::vector<std::uint32_t>> by_kind_;
  EventMask wakes_on_ = 0;
  std::vector<StateId> initial_;
  absl::flat_hash_map<Hash128, StepId> known_steps_;
  std::vector<Step> steps_;
  absl::flat_hash_map<std::uint64_t, Entry> memo_;
  std::vector<StateId> results_;
  absl::flat_hash_map<StateId, std::uint64_t> keys_;
  std::string problem_;
};

// The mapping that belongs to a specification: the .toml file of the same name.
std::string mapping_beside(const std::string& spec);

}  // namespace schism::model
