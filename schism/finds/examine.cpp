#include "schism/finds/examine.hpp"

#include <algorithm>
#include <chrono>

#include "schism/base/shell.hpp"
#include "schism/draw/format.hpp"
#include "schism/draw/story.hpp"
#include "schism/finds/again_in_small.hpp"
#include "schism/finds/folder.hpp"
#include "schism/finds/repetitions.hpp"
#include "schism/guard/child.hpp"
#include "schism/run/make_world.hpp"

namespace schism {

bool Coding<Trace>::get(Decoder& d, Trace& trace) {
  std::string text;
  if (!decode_from(d, text)) return false;
  auto read = parse_trace(text, "a player's trace");
  if (!read) return d.fail("a trace cannot be read: " + read.error());
  trace = *std::move(read);
  return true;
}

namespace {

constexpr Micros kPatience = 4;
constexpr std::size_t kLongRun = 1000;  // steps

// A hang is believed after a longer time alone; while it is shrunk less must do.
Trace with_hang(Trace trace, Micros hang) {
  trace.config.setup.options.hang = hang;
  return trace;
}

class Examiner {
 public:
  Examiner(const RunConfig& config, const LookClosely& order, const std::atomic<bool>& over)
      : config_(config), order_(order), over_(over) {}

  // The run again, with its events.
  Original record() const {
    RunConfig patient = config_;
    patient.setup.options.hang *= kPatience;
    // A death whose place is known need not be died again for this.
    const bool known = order_.died && order_.died->step > 0;
    if (known) patient.setup.death = std::make_shared<const Death>(*order_.died);
    guard::set_trusting(known);
    std::vector<Recorded> steps =
        needs_plan() ? decided_anew(patient) : schism::record(order_.decisions, order_.contents);
    patient.setup.options.time = make_scheduler(config_, order_.plan.arm)->time_use();
    Original out;
    out.trace = make_trace(patient, order_.plan, order_.run, std::move(steps));
    if (out.trace.violation)
      if (const auto outline = outline_of(out.trace))
        out.evidence = signature(*out.trace.violation, *outline);
    guard::set_trusting(false);
    out.trace.config.setup.options.hang = config_.setup.options.hang;
    return out;
  }

  // And again, to see whether it is the same.
  Confirmed confirm(const Trace& trace) const {
    Confirmed out;
    const ReplayReport again = replay(with_hang(trace, config_.setup.options.hang * kPatience));
    out.difference = again.difference;
    const auto death = again.now.config.setup.death;
    if (order_.died && !death)
      out.difference = Difference{order_.died->step, order_.died->sentence(), "it survives"};
    if (!order_.died && death)
      out.difference = Difference{death->step, "it survives", death->sentence()};
    if (!out.difference && !trace.violation)
      out.difference = Difference{0, "a violation", "no violation when the run was repeated"};
    return out;
  }

  Examined look(Trace trace) const {
    Examined out;
    auto own = look_closely(std::move(trace));
    if (!own) return {{}, own.error()};
    std::vector<Trace> others;
    if (own->small) others.swap(own->small->others);
    out.specimens.push_back(*std::move(own));
    for (Trace& met : others) {
      auto other = look_closely(std::move(met));
      if (!other) continue;
      if (other->small) other->small->others.clear();
      out.specimens.push_back(*std::move(other));
    }
    return out;
  }

 private:
  // Who died has left its decisions, but not what it put into messages.
  bool needs_plan() const {
    return order_.decisions.empty() ||
           (order_.died &&
            std::any_of(order_.decisions.begin(), order_.decisions.end(), has_content));
  }

  std::vector<Recorded> decided_anew(RunConfig& patient) const {
    Runner runner(patient.setup, patient.limits);
    const auto scheduler = make_scheduler(config_, order_.plan.arm);
    scheduler->heed(order_.policy);
    runner.run(*scheduler, order_.plan);
    const World& world = runner.world();
    patient.setup.death = world.setup().death;
    return schism::record(world.decisions(), world.contents());
  }

  Result<Specimen> look_closely(Trace trace) const {
    Specimen out;
    const Micros hang = trace.config.setup.options.hang;
    out.trace = std::move(trace);
    // A long run may take all the time there is; with fewer nodes it may be short from the start.
    const bool is_long = out.trace.steps.size() > kLongRun;
    ShrinkOptions options;
    options.seconds = seconds_left() * (is_long ? 0.3 : 1);
    if (order_.shrink)
      if (auto shrunk = shrink(with_hang(out.trace, hang / 2), options, over_)) {
        options.seconds = seconds_left() * (is_long ? 0.7 : 1);
        if (order_.policy.empty() && !order_.died && (is_long || !shrunk->out_of_time))
          if (auto smaller = again_in_small(out.trace, *shrunk, options, over_)) {
            smaller->others = std::move(shrunk->others);
            *shrunk = *std::move(smaller);
          }
        options.seconds = seconds_left();
        if (is_long && shrunk->out_of_time) go_on(options, *shrunk);
        shrunk->trace.config.setup.options.hang = hang;
        if (shrunk->fifo) shrunk->fifo->config.setup.options.hang = hang;
        for (Trace& other : shrunk->others) other.config.setup.options.hang = hang;
        out.small = *std::move(shrunk);
      }
    auto look = look_of(out.smallest());
    if (!look) return tl::unexpected(look.error());
    out.look = *std::move(look);
    draw(out);
    return out;
  }

  // With the time that is left.
  void go_on(const ShrinkOptions& options, Shrunk& shrunk) const {
    auto more = shrink(shrunk.trace, options, over_);
    if (!more || !(more->after < shrunk.after)) return;
    more->before = shrunk.before;
    more->replays += shrunk.replays;
    more->others = std::move(shrunk.others);
    shrunk = *std::move(more);
  }

  // For everything that is shrunk in this examination; 0: no limit.
  double seconds_left() const {
    if (order_.seconds <= 0) return 0;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun_;
    return std::max(order_.seconds - spent.count(), 0.001);
  }

  void draw(Specimen& specimen) const {
    const Pictures& wanted = order_.pictures;
    if (wanted.story) {
      StoryOptions story;
      story.color = wanted.color;
      story.width = wanted.width;
      story.rows_max = 120;
      specimen.story = tell(specimen.smallest(), story);
    }
    if (wanted.out.empty()) return;
    draw::DrawOptions page;
    const std::string folder =
        wanted.out + "/" + folder_name(specimen.trace, specimen.look.evidence);
    page.replay = quote(wanted.program) + " replay " + quote(folder);
    specimen.page = draw::draw_html(specimen.smallest(), page);
  }

  const RunConfig& config_;
  const LookClosely& order_;
  const std::atomic<bool>& over_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace

void examine(const RunConfig& config, const LookClosely& order, guard::Outbox& out,
             const std::atomic<bool>& over) {
  if (!has(config.setup, Need::exact_replay)) return examine_repeatedly(config, order, out, over);
  const Examiner examiner(config, order, over);
  Original original = examiner.record();
  out.put(encode(original));
  out.flush();
  const Confirmed confirmed = examiner.confirm(original.trace);
  out.put(encode(confirmed));
  if (!confirmed.difference) out.put(encode(examiner.look(std::move(original.trace))));
}

}  // namespace schism
