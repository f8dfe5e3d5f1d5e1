// Lists say everything: the longest read of a key is the order of its versions, as far as it goes,
// and an element that is in none of the reads came after all of them.
#include <algorithm>
#include <map>

#include "schism/linearize/transactions/observations.hpp"

namespace schism::linearize {
namespace {

constexpr std::size_t kPairsMax = 4'000'000;  // edges from last readers to writers nobody saw

class Lists {
 public:
  Lists(const History& history, Dependencies& out)
      : history_(history), out_(out), writers_(history) {}

  void follow() {
    reads_ = external_reads(history_, out_.anomalies);
    out_.nodes = participants(history_, writers_, reads_);
    out_.edges.assign(out_.nodes.size(), {});
    node_.assign(history_.operations().size(), kNever);
    for (std::uint32_t n = 0; n < out_.nodes.size(); ++n) node_[out_.nodes[n]] = n;
    for (const ExternalRead& read : reads_) {
      if (!look_at_elements(read)) continue;
      by_key_[read.key].push_back(&read);
    }
    for (auto& [key, reads] : by_key_) follow_key(key, reads);
    for (const auto& [key, writers] : unseen_writers()) follow_unseen(key, writers);
    find_lost_updates();
  }

 private:
  std::string name(Id id) const { return print_value(history_.values()[id]); }
  std::string key_name(Id id) const { return print_value(history_.keys()[id]); }

  void doubt(Id key, Id value) {
    if (out_.doubts.size() < 5)
      out_.doubts.push_back(name(value) + " was appended to " + key_name(key) + " more than once");
  }

  // False: nothing follows from it but what is wrong with it.
  bool look_at_elements(const ExternalRead& read) {
    absl::flat_hash_map<Id, char> there;
    bool good = true;
    for (const Id element : read.elements) {
      const Writer* writer = writers_.find(read.key, element);
      const std::string what = fmt_read(read, element);
      if (!writer) {
        anomaly("garbage read", "T1 read " + what + ", which nobody appended", {read.op});
        good = false;
      } else if (writer->several) {
        doubt(read.key, element);
      } else if (history_[writer->op].outcome == Outcome::fail) {
        anomaly("G1a (aborted read)", "T1 read " + what + ", which T2 appended and took back",
                {read.op, writer->op});
        good = false;
      } else if (!there.emplace(element, 0).second) {
        anomaly("duplicate element", "T1 read " + what + " twice; it was appended once",
                {read.op, writer->op});
        good = false;
      } else if (writer->op == read.op) {
        anomaly("internal inconsistency", "T1 read " + what + " before it appended that itself",
                {read.op});
        good = false;
      }
    }
    if (!good || read.elements.empty()) return good;
    const Writer* writer = writers_.find(read.key, read.elements.back());
    if (!writer->several && !writer->last)
      anomaly("G1b (intermediate read)",
              "T1 read " + fmt_read(read, read.elements.back()) +
                  " as the last element, after which T2 appended more",
              {read.op, writer->op});
    return true;
  }
  std::string fmt_read(const ExternalRead& read, Id element) const {
    return name(element) + " in " + key_name(read.key);
  }
  void anomaly(std::string what, std::string sentence, std::vector<OpId> ops) {
    add_anomaly(out_.anomalies, {std::move(what), std::move(sentence), std::move(ops), {}});
  }

  void edge(OpId from, OpId to, Edge e) {
    if (from == to) return;
    e.to = node_[to];
    out_.edges[node_[from]].push_back(e);
  }
  // The one who appended it, if that is certain.
  const Writer* writer(Id key, Id element) const {
    const Writer* w = writers_.find(key, element);
    return w && !w->several && node_[w->op] != kNever ? w : nullptr;
  }

  void follow_key(Id key, const std::vector<const ExternalRead*>& reads) {
    const ExternalRead* longest = *std::max_element(
        reads.begin(), reads.end(), [](const ExternalRead* a, const ExternalRead* b) {
          return a->elements.size() < b->elements.size();
        });
    longest_[key] = longest;
    const auto order = longest->elements;
    for (std::size_t i = 1; i < order.size(); ++i) {
      const Writer *a = writer(key, order[i - 1]), *b = writer(key, order[i]);
      if (a && b) edge(a->op, b->op, {0, Dependency::ww, key, order[i - 1], order[i]});
    }
    for (const ExternalRead* read : reads) {
      const auto seen = read->elements;
      if (!std::equal(seen.begin(), seen.end(), order.begin())) {
        anomaly("incompatible order",
                "T1 and T2 read " + key_name(key) + " with its elements in different orders",
                {longest->op, read->op});
        continue;
      }
      if (!seen.empty())
        if (const Writer* w = writer(key, seen.back()))
          edge(w->op, read->op, {0, Dependency::wr, key, seen.back(), seen.back()});
      if (seen.size() == order.size()) continue;
      if (const Writer* w = writer(key, order[seen.size()]))
        edge(read->op, w->op,
             {0, Dependency::rw, key, seen.empty() ? 0 : seen.back(), order[seen.size()],
              seen.empty()});
    }
  }

  // Of those that took part: what nobody read, by key.
  std::map<Id, std::vector<std::pair<OpId, Id>>> unseen_writers() const {
    std::map<Id, std::vector<std::pair<OpId, Id>>> out;
    absl::flat_hash_map<std::uint64_t, char> seen;
    for (const auto& [key, read] : longest_)
      for (const Id e : read->elements) seen.emplace(std::uint64_t{key} << 32 | e, 0);
    for (const OpId op : out_.nodes)
      for (const Step& s : history_.steps(history_[op]))
        if (s.function == Function::append && !seen.contains(std::uint64_t{s.key} << 32 | s.value))
          out[s.key].emplace_back(op, s.value);
    return out;
  }

  void follow_unseen(Id key, const std::vector<std::pair<OpId, Id>>& writers) {
    const auto at = by_key_.find(key);
    if (at == by_key_.end()) return;
    const auto order = longest_.at(key)->elements;
    const Writer* last = order.empty() ? nullptr : writer(key, order.back());
    for (const auto& [op, value] : writers) {
      if (writers_.find(key, value)->several) {
        doubt(key, value);
        continue;
      }
      if (last) edge(last->op, op, {0, Dependency::ww, key, order.back(), value});
      for (const ExternalRead* read : at->second) {
        if (read->elements.size() != order.size() || ++pairs_ > kPairsMax) continue;
        edge(read->op, op,
             {0, Dependency::rw, key, order.empty() ? 0 : order.back(), value, order.empty()});
      }
    }
  }

  // Two that read the same version and both append to it.
  void find_lost_updates() {
    for (const auto& [key, reads] : by_key_) {
      std::map<std::size_t, const ExternalRead*> first;
      for (const ExternalRead* read : reads) {
        if (!read->writes_too) continue;
        const auto [at, fresh] = first.emplace(read->elements.size(), read);
        if (fresh || at->second->op == read->op ||
            !std::equal(read->elements.begin(), read->elements.end(), at->second->elements.begin()))
          continue;
        anomaly("lost update",
                "T1 and T2 both read " + key_name(key) + " with " +
                    std::to_string(read->elements.size()) + " elements, and both appended to that",
                {at->second->op, read->op});
      }
    }
  }

  const History& history_;
  Dependencies& out_;
  Writers writers_;
  std::vector<ExternalRead> reads_;
  std::map<Id, std::vector<const ExternalRead*>> by_key_;
  std::map<Id, const ExternalRead*> longest_;
  std::vector<std::uint32_t> node_;
  std::size_t pairs_ = 0;
};

}  // namespace

void follow_lists(const History& history, Dependencies& out) { Lists(history, out).follow(); }

}  // namespace schism::linearize
