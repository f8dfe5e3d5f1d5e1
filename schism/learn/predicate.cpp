#include "schism/learn/predicate.hpp"

#include <algorithm>

#include "schism/scenario/progress.hpp"
#include "schism/system/system.hpp"

namespace schism::learn {
namespace {

// Calls f(object) for each that counts: nodes of the view's class, or items of their list.
template <class View, class F>
void each(const std::vector<View>& views, const World& world, F&& f) {
  for (NodeId id = 0; id < world.setup().nodes; ++id) {
    const void* node = world.node(id);
    if (!node) continue;
    for (const View& view : views) {
      if (view.type != &world.node_type(id)) continue;
      if (!view.list) {
        f(view, node, !view.where || view.where->holds(node));
        continue;
      }
      const Value items = view.list->read(node);
      if (!items.as_array()) continue;
      for (const Value& item : *items.as_array())
        f(view, item, !view.where || view.where->holds(item));
    }
  }
}

template <class View, class Source>
std::optional<std::int64_t> number_of(const View& view, const Source& source) {
  std::int64_t out = 0;
  for (const Path& path : view.sum) {
    const Value value = path.read(source);
    if (!value.as_int()) return std::nullopt;
    out += *value.as_int();
  }
  return out;
}

}  // namespace

std::optional<std::int64_t> Predicate::fold(const Number& number, const World& world) {
  std::optional<std::int64_t> out;
  if (number.fold == Fold::count || number.fold == Fold::sum) out = 0;
  each(number.views, world, [&](const View& view, const auto& source, bool counts) {
    if (!counts) return;
    if (number.fold == Fold::count) {
      ++*out;
      return;
    }
    const auto value = number_of(view, source);
    if (!value) return;
    if (number.fold == Fold::sum) *out += *value;
    else if (!out) out = value;
    else out = number.fold == Fold::max ? std::max(*out, *value) : std::min(*out, *value);
  });
  return out;
}

bool Predicate::holds_at(std::uint32_t number, const World& world) const {
  const Term& term = terms_[number];
  switch (term.test) {
    case Test::both: return holds_at(term.left, world) && holds_at(term.right, world);
    case Test::either: return holds_at(term.left, world) || holds_at(term.right, world);
    case Test::negation: return !holds_at(term.left, world);
    case Test::any:
    case Test::all: {
      bool any = false, all = true;
      each(term.views, world, [&](const View&, const auto&, bool holds) {
        any |= holds;
        all &= holds;
      });
      return term.test == Test::any ? any : any && all;
    }
    case Test::compare: break;
  }
  std::int64_t sum = 0;
  for (const Number& part : term.numbers) {
    const std::int64_t plain =
        part.script ? static_cast<std::int64_t>(part.script->told()) : part.constant;
    const auto value = part.fold ? fold(part, world) : std::optional(plain);
    if (!value) return false;  // the largest of nothing is no number
    sum += part.sign * *value;
  }
  switch (term.order) {
    case Order::equal: return sum == 0;
    case Order::unequal: return sum != 0;
    case Order::less: return sum < 0;
    case Order::at_most: return sum <= 0;
    case Order::greater: return sum > 0;
    case Order::at_least: return sum >= 0;
  }
  return false;
}

bool Predicate::holds(const World& world) const { return holds_at(root_, world); }

// ---- scripts -------------------------------------------------------------------------------

Result<std::shared_ptr<scenario::Progress>> Scripts::open(const System& system,
                                                          const std::string& path) {
  auto& place = all_[path];
  if (place) return place;
  auto read = scenario::read_script(path);
  if (!read) return all_.erase(path), tl::unexpected(read.error());
  if (read->run.system.name != system.name)
    return all_.erase(path),
           error("{} is a scenario for {}, not for {}", path, read->run.system.name, system.name);
  place = std::make_shared<scenario::Progress>(*std::move(read));
  if (place->steps() == 0) return all_.erase(path), error("no step of {} is one of nodes", path);
  return place;
}

Status Scripts::bind(const Setup& setup) const {
  for (const auto& [path, script] : all_)
    if (auto bound = script->bind(setup); !bound) return error("{}: {}", path, bound.error());
  return {};
}

EventMask Scripts::wakes_on() const { return empty() ? 0 : scenario::Progress::kHeard; }

void Scripts::begin(const World& world) const {
  for (const auto& [path, script] : all_) script->begin(world);
}

void Scripts::look(const World& world, std::span<const Event> events) const {
  for (const auto& [path, script] : all_) script->look(world, events);
}

}  // namespace schism::learn
