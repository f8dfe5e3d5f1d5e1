#include "schism/model/fuzz_input.hpp"

#include <algorithm>

namespace schism::model {
namespace {

// Places of steps that do one of these.
std::vector<std::size_t> places(const Input& input, Deed deed) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < input.size(); ++i)
    if (input[i].deed == deed) out.push_back(i);
  return out;
}

void swap_crash_processes(Input& input, const InputTerms& terms, Rng& random) {
  const auto stops = places(input, Deed::stop);
  if (stops.empty()) return;
  if (stops.size() == 1) {
    input[stops[0]].node =
        static_cast<std::uint16_t>(random.below(static_cast<std::uint64_t>(terms.nodes)));
    return;
  }
  for (std::int64_t i = 0; i < terms.crash_swaps; ++i)
    std::swap(input[stops[random.below(stops.size())]].node,
              input[stops[random.below(stops.size())]].node);
}

}  // namespace

Input random_input(const InputTerms& terms, Rng& random) {
  const auto nodes = static_cast<std::uint64_t>(terms.nodes);
  const auto steps = static_cast<std::uint64_t>(terms.steps);
  const auto node = [&] { return static_cast<std::uint16_t>(random.below(nodes)); };
  std::vector<Input> before(static_cast<std::size_t>(terms.steps));  // faults before each step
  for (std::int64_t i = 0; i < terms.crashes; ++i) {
    const std::uint64_t stop = random.below(steps);
    const std::uint64_t start = stop + random.below(steps - stop);
    const std::uint16_t who = node();
    before[stop].push_back({Deed::stop, who, 0, 0, false});
    before[start].push_back({Deed::start, who, 0, 0, false});
  }
  Input out;
  std::vector<std::size_t> choices;
  for (std::size_t i = 0; i < before.size(); ++i) {
    out.insert(out.end(), before[i].begin(), before[i].end());
    choices.push_back(out.size());
    const std::uint16_t to = node(), from = node();
    const auto count = random.below(static_cast<std::uint64_t>(terms.messages) + 1);
    out.push_back({Deed::message, to, from, static_cast<std::uint16_t>(count), false});
  }
  for (std::int64_t i = 0; i < terms.requests; ++i)
    out[choices[random.below(choices.size())]].asks = true;
  return out;
}

Input mutated(const Input& input, const InputTerms& terms, Rng& random) {
  Input out = input;
  swap_crash_processes(out, terms, random);
  if (out.empty()) return out;
  for (std::int64_t i = 0; i < terms.swaps; ++i) {
    InputStep &a = out[random.below(out.size())], &b = out[random.below(out.size())];
    std::swap(a.node, b.node);
    std::swap(a.from, b.from);
  }
  const auto messages = places(out, Deed::message);
  if (messages.empty()) return out;
  for (std::int64_t i = 0; i < terms.swaps; ++i)
    std::swap(out[messages[random.below(messages.size())]].count,
              out[messages[random.below(messages.size())]].count);
  return out;
}

}  // namespace schism::model
