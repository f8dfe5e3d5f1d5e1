// What actions and expressions came to, remembered by what they looked at (reads.hpp). Steps
// remembers whole states: of little use in a campaign in which nearly every state is new, though
// what an action looks at in it is not.
//
//   Recall recall(spec);
//   const Question q = recall.questions(1);  // an action with these arguments
//   if (recall.first(q, action, args, here, there).possible) here = there;
//
// Several actions one after the other can be remembered as one: a Trail gathers what they looked at
// and did.
#pragma once

#include "absl/container/flat_hash_map.h"

#include "schism/base/hash.hpp"
#include "schism/tla/effects.hpp"
#include "schism/tla/spec.hpp"

namespace schism::tla {

// What was looked at in a first state, and what became of it.
class Trail {
 public:
  void begin();
  void add(std::span<const Look> looks, std::span<const Assigned> changes);
  void give_up() { hopeless_ = true; }

  std::span<const Look> looks() const { return looks_; }
  std::span<const Assigned> changes() const { return changes_; }
  bool hopeless() const { return hopeless_; }

 private:
  bool is_known(const Look& look) const;  // by what was done before
  void change(const Assigned& change);

  std::vector<Look> looks_;
  std::vector<Assigned> changes_;
  bool hopeless_ = false;
};

class Recall {
  static constexpr std::size_t kShapes = 6;  // of a question; what looks otherwise is computed
  struct Known {
    std::uint16_t shapes[kShapes] = {};
    std::uint16_t count = 0;
  };

 public:
  explicit Recall(Spec& spec) : spec_(spec) {}

  // A question is always asked about the same thing: an action with its arguments, an expression.
  using Question = std::uint32_t;
  Question questions(std::size_t count);  // so many new ones, numbered from this

  struct Outcome {
    bool possible = false;   // and where it leads is in `there`
    bool ambiguous = false;  // to other states, too
    bool failed = false;     // it could not be computed
  };
  Outcome first(Question q, const Action& action, std::span<const Value> args, const State& here,
                State& there, Trail* trail = nullptr);
  // Whether it leads anywhere; what lies behind the first way is not computed.
  Outcome whether(Question q, const Action& action, std::span<const Value> args, const State& here,
                  Trail* trail = nullptr);
  // What part of some code is worth, in its normal form, and what of the state it looked at, which
  // is added. A Failure where it cannot be computed.
  Value value(Question q, const Code& code, const State& here, Looked& looked);
  Value value(Question q, const Code& code, std::uint32_t slot, Value bound, const State& here,
              Looked& looked);

  // A question about several actions. Whoever goes the way holds it, so that nothing has to be
  // looked up for it.
  class Way {
    friend class Recall;
    Question question = 0;
    Known known;
  };
  Way way();  // a new one
  // Goes it, with a number that the caller knows what it means. Nothing: it is not known.
  struct Gone {
    std::uint8_t number = 0;
    bool moved = false;  // it leads to another state
  };
  std::optional<Gone> follow(Way& way, State& now);
  void keep(Way& way, const State& here, const Trail& trail, std::uint8_t number);

  std::uint64_t computed() const { return computed_; }  // not remembered
  std::size_t bytes() const { return known_.capacity() * sizeof(Known) + effects_.bytes(); }

 private:
  struct Shape {
    std::vector<Look> looks;
    Looked variables = 0;
  };

  Value value(Question q, const State& here, Looked& looked,
              absl::FunctionRef<Value(Evaluator&)> compute);
  const Effect* find(Question q, Known& known, const State& here);
  void keep(Question q, Known& known, const State& here, std::span<const Look> looks,
            std::span<const Assigned> changes, std::uint8_t number);
  static bool absorb_shape(std::span<const Look> looks, const State& here, Hash128& h);
  std::optional<std::uint16_t> number_of(std::span<const Look> looks);
  bool apply(const Effect& effect, State& to);  // whether it has changed
  Outcome compute(Question q, const Action& action, std::span<const Value> args, const State& here,
                  State* there, Trail* trail);

  Spec& spec_;
  Reads reads_;
  std::vector<Known> known_;  // by question
  Question ways_ = 0;         // numbered from the other end
  std::vector<Shape> shapes_;
  absl::flat_hash_map<Hash128, std::uint16_t> shape_numbers_;
  Effects effects_;  // by question, shape, and what is there
  std::vector<Look> looks_;
  std::uint64_t computed_ = 0;
};

}  // namespace schism::tla
