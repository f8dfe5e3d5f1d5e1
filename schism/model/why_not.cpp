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

std::vector<std::string> printed(tla::Spec& spec, const std::vector<tla::Value>& values) {
  std::vector<std::string> out;
  for (const tla::Value v : values) out.push_back(spec.print(v));
  return out;
}

}  // namespace

std::string Model::why_not(const Deviation& d) {
  const Step step = steps_[d.step];
  const Rule& rule = rules_[step.rule];
  const tla::State state = states_->state(walk(d.from, step).stuck);
  const std::string& text = rule.texts[d.failed - 1];
  const std::vector<std::string> values = printed(*spec_, step.args);
  if (!text.empty()) {
    const tla::Action& action = *rule.actions[d.failed - 1];
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
    return fmt::format("{} of node {} is {}, in the model {}", o.name, d.node, spec_->print(*node),
                       spec_->print(*model));
  }
  return "what was observed is not what the model has";
}

// Nothing: the node is down, or of a class without these fields.
std::vector<tla::Value> Model::observed_args(const World& world, NodeId node) {
  std::vector<tla::Value> out;
  Event at;
  at.node = static_cast<decltype(at.node)>(node);
  const FieldReader* reader = nullptr;
  for (const Parameter& p : observed_) {
    if (p.from == From::node) {
      out.push_back(tla::Value::integer(node));
    } else if (const void* place = place_of(p, world, at, reader)) {
      out.push_back(reader->read(place, spec_->store()));
    } else {
      return {};
    }
  }
  return out;
}

Testimony Model::testimony(const Deviation& d, const World& world) {
  const Step step = steps_[d.step];
  const tla::State state = states_->state(walk(d.from, step).stuck);
  Testimony out;
  out.title = fmt::format("The model beside node {}", d.node);
  out.text = print_step(d.step) + ". " + why_not(d);
  out.rows.push_back({{"", "model", fmt::format("node {}", d.node)}, false});
  Holes holes;
  for (const Parameter& p : observed_) holes.names.push_back(p.name);
  const auto args = printed(*spec_, observed_args(world, d.node));
  for (const Observation& o : mapping_.observe) {
    if (args.size() != observed_.size()) break;
    const auto model = spec_->evaluate(with_values(holes.fill(o.model), args), state);
    const auto node = spec_->evaluate(with_values(holes.fill(o.node), args), state);
    if (!model || !node) continue;
    out.rows.push_back({{o.name, spec_->print(*model), spec_->print(*node)}, !(*model == *node)});
  }
  // All of the model: of a variable that has a part for each node, that part.
  for (const tla::Symbol v : spec_->variables()) {
    const std::string name = spec_->symbols().text(v);
    const std::string part = fmt::format("{}[{}]", name, d.node);
    if (const auto own = spec_->evaluate(part, state))
      out.rows.push_back({{part, spec_->print(*own), ""}, false});
    else if (const auto whole = spec_->evaluate(name, state))
      out.rows.push_back({{name, spec_->print(*whole), ""}, false});
  }
  return out;
}

}  // namespace schism::model
