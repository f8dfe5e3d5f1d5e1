#include "systems/bft_smart/predicates.hpp"

namespace bft_smart {

std::vector<Collect> Predicates::of_instance(const std::vector<Signed<Collect>>& all,
                                             int cid) const {
  std::vector<Collect> out;
  for (const Signed<Collect>& collect : all) {
    if (collect->cid == cid) out.push_back(*collect);
    else if (collect->cid < cid || later_are_empty)
      out.push_back({cid, collect->regency, none(), 0, {}});
  }
  return out;
}

bool Predicates::quorum_highest(const std::vector<Collect>& of, int epoch, int digest) const {
  bool appears = false;
  std::size_t not_higher = 0;
  for (const Collect& c : of) {
    const bool same = c.quorum_epoch == epoch && c.quorum_digest == digest;
    appears = appears || same;
    not_higher += same || c.quorum_epoch < epoch ? 1 : 0;
  }
  return appears && not_higher >= quorum_of(replicas);
}

bool Predicates::certified(const std::vector<Collect>& of, int epoch, int digest) const {
  std::size_t by = 0;
  for (const Collect& c : of) {
    std::size_t entries = 0;
    for (const Written& w : c.written)
      entries += w.epoch >= epoch && digest_of(w.batch) == digest ? 1 : 0;
    by += entries_certify ? entries : std::min<std::size_t>(entries, 1);
  }
  return by > faults_of(replicas);
}

bool Predicates::unbound(const std::vector<Collect>& of) const {
  std::size_t empty = 0;
  for (const Collect& c : of) empty += c.quorum_epoch == none() ? 1 : 0;
  return enough(of) && empty >= quorum_of(replicas);
}

std::optional<Batch> Predicates::bound(const std::vector<Collect>& of) const {
  if (!enough(of)) return std::nullopt;
  for (const Collect& c : of) {
    if (c.quorum_epoch < 0 || c.quorum_digest == 0) continue;
    if (!quorum_highest(of, c.quorum_epoch, c.quorum_digest) ||
        !certified(of, c.quorum_epoch, c.quorum_digest))
      continue;
    for (const Collect& other : of)
      for (const Written& w : other.written)
        if (digest_of(w.batch) == c.quorum_digest) return w.batch;
  }
  return std::nullopt;
}

}  // namespace bft_smart
