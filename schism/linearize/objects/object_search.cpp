#include "schism/linearize/objects/object_search.hpp"

#include <algorithm>
#include <cassert>

namespace schism::linearize {

ObjectSearch::ObjectSearch(const ObjectHistory& history, const Limits& limits)
    : history_(history), limits_(limits), rules_(rules_of(history)) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> events;
  absl::flat_hash_map<std::uint32_t, std::size_t> spares_of;  // by kind
  for (std::uint32_t i = 0; i < history.acts.size(); ++i) {
    const Act& act = history.acts[i];
    const std::uint32_t kind = kind_of(i);
    if (!act.optional()) {
      const auto c = static_cast<std::uint32_t>(completed_.size());
      completed_.push_back(i);
      kind_.push_back(kind);
      events.emplace_back(act.invoked, c);
      events.emplace_back(act.returned, c);
      continue;
    }
    const auto [at, fresh] = spares_of.try_emplace(kind, spares_.size());
    if (fresh) spares_.emplace_back();
    spares_[at->second].acts.push_back(i);
  }
  earliest_.assign(examples_.size(), kNever);
  build_list(std::move(events));
}

std::uint32_t ObjectSearch::kind_of(std::uint32_t i) {
  const Act& act = history_.acts[i];
  std::uint64_t look =
      mix64(std::uint64_t{act.element} << 16 | static_cast<std::uint64_t>(act.function) << 8 |
            static_cast<std::uint64_t>(act.told));
  for (const std::uint32_t e : act.elements) look = mix64(look ^ e);
  for (const Touch& t : act.touches)
    look = mix64(look ^ (std::uint64_t{t.place} << 33 | std::uint64_t{t.value} << 1 | t.sets));
  std::vector<std::uint32_t>& candidates = alike_[look];
  for (const std::uint32_t kind : candidates)
    if (history_.acts[examples_[kind]].is_twin_of(act)) return kind;
  candidates.push_back(static_cast<std::uint32_t>(examples_.size()));
  examples_.push_back(i);
  return candidates.back();
}

void ObjectSearch::build_list(std::vector<std::pair<std::uint32_t, std::uint32_t>> events) {
  std::sort(events.begin(), events.end());
  const std::size_t n = completed_.size();
  invoke_node_.assign(n, 0), return_node_.assign(n, 0);
  owner_.assign(events.size() + 1, 0), next_ = previous_ = owner_;
  for (std::uint32_t node = 1; node <= events.size(); ++node) {
    const std::uint32_t c = events[node - 1].second;
    owner_[node] = c;
    (invoke_node_[c] == 0 ? invoke_node_ : return_node_)[c] = node;
    previous_[node] = node - 1, next_[node - 1] = node;
  }
  previous_[0] = static_cast<std::uint32_t>(events.size());
  next_[events.size()] = 0;
  lifted_.assign(n / 64 + 1, 0);
}

// ---- ordering an operation, and taking that back ----------------------------------------------

void ObjectSearch::lift(std::uint32_t c) {
  for (const std::uint32_t node : {invoke_node_[c], return_node_[c]}) {
    next_[previous_[node]] = next_[node];
    previous_[next_[node]] = previous_[node];
  }
  lifted_[c / 64] |= std::uint64_t{1} << (c % 64);
  rules_->count(completed(c), +1);
  trail_.push_back(c);
}

void ObjectSearch::put_back(std::uint32_t c) {
  for (const std::uint32_t node : {return_node_[c], invoke_node_[c]}) {
    next_[previous_[node]] = node;
    previous_[next_[node]] = node;
  }
  lifted_[c / 64] &= ~(std::uint64_t{1} << (c % 64));
  rules_->count(completed(c), -1);
}

void ObjectSearch::take_spare(std::uint32_t s) {
  Spares& spares = spares_[s];
  if (spares.used == 0) spares_used_.push_back(s);
  rules_->count(spare(spares, spares.used++), +1);
  trail_.push_back(static_cast<std::uint32_t>(completed_.size()) + s);
}

void ObjectSearch::undo_to(std::size_t trail) {
  const auto n = static_cast<std::uint32_t>(completed_.size());
  for (; trail_.size() > trail; trail_.pop_back()) {
    const std::uint32_t last = trail_.back();
    if (last < n) {
      put_back(last);
      continue;
    }
    Spares& spares = spares_[last - n];
    rules_->count(spare(spares, --spares.used), -1);
    if (spares.used == 0) spares_used_.pop_back();  // first used last, so first undone
  }
}

// ---- the search -------------------------------------------------------------------------------

Finding ObjectSearch::run() {
  state_ = rules_->first();
  if (rules_->hopeful(state_) && enter()) return finish(Verdict::linearizable);
  while (!frames_.empty()) {
    const Frame frame = frames_.back();
    undo_to(frame.trail);
    state_ = frame.state;
    if (moves_.size() == frame.moves) {
      frames_.pop_back();
      continue;
    }
    if (is_beyond_limits()) return finish(Verdict::unknown);
    const std::uint32_t move = moves_.back();
    moves_.pop_back();
    if (apply(move) && enter()) return finish(Verdict::linearizable);
  }
  return finish(Verdict::violation);
}

bool ObjectSearch::enter() {
  take_at_once();
  if (next_[0] == 0) return true;
  if (!is_new()) return false;
  frames_.push_back({trail_.size(), moves_.size(), state_});
  list_moves();
  return false;
}

// Those whom the rules let go now; each may clear the way for others.
void ObjectSearch::take_at_once() {
  for (std::uint32_t node = next_[0]; node != 0 && !is_return(node);) {
    const std::uint32_t c = owner_[node];
    const std::uint32_t following = next_[node];
    if (rules_->at_once(state_, completed(c))) {
      if (const auto state = rules_->after(state_, completed(c))) {
        state_ = *state;
        lift(c);
        node = next_[0];
        continue;
      }
    }
    node = following;
  }
}

// The key: the state and what is ordered, from the first word with a gap to the last one in use.
bool ObjectSearch::is_new() {
  const std::uint32_t low = owner_[next_[0]] / 64;  // the first one that is left
  std::uint32_t last = next_[0];
  while (!is_return(last)) last = next_[last];
  // What is ordered was invoked before the first answer that is left.
  const std::size_t high = std::min(lifted_.size(), std::size_t{last} / 64 + 1);
  std::vector<std::uint64_t>& words = memory_.words();
  words.push_back((std::uint64_t{low} + 1) << 32 | state_);
  for (std::size_t w = low; w < high; ++w) words.push_back(lifted_[w]);
  while (words.back() == 0) words.pop_back();
  burden_.clear();
  for (const std::uint32_t s : spares_used_)
    burden_.push_back((Memory::kSpares + s) << 32 | spares_[s].used);
  std::sort(burden_.begin(), burden_.end());
  return memory_.keep(burden_, 0);
}

void ObjectSearch::list_moves() {
  const std::size_t begin = moves_.size();
  could_follow_.clear();
  std::uint32_t node = next_[0];
  for (; !is_return(node); node = next_[node]) {
    const Act& act = completed(owner_[node]);
    could_follow_.push_back(&act);
    std::uint32_t& earliest = earliest_[kind_[owner_[node]]];
    earliest = std::min(earliest, act.returned);
  }
  const std::uint32_t horizon = completed(owner_[node]).returned;
  deepest_ = std::max(deepest_, horizon);
  for (node = next_[0]; !is_return(node); node = next_[node]) {
    const Act& act = completed(owner_[node]);
    // A twin that answers earlier can change places with it.
    const bool can_wait = earliest_[kind_[owner_[node]]] < act.returned;
    if (!can_wait && rules_->may(state_, act)) moves_.push_back(owner_[node]);
  }
  for (node = next_[0]; !is_return(node); node = next_[node])
    earliest_[kind_[owner_[node]]] = kNever;
  const auto first = moves_.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(first, moves_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return completed(a).returned > completed(b).returned;
  });
  // Those without an answer last: most never happened.
  std::vector<std::uint32_t> late;
  const auto n = static_cast<std::uint32_t>(completed_.size());
  for (std::uint32_t s = 0; s < spares_.size(); ++s) {
    const Spares& spares = spares_[s];
    if (spares.used == spares.acts.size()) continue;
    const Act& act = spare(spares, spares.used);
    if (act.invoked < horizon && rules_->may(state_, act) &&
        rules_->helps(state_, act, could_follow_))
      late.push_back(n + s);
  }
  moves_.insert(moves_.begin() + static_cast<std::ptrdiff_t>(begin), late.rbegin(), late.rend());
}

bool ObjectSearch::apply(std::uint32_t move) {
  const auto n = static_cast<std::uint32_t>(completed_.size());
  const bool is_spare = move >= n;
  const Act& act = is_spare ? spare(spares_[move - n], spares_[move - n].used) : completed(move);
  const auto state = rules_->after(state_, act);
  if (!state || (is_spare && *state == state_)) return false;
  state_ = *state;
  if (is_spare) take_spare(move - n);
  else lift(move);
  return rules_->hopeful(state_);
}

bool ObjectSearch::is_beyond_limits() {
  if (memory_.size() >= limits_.configurations ||
      memory_.bytes() + rules_->bytes() > limits_.memory_bytes)
    return true;
  if (limits_.seconds <= 0 || ++steps_ % 1024 != 0) return false;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
  return spent.count() > limits_.seconds;
}

Finding ObjectSearch::finish(Verdict verdict) {
  Finding out{verdict, memory_.size(), {}, deepest_};
  if (verdict != Verdict::linearizable) return out;
  const auto n = static_cast<std::uint32_t>(completed_.size());
  std::vector<std::uint32_t> used(spares_.size(), 0);
  for (const std::uint32_t taken : trail_)
    out.order.push_back(taken < n ? completed_[taken] : spares_[taken - n].acts[used[taken - n]++]);
  assert(is_witness(history_, out.order));
  return out;
}

Finding check(const ObjectHistory& history, const Limits& limits) {
  return ObjectSearch(history, limits).run();
}

}  // namespace schism::linearize
