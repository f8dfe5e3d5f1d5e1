#include "schism/oracle/where.hpp"

namespace schism {

Result<Condition> event_where(Happened kind, const TypeInfo& type, std::string_view text) {
  Condition out{mask_of(kind), &type, nullptr};
  if (kind == Happened::announced || kind == Happened::answered) out.mask = mask_of_type(type);
  if (text.find_first_not_of(' ') == std::string_view::npos) {
    out.holds = [kind](const World&, const Event& event) { return event.kind == kind; };
    return out;
  }
  auto where = Where::parse(type, text);
  if (!where) return tl::unexpected(where.error());
  out.holds = [kind, where = *std::move(where)](const World&, const Event& event) {
    return event.kind == kind && event.body && where.holds(event.body);
  };
  return out;
}

std::optional<bool> holds_at(const Where& where, const World& world, NodeId node) {
  if (const void* object = world.node(node)) return where.holds(object);
  const Value told = world.inspect(node);
  if (told.is_null()) return std::nullopt;
  return where.holds(told);
}

}  // namespace schism
