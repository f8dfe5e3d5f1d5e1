// What must hold of Raft: the five safety properties of the paper's figure 3 as far as they can be
// seen from outside, what clients may rely on, and progress at a fair end. All are incremental:
// they wake when a node announces something and look at what is new, by prefix hashes.
//
// All but FreshReads judge sets of announcements and so are functions of the class of runs.
#pragma once

#include <array>
#include <vector>

#include "schism/oracle/consensus.hpp"
#include "systems/raft/log_tree.hpp"
#include "systems/raft/raft.hpp"

namespace schism::raft {

// The item at that place of a list that grows as needed.
template <class T>
T& grown(std::vector<T>& list, std::size_t at, const T& fresh = T{}) {
  if (at >= list.size()) list.resize(at + 1 + at / 2, fresh);
  return list[at];
}

// Two logs that hold an entry with the same index and term are equal up to it. Kept of every such
// pair that ever was in a log: the hash of the entries up to it.
class LogMatching final : public Oracle {
 public:
  std::string_view name() const override { return "log-matching"; }
  EventMask wakes_on() const override {
    return announcements_of<LogChange>() | announcements_of<Restore>();
  }
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

// What was committed in a term is in the logs of the leaders of all later terms.
class LeaderCompleteness final : public Oracle {
 public:
  std::string_view name() const override { return "leader-completeness"; }
  EventMask wakes_on() const override {
    return announcements_of<LogChange>() | announcements_of<Commit>() |
           announcements_of<StateChange>();
  }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  struct Mark {
    Term term;  // in which it was committed, or elected
    LogTree::Item item;
    NodeId node;
    std::uint32_t step;
    bool tops_all;  // of a commit: it continues all those of earlier terms
  };
  void learn(const Raft& node, const LogChange& change);
  LogTree::Item item_at(const Raft& node, Index index) const;
  void note_commit(const World& world, const Raft& node, const Commit& commit);
  void note_leader(const World& world, const Raft& node, NodeId id);
  void judge(const World& world, const Mark& commit, const Mark& leader);

  LogTree tree_;
  std::vector<Mark> commits_;
  std::vector<Mark> leaders_;
};

// No two nodes apply different entries at an index, nor are in different states after it.
class StateMachineSafety final : public Oracle {
 public:
  std::string_view name() const override { return "state-machine-safety"; }
  EventMask wakes_on() const override {
    return announcements_of<Commit>() | announcements_of<Restore>();
  }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  struct Applied {
    Hash128 entry, state;  // zero: not seen yet
    NodeId node = kNobody;
    std::uint32_t step = 0;
  };
  Applied& at(Index index);
  void check_state(const World& world, NodeId node);
  std::vector<Applied> applied_;  // by index
};

// A node commits one index after the other, and only a restart sets it back.
class CommitMonotonicity final : public Oracle {
 public:
  std::string_view name() const override { return "commit-monotonicity"; }
  EventMask wakes_on() const override {
    return announcements_of<Commit>() | announcements_of<Restore>() | mask_of(Happened::restarted);
  }
  void begin(const World& world) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  std::vector<Index> commit_;  // by node
};

// A request changes the state at one index only, however often it is repeated.
class AtMostOnce final : public Oracle {
 public:
  std::string_view name() const override { return "at-most-once"; }
  EventMask wakes_on() const override { return announcements_of<Commit>(); }
  void begin(const World&) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  struct Effect {
    Index index = 0;
    std::uint32_t step = 0;
  };
  std::array<std::vector<Effect>, kClientsMax> effects_;  // by client and sequence number
};

// An answer shows no older version of a key than some answer before the request was made. Cheap,
// and weaker than linearizability. Leases depend on clocks: without common time they are not
// judged.
class FreshReads final : public Oracle {
 public:
  std::string_view name() const override { return "fresh-reads"; }
  EventMask wakes_on() const override {
    return mask_of(Happened::invoked) | mask_of(Happened::answered);
  }
  std::optional<Observer> observes() const override { return Observer{wakes_on(), {}}; }
  bool judged() const override { return judged_; }
  void begin(const World& world) override;
  void look(const World& world, std::span<const Event> events) override;
  std::optional<Hash128> digest() const override;

 private:
  struct Known {
    std::uint32_t version = 0, step = 0;
  };
  struct Asked {
    std::uint64_t request = 0;
    int key = -1;  // none: it is not about a key
    Known newest;  // when it was made
    std::uint32_t step = 0;
  };
  void ask(const World& world, const Event& event);
  void hear(const World& world, const Event& event);

  std::array<Known, kKeysMax> newest_;
  std::array<Asked, kClientsMax> asked_;  // by client
  bool judged_ = true;
};

// On a fair tail there comes a leader, and all members commit what it had when it was elected.
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
  static const Raft* leader(const World& world, NodeId& id);
  NodeId behind(const World& world, const Raft& leader) const;  // a member that is; kNobody: none

  bool wanted_, judged_ = false, satisfied_ = false;
  NodeId leader_ = kNobody;  // in the calm
  Term term_ = 0;
  Index due_ = 0;  // what its log held when it was seen first
};

}  // namespace schism::raft
