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

void swap_processes(Input& input, const InputTerms& terms, Rng& random) {
  for (std::int64_t i = 0; i < terms.swaps; ++i) {
    InputStep &a = input[random.below(input.size())], &b = input[random.below(input.size())];
    std::swap(a.node, b.node);
    std::swap(a.from, b.from);
  }
}

void swap_choices(Input& input, const std::vector<std::size_t>& messages, const InputTerms& terms,
                  Rng& random) {
  if (messages.empty()) return;
  for (std::int64_t i = 0; i < terms.swaps; ++i)
    std::swap(input[messages[random.below(messages.size())]],
              input[messages[random.below(messages.size())]]);
}

constexpr std::size_t kStopsMin = 4;  // of a mutant, in the published programs

constexpr std::size_t kStepBytes = 8;

void put(char* to, std::uint16_t number) {
  to[0] = static_cast<char>(number & 0xff);
  to[1] = static_cast<char>(number >> 8);
}
std::uint16_t get(const char* from) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(from[0]) |
                                    static_cast<unsigned char>(from[1]) << 8);
}

}  // namespace

std::string to_gene(const Input& input) {
  std::string out(input.size() * kStepBytes, '\0');
  char* to = out.data();
  for (const InputStep& s : input) {
    to[0] = static_cast<char>(s.deed);
    to[1] = static_cast<char>(s.asks);
    put(to + 2, s.node), put(to + 4, s.from), put(to + 6, s.count);
    to += kStepBytes;
  }
  return out;
}

std::optional<Input> from_gene(std::string_view gene) {
  if (gene.size() % kStepBytes != 0) return std::nullopt;
  Input out;
  out.reserve(gene.size() / kStepBytes);
  for (const char* at = gene.data(); at != gene.data() + gene.size(); at += kStepBytes) {
    if (static_cast<unsigned char>(at[0]) > static_cast<unsigned char>(Deed::start))
      return std::nullopt;
    out.push_back({static_cast<Deed>(at[0]), get(at + 2), get(at + 4), get(at + 6), at[1] != 0});
  }
  return out;
}

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
    // The published programs draw below the maximum.
    const auto most = static_cast<std::uint64_t>(terms.messages) + (terms.way == Way::text ? 1 : 0);
    const auto count = random.below(most);
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
  const auto messages = places(out, Deed::message);
  if (terms.way == Way::etcd) swap_choices(out, messages, terms, random);
  else if (terms.way != Way::redisraft) swap_processes(out, terms, random);
  if (terms.way == Way::etcd)
    for (InputStep& step : out) step.asks = false;
  if (messages.empty()) return out;
  for (std::int64_t i = 0; i < terms.swaps; ++i)
    std::swap(out[messages[random.below(messages.size())]].count,
              out[messages[random.below(messages.size())]].count);
  return out;
}

bool has_mutants(const Input& input, const InputTerms& terms) {
  const bool program = terms.way == Way::etcd || terms.way == Way::redisraft;
  return !program || places(input, Deed::stop).size() >= kStopsMin;
}

}  // namespace schism::model
