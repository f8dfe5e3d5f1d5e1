// A system as systematic search sees it: a run is a sequence of processes, played one by one, and
// can be taken back to any earlier step. WorldModel is a simulated world; tests have others.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "schism/check/process.hpp"

namespace schism::check {

class Model {
 public:
  virtual ~Model() = default;

  std::uint32_t depth() const { return static_cast<std::uint32_t>(run_.size()); }
  // Everything born so far in this run, oldest first; dead and executed ones stay.
  const std::vector<Pend>& pends() const { return pends_; }
  // The run: which pend each step executed.
  const std::vector<std::uint32_t>& run() const { return run_; }

  // To the state after the first `depth` steps of this run.
  virtual void rewind(std::uint32_t depth) = 0;
  // Executes an enabled pend. False: stop here (a violation, or the model cannot go on). What it is
  // asked to choose is answered as given; beyond that by 0, or as answer_by() says.
  bool execute(std::uint32_t pend, const Choices& given = {}) {
    given_ = given;
    asked_.clear();
    return play(pend);
  }
  using Answer = std::function<std::uint32_t(std::uint32_t n)>;
  void answer_by(Answer answer) { answer_ = std::move(answer); }
  // Of how many the last step chose each time; its answers are the executed pend's.
  const std::vector<std::uint8_t>& asked() const { return asked_; }
  // The run ends here; `whole`: because nothing is enabled. False: stop here.
  virtual bool finish(bool whole) = 0;
  // What a scheduler without imagination would do here: an enabled pend that depends on the state
  // alone, not on how it was reached. kNever: nothing is enabled.
  virtual std::uint32_t default_choice() = 0;

 protected:
  virtual bool play(std::uint32_t pend) = 0;

  Choices given_;
  Answer answer_;
  std::vector<std::uint8_t> asked_;
  std::vector<Pend> pends_;
  std::vector<std::uint32_t> run_;
};

// The other answers to what a step was asked from the `first` question on: one for each, as far as
// it differs. Following them, and theirs from where they end, goes through every vector of answers
// once.
template <class Use>
void each_alternative(const Choices& taken, const std::vector<std::uint8_t>& asked,
                      std::uint8_t first, Use use) {
  for (std::uint8_t i = first; i < taken.count; ++i)
    for (std::uint8_t k = 0; k < asked[i]; ++k) {
      if (k == taken.k[i]) continue;
      Choices other = taken;
      other.shorten(i);
      other.push(k);
      use(other);
    }
}
// Those of the model's last step.
template <class Use>
void each_alternative(const Model& model, std::uint8_t first, Use use) {
  each_alternative(Choices(model.pends()[model.run().back()].choices), model.asked(), first, use);
}

}  // namespace schism::check
