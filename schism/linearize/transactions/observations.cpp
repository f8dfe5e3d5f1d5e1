#include "schism/linearize/transactions/observations.hpp"

#include <algorithm>

#include "absl/container/flat_hash_set.h"

namespace schism::linearize {

constexpr std::size_t kAnomaliesMax = 1000;

void add_anomaly(std::vector<Anomaly>& all, Anomaly anomaly) {
  if (all.size() < kAnomaliesMax) all.push_back(std::move(anomaly));
}

Writers::Writers(const History& history) {
  absl::flat_hash_set<Id> written;  // by the steps that follow
  for (OpId id = 0; id < history.operations().size(); ++id) {
    const auto steps = history.steps(history[id]);
    written.clear();
    for (std::size_t i = steps.size(); i-- > 0;) {
      if (steps[i].function == Function::read) continue;
      const bool last = written.insert(steps[i].key).second;
      const auto [at, fresh] =
          map_.try_emplace(std::uint64_t{steps[i].key} << 32 | steps[i].value, Writer{id, last});
      if (!fresh) at->second.several = true;
    }
  }
}

namespace {

// What a transaction knows of one key as it goes through its steps.
struct Known {
  bool seen = false;  // it has read the key, so that it knows all of it
  bool wrote = false;
  Id value = 0;              // of a register
  std::vector<Id> elements;  // of a list: as far as it knows, from the end
};

class Walk {
 public:
  Walk(const History& history, std::vector<ExternalRead>& reads, std::vector<Anomaly>& anomalies)
      : history_(history), reads_(reads), anomalies_(anomalies) {}

  void go(OpId op) {
    known_.clear();
    places_.clear();
    const std::size_t begin = reads_.size();
    for (const Step& step : history_.steps(history_[op])) {
      Known& known = at(step.key);
      if (step.function == Function::read) look(op, step, known);
      else write(step, known);
    }
    for (std::size_t i = begin; i < reads_.size(); ++i)
      reads_[i].writes_too = at(reads_[i].key).wrote;
  }

 private:
  Known& at(Id key) {
    const auto [at, fresh] = places_.try_emplace(key, known_.size());
    if (fresh) known_.emplace_back();
    return known_[at->second];
  }
  bool lists() const { return history_.object() == Object::list_append; }

  void write(const Step& step, Known& known) {
    known.wrote = true;
    if (lists()) known.elements.push_back(step.value);
    else known.value = step.value, known.seen = true;
  }

  void look(OpId op, const Step& step, Known& known) {
    if (!step.seen) return;
    if (!lists()) {
      if (!known.seen) reads_.push_back({op, step.key, step.value, {}, false});
      else if (known.value != step.value) contradict(op, step.key);
      known.seen = true, known.value = step.value;
      return;
    }
    const auto seen = history_.elements(step);
    const std::size_t own = known.elements.size();
    const bool fits = seen.size() >= own &&
                      std::equal(known.elements.begin(), known.elements.end(),
                                 seen.end() - static_cast<std::ptrdiff_t>(own)) &&
                      (!known.seen || seen.size() == own);
    if (!fits) contradict(op, step.key);
    else if (!known.seen) reads_.push_back({op, step.key, 0, seen.first(seen.size() - own), false});
    known.seen = true;
    known.elements.assign(seen.begin(), seen.end());
  }

  void contradict(OpId op, Id key) {
    add_anomaly(anomalies_, {"internal inconsistency",
                             "T1 read " + print_value(history_.keys()[key]) +
                                 " otherwise than its own earlier steps left it",
                             {op},
                             {}});
  }

  const History& history_;
  std::vector<ExternalRead>& reads_;
  std::vector<Anomaly>& anomalies_;
  absl::flat_hash_map<Id, std::size_t> places_;
  std::vector<Known> known_;
};

}  // namespace

std::vector<ExternalRead> external_reads(const History& history, std::vector<Anomaly>& anomalies) {
  std::vector<ExternalRead> reads;
  Walk walk(history, reads, anomalies);
  for (OpId op = 0; op < history.operations().size(); ++op)
    if (history[op].outcome == Outcome::ok) walk.go(op);
  return reads;
}

std::vector<OpId> participants(const History& history, const Writers& writers,
                               const std::vector<ExternalRead>& reads) {
  std::vector<char> in(history.operations().size());
  for (OpId op = 0; op < in.size(); ++op) in[op] = history[op].outcome == Outcome::ok;
  const auto see = [&](Id key, Id value) {
    const Writer* writer = writers.find(key, value);
    if (writer && history[writer->op].outcome != Outcome::fail && !writer->several)
      in[writer->op] = 1;
  };
  for (const ExternalRead& read : reads) {
    if (history.object() != Object::list_append) see(read.key, read.value);
    for (const Id element : read.elements) see(read.key, element);
  }
  std::vector<OpId> out;
  for (OpId op = 0; op < in.size(); ++op)
    if (in[op]) out.push_back(op);
  return out;
}

}  // namespace schism::linearize
