#include "schism/check/division.hpp"

#include <algorithm>

namespace schism::check {
namespace {

// Old prefixes are short and their branches large, so they come first; unless there is so much to
// remember that it is better to finish something.
constexpr std::size_t kPrefixesMany = 4'000;

}  // namespace

std::vector<Division::Given> Division::give(std::size_t most) {
  std::vector<Given> out;
  if (!begun_ && most > 0) {
    begun_ = true;
    given_[next_] = {};
    return {{next_++, {}}};
  }
  for (; out.size() < most && !others_.empty(); others_.pop_back())
    out.push_back(give_out(others_.back().prefix, std::move(others_.back().task)));
  const auto from = [&](std::uint64_t number, const Prefix& prefix) {
    while (out.size() < most && prefix.tree != WakeupTrees::kEmpty)
      out.push_back(make_task(number));
  };
  if (prefixes_.size() < kPrefixesMany)
    for (const auto& [number, prefix] : prefixes_) from(number, prefix);
  else
    for (auto at = prefixes_.rbegin(); at != prefixes_.rend(); ++at) from(at->first, at->second);
  return out;
}

Division::Given Division::make_task(std::uint64_t number) {
  Prefix& prefix = prefixes_.at(number);
  WakeupTrees::Node children = WakeupTrees::kEmpty;
  const Process event = trees_.take(prefix.tree, children);
  DporTask task;
  for (const Process& q : prefix.explored)
    if (!share(q.objects, event.objects)) task.sleep.push_back(q);
  if (options_.mode != Reduction::none) prefix.explored.push_back(event);
  task.tree = trees_.cut(children);
  Process next = event;
  for (std::uint64_t at = number; at != kNobody; at = prefixes_.at(at).parent) {
    task.path.push_back(next);
    next = prefixes_.at(at).event;
  }
  std::reverse(task.path.begin(), task.path.end());
  ++prefix.users;
  return give_out(number, std::move(task));
}

Division::Given Division::give_out(std::uint64_t prefix, DporTask task) {
  given_[next_] = {prefix, {task.path, task.sleep, {}}};
  return {next_++, std::move(task)};
}

void Division::take(std::uint64_t number, const DporRest& rest) {
  const Origin origin = std::move(given_.at(number));
  given_.erase(number);
  std::uint64_t parent = origin.prefix;
  Process event = rest.last;
  for (const Choices& other : rest.others) {
    Origin& again = others_.emplace_back(origin);
    again.task.path.back().choices = other;
    ++prefixes_.at(parent).users;
  }
  std::uint32_t depth = parent == kNobody ? options_.from : prefixes_.at(parent).depth + 1;
  for (const DporRest::Level& level : rest.stack) {
    const std::uint64_t mine = next_++;
    prefixes_[mine] = {parent, depth++, event, level.sleep, trees_.grow(level.tree), 1};
    parent = mine, event = level.event;
  }
  // The last one has no user but its own branches.
  if (parent != kNobody) release(parent);
}

void Division::release(std::uint64_t number) {
  --prefixes_.at(number).users;
  while (number != kNobody) {
    const auto at = prefixes_.find(number);
    if (at->second.users > 0 || at->second.tree != WakeupTrees::kEmpty) return;
    const std::uint64_t parent = at->second.parent;
    prefixes_.erase(at);
    if (parent != kNobody) --prefixes_.at(parent).users;
    number = parent;
  }
}

}  // namespace schism::check
