#include "systems/xrpl/ledger.hpp"

#include <algorithm>

namespace schism::xrpl {

LedgerId Header::content_hash() const {
  Hash128 h{0x6c65646765722d68ULL, 3};
  h = absorb(h, parent);
  h = absorb(h, std::uint64_t{seq} << 32 | static_cast<std::uint32_t>(resolution) << 1 |
                    std::uint64_t{close_agree});
  h = absorb(h, static_cast<std::uint64_t>(close_time));
  h = absorb(h, static_cast<std::uint64_t>(parent_close_time));
  h = absorb(absorb(h, state), applied);
  return identity(h);
}

std::uint64_t hash_of_ids(const std::vector<TxId>& ids) {
  Hash128 h;
  for (const TxId id : ids) h = absorb(h, id);
  return identity(h);
}

void sort_canonically(std::vector<Tx>& txs, SetId salt) {
  const auto key = [salt](const Tx& tx) {
    return mix64(static_cast<std::uint64_t>(tx.from) + 1) ^ salt;
  };
  std::sort(txs.begin(), txs.end(), [&](const Tx& a, const Tx& b) {
    if (a.from != b.from) return key(a) < key(b);
    return a.sequence != b.sequence ? a.sequence < b.sequence : a.id < b.id;
  });
}

void Ledger::seal() {
  header_.state = identity(state_.digest());
  header_.applied = hash_of_ids(applied_);
  header_.id = header_.content_hash();
}

std::shared_ptr<const Ledger> Ledger::genesis(State state) {
  auto ledger = std::make_shared<Ledger>();
  ledger->header_.seq = 1;
  ledger->header_.close_time = kEpoch;
  ledger->header_.parent_close_time = kEpoch - kGenesisResolution;
  ledger->state_ = std::move(state);
  ledger->seal();
  return ledger;
}

namespace {

constexpr int kPasses = 3;

}  // namespace

std::shared_ptr<const Ledger> Ledger::next(const Ledger& parent, const TxSet& set,
                                           NetTime close_time, bool close_agree, int resolution,
                                           std::vector<Tx>& retries) {
  auto ledger = std::make_shared<Ledger>(parent);
  Header& h = ledger->header_;
  h.parent = parent.id();
  h.seq = parent.seq() + 1;
  h.parent_close_time = parent.header_.close_time;
  h.close_time = close_time;
  h.close_agree = close_agree;
  h.resolution = resolution;
  ledger->ring_[parent.seq() % kAncestorsKnown] = parent.id();
  ledger->applied_.clear();
  std::vector<Tx> left = set.txs();
  sort_canonically(left, set.id());
  for (int pass = 0; pass < kPasses && !left.empty(); ++pass) {
    const std::size_t before = left.size();
    std::erase_if(left, [&](const Tx& tx) {
      const TxResult result = ledger->state_.apply(tx);
      if (is_applied(result)) ledger->applied_.push_back(tx.id);
      return !is_retry(result);
    });
    if (left.size() == before) break;
  }
  retries.insert(retries.end(), left.begin(), left.end());
  ledger->seal();
  return ledger;
}

std::vector<LedgerId> Ledger::ancestors() const {
  std::vector<LedgerId> out;
  const Seq first = seq() > kAncestorsKnown ? seq() - kAncestorsKnown : 0;
  for (Seq s = first; s < seq(); ++s) out.push_back(ancestor(s));
  return out;
}

std::shared_ptr<const Ledger> Ledger::from_parts(const Header& header, State state,
                                                 std::vector<TxId> applied,
                                                 const std::vector<LedgerId>& ancestors) {
  if (header.content_hash() != header.id || identity(state.digest()) != header.state ||
      hash_of_ids(applied) != header.applied || ancestors.size() > kAncestorsKnown ||
      ancestors.size() > header.seq || (!ancestors.empty() && ancestors.back() != header.parent))
    return nullptr;
  auto ledger = std::make_shared<Ledger>();
  ledger->header_ = header;
  ledger->state_ = std::move(state);
  ledger->applied_ = std::move(applied);
  Seq seq = header.seq - static_cast<Seq>(ancestors.size());
  for (const LedgerId id : ancestors) ledger->ring_[seq++ % kAncestorsKnown] = id;
  return ledger;
}

}  // namespace schism::xrpl
