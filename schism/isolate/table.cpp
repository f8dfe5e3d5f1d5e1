#include "schism/isolate/table.hpp"

#include <algorithm>
#include <set>

namespace schism::isolate {

Table::Table(std::vector<RunInfo> runs)
    : runs_(std::move(runs)),
      words_((runs_.size() + 63) / 64),
      failed_(words_),
      passed_(words_),
      all_(words_) {
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    set(runs_[i].failed ? failed_ : passed_, i);
    set(all_, i);
  }
}

std::span<std::uint64_t> Table::add() {
  holds_.resize(holds_.size() + words_);
  return {holds_.data() + holds_.size() - words_, words_};
}

std::pair<std::span<std::uint64_t>, std::span<std::uint64_t>> Table::add_observed() {
  observed_.resize(observed_.size() + words_);
  return {add(), {observed_.data() + observed_.size() - words_, words_}};
}

Table Table::restricted(BitsView runs) const {
  Table out = *this;
  for (std::size_t w = 0; w < words_; ++w) {
    out.failed_[w] &= runs[w], out.passed_[w] &= runs[w], out.all_[w] &= runs[w];
  }
  return out;
}

Bits Table::with_bug(const std::string& bug) const {
  Bits out = none();
  for (std::size_t i = 0; i < runs_.size(); ++i)
    if (std::find(runs_[i].bugs.begin(), runs_[i].bugs.end(), bug) != runs_[i].bugs.end())
      set(out, i);
  return out;
}

std::vector<std::string> Table::bugs() const {
  std::set<std::string> names;
  for (const RunInfo& run : runs_) names.insert(run.bugs.begin(), run.bugs.end());
  return {names.begin(), names.end()};
}

void Observations::add(RunInfo info, const RunBits& bits) {
  runs_.push_back(std::move(info));
  rows_.insert(rows_.end(), bits.words().begin(), bits.words().end());
}

std::size_t Observations::failing() const {
  return static_cast<std::size_t>(
      std::count_if(runs_.begin(), runs_.end(), [](const RunInfo& r) { return r.failed; }));
}

Table Observations::table(std::vector<PredicateId>& ids) const {
  const Schema& schema = predicates_.schema();
  const std::size_t sets_words = (predicates_.sets() + 63) / 64;
  const auto thresholds = static_cast<std::size_t>(schema.thresholds());
  const std::size_t row = static_cast<std::size_t>(schema.tolerances()) * thresholds * sets_words;
  std::vector<std::uint64_t> in_failing(row);
  for (std::size_t r = 0; r < runs_.size(); ++r)
    if (runs_[r].failed)
      for (std::size_t w = 0; w < row; ++w) in_failing[w] |= rows_[r * row + w];

  Table out(runs_);
  ids.clear();
  constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<std::uint32_t> column(row * 64, kNone);  // of a bit of a row
  for (std::size_t threshold = 0; threshold < thresholds; ++threshold)
    for (std::uint32_t set = 0; set < predicates_.sets(); ++set) {
      if (predicates_.assertions(set).leave_out) continue;
      for (int t = 0; t < schema.tolerances(); ++t) {
        const std::size_t bit =
            (static_cast<std::size_t>(t) * thresholds + threshold) * sets_words * 64 + set;
        if (!test(in_failing, bit)) continue;
        column[bit] = static_cast<std::uint32_t>(ids.size());
        ids.push_back(
            {schema.threshold_low + static_cast<int>(threshold), schema.tolerance_low + t, set});
      }
    }
  std::vector<std::uint64_t> holds(ids.size() * out.words());
  for (std::size_t r = 0; r < runs_.size(); ++r)
    for (std::size_t w = 0; w < row; ++w)
      for (std::uint64_t bits = rows_[r * row + w] & in_failing[w]; bits != 0; bits &= bits - 1) {
        const std::uint32_t c = column[w * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
        if (c != kNone) holds[c * out.words() + r / 64] |= std::uint64_t{1} << r % 64;
      }
  for (std::size_t c = 0; c < ids.size(); ++c) {
    const auto to = out.add();
    std::copy_n(holds.data() + c * out.words(), out.words(), to.begin());
  }
  return out;
}

}  // namespace schism::isolate
