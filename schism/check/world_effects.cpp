// How each step changes what is still possible.
#include "schism/check/world_model.hpp"

namespace schism::check {

void WorldModel::kill(std::uint32_t pend, Killer by) {
  if (pends_[pend].executed == 0 && pends_[pend].killers[by] == 0) pends_[pend].killers[by] = step_;
}

template <class Which>
void WorldModel::kill_where(Killer by, Which which) {
  for (std::uint32_t i = 0; i < pends_.size(); ++i)
    if (which(more_[i])) kill(i, by);
}

void WorldModel::uncount(const More& done) {
  if (done.kind == Do::drop) --link_of(messages_[done.message].name).drops;
  else if (done.kind == Do::duplicate) --link_of(messages_[done.message].name).duplicates;
  else --nodes_[static_cast<std::size_t>(done.node)].events;
  if (done.kind == Do::crash) --crashes_;
}

void WorldModel::after(std::uint32_t index) {
  const More done = more_[index];
  const bool of_message = done.kind == Do::deliver || done.kind == Do::submit || is_loss(done.kind);
  if (of_message) after_fate(done);
  if (done.kind == Do::crash) after_crash(done.node);
  if (done.kind == Do::restart) after_restart(done.node);
  if (is_loss(done.kind)) return;
  if (done.kind == Do::inject) add_lie(done.message);
  if (has_locals_) after_node(done.node);
  NodeLog& log = nodes_[static_cast<std::size_t>(done.node)];
  if (++log.events != bounds_.events) return;
  log.bound = step_;
  kill_where(at_node, [&](const More& m) { return m.node == done.node && !is_loss(m.kind); });
}

void WorldModel::after_fate(const More& done) {
  Message& m = messages_[done.message];
  m.fate = step_;
  const Name name = m.name;
  const std::uint32_t slot = m.slot;
  if (has_fates(m))
    kill_where(at_message, [&](const More& o) {
      return o.message == done.message && (o.kind == m.kind || is_loss(o.kind));
    });
  if (m.kind == Do::deliver && setup_.options.links == LinkOrder::fifo) open_next(done.message);
  if (!is_loss(done.kind)) return;  // a request's name is that of no link
  LinkLog& link = link_of(name);
  if (done.kind == Do::drop && ++link.drops == bounds_.drops) {
    link.no_drops = step_;
    kill_where(at_link, [&](const More& o) {
      return o.kind == Do::drop && link_number(messages_[o.message].name) == link_number(name);
    });
  }
  if (done.kind != Do::duplicate) return;
  if (++link.duplicates == bounds_.duplicates) {
    link.no_duplicates = step_;
    kill_where(at_link, [&](const More& o) {
      return o.kind == Do::duplicate && link_number(messages_[o.message].name) == link_number(name);
    });
  }
  // The original goes on under a new identity, as its copy does.
  add_message(slot);
}

void WorldModel::open_next(std::uint32_t message) {
  for (std::uint32_t i = 0; i < pends_.size(); ++i) {
    const More& more = more_[i];
    const bool on_link = more.kind == Do::deliver || is_loss(more.kind);
    if (on_link && messages_[more.message].previous == message) pends_[i].enablers[1] = step_;
  }
}

void WorldModel::after_crash(NodeId node) {
  NodeLog& log = nodes_[static_cast<std::size_t>(node)];
  const auto life = static_cast<std::uint32_t>(log.lives.size() - 1);
  log.lives.back().ended = step_;
  const bool forgets = setup_.options.down == WhenDown::lost;
  kill_where(at_node, [&](const More& o) {
    if (o.node != node) return false;
    if (is_loss(o.kind)) return forgets;
    if (o.kind == Do::crash) return true;
    return (o.kind == Do::deliver || o.kind == Do::submit) && o.life == life &&
           !arrives_when_down(messages_[o.message]);
  });
  if (!bounds_.incarnations) reopen();
  if (bounds_.crashes > 0 && crashes_ + 1 == bounds_.crashes) {
    no_crashes_ = step_;
    kill_where(at_budget, [](const More& o) { return o.kind == Do::crash; });
  }
  ++crashes_;
  if (2 * life + 1 < bounds_.turns_of(node))
    add({Do::restart, node, kNone, 0, life + 1, 0}, seeded("restart", node_bit(node)),
        node_bit(node))
        .killers[at_node] = log.bound;
}

void WorldModel::after_restart(NodeId node) {
  NodeLog& log = nodes_[static_cast<std::size_t>(node)];
  log.lives.push_back({step_, 0});
  const auto life = static_cast<std::uint32_t>(log.lives.size() - 1);
  for (std::uint32_t m = 0; m < messages_.size(); ++m) {
    const NodeId to = messages_[m].to;
    if (has_lives(messages_[m]) &&
        (to == node || (to == kAnyNode && takes(node, messages_[m].name))))
      add_arrival(m, node, life);
  }
  if (!bounds_.incarnations) reopen();
  if (2 * life < bounds_.turns_of(node)) add_crash(node, life);
}

// Cancelled timers, and disk operations whose turn it is now.
void WorldModel::after_node(NodeId node) {
  for (std::uint32_t i = 0; i < pends_.size(); ++i) {
    const More& more = more_[i];
    if (more.node != node || (more.kind != Do::fire && more.kind != Do::complete)) continue;
    if (pends_[i].executed > 0 || pends_[i].killers[at_node] > 0) continue;
    const Slot& slot = world_->pending().slot(more.kind, more.message);
    if (!slot.alive() || slot.generation != more.generation) kill(i, at_node);
    else if (slot.at != kNone && pends_[i].enablers[1] == kNever) pends_[i].enablers[1] = step_;
  }
}

// What start() took back at the beginning of the run was never possible: no step did it that could
// come later in another run.
void WorldModel::settle() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pends_.size(); ++i) {
    const More& more = more_[i];
    if (more.kind == Do::fire || more.kind == Do::complete) {
      const Slot& slot = world_->pending().slot(more.kind, more.message);
      if (!slot.alive() || slot.generation != more.generation) continue;
    }
    pends_[kept] = pends_[i];
    more_[kept++] = more_[i];
  }
  pends_.resize(kept);
  more_.resize(kept);
}

// Without incarnations a crash kills what is under way to the node, and a restart revives it.
void WorldModel::reopen() {
  for (std::size_t i = 0; i < pends_.size(); ++i) {
    const More& more = more_[i];
    if ((more.kind != Do::deliver && more.kind != Do::submit) || pends_[i].executed > 0) continue;
    if (arrives_when_down(messages_[more.message])) continue;
    const NodeLog& log = nodes_[static_cast<std::size_t>(more.node)];
    pends_[i].killers[at_node] = log.lives.back().ended > 0 ? log.lives.back().ended : log.bound;
    pends_[i].enablers[2] = log.lives.back().begun;
  }
}

}  // namespace schism::check
