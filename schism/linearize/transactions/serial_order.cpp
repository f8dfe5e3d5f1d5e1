#include <algorithm>
#include <queue>

#include "schism/linearize/transactions/registers.hpp"
#include "schism/linearize/transactions/serial.hpp"

namespace schism::linearize {
namespace {

// Lists and registers as transactions leave them.
class Store {
 public:
  Store(const History& history, Id initial) : history_(history), initial_(initial) {}

  // Whether it reads what it read here; its writes are done.
  bool apply(OpId op) {
    const bool ok = history_[op].outcome == Outcome::ok;
    for (const Step& s : history_.steps(history_[op])) {
      if (s.function == Function::write) registers_[s.key] = s.value;
      if (s.function == Function::append) lists_[s.key].push_back(s.value);
      if (s.function != Function::read || !ok || !s.seen) continue;
      if (history_.object() != Object::list_append) {
        if (value(s.key) != s.value) return false;
        continue;
      }
      const auto seen = history_.elements(s);
      const std::vector<Id>& list = lists_[s.key];
      if (!std::equal(seen.begin(), seen.end(), list.begin(), list.end())) return false;
    }
    return true;
  }
  Id value(Id key) const {
    const auto at = registers_.find(key);
    return at == registers_.end() ? initial_ : at->second;
  }

 private:
  const History& history_;
  Id initial_;
  absl::flat_hash_map<Id, Id> registers_;
  absl::flat_hash_map<Id, std::vector<Id>> lists_;
};

// Follows the edges, the oldest first; of registers, a write waits for those who must still read
// what it would overwrite, and a reader for what it reads.
class Order {
 public:
  Order(const History& history, const Dependencies& d, Id initial)
      : history_(history), d_(d), store_(history, initial), initial_(initial) {
    in_.assign(d.edges.size(), 0);
    for (const auto& edges : d.edges)
      for (const Edge& e : edges) ++in_[e.to];
    std::vector<Anomaly> known;
    if (history.object() != Object::list_append)
      for (const ExternalRead& r : external_reads(history, known)) {
        reads_[r.op].push_back(r);
        ++readers_[std::uint64_t{r.key} << 32 | r.value];
      }
    for (std::uint32_t n = 0; n < in_.size(); ++n)
      if (in_[n] == 0) ready_.push(n);
  }

  std::vector<OpId> run() {
    std::vector<OpId> out;
    while (!ready_.empty()) {
      const std::uint32_t n = ready_.top();
      ready_.pop();
      if (n < d_.transactions()) {
        const OpId op = d_.nodes[n];
        if (const Id* key = obstacle(op)) {
          waiting_[*key].push_back(n);
          continue;
        }
        if (!store_.apply(op)) return {};
        out.push_back(op);
        wake(op);
      }
      for (const Edge& e : d_.edges[n])
        if (--in_[e.to] == 0) ready_.push(e.to);
    }
    if (out.size() != d_.nodes.size()) return {};
    return out;
  }

 private:
  // The key on account of which it cannot go now.
  const Id* obstacle(OpId op) {
    if (history_.object() == Object::list_append) return nullptr;
    const auto own = reads_.find(op);
    if (own != reads_.end())
      for (const ExternalRead& r : own->second)
        if (store_.value(r.key) != r.value) return &(held_ = r.key);
    for (const Step& s : history_.steps(history_[op])) {
      if (s.function == Function::read) continue;
      const Id now = store_.value(s.key);
      const auto at = readers_.find(std::uint64_t{s.key} << 32 | now);
      std::uint32_t others = at == readers_.end() ? 0 : at->second;
      if (own != reads_.end())
        for (const ExternalRead& r : own->second) others -= r.key == s.key && r.value == now;
      if (others != 0) return &(held_ = s.key);
    }
    return nullptr;
  }

  void wake(OpId op) {
    if (const auto own = reads_.find(op); own != reads_.end())
      for (const ExternalRead& r : own->second) --readers_[std::uint64_t{r.key} << 32 | r.value];
    for (const Step& s : history_.steps(history_[op])) {
      const auto at = waiting_.find(s.key);
      if (at == waiting_.end()) continue;
      for (const std::uint32_t n : at->second) ready_.push(n);
      waiting_.erase(at);
    }
  }

  const History& history_;
  const Dependencies& d_;
  Store store_;
  Id initial_;
  Id held_ = 0;
  std::vector<std::uint32_t> in_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready_;
  absl::flat_hash_map<OpId, std::vector<ExternalRead>> reads_;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> readers_;  // to come, of a key's value
  absl::flat_hash_map<Id, std::vector<std::uint32_t>> waiting_;
};

}  // namespace

std::vector<OpId> serial_order(const History& history, const Dependencies& dependencies,
                               const Value& initial) {
  return Order(history, dependencies, initial_id(history, initial)).run();
}

bool is_serial(const History& history, std::span<const OpId> order, const Value& initial) {
  Store store(history, initial_id(history, initial));
  std::vector<char> done(history.operations().size());
  for (const OpId op : order)
    if (std::exchange(done[op], 1) != 0 || !store.apply(op)) return false;
  for (OpId op = 0; op < done.size(); ++op)
    if (!done[op] && history[op].outcome == Outcome::ok) return false;
  return true;
}

}  // namespace schism::linearize
