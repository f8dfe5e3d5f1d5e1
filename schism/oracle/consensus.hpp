// The four properties of consensus, and that a term has one leader, over a protocol's own
// announcements.
//
//   .oracle(agreement<Decided>(&Decided::round, &Decided::value))
//   .oracle(agreement<Executed>(&Executed::position, &Executed::command, "executed-order"))
//   .oracle(validity<Decided, Proposed>(&Decided::value, &Proposed::value))
//   .oracle(one_leader<Elected>("election-safety", "term", &Elected::term))
//
// All are functions of the set of announcements, so they hold for a whole class of runs or for
// none.
#pragma once

#include <functional>
#include <map>
#include <set>

#include <absl/container/flat_hash_map.h>

#include "schism/oracle/oracle.hpp"

namespace schism {

// What a step announces, if it is that.
template <class A>
const A* announced_as(const Event& event) {
  return event.kind == Happened::announced ? event.as<A>() : nullptr;
}

namespace detail {

template <class D, class Part>
std::string print_part(const D& d, const Part& part) {
  const auto& value = std::invoke(part, d);
  return print(detail::field_type_of<std::remove_cvref_t<decltype(value)>>, to_value(value));
}

template <class D>
Hash128 hash_of(const D& d) {
  return absorb_field(Hash128{}, d);
}
template <class D>
Hash128 renamed_hash_of(const D& d, const Renaming& r) {
  return absorb_renamed(Hash128{}, d, r);
}

}  // namespace detail

// No two nodes decide differently in the same instance, nor one node at two times.
template <class D, class Instance, class Chosen>
class Agreement final : public Oracle {
 public:
  Agreement(Instance instance, Chosen chosen, std::string name)
      : instance_(instance), chosen_(chosen), name_(std::move(name)) {}

  std::string_view name() const override { return name_; }
  EventMask wakes_on() const override { return announcements_of<D>(); }
  bool tested() const override { return !first_.empty(); }
  void begin(const World&) override {
    absolve();
    first_.clear();
  }
  void look(const World& world, std::span<const Event> events) override {
    for (const Event& event : events) {
      const D* decided = announced_as<D>(event);
      if (!decided) continue;
      const auto [known, is_new] =
          first_.try_emplace(detail::hash_of(std::invoke(instance_, *decided)),
                             First{*decided, event.node, world.step()});
      const First& first = known->second;
      if (is_new || std::invoke(chosen_, first.decided) == std::invoke(chosen_, *decided)) continue;
      violate(world,
              fmt::format("node {} decided {} in instance {}, but node {} decided {}", event.node,
                          detail::print_part(*decided, chosen_),
                          detail::print_part(*decided, instance_), first.node,
                          detail::print_part(first.decided, chosen_)),
              {{first.step, "decided " + detail::print_part(first.decided, chosen_)},
               {world.step(), "decided " + detail::print_part(*decided, chosen_)}});
    }
  }
  std::optional<Hash128> digest() const override {
    Hash128 sum = seeded(name_);
    for (const auto& [instance, f] : first_)  // who was first does not matter for the verdict
      sum += absorb_field(instance, std::invoke(chosen_, f.decided));
    return sum;
  }
  std::optional<Hash128> renamed_digest(const Renaming& r) const override {
    Hash128 sum = seeded(name_);
    for (const auto& [instance, f] : first_)
      sum += absorb_renamed(detail::renamed_hash_of(std::invoke(instance_, f.decided), r),
                            std::invoke(chosen_, f.decided), r);
    return sum;
  }

 private:
  struct First {
    D decided;
    int node;
    std::uint32_t step;
  };
  Instance instance_;
  Chosen chosen_;
  std::string name_;
  absl::flat_hash_map<Hash128, First> first_;  // by instance
};

// A node decides at most once an instance; after a restart it may repeat itself.
template <class D, class Instance, class Chosen>
class Integrity final : public Oracle {
 public:
  Integrity(Instance instance, Chosen chosen) : instance_(instance), chosen_(chosen) {}

  std::string_view name() const override { return "integrity"; }
  EventMask wakes_on() const override {
    return announcements_of<D>() | mask_of(Happened::restarted);
  }
  bool tested() const override { return !decisions_.empty(); }
  void begin(const World&) override {
    absolve();
    decisions_.clear();
  }
  void look(const World& world, std::span<const Event> events) override {
    for (const Event& event : events) {
      if (event.kind == Happened::restarted)
        for (Decision& d : decisions_)
          if (d.node == event.node) d.before_restart = true;
      const D* decided = event.as<D>();
      if (!decided || event.kind != Happened::announced) continue;
      Decision* earlier = nullptr;
      for (Decision& d : decisions_)
        if (d.node == event.node &&
            std::invoke(instance_, d.decided) == std::invoke(instance_, *decided))
          earlier = &d;
      if (!earlier) {
        decisions_.push_back({*decided, event.node, world.step(), false});
      } else if (!earlier->before_restart ||
                 std::invoke(chosen_, earlier->decided) != std::invoke(chosen_, *decided)) {
        violate(world,
                fmt::format("node {} decided {} in instance {} after it had decided {}", event.node,
                            detail::print_part(*decided, chosen_),
                            detail::print_part(*decided, instance_),
                            detail::print_part(earlier->decided, chosen_)),
                {{earlier->step, "decided " + detail::print_part(earlier->decided, chosen_)},
                 {world.step(), "decided " + detail::print_part(*decided, chosen_)}});
      } else {
        earlier->before_restart = false;
      }
    }
  }
  std::optional<Hash128> digest() const override {
    Hash128 sum = seeded("integrity");
    for (const Decision& d : decisions_)
      sum += absorb(absorb_field(detail::hash_of(std::invoke(instance_, d.decided)),
                                 std::invoke(chosen_, d.decided)),
                    static_cast<std::uint64_t>(d.node) << 1 | std::uint64_t{d.before_restart});
    return sum;
  }
  std::optional<Hash128> renamed_digest(const Renaming& r) const override {
    Hash128 sum = seeded("integrity");
    for (const Decision& d : decisions_)
      sum +=
          absorb(absorb_renamed(detail::renamed_hash_of(std::invoke(instance_, d.decided), r),
                                std::invoke(chosen_, d.decided), r),
                 static_cast<std::uint64_t>(r.node(d.node)) << 1 | std::uint64_t{d.before_restart});
    return sum;
  }

 private:
  struct Decision {
    D decided;
    int node;
    std::uint32_t step;
    bool before_restart;
  };
  Instance instance_;
  Chosen chosen_;
  std::vector<Decision> decisions_;
};

// What is decided was proposed. Judged at the end: the order of independent steps must not matter.
template <class D, class P, class Chosen, class Offered>
class Validity final : public Oracle {
 public:
  using Type = std::decay_t<std::invoke_result_t<Chosen, const D&>>;

  Validity(Chosen chosen, Offered offered, std::optional<Type> none)
      : chosen_(chosen), offered_(offered), none_(std::move(none)) {}

  std::string_view name() const override { return "validity"; }
  EventMask wakes_on() const override { return announcements_of<D>() | announcements_of<P>(); }
  bool tested() const override { return !decisions_.empty(); }
  void begin(const World&) override {
    absolve();
    offers_.clear();
    decisions_.clear();
  }
  void look(const World& world, std::span<const Event> events) override {
    for (const Event& event : events) {
      if (event.kind != Happened::announced) continue;
      if (const P* p = event.as<P>()) {
        remember(offers_, {std::invoke(offered_, *p), event.node, world.step()});
      } else if (const D* d = event.as<D>()) {
        const auto& value = std::invoke(chosen_, *d);
        if (!none_ || value != *none_) remember(decisions_, {value, event.node, world.step()});
      }
    }
  }
  void finish(const World& world, const Ending&) override {
    for (const Seen& d : decisions_)
      if (!has(offers_, d.value))
        violate(world,
                fmt::format("node {} decided {}, which nobody proposed", d.node,
                            print(to_value(d.value))),
                {{d.step, "decided " + print(to_value(d.value))}});
  }
  std::optional<Hash128> digest() const override {
    Hash128 sum = seeded("validity");
    for (const Seen& s : offers_) sum += absorb(detail::hash_of(s.value), 1);
    for (const Seen& s : decisions_) sum += absorb(detail::hash_of(s.value), 2);
    return sum;
  }
  std::optional<Hash128> renamed_digest(const Renaming& r) const override {
    Hash128 sum = seeded("validity");
    for (const Seen& s : offers_) sum += absorb(detail::renamed_hash_of(s.value, r), 1);
    for (const Seen& s : decisions_) sum += absorb(detail::renamed_hash_of(s.value, r), 2);
    return sum;
  }

 private:
  struct Seen {
    Type value;
    int node;
    std::uint32_t step;
  };
  static bool has(const std::vector<Seen>& list, const Type& value) {
    for (const Seen& s : list)
      if (s.value == value) return true;
    return false;
  }
  static void remember(std::vector<Seen>& list, Seen seen) {
    if (!has(list, seen.value)) list.push_back(std::move(seen));
  }
  Chosen chosen_;
  Offered offered_;
  std::optional<Type> none_;
  std::vector<Seen> offers_, decisions_;
};

// On a fair end every node that is up has decided in so many instances. Who is down then is so for
// good: a fair tail brings back whoever may come back.
template <class D, class Instance>
class Termination final : public Oracle {
 public:
  Termination(Instance instance, std::function<int(const Setup&)> instances)
      : instance_(instance), instances_(std::move(instances)) {}

  std::string_view name() const override { return "termination"; }
  EventMask wakes_on() const override { return announcements_of<D>(); }
  bool wants_fair_tail() const override { return true; }
  bool judged() const override { return judged_; }
  void begin(const World& world) override {
    absolve();
    judged_ = false;
    decided_.assign(static_cast<std::size_t>(world.setup().nodes), {});
    wanted_ = static_cast<std::size_t>(instances_(world.setup()));
  }
  bool satisfied() const override {  // a decision is never taken back
    return std::all_of(decided_.begin(), decided_.end(),
                       [&](const auto& mine) { return mine.size() >= wanted_; });
  }
  bool holds_now(const World& world) const override {
    for (std::size_t id = 0; id < decided_.size(); ++id)
      if (decided_[id].size() < wanted_ && owes(world, static_cast<NodeId>(id))) return false;
    return true;
  }
  void look(const World&, std::span<const Event> events) override {
    for (const Event& event : events) {
      const D* d = event.as<D>();
      if (!d || event.kind != Happened::announced) continue;
      auto& mine = decided_[event.node];
      const Hash128 instance = detail::hash_of(std::invoke(instance_, *d));
      if (std::find(mine.begin(), mine.end(), instance) == mine.end()) mine.push_back(instance);
    }
  }
  void finish(const World& world, const Ending& ending) override {
    judged_ = ending.fair;
    if (!judged_) return;
    for (std::size_t id = 0; id < decided_.size(); ++id)
      if (decided_[id].size() < wanted_ && owes(world, static_cast<NodeId>(id)))
        violate(world, fmt::format("node {} decided in {} of {} instances, though the end was fair",
                                   id, decided_[id].size(), wanted_));
  }
  std::optional<Hash128> digest() const override {
    Hash128 sum = seeded("termination");
    for (std::size_t id = 0; id < decided_.size(); ++id)
      for (const Hash128& instance : decided_[id]) sum += absorb(instance, id);
    return sum;
  }
  std::optional<Hash128> renamed_digest(const Renaming& r) const override {
    static_assert(!detail::Renamable<std::decay_t<std::invoke_result_t<Instance, const D&>>>,
                  "instances are kept as hashes, so they cannot be nodes");
    Hash128 sum = seeded("termination");
    for (std::size_t id = 0; id < decided_.size(); ++id)
      for (const Hash128& instance : decided_[id])
        sum += absorb(instance, static_cast<std::uint64_t>(r.node(static_cast<int>(id))));
    return sum;
  }

 private:
  static bool owes(const World& world, NodeId id) { return !world.liar(id) && world.up(id); }

  Instance instance_;
  std::function<int(const Setup&)> instances_;
  std::vector<std::vector<Hash128>> decided_;
  std::size_t wanted_ = 0;
  bool judged_ = false;
};

// At most one leader a term (a ballot, a view). `led` names the term that an announcement says its
// node leads in; as an optional, where it may say something else.
template <class A, class Led>
class OneLeader final : public Oracle {
 public:
  OneLeader(std::string name, std::string term, Led led)
      : name_(std::move(name)), term_(std::move(term)), led_(std::move(led)) {}

  std::string_view name() const override { return name_; }
  EventMask wakes_on() const override { return announcements_of<A>(); }
  bool tested() const override { return !elected_.empty(); }
  void begin(const World&) override {
    absolve();
    elected_.clear();
  }
  void look(const World& world, std::span<const Event> events) override {
    for (const Event& event : events) {
      const A* announced = announced_as<A>(event);
      if (!announced) continue;
      const std::optional<std::uint64_t> term = std::invoke(led_, *announced);
      if (!term) continue;
      const auto [elected, is_new] = elected_.try_emplace(*term, Elected{event.node, world.step()});
      if (is_new || elected->second.leader == event.node) continue;
      const Elected& first = elected->second;
      violate(
          world,
          fmt::format("nodes {} and {} both lead in {} {}", first.leader, event.node, term_, *term),
          {{first.step, fmt::format("node {} elected", first.leader)},
           {world.step(), fmt::format("node {} elected", event.node)}});
    }
  }
  std::optional<Hash128> digest() const override {
    Hash128 sum = seeded(name_);
    for (const auto& [term, elected] : elected_)
      sum += absorb(scatter(term), static_cast<std::uint64_t>(elected.leader));
    return sum;
  }
  std::optional<Hash128> renamed_digest(const Renaming& r) const override {
    Hash128 sum = seeded(name_);
    for (const auto& [term, elected] : elected_)
      sum += absorb(scatter(term), static_cast<std::uint64_t>(r.node(elected.leader)));
    return sum;
  }

 private:
  struct Elected {
    NodeId leader;
    std::uint32_t step;
  };
  std::string name_, term_;
  Led led_;
  absl::flat_hash_map<std::uint64_t, Elected> elected_;
};

// Of several in one system each has a name.
template <class D, class Instance, class Chosen>
Agreement<D, Instance, Chosen> agreement(Instance instance, Chosen chosen,
                                         std::string name = "agreement") {
  return {instance, chosen, std::move(name)};
}
template <class D, class Instance, class Chosen>
Integrity<D, Instance, Chosen> integrity(Instance instance, Chosen chosen) {
  return {instance, chosen};
}
// `none` is a value that means "no decision", if there is one.
template <class D, class P, class Chosen, class Offered>
Validity<D, P, Chosen, Offered> validity(
    Chosen chosen, Offered offered,
    std::optional<std::decay_t<std::invoke_result_t<Chosen, const D&>>> none = std::nullopt) {
  return {chosen, offered, std::move(none)};
}
template <class D, class Instance>
Termination<D, Instance> termination(Instance instance,
                                     std::function<int(const Setup&)> instances) {
  return {instance, std::move(instances)};
}

template <class A, class Led>
OneLeader<A, Led> one_leader(std::string name, std::string term, Led led) {
  return {std::move(name), std::move(term), std::move(led)};
}

}  // namespace schism
