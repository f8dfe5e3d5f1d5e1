#include "schism/check/rounds.hpp"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <algorithm>

namespace schism::check {
namespace {

// For each state the number of its strongly connected component (Tarjan, without recursion).
class Components {
 public:
  using Targets = std::vector<std::vector<std::uint32_t>>;
  explicit Components(const Targets& targets)
      : targets_(targets), found_(targets.size(), 0), low_(found_), of(targets.size(), kNone) {
    for (std::uint32_t state = 0; state < targets_.size(); ++state)
      if (found_[state] == 0) explore(state);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Frame {
    std::uint32_t state;
    std::size_t next = 0;
  };

  void enter(std::uint32_t state) {
    found_[state] = low_[state] = ++time_;
    waiting_.push_back(state);
    frames_.push_back({state});
  }
  void explore(std::uint32_t root) {
    enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const std::uint32_t state = frame.state;
      if (frame.next < targets_[state].size()) {
        const std::uint32_t to = targets_[state][frame.next++];
        if (found_[to] == 0) enter(to);
        else if (of[to] == kNone) low_[state] = std::min(low_[state], found_[to]);
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty())
        low_[frames_.back().state] = std::min(low_[frames_.back().state], low_[state]);
      if (low_[state] == found_[state]) close(state);
    }
  }
  void close(std::uint32_t root) {
    for (std::uint32_t state = kNone; state != root; waiting_.pop_back()) {
      state = waiting_.back();
      of[state] = count;
    }
    ++count;
  }

  const Targets& targets_;
  std::vector<std::uint32_t> found_, low_, waiting_;
  std::vector<Frame> frames_;
  std::uint32_t time_ = 0;

 public:
  std::vector<std::uint32_t> of;
  std::uint32_t count = 0;
};

}  // namespace

void Rounds::step(std::uint32_t from, std::uint32_t to, const Happening& happening,
                  std::uint64_t renewed) {
  states_ = std::max({states_, from + 1, to + 1});
  steps_.push_back({from, to, happening, renewed});
}

std::uint64_t Rounds::fair() const {
  Components::Targets targets(states_);
  for (const Step& s : steps_) targets[s.from].push_back(s.to);
  const Components components(targets);

  struct Component {
    std::uint64_t states = 0;
    bool goes_round = false;
    std::uint64_t renewed = 0;
    absl::flat_hash_set<std::uint64_t> happens;  // between its states
    // In how many of them it is possible, and whose it is.
    absl::flat_hash_map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> possible;
  };
  std::vector<Component> all(components.count);
  for (const std::uint32_t component : components.of) ++all[component].states;
  absl::flat_hash_set<std::pair<std::uint32_t, std::uint64_t>> counted;
  for (const Step& s : steps_) {
    Component& own = all[components.of[s.from]];
    if (components.of[s.to] == components.of[s.from]) {
      own.goes_round = true;
      own.renewed |= s.renewed;
      own.happens.insert(s.happening.what);
    }
    if (s.happening.what == 0 || !counted.insert({s.from, s.happening.what}).second) continue;
    auto& [times, whose] = own.possible[s.happening.what];
    ++times;
    whose = s.happening.own;
  }
  return static_cast<std::uint64_t>(std::count_if(all.begin(), all.end(), [](const Component& c) {
    return c.goes_round &&
           std::none_of(c.possible.begin(), c.possible.end(), [&](const auto& entry) {
             const auto& [what, where] = entry;
             const auto& [times, whose] = where;
             return times == c.states && !c.happens.contains(what) && (whose & c.renewed) == 0;
           });
  }));
}

// What nothing leads to is taken away with its steps, until nothing is left or a circle.
bool has_circle(std::uint32_t states,
                const std::vector<std::pair<std::uint32_t, std::uint32_t>>& steps) {
  std::vector<std::uint32_t> ways_to(states, 0), first(states + std::size_t{1}, 0);
  for (const auto& [from, to] : steps) ++ways_to[to], ++first[from + std::size_t{1}];
  for (std::size_t i = 0; i < states; ++i) first[i + 1] += first[i];
  std::vector<std::uint32_t> targets(steps.size()), filled(first.begin(), first.end() - 1);
  for (const auto& [from, to] : steps) targets[filled[from]++] = to;
  std::vector<std::uint32_t> ready;
  for (std::uint32_t state = 0; state < states; ++state)
    if (ways_to[state] == 0) ready.push_back(state);
  std::uint32_t gone = 0;
  for (; !ready.empty(); ++gone) {
    const std::uint32_t state = ready.back();
    ready.pop_back();
    for (std::uint32_t i = first[state]; i < first[state + std::size_t{1}]; ++i)
      if (--ways_to[targets[i]] == 0) ready.push_back(targets[i]);
  }
  return gone < states;
}

}  // namespace schism::check
