#include "schism/shrink/certificate.hpp"

#include <fmt/format.h>

#include "schism/system/system.hpp"
#include "schism/trace/describe.hpp"

namespace schism {
namespace {

class Examiner {
 public:
  Examiner(const Outline& outline, std::uint64_t replays_max, const std::function<bool()>& enough)
      : outline_(outline), replays_max_(replays_max), enough_(enough) {
    stage_.only_violations();
    const Performance whole = stage_.perform(outline_);
    if (whole.violation) wanted_ = signature(*whole.violation, whole.outline);
  }

  Certificate examine() {
    const System& system = *outline_.config.setup.system;
    for (std::size_t i = 0; i < outline_.moves.size(); ++i)
      if (!needed(without_moves(outline_, i, 1),
                  [&] { return print_action(system, outline_.moves[i].step.action); }))
        return finish();
    if (outline_.config.setup.nodes > system.node_range.low)
      for (NodeId id = 0; id < outline_.config.setup.nodes; ++id)
        if (!needed(without_node(outline_, id), [&] { return fmt::format("node {}", id); }))
          return finish();
    for (std::size_t i = 0; i < outline_.requests().size(); ++i)
      if (!needed(without_request(outline_, i), [&] {
            return fmt::format("a request of client {}", outline_.requests()[i].client);
          }))
        return finish();
    for (const ChoicePlace& choice : choices_in(outline_))
      if (!needed(with_answer(outline_, choice, 0), [&] { return words_of(choice); }))
        return finish();
    certificate_.minimal = certificate_.complete = !wanted_.empty();
    return finish();
  }

  std::optional<Outline> smaller;

 private:
  std::string words_of(const ChoicePlace& choice) const {
    if (choice.move == kStartChoices) return fmt::format("choice {} at the start", choice.answer);
    const System& system = *outline_.config.setup.system;
    return fmt::format("choice {} in {}", choice.answer,
                       print_action(system, outline_.moves[choice.move].step.action));
  }

  // False: the violation is there without it, or the time is up.
  template <class What>
  bool needed(const Outline& candidate, const What& what) {
    if (stage_.performed() >= replays_max_ || (enough_ && enough_())) return false;
    Performance p = stage_.perform(candidate);
    if (!p.violation || signature(*p.violation, p.outline) != wanted_) return true;
    smaller = std::move(p.outline);
    certificate_.counterexample = what();
    certificate_.complete = true;
    return false;
  }
  Certificate finish() {
    certificate_.replays = stage_.performed();
    return certificate_;
  }

  const Outline& outline_;
  std::uint64_t replays_max_;
  const std::function<bool()>& enough_;
  Stage stage_;
  std::string wanted_;
  Certificate certificate_;
};

}  // namespace

Certificate certify(const Trace& trace, std::uint64_t replays_max,
                    const std::function<bool()>& enough, std::optional<Outline>* smaller) {
  const auto outline = outline_of(trace);
  if (!outline) return {};
  Examiner examiner(*outline, replays_max, enough);
  Certificate certificate = examiner.examine();
  if (smaller) *smaller = std::move(examiner.smaller);
  return certificate;
}

}  // namespace schism
