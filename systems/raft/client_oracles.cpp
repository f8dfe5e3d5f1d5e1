// What clients rely on, and that they get anywhere at all.
#include <algorithm>

#include "systems/raft/oracles.hpp"

namespace schism::raft {

// ---- what clients rely on ------------------------------------------------------------------

void AtMostOnce::begin(const World&) {
  absolve();
  for (auto& effects : effects_) effects.clear();
}

void AtMostOnce::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    const auto* commit = announced_as<Commit>(event);
    if (!commit || !commit->took_effect || commit->payload.client >= kClientsMax) continue;
    const Command& request = commit->payload;
    if (request.op != Op::put && request.op != Op::cas) continue;
    Effect& effect = grown(effects_[request.client], request.sequence);
    if (effect.index == 0) {
      effect = {commit->index, world.step()};
    } else if (effect.index != commit->index) {
      violate(world,
              fmt::format("request {} of client {} took effect at index {} and again at {}",
                          request.sequence, request.client, effect.index, commit->index),
              {{effect.step, "took effect"}, {world.step(), "took effect again"}});
    }
  }
}

std::optional<Hash128> AtMostOnce::digest() const {
  Hash128 sum = seeded("at-most-once");
  for (std::size_t client = 0; client < effects_.size(); ++client)
    for (std::size_t i = 0; i < effects_[client].size(); ++i)
      if (const Index index = effects_[client][i].index)
        sum += absorb(absorb(scatter(client), i), index);
  return sum;
}

void FreshReads::begin(const World& world) {
  absolve();
  newest_ = {};
  asked_ = {};
  const auto* config = static_cast<const Config*>(world.setup().config.get());
  judged_ = config->reads != Reads::lease || world.setup().options.time != TimeUse::untimed;
}

void FreshReads::look(const World& world, std::span<const Event> events) {
  if (!judged_) return;
  for (const Event& event : events) {
    if (event.kind == Happened::invoked) ask(world, event);
    else if (event.kind == Happened::answered) hear(world, event);
  }
}

void FreshReads::ask(const World& world, const Event& event) {
  int key = -1;
  if (const auto* get = event.as<Get>()) key = get->key;
  else if (const auto* put = event.as<Put>()) key = put->key;
  else if (const auto* cas = event.as<Cas>()) key = cas->key;
  if (event.peer >= kClientsMax) return;
  asked_[event.peer] = {event.value, key,
                        key < 0 ? Known{} : newest_[static_cast<std::size_t>(key)], world.step()};
}

void FreshReads::hear(const World& world, const Event& event) {
  const auto* answer = event.as<Answer>();
  if (!answer || event.peer >= kClientsMax) return;
  if (answer->outcome == Outcome::refused || answer->outcome == Outcome::unknown) return;
  const Asked& asked = asked_[event.peer];
  if (asked.request != event.value || asked.key < 0) return;
  if (answer->version < asked.newest.version)
    violate(
        world,
        fmt::format("client {} got version {} of key {}, but version {} had been seen before it "
                    "asked",
                    event.peer, answer->version, asked.key, asked.newest.version),
        {{asked.newest.step, "seen"}, {asked.step, "asked"}, {world.step(), "answered"}});
  Known& newest = newest_[static_cast<std::size_t>(asked.key)];
  if (answer->version > newest.version) newest = {answer->version, world.step()};
}

std::optional<Hash128> FreshReads::digest() const {
  Hash128 h = seeded("fresh-reads");
  for (const Known& known : newest_) h = absorb(h, known.version);
  for (const Asked& asked : asked_)
    h = absorb(absorb(absorb(h, asked.request), static_cast<std::uint64_t>(asked.key)),
               asked.newest.version);
  return h;
}

// ---- progress ------------------------------------------------------------------------------

// A server that was removed and does not know it disturbs the others for ever, unless they ask
// before they vote and stick to their leader (dissertation 4.2.3).
Progressing::Progressing(const Setup& setup) {
  const auto* config = static_cast<const Config*>(setup.config.get());
  wanted_ =
      config->progress && (config->membership == 0 || (config->pre_vote && config->check_quorum));
}

void Progressing::begin(const World&) {
  absolve();
  judged_ = satisfied_ = false;
  leader_ = kNobody;
}

// The leader of the highest term, if there is one.
const Raft* Progressing::leader(const World& world, NodeId& id) {
  const Raft* found = nullptr;
  for (NodeId i = 0; i < world.setup().nodes; ++i) {
    const Raft* node = world.as<Raft>(i);
    if (!node || !node->leads() || (found && found->term > node->term)) continue;
    found = node;
    id = i;
  }
  return found;
}

void Progressing::look(const World& world, std::span<const Event>) {
  if (!wanted_ || satisfied_ || !world.calm()) return;
  NodeId id = kNobody;
  const Raft* now = leader(world, id);
  if (!now) {
    leader_ = kNobody;
    return;
  }
  if (id != leader_ || now->term != term_) {
    leader_ = id;
    term_ = now->term;
    // Without an entry of its own term a leader commits nothing of earlier terms.
    const auto* config = static_cast<const Config*>(world.setup().config.get());
    due_ = config->empty_entry ? now->log.last() : 0;
  }
  satisfied_ = behind(world, *now) == kNobody;
}

NodeId Progressing::behind(const World& world, const Raft& leader) const {
  for (NodeId id = 0; id < world.setup().nodes; ++id) {
    const Raft* node = world.as<Raft>(id);
    if (node && leader.is_member(id) && node->commit < due_) return id;
  }
  return kNobody;
}

void Progressing::finish(const World& world, const Ending& ending) {
  judged_ = wanted_ && ending.fair && world.calm();
  if (!judged_ || satisfied_) return;
  NodeId id = kNobody;
  const Raft* now = leader(world, id);
  if (!now || id != leader_ || now->term != term_) {
    violate(world, "nobody leads, though the end was fair");
    return;
  }
  const NodeId late = behind(world, *now);
  if (late == kNobody) return;
  violate(world,
          fmt::format("node {} has committed {} of the {} entries that leader {} had in term {}, "
                      "though the end was fair",
                      late, world.as<Raft>(late)->commit, due_, id, term_));
}

}  // namespace schism::raft
