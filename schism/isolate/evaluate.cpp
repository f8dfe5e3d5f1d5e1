#include "schism/isolate/evaluate.hpp"

#include <algorithm>
#include <bit>

#include "schism/base/hash.hpp"

namespace schism::isolate {

Evaluator::Evaluator(const Predicates& predicates)
    : predicates_(predicates),
      known_(predicates.pairs().size()),
      held_(1, predicates.schema().thresholds(), predicates.sets()) {
  const Schema& schema = predicates.schema();
  for (int p = 0; p < schema.processes; ++p) heard_.push_back(schema.heard_by(p));
  // Every tolerance from 0 on is needed to count, also those below the lowest one asked for.
  for (std::size_t g = 0; g < schema.groups.size(); ++g)
    groups_.emplace_back(schema.tolerance_high + 1, schema.thresholds(), predicates.sets());
}

RunBits Evaluator::fresh_bits() const {
  const Schema& schema = predicates_.schema();
  return {schema.tolerances(), schema.thresholds(), predicates_.sets()};
}

std::uint64_t Evaluator::signature_of(const VerbPair& pair, const Seen& left, const Seen& right) {
  std::uint64_t signature = compare_senders(left.senders, right.senders);
  for (std::size_t i = 1; i < pair.comparables.size(); ++i) {
    const Comparable& c = pair.comparables[i];
    const std::int64_t a = left.fields[c.left], b = right.fields[c.right];
    signature |= c.when[1 + (a > b) - (a < b)];
  }
  return signature;
}

template <class Pair>
void Evaluator::walk(const Run& run, int process, bool arrivals, Pair&& pair) {
  const Schema& schema = predicates_.schema();
  const std::uint64_t heard = heard_[static_cast<std::size_t>(process)];
  const auto inbox = run.inbox(static_cast<std::size_t>(process));
  seen_count_ = 0;
  Seen now;
  for (std::uint32_t at = 0; at < inbox.size(); ++at) {
    const Message& m = inbox[at];
    if (m.sender < 0 || !(heard >> m.sender & 1)) continue;
    const std::size_t fields = schema.verbs[m.verb].fields.size();
    now.verb = m.verb;
    now.fields = run.fields(m);
    now.hash = mix64(m.verb);
    for (std::size_t f = 0; f < fields; ++f)
      now.hash = mix64(now.hash ^ static_cast<std::uint64_t>(now.fields[f]));
    std::size_t same = 0;
    while (same < seen_count_ && !(seen_[same].hash == now.hash && seen_[same].verb == now.verb &&
                                   std::equal(now.fields, now.fields + fields, seen_[same].fields)))
      ++same;
    now.senders = std::uint64_t{1} << m.sender;
    if (same < seen_count_) now.senders |= seen_[same].senders;
    for (std::size_t i = 0; i < seen_count_; ++i) pair(seen_[i], now, at);
    if (same == seen_count_) {
      if (seen_.size() == seen_count_) seen_.emplace_back();
      seen_[same].hash = now.hash, seen_[same].verb = now.verb, seen_[same].fields = now.fields;
      seen_[same].senders = 0;
      seen_[same].arrivals.clear();
      ++seen_count_;
    }
    if (arrivals && seen_[same].senders != now.senders) seen_[same].arrivals.push_back(at);
    seen_[same].senders = now.senders;
  }
}

Evaluator::Signature& Evaluator::find(Signatures& known, const VerbPair& pair,
                                      std::uint64_t signature) {
  if (known.any && known.last_key == signature) return known.list[known.last];
  const auto [at, fresh] =
      known.index.try_emplace(signature, static_cast<std::uint32_t>(known.list.size()));
  if (fresh) {
    Signature s;
    s.first_word = pair.first_set / 64;
    const std::uint32_t last_set = pair.first_set + static_cast<std::uint32_t>(pair.sets.size());
    s.satisfied.resize((last_set + 63) / 64 - s.first_word);
    for (std::size_t i = 0; i < pair.sets.size(); ++i) {
      if ((signature & pair.sets[i].mask) != pair.sets[i].mask) continue;
      const std::size_t bit = pair.first_set + i - std::size_t{s.first_word} * 64;
      s.satisfied[bit / 64] |= std::uint64_t{1} << bit % 64;
    }
    known.list.push_back(std::move(s));
  }
  known.any = true, known.last_key = signature, known.last = at->second;
  return known.list[at->second];
}

void Evaluator::note(const VerbPair& pair, std::uint64_t signature, int senders) {
  Signatures& known = known_[static_cast<std::size_t>(&pair - predicates_.pairs().data())];
  Signature& s = find(known, pair, signature);
  if (s.stamp != stamp_) {
    s.stamp = stamp_, s.senders = 0;
    known.touched.push_back(known.last);
  }
  s.senders = std::max(s.senders, senders);
}

// A signature with so many senders on the left satisfies all thresholds up to that number.
void Evaluator::collect() {
  const Schema& schema = predicates_.schema();
  held_.clear();
  for (Signatures& known : known_) {
    for (const std::uint32_t i : known.touched) {
      const Signature& s = known.list[i];
      const int level = std::min(s.senders, schema.threshold_high) - schema.threshold_low;
      if (level < 0) continue;
      const auto bits = held_.level(0, level);
      for (std::size_t w = 0; w < s.satisfied.size(); ++w) bits[s.first_word + w] |= s.satisfied[w];
    }
    known.touched.clear();
  }
  for (int level = schema.thresholds() - 1; level > 0; --level) {
    const auto from = held_.level(0, level), to = held_.level(0, level - 1);
    for (std::size_t w = 0; w < to.size(); ++w) to[w] |= from[w];
  }
}

void Evaluator::evaluate(const Run& run, RunBits& out) {
  const Schema& schema = predicates_.schema();
  for (RunBits& group : groups_) group.clear();
  for (int process = 0; process < schema.processes; ++process) {
    ++stamp_;
    walk(run, process, false, [&](const Seen& left, const Seen& right, std::uint32_t) {
      ++pairs_compared_;
      const VerbPair& pair = predicates_.pair(left.verb, right.verb);
      note(pair, signature_of(pair, left, right), std::popcount(left.senders));
    });
    collect();
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (!(schema.groups[g].members >> process & 1)) continue;
      for (int threshold = 0; threshold < schema.thresholds(); ++threshold) {
        const auto held = std::as_const(held_).level(0, threshold);
        for (int t = schema.tolerance_high; t >= 0; --t) {
          const auto more = groups_[g].level(t, threshold);
          const auto fewer = t == 0 ? held : std::as_const(groups_[g]).level(t - 1, threshold);
          for (std::size_t w = 0; w < more.size(); ++w) more[w] |= fewer[w] & held[w];
        }
      }
    }
  }
  out.clear();
  for (const RunBits& group : groups_)
    for (int t = schema.tolerance_low; t <= schema.tolerance_high; ++t)
      for (int threshold = 0; threshold < schema.thresholds(); ++threshold) {
        const auto from = group.level(t, threshold);
        const auto to = out.level(t - schema.tolerance_low, threshold);
        for (std::size_t w = 0; w < to.size(); ++w) to[w] |= from[w];
      }
}

std::vector<Witness> Evaluator::witnesses(const Run& run, const PredicateId& id) {
  std::vector<Witness> out;
  const VerbPair& wanted = predicates_.pair_of(id.set);
  const std::uint64_t mask = predicates_.assertions(id.set).mask;
  for (int process = 0; process < predicates_.schema().processes; ++process) {
    std::optional<Witness> first;
    walk(run, process, true, [&](const Seen& left, const Seen& right, std::uint32_t at) {
      if (first || left.verb != wanted.left || right.verb != wanted.right) return;
      if (std::popcount(left.senders) < id.threshold) return;
      if ((signature_of(wanted, left, right) & mask) == mask)
        first = Witness{process, left.arrivals, at};
    });
    if (first) out.push_back(*std::move(first));
  }
  return out;
}

}  // namespace schism::isolate
