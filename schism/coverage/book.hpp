// What the runs of a hunt have covered: a map each coverage, and how it grew. One process keeps it,
// the director; players look things up in its maps, so that a run reports only what is rare.
//
//   const Result<std::unique_ptr<Book>> book = Book::open(specs, setup);
//   (*book)->report(coverages_of_the_run, result);  // in a player: rare keys, new ones among them
//   (*book)->settle(result);                        // in the director, in the order of the plans
//
// Whoever comes first in the order of the plans has found it, whoever played first.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "schism/base/codec.hpp"
#include "schism/coverage/coverage.hpp"
#include "schism/coverage/map.hpp"
#include "schism/words/plan.hpp"

namespace schism {

// How one coverage stands.
struct Covered {
  std::string name;
  std::uint64_t keys = 0;    // different ones so far
  double fill = 0;           // of its map
  bool full = false;         // no more are taken: `keys` is a lower bound, and `share` unknown
  double share = 0;          // of the last runs that brought something new
  std::uint64_t window = 0;  // so many runs are "the last"
  std::vector<std::pair<std::uint64_t, std::uint64_t>> curve;  // (runs, keys), ever further apart
};

// Which of the last runs brought something new.
class NewsShare {
 public:
  static constexpr std::size_t kWindow = 1000;
  void add(bool news);
  std::uint64_t runs() const { return recent_.size(); }
  double share() const;
  FIELDS(recent_, news_)

 private:
  std::deque<bool> recent_;
  std::uint64_t news_ = 0;
};

class Book {
 public:
  // An error where a coverage sees nothing of such runs. No two of the same name.
  static Result<std::unique_ptr<Book>> open(const std::vector<Spec>& coverages, const Setup& setup,
                                            int bits = kBitsByDefault);
  static constexpr int kBitsByDefault = 20;

  bool empty() const { return pages_.empty(); }
  const std::vector<Spec>& coverages() const { return specs_; }
  // What looks at runs: made where they are played.
  std::vector<std::unique_ptr<Coverage>> make() const;

  // Puts what `run` has shown, as far as it is rare, into the result.
  void report(const std::vector<std::unique_ptr<Coverage>>& run, RunResult& result) const;
  // Counts a run: leaves in `fresh` what is new, puts into `rare` what is known and rare. True:
  // there was something new.
  bool settle(RunResult& result);

  std::vector<Covered> covered() const;
  std::uint64_t keys(std::size_t coverage) const { return pages_[coverage].map->keys(); }
  void protect();  // in a player: see CoverageMap

  std::string save() const;
  Status load(std::string_view bytes);

 private:
  struct Page {
    std::string name;
    std::uint64_t tag = 0;
    std::unique_ptr<CoverageMap> map;
    NewsShare share;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> curve;
  };
  Page* page_of(std::uint64_t key);

  std::vector<Spec> specs_;
  std::vector<Page> pages_;
  std::vector<std::size_t> by_tag_;
  std::uint64_t runs_ = 0, next_point_ = 1;
};

}  // namespace schism
