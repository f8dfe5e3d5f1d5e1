#include "schism/learn/propose.hpp"

#include <algorithm>
#include <cmath>

#include "schism/explore/explorer.hpp"
#include "schism/learn/learner.hpp"
#include "schism/run/runner.hpp"
#include "schism/scenario/progress.hpp"
#include "schism/schedule/replay.hpp"
#include "schism/system/system.hpp"

namespace schism::learn {
namespace {

// ---- conditions ----------------------------------------------------------------------------

constexpr int kNumberMost = 6, kApartMost = 3;

struct Parts {
  std::vector<std::string> words;    // "role = leader"
  std::vector<std::string> numbers;  // "term", "log.size"
};

void add_field(const std::string& name, const FieldType& type, int depth, Parts& out) {
  switch (type.kind) {
    case FieldKind::boolean: out.words.push_back(name + " = true"); break;
    case FieldKind::word: {
      std::string_view rest = type.words;
      while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        std::string_view word = rest.substr(0, comma);
        while (word.starts_with(' ')) word.remove_prefix(1);
        out.words.push_back(fmt::format("{} = {}", name, word));
        rest.remove_prefix(std::min(rest.size(), comma + 1));
      }
      break;
    }
    case FieldKind::integer: out.numbers.push_back(name); break;
    case FieldKind::list:
    case FieldKind::set:
    case FieldKind::map: out.numbers.push_back(name + ".size"); break;
    case FieldKind::record:
      if (depth < 2)
        for (const FieldInfo& inner : type.fields)
          add_field(name + "." + std::string(inner.name), *inner.type, depth + 1, out);
      break;
    default: break;  // nodes by number, and what has no order
  }
}

// ---- episodes ------------------------------------------------------------------------------

// When each condition first held in the episode that is being played: at macro steps' ends, or, of
// a find, after every step.
class Firsts {
 public:
  explicit Firsts(const Sequence& asked) : asked_(asked), all_(asked.predicates) {}

  const Scripts& scripts() const { return asked_.scripts; }
  void begin() { way_ = {std::vector<std::size_t>(all_.size(), kNever), 0}, moments_ = 0; }
  void look(const World& world) {
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (way_.first[i] == kNever && all_[i].holds(world)) way_.first[i] = moments_;
    way_.last = moments_++;
  }
  const Way& way() const { return way_; }

 private:
  const Sequence& asked_;
  const std::vector<Predicate>& all_;
  Way way_;
  std::size_t moments_ = 0;
};

class AtMacroSteps final : public Watcher {
 public:
  explicit AtMacroSteps(Firsts& firsts) : firsts_(firsts) {}
  std::string_view name() const override { return "conditions"; }
  EventMask wakes_on() const override {
    return mask_of(Happened::noted) | firsts_.scripts().wakes_on();
  }
  void begin(const World& world) override {
    firsts_.scripts().begin(world);
    firsts_.begin();
    firsts_.look(world);
  }
  void look(const World& world, std::span<const Event> events) override {
    firsts_.scripts().look(world, events);
    for (const Event& event : events)
      if (event.kind == Happened::noted && event.flag) firsts_.look(world);
  }

 private:
  Firsts& firsts_;
};

Result<Sequence> read_all(const System& system, const std::string& target) {
  auto out = read_sequence(system, target);
  if (!out) return out;
  if (!target.empty() && out->predicates.empty()) return error("a target is missing");
  std::vector<Predicate> all;
  for (const std::string& text : conditions(system))
    if (auto predicate = Predicate::parse(system, text)) all.push_back(*std::move(predicate));
  if (!target.empty()) all.push_back(std::move(out->predicates.back()));
  out->predicates = std::move(all);
  return out;
}

struct AtRandom {
  std::vector<std::uint64_t> met;
  std::vector<Way> ways;  // all of them, if they are kept
  std::uint64_t episodes = 0;
};

// The same system and world as learners play it: an explorer of another kind has another clock,
// other faults and longer runs.
Result<RunConfig> in_macro_steps(const RunConfig& config) {
  const auto explorer = make_explorer(config);
  if (dynamic_cast<const LearningExplorer*>(explorer.get()) ||
      config.scheduler.name == "random-steps")
    return config;
  RunText text = to_text(config);
  std::erase_if(text.world, [](const auto& pair) { return pair.first == "scripted"; });
  text.faults.clear();
  text.steps.clear();
  text.tail.clear();
  text.scenario.clear();
  text.scenario_file.clear();
  text.explorer = {"random-steps", {}};
  return make_config(text);
}

Result<AtRandom> play_at_random(const RunConfig& asked, const Sequence& all,
                                const ProposeOptions& options, const std::atomic<bool>& stop) {
  const auto config = in_macro_steps(asked);
  if (!config) return tl::unexpected(config.error());
  auto environment = environment_of(*config);
  if (!environment) return tl::unexpected(environment.error());
  if (auto bound = all.scripts.bind(config->setup); !bound) return tl::unexpected(bound.error());
  environment->to.clear();
  environment->coverage.clear();
  Learner learner(*environment, std::make_unique<RandomPolicy>(), options.seed);
  Firsts firsts(all);
  AtMacroSteps watcher(firsts);
  Runner runner(config->setup, config->limits);
  runner.attach(watcher);
  AtRandom out;
  out.met.assign(all.predicates.size(), 0);
  for (; out.episodes < options.episodes && !stop; ++out.episodes) {
    runner.run(learner.scheduler(), learner.plan(out.episodes));
    for (std::size_t i = 0; i < out.met.size(); ++i)
      out.met[i] += firsts.way().first[i] != kNever ? 1 : 0;
    out.ways.push_back(firsts.way());
  }
  return out;
}

Proposed told(const std::vector<Predicate>& all, const AtRandom& random, std::uint64_t ways,
              const std::vector<std::size_t>& chosen) {
  Proposed out;
  out.tried = all.size();
  out.ways = ways;
  out.episodes = random.episodes;
  for (const std::size_t i : chosen) out.waypoints.push_back({all[i].text(), random.met[i]});
  return out;
}

// Rare, but met often enough that several ways there can be compared.
std::size_t rarest(const AtRandom& random) {
  constexpr std::uint64_t kWays = 5;
  std::size_t best = kNever;
  for (std::size_t i = 0; i < random.met.size(); ++i) {
    if (random.met[i] < kWays) continue;
    const bool initial = std::any_of(random.ways.begin(), random.ways.end(),
                                     [&](const Way& way) { return way.first[i] == 0; });
    if (!initial && (best == kNever || random.met[i] < random.met[best])) best = i;
  }
  return best;
}

}  // namespace

std::vector<std::string> conditions(const System& system) {
  std::vector<std::string> out;
  for (const NodeClass* own : system.classes) {
    Parts parts;
    for (const FieldInfo& field : own->state->fields)
      add_field(std::string(field.name), *field.type, 0, parts);
    for (const std::string& word : parts.words) {
      out.push_back(fmt::format("any({})", word));
      out.push_back(fmt::format("count({}) >= 2", word));
      out.push_back(fmt::format("all({})", word));
    }
    for (const std::string& number : parts.numbers) {
      for (int k = 1; k <= kNumberMost; ++k) {
        out.push_back(fmt::format("any({} >= {})", number, k));
        out.push_back(fmt::format("all({} >= {})", number, k));
      }
      for (int k = 1; k <= kApartMost; ++k) {
        out.push_back(fmt::format("max({0}) - min({0}) >= {1}", number, k));
        for (const std::string& word : parts.words)
          out.push_back(fmt::format("any({} and {} >= {})", word, number, k));
      }
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::string Proposed::text() const {
  std::string out;
  for (const Waypoint& waypoint : waypoints) out += (out.empty() ? "" : "; ") + waypoint.text;
  return out;
}

// Each step towards a target should be about as hard as the next: with n of them before it, the
// i-th is met in a share of s^(i/(n+1)) of the episodes if the target is in s. Nothing harder than
// one in four is left to one step, as far as there may be so many.
std::vector<std::size_t> choose_waypoints(const std::vector<Way>& ways,
                                          const std::vector<std::uint64_t>& met,
                                          std::uint64_t episodes, std::size_t target,
                                          std::size_t most) {
  if (ways.empty() || most == 0) return {};
  const auto share = [&](std::size_t i) {  // of one that was never met: less than one episode
    return std::max(static_cast<double>(met[i]), 0.5) / static_cast<double>(episodes);
  };
  // On all ways, not from the beginning, and before what comes next.
  const auto leads_to = [&](std::size_t i, std::size_t next) {
    return std::all_of(ways.begin(), ways.end(), [&](const Way& way) {
      const std::size_t end = next == kNever ? way.last : way.first[next];
      const bool in_time = next == kNever ? way.first[i] <= end : way.first[i] < end;
      return way.first[i] != kNever && way.first[i] > 0 && in_time;
    });
  };
  if (target == kNever) {
    for (std::size_t i = 0; i < met.size(); ++i)
      if (leads_to(i, kNever) && (target == kNever || met[i] < met[target])) target = i;
    if (target == kNever) return {};
  }
  const double rarity = std::log(1 / share(target));
  const auto before = std::min<std::size_t>(
      most - 1, static_cast<std::size_t>(std::max(0.0, std::ceil(rarity / std::log(4.0)) - 1)));
  std::vector<std::size_t> out = {target};
  for (std::size_t nth = before; nth > 0; --nth) {
    const double wanted = rarity * static_cast<double>(nth) / static_cast<double>(before + 1);
    std::size_t best = kNever;
    double off = 0;
    for (std::size_t i = 0; i < met.size(); ++i) {
      if (met[i] <= met[out.back()] || !leads_to(i, out.back())) continue;
      const double distance = std::abs(std::log(1 / share(i)) - wanted);
      if (best == kNever || distance < off) best = i, off = distance;
    }
    if (best != kNever) out.push_back(best);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

Result<Proposed> propose(const RunConfig& config, const std::string& target,
                         const ProposeOptions& options, const std::atomic<bool>& stop) {
  const auto all = read_all(*config.setup.system, target);
  if (!all) return tl::unexpected(all.error());
  const auto random = play_at_random(config, *all, options, stop);
  if (!random) return tl::unexpected(random.error());
  const std::size_t last = target.empty() ? rarest(*random) : all->predicates.size() - 1;
  if (last == kNever)
    return error("no condition over the nodes' fields is rare and was met in five of {} episodes",
                 random->episodes);
  std::vector<Way> ways;
  for (const Way& way : random->ways)
    if (way.first[last] != kNever && way.first[last] > 0) ways.push_back(way);
  if (ways.empty())
    return error("{} was never reached in {} episodes at random: there is no way to learn from",
                 all->predicates.back().text(), random->episodes);
  return told(all->predicates, *random, ways.size(),
              choose_waypoints(ways, random->met, random->episodes, last, options.most));
}

Result<Proposed> propose(const std::vector<Trace>& finds, const ProposeOptions& options,
                         const std::atomic<bool>& stop) {
  if (finds.empty()) return error("no find to learn from");
  const System& system = *finds.front().config.setup.system;
  const auto all = read_all(system, {});
  if (!all) return tl::unexpected(all.error());
  std::vector<Way> ways;
  for (const Trace& find : finds) {
    if (find.config.setup.system->name != system.name)
      return error("one find is of {}, another of {}", system.name, find.config.setup.system->name);
    Firsts firsts(*all);
    firsts.begin();
    Runner runner(find.config.setup, find.config.limits);
    runner.on_step([&](const World& world) { firsts.look(world); });
    Replay scheduler(find.steps, find.config.setup.options.time);
    runner.replay(scheduler, find.plan, fair_end_of(find));
    ways.push_back(firsts.way());
  }
  const auto random = play_at_random(finds.front().config, *all, options, stop);
  if (!random) return tl::unexpected(random.error());
  const auto chosen = choose_waypoints(ways, random->met, random->episodes, kNever, options.most);
  if (chosen.empty())
    return error("nothing that begins on the way holds in all {} finds", finds.size());
  return told(all->predicates, *random, ways.size(), chosen);
}

// Every step of a script is on the way to the next: which of them are waypoints is decided by how
// often they happen at random.
Result<Proposed> propose_along(const RunConfig& config, const std::string& path,
                               const ProposeOptions& options, const std::atomic<bool>& stop) {
  Sequence all;
  const auto script = all.scripts.open(*config.setup.system, path);
  if (!script) return tl::unexpected(script.error());
  Way way;
  for (std::size_t step = 1; step <= (*script)->steps(); ++step) {
    auto predicate = Predicate::parse(*config.setup.system,
                                      fmt::format("script({}) >= {}", path, step), &all.scripts);
    if (!predicate) return tl::unexpected(predicate.error());
    all.predicates.push_back(*std::move(predicate));
    way.first.push_back(step);
    way.last = step;
  }
  const auto random = play_at_random(config, all, options, stop);
  if (!random) return tl::unexpected(random.error());
  return told(all.predicates, *random, 1,
              choose_waypoints({way}, random->met, random->episodes, all.predicates.size() - 1,
                               options.most));
}

}  // namespace schism::learn
