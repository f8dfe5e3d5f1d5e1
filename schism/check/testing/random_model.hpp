// For tests: a random small system of abstract events. Each touches one to three objects, creates
// others, kills some and opens gates for some; whether it does may depend on the history of the
// object that they share, and on nothing else.
#pragma once

#include <algorithm>

#include "schism/base/random.hpp"
#include "schism/check/model.hpp"

namespace schism::check {

class RandomModel final : public Model {
 public:
  explicit RandomModel(std::uint64_t seed, std::uint32_t events_a_node = 0)
      : bound_(events_a_node) {
    Rng rng(seed);
    const auto objects = 2 + rng.below(4);
    const auto size = 4 + rng.below(7);
    templates_.resize(size);
    for (std::size_t t = 0; t < size; ++t) {
      Template& a = templates_[t];
      const auto touched = 1 + rng.below(rng.chance(0.3) ? 3 : 2);
      while (a.objects.size() < touched && a.objects.size() < objects) {
        const auto o = static_cast<std::uint32_t>(rng.below(objects));
        if (std::find(a.objects.begin(), a.objects.end(), o) == a.objects.end())
          a.objects.push_back(o);
      }
      a.parent = t >= 2 && rng.chance(0.6) ? static_cast<int>(rng.below(t)) : -1;
    }
    const double kills = rng.chance(0.2) ? 0 : 0.35, gates = rng.chance(0.5) ? 0 : 0.2;
    for (std::size_t a = 0; a < size; ++a)
      for (std::size_t b = 0; b < size; ++b) {
        if (a == b) continue;
        for (std::size_t k = 0; k < templates_[b].objects.size(); ++k) {
          const std::uint32_t o = templates_[b].objects[k];
          if (!templates_[a].touches(o)) continue;
          if (rng.chance(kills))
            templates_[a].kills.push_back({b, k, o, rng.chance(0.7) ? 0U : 1U});
          // A gate may not wait for what comes later in the tree of creators only by chance.
          if (templates_[b].gate < 0 && a < b && rng.chance(gates))
            templates_[b].gate = static_cast<int>(a);
        }
      }
    restart();
  }

  void rewind(std::uint32_t depth) override {
    if (depth == run_.size()) return;
    std::vector<std::uint32_t> kept(run_.begin(), run_.begin() + depth);
    restart();
    for (const std::uint32_t i : kept) execute(i);
  }

  bool play(std::uint32_t index) override {
    const auto step = static_cast<std::uint32_t>(run_.size() + 1);
    const std::size_t t = made_of_[index];
    run_.push_back(index);
    pends_[index].executed = step;
    executed_[t] = step;
    Hash128 after;
    for (const std::uint32_t o : templates_[t].objects) {
      history_[o] = absorb(history_[o], pends_[index].id);
      after += absorb(history_[o], o);
      if (bound_ > 0 && ++counts_[o] == bound_) full_[o] = step;
    }
    for (const Kill& kill : templates_[t].kills)
      if ((history_[kill.object].lo >> 7 & kill.only_if) == 0 &&
          killed_[kill.victim][kill.which] == 0)
        killed_[kill.victim][kill.which] = step;
    for (std::size_t c = 0; c < templates_.size(); ++c)
      if (templates_[c].parent == static_cast<int>(t)) bear(c, absorb(after, c), step);
    for (std::size_t i = 0; i < pends_.size(); ++i) refresh(i);
    return true;
  }

  bool finish(bool) override { return true; }

  std::uint32_t default_choice() override {
    std::uint32_t best = kNever;
    for (std::uint32_t i = 0; i < pends_.size(); ++i)
      if (pends_[i].enabled() && (best == kNever || pends_[i].id < pends_[best].id)) best = i;
    return best;
  }

 private:
  struct Kill {
    std::size_t victim, which;  // and which of its objects
    std::uint32_t object;
    std::uint64_t only_if;
  };
  struct Template {
    std::vector<std::uint32_t> objects;
    std::vector<Kill> kills;
    int parent = -1, gate = -1;
    bool touches(std::uint32_t o) const {
      return std::find(objects.begin(), objects.end(), o) != objects.end();
    }
  };

  void restart() {
    run_.clear();
    pends_.clear();
    made_of_.clear();
    executed_.assign(templates_.size(), 0);
    killed_.assign(templates_.size(), {0, 0, 0});
    history_.assign(8, Hash128{});
    counts_.assign(8, 0);
    full_.assign(8, 0);
    for (std::size_t t = 0; t < templates_.size(); ++t)
      if (templates_[t].parent < 0) bear(t, scatter(t), 0);
  }

  void bear(std::size_t t, const Hash128& id, std::uint32_t step) {
    Pend& p = pends_.emplace_back();
    p.id = id;
    for (const std::uint32_t o : templates_[t].objects) p.objects.bits |= std::uint64_t{1} << o;
    p.enablers[0] = step;
    made_of_.push_back(t);
    refresh(pends_.size() - 1);
  }

  void refresh(std::size_t i) {
    Pend& p = pends_[i];
    const Template& t = templates_[made_of_[i]];
    if (t.gate >= 0) {
      const std::uint32_t opened = executed_[static_cast<std::size_t>(t.gate)];
      p.enablers[1] = opened > 0 ? opened : kNever;
    }
    if (p.executed > 0) return;
    for (std::size_t k = 0; k < t.objects.size(); ++k) {
      p.killers[k] = killed_[made_of_[i]][k];
      const std::uint32_t full = full_[t.objects[k]];
      if (full > 0 && (p.killers[k] == 0 || full < p.killers[k])) p.killers[k] = full;
    }
  }

  std::vector<Template> templates_;
  std::uint32_t bound_;
  std::vector<std::size_t> made_of_;
  std::vector<std::uint32_t> executed_;
  std::vector<std::array<std::uint32_t, 3>> killed_;
  std::vector<Hash128> history_;
  std::vector<std::uint32_t> counts_, full_;
};

}  // namespace schism::check
