#include "schism/coverage/painter.hpp"

#include <algorithm>

namespace schism {
namespace {

struct Schema {
  Paint& paint;
  std::span<const FieldInfo> fields;
  std::size_t next = 0;
};

std::uint64_t bytes_of(const void* field, const FieldType& type) {
  std::uint64_t out = 0;
  std::memcpy(&out, field, std::min<std::size_t>(type.bytes, sizeof(out)));
  return out;
}

std::int64_t number_of(const void* field, const FieldType& type) {
  const auto bits = static_cast<std::int64_t>(bytes_of(field, type));
  const int unused = 64 - 8 * std::min<int>(type.bytes, 8);
  return type.natural ? bits : bits << unused >> unused;  // with its sign
}

void take(void* self, const void* field) {
  auto& schema = *static_cast<Schema*>(self);
  const FieldType& type = *schema.fields[schema.next++].type;
  if (type.bytes == 0) return;
  if (type.kind == FieldKind::word) schema.paint.role(bytes_of(field, type));
  if (type.kind == FieldKind::boolean) schema.paint.is(bytes_of(field, type));
  if (type.kind == FieldKind::integer) schema.paint.rank(number_of(field, type));
}

}  // namespace

Paint Painter::paint(const World& world, NodeId id) const {
  Paint out;
  const void* const node = world.node(id);
  if (!node) return out;
  const TypeInfo& type = world.node_type(id);
  for (const System::Painter& own : system_->painters)
    if (own.type == &type) {
      own.paint(node, out);
      return out;
    }
  Schema schema{out, type.fields};
  if (type.schema->visit) type.schema->visit(node, &schema, take);
  return out;
}

Paint Painter::portray(const World& world, NodeId id, bool raw_ids) const {
  const void* const node = world.node(id);
  if (node)
    for (const System::Portrait& own : system_->portraits)
      if (own.type == &world.node_type(id)) {
        Paint out;
        own.paint(node, {id, raw_ids}, out);
        return out;
      }
  return paint(world, id);
}

std::span<const std::uint64_t> Palette::hues(std::span<const Paint> paints,
                                             std::span<const std::uint64_t> types) {
  hues_.resize(paints.size());
  std::size_t ranks = 0;
  for (std::size_t i = 0; i < paints.size(); ++i) {
    hues_[i] = paints[i].own() ^ types[i];
    ranks = std::max(ranks, paints[i].ranks());
  }
  for (std::size_t which = 0; which < ranks; ++which) rank(paints, types, which);
  return hues_;
}

std::uint64_t Palette::colour(std::span<const Paint> paints, std::span<const std::uint64_t> types) {
  std::uint64_t sum = paints.size();
  for (const std::uint64_t hue : hues(paints, types)) sum += mix64(hue);
  return mix64(sum);
}

// How many different smaller values of the same counter there are.
void Palette::rank(std::span<const Paint> paints, std::span<const std::uint64_t> types,
                   std::size_t which) {
  values_.clear();
  for (std::size_t i = 0; i < paints.size(); ++i)
    if (paints[i].ranks() > which) values_.emplace_back(types[i], paints[i].ranked(which));
  std::sort(values_.begin(), values_.end());
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
  for (std::size_t i = 0; i < paints.size(); ++i) {
    if (paints[i].ranks() <= which) continue;
    const auto own = std::pair(types[i], paints[i].ranked(which));
    std::size_t at = 0, below = 0;
    while (values_[at] != own) below += values_[at++].first == types[i] ? 1 : 0;
    hues_[i] = mix64(hues_[i] + below + 1);
  }
}

}  // namespace schism
