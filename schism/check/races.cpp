#include "schism/check/races.hpp"

#include <algorithm>

namespace schism::check {
namespace {

bool has(const std::uint64_t* row, std::uint32_t step) {
  return (row[(step - 1) / 64] >> ((step - 1) % 64) & 1) != 0;
}
void set(std::uint64_t* row, std::uint32_t step) {
  row[(step - 1) / 64] |= std::uint64_t{1} << ((step - 1) % 64);
}

// The second event of a race happens in another state of its node: what it will be asked there, and
// answer, is open.
Process open_ended(Process p) {
  p.choices = {};
  return p;
}

}  // namespace

void Races::widen(std::uint32_t steps) {
  const std::size_t words = (steps + 63) / 64;
  if (words > words_) {
    std::vector<std::uint64_t> wider(bits_.size() / words_ * words, 0);
    for (std::size_t row = 0; row < bits_.size() / words_; ++row)
      std::copy_n(bits_.begin() + static_cast<std::ptrdiff_t>(row * words_), words_,
                  wider.begin() + static_cast<std::ptrdiff_t>(row * words));
    bits_ = std::move(wider);
    words_ = words;
  }
  if (bits_.size() < steps * words_) bits_.resize(steps * words_);
  if (rows_.size() < steps) rows_.resize(steps);
  if (events_.size() < steps) events_.resize(steps);
}

bool Races::enables(const Pend& pend, std::uint32_t step) const {
  return pend.enablers[0] == step ||
         (rules_.gate_enablers && (pend.enablers[1] == step || pend.enablers[2] == step));
}

// From the latest step down: what is not below one that was taken already is an immediate
// predecessor, and a race unless it made the event possible.
void Races::fill(const Model& model, const Pend& pend, std::uint32_t step, std::uint64_t* row,
                 std::vector<std::uint32_t>& races) const {
  static_cast<void>(model);
  std::fill_n(row, words_, 0);
  races.clear();
  for (std::uint32_t g = step - 1; g > 0; --g) {
    if (has(row, g)) continue;
    const bool enabler = enables(pend, g);
    const bool dependent = share(events_[g - 1].objects, pend.objects);
    if (!enabler && !dependent) continue;
    const std::uint64_t* below = bits(g);
    for (std::size_t w = 0; w < words_; ++w) row[w] |= below[w];
    set(row, g);
    if (!enabler) races.push_back(g);
  }
}

void Races::follow(const Model& model) {
  const std::uint32_t depth = model.depth();
  widen(depth + 1);
  for (std::uint32_t step = depth_ + 1; step <= depth; ++step) {
    const Pend& pend = model.pends()[model.run()[step - 1]];
    events_[step - 1] = pend;
    fill(model, pend, step, bits(step), rows_[step - 1].races);
  }
  depth_ = depth;
}

void Races::forget(std::uint32_t depth) { depth_ = std::min(depth_, depth); }

bool Races::before(std::uint32_t a, std::uint32_t b) const { return has(bits(b), a); }

void Races::without(std::uint32_t event, std::uint32_t last) {
  v_.clear();
  for (std::uint32_t step = event + 1; step <= last; ++step)
    if (!before(event, step)) v_.push_back(events_[step - 1]);
}

// Only what the event needs, instead of all that does not happen after the first one.
void Races::causes_only(const Model& model, const Pend& pend) {
  row_.assign(words_, 0);
  fill(model, pend, depth_ + 1, row_.data(), races_);
  std::erase_if(v_, [&](const Process& p) {
    for (std::uint32_t step = 1; step <= depth_; ++step)
      if (events_[step - 1].id == p.id) {
        for (const std::uint32_t enabler : pend.enablers)
          if (enabler != 0 && (enabler == step || before(step, enabler))) return false;
        return true;
      }
    return true;
  });
}

// Whether it could have run without its killers: none of them is among its causes.
bool Races::possible(const Pend& pend) const {
  for (const std::uint32_t killer : pend.killers)
    for (const std::uint32_t enabler : pend.enablers)
      if (killer != 0 && enabler != 0 && (killer == enabler || before(killer, enabler)))
        return false;
  return true;
}

void Races::phantom(const Model& model, const Pend& pend, const Insert& insert) {
  if (!possible(pend)) return;
  std::uint32_t first = kNever;
  for (const std::uint32_t killer : pend.killers)
    if (killer != 0) first = std::min(first, killer);
  if (!rules_.born_dead)
    for (const std::uint32_t enabler : pend.enablers)
      if (enabler >= first) return;
  v_.clear();
  for (std::uint32_t step = first + 1; step <= depth_; ++step) {
    bool free = true;
    for (const std::uint32_t killer : pend.killers)
      free = free && (killer == 0 || (killer != step && !before(killer, step)));
    if (free) v_.push_back(events_[step - 1]);
  }
  if (!rules_.whole_suffix) causes_only(model, pend);
  v_.push_back(pend);
  insert(first - 1, v_);
}

// Enabled where the run was cut: as if executed there, and in competition for the last slot.
void Races::at_cut(const Model& model, const Pend& pend, const Insert& insert) {
  row_.assign(words_, 0);
  fill(model, pend, depth_ + 1, row_.data(), races_);
  const auto put = [&](std::uint32_t event) {
    without(event, depth_);
    v_.push_back(pend);
    insert(event - 1, v_);
  };
  for (const std::uint32_t event : races_) put(event);
  if (!rules_.cut_slots) return;
  for (std::uint32_t event = 1; event <= depth_; ++event) {
    if (has(row_.data(), event)) continue;
    bool last = true;
    for (std::uint32_t later = event + 1; later <= depth_ && last; ++later)
      last = !before(event, later);
    if (last) put(event);
  }
}

void Races::each(const Model& model, bool cut, std::uint32_t fresh, const Insert& insert) {
  follow(model);
  const std::uint32_t begin = rules_.whole_run ? 1 : fresh + 1;
  for (std::uint32_t step = begin; step <= depth_; ++step)
    for (const std::uint32_t event : rows_[step - 1].races) {
      without(event, depth_);
      if (!rules_.whole_suffix) causes_only(model, model.pends()[model.run()[step - 1]]);
      v_.push_back(open_ended(events_[step - 1]));
      insert(event - 1, v_);
    }
  if (!rules_.phantoms) return;
  for (const Pend& pend : model.pends()) {
    if (pend.executed != 0 || !pend.born()) continue;
    if (pend.killed()) phantom(model, pend, insert);
    else if (cut) at_cut(model, pend, insert);
  }
}

void Races::each_short(const Model& model, const Insert& insert) {
  follow(model);
  for (std::uint32_t step = 1; step <= depth_; ++step)
    for (const std::uint32_t event : rows_[step - 1].races) {
      without(event, step - 1);
      v_.push_back(open_ended(events_[step - 1]));
      insert(event - 1, v_);
    }
  for (const Pend& pend : model.pends())
    if (pend.executed == 0 && pend.born() && pend.killed()) phantom(model, pend, insert);
}

}  // namespace schism::check
