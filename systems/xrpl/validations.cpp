#include "systems/xrpl/validations.hpp"

#include <algorithm>

namespace schism::xrpl {

void Validations::begin(int nodes) {
  const auto n = static_cast<std::size_t>(nodes);
  latest_.assign(n, {});
  tips_.assign(n, {});
  enforced_.assign(n, {});
}

namespace {

bool is_current(NetTime signed_at, NetTime seen, NetTime now) {
  return signed_at > now - kValidationCurrentWall && signed_at < now + kValidationCurrentEarly &&
         seen > now - kValidationCurrentLocal;
}

}  // namespace

const Validations::OfLedger* Validations::find(LedgerId id) const {
  for (std::size_t i = by_ledger_.size(); i-- > 0;)
    if (by_ledger_[i].ledger == id) return &by_ledger_[i];
  return nullptr;
}

Validations::OfLedger& Validations::of_ledger(LedgerId id, Micros clock) {
  if (const OfLedger* found = find(id)) {
    auto& entry = by_ledger_[static_cast<std::size_t>(found - by_ledger_.data())];
    entry.touched = clock;
    return entry;
  }
  return by_ledger_.emplace_back(OfLedger{id, clock, {}});
}

// What is wrong with a validation whose sequence did not go up.
ValStatus Validations::refuse(const Vote& v) const {
  for (const OfLedger& entry : by_ledger_)
    for (const Vote& other : entry.list)
      if (other.node == v.node && other.seq == v.seq)
        return other.ledger == v.ledger ? ValStatus::multiple : ValStatus::conflicting;
  return ValStatus::badSeq;
}

ValStatus Validations::add(const Vote& v, NetTime now, Micros clock) {
  if (!is_current(v.sign_time, now, now)) return ValStatus::stale;
  Enforced& enforced = enforced_[at(v.node)];
  if (clock > enforced.when + kValidationSetExpires) enforced.seq = 0;
  if (v.seq <= enforced.seq) return refuse(v);
  enforced = {v.seq, clock};
  // A node validates a ledger once, whatever it says of it: its last word.
  auto& list = of_ledger(v.ledger, clock).list;
  const auto own = std::find_if(list.begin(), list.end(),
                                [&](const Vote& other) { return other.node == v.node; });
  if (own == list.end()) list.push_back(v);
  else *own = v;
  Latest& latest = latest_[at(v.node)];
  if (contains(have_, v.node) && v.sign_time <= latest.validation.sign_time)
    return ValStatus::stale;
  latest = {v, now, clock};
  have_ |= bit_of(v.node);
  return ValStatus::current;
}

void Validations::forget_awaited(NodeId node) {
  for (Awaited& a : awaited_) a.nodes &= ~bit_of(node);
  std::erase_if(awaited_, [](const Awaited& a) { return a.nodes == 0; });
}

void Validations::set_tip(NodeId node, const LedgerRef& ledger) {
  tips_[at(node)] = ledger;
  walk_valid_ = false;
}

void Validations::support(const Vote& v, const LedgerRef& ledger) {
  if (!awaited_.empty()) forget_awaited(v.node);
  if (ledger) {
    set_tip(v.node, ledger);
    return;
  }
  for (Awaited& a : awaited_)
    if (a.ledger == v.ledger && a.seq == v.seq) {
      a.nodes |= bit_of(v.node);
      return;
    }
  awaited_.push_back({v.seq, v.ledger, bit_of(v.node)});
}

bool Validations::is_awaited(LedgerId id) const {
  return std::any_of(awaited_.begin(), awaited_.end(),
                     [&](const Awaited& a) { return a.ledger == id; });
}

void Validations::arrived(const LedgerRef& ledger) {
  if (awaited_.empty()) return;
  for (const Awaited& a : awaited_)
    if (a.ledger == ledger.id())
      for (Members left = a.nodes; left != 0; left &= left - 1)
        set_tip(std::countr_zero(left), ledger);
  std::erase_if(awaited_, [&](const Awaited& a) { return a.ledger == ledger.id(); });
}

void Validations::expire(NetTime now, Micros clock) {
  for (Members left = have_; left != 0; left &= left - 1) {
    const NodeId node = std::countr_zero(left);
    const Latest& latest = latest_[at(node)];
    if (is_current(latest.validation.sign_time, latest.seen, now)) continue;
    have_ &= ~bit_of(node);
    set_tip(node, {});
    forget_awaited(node);
  }
  const auto old = [&](const OfLedger& e) { return clock > e.touched + kValidationSetExpires; };
  if (!by_ledger_.empty() && old(by_ledger_.front())) std::erase_if(by_ledger_, old);
}

int Validations::full_for(LedgerId id) const {
  const OfLedger* entry = find(id);
  if (!entry) return 0;
  return static_cast<int>(
      std::count_if(entry->list.begin(), entry->list.end(), [](const Vote& v) { return v.full; }));
}

int Validations::full_for(LedgerId id, Seq seq) const {
  const OfLedger* entry = find(id);
  if (!entry) return 0;
  return static_cast<int>(std::count_if(entry->list.begin(), entry->list.end(),
                                        [&](const Vote& v) { return v.full && v.seq == seq; }));
}

int Validations::after(const Ledger& ledger) const {
  return static_cast<int>(std::count_if(tips_.begin(), tips_.end(), [&](const LedgerRef& tip) {
    return tip && tip.seq() > ledger.seq() && tip->ancestor(ledger.seq()) == ledger.id();
  }));
}

std::optional<Validations::Choice> Validations::preferred(const Ledger& current,
                                                          Seq largest_issued) {
  if (!walk_valid_ || walked_issued_ != largest_issued) {
    std::vector<LedgerRef> tips;
    for (const LedgerRef& tip : tips_)
      if (tip) tips.push_back(tip);
    walked_ = preferred_branch(tips, largest_issued);
    walked_issued_ = largest_issued;
    walk_valid_ = true;
  }
  if (!walked_) {  // nothing is at hand: the one that most wait for
    const auto most =
        std::max_element(awaited_.begin(), awaited_.end(), [](const Awaited& a, const Awaited& b) {
          return std::pair(count(a.nodes), a.ledger) < std::pair(count(b.nodes), b.ledger);
        });
    if (most == awaited_.end()) return std::nullopt;
    return Choice{most->seq, most->ledger};
  }
  const Choice own{current.seq(), current.id()}, other{walked_->seq, walked_->id};
  // Its parent may be about to build it itself.
  if (walked_->seq == own.seq + 1 && walked_->ancestor(own.seq) == own.id) return own;
  if (walked_->seq > own.seq) return other;
  return current.ancestor(walked_->seq) != walked_->id ? other : own;
}

Validations::Lag Validations::lag(Seq seq, Members trusted, Micros clock) const {
  Lag lag;
  Members offline = trusted;
  for (Members left = have_ & trusted; left != 0; left &= left - 1) {
    const NodeId node = std::countr_zero(left);
    const Latest& latest = latest_[at(node)];
    if (clock >= latest.clock + kValidationFreshness) continue;
    offline &= ~bit_of(node);
    if (latest.validation.seq < seq) ++lag.laggards;
  }
  lag.offline = count(offline);
  return lag;
}

const Vote* Validations::latest_of_more_than(int nodes) const {
  const Vote* best = nullptr;
  for (Members left = have_; left != 0; left &= left - 1) {
    const Vote& v = latest_[at(std::countr_zero(left))].validation;
    if (best && v.seq <= best->seq) continue;
    int same = 0;
    for (Members others = have_; others != 0; others &= others - 1)
      same += latest_[at(std::countr_zero(others))].validation.ledger == v.ledger;
    if (same > nodes) best = &v;
  }
  return best;
}

std::vector<Validations::Shown> Validations::visible() const {
  std::vector<Shown> out;
  for (Members left = have_; left != 0; left &= left - 1) {
    const NodeId node = std::countr_zero(left);
    out.push_back({node, latest_[at(node)], tips_[at(node)].id()});
  }
  return out;
}

}  // namespace schism::xrpl
