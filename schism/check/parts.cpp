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
  return out;
}

Part part_of(std::vector<NodeId> crashing, bool any) {
  Part out;
  out.crashing = std::move(crashing);
  out.any = any;
  return out;
}

// Sets of `size` of the candidates, in lexical order.
void choose_sets(const std::vector<NodeId>& from, std::size_t size, std::size_t begin,
                 std::vector<NodeId>& chosen, std::vector<Part>& out) {
  if (chosen.size() == size) {
    out.push_back(part_of(chosen, false));
    return;
  }
  for (std::size_t i = begin; i < from.size(); ++i) {
    chosen.push_back(from[i]);
    choose_sets(from, size, i + 1, chosen, out);
    chosen.pop_back();
  }
}

}  // namespace

std::vector<Part> parts_of(const RunConfig& config, Crashing crashing) {
  const auto from = candidates(config);
  const std::size_t most = std::min<std::size_t>(config.setup.options.faults.crash, from.size());
  if (crashing == Crashing::exactly && most > 0) return {part_of(from, false)};
  if (crashing == Crashing::any && most > 0) return {part_of({}, false), part_of(from, true)};
  std::vector<Part> out;
  std::vector<NodeId> chosen;
  for (std::size_t size = 0; size <= most; ++size) choose_sets(from, size, 0, chosen, out);
  return out;
}

void join_alike(std::vector<Part>& parts, const Symmetry& symmetry) {
  std::map<std::pair<bool, std::vector<int>>, std::size_t> first;
  std::vector<Part> out;
  for (Part& part : parts) {
    std::vector<int> groups;
    for (const NodeId id : part.crashing)
      groups.push_back(symmetry.groups()[static_cast<std::size_t>(id)]);
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
  b.crashes = part.any ? config.setup.options.faults.crash : 0;
  b.restarts = restarts;
  b.drops = config.setup.options.faults.drop;
  b.duplicates = config.setup.options.faults.duplicate;
  b.events = events;
  return b;
}

}  // namespace schism::check
