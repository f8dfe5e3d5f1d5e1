// `portfolio`: other explorers in turns, more often those that gain more: new coverage and bugs for
// the steps that they take, at their declared price. A batch is one arm's; the others overhear it,
// so that schedules which one of them found serve all that keep some. An arm gets the same seeds
// whoever stands beside it.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

#include "schism/base/codec.hpp"
#include "schism/base/random.hpp"
#include "schism/coverage/coverage.hpp"
#include "schism/explore/bandit.hpp"
#include "schism/explore/registry.hpp"
#include "schism/words/codec.hpp"

namespace schism {
namespace {

constexpr double kBug = 100;  // a first violation, in keys of coverage; later ones count less

// What an arm proposed, and what has come back of it.
struct Proposal {
  std::vector<RunPlan> plans;
  std::string policy;
  std::uint64_t given = 0;
  std::vector<RunResult> results;
  FIELDS(plans, policy, given, results)
};

struct Stats {
  std::uint64_t batches = 0, runs = 0, steps = 0, news = 0, violated = 0;
  FIELDS(batches, runs, steps, news, violated)
};

class Portfolio final : public Explorer {
 public:
  struct Options {
    std::string coverage = "colours";
    std::int64_t batch = 128;
  };

  Portfolio(const Options& options, std::vector<Child<Explorer>> children)
      : options_(options), bandit_(children.empty() ? 3 : children.size()) {
    if (children.empty())
      for (const char* name : {"random", "pos", "fuzz"})
        children.push_back({{name}, std::move(*explorers().make({name}, "explorer"))});
    std::uint32_t first = 0;
    for (Child<Explorer>& child : children) {
      Arm& arm = arms_.emplace_back();
      arm.word = print_spec(child.spec);
      arm.explorer = std::move(child.made);
      arm.first = first;
      first += static_cast<std::uint32_t>(arm.explorer->arms().size());
    }
  }

  std::vector<Spec> arms() const override {
    std::vector<Spec> out;
    for (const Arm& arm : arms_)
      for (Spec& spec : arm.explorer->arms()) out.push_back(std::move(spec));
    return out;
  }

  std::vector<Spec> coverage() const override {
    std::vector<Spec> out = {{options_.coverage}};
    for (const Arm& arm : arms_)
      for (Spec& spec : arm.explorer->coverage())
        if (std::none_of(out.begin(), out.end(),
                         [&](const Spec& s) { return s.name == spec.name; }))
          out.push_back(std::move(spec));
    return out;
  }

  bool keeps_schedules() const override {
    return std::any_of(arms_.begin(), arms_.end(),
                       [](const Arm& arm) { return arm.explorer->keeps_schedules(); });
  }

  // No arm may be further behind than it allows itself.
  std::size_t lag() const override {
    std::size_t least = SIZE_MAX;
    for (const Arm& arm : arms_) least = std::min(least, arm.explorer->lag());
    return least;
  }

  Status begin(const Setup& setup) override {
    if (auto may = may_teach(options_.coverage); !may) return error("portfolio: {}", may.error());
    tag_ = tag_of(options_.coverage);
    for (const Arm& arm : arms_) {
      if (arm.explorer->agents() > 0)
        return error("portfolio: {} is played by agents, which take turns with nobody", arm.word);
      if (auto good = arm.explorer->begin(setup); !good) return good;
    }
    return {};
  }

  std::vector<RunPlan> propose(std::uint64_t seed, std::uint64_t) override {
    for (;;) {
      std::vector<bool> may;
      for (const Arm& arm : arms_) may.push_back(!arm.finished);
      if (std::find(may.begin(), may.end(), true) == may.end()) return {};
      const std::size_t which = bandit_.pick(may);
      std::vector<RunPlan> plans = next_of(arms_[which], seed);
      if (plans.empty()) continue;  // it is finished
      out_.push_back(which);
      ++arms_[which].stats.batches;
      return plans;
    }
  }

  std::string policy() const override { return policy_; }

  // Worlds of arms that draw are numbered in turns: the arm is in the number.
  bool draws() const override {
    return std::any_of(arms_.begin(), arms_.end(),
                       [](const Arm& arm) { return arm.explorer->draws(); });
  }
  void ask(const RunText& asked) override {
    for (const Arm& arm : arms_) arm.explorer->ask(asked);
  }
  DrawnText draw(std::uint32_t world, std::string_view policy, int attempt) const override {
    const auto arms = static_cast<std::uint32_t>(arms_.size());
    return arms_[(world - 1) % arms].explorer->draw((world - 1) / arms + 1, policy, attempt);
  }
  std::vector<Lift> lifts() const override {
    for (const Arm& arm : arms_)
      if (arm.explorer->draws()) return arm.explorer->lifts();
    return {};
  }

  void learn(std::span<const RunPlan> plans, std::span<const RunResult> results) override {
    const std::size_t which = out_.front();
    out_.pop_front();
    Arm& arm = arms_[which];
    reward(which, results);
    for (std::size_t i = 0; i < arms_.size(); ++i)
      if (i != which) arms_[i].explorer->overhear(plans, results);
    Proposal& proposal = arm.proposals.front();
    for (const RunResult& result : results) {
      RunResult& kept = proposal.results.emplace_back(result);
      if (!arm.explorer->keeps_schedules()) kept.decisions = {}, kept.contents = {};
    }
    if (proposal.results.size() < proposal.plans.size()) return;
    arm.explorer->learn(proposal.plans, proposal.results);
    arm.proposals.pop_front();
  }

  std::vector<std::pair<std::string, std::string>> account() const override {
    std::vector<std::pair<std::string, std::string>> out;
    std::uint64_t steps = 0;
    for (const Arm& arm : arms_) steps += arm.stats.steps;
    for (const Arm& arm : arms_) {
      const Stats& s = arm.stats;
      const double share =
          steps == 0 ? 0 : 100.0 * static_cast<double>(s.steps) / static_cast<double>(steps);
      out.emplace_back(arm.word, fmt::format("{:.0f}% of the steps, {} runs, {} new, {} violated",
                                             share, s.runs, s.news, s.violated));
    }
    for (const Arm& arm : arms_)
      for (auto& [what, text] : arm.explorer->account())
        out.emplace_back(arm.word + ", " + what, std::move(text));
    return out;
  }

  std::vector<KeptRun> kept() const override {
    std::vector<KeptRun> out;
    for (const Arm& arm : arms_)
      for (KeptRun& run : arm.explorer->kept()) out.push_back(std::move(run));
    return out;
  }

  std::string save() const override {
    Saved out{bandit_, {out_.begin(), out_.end()}, violations_, {}};
    for (const Arm& arm : arms_)
      out.arms.push_back({arm.explorer->save(),
                          arm.planned,
                          arm.finished,
                          arm.stats,
                          {arm.proposals.begin(), arm.proposals.end()}});
    return encode(out);
  }

  Status load(std::string_view bytes) override {
    auto saved = decode<Saved>(bytes);
    if (!saved) return tl::unexpected(saved.error());
    if (saved->arms.size() != arms_.size()) return error("a portfolio of other arms");
    for (std::size_t i = 0; i < arms_.size(); ++i) {
      SavedArm& from = saved->arms[i];
      if (auto s = arms_[i].explorer->load(from.explorer); !s) return s;
      arms_[i].planned = from.planned;
      arms_[i].finished = from.finished;
      arms_[i].stats = from.stats;
      arms_[i].proposals.assign(from.proposals.begin(), from.proposals.end());
    }
    for (const std::uint64_t which : saved->out)
      if (which >= arms_.size()) return error("a portfolio of other arms");
    bandit_ = saved->bandit;
    out_.assign(saved->out.begin(), saved->out.end());
    violations_ = std::move(saved->violations);
    return {};
  }

 private:
  struct Arm {
    std::string word;
    std::unique_ptr<Explorer> explorer;
    std::uint32_t first = 0;    // of its schedulers among all
    std::uint64_t planned = 0;  // runs
    bool finished = false;
    Stats stats;
    std::deque<Proposal> proposals;  // not learnt from yet
  };
  struct SavedArm {
    std::string explorer;
    std::uint64_t planned = 0;
    bool finished = false;
    Stats stats;
    std::vector<Proposal> proposals;
    FIELDS(explorer, planned, finished, stats, proposals)
  };
  struct Saved {
    Bandit bandit{0};
    std::vector<std::uint64_t> out;
    std::map<std::uint32_t, std::uint64_t> violations;
    std::vector<SavedArm> arms;
    FIELDS(bandit, out, violations, arms)
  };

  // The next of what it has proposed, as plans of ours.
  std::vector<RunPlan> next_of(Arm& arm, std::uint64_t seed) {
    if (arm.proposals.empty() || arm.proposals.back().given == arm.proposals.back().plans.size()) {
      const std::uint64_t own_seed = keyed(seed, hash_text(arm.word)) >> 1;
      Proposal next{arm.explorer->propose(own_seed, arm.planned), arm.explorer->policy(), 0, {}};
      arm.planned += next.plans.size();
      if (next.plans.empty()) {
        arm.finished = true;
        return {};
      }
      arm.proposals.push_back(std::move(next));
    }
    Proposal& from = arm.proposals.back();
    const std::uint64_t end = std::min<std::uint64_t>(
        from.given + static_cast<std::uint64_t>(options_.batch), from.plans.size());
    const auto at = [&](std::uint64_t i) {
      return from.plans.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::vector<RunPlan> out(at(from.given), at(end));
    from.given = end;
    const auto number = static_cast<std::uint32_t>(&arm - arms_.data());
    for (RunPlan& plan : out) {
      if (plan.world == 0) plan.arm += arm.first;  // what was drawn has a scheduler of its own
      else plan.world = (plan.world - 1) * static_cast<std::uint32_t>(arms_.size()) + number + 1;
    }
    policy_ = from.policy;
    return out;
  }

  void reward(std::size_t which, std::span<const RunResult> results) {
    double gain = 0, cost = 0;
    Stats& stats = arms_[which].stats;
    for (const RunResult& result : results) {
      const auto news = static_cast<std::uint64_t>(
          std::count_if(result.fresh.begin(), result.fresh.end(),
                        [&](std::uint64_t key) { return tag_of_key(key) == tag_; }));
      gain += static_cast<double>(news);
      cost += static_cast<double>(result.summary.steps + 1) * arms_[which].explorer->price();
      if (result.summary.violated)
        gain += kBug / static_cast<double>(++violations_[result.summary.oracle]);
      ++stats.runs;
      stats.steps += result.summary.steps;
      stats.news += news;
      stats.violated += result.summary.violated ? 1 : 0;
    }
    bandit_.learn(which, gain, cost);
  }

  Options options_;
  std::vector<Arm> arms_;
  Bandit bandit_;
  std::deque<std::uint64_t> out_;                      // whose batches are out, in order
  std::map<std::uint32_t, std::uint64_t> violations_;  // so far, by oracle
  std::string policy_;
  std::uint64_t tag_ = 0;
};

using O = Portfolio::Options;
const Registration registered =
    explorer<Portfolio>("portfolio",
                        "other explorers in turns, more often those that gain more: those in "
                        "parentheses, else random, pos and fuzz")
        .children(explorers(), "explorer", 0, 32)
        .param<&O::coverage>("coverage", "what counts as a gain, beside bugs")
        .param<&O::batch>("batch", 1, 100'000, "runs before the next turn");

}  // namespace
}  // namespace schism
