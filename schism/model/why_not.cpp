// Why a run deviates: the guard that is false, or what differs.
#include <fmt/format.h>

#include "schism/base/file.hpp"
#include "schism/model/model.hpp"

namespace schism::model {
namespace {

// A line of a file without what surrounds it.
std::string line_of(const std::string& file, std::uint32_t number) {
  const auto text = read_file(file);
  if (!text) return {};
  std::size_t begin = 0;
  for (std::uint32_t i = 1; i < number && begin != std::string::npos; ++i) {
    begin = text->find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (begin == std::string::npos) return {};
  std::string line = text->substr(begin, text->find('\n', begin) - begin);
  const std::size_t first = line.find_first_not_of(" \t/\\");
  return first == std::string::npos ? std::string() : line.substr(first);
}

std::string with_values(std::string text, const std::vector<std::string>& values) {
  for (std::size_t i = values.size(); i-- > 0;) {
    const std::string par = fmt::format("par_{}", i);
    for (std::size_t at = text.find(par); at != std::string::npos; at = text.find(par, at + 1))
      text.replace(at, par.size(), "(" + values[i] + ")");
  }
  return text;
}

}  // namespace

std::string Model::why_not(StateId from, StepId id, std::uint32_t failed) {
  const Step step = steps_[id];
  const Rule& rule = rules_[step.rule];
  std::vector<StateId> now = {from};
  for (std::uint32_t a = 0; a + 1 < failed; ++a) {
    auto next = apply(*rule.actions[a], step, now.front());
    if (!next || next->empty()) break;
    now = *std::move(next);
  }
  const tla::State state = states_->state(now.front());
  const std::string& text = rule.texts[failed - 1];
  std::vector<std::string> values;
  for (const tla::Value v : step.args) values.push_back(spec_->print(v));
  if (!problem_.empty()) return fmt::format("{} cannot be evaluated: {}", text, problem_);
  if (!text.empty()) {
    const tla::Action& action = *rule.actions[failed - 1];
    const tla::Location at =
        spec_->evaluator().disabled_at(action.code, state, action.slots, step.args);
    std::string named = text;
    for (std::size_t i = 0; i < rule.parameters.size(); ++i) {
      const std::string hole = "$" + rule.parameters[i].name;
      for (std::size_t p = named.find(hole); p != std::string::npos; p = named.find(hole, p + 1))
        named.replace(p, hole.size(), values[i]);
    }
    if (at.line == 0) return fmt::format("{} is not enabled", named);
    const std::string& file = spec_->symbols().file(at.file);
    return fmt::format("{} is not enabled: {} ({})", named, line_of(file, at.line),
                       spec_->symbols().describe(at));
  }
  Holes holes;
  for (const Parameter& p : rule.parameters) holes.names.push_back(p.name);
  for (const Observation& o : mapping_.observe) {
    const auto model = spec_->evaluate(with_values(holes.fill(o.model), values), state);
    const auto node = spec_->evaluate(with_values(holes.fill(o.node), values), state);
    if (!model || !node || *model == *node) continue;
    return fmt::format("{} of node {} is {}, in the model {}", o.name,
                       values.empty() ? "" : values[0], spec_->print(*node), spec_->print(*model));
  }
  return "what was observed is not what the model has";
}

}  // namespace schism::model
