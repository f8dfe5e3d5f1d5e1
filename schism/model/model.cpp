#include "schism/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/base/file.hpp"
#include "schism/model/builder.hpp"

namespace schism::model {
namespace {}  // namespace

Model::~Model() = default;

Result<std::unique_ptr<Model>> Model::load(const std::string& spec, const Setup& setup, Use use) {
  auto mapping = Mapping::read(mapping_beside(spec));
  if (!mapping) return tl::unexpected(mapping.error());
  std::unique_ptr<Model> out(new Model);
  out->use_ = use;
  out->spec_file_ = spec;
  out->mapping_ = *std::move(mapping);
  if (auto s = Builder(*out, setup).build(); !s) return tl::unexpected(s.error());
  return out;
}

const Model::Rule* Model::rule_for(const Event& event) const {
  for (const std::uint32_t i : by_kind_[static_cast<std::size_t>(event.kind)]) {
    const Rule& rule = rules_[i];
    if (rule.type && rule.type != event.type) continue;
    if (rule.detail >= 0 && rule.detail != event.detail) continue;
    if (rule.when && !rule.when->holds(event.body)) continue;
    return &rule;
  }
  return nullptr;
}

const void* Model::place_of(const Parameter& p, const World& world, const Event& event,
                            const FieldReader*& reader) {
  const auto node = static_cast<NodeId>(event.node);
  const TypeInfo* const type = p.from == From::content ? event.type
                               : world.up(node)        ? &world.node_type(node)
                                                       : nullptr;
  for (const auto& [known, own] : p.readers) {
    if (known != type) continue;
    reader = &own;
    return p.from == From::content ? event.body : world.node(node);
  }
  return nullptr;
}

std::optional<StepId> Model::step_of(const World& world, const Event& event) {
  const Rule* const rule = rule_for(event);
  if (!rule) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(rule - rules_.data());
  Hash128 h = scatter(number);
  const FieldReader* reader = nullptr;
  for (const Parameter& p : rule->parameters) {
    if (p.from == From::node) h = absorb(h, event.node);
    else if (p.from == From::peer) h = absorb(h, event.peer);
    else if (const void* place = place_of(p, world, event, reader))
      h = reader->absorb_into(h, place);
    else return std::nullopt;  // its node is down, or of another class
  }
  const auto [at, is_new] = known_steps_.try_emplace(h, static_cast<StepId>(steps_.size()));
  if (!is_new) return at->second;
  Step& step = steps_.emplace_back();
  step.rule = number;
  for (const Parameter& p : rule->parameters) {
    if (p.from == From::node) step.args.push_back(tla::Value::integer(event.node));
    else if (p.from == From::peer) step.args.push_back(tla::Value::integer(event.peer));
    else {
      const void* const place = place_of(p, world, event, reader);
      step.args.push_back(reader->read(place, spec_->store()));
    }
  }
  return at->second;
}

// One more than is kept tells that there are too many.
std::optional<std::vector<StateId>> Model::apply(const tla::Action& action, const Step& step,
                                                 StateId from) {
  std::vector<StateId> out;
  const tla::State state = states_->state(from);
  try {
    spec_->evaluator().successors(
        action.code, state,
        [&](std::span<const tla::Value> next) {
          const StateId id = states_->intern(next);
          if (std::find(out.begin(), out.end(), id) == out.end()) out.push_back(id);
          return out.size() <= kStatesMax;
        },
        action.slots, step.args);
    spec_->evaluator().sweep();
  } catch (const tla::Failure& f) {
    if (problem_.empty()) problem_ = spec_->explain(f);
    return std::nullopt;
  }
  return out;
}

Model::Entry Model::compute(StateId from, const Step& step) {
  const Rule& rule = rules_[step.rule];
  std::vector<StateId> now = {from};
  Entry entry;
  for (std::uint32_t a = 0; a < rule.actions.size(); ++a) {
    std::vector<StateId> next;
    for (const StateId s : now) {
      const auto after = apply(*rule.actions[a], step, s);
      entry.unknown = entry.unknown || !after;
      for (const StateId t : after ? *after : std::vector<StateId>())
        if (std::find(next.begin(), next.end(), t) == next.end()) next.push_back(t);
    }
    entry.unknown = entry.unknown || next.size() > kStatesMax;
    entry.ambiguous = entry.ambiguous || next.size() > 1;
    if (use_ == Use::guide) {
      if (next.empty()) ++entry.failed;
      else now.assign(1, next.front());
      continue;
    }
    now = std::move(next);
    if (entry.unknown) break;
    if (!now.empty()) continue;
    entry.failed = a + 1;
    break;
  }
  entry.begin = static_cast<std::uint32_t>(results_.size());
  entry.count = static_cast<std::uint32_t>(now.size());
  results_.insert(results_.end(), now.begin(), now.end());
  return entry;
}

Followed Model::follow(StateId from, StepId step) {
  const std::uint64_t key = std::uint64_t{from} << 32 | step;
  auto found = memo_.find(key);
  if (found == memo_.end()) found = memo_.emplace(key, compute(from, steps_[step])).first;
  const Entry& e = found->second;
  return {std::span(results_).subspan(e.begin, e.count), e.failed, e.ambiguous, e.unknown};
}

std::uint64_t Model::fingerprint(StateId s) { return spec_->fingerprint(states_->state(s)); }

std::uint64_t Model::key_of(StateId s) {
  const auto [at, is_new] = keys_.try_emplace(s, 0);
  if (!is_new) return at->second;
  std::uint64_t key = 0;
  const tla::State state = states_->state(s);
  try {
    if (spec_->view) {
      tla::Evaluator& eval = spec_->evaluator();
      const tla::Value seen = eval.normal(eval.evaluate(spec_->view->code, state));
      key = mix64(spec_->store().hash(seen));
      eval.sweep();
    } else {
      key = spec_->fingerprint(state);
    }
  } catch (const tla::Failure& f) {
    if (problem_.empty()) problem_ = spec_->explain(f);
  }
  return keys_[s] = key;
}

std::string Model::print(StateId s) { return spec_->print(states_->state(s)); }

std::string Model::print_step(StepId id) const {
  const Rule& rule = rules_[steps_[id].rule];
  std::string out(happened_name(rule.kind));
  if (rule.type) out += " " + std::string(rule.type->name);
  for (std::size_t i = 0; i < rule.parameters.size(); ++i)
    out += fmt::format("{}{} = {}", i == 0 ? " with " : ", ", rule.parameters[i].name,
                       spec_->print(steps_[id].args[i]));
  return out;
}

void Model::begin_anew() {
  decltype(known_steps_)().swap(known_steps_);
  decltype(steps_)().swap(steps_);
  decltype(memo_)().swap(memo_);
  decltype(results_)().swap(results_);
  decltype(keys_)().swap(keys_);
  states_->keep_only(initial_);
}

std::size_t Model::bytes() const {
  return spec_->store().bytes() + states_->bytes() + memo_.size() * 40 + results_.size() * 4 +
         steps_.size() * 120 + known_steps_.size() * 40 + keys_.size() * 24;
}

}  // namespace schism::model
