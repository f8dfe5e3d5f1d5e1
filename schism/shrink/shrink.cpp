#include "schism/shrink/shrink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <new>

#include "schism/base/difference.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/system/system.hpp"
#include "schism/trace/claim.hpp"

namespace schism {
namespace {

constexpr std::size_t kOthersMax = 8;
// Pairs of actions are tried where a run is so short that all of them can be.
constexpr std::size_t kPairsMax = 80;
// A story so long may be a corner in which one descent ended; another one often ends elsewhere.
constexpr std::uint64_t kLong = 40;

// Smaller values of one content, each a candidate of its own.
void simpler(const Value& value, const std::function<void(Value)>& offer) {
  if (const auto* number = value.as_int()) {
    const std::int64_t n = *number;
    if (n == 0) return;
    offer(Value(std::int64_t{0}));
    if (n < 0) offer(Value(n == INT64_MIN ? INT64_MAX : -n));
    if (n > 1) offer(Value(std::int64_t{1}));
    if (n / 2 != 0 && n / 2 != 1) offer(Value(n / 2));
    if (n > 2) offer(Value(n - 1));
  } else if (const auto* text = value.as_text()) {
    if (text->empty()) return;
    offer(Value(std::string()));
    if (text->size() > 1) offer(Value(text->substr(0, text->size() / 2)));
  } else if (const auto* flag = value.as_bool()) {
    if (*flag) offer(Value(false));
  } else if (const auto* items = value.as_array()) {
    for (std::size_t i = 0; i < items->size(); ++i) {
      Value::Array fewer = *items;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      offer(Value(std::move(fewer)));
      simpler((*items)[i], [&](Value item) {
        Value::Array changed = *items;
        changed[i] = std::move(item);
        offer(Value(std::move(changed)));
      });
    }
  } else if (const auto* fields = value.as_object()) {
    for (std::size_t i = 0; i < fields->size(); ++i)
      simpler((*fields)[i].second, [&](Value item) {
        Value::Object changed = *fields;
        changed[i].second = std::move(item);
        offer(Value(std::move(changed)));
      });
  }
}

class Shrinker {
 public:
  Shrinker(Outline outline, const ShrinkOptions& options, const std::atomic<bool>& stop)
      : now_(std::move(outline)), options_(options), stop_(stop) {
    stage_.only_violations();
  }

  Result<Shrunk> run(const Trace& original) {
    before_ = size_of(now_);
    Performance whole = stage_.perform(now_);
    if (!whole.violation || whole.violation->property != original.violation->property)
      return error("the run cannot be taken apart: played move by move it does not violate {}",
                   original.violation->property);
    violation_ = *whole.violation;
    wanted_ = signature(violation_, whole.outline);
    now_ = std::move(whole.outline);
    size_ = size_of(now_);

    const Outline whole_run = now_;
    Shrunk out;
    out.before = before_;
    reduce();
    spare_budgets();
    out.trace = record(now_, original);
    certify_or_go_on(original, out);
    for (const Way way : {Way::from_the_front, Way::loosely})
      if (size_.actions >= kLong) descend_again(way, whole_run, original, out);
    out.after = size_;
    out.out_of_time = out_of_time();
    out.any_order = now_.config.setup.options.links == LinkOrder::any;
    if (out.any_order) try_in_order(whole_run, original, out);
    for (auto& [key, other] : others_) out.others.push_back(stage_.record(other));
    out.replays = stage_.performed();
    return out;
  }

 private:
  enum class Way : std::uint8_t { from_the_end, from_the_front, loosely };
  struct End {
    Outline outline;
    OutlineSize size;
    Violation violation;
    Trace trace;
    Certificate certificate;
  };

  Trace record(const Outline& outline, const Trace& original) {
    Trace trace = stage_.record(outline);
    trace.shrunk_from = original.shrunk_from.value_or(ShrunkFrom{before_.actions, before_.nodes});
    return trace;
  }

  // What the certificate's examination finds superfluous is left out, and so on until it finds
  // nothing: it takes the trace apart afresh, and so sees moves that this run of passes did not.
  void certify_or_go_on(const Trace& original, Shrunk& out) {
    const auto enough = [&] { return out_of_time(); };
    while (!out_of_time()) {
      std::optional<Outline> smaller;
      out.certificate = certify(out.trace, options_.replays_max, enough, &smaller);
      if (!smaller) return;
      const OutlineSize before = size_;
      now_ = *std::move(smaller);
      size_ = size_of(now_);
      reduce();
      spare_budgets();
      out.trace = record(now_, original);
      out.certificate = {};           // that was of another trace
      if (!(size_ < before)) return;  // it would go round in circles
    }
  }

  // From the whole run once more, in another order; the smaller of the two ends stays.
  void descend_again(Way way, const Outline& whole_run, const Trace& original, Shrunk& out) {
    if (out_of_time()) return;
    const End best{now_, size_, violation_, out.trace, out.certificate};
    way_ = way;
    now_ = whole_run;
    size_ = size_of(now_);
    reduce();
    spare_budgets();
    if (!out_of_time() && size_ < best.size) {
      out.trace = record(now_, original);
      certify_or_go_on(original, out);
    }
    way_ = Way::from_the_end;
    if (size_ < best.size && out.certificate.minimal) return;
    now_ = best.outline, size_ = best.size, violation_ = best.violation;
    out.trace = best.trace, out.certificate = best.certificate;
  }

  // Under links that keep order: the small run, or else the whole one, made small again.
  void try_in_order(const Outline& whole_run, const Trace& original, Shrunk& out) {
    const std::size_t small = now_.moves.size();
    for (const Outline& from : {now_, whole_run}) {
      const auto candidate = stage_.in_order(from);
      for (const Messages messages : {Messages::own, Messages::any}) {
        if (!candidate || out_of_time()) break;
        Performance p = stage_.perform(*candidate, messages);
        if (!p.violation || signature(*p.violation, p.outline) != wanted_) continue;
        out.in_order = true;
        if (p.applied == small && p.all_applied) return;
        now_ = std::move(p.outline);
        size_ = size_of(now_);
        violation_ = *std::move(p.violation);
        reduce();
        out.fifo = record(now_, original);
        return;
      }
    }
  }

  // Until nothing can be left out.
  void reduce() {
    drop_unasked();
    keep_causal_past();
    do {
      changed_ = false;
      messages_ = way_ == Way::loosely ? Messages::any : Messages::own;
      drop_parts();
      messages_ = Messages::own;
      if (!changed_) drop_windows();
      if (!changed_) drop_pairs();
      if (!changed_) {  // out of a corner: other messages may do the same
        messages_ = Messages::any;
        drop_parts();
        messages_ = Messages::own;
      }
      drop_choices();
      if (!changed_) straighten();
      if (!changed_) simplify_values();
    } while (changed_ && !out_of_time());
  }

  bool out_of_time() const {
    if (stop_.load(std::memory_order_relaxed) || stage_.performed() >= options_.replays_max)
      return true;
    return options_.seconds > 0 &&
           std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count() >
               options_.seconds;
  }

  // Takes the candidate if it shows the same and is smaller.
  bool attempt(const Outline& candidate) {
    if (out_of_time()) return false;
    Performance p = stage_.perform(candidate, messages_);
    if (!p.violation) return false;
    const std::string shows = signature(*p.violation, p.outline);
    if (shows != wanted_) {
      // Another property, or the same one broken in another way.
      if (others_.size() < kOthersMax && p.violation->property != violation_.property)
        others_.try_emplace(shows, std::move(p.outline));
      return false;
    }
    const OutlineSize size = size_of(p.outline);
    if (size >= size_) return false;
    now_ = std::move(p.outline);
    size_ = size;
    violation_ = *std::move(p.violation);
    return changed_ = true;
  }

  // Requests that nobody asked: the rest of the workload.
  void drop_unasked() {
    Outline candidate = now_;
    std::vector<std::uint32_t> asked(kNodesMax, 0);
    for (const Move& move : now_.moves)
      if (move.step.action.kind == Do::submit)
        ++asked[static_cast<std::size_t>(move.step.action.name.from())];
    std::vector<ClientRequest> kept;
    for (const ClientRequest& request : now_.requests()) {
      auto& left = asked[static_cast<std::size_t>(request.client)];
      if (left == 0) continue;
      --left;
      kept.push_back(request);
    }
    candidate.config.setup.requests =
        std::make_shared<const std::vector<ClientRequest>>(std::move(kept));
    attempt(candidate);
  }

  void keep_causal_past() {
    std::vector<std::uint32_t> evidence;
    for (const Evidence& e : violation_.evidence)
      if (e.step > 0) evidence.push_back(e.step - 1);
    if (evidence.empty() && violation_.step > 0) evidence.push_back(violation_.step - 1);
    attempt(with_moves(now_, causal_past(now_, evidence)));
  }

  void drop_parts() {
    drop_liars();
    drop_habits();
    if (way_ == Way::from_the_front) drop_operations(), drop_nodes();
    drop_chunks();
    drop_nodes();
    drop_operations();
  }

  // Delta debugging: halves, quarters, ..., single actions, from the end.
  void drop_chunks() {
    for (std::size_t chunk = std::max<std::size_t>(now_.moves.size() / 2, 1);; chunk /= 2) {
      if (way_ == Way::from_the_front)
        for (std::size_t first = 0; first < now_.moves.size() && !out_of_time();)
          if (!attempt(without_moves(now_, first, std::min(chunk, now_.moves.size() - first))))
            first += chunk;
      for (std::size_t end = now_.moves.size(); end > 0 && !out_of_time();) {
        const std::size_t count = std::min(chunk, end);
        attempt(without_moves(now_, end - count, count));
        end = std::min(end - count, now_.moves.size());
      }
      if (chunk == 1 || out_of_time()) return;
    }
  }

  // Stretches of any length, wherever they begin.
  void drop_windows() {
    for (std::size_t length = 2; length <= now_.moves.size() / 2; length += 1 + length / 4)
      for (std::size_t first = 0; first + length <= now_.moves.size() && !out_of_time();)
        if (!attempt(without_moves(now_, first, length))) first += 1 + length / 4;
  }

  // One node, or two at once: with four instead of five a quorum is as large as before.
  void drop_nodes() {
    const int least = now_.config.setup.system->node_range.low;
    for (NodeId id = now_.config.setup.nodes; id-- > 0;)
      if (now_.config.setup.nodes > least) attempt(without_node(now_, id));
    for (NodeId high = now_.config.setup.nodes; high-- > 1;)
      for (NodeId low = high; low-- > 0;)
        if (now_.config.setup.nodes > std::max(least + 1, high))
          attempt(without_node(without_node(now_, high), low));
  }

  void drop_operations() {
    for (std::size_t i = now_.requests().size(); i-- > 0;)
      if (i < now_.requests().size()) attempt(without_request(now_, i));
  }

  // The first alternative is the plain one: all at once, halves, ..., single choices.
  void drop_choices() {
    for (std::size_t chunk = choices_in(now_).size(); chunk > 0; chunk /= 2) {
      for (std::size_t first = 0; !out_of_time();) {
        const auto choices = choices_in(now_);
        if (first >= choices.size()) break;
        Outline candidate = now_;
        for (std::size_t i = first; i < std::min(first + chunk, choices.size()); ++i)
          candidate = with_answer(candidate, choices[i], 0);
        if (!attempt(candidate)) first += chunk;
      }
    }
    for (const ChoicePlace& choice : choices_in(now_)) lower(choice);
  }

  // A smaller answer, where the first one does not do.
  void lower(const ChoicePlace& choice) {
    for (std::uint32_t answer = 1; answer < choice.answer && !out_of_time(); ++answer) {
      const auto choices = choices_in(now_);
      const auto still = std::find_if(choices.begin(), choices.end(), [&](const ChoicePlace& c) {
        return c.move == choice.move && c.nth == choice.nth && c.answer == choice.answer;
      });
      if (still == choices.end() || attempt(with_answer(now_, *still, answer))) return;
    }
  }

  // Two actions that only make sense together, such as a timer and what it sends.
  void drop_pairs() {
    if (now_.moves.size() > kPairsMax) return;
    for (std::size_t late = now_.moves.size(); late-- > 1;)
      for (std::size_t early = late; early-- > 0;) {
        if (late >= now_.moves.size()) break;
        attempt(without_moves(without_moves(now_, late, 1), early, 1));
      }
  }

  // Deliveries come earlier, up to where they were sent.
  void straighten() {
    for (std::size_t from = 1; from < now_.moves.size() && size_.inversions > 0; ++from) {
      if (now_.moves[from].step.action.kind != Do::deliver) continue;
      for (std::size_t to = from; to-- > 0;) {
        if (out_of_time()) return;
        Outline candidate = now_;
        const auto begin = candidate.moves.begin();
        std::rotate(begin + static_cast<std::ptrdiff_t>(to),
                    begin + static_cast<std::ptrdiff_t>(from),
                    begin + static_cast<std::ptrdiff_t>(from + 1));
        if (size_of(candidate).inversions >= size_.inversions) continue;
        if (attempt(candidate) || now_.moves[to].id == now_.moves[from].creator) break;
      }
    }
  }

  const TypeInfo& request_type(std::size_t i) const {
    const NodeClass* taker = now_.config.setup.system->request_class();
    return *taker->requests[now_.requests()[i].type];
  }

  void simplify_values() {
    for (std::size_t i = 0; i < now_.requests().size() && !out_of_time(); ++i) {
      const Value was = now_.requests()[i].content;
      simpler(was, [&](Value content) {
        if (i >= now_.requests().size() || !accepts(request_type(i), content))
          return;  // half a word
        Outline candidate = now_;
        auto requests = now_.requests();
        requests[i].content = std::move(content);
        candidate.config.setup.requests =
            std::make_shared<const std::vector<ClientRequest>>(std::move(requests));
        attempt(candidate);
      });
    }
    for (std::size_t i = 0; i < now_.moves.size() && !out_of_time(); ++i) {
      const Action action = now_.moves[i].step.action;
      if ((action.kind == Do::crash || action.kind == Do::restart) && action.arg() > 0) {
        Outline candidate = now_;
        candidate.moves[i].step.action = with_arg(action, 0);
        attempt(candidate);
      }
      if (i >= now_.moves.size()) break;
      if (now_.moves[i].step.action.kind == Do::begin) continue;  // a label is for people
      if (now_.moves[i].step.action.kind == Do::mutate) {
        nearer_the_truth(i);
        continue;
      }
      const Value was = now_.moves[i].step.content;
      simpler(was, [&](Value content) {
        if (i >= now_.moves.size()) return;
        Outline candidate = now_;
        candidate.moves[i].step.content = std::move(content);
        attempt(candidate);
      });
    }
  }

  // Silence instead of a lie; then fewer fields, each nearer to what is true.
  void nearer_the_truth(std::size_t i) {
    Outline silent = now_;
    Action& action = silent.moves[i].step.action;
    action = make_action(Do::omit, action.name, 0, action.hint);
    silent.moves[i].step.content = {};
    silent.config.setup.options.faults.omit += 1;
    if (attempt(silent)) return;
    const auto offer = [&](const std::vector<Change>& changes) {
      if (i >= now_.moves.size()) return false;
      Outline candidate = now_;
      candidate.moves[i].step.content = difference_of(changes);
      return attempt(candidate);
    };
    for (std::size_t k = changes_of(now_.moves[i].step.content).size(); k-- > 0;) {
      if (i >= now_.moves.size()) return;
      std::vector<Change> changes = changes_of(now_.moves[i].step.content);
      if (k >= changes.size()) continue;
      std::vector<Change> fewer = changes;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      if (!fewer.empty() && offer(fewer)) continue;
      const auto* by = changes[k].operand.as_int();
      if (!by || changes[k].word != "by") continue;
      for (const std::int64_t nearer : {std::int64_t{1}, std::int64_t{-1}, *by / 2}) {
        if (nearer == 0 || nearer == *by) continue;
        changes[k].operand = Value(nearer);
        if (offer(changes)) break;
      }
    }
  }

  // The same lie of every message of a way in place of one of each; then fewer of them.
  void drop_habits() {
    attempt(with_plain_habits(now_, nullptr));
    for (std::size_t i = 0; i < now_.habits.size() && !out_of_time(); ++i) {
      const Habit way = now_.habits[i];
      const auto own = now_.habits.begin() + static_cast<std::ptrdiff_t>(i);
      const bool first =
          std::none_of(now_.habits.begin(), own, [&](const Habit& h) { return h.same_way(way); });
      if (first && way.nth != Habit::kEvery) attempt(with_plain_habits(now_, &way));
    }
    for (std::size_t chunk = now_.habits.size(); chunk > 0; chunk /= 2)
      for (std::size_t end = now_.habits.size(); end > 0 && !out_of_time();) {
        const std::size_t count = std::min(chunk, end);
        Outline candidate = now_;
        const auto first = candidate.habits.begin() + static_cast<std::ptrdiff_t>(end - count);
        candidate.habits.erase(first, first + static_cast<std::ptrdiff_t>(count));
        attempt(candidate);
        end = std::min(end - count, now_.habits.size());
      }
  }

  // One Byzantine node less: what it would have lied is then true.
  void drop_liars() {
    if (now_.config.setup.options.twins) {
      Outline candidate = without_twins(now_);
      strip(candidate.config, [](Scheduler& made) { return made.manner().twins; });
      attempt(candidate);
    }
    for (std::size_t i = now_.config.setup.options.liars.size(); i-- > 0;) {
      if (i >= now_.config.setup.options.liars.size()) continue;
      Outline candidate = without_liar(now_, i);
      if (candidate.config.setup.options.liars.empty()) without_liars(candidate.config);
      attempt(candidate);
    }
  }

  // Nobody lies any more: a strategy of liars would be refused.
  static void without_liars(RunConfig& config) {
    Faults& faults = config.setup.options.faults;
    faults.mutate = faults.inject = faults.omit = 0;
    strip(config, [](Scheduler& made) { return made.liar() != nullptr; });
  }

  // A strategy that would want back what is gone: what it was around stands there.
  template <class Wants>
  static void strip(RunConfig& config, const Wants& wants) {
    std::vector<Spec*> all = {&config.explorer, &config.scheduler};
    for (Spec& arm : config.arms) all.push_back(&arm);
    for (Spec* spec : all)
      for (;;) {
        const auto made = schedulers().make(*spec, "scheduler");
        if (!made || !wants(**made)) break;
        const Spec inner = spec->children.empty() ? Spec{"timed", {}, {}} : spec->children[0];
        *spec = inner;
      }
  }

  // The budgets of faults say what is left, so that the configuration is not frightening.
  void spare_budgets() {
    Outline candidate = now_;
    FaultCount count;
    for (const Move& move : now_.moves) count.see(move.step.action);
    Faults& faults = candidate.config.setup.options.faults;
    const Faults before = faults;
    faults = count.used();
    if (!now_.habits.empty()) faults.mutate = before.mutate, faults.omit = before.omit;
    const Performance p = stage_.perform(candidate);
    if (p.violation && p.all_applied && signature(*p.violation, p.outline) == wanted_)
      now_ = p.outline;
    spare_parameters();
  }

  // What clients ask for is written down, so that most parameters of a workload say nothing any
  // more: as small as they can be where that changes nothing.
  void spare_parameters() {
    const System& system = *now_.config.setup.system;
    for (const Param& param : system.params.list()) {
      if (param.values.kind != Values::integer || out_of_time()) continue;
      if (system.drawing.purpose(param.name) != Purpose::workload) continue;
      const std::string least = std::to_string(param.values.low);
      if (param.print(now_.config.setup.config.get()) == least) continue;
      const auto config = system.copy_config(now_.config.setup.config.get());
      if (!system.params.set(config.get(), param.name, least, system.name)) continue;
      Outline candidate = now_;
      candidate.config.setup.config = config;
      auto& named = candidate.config.system.values;  // the same in words, as the trace has it
      std::erase_if(named, [&](const auto& pair) { return pair.first == param.name; });
      if (param.fallback != least) named.emplace_back(param.name, least);
      if (!same_claim(now_.config.setup, candidate.config.setup)) continue;
      Performance p = stage_.perform(candidate);
      if (!p.violation || !p.all_applied || signature(*p.violation, p.outline) != wanted_ ||
          size_of(p.outline) != size_)
        continue;
      now_ = std::move(p.outline);
      violation_ = *std::move(p.violation);
    }
  }

  Outline now_;
  OutlineSize size_, before_;
  Violation violation_;
  std::string wanted_;
  bool changed_ = false;
  Messages messages_ = Messages::own;
  Way way_ = Way::from_the_end;
  std::map<std::string, Outline> others_;
  Stage stage_;
  const ShrinkOptions& options_;
  const std::atomic<bool>& stop_;
  // For the limit; what it cuts off is left out, and the certificate says so.
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace

std::string describe(const Shrunk& s) {
  std::string out = fmt::format("shrunk: {} -> {} actions", s.before.actions, s.after.actions);
  const auto also = [&](std::uint64_t before, std::uint64_t after, const char* what) {
    if (before != after) out += fmt::format(", {} -> {} {}", before, after, what);
  };
  also(static_cast<std::uint64_t>(s.before.nodes), static_cast<std::uint64_t>(s.after.nodes),
       "nodes");
  also(s.before.faults, s.after.faults, "faults");
  also(s.before.choices, s.after.choices, "choices");
  also(s.before.operations, s.after.operations, "client operations");
  also(s.before.inversions, s.after.inversions, "inversions");
  out += fmt::format(" ({} replays)", s.replays);
  const Certificate& c = s.certificate;
  if (c.minimal) out += fmt::format("; nothing can be left out ({} replays to check)", c.replays);
  else if (!c.counterexample.empty())
    out += fmt::format("; not minimal: {} can be left out", c.counterexample);
  else if (s.out_of_time) out += "; out of time: whether more can be left out was not tried";
  else out += "; stopped before it was minimal";
  return out;
}

std::string describe_order(const Shrunk& s) {
  if (!s.any_order) return "";
  if (s.fifo)
    return fmt::format("with links that keep order: another run, of {} actions",
                       s.fifo->steps.size() - 1);
  return s.in_order ? "with links that keep order: the same run"
                    : "with links that keep order: not found";
}

Result<Shrunk> shrink(const Trace& trace, const ShrinkOptions& options,
                      const std::atomic<bool>& stop) {
  auto outline = outline_of(trace);
  if (!outline) return tl::unexpected(outline.error());
  return Shrinker(*std::move(outline), options, stop).run(trace);
}

}  // namespace schism
