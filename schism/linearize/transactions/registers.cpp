// Registers say who wrote what was read, and little of the order of writes: the first value comes
// before all, and who reads a value and then writes the same key writes the version that follows.
#include <algorithm>
#include <map>

#include "schism/linearize/transactions/observations.hpp"
#include "schism/linearize/transactions/registers.hpp"

namespace schism::linearize {
namespace {

constexpr std::size_t kPairsMax = 4'000'000;  // edges from readers to writers

class Registers {
 public:
  Registers(const History& history, const Value& initial, Dependencies& out)
      : history_(history), out_(out), writers_(history), initial_(initial_id(history, initial)) {}

  void follow() {
    reads_ = external_reads(history_, out_.anomalies);
    out_.nodes = participants(history_, writers_, reads_);
    out_.edges.assign(out_.nodes.size(), {});
    node_.assign(history_.operations().size(), kNever);
    for (std::uint32_t n = 0; n < out_.nodes.size(); ++n) node_[out_.nodes[n]] = n;
    const auto versions = versions_of(history_, out_.nodes, writers_, reads_, initial_);
    for (const ExternalRead& read : reads_) look_at(read);
    for (const KeyVersions& key : versions) {
      for (const Version& version : key.versions) follow_version(key, version);
    }
  }

 private:
  std::string name(Id key, Id value) const {
    return print_value(history_.keys()[key]) + " = " +
           (value < history_.values().size() ? print_value(history_.values()[value]) : "nil");
  }
  void anomaly(std::string what, std::string sentence, std::vector<OpId> ops) {
    add_anomaly(out_.anomalies, {std::move(what), std::move(sentence), std::move(ops), {}});
  }

  void look_at(const ExternalRead& read) {
    const Writer* writer = writers_.find(read.key, read.value);
    const std::string what = name(read.key, read.value);
    const bool first = read.value == initial_;
    if (first && !writer) return;
    if (!writer) {
      anomaly("garbage read", "T1 read " + what + ", which nobody wrote", {read.op});
    } else if (writer->several || first) {
      if (out_.doubts.size() < 5) out_.doubts.push_back(what + " was written more than once");
    } else if (history_[writer->op].outcome == Outcome::fail) {
      anomaly("G1a (aborted read)", "T1 read " + what + ", which T2 wrote and took back",
              {read.op, writer->op});
    } else if (writer->op == read.op) {
      anomaly("internal inconsistency", "T1 read " + what + " before it wrote that itself",
              {read.op});
    } else if (!writer->last) {
      anomaly("G1b (intermediate read)", "T1 read " + what + ", which T2 overwrote itself",
              {read.op, writer->op});
    }
  }

  void edge(OpId from, OpId to, Edge e) {
    if (from == to) return;
    e.to = node_[to];
    out_.edges[node_[from]].push_back(e);
  }

  void follow_version(const KeyVersions& key, const Version& version) {
    const bool first = version.writer == kNever;
    const Id seen = version.value;
    OpId follower = kNever;  // who wrote the next version
    for (const OpId reader : version.readers) {
      if (!first) edge(version.writer, reader, {0, Dependency::wr, key.key, seen, seen});
      const auto own = key.finals.find(reader);
      if (own == key.finals.end()) continue;
      if (follower != kNever && follower != reader)
        anomaly("lost update",
                "T1 and T2 both read " + name(key.key, seen) + ", and both wrote that key",
                {follower, reader});
      if (follower == kNever) follower = reader;
      if (!first) edge(version.writer, reader, {0, Dependency::ww, key.key, seen, own->second});
      for (const OpId other : version.readers)
        if (++pairs_ <= kPairsMax)
          edge(other, reader, {0, Dependency::rw, key.key, seen, own->second, first});
    }
    if (!first) return;
    for (const OpId reader : version.readers)
      for (const auto& [op, value] : key.finals)
        if (++pairs_ <= kPairsMax)
          edge(reader, op, {0, Dependency::rw, key.key, seen, value, true});
  }

  const History& history_;
  Dependencies& out_;
  Writers writers_;
  Id initial_;
  std::vector<ExternalRead> reads_;
  std::vector<std::uint32_t> node_;
  std::size_t pairs_ = 0;
};

}  // namespace

Id initial_id(const History& history, const Value& initial) {
  for (Id id = 0; id < history.values().size(); ++id)
    if (history.values()[id] == initial) return id;
  return static_cast<Id>(history.values().size());
}

std::vector<KeyVersions> versions_of(const History& history, const std::vector<OpId>& nodes,
                                     const Writers& writers, const std::vector<ExternalRead>& reads,
                                     Id initial) {
  std::map<Id, KeyVersions> keys;
  for (const OpId op : nodes)
    for (const Step& s : history.steps(history[op])) {
      if (s.function == Function::read) continue;
      KeyVersions& key = keys[s.key];
      key.key = s.key;
      key.finals[op] = s.value;
    }
  std::map<std::pair<Id, Id>, std::size_t> index;
  for (const ExternalRead& read : reads) {
    const Writer* writer = writers.find(read.key, read.value);
    const bool first = read.value == initial && !writer;
    const bool certain = writer && read.value != initial && !writer->several && writer->last &&
                         writer->op != read.op && history[writer->op].outcome != Outcome::fail;
    if (!first && !certain) continue;
    KeyVersions& key = keys[read.key];
    key.key = read.key;
    const auto [at, fresh] = index.emplace(std::pair(read.key, read.value), key.versions.size());
    if (fresh) key.versions.push_back({read.value, first ? kNever : writer->op, {}});
    std::vector<OpId>& readers = key.versions[at->second].readers;
    if (readers.empty() || readers.back() != read.op) readers.push_back(read.op);
  }
  std::vector<KeyVersions> out;
  for (auto& [id, key] : keys) out.push_back(std::move(key));
  return out;
}

void follow_registers(const History& history, const Value& initial, Dependencies& out) {
  Registers(history, initial, out).follow();
}

}  // namespace schism::linearize
