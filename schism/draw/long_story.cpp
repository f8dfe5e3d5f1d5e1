#include "schism/draw/long_story.hpp"

#include <set>

#include "schism/draw/pen.hpp"
#include "schism/explain/states.hpp"
#include "schism/run/make_world.hpp"

namespace schism::draw {

Result<Skimmed> skim(const Source& source) {
  Skimmed out;
  std::optional<SceneReader> scenes;
  bool tail = false;
  auto trace = read_trace(source, [&](const Trace& so_far, const Recorded& recorded) {
    if (!scenes) scenes.emplace(so_far.config.setup);
    const SceneStep step = scenes->read(recorded);
    tail = tail || step.kind == Do::calm;
    out.likenesses.push_back(likeness_of(step));
    out.likenesses.back().tail = tail;
  });
  if (!trace) return tl::unexpected(trace.error());
  out.trace = *std::move(trace);
  if (const auto& violation = out.trace.violation) {
    const auto alone = [&](std::uint32_t step) {
      if (step < out.likenesses.size()) out.likenesses[step].alone = true;
    };
    alone(violation->step);
    for (const Evidence& e : violation->evidence) alone(e.step);
  }
  return out;
}

namespace {

class LongTeller {
 public:
  LongTeller(Skimmed skimmed, const StoryOptions& options, const Pen::Sink& give)
      : trace_(std::move(skimmed.trace)),
        scenes_(trace_.config.setup),
        pen_(trace_, options, give),
        now_(static_cast<std::size_t>(trace_.config.setup.places())) {
    if (folds(options)) pieces_ = fold(skimmed.likenesses);
    skimmed.likenesses = std::vector<Likeness>();  // and their memory
    verdict_ = pen_.verdict();
    if (options.states && has(trace_.config.setup, Need::exact_replay)) walk_.emplace(trace_);
  }

  std::string heading() const { return pen_.heading(); }
  const std::string& verdict() const { return verdict_; }
  Differs differs() const { return differs_; }

  // Steps come in order.
  void take(const Recorded& recorded) {
    const std::uint32_t number = next_++;
    SceneStep step = scenes_.read(recorded);
    if (trace_.violation) mark(*trace_.violation, number, step);
    std::vector<std::string> changes;
    if (walk_) changes = changes_in(number, recorded);
    if (pieces_.empty()) return pen_.step(number, step, changes, true);
    const Piece& piece = pieces_[piece_];
    pen_.step(number, step, changes, number < piece.first + piece.told());
    if (piece.steps > 1) labels_.push_back(*names_.emplace(head_of(step.label)).first);
    if (number + 1 < piece.end()) return;
    if (piece.steps > 1) pen_.folded(describe(piece, labels_, number));
    labels_.clear();
    ++piece_;
  }

 private:
  static void mark(const Violation& violation, std::uint32_t number, SceneStep& step) {
    for (const Evidence& e : violation.evidence)
      if (e.step == number) step.roles.push_back(e.role);
    step.violating = violation.step == number;
  }

  std::vector<std::string> changes_in(std::uint32_t number, const Recorded& recorded) {
    const auto changed = walk_->next();
    if (!differs_ && with_events({}, walk_->world()).events != recorded.events) differs_ = number;
    return tell_changes(trace_.config.setup, changed, now_, number == 0);
  }

  Trace trace_;
  std::string verdict_;
  SceneReader scenes_;
  Pen pen_;
  std::vector<Piece> pieces_;
  std::size_t piece_ = 0;
  std::set<std::string, std::less<>> names_;  // what `labels_` points into
  std::vector<std::string_view> labels_;      // of the piece that is being told
  std::optional<StateWalk> walk_;
  std::vector<Value> now_;
  std::uint32_t next_ = 0;
  Differs differs_;
};

}  // namespace

Result<Differs> tell_long(const Source& source, Skimmed skimmed, const StoryOptions& options,
                          const std::function<void(std::string row)>& give) {
  LongTeller teller(std::move(skimmed), options, give);
  give(teller.heading());
  const auto told = read_trace(
      source, [&](const Trace&, const Recorded& step) { teller.take(step); }, Keep::nothing);
  if (!told) return tl::unexpected(told.error());
  give(teller.verdict());
  return teller.differs();
}

}  // namespace schism::draw
