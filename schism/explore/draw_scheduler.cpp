// What is drawn of the scheduler: which one, and its parameters. The walk comes most often; the
// others are for what it seldom does.
#include <fmt/format.h>

#include <algorithm>

#include "schism/explore/sketch.hpp"
#include "schism/system/system.hpp"
#include "schism/words/options.hpp"

namespace schism {
namespace {

struct Share {
  const char* scheduler;
  double weight;
};
constexpr Share kShares[] = {
    {"random", 63}, {"pos", 30}, {"timed", 4}, {"stepped", 2}, {"pctcp", 1}};
constexpr double kLiars = 0.7;          // of the runs, where liars are survived
constexpr double kPlans = 0.5;          // of these: a plan in stages
constexpr double kTwins = 0.15;         // of the others: two honest copies instead of lies
constexpr std::int64_t kPromptMs = 50;  // a network that is faster than most timeouts

void put(Spec& spec, const std::string& name, std::int64_t value) {
  spec.values.emplace_back(name, std::to_string(value));
}
void put(Spec& spec, const std::string& name, std::string value) {
  spec.values.emplace_back(name, std::move(value));
}

}  // namespace

void Draw::draw_scheduler_name(Sketch& s) const {
  const auto possible = [&](const Share& share) {
    return std::find(possible_.begin(), possible_.end(), share.scheduler) != possible_.end();
  };
  double all = 0;
  for (const Share& share : kShares) all += possible(share) ? share.weight : 0;
  double left = s.random.unit() * all;
  s.scheduler = possible_.front();
  for (const Share& share : kShares) {
    if (!possible(share)) continue;
    s.scheduler = share.scheduler;
    left -= share.weight;
    if (left < 0) break;
  }
}

void Draw::draw_weights(Sketch& s) const {
  Spec& spec = s.text.explorer;
  spec = {s.scheduler, {}};
  const auto real = [&](const char* name, double low, double high) {
    put(spec, name, log_uniform_text(s.random, low, high));
  };
  if (s.scheduler == "random") {
    spec = random_walk(s);
  } else if (s.scheduler == "pos") {
    const double share = log_uniform(s.random, 0.2, 1);
    put(spec, "horizon",
        std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(s.steps) * share)));
    put(spec, "timers", s.between(1, 30));
    real("timer-weight", 0.05, 1);
  } else if (s.scheduler == "pctcp") {
    const std::int64_t depth = std::min(s.between(2, 30), s.steps);
    put(spec, "depth", depth);
    put(spec, "timers", s.between(1, 20));
    put(spec, "horizon", s.steps);
  } else if (s.scheduler == "timed") {
    spec = timed(s);
  } else if (s.scheduler == "stepped") {
    put(spec, "skip", short_number(s.random.unit() * 0.8));
    put(spec, "deliveries", s.between(2, 100));
    put(spec, "tick", log_uniform_ms(s.random, 2, 100));
    real("fault", 0.02, 0.5);
    real("repair", 0.02, 0.5);
    real("submit", 0.05, 1);
  }
}

// A walk: some weights are as usual, others up to forty times so.
Spec Draw::random_walk(Sketch& s) const {
  Spec spec{"random", {}};
  const auto weight = [&](const char* name, std::int64_t low, std::int64_t high) {
    if (s.random.chance(s.weights)) put(spec, name, s.between(low, high));
  };
  weight("submit", 2, 200);
  weight("complete", 30, 1000);
  for (const char* fault : {"crash", "drop", "duplicate", "pause", "partition"})
    weight(fault, 1, 40);
  weight("restart", 2, 100);
  weight("resume", 2, 100);
  weight("cut", 1, 20);
  weight("disk-error", 1, 20);
  weight("heal", 1, 50);
  for (const std::string& timer : system_->timer_names()) {
    if (!s.random.chance(s.timers)) continue;
    const auto own = system_->timer_weights.find(timer);
    const std::int64_t usual = own == system_->timer_weights.end() ? 10 : own->second;
    const std::int64_t low = std::max<std::int64_t>(1, usual / 8);
    put(spec, "timer." + timer,
        s.between(low, std::max(low, std::min<std::int64_t>(200, 16 * usual))));
  }
  return spec;
}

Spec Draw::timed(Sketch& s) const {
  Spec spec{"timed", {}};
  const Drawing& own = system_->drawing;
  const std::string shape = pick<std::string>(s.random, {"uniform", "exponential", "pareto"});
  const std::int64_t high = own.latency_high / 1000;
  const std::int64_t longest =
      s.between(own.latency_low / 1000, s.plan ? std::min(high, kPromptMs) : high);
  put(spec, "shape", shape);
  put(spec, "max", std::to_string(longest) + "ms");
  put(spec, "disk", std::to_string(s.between(200, 50'000)) + "us");
  put(spec, "think", log_uniform_ms(s.random, 1, 100));
  if (s.random.below(2) == 0) put(spec, "slow-links", short_number(s.random.unit() * 0.5));
  put(spec, "loss", log_uniform_text(s.random, 0.005, 0.3));
  put(spec, "duplication", log_uniform_text(s.random, 0.005, 0.3));
  for (const char* what :
       {"crash-every", "down-for", "pause-every", "pause-for", "partition-every", "partition-for"})
    put(spec, what, log_uniform_ms(s.random, 10, 1000));
  return spec;
}

// Where the protocol is built to survive liars, most runs have one. A plan in stages needs rounds
// that come to their ends, so that most of them have messages that are faster than timeouts, and no
// faults beside those of the plan.
void Draw::draw_intent(Sketch& s) const {
  const bool named = asked_world("liars") || asked_world("liars-drawn");
  if (!named && (!system_ || !system_->tolerates)) return;
  s.liars = named || s.chance(kLiars, "liars");
  s.plan = s.liars && s.random.chance(kPlans);
  if (!s.plan) return;
  if (s.random.chance(0.7)) s.faults = 0;
  const bool possible = std::find(possible_.begin(), possible_.end(), "timed") != possible_.end();
  if (possible && s.random.chance(0.8)) s.scheduler = "timed";
}

// How they lie.
void Draw::draw_liars(Sketch& s) const {
  const bool named = asked_world("liars") || asked_world("liars-drawn");
  if (!s.liars || (!named && survived_liars(s) < 1)) return;
  if (!named) s.text.world.emplace_back("liars-drawn", "1");
  s.feature("liars");
  if (s.plan) {
    s.feature("intrigue");
    s.text.explorer = {"intrigue", {}, {s.text.explorer}};
    return;
  }
  // A walk changes messages by itself, too.
  const bool walks = s.scheduler == "random" && s.random.chance(0.1);
  if (walks) return;
  Spec around{"liar", {}, {s.text.explorer}};
  if (system_ && system_->order_of && s.random.chance(0.25)) {
    around.name = "byzzfuzz";
    put(around, "c", s.between(1, 4));
    put(around, "r", s.between(4, 24));
    // What crosses its partitions is lost.
    if (s.kinds.has(Fault::drop)) put(around, "d", static_cast<std::int64_t>(s.random.below(3)));
  }
  if (s.random.chance(kTwins)) around = {"twins", {}, std::move(around.children)};
  s.feature(around.name);
  s.text.explorer = std::move(around);
}

// A few directed links, a sender or a disk that are slow as long as the run lasts.
void Draw::draw_slowness(Sketch& s) const {
  if (s.scheduler != "random" || s.nodes < 2 || !s.random.chance(slow_)) return;
  Spec slow{"slow", {}, {s.text.explorer}};
  const std::uint64_t what = s.random.below(4);
  if (what < 2) put(slow, "links", s.random.between(1, 4));
  if (what == 2) put(slow, "senders", 1);
  if (what == 3) put(slow, "disks", 1);
  if (what != 1) put(slow, "slowness", s.between(20, 1000));
  s.text.explorer = std::move(slow);
  s.feature("slow");
}

}  // namespace schism
