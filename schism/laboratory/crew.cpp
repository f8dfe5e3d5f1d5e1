#include "schism/laboratory/crew.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "schism/base/codec.hpp"
#include "schism/guard/child.hpp"
#include "schism/laboratory/trial.hpp"

namespace schism {
namespace {

constexpr int kPollMs = 100;

// One trial that is being played.
struct Hand {
  TrialOrder order;
  std::unique_ptr<guard::Child> child;
  std::string told;
};

void tell(int channel, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = ::send(channel, text.data() + at, text.size() - at, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    at += static_cast<std::size_t>(n);
  }
}

class Crew {
 public:
  Crew(const Experiment& experiment, Store& store, const CrewListener& listener,
       const std::atomic<bool>& stop)
      : experiment_(experiment), store_(store), listener_(listener), stop_(stop) {}

  Result<Results> run(int jobs) {
    left_ = orders_of(experiment_);
    std::reverse(left_.begin(), left_.end());
    results_.unknown = left_.size();
    while (true) {
      while (static_cast<int>(hands_.size()) < jobs && !left_.empty() && !stop_)
        if (auto begun = begin(); !begun) return tl::unexpected(begun.error());
      if (hands_.empty()) return std::move(results_);
      if (auto heard = listen(); !heard) return tl::unexpected(heard.error());
    }
  }

 private:
  // The next order: from the store, or played.
  Status begin() {
    TrialOrder order = std::move(left_.back());
    left_.pop_back();
    const auto known = store_.find(order.key);
    if (!known) return tl::unexpected(known.error());
    if (*known)
      if (auto record = decode<Record>(**known)) {
        take(order, *std::move(record));
        return {};
      }
    Hand hand{std::move(order), nullptr, {}};
    hand.child = std::make_unique<guard::Child>([&](int channel) {
      const auto record = play(experiment_, hand.order, stop_);
      if (record) tell(channel, encode(*record));
    });
    if (!hand.child->started())
      return error("no process could be forked: {}", std::strerror(errno));
    hands_.push_back(std::move(hand));
    return {};
  }

  Status listen() {
    if (stop_ && !told_stop_) {
      for (Hand& hand : hands_) hand.child->interrupt();
      told_stop_ = true;
    }
    std::vector<pollfd> channels;
    for (const Hand& hand : hands_) channels.push_back({hand.child->channel(), POLLIN, 0});
    if (::poll(channels.data(), channels.size(), kPollMs) <= 0) return {};
    for (std::size_t i = channels.size(); i-- > 0;) {
      if (channels[i].revents == 0 || hear(hands_[i])) continue;
      Hand hand = std::move(hands_[i]);
      hands_.erase(hands_.begin() + static_cast<std::ptrdiff_t>(i));
      if (auto ended = end(hand); !ended) return ended;
    }
    return {};
  }

  // False: it has told all.
  static bool hear(Hand& hand) {
    char buffer[1 << 16];
    const ssize_t n = ::recv(hand.child->channel(), buffer, sizeof buffer, 0);
    if (n > 0) hand.told.append(buffer, static_cast<std::size_t>(n));
    return n > 0 || (n < 0 && errno == EINTR);
  }

  Status end(Hand& hand) {
    const int status = hand.child->wait();
    auto record = decode<Record>(hand.told);
    if (hand.told.empty() || !record) {
      if (stop_) return {};
      Record lost;
      lost.problem = WIFSIGNALED(status)
                         ? fmt::format("its process was killed (signal {})", WTERMSIG(status))
                         : "its process ended without a word";
      if (const std::string said = hand.child->said(); !said.empty()) lost.problem += ": " + said;
      take(hand.order, std::move(lost));
      return {};
    }
    // What could not be played may be another time.
    if (record->problem.empty())
      if (auto kept = keep(hand.order, *record, hand.told); !kept) return kept;
    take(hand.order, *std::move(record));
    return {};
  }

  Status keep(const TrialOrder& order, const Record& record, const std::string& body) {
    const bool exact = is_exact(experiment_.budget);
    const std::string digest = exact ? to_hex(absorb_text({}, encode(record.timeless()))) : "";
    const auto put = store_.put(order.key, digest, body);
    if (!put) return tl::unexpected(put.error());
    if (*put == Store::Put::differs)
      return error("a trial came out otherwise than before, so something is not deterministic: {}",
                   order.key);
    return {};
  }

  void take(const TrialOrder& order, Record record) {
    --results_.unknown;
    if (listener_.done) listener_.done(order, record, results_.unknown);
    results_.records.emplace(std::tuple(order.case_index, order.strategy, order.trial),
                             std::move(record));
  }

  const Experiment& experiment_;
  Store& store_;
  const CrewListener& listener_;
  const std::atomic<bool>& stop_;
  std::vector<TrialOrder> left_;  // the next one last
  std::vector<Hand> hands_;
  Results results_;
  bool told_stop_ = false;
};

}  // namespace

Result<Results> carry_out(const Experiment& experiment, Store& store, int jobs,
                          const CrewListener& listener, const std::atomic<bool>& stop) {
  return Crew(experiment, store, listener, stop).run(std::max(1, jobs));
}

}  // namespace schism
