#include "systems/craft/oracles.hpp"

#include <algorithm>

namespace schism::craft {
namespace {

// A library that goes wrong may name any term or index.
constexpr std::size_t kIndexMax = 1U << 20;

template <class T>
T& grown(std::vector<T>& list, std::size_t at, const T& fresh = T{}) {
  at = std::min(at, kIndexMax);
  if (at >= list.size()) list.resize(at + 1 + at / 2, fresh);
  return list[at];
}

}  // namespace

// ---- log matching --------------------------------------------------------------------------

void LogMatching::begin(const World&) {
  absolve();
  first_.clear();
  seen_.clear();
}

void LogMatching::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    const auto* change = announced_as<LogChange>(event);
    const Craft* node = change ? world.as<Craft>(event.node) : nullptr;
    if (!node) continue;
    const LogView& log = node->log();
    for (Index i = std::max(change->first, log.base()); i <= std::min(change->last, log.last());
         ++i)
      if (log.term(i) > 0) check(world, event.node, i, log.term(i), log.prefix(i));
  }
}

void LogMatching::check(const World& world, NodeId node, Index index, Term term,
                        const Hash128& prefix) {
  std::uint32_t& first = grown(first_, index, kNone);
  for (std::uint32_t i = first; i != kNone; i = seen_[i].next) {
    const Seen& seen = seen_[i];
    if (seen.term != term) continue;
    if (seen.prefix != prefix)
      violate(world,
              fmt::format("the logs of nodes {} and {} differ before or at index {}, where both "
                          "have an entry of term {}",
                          seen.node, node, index, term),
              {{seen.step, fmt::format("at node {}", seen.node)},
               {world.step(), fmt::format("at node {}", node)}});
    return;
  }
  seen_.push_back({prefix, term, node, world.step(), first});
  first = static_cast<std::uint32_t>(seen_.size() - 1);
}

std::optional<Hash128> LogMatching::digest() const {
  Hash128 sum = seeded("log-matching");
  for (std::size_t index = 0; index < first_.size(); ++index)
    for (std::uint32_t i = first_[index]; i != kNone; i = seen_[i].next)
      sum += absorb(absorb(seen_[i].prefix, index), seen_[i].term);
  return sum;
}

// ---- committed entries ---------------------------------------------------------------------

void CommittedEntries::begin(const World&) {
  absolve();
  known_.clear();
}

void CommittedEntries::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    const auto* committed = announced_as<Committed>(event);
    const Craft* node = committed ? world.as<Craft>(event.node) : nullptr;
    if (!node) continue;
    const LogView& log = node->log();
    const Index last = std::min(committed->last, log.last());
    for (Index i = std::max(committed->first, log.base()); i <= last; ++i) {
      if (log.term(i) == 0) continue;
      Known& known = grown(known_, i);
      if (known.node == -1) {
        known = {log.prefix(i), event.node, world.step()};
      } else if (known.prefix != log.prefix(i)) {
        violate(world,
                fmt::format("nodes {} and {} committed different logs up to index {}", known.node,
                            event.node, i),
                {{known.step, fmt::format("node {} committed", known.node)},
                 {world.step(), fmt::format("node {} committed", event.node)}});
        return;
      }
    }
  }
}

std::optional<Hash128> CommittedEntries::digest() const {
  Hash128 sum = seeded("committed-entries");
  for (std::size_t index = 0; index < known_.size(); ++index)
    if (known_[index].node != -1) sum += absorb(known_[index].prefix, index);
  return sum;
}

// ---- the same history ----------------------------------------------------------------------

void SameHistory::begin(const World&) {
  absolve();
  known_.clear();
}

void SameHistory::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    if (const auto* applied = announced_as<Applied>(event))
      check(world, event.node, applied->after);
    else if (const auto* restored = announced_as<Restored>(event))
      check(world, event.node, restored->after);
  }
}

void SameHistory::check(const World& world, NodeId node, const History& history) {
  Known& known = grown(known_, history.count);
  if (known.node == -1) {
    known = {history.commands, node, world.step()};
  } else if (known.commands != history.commands) {
    violate(world,
            fmt::format("nodes {} and {} executed different commands, {} each", known.node, node,
                        history.count),
            {{known.step, fmt::format("at node {}", known.node)},
             {world.step(), fmt::format("at node {}", node)}});
  }
}

std::optional<Hash128> SameHistory::digest() const {
  Hash128 sum = seeded("same-history");
  for (std::size_t count = 0; count < known_.size(); ++count)
    if (known_[count].node != -1) sum += absorb(known_[count].commands, count);
  return sum;
}

// ---- what a node sees by itself ------------------------------------------------------------

void NoFlaw::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    const auto* flaw = announced_as<Flaw>(event);
    if (flaw && flaw->kind == kind_)
      violate(world, fmt::format("node {}: {}", event.node, flaw->what), {{world.step(), "seen"}});
  }
}

// ---- match indices -------------------------------------------------------------------------

MatchIndices::MatchIndices(const Setup& setup) {
  wanted_ = static_cast<const Config*>(setup.config.get())->matches;
}

std::optional<Observer> MatchIndices::observes() const {
  if (!wanted_) return std::nullopt;
  return Observer{kNodeActed, {}};
}

void MatchIndices::look(const World& world, std::span<const Event>) {
  if (!wanted_) return;
  for (NodeId id = 0; id < world.setup().nodes; ++id) {
    const Craft* node = world.as<Craft>(id);
    if (!node || !node->running() || !node->leads()) continue;
    for (const Progress& progress : node->progress()) check(world, id, *node, progress);
  }
}

void MatchIndices::check(const World& world, NodeId id, const Craft& leader,
                         const Progress& progress) {
  const auto other = static_cast<NodeId>(progress.server);
  if (other == id || other < 0 || other >= world.setup().nodes) return;
  const Craft* node = world.as<Craft>(other);
  if (!node || !node->running() || node->io_failed() || node->term != leader.term) return;
  const Index match = progress.match;
  const bool missing = match > node->log().last();
  if (!missing && !(leader.log().knows(match) && node->log().knows(match))) return;
  if (!missing && leader.log().prefix(match) == node->log().prefix(match)) return;
  violate(
      world,
      fmt::format("leader {} of term {} counts its entries up to {} as stored at node {}, {}", id,
                  leader.term, match, other,
                  missing ? fmt::format("which has {}", node->log().last()) : "where others stand"),
      {{world.step(), fmt::format("at leader {}", id)}});
}

// ---- progress ------------------------------------------------------------------------------

Progressing::Progressing(const Setup& setup) {
  wanted_ = static_cast<const Config*>(setup.config.get())->progress;
}

void Progressing::begin(const World&) {
  absolve();
  judged_ = satisfied_ = false;
  leader_ = -1;
}

// The leader of the highest term, if there is one.
const Craft* Progressing::leader(const World& world, NodeId& id) {
  const Craft* found = nullptr;
  for (NodeId i = 0; i < world.setup().nodes; ++i) {
    const Craft* node = world.as<Craft>(i);
    if (!node || !node->leads() || (found && found->term > node->term)) continue;
    found = node;
    id = i;
  }
  return found;
}

void Progressing::look(const World& world, std::span<const Event>) {
  if (!wanted_ || satisfied_ || !world.calm()) return;
  NodeId id = -1;
  const Craft* now = leader(world, id);
  if (!now) {
    leader_ = -1;
    return;
  }
  if (id != leader_ || now->term != term_) {
    leader_ = id;
    term_ = now->term;
    // Without an entry of its own term a leader commits nothing of earlier terms; its barrier comes
    // with its first tick.
    const auto* config = static_cast<const Config*>(world.setup().config.get());
    const LogView& log = now->log();
    const bool has_own = log.knows(now->last) && log.term(now->last) == now->term;
    due_ = config->barriers ? now->last + (has_own ? 0 : 1) : 0;
  }
  satisfied_ = behind(world, *now) == -1;
}

NodeId Progressing::behind(const World& world, const Craft& leader) const {
  for (const Member& member : leader.members()) {
    if (member.role == ServerRole::spare) continue;
    const auto id = static_cast<NodeId>(member.server);
    const Craft* node = world.as<Craft>(id);
    if (node && node->commit < due_) return id;
  }
  return -1;
}

// A disk that failed may have taken its node down for good.
void Progressing::finish(const World& world, const Ending& ending) {
  judged_ = wanted_ && ending.fair && world.calm();
  for (NodeId i = 0; i < world.setup().nodes; ++i)
    if (const Craft* node = world.as<Craft>(i); node && node->io_failed()) judged_ = false;
  if (!judged_ || satisfied_) return;
  NodeId id = -1;
  const Craft* now = leader(world, id);
  if (!now || id != leader_ || now->term != term_) {
    violate(world, "nobody leads, though the end was fair");
    return;
  }
  const NodeId late = behind(world, *now);
  if (late == -1) return;
  violate(world, fmt::format("node {} has committed {} of the {} entries of leader {} in term {}, "
                             "though the end was fair",
                             late, world.as<Craft>(late)->commit, due_, id, term_));
}

}  // namespace schism::craft
