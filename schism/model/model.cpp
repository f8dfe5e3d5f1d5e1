#include "schism/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/base/file.hpp"
#include "schism/model/builder.hpp"

namespace schism::model {
namespace {

constexpr int kRoundsMax = 10'000;  // of an action that is repeated

}  // namespace

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
  return rule ? make_step(*rule, world, event) : std::nullopt;
}

std::optional<StepId> Model::step_after(const World& world, const Event& event) {
  if (!after_ || !(mask_of(event.kind) & kStepsOfNodes)) return std::nullopt;
  return make_step(rules_[*after_], world, event);
}

std::optional<StepId> Model::make_step(const Rule& rule, const World& world, const Event& event) {
  const auto number = static_cast<std::uint32_t>(&rule - rules_.data());
  Hash128 h = scatter(number);
  const FieldReader* reader = nullptr;
  for (const Parameter& p : rule.parameters) {
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
  for (const Parameter& p : rule.parameters) {
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
          const bool same = std::equal(next.begin(), next.end(), state.begin(), state.end());
          const StateId id = same ? from : states_->intern(next);
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

// One action from all states of the walk. False: a judge can go no further.
bool Model::take(const Rule& rule, std::uint32_t action, const Step& step, Walk& walk) {
  std::vector<StateId> next;
  for (const StateId s : walk.now) {
    const auto after = apply(*rule.actions[action], step, s);
    walk.unknown = walk.unknown || !after;
    for (const StateId t : after ? *after : std::vector<StateId>())
      if (std::find(next.begin(), next.end(), t) == next.end()) next.push_back(t);
  }
  walk.ambiguous = walk.ambiguous || next.size() > 1;
  if (use_ == Use::guide) {
    if (next.empty()) ++walk.failed;
    else walk.now.assign(1, next.front());
    return true;
  }
  walk.unknown = walk.unknown || next.size() > kStatesMax;
  walk.stuck = walk.now.front();
  walk.now = std::move(next);
  if (walk.now.empty()) walk.failed = action + 1;
  return !walk.unknown && !walk.now.empty();
}

bool Model::is_settled(const Rule& rule, const Step& step, const Walk& walk) {
  try {
    for (const StateId s : walk.now) {
      bool holds = false;
      spec_->evaluator().successors(
          rule.unless->code, states_->state(s),
          [&](std::span<const tla::Value>) {
            holds = true;
            return false;
          },
          rule.unless->slots, step.args);
      spec_->evaluator().sweep();
      if (!holds) return false;
    }
  } catch (const tla::Failure&) {
    return false;  // the actions themselves will tell
  }
  return true;
}

Model::Walk Model::walk(StateId from, const Step& step) {
  const Rule& rule = rules_[step.rule];
  Walk walk;
  walk.now = {from};
  for (std::uint32_t a = 0; a < rule.actions.size(); ++a) {
    if (rule.unless && a == 0 && is_settled(rule, step, walk))
      a = static_cast<std::uint32_t>(rule.actions.size()) - rule.firm;
    if (a == rule.actions.size()) break;
    for (int round = 0; round < kRoundsMax; ++round) {
      const std::vector<StateId> before = walk.now;
      if (!take(rule, a, step, walk)) return walk;
      if (!rule.repeats[a] || walk.now == before) break;
      walk.unknown = walk.unknown || round + 1 == kRoundsMax;
    }
  }
  return walk;
}

Model::Entry Model::compute(StateId from, const Step& step) {
  const Walk done = walk(from, step);
  Entry entry;
  entry.count = static_cast<std::uint8_t>(std::min(done.now.size(), kStatesMax + 1));
  entry.failed = static_cast<std::uint8_t>(done.failed);
  entry.ambiguous = done.ambiguous;
  entry.unknown = done.unknown;
  entry.begin = entry.count == 1 ? done.now.front() : static_cast<std::uint32_t>(results_.size());
  if (entry.count > 1) results_.insert(results_.end(), done.now.begin(), done.now.end());
  return entry;
}

Followed Model::follow(StateId from, StepId step) {
  const std::uint64_t key = std::uint64_t{from} << 32 | step;
  const auto [found, is_new] = memo_.try_emplace(key);
  if (is_new) found->second = compute(from, steps_[step]);
  const Entry& e = found->second;
  only_ = e.begin;
  const std::span<const StateId> states =
      e.count == 1 ? std::span<const StateId>(&only_, 1)
                   : std::span<const StateId>(results_).subspan(e.begin, e.count);
  return {states, e.failed, e.ambiguous, e.unknown};
}

std::uint64_t Model::fingerprint(StateId s) { return spec_->fingerprint(states_->state(s)); }

std::uint64_t Model::key_of(StateId s) {
  if (s < keys_.size() && keys_[s] != 0) return keys_[s];
  if (s >= keys_.size()) keys_.resize(std::max<std::size_t>(s + 1, keys_.size() * 2));
  return keys_[s] = abstract(states_->state(s));
}

std::uint64_t Model::abstract(const tla::State& state) {
  if (!spec_->view) return spec_->fingerprint(state);
  tla::Evaluator& eval = spec_->evaluator();
  try {
    const tla::Value seen = eval.normal(eval.evaluate(spec_->view->code, state));
    const std::uint64_t key = mix64(spec_->store().hash(seen));
    eval.sweep();
    return key;
  } catch (const tla::Failure& f) {
    if (problem_.empty()) problem_ = spec_->explain(f);
    return 0;
  }
}

std::string Model::print(StateId s) { return spec_->print(states_->state(s)); }

std::string Model::print_step(StepId id) const {
  const Rule& rule = rules_[steps_[id].rule];
  std::string out(after_ == steps_[id].rule ? "after the step" : happened_name(rule.kind));
  if (rule.type) out += " " + std::string(rule.type->name);
  for (std::size_t i = 0; i < rule.parameters.size(); ++i)
    out += fmt::format("{}{} = {}", i == 0 ? " with " : ", ", rule.parameters[i].name,
                       spec_->print(steps_[id].args[i]));
  return out;
}

std::size_t Model::bytes() const {
  return spec_->store().bytes() + states_->bytes() + memo_.size() * 24 + results_.size() * 4 +
         steps_.size() * 120 + known_steps_.size() * 40 + keys_.size() * 8;
}

}  // namespace schism::model
