// From a script to the most open scenario that still reproduces: one weakening after the other is
// tried and kept if so many of so many runs still violate the property. Greedy, in this order:
// classes of events are given to the explorer, steps are left out, equal shapes become one with a
// number, conditions go, lines are joined (their steps then come in any order), numbers become
// quorums where that also reproduces with more nodes.
#include <algorithm>
#include <set>

#include "schism/scenario/from_trace.hpp"
#include "schism/scenario/staged.hpp"

namespace schism::scenario {
namespace {

struct Draft {
  std::vector<Line> lines;
  std::vector<Class> held;
};

bool is_any(const Term& t) { return t.kind == Term::nothing; }
bool same(const Term& a, const Term& b) { return print(a) == print(b); }
std::int64_t times_of(const Cue& c) { return is_any(c.times) ? 1 : c.times.value; }
Term times_term(Term::Kind kind, std::int64_t value) {
  Term out;
  out.kind = kind, out.value = value;
  return out;
}

class Opener {
 public:
  Opener(const Script& script, const OpenOptions& options, const std::atomic<bool>& stop)
      : script_(script), options_(options), stop_(stop), config_(configure(script.scenario)) {}

  Opened run() {
    if (!config_) return {script_.scenario, 0, 0, false};
    now_ = {script_.scenario.script, classes_of(*config_->setup.system)};
    for (int round = 0; round < 3; ++round) {
      const std::uint64_t before = accepted_;
      open_classes();
      leave_out_steps();
      merge_shapes();
      weaken_conditions();
      join_lines();
      if (accepted_ == before || spent()) break;
    }
    generalise();
    out_.scenario = made(now_);
    out_.out_of_steps = out_.steps >= options_.steps_max;
    return out_;
  }

 private:
  bool spent() const { return stop_.load() || out_.steps >= options_.steps_max; }

  Scenario made(const Draft& draft) const {
    Scenario s = script_.scenario;
    s.script = draft.lines;
    std::erase_if(s.script, [](const Line& line) { return line.cues.empty(); });
    s.filters.clear();
    if (!draft.held.empty()) s.filters = {holding(draft.held, *config_->setup.system)};
    const std::set<std::string> used = variables_in(s);
    std::erase_if(s.lets, [&](const Let& let) {
      return let.name.size() == 1 && !used.contains(let.name) && s.property.transitions.empty();
    });
    s.expectations[0].percent = static_cast<int>(100 * options_.least / options_.runs);
    return s;
  }
  static std::set<std::string> variables_in(const Scenario& s) {
    std::set<std::string> out;
    for (const Line& line : s.script)
      for (const Cue& cue : line.cues)
        for (const Term* t : {&cue.from, &cue.to})
          if (t->kind == Term::variable) out.insert(t->name);
    return out;
  }

  bool reproduces(const Draft& draft) {
    if (spent()) return false;
    ++out_.candidates;
    const Judged judged = judge(made(draft), script_.property, options_.runs, options_.least);
    out_.steps += judged.steps;
    return judged.runs == options_.runs && judged.violated >= options_.least;
  }
  bool attempt(Draft draft) {
    std::erase_if(draft.lines, [](const Line& line) { return line.cues.empty(); });
    if (!reproduces(draft)) return false;
    now_ = std::move(draft);
    ++accepted_;
    return true;
  }

  // First with its steps left to the explorer too, then with them kept. Those with many steps gain
  // most.
  void open_classes() {
    const auto steps_of = [&](const Class& c) {
      std::size_t out = 0;
      for (const Line& line : now_.lines)
        out += static_cast<std::size_t>(std::count_if(
            line.cues.begin(), line.cues.end(),
            [&](const Cue& cue) { return cue.kind <= Cue::submit && class_of(cue) == c; }));
      return out;
    };
    std::vector<Class> order = now_.held;
    std::stable_sort(order.begin(), order.end(),
                     [&](const Class& a, const Class& b) { return steps_of(a) > steps_of(b); });
    for (const Class& c : order) {
      Draft open = now_;
      std::erase(open.held, c);
      Draft without = open;
      for (Line& line : without.lines)
        std::erase_if(line.cues, [&](const Cue& cue) {
          const bool served = cue.kind == Cue::deliver || cue.kind == Cue::fire ||
                              cue.kind == Cue::complete || cue.kind == Cue::submit;
          return served && class_of(cue) == c;
        });
      if (steps_of(c) > 0 && attempt(std::move(without))) continue;
      attempt(std::move(open));
    }
  }

  void leave_out_steps() {
    for (std::size_t l = now_.lines.size(); l-- > 0;)
      for (std::size_t i = now_.lines[l].cues.size(); i-- > 0;) {
        Draft draft = now_;
        auto& cues = draft.lines[l].cues;
        cues.erase(cues.begin() + static_cast<std::ptrdiff_t>(i));
        attempt(std::move(draft));
        if (l >= now_.lines.size()) break;
      }
  }

  // Two steps of one shape become one: what they differ in may be anything.
  static std::optional<Cue> merged(const Cue& a, const Cue& b) {
    const bool quantified = a.times.kind > Term::number || b.times.kind > Term::number;
    if (a.kind != b.kind || a.type != b.type || a.content != b.content || quantified ||
        a.all != b.all || a.kind >= Cue::submit || a.choices != b.choices)
      return std::nullopt;
    Cue out = a;
    if (!same(a.from, b.from)) out.from = {};
    if (!same(a.to, b.to)) out.to = {};
    if (print(a.condition) != print(b.condition)) out.condition = {};
    if (a.skipped != b.skipped) out.skipped = 0;
    out.times = times_term(Term::number, times_of(a) + times_of(b));
    return out;
  }
  struct Place {
    std::size_t line, cue;
  };
  std::vector<Place> places() const {
    std::vector<Place> out;
    for (std::size_t l = 0; l < now_.lines.size(); ++l)
      for (std::size_t i = 0; i < now_.lines[l].cues.size(); ++i) out.push_back({l, i});
    return out;
  }
  bool merge(const Place& first, const Place& second) {
    const auto one =
        merged(now_.lines[first.line].cues[first.cue], now_.lines[second.line].cues[second.cue]);
    if (!one) return false;
    for (const bool early : {true, false}) {
      Draft draft = now_;
      const Place &stays = early ? first : second, &goes = early ? second : first;
      draft.lines[stays.line].cues[stays.cue] = *one;
      auto& cues = draft.lines[goes.line].cues;
      cues.erase(cues.begin() + static_cast<std::ptrdiff_t>(goes.cue));
      if (attempt(std::move(draft))) return true;
    }
    return false;
  }
  void merge_shapes() {
    for (std::size_t apart = 1; apart < places().size() && !spent(); ++apart)
      for (std::size_t i = 0; i + apart < places().size() && !spent();) {
        const auto all = places();
        if (!merge(all[i], all[i + apart])) ++i;
      }
  }

  template <class Change>
  void change_each(Change&& change) {
    for (const Place& at : places()) {
      Draft draft = now_;
      if (change(draft.lines[at.line].cues[at.cue])) attempt(std::move(draft));
    }
  }
  void weaken_conditions() {
    change_each([](Cue& c) {
      const bool had = c.condition.kind != Cond::always;
      c.condition = {};
      return had;
    });
    change_each([](Cue& c) { return std::exchange(c.skipped, 0) > 0; });
    change_each([](Cue& c) { return std::exchange(c.kept, 0) > 0; });
    change_each([](Cue& c) { return std::exchange(c.torn, false); });
    const auto loose = [](Cue& c, Term Cue::*end) {
      const bool can = c.kind <= Cue::fail && c.kind != Cue::forge && !is_any(c.*end);
      c.*end = Term{};
      return can;
    };
    change_each([&](Cue& c) { return loose(c, &Cue::from); });
    change_each([&](Cue& c) { return loose(c, &Cue::to); });
  }

  void join_lines() {
    for (std::size_t l = 0; l + 1 < now_.lines.size();) {
      Draft draft = now_;
      for (Cue& cue : draft.lines[l + 1].cues) draft.lines[l].cues.push_back(std::move(cue));
      draft.lines[l + 1].cues.clear();
      if (!attempt(std::move(draft))) ++l;
    }
  }

  // Numbers that mean a quorum, or all: where it comes back more often with two nodes more.
  std::uint64_t with_more(const Draft& draft) {
    const auto larger = with_more_nodes(made(draft), 2);
    if (!larger) return 0;
    const Judged judged = judge(*larger, script_.property, 40);
    out_.steps += judged.steps;
    return judged.violated;
  }
  void generalise() {
    if (spent() || !with_more_nodes(made(now_), 2)) return;
    const int n = config_->setup.nodes;
    std::uint64_t best = with_more(now_);
    for (const Place& at : places()) {
      const Cue cue = now_.lines[at.line].cues[at.cue];
      const std::int64_t times = times_of(cue);
      if (cue.kind > Cue::duplicate || cue.all || cue.times.kind > Term::number) continue;
      std::vector<Cue> forms;
      const auto form = [&](bool fits, Term::Kind kind, std::int64_t less) {
        if (!fits) return;
        for (Term Cue::*end : {&Cue::from, &Cue::to}) {
          forms.push_back(cue);
          forms.back().times = times_term(kind, less);
          forms.back().*end = Term{};
        }
      };
      form(times == n / 2, Term::quorum, -1);
      form(times == n / 2 + 1, Term::quorum, 0);
      form(times == n - 1, Term::nodes, -1);
      for (const Cue& one : forms) {
        if (spent() || best >= 40) break;
        Draft draft = now_;
        draft.lines[at.line].cues[at.cue] = one;
        const std::uint64_t larger = with_more(draft);
        if (larger <= best || !attempt(std::move(draft))) continue;
        best = larger;
        break;
      }
    }
  }

  const Script& script_;
  const OpenOptions& options_;
  const std::atomic<bool>& stop_;
  Result<RunConfig> config_;
  Draft now_;
  Opened out_;
  std::uint64_t accepted_ = 0;
};

}  // namespace

Opened opened(const Script& script, const OpenOptions& options, const std::atomic<bool>& stop) {
  return Opener(script, options, stop).run();
}

}  // namespace schism::scenario
