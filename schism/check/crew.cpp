#include "schism/check/crew.hpp"

#include <algorithm>

#include "schism/check/codec.hpp"
#include "schism/check/division.hpp"
#include "schism/check/orders.hpp"

namespace schism::check {
namespace {

// Neither depends on the number of workers: what is done when must not.
constexpr std::size_t kTasksARound = 64;
constexpr std::uint64_t kRunsATaskFirst = 16, kRunsATaskMost = 1024;

// ---- questions and answers ---------------------------------------------------------------------

struct Question {
  std::uint32_t part = 0, depth = 0;
  std::uint64_t budget = 0;
  bool whole = false;  // the whole part, not a task
  DporTask task;
  FIELDS(part, depth, budget, whole, task)
};

struct Answer {
  Outcome outcome;
  DporRest rest;
  FIELDS(outcome, rest)
};

Answer without(std::string problem) {
  Answer a;
  a.outcome.problem = std::move(problem);
  return a;
}

Answer answer_of(std::string_view bytes) {
  auto a = decode<Answer>(bytes);
  return a ? *std::move(a) : without("our own bug: a worker's answer cannot be read: " + a.error());
}

// ---- in a worker -------------------------------------------------------------------------------

class Hand {
 public:
  explicit Hand(const Plan& plan)
      : plan_(plan), search_(*searches().make(plan.search, "explorer")) {
    models_.resize(plan.parts.size());
  }

  std::string work(std::string_view bytes) {
    const auto read = decode<Question>(bytes);
    if (!read || read->part >= plan_.parts.size())
      return encode(without("our own bug: a worker cannot read what it is asked"));
    const Question& q = *read;
    Answer a;
    const auto enough = [&](const SearchTotals& t) {
      return q.budget > 0 && t.executions + t.blocked >= q.budget;
    };
    if (q.whole) a.outcome = explore(plan_, *search_, plan_.parts[q.part], q.depth, enough);
    else a = task(q);
    return encode(a);
  }

 private:
  Answer task(const Question& q) {
    auto& model = models_[q.part];
    if (!model) model = plan_.model(plan_.parts[q.part], search_->reducing());
    Answer a;
    if (model->violation()) {
      a.outcome = outcome_of(*model, Finished::by_model, {});
      return a;
    }
    const Search::Limits limits = plan_.limits(q.depth);
    DporOptions options = *search_->divisible();
    options.depth = limits.end(), options.delays = limits.delays, options.from = limits.from;
    Dpor dpor(*model, options);
    Orders orders;
    const Finished ending =
        dpor.run(q.task, q.budget, {[&](const Model&, const DporTotals&, bool asleep) {
                   return !options.reduces() || asleep || orders.trust(*model);
                 }});
    a.outcome = outcome_of(*model, ending, totals_of(dpor.totals()));
    a.rest = dpor.rest();
    model->leave();  // before the answer: nobody would hear of a death after it
    if (a.outcome.violated || !a.outcome.problem.empty()) model.reset();
    return a;
  }

  const Plan& plan_;
  std::unique_ptr<Search> search_;
  std::vector<std::unique_ptr<WorldModel>> models_;  // by part, made when they are needed
};

// ---- what several answers come to --------------------------------------------------------------

// The first that says something decides.
void join(Outcome& sum, const Outcome& next) {
  sum.totals += next.totals;
  sum.met |= next.met, sum.judged |= next.judged;
  sum.bounded = sum.bounded || next.bounded;
  sum.drew = sum.drew || next.drew;
  if (sum.violated || !sum.problem.empty() || sum.ending == Finished::broken) return;
  sum.violated = next.violated, sum.fair = next.fair, sum.actions = next.actions;
  sum.death = next.death;
  sum.problem = next.problem;
  if (next.ending == Finished::broken) sum.ending = Finished::broken;
}

bool decided(const Outcome& o) {
  return o.violated || !o.problem.empty() || o.ending == Finished::broken;
}

}  // namespace

Crew::Crew(const Plan& plan, const Search& search, int jobs)
    : divisible_(search.divisible() != nullptr),
      from_(plan.steps_given()),
      delays_(plan.delays),
      most_(plan.config.limits.steps),
      pool_(
          jobs, plan.config.setup.options.hang,
          [&plan, hand = std::shared_ptr<Hand>()](std::string_view q) mutable {
            if (!hand) hand = std::make_shared<Hand>(plan);
            return hand->work(q);
          },
          [](const guard::Fallen& fallen) {
            Answer answer;
            answer.outcome.ending = Finished::by_model;
            answer.outcome.violated = true;
            answer.outcome.actions = fallen.decisions;
            answer.outcome.death = fallen.death;
            return encode(answer);
          }) {
  if (divisible_) options_ = *search.divisible();
}

Result<std::vector<Outcome>> Crew::explore(const std::vector<std::size_t>& parts,
                                           std::uint32_t depth, std::uint64_t runs,
                                           const Stop& stop) {
  return divisible_ ? divided(parts, depth, stop) : whole(parts, depth, runs, stop);
}

Result<std::vector<Outcome>> Crew::whole(const std::vector<std::size_t>& parts, std::uint32_t depth,
                                         std::uint64_t runs, const Stop& stop) {
  std::vector<std::string> questions;
  for (const std::size_t part : parts)
    questions.push_back(encode(Question{static_cast<std::uint32_t>(part), depth, runs, true, {}}));
  const auto answers = pool_.ask(questions, [&] { return stop({}); });
  if (!answers) return tl::unexpected(answers.error());
  std::vector<Outcome> out;
  for (const std::string& answer : *answers) {
    out.push_back(answer.empty() ? Outcome{} : answer_of(answer).outcome);
    if (answer.empty()) out.back().ending = Finished::stopped;
    if (decided(out.back())) break;
  }
  return out;
}

Result<std::vector<Outcome>> Crew::divided(const std::vector<std::size_t>& parts,
                                           std::uint32_t depth, const Stop& stop) {
  DporOptions options = options_;
  options.depth = depth > 0 ? depth : most_, options.delays = delays_, options.from = from_;
  std::vector<Division> divisions(parts.size(), Division(options));
  std::vector<Outcome> out(parts.size());
  SearchTotals sum;
  std::uint64_t budget = kRunsATaskFirst;
  for (;; budget = std::min(budget * 2, kRunsATaskMost)) {
    std::vector<std::string> questions;
    std::vector<std::pair<std::size_t, std::uint64_t>> origins;  // part, and number there
    std::uint64_t waiting = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      for (Division::Given& given : divisions[p].give(kTasksARound - questions.size())) {
        questions.push_back(encode(Question{static_cast<std::uint32_t>(parts[p]), depth, budget,
                                            false, std::move(given.task)}));
        origins.emplace_back(p, given.number);
      }
      waiting += divisions[p].waiting();
    }
    if (questions.empty()) return out;
    bool stopped = false;
    const auto answers = pool_.ask(questions, [&] { return stopped = stop(sum); });
    if (!answers) return tl::unexpected(answers.error());
    if (stopped) {
      for (Outcome& o : out) o.ending = Finished::stopped;
      return out;
    }
    bool over = false, endless = false;
    for (std::size_t i = 0; i < origins.size(); ++i) {
      const auto [p, number] = origins[i];
      const Answer answer = answer_of((*answers)[i]);
      join(out[p], answer.outcome);
      sum += answer.outcome.totals;
      waiting += answer.outcome.totals.wakeup_peak;
      over = over || decided(out[p]);
      endless = endless || (depth == 0 && answer.outcome.totals.cut > 0);
      divisions[p].take(number, answer.rest);
    }
    for (Outcome& o : out) o.totals.wakeup_peak = std::max(o.totals.wakeup_peak, waiting);
    if (over || endless) return out;
    if (stop(sum)) {
      for (Outcome& o : out) o.ending = Finished::stopped;
      return out;
    }
  }
}

}  // namespace schism::check
