#include "schism/doctor/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "schism/check/futures.hpp"
#include "schism/check/orders.hpp"
#include "schism/doctor/diagnose.hpp"
#include "schism/guard/child.hpp"
#include "schism/run/make_world.hpp"
#include "schism/trace/trace.hpp"

namespace schism::doctor {
namespace {

using Clock = std::chrono::steady_clock;  // for limits; it decides nothing

constexpr std::size_t kSuspectsMax = 64, kSuspectsMin = 8;
// A process for each run takes longer than the run, in most systems.
constexpr std::size_t kAloneMax = 2000;
constexpr double kRounds = 9;  // into which a time limit is divided
constexpr std::uint64_t kStepsTold = 20'000;

struct Sweep {
  std::string what;
  Setting setting;
};

std::vector<Sweep> sweeps(int workers) {
  const auto with = [](auto change) {
    Setting s;
    change(s);
    return s;
  };
  return {
      {"each run alone, in a process of its own", with([](Setting& s) { s.order = Order::alone; })},
      {"a new world for each run, memory filled", with([](Setting& s) {
         s.fresh_runner = true;
         s.fill = kOneFill;
       })},
      {"memory filled otherwise, heap shuffled", with([](Setting& s) {
         s.fill = kOtherFill;
         s.shuffle = 1;
       })},
      {"randomisation off, clock shifted", with([](Setting& s) {
         s.randomise = false;
         s.clock = ClockUse::shifted;
       })},
      {fmt::format("{} workers at once", workers), with([&](Setting& s) { s.workers = workers; })},
  };
}

class Examination {
 public:
  Examination(const RunConfig& config, const Options& options, const Listener& listener,
              const std::atomic<bool>& stop)
      : setup_(config.setup),
        options_(options),
        listener_(listener),
        stop_(stop),
        launcher_(options.self, stop, [this](std::uint64_t n) { tell(n); }) {
    Trace head;
    head.config = config;
    request_.config = schism::to_text(head);
    request_.seed = std::to_string(options.seed);
    request_.hang_seconds = options.hang_seconds;
  }

  Result<Checkup> run() {
    begun_ = Clock::now();
    Status status = first();
    for (const Sweep& sweep : sweeps(options_.workers)) {
      if (!status || !differing_.empty() || out_of_time()) break;
      status = against_first(sweep);
    }
    if (status && !differing_.empty()) status = look_closer();
    else if (status && !out_of_time()) look_for_deceit();
    out_.seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
    out_.interrupted = stop_.load();
    if (!status && !out_.interrupted) return tl::unexpected(status.error());
    return std::move(out_);
  }

 private:
  bool out_of_time() {
    const double used = std::chrono::duration<double>(Clock::now() - begun_).count();
    out_.out_of_time = options_.seconds > 0 && used > options_.seconds;
    return out_.out_of_time;
  }
  void tell(std::uint64_t played) {
    if (listener_) listener_(doing_, played);
  }

  Result<Played> play(const std::string& what, const Setting& setting, std::vector<int> runs,
                      double seconds = 0) {
    doing_ = what;
    request_.setting = setting;
    request_.runs = std::move(runs);
    request_.seconds = seconds;
    auto played = launcher_.play(request_);
    if (!played) return played;
    suspects_.clock_reads += played->clock_reads;
    suspects_.threads += played->threads;
    return played;
  }

  // All seeds twice in one process: as they come, then backwards, so that each has other runs
  // before it than the first time.
  Status first() {
    auto count = static_cast<std::size_t>(std::min<std::uint64_t>(options_.runs, kRunsMost));
    if (options_.seconds > 0) {
      // How many fit?
      const auto trial = play("how many", {}, numbers(count), options_.seconds / kRounds);
      if (!trial) return tl::unexpected(trial.error());
      count = static_cast<std::size_t>(
          std::count_if(trial->prints.begin(), trial->prints.end(),
                        [](const RunPrint& p) { return p.ending != Ending::not_played; }));
      count = std::max<std::size_t>(count, 1);
    }
    std::vector<int> twice = numbers(count);
    twice.insert(twice.end(), twice.rbegin(), twice.rend());
    auto played = play("twice in one process", {}, std::move(twice));
    if (!played) return tl::unexpected(played.error());
    const auto middle = played->prints.begin() + static_cast<std::ptrdiff_t>(count);
    first_.assign(played->prints.begin(), middle);
    std::vector<RunPrint> again(middle, played->prints.end());
    std::reverse(again.begin(), again.end());
    out_.runs = count;
    for (const RunPrint& print : first_) {
      out_.steps += print.steps;
      out_.died += print.ending > Ending::ended ? 1 : 0;
    }
    add({"again in the same process, backwards", 0, 0, {}, true}, again);
    return {};
  }

  static std::vector<int> numbers(std::size_t count) {
    std::vector<int> out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<int>(i);
    return out;
  }

  Status against_first(const Sweep& sweep) {
    const bool alone = sweep.setting.order == Order::alone;
    const std::size_t count = alone ? std::min(first_.size(), kAloneMax) : first_.size();
    const auto played = play(sweep.what, sweep.setting, numbers(count), options_.seconds / kRounds);
    if (!played) return tl::unexpected(played.error());
    Trial row{sweep.what, 0, 0, {}, true};
    const Setting& s = sweep.setting;
    if (s.fill != 0 && !played->filled) row.note = "the allocator here does not fill memory";
    else if (!s.randomise && played->randomised) row.note = "randomisation stayed on";
    else if (s.clock != ClockUse::real && !played->hooked) row.note = "the clock was as it is";
    add(std::move(row), played->prints);
    return {};
  }

  void add(Trial row, const std::vector<RunPrint>& prints) {
    for (std::size_t i = 0; i < prints.size(); ++i) {
      if (prints[i].ending == Ending::not_played) continue;
      ++row.runs;
      if (prints[i] == first_[i]) continue;
      ++row.differing;
      differing_.push_back(static_cast<int>(i));
    }
    out_.sweeps.push_back(std::move(row));
  }

  void look_for_deceit() {
    const auto trials = static_cast<std::uint32_t>(std::min<std::uint64_t>(options_.runs, 10'000));
    check::Undeclared hidden;
    if (learn("two ways to one state", hidden,
              [&] { return check::find_undeclared(setup_, trials, options_.seed); }))
      out_.pairs = hidden.pairs, out_.undeclared = hidden.what;
    check::Entangled bound;
    if (learn("independent steps in another order", bound,
              [&] { return check::find_entangled(setup_, trials, options_.seed); }))
      out_.reordered = bound.orders, out_.entangled = bound.what;
  }
  // In a process of its own, like all that plays a system. False: it died, as the runs before have
  // told.
  template <class Seen, class Look>
  bool learn(const char* what, Seen& seen, const Look& look) {
    doing_ = what;
    tell(0);
    const auto text = guard::in_child([&] { return to_json(to_value(look())); }, stop_);
    const auto value = text ? parse_json(*text) : std::nullopt;
    return value && from_value(*value, seen);
  }

  Status look_closer() {
    std::uint64_t steps = 0;
    const auto enough = [&] {
      return suspects_.runs.size() >= kSuspectsMax ||
             (suspects_.runs.size() >= kSuspectsMin && steps > kStepsTold);
    };
    const auto suspect = [&](int run) {
      if (enough() ||
          std::find(suspects_.runs.begin(), suspects_.runs.end(), run) != suspects_.runs.end())
        return;
      suspects_.runs.push_back(run);
      steps += first_[static_cast<std::size_t>(run)].steps;
    };
    for (const int run : differing_) suspect(run);
    for (std::size_t run = 0; run < first_.size(); ++run) suspect(static_cast<int>(run));
    auto diagnosis = diagnose(launcher_, request_, suspects_, [this](const std::string& what) {
      doing_ = what;
      tell(0);
    });
    if (!diagnosis) return tl::unexpected(diagnosis.error());
    out_.diagnosis = *std::move(diagnosis);
    if (!out_.diagnosis->one)
      out_.diagnosis->seed = options_.seed + static_cast<std::uint64_t>(differing_.front());
    return {};
  }

  const Setup setup_;
  const Options& options_;
  const Listener& listener_;
  const std::atomic<bool>& stop_;
  std::string doing_;
  Launcher launcher_;
  Request request_;
  Suspects suspects_;
  std::vector<RunPrint> first_;
  std::vector<int> differing_;
  Checkup out_;
  Clock::time_point begun_;
};

}  // namespace

std::string_view cause_words(Cause cause) {
  switch (cause) {
    case Cause::clock: return "clock";
    case Cause::threads: return "threads";
    case Cause::uninitialised: return "uninitialised memory";
    case Cause::hash_order: return "hash order";
    case Cause::address_order: return "address-dependent order";
    case Cause::kept_state: return "state kept across runs";
    case Cause::outside: return "something from outside";
    case Cause::unknown: break;
  }
  return "unknown";
}

std::string_view cause_hint(Cause cause) {
  switch (cause) {
    case Cause::clock: return "take the time from Context::now(), not from the machine";
    case Cause::threads: return "do the work in the handler itself; let nodes be the threads";
    case Cause::uninitialised:
      return "give every member and local an initial value; valgrind's memcheck or clang's memory "
             "sanitizer name the place";
    case Cause::hash_order:
      return "do not iterate over a hash table that is seeded or keyed by addresses (absl's, or "
             "one "
             "of pointers), nor show an address: sort first, or use std::map with a key of content";
    case Cause::address_order:
      return "do not sort or key by pointers (std::set<T*>, std::map<T*, ...>): order by an "
             "identity of the protocol";
    case Cause::kept_state:
      return "keep no state in globals, statics or thread_locals: in the node, and on its disk";
    case Cause::outside:
      return "look for random devices, process numbers, files and environment variables; random "
             "numbers come from Context::random()";
    case Cause::unknown: break;
  }
  return "it did not happen again while it was looked at closely: try more seeds";
}

Result<Checkup> examine(const RunConfig& config, const Options& options, const Listener& listener,
                        const std::atomic<bool>& stop) {
  if (auto s = needs(config.setup, "doctor", {Need::exact_replay}); !s)
    return tl::unexpected(s.error());
  return Examination(config, options, listener, stop).run();
}

}  // namespace schism::doctor
