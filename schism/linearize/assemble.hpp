// Events become a history, one after the other, by the rules of its model. Errors are sentences
// that begin with the line.
#pragma once

#include "absl/container/flat_hash_map.h"
#include "schism/linearize/event.hpp"
#include "schism/linearize/text.hpp"

namespace schism::linearize {

std::optional<Function> function_of(std::string_view name);
Object object_of(Model model);

// What a file leaves open: whether values are tuples, and which model it is. Takes events until it
// knows; what is no event is somebody else's complaint.
class Guess {
 public:
  Guess(Model model, Tuples tuples) : model_(model), tuples_(tuples) {}
  bool is_settled() const { return model_ != Model::any && tuples_ != Tuples::automatic; }
  void take(const Event& e);
  Model model() const;
  bool tuples() const { return tuples_ == Tuples::yes || (tuples_ != Tuples::no && paired_); }

 private:
  void look_at_function(const Event& e, Function function);
  void look_at_value(const Event& e, std::optional<Function> function);

  Model model_;
  Tuples tuples_;
  bool paired_ = false;  // some invocation is a tuple, and none so far is not
  bool transactions_ = false;
};

class Assembler {
 public:
  Assembler(Model model, bool tuples)
      : model_(model), tuples_(tuples), history_(object_of(model)) {}
  Status add(const Event& e);
  History take() { return std::move(history_); }

 private:
  Status invoke(const Event& e, std::int64_t client);
  Status answer(const Event& e, std::string_view type, std::int64_t client, OpId op);
  Status answer_read(const Event& e, std::int64_t client, OpId op);
  Status answer_contains(const Event& e, OpId op);
  Status answer_transaction(const Event& e, OpId op);
  Result<Call> call_of(const Event& e, Function function);
  Result<std::vector<Part>> parts_of(const Event& e, Function function) const;

  Model model_;
  bool tuples_;
  History history_;
  absl::flat_hash_map<std::int64_t, OpId> open_;
};

}  // namespace schism::linearize
