#include "schism/tla/tableau.hpp"

#include <algorithm>

#include "schism/tla/source.hpp"

namespace schism::tla {
namespace {

template <class T>
void tidy(std::vector<T>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

constexpr std::size_t kOptionsMax = 20'000;

}  // namespace

Tableau::Tableau(const Formulas& formulas, absl::flat_hash_map<std::uint32_t, unsigned> bits)
    : formulas_(formulas), bits_(std::move(bits)) {
  if (bits_.size() > 64) throw Failure({}, "a temporal formula with more than 64 predicates");
}

std::uint32_t Tableau::set_of(std::vector<Formula> obligations) {
  tidy(obligations);
  const auto [at, fresh] =
      set_index_.try_emplace(obligations, static_cast<std::uint32_t>(sets_.size()));
  if (fresh) sets_.push_back(std::move(obligations));
  return at->second;
}

const std::vector<std::uint32_t>& Tableau::options(std::uint32_t set, std::uint64_t atoms) {
  const std::pair key{set, atoms};
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  std::vector<std::uint32_t> out;
  split({sets_[set], {}, {}, {}, {}}, atoms, out);
  tidy(out);
  return known_[key] = std::move(out);
}

// One obligation after the other; a choice is followed both ways.
void Tableau::split(Work w, std::uint64_t atoms, std::vector<std::uint32_t>& out) {
  while (!w.todo.empty()) {
    const Formula f = w.todo.back();
    w.todo.pop_back();
    if (std::find(w.done.begin(), w.done.end(), f) != w.done.end()) continue;
    w.done.push_back(f);
    const FormulaNode& n = formulas_[f];
    switch (n.op) {
      case Temporal::truth: break;
      case Temporal::falsity: return;
      case Temporal::atom:
        if (const auto bit = bits_.find(n.atom); bit == bits_.end())
          w.step.emplace_back(n.atom, !n.negated);
        else if ((((atoms >> bit->second) & 1) != 0) == n.negated) return;
        break;
      case Temporal::all: w.todo.insert(w.todo.end(), n.kids.begin(), n.kids.end()); break;
      case Temporal::any:
        for (const Formula kid : n.kids) {
          Work way = w;
          way.todo.push_back(kid);
          split(std::move(way), atoms, out);
        }
        return;
      case Temporal::always:
        w.todo.push_back(n.kids[0]);
        w.next.push_back(f);
        break;
      case Temporal::eventually: {
        Work now = w;
        now.todo.push_back(n.kids[0]);
        split(std::move(now), atoms, out);
        w.next.push_back(f);
        w.put_off.push_back(f);
        break;
      }
    }
  }
  tidy(w.step);
  for (std::size_t i = 1; i < w.step.size(); ++i)
    if (w.step[i].first == w.step[i - 1].first) return;  // an atom and its opposite
  tidy(w.put_off);
  Option o{std::move(w.step), set_of(std::move(w.next)), std::move(w.put_off)};
  const auto [at, fresh] =
      option_index_.try_emplace(o, static_cast<std::uint32_t>(options_.size()));
  if (fresh) options_.push_back(std::move(o));
  if (options_.size() > kOptionsMax) throw Failure({}, "the temporal formula is too large");
  out.push_back(at->second);
}

std::vector<Formula> Tableau::eventualities(Formula f) const {
  std::vector<Formula> out, open = {f};
  std::vector<bool> seen(formulas_.size());
  while (!open.empty()) {
    const Formula at = open.back();
    open.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    if (formulas_[at].op == Temporal::eventually) out.push_back(at);
    open.insert(open.end(), formulas_[at].kids.begin(), formulas_[at].kids.end());
  }
  tidy(out);
  return out;
}

}  // namespace schism::tla
