#include "schism/check/apart.hpp"

#include "schism/check/codec.hpp"
#include "schism/check/counterexample.hpp"
#include "schism/guard/players.hpp"

namespace schism::check {
namespace {

constexpr int kWaitMs = 100;
constexpr char kProgress = 'p', kError = 'e', kResult = 'r', kTrace = 't';

void report(guard::Outbox& out, const Result<CheckResult>& result) {
  if (!result) return out.put(kError + result.error());
  if (result->counterexample) out.put(kTrace + to_text(*result->counterexample));
  out.put(kResult + encode(static_cast<const CheckSummary&>(*result)));
}

class Apart {
 public:
  Apart(const RunConfig& config, const CheckOptions& options, const CheckListener& listener)
      : config_(config), options_(options), listener_(listener) {}

  Result<CheckResult> run(const Checker& checker, const std::atomic<bool>& stop) {
    const auto work = [&](std::string_view, guard::Outbox& out, const std::atomic<bool>& over) {
      const auto told = [&](const CheckProgress& p) {
        out.put(kProgress + encode(p));
        out.flush();
      };
      report(out, checker(told, over));
    };
    auto players = guard::Players::start({.hang = config_.setup.options.hang, .memory = 0}, work);
    if (!players) return tl::unexpected(players.error());
    // A search may think for long between two steps.
    if (auto s = (*players)->give(0, "", {.stepping = false, .last = true}); !s)
      return tl::unexpected(s.error());
    for (;;) {
      if (stop) (*players)->give_up(0);
      auto letters = (*players)->wait(kWaitMs);
      if (!letters) return tl::unexpected(letters.error());
      if (!*letters) continue;
      for (const std::string& letter : (*letters)->letters) take(letter);
      if (error_) return error("{}", *error_);
      if (done_) return std::move(result_);
      if (!(*letters)->fallen) continue;
      died(*(*letters)->fallen);
      return std::move(result_);
    }
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
      if (decode(text, progress_) && listener_) listener_(progress_);
    } else {
      const auto read = decode(text, static_cast<CheckSummary&>(result_));
      done_ = read.has_value();
      if (!done_) error_ = "our own bug: the result of a check cannot be read: " + read.error();
    }
  }

  void died(const guard::Fallen& fallen) {
    result_.totals = progress_.totals;
    result_.seconds = progress_.seconds;
    Outcome outcome;
    outcome.actions = fallen.decisions;
    outcome.death = fallen.death;
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
