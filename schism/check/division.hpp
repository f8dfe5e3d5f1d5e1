// A search without races (none, sleep) divided into tasks that are done apart, with the same runs
// in the end. What is to be done after a prefix is known when the prefix is reached, and so is what
// is asleep there; so a task needs nothing from its neighbours. A task that is too large is given
// back as a stack of prefixes.
//
// Searches by races (source, optimal) are not divided like this. A race found in one branch is
// wanted in another, that may be under way or done: with sleep sets that count as explored what is
// only begun, a trial lost every tenth class of Paxos.
#pragma once

#include <map>

#include "schism/check/dpor.hpp"

namespace schism::check {

class Division {
 public:
  explicit Division(const DporOptions& options) : options_(options) {}

  struct Given {
    std::uint64_t number = 0;
    DporTask task;
  };
  // At most so many; none: wait for what was given, or it is done.
  std::vector<Given> give(std::size_t most);
  void take(std::uint64_t number, const DporRest& rest);
  bool done() const { return begun_ && given_.empty() && prefixes_.empty() && others_.empty(); }
  std::size_t waiting() const { return trees_.size(); }

 private:
  static constexpr std::uint64_t kNobody = ~std::uint64_t{0};
  struct Prefix {
    std::uint64_t parent = kNobody;
    std::uint32_t depth = 0;
    Process event;                  // from the parent to here
    std::vector<Process> explored;  // or begun, or asleep
    WakeupTrees::Node tree = WakeupTrees::kEmpty;
    std::uint32_t users = 0;  // longer prefixes and tasks that grew out of it
  };
  struct Origin {
    std::uint64_t prefix = kNobody;
    DporTask task;  // without its tree
  };

  Given make_task(std::uint64_t prefix);
  Given give_out(std::uint64_t prefix, DporTask task);
  void release(std::uint64_t prefix);  // by one of its users

  DporOptions options_;
  WakeupTrees trees_;
  std::map<std::uint64_t, Prefix> prefixes_;  // by age
  std::map<std::uint64_t, Origin> given_;
  std::vector<Origin> others_;  // tasks again, with other answers of their last event
  std::uint64_t next_ = 0;
  bool begun_ = false;
};

}  // namespace schism::check
