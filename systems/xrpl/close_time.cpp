#include "systems/xrpl/close_time.hpp"

#include <algorithm>

namespace schism::xrpl {

NetTime round_close_time(NetTime t, int resolution) {
  if (t == 0) return 0;
  const NetTime up = t + resolution / 2;
  return up - up % resolution;
}

NetTime effective_close_time(NetTime t, int resolution, NetTime parent_close_time) {
  return std::max(round_close_time(t, resolution), parent_close_time + 1);
}

int next_resolution(int parent_resolution, bool parent_agree, Seq seq) {
  const auto at = std::find(kResolutions.begin(), kResolutions.end(), parent_resolution);
  if (at == kResolutions.end()) return parent_resolution;
  if (!parent_agree) return std::next(at) == kResolutions.end() ? *at : *std::next(at);
  if (seq % kFinerEvery == 0 && at != kResolutions.begin()) return *std::prev(at);
  return *at;
}

void CloseTimeVotes::add(NetTime time, int votes) {
  auto at = std::lower_bound(buckets_.begin(), buckets_.end(), time,
                             [](const Bucket& b, NetTime t) { return b.time < t; });
  if (at == buckets_.end() || at->time != time) at = buckets_.insert(at, {time, 0});
  at->votes += votes;
}

CloseTimeChoice choose_close_time(const CloseTimeVotes& votes, int participants,
                                  int needed_percent) {
  CloseTimeChoice choice;
  int needed = votes_needed(participants, needed_percent);
  const int enough = votes_needed(participants, kCloseTimeConsensusPct);
  for (const auto& bucket : votes.buckets()) {
    if (bucket.votes < needed) continue;
    choice.time = bucket.time;
    needed = bucket.votes;
    if (needed >= enough) choice.consensus = true;
  }
  return choice;
}

NetTime adjusted_offset(NetTime offset, NetTime by) {
  if (by > 1) return offset + (by + 3) / 4;
  if (by < -1) return offset + (by - 3) / 4;
  return offset * 3 / 4;
}

NetTime mean_close_offset(NetTime own, const CloseTimeVotes& peers) {
  // Relative to the own time, so that the sum cannot overflow.
  NetTime sum = 0, count = 1;
  for (const auto& bucket : peers.buckets()) {
    sum += (bucket.time - own) * bucket.votes;
    count += bucket.votes;
  }
  // Rounded as the sum of the absolute times would be: half a second up.
  const NetTime total = sum + own * count + count / 2;
  return total / count - own;
}

}  // namespace schism::xrpl
