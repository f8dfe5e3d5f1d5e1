#include "schism/campaign/hunt.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "schism/base/file.hpp"
#include "schism/campaign/company.hpp"
#include "schism/campaign/cpu_time.hpp"
#include "schism/campaign/performer.hpp"
#include "schism/campaign/tally.hpp"
#include "schism/run/jury.hpp"
#include "schism/run/make_world.hpp"

namespace schism {
namespace {

using Clock = std::chrono::steady_clock;  // for limits and rates; it decides nothing

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

constexpr std::size_t kLeaksMax = 10;

// All that a hunt which was killed needs to go on, as of a border between two batches.
struct State {
  std::string command;
  std::string tally, explorer, book;
  std::vector<Company::Saved> agents;
  std::uint64_t episodes = 0;            // that each agent has played
  std::vector<Company::Batch> proposed;  // and not yet learnt from
  FIELDS(command, tally, explorer, book, agents, episodes, proposed)
};

class Hunt {
 public:
  Hunt(const RunConfig& config, const HuntOptions& options, const HuntListener& listener,
       const std::atomic<bool>& stop)
      : config_(config),
        options_(options),
        listener_(listener),
        stop_(stop),
        explorer_(make_explorer(config)),
        jury_(config.setup) {}

  Result<HuntResult> run() {
    if (explorer_->agents() > 0)
      if (auto s = needs(config_.setup, "an agent", {Need::exact_replay}); !s)
        return tl::unexpected(s.error());
    begun_ = last_new_ = last_report_ = last_save_ = Clock::now();
    if (auto good = explorer_->begin(config_.setup); !good) return tl::unexpected(good.error());
    auto book = Book::open(wanted_coverage(), config_.setup, options_.coverage_bits);
    if (!book) return tl::unexpected(book.error());
    book_ = *std::move(book);
    own_cpu_ = cpu_seconds();
    auto company = Company::gather(config_, {options_.jobs, options_.in_process, options_.watchers,
                                             book_.get(), explorer_->keeps_schedules(), clocked()});
    if (!company) return tl::unexpected(company.error());
    company_ = *std::move(company);
    if (options_.resume)
      if (auto loaded = load(); !loaded) return tl::unexpected(loaded.error());
    const Status played = explorer_->agents() > 0 ? play_agents() : play_plans();
    if (!played) tally_.result.problem = played.error();  // what was done before it counts
    conclude();
    return std::move(tally_.result);
  }

 private:
  // What the explorer learns from, and what only the user asks for.
  std::vector<Spec> wanted_coverage() const {
    std::vector<Spec> out = explorer_->coverage();
    for (const Spec& shown : options_.coverage)
      if (std::none_of(out.begin(), out.end(),
                       [&](const Spec& other) { return other.name == shown.name; }))
        out.push_back(shown);
    return out;
  }

  // ---- plans
  // -------------------------------------------------------------------------------------

  Status play_plans() {
    Company::Game game;
    game.first_run = tally_.result.totals.runs;
    game.lag = explorer_->lag();
    game.more = [&](std::uint64_t first) { return next_batch(first); };
    game.take = [&](std::uint64_t run, const Company::Batch& batch, std::size_t i,
                    Outcome&& outcome) { return take(run, batch, i, std::move(outcome)); };
    game.stop = [&] { return should_stop(); };
    return company_->play(game);
  }

  std::optional<Company::Batch> next_batch(std::uint64_t first) {
    if (!again_.empty()) {
      Company::Batch batch = std::move(again_.front());
      again_.pop_front();
      proposed_.push_back(batch);
      return batch;
    }
    if (options_.runs > 0 && first >= options_.runs) return std::nullopt;
    Company::Batch batch{explorer_->propose(options_.seed, first), explorer_->policy()};
    if (options_.runs > 0)
      batch.plans.resize(std::min<std::uint64_t>(batch.plans.size(), options_.runs - first));
    proposed_.push_back(batch);
    return batch;
  }

  Result<bool> take(std::uint64_t run, const Company::Batch& batch, std::size_t i,
                    Outcome&& outcome) {
    where_ = {&batch, run - i};
    const std::uint64_t before = tally_.result.totals.runs;
    auto on = count(run, batch.plans[i], batch.policy, outcome);
    if (!on || tally_.result.totals.runs == before) return on;
    outcome.result.cpu_us = 0;
    results_.push_back(std::move(outcome.result));
    if (!*on || i + 1 < batch.plans.size()) return on;
    explorer_->learn(batch.plans, results_);
    results_.clear();
    proposed_.pop_front();
    return save_now_and_then();
  }

  // ---- agents
  // ------------------------------------------------------------------------------------

  Status play_agents() {
    const std::uint32_t agents = explorer_->agents();
    while (!done_ && !should_stop()) {
      Company::Episodes round{agents, options_.seed, episodes_, explorer_->episodes(), true};
      if (options_.runs > 0) {
        const std::uint64_t left =
            options_.runs - std::min(options_.runs, tally_.result.totals.runs);
        round.count = std::min(round.count, (left + agents - 1) / agents);
        if (round.count == 0) return {};
      }
      const auto take = [&](std::uint32_t agent, std::uint64_t, Outcome&& outcome) {
        RunPlan plan = outcome.plan;
        plan.arm = agent;
        explorer_->learn(std::span(&plan, 1), std::span(&outcome.result, 1));
        return count(tally_.result.totals.runs, plan, {}, outcome);
      };
      if (auto played = company_->play(round, take, [&] { return should_stop(); }); !played)
        return played;
      if (done_) return {};
      episodes_ += round.count;
      const auto saved = save_now_and_then();
      if (!saved) return tl::unexpected(saved.error());
    }
    return {};
  }

  // ---- a run
  // -------------------------------------------------------------------------------------

  // False: enough.
  Result<bool> count(std::uint64_t run, const RunPlan& plan, const std::string& policy,
                     Outcome& outcome) {
    players_cpu_us_ += outcome.result.cpu_us;
    if (is_beyond(outcome.result.summary)) {
      tally_.result.out_of_time = done_ = true;
      return false;
    }
    const bool news = !book_->empty() && book_->settle(outcome.result);
    // Its player may have taken for new what others had shown meanwhile.
    if (!outcome.result.summary.violated && outcome.result.fresh.empty())
      outcome.result.decisions.clear(), outcome.result.contents.clear();
    RunSummary summary = outcome.result.summary;
    // A death cannot be gone on from, but it need not be told.
    if (outcome.death &&
        is_muted(config_.setup.mute, name_of(summary.oracle), outcome.death->sentence())) {
      summary.violated = false;
      summary.muted |= std::uint64_t{1} << summary.oracle;
    }
    tally_.count(outcome.counts);
    if (tally_.count(summary) || news) last_new_ = Clock::now();
    if (listener_.counted) tell_counted(summary, outcome.result);
    if ((run & 63) == 0) report();
    if (!summary.violated) return true;
    if (!tally_.look_closely(summary.oracle, options_.closely)) {
      tally_.count_only(summary.oracle);
      return true;
    }
    const double before = cpu_seconds();
    if (auto kept = keep(run, plan, policy, outcome); !kept) return tl::unexpected(kept.error());
    own_cpu_ += cpu_seconds() - before;
    return !done_;
  }

  void tell_counted(const RunSummary& summary, const RunResult& result) {
    if (clocked()) tally_.result.totals.cpu_seconds = spent();
    listener_.counted(tally_.result.totals, summary, *book_, explorer_->fitness(result));
  }

  // Whether a budget does not reach for one run more. Those of what runs do are a matter of their
  // order alone.
  bool is_beyond(const RunSummary& run) const {
    const HuntProgress& t = tally_.result.totals;
    const auto over = [](std::uint64_t limit, std::uint64_t sum) {
      return limit > 0 && sum > limit;
    };
    return over(options_.steps, t.steps + run.steps) ||
           over(options_.deliveries, t.deliveries + run.deliveries) ||
           over(options_.simulated_us, t.simulated_us + run.simulated_us) ||
           (options_.cpu_seconds > 0 && spent() > options_.cpu_seconds);
  }

  bool clocked() const { return options_.clocked || options_.cpu_seconds > 0; }
  // A closer look is no search.
  double spent() const {
    return cpu_seconds() - own_cpu_ + static_cast<double>(players_cpu_us_) * 1e-6;
  }

  struct Look {
    std::optional<Original> original;
    std::optional<Confirmed> confirmed;
    std::optional<Examined> examined;
    std::optional<Death> fallen;  // who looked died of it
  };

  Result<Look> look_closely(const LookClosely& order) {
    Look out;
    const auto read = [&](const std::vector<std::string>& letters) -> Status {
      for (const std::string& letter : letters)
        if (auto s = read_letter(letter, out); !s) return s;
      return {};
    };
    auto report = company_->ask(
        order, [&] { return should_stop(); }, read);
    if (!report) return tl::unexpected(report.error());
    if (!*report) return out;
    if ((*report)->fallen) out.fallen = (*report)->fallen->death;
    if (auto taken = read((*report)->letters); !taken) return tl::unexpected(taken.error());
    return out;
  }

  // In the order in which examine() puts them out.
  Status read_letter(const std::string& letter, Look& out) {
    const auto read = [&](auto& into) -> Status { return decode(letter, into.emplace()); };
    if (out.confirmed) return read(out.examined);
    if (out.original) return read(out.confirmed);
    if (auto s = read(out.original); !s || !listener_.recorded || !out.original->trace.violation)
      return s;
    return listener_.recorded(*out.original);
  }

  // A violation is recorded and repeated before it is believed.
  Status keep(std::uint64_t run, const RunPlan& plan, const std::string& policy,
              const Outcome& outcome) {
    LookClosely order;
    order.run = run;
    order.plan = plan;
    order.policy = policy;
    order.decisions = outcome.result.decisions;
    order.contents = outcome.result.contents;
    order.died = outcome.death;
    order.shrink = options_.shrink;
    order.seconds = options_.shrink_seconds;
    order.pictures = options_.pictures;
    order.wary = outcome.death.has_value();
    auto look = look_closely(order);
    // Who looked died of it: once more, with every play in a process of its own.
    if (look && look->fallen && !order.wary) {
      order.wary = true;
      look = look_closely(order);
    }
    const std::uint32_t oracle = outcome.result.summary.oracle;
    if (!look) {
      unexamined(run, plan, oracle, look.error());
      return tl::unexpected(look.error());
    }
    if (look->confirmed && look->confirmed->difference && listener_.taken_back)
      listener_.taken_back(*look->original);
    if (look->confirmed && look->confirmed->difference)
      return differs(run, plan, outcome, *std::move(look->confirmed->difference));
    done_ = done_ || !options_.keep_going;
    if (look->examined && !look->examined->specimens.empty()) return file(*look->examined, oracle);
    if (look->original && look->original->trace.violation) {  // it stays as long as it is
      Specimen whole{look->original->trace, {}, {look->original->evidence, {}}, {}, {}};
      whole.look.shape = whole.trace.run_class;
      return file(std::move(whole), oracle, 1);
    }
    std::string why = "the hunt was stopped before it could be recorded";
    if (look->fallen) why = look->fallen->sentence();
    unexamined(run, plan, oracle, why);
    return {};
  }

  void unexamined(std::uint64_t run, const RunPlan& plan, std::uint32_t oracle,
                  const std::string& why) {
    tally_.result.unexamined.push_back(
        fmt::format("run {} (seed {}) violates {}: {}", run, plan.seed, name_of(oracle), why));
  }

  Status file(Examined& examined, std::uint32_t oracle) {
    for (std::size_t i = 0; i < examined.specimens.size(); ++i) {
      Specimen& specimen = examined.specimens[i];
      const std::uint32_t which =
          i == 0 ? oracle : oracle_of(specimen.smallest().violation->property);
      if (auto filed = file(std::move(specimen), which, i == 0 ? 1 : 0); !filed) return filed;
    }
    return {};
  }

  Status file(Specimen specimen, std::uint32_t oracle, std::uint64_t count) {
    const auto [find, news] = tally_.file(std::move(specimen), oracle, count);
    if (news == Bugs::News::nothing || !listener_.found) return {};
    return listener_.found(*find, news);
  }

  // It does not happen alone. Does it in its process, and after which run?
  Status differs(std::uint64_t run, const RunPlan& plan, const Outcome& outcome,
                 Difference difference) {
    if (!has(config_.setup, Need::exact_replay)) {  // that says nothing about the system
      unexamined(run, plan, outcome.result.summary.oracle, difference.now);
      return {};
    }
    const Company::Batch* const batch = where_.batch;
    const std::uint64_t base = where_.base;
    const auto nondeterministic = [&]() -> Status {
      tally_.result.nondeterminism = Nondeterminism{run, plan, std::move(difference)};
      done_ = true;
      return {};
    };
    const bool suspicious = is_guarded(config_.setup) || outcome.death;
    if (!batch || !suspicious || outcome.since < base) return nondeterministic();
    Leak leak{run, outcome.since, plan, {}, {}};
    leak.what = outcome.death ? outcome.death->sentence() : name_of(outcome.result.summary.oracle);
    const auto again = [&](const std::vector<RunPlan>& runs) {
      const auto report =
          company_->ask(PlayRuns{runs, batch->policy}, [&] { return should_stop(); });
      if (!report || !*report) return false;
      const auto& letters = (*report)->letters;
      if ((*report)->fallen) return (*report)->fallen->lost || letters.size() + 1 == runs.size();
      if (letters.size() != runs.size()) return false;
      const auto last = decode<PlayedRun>(letters.back());
      return last && last->result.summary.violated;
    };
    const auto at = [&](std::uint64_t number) {
      return batch->plans.begin() + static_cast<std::ptrdiff_t>(number - base);
    };
    if (!again({at(outcome.since), at(run) + 1})) return nondeterministic();
    for (std::uint64_t i = run; i-- > outcome.since && !leak.left_by && !should_stop();)
      if (again({*at(i), plan})) leak.left_by = i;
    if (tally_.result.leaks.size() < kLeaksMax) tally_.result.leaks.push_back(std::move(leak));
    done_ = done_ || !options_.keep_going;
    return {};
  }

  std::string name_of(std::uint32_t oracle) const {
    return std::string(
        jury_.oracles()[std::min<std::size_t>(oracle, jury_.oracles().size() - 1)]->name());
  }
  std::uint32_t oracle_of(const std::string& property) const {
    const auto& all = jury_.oracles();
    std::uint32_t i = 0;
    while (i + 1 < all.size() && all[i]->name() != property) ++i;
    return i;
  }

  // ---- limits, saving, reporting
  // -----------------------------------------------------------------

  bool should_stop() {
    if (stop_.load(std::memory_order_relaxed)) {
      tally_.result.interrupted = true;
      done_ = true;
    } else if (options_.seconds > 0 && seconds_since(begun_) > options_.seconds) {
      tally_.result.out_of_time = true;
      done_ = true;
    }
    report();
    return done_;
  }

  std::string command() const {
    return fmt::format("{} --seed {}", to_flags(config_), options_.seed);
  }

  Result<bool> save_now_and_then() {
    if (options_.state.empty() || seconds_since(last_save_) < options_.save_seconds) return true;
    last_save_ = Clock::now();
    State state{command(),
                tally_.save(),
                explorer_->save(),
                book_->save(),
                company_->agents(),
                episodes_,
                {proposed_.begin(), proposed_.end()}};
    const std::string folder = std::filesystem::path(options_.state).parent_path();
    if (!folder.empty())
      if (auto made = make_directory(folder); !made) return tl::unexpected(made.error());
    if (auto written = write_file(options_.state, encode(state)); !written)
      return tl::unexpected(written.error());
    return true;
  }

  Status load() {
    auto bytes = read_file(options_.state);
    if (!bytes) return error("nothing to resume: {}", bytes.error());
    auto state = decode<State>(*bytes);
    if (!state) return error("{}: {}", options_.state, state.error());
    if (state->command != command())
      return error("{} is of another hunt: {}", options_.state, state->command);
    if (auto s = tally_.load(state->tally); !s) return error("{}: {}", options_.state, s.error());
    if (auto s = explorer_->load(state->explorer); !s)
      return error("{}: {}", options_.state, s.error());
    if (auto s = book_->load(state->book); !s) return error("{}: {}", options_.state, s.error());
    episodes_ = state->episodes;
    company_->restore(std::move(state->agents));
    again_.assign(state->proposed.begin(), state->proposed.end());
    return {};
  }

  void report() {
    if (!listener_.progress || seconds_since(last_report_) < 0.2) return;
    last_report_ = Clock::now();
    measure();
    listener_.progress(tally_.result.totals, tally_.result.finds.size());
  }

  void measure() {
    tally_.result.totals.seconds = seconds_since(begun_);
    tally_.result.totals.seconds_since_new = seconds_since(last_new_);
    tally_.result.totals.covered = book_->covered();
    if (clocked()) tally_.result.totals.cpu_seconds = spent();
  }

  void conclude() {
    measure();
    // Of the batch that was being played its beginning: a hunt that ends soon has learnt, too.
    if (!results_.empty())
      explorer_->learn(std::span(proposed_.front().plans).first(results_.size()), results_);
    HuntResult& result = tally_.result;
    const auto& oracles = jury_.oracles();
    for (std::size_t i = 0; i < oracles.size() && i < 64; ++i)
      if (!(tally_.judged() >> i & 1)) result.unjudged.emplace_back(oracles[i]->name());
    auto untried = jury_.untried(tally_.met());
    result.vacuous = std::move(untried.vacuous);
    result.untested = std::move(untried.untested);
    for (const auto& [oracle, runs] : tally_.muted())
      result.muted.emplace_back(name_of(oracle), runs);
    result.learnt = explorer_->agents() > 0 ? encode(company_->agents()) : explorer_->save();
    result.account = explorer_->account();
    result.kept = explorer_->kept();
    result.lifts = explorer_->lifts();
    // A hunt that came to its end has nothing to go on with.
    std::error_code ignored;
    if (!options_.state.empty() && !result.interrupted && !result.out_of_time &&
        result.problem.empty())
      std::filesystem::remove(options_.state, ignored);
  }

  const RunConfig& config_;
  const HuntOptions& options_;
  const HuntListener& listener_;
  const std::atomic<bool>& stop_;
  std::unique_ptr<Explorer> explorer_;
  Jury jury_;                   // only their names are asked
  std::unique_ptr<Book> book_;  // players of the company look into it
  std::unique_ptr<Company> company_;
  Tally tally_;
  std::deque<Company::Batch> proposed_;  // and not yet learnt from
  std::deque<Company::Batch> again_;     // of a hunt that was killed
  std::vector<RunResult> results_;       // of the batch that is being taken
  struct {
    const Company::Batch* batch;
    std::uint64_t base;  // number of its first run
  } where_{};
  std::uint64_t episodes_ = 0;
  double own_cpu_ = 0;  // of this process, that does not count
  std::uint64_t players_cpu_us_ = 0;
  bool done_ = false;
  Clock::time_point begun_, last_new_, last_report_, last_save_;
};

}  // namespace

Result<HuntResult> hunt(const RunConfig& config, const HuntOptions& options,
                        const HuntListener& listener, const std::atomic<bool>& stop) {
  return Hunt(config, options, listener, stop).run();
}

}  // namespace schism
