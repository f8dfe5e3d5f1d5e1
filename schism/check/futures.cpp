#include "schism/check/futures.hpp"

#include <algorithm>

#include "schism/base/random.hpp"
#include "schism/check/outcome.hpp"
#include "schism/trace/describe.hpp"

namespace schism::check {
namespace {

constexpr std::uint32_t kStepsMost = 12;
// The first ones all, then one of so many.
constexpr std::size_t kWaysAtFirst = 2'000, kWaysLater = 64, kWaysMost = 20'000;
constexpr std::uint64_t kMetAtFirst = 500, kMetLater = 256;

using Able = std::vector<std::pair<WorldModel::Likeness, std::uint32_t>>;

Able able_of(WorldModel& model) {
  Able out;
  for (std::uint32_t i = 0; i < model.pends().size(); ++i)
    if (model.pends()[i].enabled()) out.emplace_back(model.likeness(i), i);
  std::sort(out.begin(), out.end());
  return out;
}

bool alike(const Able& a, const Able& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first; });
}

class Pair {
 public:
  Pair(const Setup& setup, const Bounds& bounds, const Choices& start, bool clocks,
       std::uint64_t seed)
      : left_(setup, bounds, false, start), right_(setup, bounds, false, start), rng_(seed) {
    left_.digest_clocks(clocks);
    right_.digest_clocks(clocks);
    left_.answer_by([&](std::uint32_t n) { return static_cast<std::uint32_t>(rng_.below(n)); });
  }

  std::string play(const std::vector<Action>& one, const std::vector<Action>& other) {
    if (!follow(left_, one) || !follow(right_, other)) return {};  // then there is another problem
    for (std::uint32_t step = 0; step < kStepsMost; ++step) {
      if (left_.violation() || right_.violation()) break;
      const Able left = able_of(left_), right = able_of(right_);
      if (!alike(left, right) || left_.digest() != right_.digest()) return difference(step);
      if (left.empty()) break;
      const std::size_t pick = rng_.below(left.size());
      last_ = left_.action(left[pick].second);
      const bool a = left_.execute(left[pick].second);
      const bool b =
          right_.execute(right[pick].second, left_.pends()[left[pick].second].choices);
      if (!left_.problem().empty()) return {};
      if (a != b || !right_.problem().empty()) return difference(step + 1);
    }
    return {};
  }

 private:
  std::string difference(std::uint32_t step) const {
    if (step == 0) return "two ways lead to one state, and other things are possible after each";
    const System& system = *left_.setup().system;
    const NodeId node = place_of(last_);
    Recorded recorded;
    recorded.action = last_;
    return fmt::format(
        "two ways lead to one state, and the same step ({}) does different things after them: {} "
        "has a member that decides and is not in FIELDS(...)",
        print(describe_action(system, recorded)),
        node < 0 ? "a node" : "node " + std::to_string(node));
  }

  WorldModel left_, right_;
  Rng rng_;
  Action last_;
};

}  // namespace

std::string compare_futures(const Setup& setup, const Bounds& bounds, const Choices& start,
                            bool clocks, const std::vector<Action>& one,
                            const std::vector<Action>& other, std::uint64_t seed) {
  return Pair(setup, bounds, start, clocks, seed).play(one, other);
}

namespace {

// Two steps at one node, the one after the other as it was enabled before it; nothing: that is not
// possible in this order.
std::optional<std::vector<Action>> taken(WorldModel& model, const std::vector<Action>& beginning,
                                         const Hash128& first, const Hash128& second) {
  if (!follow(model, beginning)) return std::nullopt;
  for (const Hash128& id : {first, second}) {
    std::uint32_t found = kNever;
    for (std::uint32_t i = 0; i < model.pends().size(); ++i)
      if (model.pends()[i].id == id && model.pends()[i].enabled()) found = i;
    if (found == kNever || !model.execute(found)) return std::nullopt;
  }
  const auto way = model.world().decisions();
  return std::vector<Action>(way.begin(), way.end());
}

std::vector<Action> random_beginning(WorldModel& model, Rng& rng) {
  constexpr std::uint64_t most = 80;
  model.answer_by([&](std::uint32_t n) { return static_cast<std::uint32_t>(rng.below(n)); });
  model.rewind(0);
  for (std::uint64_t steps = rng.below(most); steps > 0; --steps) {
    const Able able = able_of(model);
    if (able.size() < 3) break;  // two are for later
    if (!model.execute(able[rng.below(able.size())].second)) return {};
  }
  model.answer_by(nullptr);
  const auto way = model.world().decisions();
  return {way.begin(), way.end()};
}

}  // namespace

Undeclared find_undeclared(const Setup& setup, std::uint32_t trials, std::uint64_t seed) {
  Undeclared out;
  for (std::uint32_t trial = 0; trial < trials && out.what.empty(); ++trial) {
    Rng rng(keyed(seed, trial));
    Setup own = setup;
    own.node_seed = rng.next();
    WorldModel model(own, {}, false);
    if (model.waits()) break;
    const std::vector<Action> beginning = random_beginning(model, rng);
    if (model.violation() || !model.problem().empty()) continue;
    std::vector<std::pair<Hash128, Hash128>> pairs;
    const Able able = able_of(model);
    for (std::size_t i = 0; i < able.size(); ++i)
      for (std::size_t j = i + 1; j < able.size(); ++j) {
        const Pend &p = model.pends()[able[i].second], &q = model.pends()[able[j].second];
        if (able[i].first != able[j].first && share(p.objects, q.objects))
          pairs.emplace_back(p.id, q.id);
      }
    if (pairs.empty()) continue;
    const auto [p, q] = pairs[rng.below(pairs.size())];
    WorldModel left(own, {}, false, model.start()), right(own, {}, false, model.start());
    const auto one = taken(left, beginning, p, q), other = taken(right, beginning, q, p);
    left.digest_clocks(true);
    right.digest_clocks(true);
    if (!one || !other || !left.digest() || left.digest() != right.digest()) continue;
    ++out.pairs;
    out.what = compare_futures(own, {}, model.start(), true, *one, *other, rng.next());
  }
  return out;
}

void Futures::remember(WorldModel& model) {
  const auto key = model.digest();
  if (!key || ways_.size() >= kWaysMost) return;
  if (ways_.size() >= kWaysAtFirst && key->hi % kWaysLater != 0) return;
  const auto way = model.world().decisions();
  ways_.try_emplace(*key, way.begin(), way.end());
}

bool Futures::trust(WorldModel& model) {
  if (++met_ > kMetAtFirst && met_ % kMetLater != 0) return true;
  const auto key = model.digest();
  const auto known = key ? ways_.find(*key) : ways_.end();
  if (known == ways_.end()) return true;
  const auto way = model.world().decisions();
  const std::vector<Action> now(way.begin(), way.end());
  if (now == known->second) return true;
  std::string what = compare_futures(model.setup(), model.bounds(), model.start(),
                                     model.digests_clocks(), known->second, now,
                                     keyed(key->lo, met_));
  if (what.empty()) return true;
  model.give_up(std::move(what));
  return false;
}

}  // namespace schism::check
