#include "schism/schedule/faults.hpp"

#include "schism/schema/shape.hpp"
#include "schism/system/system.hpp"

namespace schism {

void partition(const World& world, const std::vector<bool>& side, Script& script) {
  const int n = world.pending().nodes;
  script.push_back(begin_macro(Macro::partition));
  for (NodeId from = 0; from < n; ++from)
    for (NodeId to = 0; to < n; ++to)
      if (side[static_cast<std::size_t>(from)] != side[static_cast<std::size_t>(to)] &&
          !world.cut(from, to))
        script.push_back(link_action(Do::cut, from, to));
  script.push_back(end_macro(Macro::partition));
}

std::optional<std::vector<bool>> random_sides(const World& world, Rng& rng) {
  const IdSet& live = world.pending().live;
  if (live.size() < 2) return std::nullopt;
  std::vector<bool> side(static_cast<std::size_t>(world.pending().nodes));
  for (std::size_t i = 0; i < side.size(); ++i) side[i] = (rng.next() & 1) != 0;
  const auto first = static_cast<std::uint32_t>(rng.below(live.size()));
  const auto second =
      static_cast<std::uint32_t>((first + 1 + rng.below(live.size() - 1)) % live.size());
  side[live[first]] = false;
  side[live[second]] = true;
  return side;
}

void heal_all(const World& world, Script& script) {
  const Pending& pending = world.pending();
  for (std::uint32_t i = 0; i < pending.severed.size(); ++i)
    script.push_back(pending.nth(Do::heal, i));
}

Action random_crash(const World& world, Action crash, Rng& rng) {
  const auto outcomes = world.crash_outcomes(crash.name.from());
  const CrashOutcome outcome = outcomes[rng.below(outcomes.size())];
  return node_action(Do::crash, crash.name.from(), outcome.arg());
}

namespace {

struct Scalar {
  Value* value;
  const FieldType* type;  // null: its place is not declared
};

const FieldType* opened(const FieldType* type) {
  while (type && type->kind == FieldKind::optional) type = type->item;
  return type;
}

// Every scalar inside the value, at any depth, with what is declared of it.
void collect(Value& value, const FieldType* type, std::vector<Scalar>& scalars) {
  type = opened(type);
  const std::span<const FieldInfo> fields = type ? type->fields : std::span<const FieldInfo>();
  if (value.as_object()) {
    std::size_t i = 0;
    for (auto& [key, part] : value.object())
      collect(part, i < fields.size() ? fields[i].type : nullptr, scalars), ++i;
  } else if (value.as_array()) {
    std::size_t i = 0;
    for (Value& part : value.array()) {
      if (type && type->kind == FieldKind::map && part.as_array() && part.array().size() == 2) {
        collect(part.array()[0], type->key, scalars);
        collect(part.array()[1], type->item, scalars);
      } else {
        collect(part, i < fields.size() ? fields[i].type : type ? type->item : nullptr, scalars);
      }
      ++i;
    }
  } else {
    scalars.push_back({&value, type});
  }
}

void nudge(Value& scalar, Rng& rng) {
  if (const bool* b = scalar.as_bool()) {
    scalar = Value(!*b);
  } else if (const auto* i = scalar.as_int()) {
    static constexpr std::int64_t steps[] = {-1, 1, -2, 2};
    const std::uint64_t k = rng.below(5);
    const auto wrapped = static_cast<std::uint64_t>(*i) + static_cast<std::uint64_t>(steps[k % 4]);
    scalar = k == 4 ? Value(std::int64_t{0}) : Value(static_cast<std::int64_t>(wrapped));
  } else if (const auto* text = scalar.as_text()) {
    scalar = Value(text->empty() ? "?" : text->substr(0, text->size() - 1));
  } else if (const auto number = scalar.as_number()) {
    scalar = Value(*number + (rng.chance(0.5) ? 1.0 : -1.0));
  }
}

}  // namespace

std::optional<Action> random_mutation(World& world, const Action& message, Rng& rng) {
  const Flight& flight = world.pending().flights[message.hint];
  const TypeInfo& type = *flight.body->type;
  Value content = type.to_value(flight.body->content());
  const System& system = *world.setup().system;
  if (system.mutate) {
    if (!system.mutate(rng, type, content)) return std::nullopt;
  } else {
    std::vector<Scalar> scalars;
    collect(content, type.schema, scalars);
    if (scalars.empty()) return std::nullopt;
    const auto [scalar, declared] = scalars[rng.below(scalars.size())];
    const Value before = *scalar;
    nudge(*scalar, rng);
    // Half a word, or less than a natural number has, is nothing that could be sent.
    if (declared && !before.is_null() && !fits(*declared, *scalar)) {
      auto other = draw_other(*declared, before, rng);
      if (!other) return std::nullopt;
      *scalar = *std::move(other);
    }
  }
  const std::uint32_t index = world.add_content(std::move(content));
  return make_action(Do::mutate, flight.name, index, message.hint);
}

}  // namespace schism
