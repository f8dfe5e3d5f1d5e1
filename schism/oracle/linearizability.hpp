// What clients saw, judged as a whole: is there one order of their operations, each between its
// invocation and its answer, that explains every answer?
//
//   .oracle(Linearizability({
//       .call = [](const World&, const Event& e) -> std::optional<linearize::Call> {
//         if (const auto* put = e.as<Put>()) return linearize::write(put->key, put->value);
//         ...
//       },
//       .answer = [](linearize::History& h, linearize::OpId op, const Event& e) { ... h.done(op);
//       }}))
//
// Other objects than registers: `.object = linearize::Object::queue`, and calls like
// linearize::enqueue; transactions (list_append, rw_register) are judged to be serializable, or
// strictly so.
//
// Judged at the end of a run. It counts as not judged beyond the checker's limit, and where clients
// asked and none of it was an operation. Invocations and answers depend on each other: their order
// is what is looked at.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "schism/linearize/history.hpp"
#include "schism/oracle/oracle.hpp"

namespace schism {

class Linearizability final : public Oracle {
 public:
  struct Model {
    // Nothing: not an operation on the object, or one about which nothing is promised in this run.
    std::function<std::optional<linearize::Call>(const World&, const Event& invoked)> call;
    // Says what the answer means, with one of the history's methods.
    std::function<void(linearize::History&, linearize::OpId, const Event& answered)> answer;
    Value initial;  // of every register
    linearize::Object object = linearize::Object::registers;
    bool strict = true;  // transactions: real time counts
  };

  explicit Linearizability(Model model) : model_(std::move(model)), history_(model_.object) {}

  std::string_view name() const override { return "linearizability"; }
  EventMask wakes_on() const override { return kClientEvents; }
  std::optional<Observer> observes() const override { return Observer{kClientEvents, {}}; }
  bool judged() const override { return judged_; }
  void begin(const World& world) override;
  void look(const World& world, std::span<const Event> events) override;
  void finish(const World& world, const Ending& ending) override;
  std::optional<Hash128> digest() const override { return seen_; }

  const linearize::History& history() const { return history_; }

 private:
  static constexpr EventMask kClientEvents =
      mask_of(Happened::invoked) | mask_of(Happened::answered);

  Model model_;
  linearize::History history_;
  std::vector<std::pair<Name, linearize::OpId>> open_;
  Hash128 seen_;
  bool judged_ = true;
};

}  // namespace schism
