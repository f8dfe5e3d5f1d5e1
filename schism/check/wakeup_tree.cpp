#include "schism/check/wakeup_tree.hpp"

#include <algorithm>

namespace schism::check {

WakeupTrees::Node WakeupTrees::make(const Process& process) {
  Node node = free_;
  if (node == kEmpty) {
    node = static_cast<Node>(nodes_.size());
    nodes_.emplace_back();
  } else {
    free_ = nodes_[node].next;
  }
  nodes_[node] = {process, kEmpty, kEmpty};
  peak_ = std::max(peak_, ++used_);
  return node;
}

void WakeupTrees::append(Node& tree, Node node) {
  if (tree == kEmpty) {
    tree = node;
    return;
  }
  Node last = tree;
  while (nodes_[last].next != kEmpty) last = nodes_[last].next;
  nodes_[last].next = node;
}

WakeupTrees::Node WakeupTrees::add(Node& tree, const Process& process) {
  const Node node = make(process);
  append(tree, node);
  return node;
}

void WakeupTrees::put_first(Node& tree, const Process& process) {
  Node before = kEmpty, node = tree;
  while (node != kEmpty && !same_event(nodes_[node].process, process))
    before = node, node = nodes_[node].next;
  if (node == kEmpty) node = make(process);
  else if (before == kEmpty) return;
  else nodes_[before].next = nodes_[node].next;
  nodes_[node].next = tree;
  tree = node;
}

Process WakeupTrees::take(Node& tree, Node& children) {
  const Node node = tree;
  const Process process = nodes_[node].process;
  children = nodes_[node].children;
  tree = nodes_[node].next;
  nodes_[node].next = free_;
  free_ = node;
  --used_;
  return process;
}

void WakeupTrees::insert(Node& tree, std::vector<Process>& v, std::uint32_t room) {
  // The pool may move while a branch grows: positions, not references.
  Node parent = kEmpty, at = tree;
  while (at != kEmpty) {
    Node child = at;
    while (child != kEmpty && !weak_initial(nodes_[child].process, v, v.size() < room))
      child = nodes_[child].next;
    if (child == kEmpty) break;
    const Process taken = nodes_[child].process;
    const auto found =
        std::find_if(v.begin(), v.end(), [&](const Process& p) { return same_event(p, taken); });
    if (found != v.end()) v.erase(found);
    if (nodes_[child].children == kEmpty || v.empty()) return;
    --room;
    parent = child;
    at = nodes_[child].children;
  }
  Node branch = kEmpty, last = kEmpty;
  for (const Process& p : v) {
    const Node node = make(p);
    if (last == kEmpty) branch = node;
    else nodes_[last].children = node;
    last = node;
  }
  if (branch == kEmpty) return;
  if (parent == kEmpty) append(tree, branch);
  else append(nodes_[parent].children, branch);
}

void WakeupTrees::want(Node& tree, const std::vector<Process>& explored, std::vector<Process> v,
                       std::uint32_t room) {
  for (const Process& q : explored)
    if (weak_initial(q, v, v.size() < room)) return;
  insert(tree, v, room);
}

void WakeupTrees::want_first(Node& tree, const std::vector<Process>& explored,
                             const std::vector<Process>& v) {
  for (const Process& q : explored)
    if (initial(q, v)) return;
  if (!has(tree, v)) add(tree, v.front());
}

std::vector<Twig> WakeupTrees::cut(Node& tree) {
  std::vector<Twig> out;
  std::vector<Node> rest = {tree};  // what is still to be taken, a level each
  tree = kEmpty;
  while (!rest.empty()) {
    if (rest.back() == kEmpty) {
      rest.pop_back();
      continue;
    }
    Node children = kEmpty;
    const auto depth = static_cast<std::uint32_t>(rest.size() - 1);
    out.push_back({take(rest.back(), children), depth});
    rest.push_back(children);
  }
  return out;
}

WakeupTrees::Node WakeupTrees::grow(const std::vector<Twig>& twigs) {
  Node tree = kEmpty;
  std::vector<Node> above;  // the newest node of each level
  for (const Twig& twig : twigs) {
    above.resize(twig.depth);
    const Node node = make(twig.process);
    append(above.empty() ? tree : nodes_[above.back()].children, node);
    above.push_back(node);
  }
  return tree;
}

bool WakeupTrees::has(Node tree, const std::vector<Process>& v) const {
  for (Node node = tree; node != kEmpty; node = nodes_[node].next)
    if (initial(nodes_[node].process, v)) return true;
  return false;
}

}  // namespace schism::check
