#include "schism/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/base/file.hpp"
#include "schism/model/builder.hpp"

namespace schism::model {
namespace {

constexpr int kRoundsMax = 10'000;  // of an action that is repeated

// Of a way that a guide went.
constexpr std::uint8_t kDisabled = 1, kAmbiguous = 2, kUnknown = 4;

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

// False: its node is down, or of another class.
bool Model::add_to(Gist& gist, const Rule& rule, const World& world, const Event& event) const {
  gist.add(static_cast<std::uint64_t>(&rule - rules_.data()));
  const FieldReader* reader = nullptr;
  const void* self = nullptr;  // once it was found, and of which class it is
  const TypeInfo* type = nullptr;
  for (const Parameter& p : rule.parameters) {
    if (p.from == From::node) {
      gist.add(event.node);
    } else if (p.from == From::peer) {
      gist.add(event.peer);
    } else if (p.from == From::self && self != nullptr && p.readers[0].first == type) {
      p.readers[0].second.add_to(gist, self);
    } else {
      const void* const place = place_of(p, world, event, reader);
      if (place == nullptr) return false;
      if (p.from == From::self) {
        self = place;
        type = &world.node_type(static_cast<NodeId>(event.node));
      }
      reader->add_to(gist, place);
    }
  }
  return true;
}

std::optional<EventId> Model::event_of(const World& world, const Event& event) {
  const Rule* const rule = rule_for(event);
  Gist gist;
  const bool own = rule && add_to(gist, *rule, world, event);
  if (!own) gist = {};
  const Gist alone = gist;
  const bool after = after_ && (mask_of(event.kind) & kStepsOfNodes) &&
                     add_to(gist, rules_[*after_], world, event);
  if (!own && !after) return std::nullopt;
  const Hash128 h = (after ? gist : alone).hash();
  Recent& recent = recent_[h.lo % kRecent];
  if (recent.hash == h && recent.event != UINT32_MAX) return recent.event;
  const auto [at, is_new] = known_events_.try_emplace(h, static_cast<EventId>(meanings_.size()));
  if (is_new) {
    Meaning& meaning = meanings_.emplace_back();
    if (own) meaning.own = make_step(*rule, world, event);
    if (after) meaning.after = make_step(rules_[*after_], world, event);
    meaning.way = recall_->way();
  }
  recent = {h, at->second};
  return at->second;
}

std::optional<StepId> Model::make_step(const Rule& rule, const World& world, const Event& event) {
  const auto number = static_cast<std::uint32_t>(&rule - rules_.data());
  Gist gist;
  if (!add_to(gist, rule, world, event)) return std::nullopt;
  const FieldReader* reader = nullptr;
  const auto [at, is_new] =
      known_steps_.try_emplace(gist.hash(), static_cast<StepId>(steps_.size()));
  if (!is_new) return at->second;
  Step& step = steps_.emplace_back();
  step.rule = number;
  step.questions = recall_->questions(rule.actions.size() + (rule.unless ? 1 : 0));
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
  } catch (const tla::Failure&) {
    return std::nullopt;
  }
  // An EXCEPT at a place that a function does not have changes nothing: a node that the model does
  // not know would do whatever it likes.
  std::vector<std::string>& warnings = spec_->evaluator().warnings();
  const bool outside = !warnings.empty() && !out.empty();
  warnings.clear();
  if (outside) return std::nullopt;
  return out;
}

// One action from all states of the walk. False: it goes no further.
bool Model::take(const Rule& rule, std::uint32_t action, const Step& step, Walk& walk) {
  std::vector<StateId> next;
  bool failed = false;
  for (const StateId s : walk.now) {
    const auto after = apply(*rule.actions[action], step, s);
    failed = failed || !after;
    for (const StateId t : after ? *after : std::vector<StateId>())
      if (std::find(next.begin(), next.end(), t) == next.end()) next.push_back(t);
  }
  walk.ambiguous = walk.ambiguous || next.size() > 1;
  walk.unknown = walk.unknown || failed || next.size() > kStatesMax;
  walk.stuck = walk.now.front();
  walk.now = std::move(next);
  if (walk.now.empty()) walk.failed = action + 1;
  return !walk.unknown && !walk.now.empty();
}

bool Model::is_settled(const Rule& rule, const Step& step, const tla::State& state,
                       tla::Trail* trail) {
  const auto question = step.questions + static_cast<std::uint32_t>(rule.actions.size());
  return recall_->whether(question, *rule.unless, step.args, state, trail).possible;
}

// Until it changes nothing. What is not at rest when the set of states no longer changes goes round
// for ever. False: it goes no further.
bool Model::repeat(const Rule& rule, std::uint32_t action, const Step& step, Walk& walk) {
  std::vector<StateId> before;
  const auto same = [&] {
    return walk.now.size() == before.size() &&
           std::is_permutation(walk.now.begin(), walk.now.end(), before.begin());
  };
  for (int round = 0; !same(); ++round) {
    if (round == kRoundsMax) return walk.unknown = true, false;
    before = walk.now;
    if (!take(rule, action, step, walk)) return false;
  }
  if (walk.now.size() == 1) return true;
  std::erase_if(walk.now, [&](StateId s) {
    const auto after = apply(*rule.actions[action], step, s);
    return !after || std::find(after->begin(), after->end(), s) == after->end();
  });
  walk.unknown = walk.unknown || walk.now.empty();
  return !walk.unknown;
}

// --- To guide: the first that follows, and what is not possible is passed over -------------------

// From here to the first state that an action leads to. False: to no other.
bool Model::advance(const Rule& rule, std::uint32_t action, const Step& step, std::uint8_t& flags) {
  const auto outcome = recall_->first(step.questions + action, *rule.actions[action], step.args,
                                      here_, there_, &trail_);
  if (outcome.ambiguous) flags |= kAmbiguous;
  if (outcome.failed) flags |= kUnknown;
  if (!outcome.possible && !outcome.failed) flags |= kDisabled;
  if (!outcome.possible || there_ == here_) return false;
  here_.swap(there_);
  return true;
}

void Model::pass(const Step& step, std::uint8_t& flags) {
  const Rule& rule = rules_[step.rule];
  if (rule.unless && is_settled(rule, step, here_, &trail_)) return;
  for (std::uint32_t a = 0; a < rule.actions.size(); ++a) {
    int round = 0;
    while (round < kRoundsMax && advance(rule, a, step, flags) && rule.repeats[a]) ++round;
    if (round == kRoundsMax) flags |= kUnknown;
  }
}

// What lies between the actions of an event is nobody's business. Afterwards `here` is where it
// was.
std::uint8_t Model::find_way(tla::State& now, Meaning& meaning) {
  std::uint8_t flags = 0;
  trail_.begin();
  here_ = now;
  if (meaning.own) pass(steps_[*meaning.own], flags);
  if (meaning.after) pass(steps_[*meaning.after], flags);
  recall_->keep(meaning.way, now, trail_, flags);
  now.swap(here_);
  return flags;
}

Guided Model::guide(tla::State& now, std::uint64_t& token, EventId event) {
  Meaning& meaning = meanings_[event];
  if (meaning.quiet == token) return {};
  auto gone = recall_->follow(meaning.way, now);
  if (!gone) {
    const std::uint8_t flags = find_way(now, meaning);
    gone = {flags, now != here_};
  }
  if (gone->moved) token = new_token();
  else if (gone->number == 0) meaning.quiet = token;
  return {gone->moved, (gone->number & kDisabled) != 0, (gone->number & kAmbiguous) != 0,
          (gone->number & kUnknown) != 0};
}

// --- To judge: all that follows ------------------------------------------------------------------

Model::Walk Model::walk(StateId from, const Step& step) {
  const Rule& rule = rules_[step.rule];
  Walk walk;
  walk.now = {from};
  std::uint32_t a = 0;
  if (rule.unless && is_settled(rule, step, states_->state(from)))
    a = static_cast<std::uint32_t>(rule.actions.size()) - rule.firm;
  for (; a < rule.actions.size(); ++a)
    if (!(rule.repeats[a] ? repeat(rule, a, step, walk) : take(rule, a, step, walk))) break;
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

// What it looked at is all that it depends on: where that is as it was, so is the value.
tla::Value Model::value_of(ViewPart& part, const tla::State& state) {
  part.looked = 0;
  if (part.code.root->op == tla::Op::variable) {
    part.looked = tla::looked_at(part.code.root->slot);
    return state[part.code.root->slot];
  }
  if (!part.domain.is_set()) return recall_->value(part.question, part.code, state, part.looked);
  elements_.clear();
  tla::Recall::Question question = part.question;
  for (const tla::Value key : part.domain.node()->words())
    elements_.push_back(recall_->value(question++, part.code, part.slot, key, state, part.looked));
  return spec_->store().function(part.domain, elements_);
}

std::uint64_t Model::key_of(const tla::State& state) {
  if (!spec_->view) return spec_->fingerprint(state);
  tla::Looked changed = state.size() == viewed_.size() ? 0 : tla::kLookedAtAll;
  for (std::uint32_t v = 0; v < state.size() && changed != tla::kLookedAtAll; ++v)
    if (!(state[v] == viewed_[v])) changed |= tla::looked_at(v);
  bool same = !viewed_.empty();
  try {
    for (std::size_t i = 0; i < view_.size(); ++i) {
      if (!(view_[i].looked & changed)) continue;
      const tla::Value value = value_of(view_[i], state);
      same = same && value == seen_[i];
      seen_[i] = value;
    }
  } catch (const tla::Failure&) {
    viewed_.clear();
    for (ViewPart& part : view_) part.looked = tla::kLookedAtAll;
    return 0;
  }
  viewed_ = state;
  const tla::Store& store = spec_->store();
  if (!same) key_ = mix64(view_is_tuple_ ? store.hash_of_tuple(seen_) : store.hash(seen_.front()));
  return key_;
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
  return spec_->store().bytes() + states_->bytes() + recall_->bytes() + memo_.size() * 24 +
         results_.size() * 4 + steps_.size() * 120 + known_steps_.size() * 40 +
         known_events_.size() * 40 + meanings_.size() * sizeof(Meaning);
}

}  // namespace schism::model
