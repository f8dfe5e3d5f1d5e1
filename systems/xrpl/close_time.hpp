// Close times: how they are rounded, how finely, and what the nodes agree on (the spec's sections 1
// and 3).
#pragma once

#include <vector>

#include "systems/xrpl/parameters.hpp"

namespace schism::xrpl {

// To the nearest multiple; 0 stays 0, which means that there is no agreement.
NetTime round_close_time(NetTime t, int resolution);
// Rounded, but later than the parent's.
NetTime effective_close_time(NetTime t, int resolution, NetTime parent_close_time);
// For the ledger `seq`: finer now and then while nodes agree, coarser as soon as they do not.
int next_resolution(int parent_resolution, bool parent_agree, Seq seq);

// So many votes are p percent of n.
constexpr int votes_needed(int n, int percent) {
  const int needed = (n * percent + percent / 2) / 100;
  return needed < 1 ? 1 : needed;
}

// A histogram of times, few of them.
class CloseTimeVotes {
 public:
  struct Bucket {
    NetTime time = 0;
    int votes = 0;
    FIELDS(time, votes)
  };
  void add(NetTime time, int votes = 1);
  void clear() { buckets_.clear(); }
  const std::vector<Bucket>& buckets() const { return buckets_; }  // by time
  FIELDS(buckets_)

 private:
  std::vector<Bucket> buckets_;
};

struct CloseTimeChoice {
  NetTime time = 0;  // 0: agree to disagree
  bool consensus = false;
};
// Of `participants` whose votes these are; the needed share grows with the round. Of several times
// with enough votes the one with most wins, of equals the latest.
CloseTimeChoice choose_close_time(const CloseTimeVotes& votes, int participants,
                                  int needed_percent);

// How far a node's clock is moved when the mean close time was so many seconds from its own.
NetTime adjusted_offset(NetTime offset, NetTime by);
// That mean, relative to the node's own time.
NetTime mean_close_offset(NetTime own, const CloseTimeVotes& peers);

}  // namespace schism::xrpl
