// Wakeup trees (Abdulla, Aronis, Jonsson and Sagonas, Optimal Dynamic Partial Order Reduction):
// which sequences are still to be explored after a prefix. Trees of all prefixes share one pool.
#pragma once

#include <vector>

#include "schism/check/process.hpp"

namespace schism::check {

// Whether a run that begins with v has one in its class that begins with q, or can take q in: q is
// in v and nothing before it depends on it, or it is independent of all of v.
inline bool weak_initial(const Process& q, const std::vector<Process>& v, bool room) {
  for (const Process& p : v) {
    if (same_event(p, q)) return true;
    if (share(p.objects, q.objects)) return false;
  }
  return room;
}
inline bool initial(const Process& q, const std::vector<Process>& v) {
  return weak_initial(q, v, false);
}

// A tree as a list, each node before its children: how it leaves this process.
struct Twig {
  Process process;
  std::uint32_t depth = 0;  // below the root's children
  FIELDS(process, depth)
};

class WakeupTrees {
 public:
  using Node = std::uint32_t;
  static constexpr Node kEmpty = ~Node{0};

  // A sequence as a new last branch, or nothing where a branch covers it. `tree` is the first child
  // of a root, kEmpty for none. `room`: steps left under a depth bound.
  void insert(Node& tree, std::vector<Process>& v, std::uint32_t room);
  Node add(Node& tree, const Process& process);  // a branch of one event, the last
  // The next branch to be taken: the one that begins with this event, or a new one.
  void put_first(Node& tree, const Process& process);
  // The same unless something explored already covers v; and as source sets do it.
  void want(Node& tree, const std::vector<Process>& explored, std::vector<Process> v,
            std::uint32_t room);
  void want_first(Node& tree, const std::vector<Process>& explored, const std::vector<Process>& v);
  // Takes the first branch off. Its children are the tree after it.
  Process take(Node& tree, Node& children);
  bool has(Node tree, const std::vector<Process>& v) const;  // a branch begins with an initial of v

  std::vector<Twig> cut(Node& tree);  // all of it, and it is empty then
  Node grow(const std::vector<Twig>& twigs);

  const Process& process(Node node) const { return nodes_[node].process; }
  Node next(Node node) const { return nodes_[node].next; }
  std::size_t size() const { return used_; }
  std::size_t peak() const { return peak_; }

 private:
  struct Entry {
    Process process;
    Node children = kEmpty, next = kEmpty;
  };
  Node make(const Process& process);
  void append(Node& tree, Node node);

  std::vector<Entry> nodes_;
  Node free_ = kEmpty;
  std::size_t used_ = 0, peak_ = 0;
};

}  // namespace schism::check
