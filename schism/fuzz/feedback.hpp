// Which coverage tells what is worth keeping: the finest of several that still saturates. One that
// finds something new in every run steers nothing.
#pragma once

#include "schism/coverage/book.hpp"

namespace schism::fuzz {

class Feedback {
 public:
  static constexpr double kShareMax = 1.0 / 3;
  static constexpr std::uint64_t kEnough = 200;  // runs before a share is believed

  // Words of the table, the finest first.
  explicit Feedback(std::vector<std::string> coverages);

  std::vector<Spec> specs() const;
  // Counts a run.
  void add(const RunResult& result);
  // The one to be used now.
  std::size_t chosen() const;
  const std::string& name() const { return names_[chosen()]; }
  double share() const { return shares_[chosen()].share(); }
  // Keys of that coverage alone.
  std::vector<std::uint64_t> of(std::span<const std::uint64_t> keys) const;

  std::string save() const { return encode(shares_); }
  Status load(std::string_view bytes);

 private:
  std::vector<std::string> names_;
  std::vector<std::uint64_t> tags_;
  std::vector<NewsShare> shares_;
};

// "colours/events": words of the table, none twice.
Result<std::vector<std::string>> parse_feedback(const std::string& text);

}  // namespace schism::fuzz
