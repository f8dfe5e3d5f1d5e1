#include "schism/check/dpor.hpp"

#include <algorithm>

namespace schism::check {

Dpor::Frame& Dpor::frame(std::uint32_t depth) {
  if (frames_.size() <= depth) frames_.resize(std::size_t{depth} + 8);
  return frames_[depth];
}

bool Dpor::asleep(const Frame& f, const Process& p) const {
  for (const Process& q : f.sleep)
    if (q.id == p.id) return true;
  return false;
}

bool Dpor::any_enabled() const {
  for (const Pend& p : model_.pends())
    if (p.enabled()) return true;
  return false;
}

std::uint32_t Dpor::pick(const Frame& f) const {
  std::uint32_t best = kNever;
  std::uint64_t rank = 0;
  const auto& pends = model_.pends();
  for (std::uint32_t i = 0; i < pends.size(); ++i) {
    if (!pends[i].enabled() || asleep(f, pends[i])) continue;
    if (options_.order == Order::oldest) return i;
    const std::uint64_t mine =
        options_.order == Order::newest ? i : mix64(pends[i].id.lo ^ mix64(options_.order_seed));
    if (best == kNever || mine > rank) best = i, rank = mine;
  }
  return best;
}

// Without races to tell what matters, everything does.
void Dpor::plant_all(Frame& f) {
  const auto& pends = model_.pends();
  std::vector<std::pair<std::uint64_t, std::uint32_t>> found;
  for (std::uint32_t i = 0; i < pends.size(); ++i) {
    if (!pends[i].enabled() || asleep(f, pends[i])) continue;
    const std::uint64_t rank = options_.order == Order::oldest ? i
                               : options_.order == Order::newest
                                   ? pends.size() - i
                                   : mix64(pends[i].id.lo ^ mix64(options_.order_seed));
    found.emplace_back(rank, i);
  }
  if (options_.order != Order::oldest) std::sort(found.begin(), found.end());
  if (f.delays < options_.delays) {
    for (const auto& [rank, i] : found) trees_.add(f.tree, pends[i]);
    return;
  }
  if (found.empty()) return;
  trees_.add(f.tree, pends[model_.default_choice()]);
  totals_.withheld += found.size() - 1;
}

bool Dpor::costs_delay(const Process& p) {
  return options_.delays != kNever && model_.pends()[model_.default_choice()].id != p.id;
}

std::uint32_t Dpor::find(const Process& p) const {
  const auto& pends = model_.pends();
  for (std::uint32_t i = 0; i < pends.size(); ++i)
    if (pends[i].id == p.id && pends[i].enabled()) return i;
  return kNever;
}

std::uint32_t DporOptions::room(std::uint32_t pre) const {
  return depth == 0 || !rules.cut_room ? kNever : depth - pre;
}

// From where the model stands to the end of a run.
bool Dpor::descend() {
  cut_ = blocked_ = false;
  for (;;) {
    const std::uint32_t depth = model_.depth();
    Frame& f = frame(depth);
    if (f.fresh && f.tree == WakeupTrees::kEmpty) {
      const bool all = options_.mode == Reduction::sleep || options_.mode == Reduction::none;
      cut_ = options_.depth > 0 && depth >= options_.depth && any_enabled();
      if (cut_) return model_.finish(false);
      if (all) {
        plant_all(f);
      } else if (const std::uint32_t i = pick(f); i != kNever) {
        trees_.add(f.tree, model_.pends()[i]);
      }
      if (f.tree == WakeupTrees::kEmpty) {
        blocked_ = any_enabled();
        return blocked_ || model_.finish(true);
      }
    }
    f.fresh = false;
    Tree children = WakeupTrees::kEmpty;
    f.current = trees_.take(f.tree, children);
    const std::uint32_t i = find(f.current);
    if (i == kNever) {
      ++totals_.unrunnable;
      ending_ = Finished::broken;
      return false;
    }
    const Process taken = f.current;
    const std::uint32_t delays = f.delays + (costs_delay(taken) ? 1 : 0);
    Frame& next = frame(depth + 1);  // f may have moved
    next.fresh = true;
    next.tree = children;
    next.delays = delays;
    next.sleep.clear();
    for (const Process& q : frames_[depth].sleep)
      if (!share(q.objects, taken.objects)) next.sleep.push_back(q);
    if (!model_.execute(i, taken.choices)) return false;
    branch(depth, taken.choices);
  }
}

// What the step could have answered otherwise comes next, before anything else is tried here: once
// the process sleeps, all its answers are explored.
void Dpor::branch(std::uint32_t depth, const Choices& given) {
  Frame& f = frames_[depth];
  f.current.choices = model_.pends()[model_.run().back()].choices;
  const bool sleeps = options_.mode != Reduction::none;
  each_alternative(model_, sleeps ? 0 : given.count, [&](const Choices& other) {
    Process p = f.current;
    p.choices = other;
    for (const Process& q : f.sleep)
      if (same_event(q, p)) return;
    trees_.put_first(f.tree, p);
  });
}

bool Dpor::back(std::uint32_t& at) {
  for (std::uint32_t depth = model_.depth(); depth-- > floor_;) {
    Frame& f = frames_[depth];
    if (options_.mode != Reduction::none) f.sleep.push_back(f.current);
    if (f.tree == WakeupTrees::kEmpty) continue;
    at = depth;
    return true;
  }
  return false;
}

void Dpor::insert(std::uint32_t pre, const std::vector<Process>& v) {
  if (pre < floor_) return;
  trees_.want(frames_[pre].tree, frames_[pre].sleep, v, options_.room(pre));
}

void Dpor::insert_source(std::uint32_t pre, const std::vector<Process>& v) {
  if (pre < floor_ || initial(frames_[pre].current, v)) return;
  trees_.want_first(frames_[pre].tree, frames_[pre].sleep, v);
}

void Dpor::analyse(bool cut, bool blocked) {
  if (options_.mode == Reduction::optimal && !blocked)
    races_.each(model_, cut, fresh_from_,
                [&](std::uint32_t pre, const std::vector<Process>& v) { insert(pre, v); });
  if (options_.mode == Reduction::source)
    races_.each_short(
        model_, [&](std::uint32_t pre, const std::vector<Process>& v) { insert_source(pre, v); });
}

// To the beginning of the task, along what the model has of it already.
bool Dpor::begin(const DporTask& task) {
  floor_ = options_.from + static_cast<std::uint32_t>(task.path.size());
  std::uint32_t shared = options_.from;
  const bool counts = options_.delays != kNever;  // delays, anew all the way
  const auto done = [&](std::uint32_t depth) {
    const Process& before = model_.pends()[model_.run()[depth]];
    const Process& wanted = task.path[depth - options_.from];
    return before.id == wanted.id && before.choices == wanted.choices;
  };
  // The last event is played in any case: what it is asked belongs to the task.
  while (!counts && shared < model_.depth() && shared + 1 < floor_ && done(shared)) ++shared;
  model_.rewind(shared);
  frame(floor_ + 1);
  std::uint32_t delays = 0;
  for (std::uint32_t depth = options_.from; depth < floor_; ++depth) {
    const Process& event = task.path[depth - options_.from];
    if (depth < shared) continue;
    const std::uint32_t i = find(event);
    if (i == kNever) {
      ++totals_.unrunnable;
      ending_ = Finished::broken;
      return false;
    }
    delays += costs_delay(event) ? 1 : 0;
    if (!model_.execute(i, event.choices)) return false;
  }
  frames_[floor_].tree = trees_.grow(task.tree);
  settle(task, delays);
  return true;
}

// The task stands after its last event.
void Dpor::settle(const DporTask& task, std::uint32_t delays) {
  Frame& f = frames_[floor_];
  f.sleep = task.sleep;
  f.delays = delays;
  f.fresh = true;
  if (task.path.empty()) return;
  last_ = model_.pends()[model_.run().back()];
  each_alternative(model_, task.path.back().choices.count,
                   [&](const Choices& other) { others_.push_back(other); });
}

// The last event of the task with other answers. False: there are none.
bool Dpor::answer_otherwise(const DporTask& task) {
  if (others_.empty()) return false;
  const std::uint32_t delays = frames_[floor_].delays;
  DporTask other = task;
  other.path.back().choices = others_.back();
  others_.pop_back();
  model_.rewind(floor_ - 1);
  races_.forget(floor_ - 1);
  fresh_from_ = floor_ - 1;
  if (!model_.execute(find(other.path.back()), other.path.back().choices)) {
    stopped_ = true;
    return true;
  }
  settle(other, delays);
  return true;
}

Finished Dpor::run(const DporTask& task, std::uint64_t budget, const Hooks& hooks) {
  if (!begin(task)) return ending_ == Finished::all ? Finished::by_model : ending_;
  for (;;) {
    if (!descend()) return ending_ == Finished::all ? Finished::by_model : ending_;
    totals_.steps += model_.depth();
    totals_.longest = std::max(totals_.longest, model_.depth());
    if (blocked_) ++totals_.blocked;
    else ++totals_.executions;
    totals_.cut += cut_ ? 1 : 0;
    analyse(cut_, blocked_);
    totals_.wakeup_peak = trees_.peak();
    if (hooks.after_run && !hooks.after_run(model_, totals_, blocked_)) return Finished::stopped;
    std::uint32_t at = 0;
    if (!back(at)) {
      if (!answer_otherwise(task)) return Finished::all;
      if (stopped_) return Finished::by_model;
      continue;
    }
    if (budget > 0 && totals_.executions + totals_.blocked >= budget) {
      next_ = at;
      return Finished::stopped;
    }
    model_.rewind(at);
    races_.forget(at);
    fresh_from_ = at;
  }
}

DporRest Dpor::rest() {
  DporRest out;
  if (next_ == kNever) return out;
  out.last = last_;
  out.others = others_;
  for (std::uint32_t depth = floor_; depth <= next_; ++depth) {
    Frame& f = frames_[depth];
    DporRest::Level& level = out.stack.emplace_back();
    level.sleep = f.sleep;
    level.tree = trees_.cut(f.tree);
    if (depth == next_) break;
    level.event = f.current;
    if (options_.mode != Reduction::none) level.sleep.push_back(f.current);
  }
  return out;
}

}  // namespace schism::check
