#include "schism/check/parts.hpp"

#include <algorithm>
#include <map>

namespace schism::check {
namespace {

std::vector<NodeId> candidates(const RunConfig& config) {
  std::vector<NodeId> out;
  for (const std::int64_t id : config.setup.options.may_crash)
    out.push_back(static_cast<NodeId>(id));
  if (out.empty())
    for (NodeId id = 0; id < config.setup.nodes; ++id) out.push_back(id);
  std::sort(out.begin(), out.end());
  return out;
}

// More searches than that nobody waits for.
constexpr std::size_t kPartsMost = 4096;

using Turns = std::vector<std::uint32_t>;

Part part_of(const std::vector<NodeId>& crashing, Turns turns = {}, std::uint32_t any = 0) {
  Part out;
  out.crashing = crashing;
  out.turns = std::move(turns);
  out.any = any;
  return out;
}

// How often each of so many nodes crashes and comes back, in all ways in which their runs can end.
std::vector<Turns> ways_to_end(std::size_t nodes, std::uint32_t restarts) {
  std::vector<Turns> out = {{}};
  for (std::size_t i = 0; i < nodes && out.size() <= kPartsMost; ++i) {
    std::vector<Turns> longer;
    for (const Turns& way : out)
      for (std::uint32_t turns = 1; turns <= 2 * restarts + 1; ++turns) {
        longer.push_back(way);
        longer.back().push_back(turns);
      }
    out = std::move(longer);
  }
  return out;
}

// Sets of `size` of the candidates, in lexical order.
void choose_sets(const std::vector<NodeId>& from, std::size_t size, std::size_t begin,
                 std::vector<NodeId>& chosen, std::vector<std::vector<NodeId>>& out) {
  if (chosen.size() == size) {
    out.push_back(chosen);
    return;
  }
  for (std::size_t i = begin; i < from.size() && out.size() <= kPartsMost; ++i) {
    chosen.push_back(from[i]);
    choose_sets(from, size, i + 1, chosen, out);
    chosen.pop_back();
  }
}

// Of a common budget all is used in the end, so each smaller one is a search of its own. How often
// who crashed comes back is the same for all.
std::vector<Part> parts_of_budgets(const std::vector<NodeId>& from, std::uint32_t most,
                                   std::uint32_t restarts, bool ends) {
  std::vector<Part> out = {part_of({})};
  for (std::uint32_t back = ends ? 0 : restarts; back <= restarts; ++back) {
    const auto all = static_cast<std::uint32_t>(from.size()) * (back + 1);
    const std::uint32_t usable = std::min(most, all);
    for (std::uint32_t crashes = ends ? 1 : usable; crashes <= usable; ++crashes)
      out.push_back(part_of(from, Turns(from.size(), 2 * back + 1), crashes));
  }
  return out;
}

}  // namespace

Result<std::vector<Part>> parts_of(const RunConfig& config, Crashing crashing,
                                   std::uint32_t restarts, bool ends) {
  const auto from = candidates(config);
  const std::size_t most = std::min<std::size_t>(config.setup.options.faults.crash, from.size());
  if (crashing == Crashing::any && most > 0)
    return parts_of_budgets(from, config.setup.options.faults.crash, restarts, ends);
  std::vector<std::vector<NodeId>> sets;
  std::vector<NodeId> chosen;
  if (crashing == Crashing::exactly && most > 0) sets = {from};
  else
    for (std::size_t size = 0; size <= most; ++size) choose_sets(from, size, 0, chosen, sets);
  std::vector<Part> out;
  for (const std::vector<NodeId>& set : sets) {
    const bool once = restarts == 0 || !ends;
    for (Turns& turns : once ? std::vector<Turns>{{}} : ways_to_end(set.size(), restarts))
      out.push_back(part_of(set, std::move(turns)));
    if (out.size() > kPartsMost)
      return error(
          "check: more than {} sets of nodes that crash and come back: say with may-crash "
          "who may crash",
          kPartsMost);
  }
  return out;
}

Value about(const Part& part) {
  const auto list = [](const auto& numbers) {
    Value::Array out;
    for (const auto number : numbers) out.emplace_back(static_cast<std::int64_t>(number));
    return out;
  };
  Value out;
  out.set("crashing", list(part.crashing));
  if (part.any > 0) out.set("any", static_cast<std::int64_t>(part.any));
  const bool back = std::any_of(part.turns.begin(), part.turns.end(), [](auto t) { return t > 1; });
  if (back) out.set("crashes_and_restarts", list(part.turns));
  return out;
}

void join_alike(std::vector<Part>& parts, const Symmetry& symmetry) {
  std::map<std::pair<std::uint32_t, std::vector<std::pair<int, std::uint32_t>>>, std::size_t> first;
  std::vector<Part> out;
  for (Part& part : parts) {
    std::vector<std::pair<int, std::uint32_t>> groups;
    for (std::size_t i = 0; i < part.crashing.size(); ++i)
      groups.emplace_back(symmetry.groups()[static_cast<std::size_t>(part.crashing[i])],
                          part.turns.empty() ? 0 : part.turns[i]);
    std::sort(groups.begin(), groups.end());
    const auto [at, fresh] = first.try_emplace({part.any, std::move(groups)}, out.size());
    if (fresh) out.push_back(std::move(part));
    else ++out[at->second].alike;
  }
  parts = std::move(out);
}

Status spread_starts(std::vector<Part>& parts, const Setup& setup) {
  constexpr std::size_t most = 4096;
  std::vector<Choices> ways = {{}};
  for (std::size_t i = 0; i < ways.size(); ++i) {
    WorldModel model(setup, {}, true, ways[i]);
    model.judge_nothing();
    model.rewind(0);
    if (!model.problem().empty()) return error("check: at the start {}", model.problem());
    each_alternative(model.start(), model.start_asked(), ways[i].count,
                     [&](const Choices& other) { ways.push_back(other); });
    ways[i] = model.start();
    if (ways.size() > most)
      return error("check: nodes can choose in more than {} ways when they start", most);
  }
  std::vector<Part> out;
  for (const Part& part : parts)
    for (const Choices& way : ways) {
      out.push_back(part);
      out.back().start = way;
    }
  parts = std::move(out);
  return {};
}

Bounds bounds_of(const RunConfig& config, const Part& part, std::uint32_t events,
                 std::uint32_t restarts) {
  Bounds b;
  b.may_crash = part.crashing;
  b.turns = part.turns;
  b.crashes = part.any;
  b.restarts = restarts;
  b.drops = config.setup.options.faults.drop;
  b.duplicates = config.setup.options.faults.duplicate;
  b.events = events;
  return b;
}

}  // namespace schism::check
