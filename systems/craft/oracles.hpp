// What must hold of the library: safety across nodes, what each node sees to be wrong by itself,
// and progress at a fair end. All are incremental: they wake when a node announces something, and
// compare prefix hashes. All judge sets of announcements and so are functions of the class of runs.
#pragma once

#include <string>
#include <vector>

#include "schism/oracle/consensus.hpp"
#include "systems/craft/craft.hpp"

namespace schism::craft {

// Two logs that hold an entry with the same index and term are equal up to it.
class LogMatching final : public Oracle {
 public:
  std::string_view name() const override { return "log-matching"; }
  EventMask wakes_on() const override { return announcements_of<LogChange>(); }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  struct Seen {
    Hash128 prefix;
    Term term;
    NodeId node;
    std::uint32_t step;
    std::uint32_t next;  // another term at this index
  };
  void check(const World& world, NodeId node, Index index, Term term, const Hash128& prefix);

  std::vector<std::uint32_t> first_;  // by index
  std::vector<Seen> seen_;
};

// What one node calls committed, no node ever sees otherwise.
class CommittedEntries final : public Oracle {
 public:
  std::string_view name() const override { return "committed-entries"; }
  EventMask wakes_on() const override { return announcements_of<Committed>(); }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  struct Known {
    Hash128 prefix;  // zero: nobody has committed it yet
    NodeId node = -1;
    std::uint32_t step = 0;
  };
  std::vector<Known> known_;  // by index
};

// The state machines execute the same commands in the same order.
class SameHistory final : public Oracle {
 public:
  std::string_view name() const override { return "same-history"; }
  EventMask wakes_on() const override {
    return announcements_of<Applied>() | announcements_of<Restored>();
  }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  struct Known {
    Hash128 commands;
    NodeId node = -1;
    std::uint32_t step = 0;
  };
  void check(const World& world, NodeId node, const History& history);
  std::vector<Known> known_;  // by the number of commands
};

// One kind of what a node sees by itself (FlawKind); a property each.
class NoFlaw final : public Oracle {
 public:
  NoFlaw(std::string name, FlawKind kind) : name_(std::move(name)), kind_(kind) {}
  std::string_view name() const override { return name_; }
  EventMask wakes_on() const override { return announcements_of<Flaw>(); }
  void begin(const World&) override { absolve(); }
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override { return Hash128{}; }

 private:
  std::string name_;
  FlawKind kind_;
};

// What a leader counts as stored at another server of its term is there, and is the leader's own
// log: nobody else may change that log in this term, so what was acknowledged stays. It looks at
// two nodes at once, so that the order of what they do matters. Off by default (`matches`): the
// breach does no harm yet, and others of the library's bugs begin with it.
class MatchIndices final : public Oracle {
 public:
  explicit MatchIndices(const Setup& setup);
  std::string_view name() const override { return "match-index"; }
  EventMask wakes_on() const override { return wanted_ ? kNodeActed : 0; }
  std::optional<Observer> observes() const override;
  void begin(const World&) override { absolve(); }
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override { return Hash128{}; }

 private:
  void check(const World& world, NodeId id, const Craft& leader, const Progress& progress);

  bool wanted_;
};

// On a fair tail there comes a leader, and all its voters and stand-bys commit what it had.
class Progressing final : public Oracle {
 public:
  explicit Progressing(const Setup& setup);
  std::string_view name() const override { return "progress"; }
  EventMask wakes_on() const override {
    return wanted_ ? kNodeActed | mask_of(Happened::calmed) : 0;
  }
  bool wants_fair_tail() const override { return wanted_; }
  bool satisfied() const override { return satisfied_; }
  bool judged() const override { return judged_ || !wanted_; }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  void finish(const World& world, const Ending& ending) override;
  std::optional<Hash128> digest() const override { return Hash128{}; }

 private:
  static const Craft* leader(const World& world, NodeId& id);
  NodeId behind(const World& world, const Craft& leader) const;  // -1: nobody

  bool wanted_, judged_ = false, satisfied_ = false;
  NodeId leader_ = -1;  // in the calm
  Term term_ = 0;
  Index due_ = 0;
};

}  // namespace schism::craft
