#include "schism/byzantine/lies.hpp"

#include "schism/schema/shape.hpp"
#include "schism/system/audience.hpp"
#include "schism/system/system.hpp"

namespace schism::byzantine {
namespace {

struct Place {
  Value* value;
  const FieldType* type;  // null: it is not declared
};

const FieldType* opened(const FieldType* type) {
  while (type && type->kind == FieldKind::optional) type = type->item;
  return type;
}

// Scalars and lists that this liar may change: inside an item of somebody else there are none, and
// of its own item neither signer nor seal is.
struct Places {
  const World& world;
  std::vector<Place> scalars, lists;

  void collect(Value& value, const FieldType* type) {
    type = opened(type);
    if (value.as_object()) return record(value, type);
    if (!value.as_array()) {
      if (!value.is_null()) scalars.push_back({&value, type});
      return;
    }
    const bool grows = type && (type->kind == FieldKind::list || type->kind == FieldKind::set ||
                                type->kind == FieldKind::map);
    if (grows && !value.as_array()->empty()) lists.push_back({&value, type});
    std::size_t i = 0;
    for (Value& part : value.array()) {
      const bool entry =
          type && type->kind == FieldKind::map && part.as_array() && part.as_array()->size() == 2;
      if (entry) {
        collect(part.array()[0], type->key);
        collect(part.array()[1], type->item);
      } else {
        collect(part, type && i < type->fields.size() ? type->fields[i].type
                      : type                          ? type->item
                                                      : nullptr);
      }
      ++i;
    }
  }

  void record(Value& value, const FieldType* type) {
    auto& fields = value.object();
    const auto of = [&](std::size_t i) {
      return type && i < type->fields.size() ? type->fields[i].type : nullptr;
    };
    if (type && type->sealed) {
      const Value* signer = value.find("signer");
      const bool own =
          signer && signer->as_int() && world.liar(static_cast<NodeId>(*signer->as_int()));
      if (own) collect(fields[0].second, of(0));
      return;
    }
    for (std::size_t i = 0; i < fields.size(); ++i) collect(fields[i].second, of(i));
  }
};

// Items of `from` become items of `liar`, wherever they stand.
void sign_over(Value& value, const FieldType* type, NodeId from, NodeId liar) {
  type = opened(type);
  if (!type) return;
  const auto part = [&](std::size_t i) {
    return i < type->fields.size() ? type->fields[i].type : type->item;
  };
  if (value.as_object()) {
    auto& fields = value.object();
    if (type->sealed) {
      Value* signer = nullptr;
      for (auto& [name, field] : fields)
        if (name == "signer") signer = &field;
      if (signer && signer->as_int() && *signer->as_int() == from) *signer = Value(liar);
    }
    for (std::size_t i = 0; i < fields.size(); ++i)
      sign_over(fields[i].second, part(i), from, liar);
  } else if (value.as_array()) {
    std::size_t i = 0;
    for (Value& item : value.array()) {
      const bool entry = type->kind == FieldKind::map && item.as_array();
      sign_over(entry ? item.array()[1] : item, part(i++), from, liar);
    }
  }
}

std::optional<Value> changed_scalar(const Place& place, Scope scope, Rng& rng) {
  const Value& before = *place.value;
  std::optional<Value> out;
  if (const bool* flag = before.as_bool()) {
    out = Value(!*flag);
  } else if (const auto* i = before.as_int()) {
    const auto by = scope == Scope::near ? (rng.chance(0.5) ? 1 : -1)
                                         : static_cast<std::int64_t>(rng.next() >> 33);
    out = Value(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(*i) + static_cast<std::uint64_t>(by)));
  } else if (const auto* text = before.as_text()) {
    out = Value(*text + "'");
  }
  if (place.type && (!out || !fits(*place.type, *out))) return draw_other(*place.type, before, rng);
  return out;
}

bool is_change(const LieMaker& lie, const TypeInfo& type, Scope scope) {
  return lie.type == &type && !lie.nil && lie.far == (scope == Scope::any);
}
bool is_change(const LieToHearers& lie, const TypeInfo& type, Scope scope) {
  return lie.type == &type && lie.far == (scope == Scope::any);
}

template <class Make>
std::optional<Value> made_by(const Make& make, const Flight& flight, std::uint64_t seed) {
  const TypeInfo& type = *flight.body->type;
  BodyPool pool;
  Body* body = pool.copy(type, flight.body->content());
  Rng rng(seed);
  std::optional<Value> out;
  if (make(body->content(), rng)) out = type.to_value(body->content());
  pool.release(body);
  return out;
}

}  // namespace

std::size_t lies_declared(const System& system, const TypeInfo& type, Scope scope) {
  std::size_t out = 0;
  for (const LieMaker& lie : system.lies) out += is_change(lie, type, scope) ? 1 : 0;
  for (const LieToHearers& lie : lies_to_hearers(system))
    out += is_change(lie, type, scope) ? 1 : 0;
  return out;
}

std::optional<Value> declared_lie(const World& world, const Flight& flight, Scope scope,
                                  std::size_t which, std::uint64_t seed,
                                  std::span<const NodeId> to) {
  const TypeInfo& type = *flight.body->type;
  const System& system = *world.setup().system;
  for (const LieMaker& lie : system.lies)
    if (is_change(lie, type, scope) && which-- == 0) return made_by(lie.make, flight, seed);
  const NodeId receiver[] = {flight.name.to()};
  if (to.empty()) to = receiver;
  for (const LieToHearers& lie : lies_to_hearers(system)) {
    if (!is_change(lie, type, scope) || which-- != 0) continue;
    const auto make = [&](void* message, Rng& rng) { return lie.make(message, rng, world, to); };
    return made_by(make, flight, seed);
  }
  return std::nullopt;
}

std::optional<bool> signed_by_a_liar(const World& world, const Flight& flight) {
  const TypeInfo& type = *flight.body->type;
  if (!type.seals) return std::nullopt;
  struct Look {
    const World& world;
    bool found = false;
  } look{world};
  // Only read.
  type.seals(const_cast<void*>(flight.body->content()), &look, [](void* self, const Seal& seal) {
    auto& at = *static_cast<Look*>(self);
    at.found = at.found || (seal.holds() && at.world.liar(static_cast<NodeId>(seal.signer)));
  });
  return look.found;
}

std::optional<Value> nothing_voted(const World& world, const Flight& flight) {
  for (const LieMaker& lie : world.setup().system->lies)
    if (lie.nil && lie.type == flight.body->type) return made_by(lie.make, flight, 0);
  return std::nullopt;
}

std::optional<Value> lie_about(const World& world, const Flight& flight, Scope scope,
                               std::uint64_t seed) {
  const TypeInfo& type = *flight.body->type;
  Rng rng(seed);
  const System& system = *world.setup().system;
  if (const std::size_t n = lies_declared(system, type, scope))
    return declared_lie(world, flight, scope, rng.below(n), rng.next());
  Value content = type.to_value(flight.body->content());
  if (system.mutate) {
    if (!system.mutate(rng, type, content)) return std::nullopt;
    return content;
  }
  Places places{world, {}, {}};
  places.collect(content, type.schema);
  const std::size_t all = places.scalars.size() + places.lists.size();
  if (all == 0) return std::nullopt;
  const std::size_t which = rng.below(all);
  if (which >= places.scalars.size()) {
    auto& items = places.lists[which - places.scalars.size()].value->array();
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(rng.below(items.size())));
    return content;
  }
  auto other = changed_scalar(places.scalars[which], scope, rng);
  if (!other) return std::nullopt;
  *places.scalars[which].value = *std::move(other);
  return content;
}

std::optional<Value> shifted(const World& world, const Flight& flight, std::uint64_t which,
                             std::int64_t by) {
  Value content = flight.body->type->to_value(flight.body->content());
  Places places{world, {}, {}};
  places.collect(content, flight.body->type->schema);
  std::erase_if(places.scalars, [](const Place& p) { return !p.value->as_int(); });
  if (places.scalars.empty()) return std::nullopt;
  const Place& place = places.scalars[which % places.scalars.size()];
  const Value other(*place.value->as_int() + by);
  if (place.type && !fits(*place.type, other)) return std::nullopt;
  *place.value = other;
  return content;
}

std::optional<Value> shortened(const World& world, const Flight& flight, std::uint64_t which) {
  Value content = flight.body->type->to_value(flight.body->content());
  Places places{world, {}, {}};
  places.collect(content, flight.body->type->schema);
  if (places.lists.empty()) return std::nullopt;
  auto& items = places.lists[which % places.lists.size()].value->array();
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(which / 7 % items.size()));
  return content;
}

std::optional<Value> emptied(const World& world, const Flight& flight, std::uint64_t which) {
  Value content = flight.body->type->to_value(flight.body->content());
  Places places{world, {}, {}};
  places.collect(content, flight.body->type->schema);
  if (places.lists.empty()) return std::nullopt;
  places.lists[which % places.lists.size()].value->array().clear();
  return content;
}

Blend::Blend(const World& world, const Flight& flight)
    : world_(world), type_(*flight.body->type), honest_(type_.to_value(flight.body->content())) {
  Places places{world, {}, {}};
  places.collect(honest_, type_.schema);
  for (const Place& place : places.scalars) numbers_.push_back(*place.value);
}

std::optional<Value> Blend::with(const Value& earlier, std::uint64_t seed) const {
  Value out = earlier;
  Places ours{world_, {}, {}};
  ours.collect(out, type_.schema);
  if (numbers_.size() != ours.scalars.size()) return std::nullopt;
  Rng rng(seed);
  for (std::size_t i = 0; i < ours.scalars.size(); ++i)
    if (rng.chance(0.5)) *ours.scalars[i].value = numbers_[i];
  if (out == honest_) return std::nullopt;
  return out;
}

std::optional<Value> spliced(const Flight& flight, const Value& earlier, std::uint64_t which) {
  Value out = flight.body->type->to_value(flight.body->content());
  if (!out.as_object() || !earlier.as_object() || out.as_object()->empty()) return std::nullopt;
  auto& [name, field] = out.object()[which % out.as_object()->size()];
  const Value* old = earlier.find(name);
  if (!old || *old == field) return std::nullopt;
  field = *old;
  return out;
}

Value as_own(const TypeInfo& type, Value content, NodeId from, NodeId liar) {
  sign_over(content, type.schema, from, liar);
  return content;
}

Action mutation(World& world, std::uint32_t slot, Value content) {
  const Name name = world.pending().flights[slot].name;
  return make_action(Do::mutate, name, world.add_content(std::move(content)), slot);
}

Action omission(const World& world, std::uint32_t slot) {
  return make_action(Do::omit, world.pending().flights[slot].name, 0, slot);
}

Action invention(World& world, NodeId from, NodeId to, int type, Value content) {
  return make_action(Do::inject, Name(from, to, type, 0), world.add_content(std::move(content)));
}

}  // namespace schism::byzantine
