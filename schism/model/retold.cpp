// `retold`: plays such an input. The next entry, in a circle, whose process has something to
// receive is taken out, and that process receives one message; where no entry is left that says so,
// anybody does, at random.
#include "schism/model/retold.hpp"

#include <algorithm>

#include "schism/model/upkeep.hpp"
#include "schism/schedule/registry.hpp"

namespace schism::model {
namespace {

constexpr std::size_t kSeedBytes = 8;

void put(std::string& out, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 0xff);
}
std::uint64_t get(std::string_view from, std::size_t bytes) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < bytes; ++i)
    out |= std::uint64_t{static_cast<unsigned char>(from[i])} << (8 * i);
  return out;
}

void swap_two(std::vector<std::uint16_t>& entries, Rng& random) {
  const auto other = [&](std::uint16_t e) { return e != entries.front(); };
  if (entries.empty() || std::none_of(entries.begin(), entries.end(), other)) return;
  std::size_t a = 0, b = 0;
  while (entries[a] == entries[b])
    a = random.below(entries.size()), b = random.below(entries.size());
  std::swap(entries[a], entries[b]);
}

class RetoldScheduler final : public Scheduler {
 public:
  struct Options {
    std::int64_t steps = 100;
    Micros tick = 25'000;
  };
  explicit RetoldScheduler(const Options& options) : options_(options) {}

  TimeUse time_use() const override { return TimeUse::stepped; }
  bool plays(Do) const override { return false; }
  bool sees_pending() const override { return true; }

  void prepare(const RunPlan& plan) override { input_ = retold_from_gene(plan.gene); }

  void begin(const Setup& setup, std::uint64_t seed) override {
    inboxes_.assign(static_cast<std::size_t>(setup.places()), {});
    if (!input_) input_ = Retold{seed, {}};
    random_ = Rng(input_->seed);
    told_.clear();
    at_ = 0;
    steps_ = 0;
    keeping_up_ = false;
    upkeep_.begin(options_.tick);
  }

  void on_pending(World& world, Do kind, std::uint32_t slot) override {
    if (kind != Do::deliver) return;
    const Flight& flight = world.pending().flights[slot];
    inboxes_[static_cast<std::size_t>(flight.name.to())].push(world.pending(), slot);
    if (steps_ > 0) tell(flight.name.from());  // what a start sends is nobody's turn
  }

  Action next(World& world) override {
    while (true) {
      if (keeping_up_) {
        const Action action = upkeep_.next(world);
        if (action.kind != Do::nothing) return action;
        keeping_up_ = false;
      }
      if (steps_++ >= options_.steps) return {};
      keeping_up_ = true;
      const Action action = serve(world.pending());
      if (action.kind != Do::nothing) return action;
    }
  }

  std::string report() const override {
    std::string out;
    for (const std::uint16_t node : told_) put(out, node, 2);
    return out;
  }

 private:
  void tell(NodeId node) { told_.push_back(static_cast<std::uint16_t>(node)); }

  Action serve(const Pending& pending) {
    ready_.clear();
    deliveries_.clear();
    for (std::size_t i = 0; i < inboxes_.size(); ++i) {
      deliveries_.push_back(inboxes_[i].first(pending));
      if (deliveries_.back().kind != Do::nothing) ready_.push_back(static_cast<std::uint16_t>(i));
    }
    if (ready_.empty()) return {};
    const std::uint16_t node = whose_turn();
    inboxes_[node].pop();
    tell(node);
    return deliveries_[node];
  }

  std::uint16_t whose_turn() {
    std::vector<std::uint16_t>& entries = input_->entries;
    for (std::size_t tried = 0; tried < entries.size(); ++tried, ++at_) {
      if (at_ >= entries.size()) at_ = 0;
      const std::uint16_t node = entries[at_];
      if (node >= inboxes_.size() || deliveries_[node].kind == Do::nothing) continue;
      entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(at_));
      return node;
    }
    return ready_[random_.below(ready_.size())];
  }

  Options options_;
  std::optional<Retold> input_;
  std::vector<InboxQueue> inboxes_;
  std::vector<std::uint16_t> ready_, told_;
  std::vector<Action> deliveries_;  // of each process the next one
  std::size_t at_ = 0;
  std::int64_t steps_ = 0;
  bool keeping_up_ = false;
  Upkeep upkeep_;
  Rng random_{0};
};

using O = RetoldScheduler::Options;
const Registration registered =
    scheduler<RetoldScheduler>("retold", "whose turn it is by what another run did, else at random")
        .param<&O::steps>("steps", 1, 100'000, "processes that are served")
        .duration<&O::tick>("tick", 1, 10_s, "how far the clock advances a step");

}  // namespace

std::string to_gene(const Retold& input) {
  std::string out;
  put(out, input.seed, kSeedBytes);
  for (const std::uint16_t node : input.entries) put(out, node, 2);
  return out;
}

std::optional<Retold> retold_from_gene(std::string_view gene) {
  if (gene.size() < kSeedBytes || gene.size() % 2 != 0) return std::nullopt;
  return Retold{get(gene, kSeedBytes), entries_of(gene.substr(kSeedBytes))};
}

std::vector<std::uint16_t> entries_of(std::string_view report) {
  std::vector<std::uint16_t> out;
  for (std::size_t i = 0; i + 1 < report.size(); i += 2)
    out.push_back(static_cast<std::uint16_t>(get(report.substr(i), 2)));
  return out;
}

std::vector<Retold> mutants(const std::vector<std::uint16_t>& told, std::int64_t count,
                            const InputTerms& terms, Rng& random) {
  std::vector<Retold> out;
  for (std::int64_t i = 0; i < count; ++i) {
    const bool one_object = terms.way == Way::coyote;
    out.push_back({random.next(), one_object && i > 0 ? std::vector<std::uint16_t>() : told});
    Retold& changed = one_object ? out.front() : out.back();
    for (std::int64_t s = 0; s < terms.swaps; ++s) swap_two(changed.entries, random);
  }
  return out;
}

}  // namespace schism::model
