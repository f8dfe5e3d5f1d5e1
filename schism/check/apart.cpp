#include "schism/check/apart.hpp"

#include <poll.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "schism/check/counterexample.hpp"
#include "schism/check/letters.hpp"
#include "schism/guard/child.hpp"
#include "schism/guard/last_words.hpp"

namespace schism::check {
namespace {

constexpr int kWaitMs = 100;
constexpr char kProgress = 'p', kError = 'e', kResult = 'r', kTrace = 't';

// A flag that this process sets and the other one reads.
class SharedFlag {
 public:
  SharedFlag() {
    void* page =
        ::mmap(nullptr, sizeof *flag_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED) flag_ = new (page) std::atomic<bool>(false);
  }
  ~SharedFlag() {
    if (flag_) ::munmap(flag_, sizeof *flag_);
  }
  SharedFlag(const SharedFlag&) = delete;
  SharedFlag& operator=(const SharedFlag&) = delete;
  std::atomic<bool>* get() { return flag_; }

 private:
  std::atomic<bool>* flag_ = nullptr;
};

void report(int channel, const Result<CheckResult>& result) {
  if (!result) {
    send_letter(channel, kError + result.error());
    return;
  }
  if (result->counterexample) send_letter(channel, kTrace + to_text(*result->counterexample));
  send_letter(channel, kResult + to_json(to_value(static_cast<const CheckSummary&>(*result))));
}

class Apart {
 public:
  Apart(const RunConfig& config, const CheckOptions& options, const CheckListener& listener)
      : config_(config), options_(options), listener_(listener) {}

  Result<CheckResult> run(const Checker& checker, const std::atomic<bool>& stop) {
    if (!stop_.get()) return error("no memory to share: {}", std::strerror(errno));
    const Micros hang = config_.setup.options.hang;
    guard::Child child([&](int channel) {
      box_.record();
      guard::prepare_to_die(box_, hang);
      const auto told = [&](const CheckProgress& p) {
        send_letter(channel, kProgress + to_json(to_value(p)));
      };
      report(channel, checker(told, *stop_.get()));
    });
    if (!child.started()) return error("no process could be forked: {}", std::strerror(errno));
    guard::Sleepiness sleepiness;
    bool asleep = false;
    for (std::string letter; !asleep;) {
      stop_.get()->store(stop.load());
      pollfd p{child.channel(), POLLIN, 0};
      if (::poll(&p, 1, kWaitMs) <= 0) {
        asleep = sleepiness.look(box_, child, hang);
        continue;
      }
      if (!receive_letter(child.channel(), letter)) break;
      take(letter);
      if (error_) return error("{}", *error_);
      if (done_) return std::move(result_);
    }
    if (asleep) child.kill();
    const int status = child.wait();
    died(guard::death_of(box_, status, asleep, child.said()));
    return std::move(result_);
  }

 private:
  void take(std::string_view letter) {
    const char kind = letter.empty() ? kError : letter.front();
    const std::string_view text = letter.substr(std::min<std::size_t>(letter.size(), 1));
    if (kind == kError) {
      error_ = text;
    } else if (kind == kTrace) {
      auto trace = parse_trace(text, "the counterexample");
      if (trace) result_.counterexample = *std::move(trace);
      else error_ = trace.error();
    } else if (kind == kProgress) {
      const auto value = parse_json(text);
      if (value && from_value(*value, progress_) && listener_) listener_(progress_);
    } else {
      const auto value = parse_json(text);
      done_ = value && from_value(*value, static_cast<CheckSummary&>(result_));
      if (!done_) error_ = "our own bug: the result of a check cannot be read";
    }
  }

  void died(const Death& death) {
    result_.totals = progress_.totals;
    result_.seconds = progress_.seconds;
    Outcome outcome;
    const auto decisions = box_.decisions();
    outcome.actions.assign(decisions.begin(), decisions.end());
    outcome.death = death;
    auto trace = counterexample_of(config_, options_, outcome, result_.totals.executions);
    if (!trace) {
      result_.reason = trace.error();
      return;
    }
    result_.verdict = Verdict::violated;
    result_.counterexample = *std::move(trace);
  }

  const RunConfig& config_;
  const CheckOptions& options_;
  const CheckListener& listener_;
  SharedFlag stop_;
  guard::BlackBox box_;
  CheckProgress progress_;
  CheckResult result_;
  std::optional<std::string> error_;
  bool done_ = false;
};

}  // namespace

Result<CheckResult> apart(const RunConfig& config, const CheckOptions& options,
                          const Checker& checker, const CheckListener& listener,
                          const std::atomic<bool>& stop) {
  return Apart(config, options, listener).run(checker, stop);
}

}  // namespace schism::check
