#include "schism/doctor/diagnose.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/doctor/hooks.hpp"

namespace schism::doctor {
namespace {

constexpr double kPatienceSeconds = 4;
constexpr std::size_t kSuspectsMin = 8;

// A circumstance, in the ways in which it can be changed.
struct Factor {
  Cause cause;
  std::string what;
  std::vector<Setting> ways;
};

std::vector<Factor> factors() {
  const Setting held = all_held();
  const auto with = [&](auto change) {
    Setting s = held;
    change(s);
    return s;
  };
  const Setting running = with([](Setting& s) { s.clock = ClockUse::real; });
  const Setting shifted = with([](Setting& s) { s.clock = ClockUse::shifted; });
  const Setting threads = with([](Setting& s) { s.one_thread = false; });
  const Setting fill = with([](Setting& s) { s.fill = kOtherFill; });
  const Setting moved = with([](Setting& s) { s.randomise = true; });
  const Setting mixed = with([](Setting& s) { s.shuffle = 1; });
  const Setting mixed_anew = with([](Setting& s) { s.shuffle = 2; });
  const Setting after = with([](Setting& s) { s.order = Order::forwards; });
  const Setting before = with([](Setting& s) { s.order = Order::backwards; });
  return {
      {Cause::clock, "the clock runs", {running, shifted}},
      {Cause::threads, "threads run at once", {threads, threads, threads}},
      {Cause::uninitialised, "fresh memory holds another byte", {fill}},
      {Cause::hash_order, "addresses are randomised", {moved, moved, moved}},
      {Cause::address_order, "the allocator's free blocks are shuffled", {mixed, mixed_anew}},
      {Cause::kept_state, "other runs come before, in the same process", {after, before}},
  };
}

bool comparable(const RunPrint& a, const RunPrint& b) {
  return a.ending != Ending::not_played && b.ending != Ending::not_played;
}

// Where two tellings of a run part: the index of the first step that differs.
std::optional<std::size_t> parting(const std::vector<StepWords>& a,
                                   const std::vector<StepWords>& b) {
  const std::size_t n = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < n; ++i)
    if (a[i].hash != b[i].hash) return i;
  return a.size() == b.size() ? std::nullopt : std::optional(n);
}

class Diagnosing {
 public:
  Diagnosing(const Launcher& launcher, Request request, const Suspects& suspects,
             const std::function<void(const std::string&)>& doing)
      : launcher_(launcher), request_(std::move(request)), suspects_(suspects), doing_(doing) {
    request_.runs = suspects.runs;
    request_.words = true;
    request_.seconds = 0;
  }

  Result<Diagnosis> run() {
    const Setting held = all_held();
    doing_("everything held fast");
    const double begun = real_seconds();
    auto reference = play(held);
    if (reference && real_seconds() - begun > kPatienceSeconds &&
        request_.runs.size() > kSuspectsMin) {
      request_.runs.resize(kSuspectsMin);  // slow runs: fewer of them must do
      reference = play(held);
    }
    if (!reference) return tl::unexpected(reference.error());
    reference_ = *std::move(reference);
    const auto still = compare({Cause::outside, "nothing: everything is held fast", {held, held}});
    if (!still) return tl::unexpected(still.error());
    if (*still) {
      const auto cause = restless();
      if (!cause) return tl::unexpected(cause.error());
      out_.cause = *cause;
      return std::move(out_);
    }
    for (const Factor& factor : factors()) {
      const auto differs = compare(factor);
      if (!differs) return tl::unexpected(differs.error());
      if (*differs) guilty_.push_back(factor.cause);
    }
    if (auto s = explain_kept_state(); !s) return tl::unexpected(s.error());
    conclude();
    return std::move(out_);
  }

 private:
  Result<Played> play(const Setting& setting) {
    request_.setting = setting;
    return launcher_.play(request_);
  }

  // Plays a factor's ways and adds its row; whether it makes a difference.
  Result<bool> compare(const Factor& factor) {
    doing_(factor.what);
    Trial row{factor.what, reference_.prints.size(), 0, {}, true};
    if (std::string why = impossible(factor.cause); !why.empty()) {
      row.tried = false;
      row.note = std::move(why);
      out_.trials.push_back(std::move(row));
      return false;
    }
    std::vector<bool> differs(reference_.prints.size());
    std::uint64_t clock_reads = 0, threads = 0;
    for (const Setting& way : factor.ways) {
      const auto now = play(way);
      if (!now) return tl::unexpected(now.error());
      for (std::size_t i = 0; i < differs.size(); ++i) {
        if (!comparable(reference_.prints[i], now->prints[i])) continue;
        if (reference_.prints[i] == now->prints[i]) continue;
        differs[i] = true;
        keep_versions(i, *now);
      }
      clock_reads += now->clock_reads;
      threads += now->threads;
    }
    row.differing = static_cast<std::uint64_t>(std::count(differs.begin(), differs.end(), true));
    if (factor.cause == Cause::clock && clock_reads > 0)
      row.note = fmt::format("read {} times", clock_reads);
    if (factor.cause == Cause::threads && threads > 0)
      row.note = fmt::format("{} started", threads);
    out_.trials.push_back(row);
    return row.differing > 0;
  }

  // What this machine does not allow.
  std::string impossible(Cause cause) const {
    switch (cause) {
      case Cause::clock: return reference_.hooked ? "" : "the clock cannot be held here";
      case Cause::threads:
        return reference_.hooked || reference_.pinned ? "" : "threads cannot be held here";
      case Cause::uninitialised:
        return reference_.filled ? "" : "the allocator here does not fill memory";
      case Cause::hash_order:
        return !reference_.randomised ? "" : "randomisation cannot be switched off here";
      default: return "";
    }
  }

  // Keeps the two versions of the earliest first difference, of the first factor that has one.
  void keep_versions(std::size_t place, const Played& now) {
    const auto& a = reference_.words[place];
    const auto& b = now.words[place];
    const auto at = parting(a, b);
    if (!at || (versions_of_ != out_.trials.size() && out_.one)) return;
    if (out_.one && *at >= parted_at_) return;
    versions_of_ = out_.trials.size();
    parted_at_ = *at;
    const auto version = [&](const std::vector<StepWords>& words) {
      return *at < words.size() ? words[*at] : StepWords{};
    };
    out_.seed =
        parse_seed(request_.seed).value_or(0) + static_cast<std::uint64_t>(request_.runs[place]);
    out_.one = version(a), out_.other = version(b);
    out_.one_ending = *at + 1 >= a.size() ? print_ending(reference_.prints[place]) : "";
    out_.other_ending = *at + 1 >= b.size() ? print_ending(now.prints[place]) : "";
  }

  // Runs differ although all is held that can be held.
  Result<Cause> restless() {
    if (reference_.threads > 0) return Cause::threads;
    if (!reference_.hooked && suspects_.clock_reads > 0) return Cause::clock;
    if (!reference_.randomised) return Cause::outside;
    // Every process has other addresses, but the copies of one process have the same.
    const std::size_t n = request_.runs.size();
    request_.runs.insert(request_.runs.end(), suspects_.runs.begin(),
                         suspects_.runs.begin() + static_cast<std::ptrdiff_t>(n));
    const auto twice = play(all_held());
    if (!twice) return tl::unexpected(twice.error());
    const auto middle = twice->prints.begin() + static_cast<std::ptrdiff_t>(n);
    Trial row{"nothing, and addresses are the same", n, 0, "", true};
    for (std::size_t i = 0; i < n; ++i)
      row.differing += twice->prints[i] == middle[static_cast<std::ptrdiff_t>(i)] ? 0 : 1;
    out_.trials.back().note = "randomisation cannot be switched off here";
    out_.trials.push_back(row);
    return row.differing > 0 ? Cause::outside : Cause::hash_order;
  }

  // Memory of the run before that a constructor left as it was looks like kept state; but it is
  // gone in a new world.
  Status explain_kept_state() {
    if (guilty_.empty() || guilty_.front() != Cause::kept_state) return {};
    Setting after = all_held(), before = after;
    after.order = Order::forwards, before.order = Order::backwards;
    after.fresh_runner = before.fresh_runner = true;
    const auto differs = compare(
        {Cause::kept_state, "other runs come before, a new world for each", {after, before}});
    if (!differs) return tl::unexpected(differs.error());
    if (*differs) return {};
    guilty_.front() = Cause::uninitialised;
    out_.trials.back().note = "so it is left over in the nodes' own memory";
    return {};
  }

  void conclude() {
    if (guilty_.empty()) {
      // It did not happen again. What was seen when it did is the best guess.
      out_.cause = suspects_.threads > 0       ? Cause::threads
                   : suspects_.clock_reads > 0 ? Cause::clock
                                               : Cause::unknown;
      return;
    }
    out_.cause = guilty_.front();
    // Whoever looks at addresses also sees a shuffled heap and what other runs left of it.
    for (const Cause cause : guilty_)
      if (cause != out_.cause && cause < Cause::address_order) out_.also.push_back(cause);
  }

  const Launcher& launcher_;
  Request request_;
  const Suspects& suspects_;
  const std::function<void(const std::string&)>& doing_;
  Played reference_;
  std::vector<Cause> guilty_;
  Diagnosis out_;
  std::size_t versions_of_ = 0, parted_at_ = 0;  // the row and index of the versions kept
};

}  // namespace

Result<Diagnosis> diagnose(const Launcher& launcher, Request request, const Suspects& suspects,
                           const std::function<void(const std::string&)>& doing) {
  return Diagnosing(launcher, std::move(request), suspects, doing).run();
}

}  // namespace schism::doctor
