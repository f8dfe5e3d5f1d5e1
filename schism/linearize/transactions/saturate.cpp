#include <algorithm>

#include "schism/linearize/transactions/registers.hpp"

namespace schism::linearize {
namespace {

constexpr std::size_t kTransactionsMax = 4000;
constexpr int kRoundsMax = 50;

class Saturation {
 public:
  Saturation(const History& history, Dependencies& out, const Value& initial, bool timed)
      : out_(out), timed_(timed) {
    const Writers writers(history);
    std::vector<Anomaly> known;
    const auto reads = external_reads(history, known);
    versions_ = versions_of(history, out.nodes, writers, reads, initial_id(history, initial));
    node_.assign(history.operations().size(), kNever);
    for (std::uint32_t n = 0; n < out.nodes.size(); ++n) node_[out.nodes[n]] = n;
    words_ = (out.edges.size() + 63) / 64;
  }

  void run() {
    for (int round = 0; round < kRoundsMax && close(); ++round) {
      bool more = false;
      for (const KeyVersions& key : versions_)
        for (const Version& version : key.versions) more = conclude(key, version) || more;
      if (!more) return;
    }
  }

 private:
  // Who can be reached from whom; false where there is a cycle.
  bool close() {
    const std::size_t n = out_.edges.size();
    std::vector<std::uint32_t> in(n), order;
    for (const auto& edges : out_.edges)
      for (const Edge& e : edges) ++in[e.to];
    for (std::uint32_t i = 0; i < n; ++i)
      if (in[i] == 0) order.push_back(i);
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const Edge& e : out_.edges[order[i]])
        if (--in[e.to] == 0) order.push_back(e.to);
    if (order.size() != n) return false;
    reach_.assign(n * words_, 0);
    for (auto at = order.rbegin(); at != order.rend(); ++at)
      for (const Edge& e : out_.edges[*at]) {
        std::uint64_t* row = &reach_[*at * words_];
        const std::uint64_t* other = &reach_[e.to * words_];
        row[e.to / 64] |= std::uint64_t{1} << (e.to % 64);
        for (std::size_t w = 0; w < words_; ++w) row[w] |= other[w];
      }
    return true;
  }
  bool reaches(std::uint32_t from, std::uint32_t to) const {
    return (reach_[from * words_ + to / 64] >> (to % 64) & 1) != 0;
  }

  bool conclude(const KeyVersions& key, const Version& version) {
    if (version.writer == kNever) return false;  // all writers come after its readers already
    bool more = false;
    const std::uint32_t writer = node_[version.writer];
    for (const auto& [op, value] : key.finals) {
      const std::uint32_t other = node_[op];
      if (other == writer) continue;
      for (const OpId reader_op : version.readers) {
        const std::uint32_t reader = node_[reader_op];
        if (reader == other) continue;
        if (reaches(writer, other) && !reaches(reader, other)) {
          out_.edges[reader].push_back(
              {other, Dependency::rw, key.key, version.value, value, false, timed_});
          more = true;
        }
        if (reaches(other, reader) && !reaches(other, writer)) {
          out_.edges[other].push_back(
              {writer, Dependency::ww, key.key, value, version.value, false, timed_});
          more = true;
        }
      }
    }
    return more;
  }

  Dependencies& out_;
  bool timed_;
  std::vector<KeyVersions> versions_;
  std::vector<std::uint32_t> node_;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> reach_;
};

}  // namespace

void saturate(const History& history, Dependencies& out, const Value& initial, bool timed) {
  if (out.nodes.size() > kTransactionsMax) return;
  Saturation(history, out, initial, timed).run();
}

}  // namespace schism::linearize
