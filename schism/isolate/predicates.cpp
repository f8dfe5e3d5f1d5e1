#include "schism/isolate/predicates.hpp"

#include <algorithm>
#include <bit>

namespace schism::isolate {
namespace {

constexpr std::uint32_t kSetsMax = 2'000'000;

VerbPair comparables_of(const Schema& schema, int left, int right) {
  VerbPair pair;
  pair.left = left, pair.right = right;
  int bit = 0;
  const auto add = [&](Comparable c, int operators) {
    c.first_bit = bit;
    bit += operators;
    pair.comparables.push_back(std::move(c));
  };
  add({}, kRelations);
  const auto& ls = schema.verbs[static_cast<std::size_t>(left)].fields;
  const auto& rs = schema.verbs[static_cast<std::size_t>(right)].fields;
  for (std::size_t l = 0; l < ls.size(); ++l)
    for (std::size_t r = 0; r < rs.size(); ++r) {
      const Kind& kind = schema.kinds[static_cast<std::size_t>(ls[l].kind)];
      if (ls[l].kind != rs[r].kind || kind.operators.empty()) continue;
      Comparable c;
      c.left = static_cast<int>(l), c.right = static_cast<int>(r);
      c.operators = kind.operators;
      c.leave_out = ls[l].leave_out || rs[r].leave_out;
      for (std::size_t i = 0; i < c.operators.size() && bit + static_cast<int>(i) < 64; ++i) {
        const std::uint64_t own = std::uint64_t{1} << (bit + static_cast<int>(i));
        const Operator op = c.operators[i];
        if (op == kLess || op == kUnequal) c.when[0] |= own;
        if (op == kEqual) c.when[1] |= own;
        if (op == kGreater || op == kUnequal) c.when[2] |= own;
      }
      add(std::move(c), static_cast<int>(kind.operators.size()));
    }
  return pair;
}

int bits_of(const VerbPair& pair) {
  const Comparable& last = pair.comparables.back();
  return last.first_bit +
         (last.left == kSenders ? kRelations : static_cast<int>(last.operators.size()));
}

// Every way to choose `left` more comparables from `at` on, fields before operators as in the
// paper.
class SetMaker {
 public:
  explicit SetMaker(VerbPair& pair) : pair_(pair) {}

  void choose(std::size_t at, int left) {
    if (left == 0) return combine(0, {});
    for (std::size_t i = at; i < pair_.comparables.size(); ++i) {
      chosen_.push_back(i);
      choose(i + 1, left - 1);
      chosen_.pop_back();
    }
  }

 private:
  void combine(std::size_t i, AssertionSet set) {
    if (i == chosen_.size()) return pair_.sets.push_back(set);
    const Comparable& c = pair_.comparables[chosen_[i]];
    set.leave_out = set.leave_out || c.leave_out;
    const int operators = c.left == kSenders ? kRelations : static_cast<int>(c.operators.size());
    const std::uint64_t before = set.mask;
    for (int op = 0; op < operators; ++op) {
      set.mask = before | std::uint64_t{1} << (c.first_bit + op);
      combine(i + 1, set);
    }
  }

  VerbPair& pair_;
  std::vector<std::size_t> chosen_;
};

}  // namespace

Result<Predicates> Predicates::generate(const Schema& schema) {
  Predicates out;
  out.schema_ = schema;
  const int verbs = static_cast<int>(schema.verbs.size());
  for (int left = 0; left < verbs; ++left)
    for (int right = 0; right < verbs; ++right) {
      VerbPair pair = comparables_of(schema, left, right);
      if (bits_of(pair) > 64)
        return error("{} and {} have more than 64 comparisons; give their fields more kinds",
                     schema.verbs[static_cast<std::size_t>(left)].name,
                     schema.verbs[static_cast<std::size_t>(right)].name);
      SetMaker maker(pair);
      const int most = std::min<int>(schema.assertions, static_cast<int>(pair.comparables.size()));
      for (int n = 0; n <= most; ++n) {
        maker.choose(0, n);
        if (out.sets_ + pair.sets.size() > kSetsMax)
          return error("more than {} sets of assertions; fewer assertions or operators would do",
                       kSetsMax);
      }
      pair.first_set = out.sets_;
      out.sets_ += static_cast<std::uint32_t>(pair.sets.size());
      out.pairs_.push_back(std::move(pair));
    }
  return out;
}

const VerbPair& Predicates::pair_of(std::uint32_t set) const {
  const auto after = std::upper_bound(
      pairs_.begin(), pairs_.end(), set,
      [](std::uint32_t number, const VerbPair& p) { return number < p.first_set; });
  return *(after - 1);
}

namespace {

constexpr const char* kRelationWords[] = {"=", "!=", "disjoint", "subset", "superset"};
constexpr const char* kRelationNotation[] = {"senders(l) = senders(r)", "senders(l) != senders(r)",
                                             "senders(l) ∩ senders(r) = ∅",
                                             "senders(l) ⊆ senders(r)", "senders(l) ⊇ senders(r)"};
constexpr const char* kRelationSentence[] = {
    "from exactly the same senders", "not from exactly the same senders",
    "from none of these senders", "from all of these senders", "only from these senders"};

// Calls for each assertion: a relation of senders (`op` < 0), or two fields and an operator.
template <class Senders, class Fields>
void each_assertion(const Predicates& predicates, std::uint32_t set, Senders&& senders,
                    Fields&& fields) {
  const VerbPair& pair = predicates.pair_of(set);
  const Schema& schema = predicates.schema();
  const Verb& left = schema.verbs[static_cast<std::size_t>(pair.left)];
  const Verb& right = schema.verbs[static_cast<std::size_t>(pair.right)];
  const std::uint64_t mask = predicates.assertions(set).mask;
  for (const Comparable& c : pair.comparables) {
    if (c.left == kSenders) {
      for (int r = 0; r < kRelations; ++r)
        if (mask >> r & 1) senders(r);
      continue;
    }
    for (std::size_t i = 0; i < c.operators.size(); ++i)
      if (mask >> (c.first_bit + static_cast<int>(i)) & 1)
        fields(left.fields[static_cast<std::size_t>(c.left)].name,
               right.fields[static_cast<std::size_t>(c.right)].name, c.operators[i]);
  }
}

std::string processes(int more_than) {
  return fmt::format("more than {} process{}", more_than, more_than == 1 ? "" : "es");
}

}  // namespace

std::vector<std::string> Predicates::assertion_texts(std::uint32_t set) const {
  std::vector<std::string> out;
  each_assertion(
      *this, set,
      [&](int relation) { out.push_back(fmt::format("senders {}", kRelationWords[relation])); },
      [&](const std::string& l, const std::string& r, Operator op) {
        out.push_back(l == r ? fmt::format("{} {}", l, operator_text(op))
                             : fmt::format("{} {} {}", l, operator_text(op), r));
      });
  return out;
}

std::string Predicates::notation(const PredicateId& id) const {
  const VerbPair& pair = pair_of(id.set);
  std::string out = fmt::format(
      "{} x {} -> {} for {}", id.threshold, schema_.verbs[static_cast<std::size_t>(pair.left)].name,
      schema_.verbs[static_cast<std::size_t>(pair.right)].name, processes(id.tolerance));
  const char* separator = ": ";
  const auto add = [&](const std::string& text) {
    out += separator + text;
    separator = ", ";
  };
  each_assertion(
      *this, id.set, [&](int relation) { add(kRelationNotation[relation]); },
      [&](const std::string& l, const std::string& r, Operator op) {
        add(fmt::format("{}(l) {} {}(r)", l, operator_text(op), r));
      });
  return out;
}

std::string Predicates::sentence(const PredicateId& id) const {
  const VerbPair& pair = pair_of(id.set);
  const std::string& left = schema_.verbs[static_cast<std::size_t>(pair.left)].name;
  const std::string& right = schema_.verbs[static_cast<std::size_t>(pair.right)].name;
  std::string out = fmt::format(
      "At {} or more, {} and later a {}",
      id.tolerance == 0 ? std::string("one process")
                        : fmt::format("{} processes", id.tolerance + 1),
      id.threshold == 1
          ? fmt::format("a {} arrived", left)
          : fmt::format("the same {} arrived from at least {} senders", left, id.threshold),
      right);
  std::vector<std::string> withs, others;
  each_assertion(
      *this, id.set, [&](int relation) { others.emplace_back(kRelationSentence[relation]); },
      [&](const std::string& l, const std::string& r, Operator op) {
        if (l != r) {
          const char* how = op == kEqual     ? "equal to"
                            : op == kUnequal ? "other than"
                            : op == kLess    ? "higher than"
                                             : "lower than";
          withs.push_back(fmt::format("a {} {} the first one's {}", r, how, l));
        } else {
          const char* how = op == kEqual     ? "the same"
                            : op == kUnequal ? "another"
                            : op == kLess    ? "a higher"
                                             : "a lower";
          withs.push_back(fmt::format("{} {}", how, l));
        }
      });
  for (std::size_t i = 0; i < withs.size(); ++i)
    out += (i == 0 ? " with " : i + 1 == withs.size() ? " and " : ", ") + withs[i];
  for (const std::string& other : others) out += ", " + other;
  return out + ".";
}

}  // namespace schism::isolate
