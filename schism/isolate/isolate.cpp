#include "schism/isolate/isolate.hpp"

#include <algorithm>
#include <set>

#include "schism/isolate/fault_facts.hpp"

namespace schism::isolate {
namespace {

// Fewer conditions first: assertions, equal messages, processes; then operators that ask less.
bool more_general(const Predicates& predicates, const PredicateId& a, const PredicateId& b) {
  const auto rank = [&](const PredicateId& id) {
    const std::uint64_t mask = predicates.assertions(id.set).mask;
    int strict = 0;
    for (const Comparable& c : predicates.pair_of(id.set).comparables)
      for (std::size_t i = 0; i < c.operators.size(); ++i)
        if (mask >> (c.first_bit + static_cast<int>(i)) & 1)
          strict += c.operators[i] == kUnequal ? 0 : 1;
    return std::tuple(std::popcount(mask), id.threshold, id.tolerance, strict);
  };
  return rank(a) < rank(b);
}

Bits both(BitsView a, BitsView b) {
  Bits out(a.begin(), a.end());
  for (std::size_t w = 0; w < out.size(); ++w) out[w] &= b[w];
  return out;
}

std::vector<std::size_t> numbers(BitsView bits, std::size_t runs) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < runs; ++i)
    if (test(bits, i)) out.push_back(i);
  return out;
}

// The explained run that agrees with most of the others on most candidates; rather one that no
// other predictor explains.
std::optional<std::size_t> typical_run(const Table& table, const Predictor& p, BitsView alone) {
  Bits pool = p.explains;
  for (std::size_t w = 0; w < pool.size(); ++w) pool[w] &= alone[w];
  const std::vector<std::size_t> runs =
      numbers(count(pool) > 0 ? BitsView(pool) : BitsView(p.explains), table.runs().size());
  const std::uint32_t explained = count(p.explains);
  std::vector<std::uint32_t> agree(runs.size());
  for (std::size_t c = 0; c < table.size(); ++c) {
    const bool most = 2 * count_both(table.holds(c), p.explains) > explained;
    for (std::size_t i = 0; i < runs.size(); ++i)
      agree[i] += test(table.holds(c), runs[i]) == most ? 1 : 0;
  }
  if (runs.empty()) return std::nullopt;
  return runs[static_cast<std::size_t>(std::max_element(agree.begin(), agree.end()) -
                                       agree.begin())];
}

}  // namespace

struct Isolation::Candidates {
  std::vector<PredicateId> ids;    // message predicates
  std::vector<std::string> names;  // branches
  std::unique_ptr<Table> table;
};

Isolation::Isolation(const Predicates& predicates, IsolateOptions options)
    : predicates_(predicates),
      options_(std::move(options)),
      evaluator_(predicates),
      bits_(evaluator_.fresh_bits()),
      observations_(predicates) {}

Isolation::~Isolation() = default;

void Isolation::add(const Run& run) {
  if (!by_messages()) return branches_.add(run, options_.method == Method::faults);
  evaluator_.evaluate(run, bits_);
  observations_.add(run.info, bits_);
}

Result<Isolation::Candidates> Isolation::candidates() const {
  Candidates out;
  if (options_.method == Method::faults) {
    out.table = std::make_unique<Table>(branches_.facts(out.names));
    if (branches_.empty()) return error("no run tells of a fault");
  } else if (options_.method == Method::branches) {
    out.table = std::make_unique<Table>(branches_.table(out.names));
    if (branches_.empty()) return error("no run tells which branches it took");
  } else {
    out.table = std::make_unique<Table>(observations_.table(out.ids));
  }
  const std::size_t runs = out.table->runs().size();
  const std::size_t failing = count(out.table->failed());
  if (runs == 0) return error("there are no runs");
  if (failing == 0) return error("none of the {} runs failed: there is nothing to explain", runs);
  if (failing == runs)
    return error("all {} runs failed: without passing ones there is nothing to compare with", runs);
  return out;
}

std::vector<Predictor> Isolation::predict(const Table& table, const Candidates& names,
                                          Findings* about) const {
  if (options_.method == Method::seed || options_.method == Method::branches) {
    if (about) about->candidates = table.size();
    return eliminate(table);
  }
  RefineOptions refine_options = options_.refine;
  refine_options.more_general = [&](std::size_t a, std::size_t b) {
    if (names.ids.empty()) return conditions_of(names.names[a]) < conditions_of(names.names[b]);
    return more_general(predicates_, names.ids[a], names.ids[b]);
  };
  Refined refined = refine(table, refine_options);
  if (about) {
    about->candidates = refined.candidates;
    about->next_chance = refined.next_chance;
    for (std::size_t i = 0; i < refined.predictors.size(); ++i)
      about->findings.emplace_back().strikes = refined.strikes[i];
  }
  return std::move(refined.predictors);
}

Finding Isolation::describe(const Table& table, const Candidates& names,
                            Predictor predictor) const {
  Finding f;
  const auto notation = [&](std::size_t c) {
    return names.ids.empty() ? names.names[c] : predicates_.notation(names.ids[c]);
  };
  f.notation = notation(predictor.candidate);
  if (!names.ids.empty()) {
    f.id = names.ids[predictor.candidate];
    f.sentence = predicates_.sentence(*f.id);
    f.assertions = predicates_.assertion_texts(f.id->set);
  }
  for (const std::size_t other : predictor.others) f.equivalents.push_back(notation(other));
  f.increase = predictor.tally.increase_interval();
  f.whole = tally(table, predictor.candidate, table.failed());
  for (const std::string& bug : table.bugs()) {
    const Bits truth = both(table.with_bug(bug), table.failed());
    f.in_all.push_back(score(bug, table.holds(predictor.candidate), truth));
    f.in_failing.push_back(score(bug, predictor.explains, truth));
  }
  f.runs = numbers(predictor.explains, table.runs().size());
  f.predictor = std::move(predictor);
  return f;
}

Result<Findings> Isolation::finish() const {
  auto names = candidates();
  if (!names) return tl::unexpected(names.error());
  const Table& table = *names->table;
  Findings out;
  out.method = options_.method;
  out.runs = table.runs();
  out.failing = count(table.failed());
  out.bugs = table.bugs();
  if (!by_messages()) {
    out.without_tolerance = out.predicates = table.size();
  } else {
    out.without_tolerance = predicates_.without_tolerance();
    out.predicates = predicates_.size();
    for (const VerbPair& pair : predicates_.pairs())
      for (const AssertionSet& set : pair.sets)
        out.left_out += set.leave_out ? out.predicates / predicates_.sets() : 0;
  }
  std::vector<Predictor> predictors = predict(table, *names, &out);
  out.findings.resize(predictors.size());
  Bits once(table.words()), twice(table.words());  // explained by at least so many
  for (const Predictor& p : predictors)
    for (std::size_t w = 0; w < once.size(); ++w) {
      twice[w] |= once[w] & p.explains[w];
      once[w] |= p.explains[w];
    }
  Bits alone = once, missed(table.failed().begin(), table.failed().end());
  for (std::size_t w = 0; w < once.size(); ++w) alone[w] &= ~twice[w], missed[w] &= ~once[w];
  out.unexplained = numbers(missed, table.runs().size());
  for (std::size_t i = 0; i < predictors.size(); ++i) {
    const std::optional<double> strikes = out.findings[i].strikes;
    const auto typical = typical_run(table, predictors[i], alone);
    out.findings[i] = describe(table, *names, std::move(predictors[i]));
    out.findings[i].strikes = strikes;
    out.findings[i].typical = typical;
  }
  if (options_.cross_validate) {
    out.folds = cross_validate(table, *names);
    if (out.folds.size() < 2) return error("there is only one fold: nothing can be left out");
  }
  return out;
}

// Each fold is left out in turn. Ground truth is used only to judge.
std::vector<FoldResult> Isolation::cross_validate(const Table& table,
                                                  const Candidates& names) const {
  std::set<std::string> folds;
  for (const RunInfo& run : table.runs()) folds.insert(run.fold);
  std::vector<FoldResult> out;
  for (const std::string& fold : folds) {
    Bits inside = table.none(), outside = table.none();
    for (std::size_t i = 0; i < table.runs().size(); ++i)
      set(table.runs()[i].fold == fold ? inside : outside, i);
    const Table training = table.restricted(outside);
    FoldResult result;
    result.fold = fold;
    result.training = count(training.failed());
    result.failing = count_both(table.failed(), inside);
    result.runs = count(inside);
    const std::vector<Predictor> predictors = result.training > 0 && count(training.passed()) > 0
                                                  ? predict(training, names, nullptr)
                                                  : std::vector<Predictor>();
    for (const Predictor& p : predictors)
      result.notations.push_back(names.ids.empty() ? names.names[p.candidate]
                                                   : predicates_.notation(names.ids[p.candidate]));
    for (const std::string& bug : table.bugs()) {
      const Bits truth = both(both(table.with_bug(bug), table.failed()), inside);
      Score best{bug, 0, 0, 0, 0}, in_all = best;
      for (const Predictor& p : predictors) {
        const Bits holds = both(table.holds(p.candidate), inside);
        const Score s = score(bug, both(holds, table.failed()), truth);
        if (s.f1 > best.f1) best = s, in_all = score(bug, holds, truth);
      }
      result.in_failing.push_back(best);
      result.in_all.push_back(in_all);
    }
    out.push_back(std::move(result));
  }
  return out;
}

}  // namespace schism::isolate
