// For tests: the classes of a model's runs by a slow definition. A breadth-first search over all
// prefixes, one kept of each class. What a class is, is computed from scratch: for every object the
// sequence of events that touched it. Shares with the searches only what a model can do.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "schism/check/dpor.hpp"

namespace schism::check {

using Classes = std::set<Hash128>;

inline Hash128 class_of(const Model& model, const std::vector<std::uint32_t>& run) {
  std::map<std::pair<int, std::uint64_t>, Hash128> histories;
  for (const std::uint32_t i : run) {
    const Pend& p = model.pends()[i];
    const auto touch = [&](int kind, std::uint64_t which) {
      Hash128& h = histories[{kind, which}];
      h = absorb(h, p.id);
      for (std::uint8_t k = 0; k < p.choices.count; ++k) h = absorb(h, p.choices.k[k] + 1U);
    };
    for (int bit = 0; bit < 64; ++bit)
      if (p.objects.bits >> bit & 1) touch(0, static_cast<std::uint64_t>(bit));
    if (p.objects.message != 0) touch(1, p.objects.message);
    if (p.objects.link != 0) touch(2, p.objects.link);
    if (p.objects.copies != 0) touch(3, p.objects.copies);
  }
  Hash128 sum = scatter(run.size());
  for (const auto& [object, history] : histories)
    sum += absorb(absorb(history, static_cast<std::uint64_t>(object.first)), object.second);
  return sum;
}

struct Counted {
  Classes classes;
  std::size_t prefixes = 0;
  bool complete = true;  // false: more than `most` prefixes, and given up
};

// With a depth: classes of that many steps, and whole runs that are shorter.
inline Counted count_classes(Model& model, std::size_t most, std::uint32_t depth = 0) {
  using Path = std::vector<std::pair<std::uint32_t, Choices>>;
  Counted out;
  std::map<Hash128, Path> level = {{Hash128{}, {}}};
  for (std::uint32_t length = 0; !level.empty(); ++length) {
    std::map<Hash128, Path> next;
    for (const auto& [key, path] : level) {
      if (++out.prefixes > most) {
        out.complete = false;
        return out;
      }
      model.rewind(0);
      for (const auto& [pend, given] : path) model.execute(pend, given);
      Path todo;
      for (std::uint32_t i = 0; i < model.pends().size(); ++i)
        if (model.pends()[i].enabled()) todo.push_back({i, {}});
      if (todo.empty() || (depth > 0 && length == depth)) out.classes.insert(key);
      if (depth > 0 && length == depth) continue;
      for (std::size_t i = 0; i < todo.size(); ++i) {  // grows by what a step could have answered
        const auto [pend, given] = todo[i];
        model.rewind(length);
        model.execute(pend, given);
        each_alternative(model, given.count, [&, p = pend](const Choices& other) {
          todo.push_back({p, other});
        });
        Path longer = path;
        longer.emplace_back(pend, model.pends()[pend].choices);
        next.emplace(class_of(model, model.run()), std::move(longer));
      }
    }
    level = std::move(next);
  }
  return out;
}

// What a search did, compared with what there is.
struct Compared {
  std::size_t missed = 0, twice = 0, foreign = 0;
  std::uint64_t blocked = 0, unrunnable = 0, executions = 0;
  Finished ending = Finished::all;

  bool exact() const {
    return missed + twice + foreign + unrunnable == 0 && ending == Finished::all;
  }
};

inline Compared compare(Model& model, const DporOptions& options, const Classes& expected) {
  Compared out;
  Classes seen;
  Dpor search(model, options);
  out.ending = search.run({[&](const Model& m, const DporTotals&, bool asleep) {
    if (asleep) return true;
    const Hash128 key = class_of(m, m.run());
    if (!seen.insert(key).second) ++out.twice;
    if (!expected.contains(key)) ++out.foreign;
    return true;
  }});
  for (const Hash128& key : expected) out.missed += seen.contains(key) ? 0 : 1;
  out.blocked = search.totals().blocked;
  out.unrunnable = search.totals().unrunnable;
  out.executions = search.totals().executions;
  return out;
}

inline std::vector<DporOptions> six_orders(Reduction mode) {
  std::vector<DporOptions> out(6);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].mode = mode;
    out[i].order = i == 0 ? Order::oldest : i == 1 ? Order::newest : Order::hashed;
    out[i].order_seed = i;
  }
  return out;
}

}  // namespace schism::check
