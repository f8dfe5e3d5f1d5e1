#include "schism/campaign/company.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "schism/campaign/performer.hpp"
#include "schism/guard/child.hpp"

namespace schism {
namespace {

// So often a player that was killed by nobody here is taken for a victim.
constexpr int kKillsBelieved = 5;

using Clock = std::chrono::steady_clock;  // for the size of orders; it decides nothing

constexpr int kWaitMs = 50;
constexpr std::uint64_t kOrderMax = 1024;  // runs
// Where runs are guarded a process lives for so many, counted by their numbers: what they leave
// behind in it is then the same on any number of workers and on any day.
constexpr std::uint64_t kLife = 64;

}  // namespace

Company::Company(const RunConfig& config, const Options& options)
    : config_(config),
      options_(options),
      guarded_(is_guarded(config.setup)),
      performer_(std::make_unique<Performer>(config_)) {
  performer_->attach(options.watchers);
  if (options.book && !options.book->empty()) performer_->cover(*options.book, options.decisions);
}

Company::~Company() = default;

Result<std::unique_ptr<Company>> Company::gather(const RunConfig& config, const Options& options) {
  std::unique_ptr<Company> out(new Company(config, options));
  const bool threads = guard::has_threads();
  if (out->guarded_ && threads)
    return error("runs of {} play in forked processes, which a process with threads cannot have",
                 config.setup.system->name);
  if (!options.watchers.empty() && options.jobs > 1)
    return error("watchers of this process see its own runs only: not with {} workers",
                 options.jobs);
  guard::Players::Options players;
  players.count = options.jobs + 1;
  players.hang = config.setup.options.hang;
  players.in_process = options.in_process || threads || !options.watchers.empty();
  if (players.in_process) players.count = 1;
  out->asked_ = players.count - 1;
  auto started = guard::Players::start(
      players, [work = out->performer_.get()](std::string_view order, guard::Outbox& letters,
                                              const std::atomic<bool>& over) {
        work->carry_out(order, letters, over);
      });
  if (!started) return tl::unexpected(started.error());
  out->players_ = *std::move(started);
  return out;
}

// Plans that are out, and what came back.
class Company::Play {
 public:
  Play(Company& company, const Game& game)
      : company_(company),
        game_(game),
        next_(game.first_run),
        planned_(game.first_run),
        done_(game.first_run) {}

  Status run() {
    auto& players = *company_.players_;
    plan();
    for (;;) {
      if (game_.stop()) return end();
      // Those that came while somebody asked: before their players get new parts.
      for (guard::Report& report : std::exchange(company_.waiting_, {}))
        if (auto filed = file(std::move(report)); !filed) return filed;
      const auto on = hand_over();
      if (!on) return tl::unexpected(on.error());
      if (!*on) return end();
      if (!company_.waiting_.empty()) continue;
      if (batches_.empty()) return {};
      while (const auto idle = players.idle(std::max(company_.asked_, 1))) {
        const auto part = next_part();
        if (!part) break;
        if (auto given = give(*idle, *part); !given) return given;
      }
      auto report = players.wait(kWaitMs);
      if (!report) return tl::unexpected(report.error());
      if (*report) company_.waiting_.push_back(**std::move(report));
    }
  }

 private:
  struct Part {  // runs of one batch, for one player
    std::uint64_t begin, end;
    bool alone = false;      // one by one, to see which of them does it
    std::uint8_t kills = 0;  // of its players, as it seems from outside
  };
  struct Out {
    Batch batch;
    std::uint64_t first;
    std::vector<std::optional<Outcome>> back;
  };

  // Nobody's work is wanted any more.
  Status end() {
    for (int i = 0; i < company_.players_->count(); ++i) company_.players_->kill(i);
    company_.waiting_.clear();
    return {};
  }

  Out& batch_of(std::uint64_t run) {
    auto at = batches_.begin();
    while (run >= at->first + at->batch.plans.size()) ++at;
    return *at;
  }

  std::optional<Part> next_part() {
    if (!left_over_.empty()) {
      const Part part = left_over_.back();
      left_over_.pop_back();
      return part;
    }
    if (next_ == planned_) return std::nullopt;
    const Out& out = batch_of(next_);
    const std::uint64_t border =
        company_.guarded_ ? (next_ / kLife + 1) * kLife : next_ + order_size();
    const Part part{next_, std::min<std::uint64_t>(border, out.first + out.back.size())};
    next_ = part.end;
    return part;
  }

  // Called at the beginning and whenever a batch has been taken, neither sooner nor later: what an
  // explorer has learnt when it proposes must not depend on who was quick.
  void plan() {
    while (!finished_ && batches_.size() <= game_.lag) {
      auto batch = game_.more(planned_);
      finished_ = !batch || batch->plans.empty();
      if (finished_) return;
      Out out{*std::move(batch), planned_, {}};
      planned_ += out.batch.plans.size();
      out.back.resize(out.batch.plans.size());
      batches_.push_back(std::move(out));
    }
  }

  // About a fiftieth of a second of work.
  std::uint64_t order_size() const {
    if (company_.seconds_a_run_ <= 0) return 1;
    return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(0.02 / company_.seconds_a_run_), 1,
                                     kOrderMax);
  }

  Status give(int player, Part part) {
    if (part.alone && part.end - part.begin > 1) {
      left_over_.push_back({part.begin + 1, part.end, true, part.kills});
      part.end = part.begin + 1;
    }
    const Out& out = batch_of(part.begin);
    PlayRuns order;
    const auto at = out.batch.plans.begin() - static_cast<std::ptrdiff_t>(out.first);
    order.plans.assign(at + static_cast<std::ptrdiff_t>(part.begin),
                       at + static_cast<std::ptrdiff_t>(part.end));
    order.policy = out.batch.policy;
    order.clocked = company_.options_.clocked;
    const auto place = static_cast<std::size_t>(player);
    if (parts_.size() <= place)
      parts_.resize(place + 1), since_.resize(place + 1), begun_.resize(place + 1);
    parts_[place] = part;
    begun_[place] = Clock::now();
    const bool fresh = company_.guarded_ || part.alone;
    if (fresh || !since_[place]) since_[place] = part.begin;
    return company_.players_->give(player, encode(Order(std::move(order))),
                                   {.stepping = true, .last = fresh});
  }

  // What a player says of its part.
  Status file(guard::Report report) {
    const auto place = static_cast<std::size_t>(report.player);
    const Part part = parts_[place];
    const std::uint64_t since = since_[place].value_or(part.begin);
    std::vector<PlayedRun> results;
    bool lost = report.fallen && report.fallen->lost;
    for (const std::string& letter : report.letters) {
      auto result = decode<PlayedRun>(letter);
      lost = lost || !result;
      if (lost) break;
      results.push_back(*std::move(result));
    }
    const std::uint64_t asked = part.end - part.begin;
    const bool whole = results.size() == asked && !report.fallen;
    lost = lost || results.size() > asked || (!report.fallen && !whole);
    if (report.fallen || part.alone || company_.guarded_) since_[place].reset();
    // Whoever kills players means no run: only what is killed again and again does it itself.
    if (report.fallen && report.fallen->outside && part.kills < kKillsBelieved) {
      left_over_.push_back(part);
      ++left_over_.back().kills;
      return {};
    }
    if (lost && asked > 1) {
      left_over_.push_back({part.begin, part.end, true, part.kills});
      company_.players_->kill(report.player);
      return {};
    }
    measure(place, results.size());
    Out& out = batch_of(part.begin);
    std::uint64_t run = part.begin;
    if (!lost)
      for (PlayedRun& played : results) {
        if (run == part.end) break;
        out.back[run++ - out.first] =
            Outcome{std::move(played.result), {}, since, {}, std::move(played.counts)};
      }
    if (!report.fallen && !lost) return {};
    if (run == part.end) --run;  // it died when all was done: of the last one
    out.back[run - out.first] = fallen(report, since);
    if (run + 1 < part.end) left_over_.push_back({run + 1, part.end, part.alone, 0});
    return {};
  }

  // What is known of a run that died before anybody looks closer.
  static Outcome fallen(guard::Report& report, std::uint64_t since) {
    constexpr std::uint32_t kSurvival = 1;  // the place of that oracle in every jury
    Outcome out;
    out.since = since;
    if (report.fallen) {
      out.death = report.fallen->death;
      out.result.decisions = std::move(report.fallen->decisions);
    } else {
      out.death = Death{};
      out.death->how = "a write into memory that is not the system's";
    }
    RunSummary& summary = out.result.summary;
    summary.run_class = seeded("casualty", out.result.decisions.size());
    for (const Action& action : out.result.decisions) {
      summary.run_class =
          absorb(summary.run_class, action.name.bits() ^ std::uint64_t{action.arg()} << 40);
      summary.deliveries += action.kind == Do::deliver ? 1 : 0;
    }
    summary.steps = out.death->step;
    summary.violated = true;
    summary.oracle = kSurvival;
    return out;
  }

  void measure(std::size_t place, std::size_t runs) {
    if (runs == 0) return;
    const double took = std::chrono::duration<double>(Clock::now() - begun_[place]).count();
    const double each = took / static_cast<double>(runs);
    double& mean = company_.seconds_a_run_;
    mean = mean == 0 ? each : 0.7 * mean + 0.3 * each;
  }

  // In order, as far as they are back. False: enough.
  Result<bool> hand_over() {
    while (!batches_.empty()) {
      Out& out = batches_.front();
      const std::uint64_t i = done_ - out.first;
      if (i == out.back.size()) {
        batches_.pop_front();
        plan();
        continue;
      }
      if (!out.back[i]) return true;
      Outcome outcome = *std::move(out.back[i]);
      out.back[i].reset();
      auto on = game_.take(done_, out.batch, i, std::move(outcome));
      ++done_;
      if (!on || !*on) return on;
    }
    return true;
  }

  Company& company_;
  const Game& game_;
  std::uint64_t next_, planned_, done_;  // number of the next run to be given, planned, taken
  bool finished_ = false;
  std::deque<Out> batches_;
  std::vector<Part> left_over_;
  std::vector<Part> parts_;                          // by player
  std::vector<std::optional<std::uint64_t>> since_;  // its process's first run
  std::vector<Clock::time_point> begun_;
};

// One round of episodes.
class Company::Round {
 public:
  using Take = std::function<Result<bool>(std::uint32_t, std::uint64_t, Outcome&&)>;
  Round(Company& company, const Episodes& round, const Take& take,
        const std::function<bool()>& stop)
      : company_(company), round_(round), take_(take), stop_(stop), back_(round.agents) {
    company_.saved_.resize(round.agents);
    company_.deaths_.resize(round.agents);
    company_.in_mind_.resize(round.agents);
  }

  Status run() {
    auto& players = *company_.players_;
    const int others = std::max(company_.asked_, 1);
    std::vector<std::deque<std::uint32_t>> waiting(static_cast<std::size_t>(others));
    for (std::uint32_t a = 0; a < round_.agents; ++a) waiting[a % waiting.size()].push_back(a);
    std::vector<std::optional<std::uint32_t>> at_work(waiting.size());
    while (next_agent_ < round_.agents) {
      if (stop_()) return end();
      for (std::size_t p = 0; p < waiting.size(); ++p) {
        if (at_work[p] || waiting[p].empty() || !players.free(static_cast<int>(p))) continue;
        at_work[p] = waiting[p].front();  // not before its last report was filed
        waiting[p].pop_front();
        if (auto given = give(static_cast<int>(p), *at_work[p]); !given) return given;
      }
      auto report = company_.next_report();
      if (!report) return tl::unexpected(report.error());
      if (!*report) continue;
      const auto place = static_cast<std::size_t>((*report)->player);
      const std::uint32_t agent = *std::exchange(at_work[place], std::nullopt);
      if ((*report)->fallen)  // all agents of that process are gone
        for (std::uint32_t a = 0; a < round_.agents; ++a)
          if (a % waiting.size() == place) company_.in_mind_[a] = false;
      if (auto filed = file(agent, **std::move(report)); !filed) return filed;
      if (back_[agent].size() < round_.count) waiting[place].push_front(agent);
      const auto on = hand_over();
      if (!on) return tl::unexpected(on.error());
      if (!*on) return end();
    }
    return {};
  }

 private:
  Status end() {
    for (int i = 0; i < company_.players_->count(); ++i) company_.players_->kill(i);
    company_.in_mind_.assign(company_.in_mind_.size(), false);
    company_.waiting_.clear();
    return {};
  }

  // From what is in mind or was saved; episodes that were taken before are then played again.
  Status give(int player, std::uint32_t agent) {
    PlayEpisodes order;
    order.agent = agent;
    order.seed = round_.seed;
    order.goes_on = company_.in_mind_[agent];
    order.first = order.goes_on ? round_.first : company_.saved_[agent].episode;
    order.count = round_.first + round_.count - order.first;
    if (!order.goes_on) order.state = company_.saved_[agent].state;
    order.deaths = company_.deaths_[agent];
    order.save = round_.save;
    order.clocked = company_.options_.clocked;
    firsts_[agent] = order.first;
    return company_.players_->give(player, encode(Order(std::move(order))), {});
  }

  Status file(std::uint32_t agent, guard::Report report) {
    std::vector<Outcome>& back = back_[agent];
    std::uint64_t episode = firsts_[agent];
    const std::uint64_t end = round_.first + round_.count;
    std::string state;
    for (std::string& letter : report.letters) {
      if (episode == end) {
        state = std::move(letter);
        break;
      }
      auto played = decode<PlayedEpisode>(letter);
      if (!played) return error("what agent {} did cannot be read: {}", agent, played.error());
      if (episode == round_.first + back.size())
        back.push_back({std::move(played->run.result),
                        {},
                        episode,
                        std::move(played->plan),
                        std::move(played->run.counts)});
      ++episode;
    }
    if (report.fallen && report.fallen->outside && killed_[agent]++ < kKillsBelieved)
      return {};  // as above: played again from what was saved
    if (report.fallen) {
      if (report.fallen->lost)
        return error("a stray write of the system destroyed what agent {} had learnt", agent);
      auto& deaths = company_.deaths_[agent];
      if (!deaths.empty() && deaths.back().first >= episode)
        return error("the system does not die twice in the same way under agent {}", agent);
      deaths.emplace_back(episode, report.fallen->death);
      died_[agent].emplace_back(episode, report.fallen->death);
      return {};
    }
    if (episode != end)
      return error("agent {} plays no episodes: it cannot be made or loaded", agent);
    company_.in_mind_[agent] = true;
    if (!round_.save) return {};
    company_.saved_[agent] = {end, std::move(state)};
    company_.deaths_[agent].clear();
    return {};
  }

  Result<bool> hand_over() {
    for (; next_agent_ < round_.agents && back_[next_agent_].size() == round_.count; ++next_agent_)
      for (std::uint64_t i = 0; i < round_.count; ++i) {
        Outcome& outcome = back_[next_agent_][i];
        for (const auto& [episode, death] : died_[next_agent_])
          if (episode == round_.first + i) outcome.death = death;
        auto on = take_(next_agent_, round_.first + i, std::move(outcome));
        if (!on || !*on) return on;
      }
    return true;
  }

  Company& company_;
  const Episodes& round_;
  const Take& take_;
  const std::function<bool()>& stop_;
  std::vector<std::vector<Outcome>> back_;  // by agent
  std::map<std::uint32_t, std::uint64_t> firsts_;
  std::map<std::uint32_t, int> killed_;  // how often, the players of each agent
  std::map<std::uint32_t, std::vector<std::pair<std::uint64_t, Death>>> died_;
  std::uint32_t next_agent_ = 0;
};

Status Company::play(const Episodes& round, const Round::Take& take,
                     const std::function<bool()>& stop) {
  return Round(*this, round, take, stop).run();
}

// One that came while somebody asked, or the next one.
Result<std::optional<guard::Report>> Company::next_report() {
  if (waiting_.empty()) return players_->wait(kWaitMs);
  guard::Report report = std::move(waiting_.front());
  waiting_.erase(waiting_.begin());
  return report;
}

Status Company::play(const Game& game) { return Play(*this, game).run(); }

Result<std::optional<guard::Report>> Company::ask(const Order& order,
                                                  const std::function<bool()>& stop,
                                                  const OnLetters& on_letters) {
  constexpr auto kGrace = std::chrono::milliseconds(700);
  const bool steps = std::holds_alternative<PlayRuns>(order);
  if (auto given = players_->give(asked_, encode(order), {.stepping = steps, .last = true}); !given)
    return tl::unexpected(given.error());
  std::optional<Clock::time_point> given_up;
  for (;;) {
    auto report = players_->wait(kWaitMs);
    if (!report) return tl::unexpected(report.error());
    if (*report && (*report)->player == asked_) {
      if (!(*report)->at_work) return report;
      if (on_letters)
        if (auto taken = on_letters((*report)->letters); !taken)
          return tl::unexpected(taken.error());
    } else if (*report) {
      waiting_.push_back(**std::move(report));
    }
    if (!stop()) continue;
    if (!given_up) {
      given_up = Clock::now();
      players_->give_up(asked_);
    } else if (Clock::now() - *given_up > kGrace) {
      players_->kill(asked_);
      return std::nullopt;
    }
  }
}

}  // namespace schism
