// What a hunt has counted and found so far: everything that must survive when it is killed.
#pragma once

#include <map>

#include "schism/campaign/hunt.hpp"

namespace schism {

class Tally {
 public:
  HuntResult result;

  // Counts a run; true: it is of a class that was not seen before, as far as that is kept.
  bool count(const RunSummary& summary);
  // And what those who looked on at it counted.
  void count(const NamedCounts& counts);
  // Whether another violation of that oracle is to be looked at closely.
  bool look_closely(std::uint32_t oracle, std::uint64_t most) { return closely_[oracle]++ < most; }
  // One that is not: it counts for the first bug of its property.
  void count_only(std::uint32_t oracle);
  // Puts a find to its like.
  std::pair<const Find*, Bugs::News> file(Specimen specimen, std::uint32_t oracle,
                                          std::uint64_t count);

  std::uint64_t met() const { return met_; }
  std::uint64_t judged() const { return judged_; }
  const std::map<std::uint32_t, std::uint64_t>& muted() const { return muted_; }

  std::string save() const;
  Status load(std::string_view bytes);

 private:
  Bugs bugs_;
  std::map<std::uint32_t, std::uint64_t> closely_;  // violations of an oracle so far
  std::map<std::uint32_t, std::uint64_t> muted_;
  std::uint64_t met_ = 0, judged_ = 0;
};

}  // namespace schism
