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
  for (const auto& [rank, i] : found) trees_.add(f.tree, pends[i]);
}

std::uint32_t Dpor::find(const Process& p) const {
  const auto& pends = model_.pends();
  for (std::uint32_t i = 0; i < pends.size(); ++i)
    if (pends[i].id == p.id && pends[i].enabled()) return i;
  return kNever;
}

std::uint32_t Dpor::room(std::uint32_t pre) const {
  if (options_.depth == 0 || !options_.rules.cut_room) return kNever;
  return options_.depth - pre;
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
    Frame& next = frame(depth + 1);  // f may have moved
    next.fresh = true;
    next.tree = children;
    next.sleep.clear();
    for (const Process& q : frames_[depth].sleep)
      if (!share(q.objects, taken.objects)) next.sleep.push_back(q);
    if (!model_.execute(i)) return false;
  }
}

bool Dpor::back(std::uint32_t& at) {
  for (std::uint32_t depth = model_.depth(); depth-- > 0;) {
    Frame& f = frames_[depth];
    if (options_.mode != Reduction::none) f.sleep.push_back(f.current);
    if (f.tree == WakeupTrees::kEmpty) continue;
    at = depth;
    return true;
  }
  return false;
}

void Dpor::insert(std::uint32_t pre, const std::vector<Process>& v) {
  Frame& f = frames_[pre];
  const std::uint32_t left = room(pre);
  for (const Process& q : f.sleep)
    if (weak_initial(q, v, v.size() < left)) return;
  w_ = v;
  trees_.insert(f.tree, w_, left);
}

void Dpor::insert_source(std::uint32_t pre, const std::vector<Process>& v) {
  Frame& f = frames_[pre];
  if (initial(f.current, v) || trees_.has(f.tree, v)) return;
  for (const Process& q : f.sleep)
    if (initial(q, v)) return;
  trees_.add(f.tree, v.front());
}

void Dpor::analyse(bool cut, bool blocked) {
  if (options_.mode == Reduction::optimal && !blocked)
    races_.each(model_, cut, fresh_from_,
                [&](std::uint32_t pre, const std::vector<Process>& v) { insert(pre, v); });
  if (options_.mode == Reduction::source)
    races_.each_short(
        model_, [&](std::uint32_t pre, const std::vector<Process>& v) { insert_source(pre, v); });
}

Finished Dpor::run(const Hooks& hooks) {
  model_.rewind(0);
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
    if (!back(at)) return Finished::all;
    model_.rewind(at);
    races_.forget(at);
    fresh_from_ = at;
  }
}

}  // namespace schism::check
