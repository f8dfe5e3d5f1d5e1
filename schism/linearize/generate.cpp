#include "schism/linearize/generate.hpp"

#include <algorithm>
#include <cassert>

#include "schism/base/random.hpp"

namespace schism::linearize {
namespace {

class Generator {
 public:
  Generator(const Workload& w, std::uint64_t seed)
      : w_(w), rng_(seed), registers_(static_cast<std::size_t>(w.keys), {Value()}) {
    for (int c = 0; c < w.clients; ++c) idle_.push_back(c);
    next_client_ = w.clients;
  }

  History run() {
    int left = w_.operations;
    while (left > 0 || !flying_.empty()) {
      const auto target =
          std::max<std::uint64_t>(1, static_cast<std::uint64_t>(w_.busy * w_.clients));
      const bool begin = left > 0 && !idle_.empty() &&
                         (flying_.empty() || rng_.below(2 * target) >= flying_.size());
      if (begin) {
        invoke();
        --left;
      } else {
        advance(rng_.below(flying_.size()));
      }
    }
    return std::move(history_);
  }

 private:
  struct Flying {
    OpId op;
    int client;
    std::size_t key;
    Call call;
    Outcome fate;
    bool takes_effect;
    bool applied = false;
    bool gave_up = false;
    bool hit = true;  // of a cas
    Value seen;
  };

  void invoke() {
    const std::size_t at = rng_.below(idle_.size());
    const int client = idle_[at];
    idle_[at] = idle_.back();
    idle_.pop_back();
    const auto key = static_cast<std::size_t>(rng_.below(static_cast<std::uint64_t>(w_.keys)));
    const double kind = rng_.unit();
    Call call = read(static_cast<std::int64_t>(key));
    if (kind < w_.write) {
      call = write(static_cast<std::int64_t>(key), fresh_value());
    } else if (kind < w_.write + w_.cas) {
      const Value expected = rng_.chance(0.6) ? registers_[key].back() : fresh_value();
      call = cas(static_cast<std::int64_t>(key), expected, fresh_value());
    }
    const double fate = rng_.unit();
    const Outcome outcome = fate < w_.fail                          ? Outcome::fail
                            : fate < w_.fail + w_.info              ? Outcome::info
                            : fate < w_.fail + w_.info + w_.pending ? Outcome::pending
                                                                    : Outcome::ok;
    const bool takes_effect =
        outcome == Outcome::ok || (outcome != Outcome::fail && rng_.chance(0.5));
    const OpId op = history_.invoke(client, call);
    flying_.push_back(
        {op, client, key, std::move(call), outcome, takes_effect, false, false, true, {}});
  }

  // A client that gives up is gone, and a new one takes its place; what it asked for may still
  // happen.
  void advance(std::size_t i) {
    Flying& f = flying_[i];
    if (f.fate == Outcome::info && !f.gave_up && (f.applied || rng_.chance(0.5))) {
      history_.unknown(f.op);
      idle_.push_back(next_client_++);
      f.gave_up = true;
    } else if (!f.applied) {
      f.applied = true;
      if (f.takes_effect) take_effect(f);
    } else {
      if (f.fate == Outcome::ok || f.fate == Outcome::fail) answer(f);
      if (f.fate == Outcome::pending) idle_.push_back(next_client_++);
      flying_.erase(flying_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void take_effect(Flying& f) {
    std::vector<Value>& past = registers_[f.key];
    switch (f.call.function) {
      case Function::read:
        f.seen = rng_.chance(w_.stale) ? past[rng_.below(past.size())] : past.back();
        break;
      case Function::write: past.push_back(f.call.first); break;
      case Function::cas:
        f.hit = past.back() == f.call.first;
        if (f.hit) past.push_back(f.call.second);
        break;
      default: break;  // it makes no others
    }
  }

  void answer(const Flying& f) {
    idle_.push_back(f.client);
    if (f.fate == Outcome::fail) history_.failed(f.op);
    else if (f.call.function == Function::read) history_.saw(f.op, f.seen);
    else if (f.hit) history_.done(f.op);
    else if (rng_.chance(w_.missed)) history_.missed(f.op);
    else history_.failed(f.op);
  }

  Value fresh_value() {
    return w_.values == 0 ? Value(++last_value_)
                          : Value(static_cast<std::int64_t>(
                                rng_.below(static_cast<std::uint64_t>(w_.values))));
  }
  const Workload& w_;
  Rng rng_;
  History history_;
  std::vector<std::vector<Value>> registers_;  // each with all its values so far
  std::vector<int> idle_;
  std::vector<Flying> flying_;
  std::int64_t last_value_ = 0;
  int next_client_ = 0;
};

}  // namespace

History generate(const Workload& workload, std::uint64_t seed) {
  return Generator(workload, seed).run();
}

}  // namespace schism::linearize
