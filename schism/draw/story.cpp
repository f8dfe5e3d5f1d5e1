#include "schism/draw/story.hpp"

#include <fmt/format.h>

#include "schism/base/escape.hpp"
#include "schism/draw/fold.hpp"
#include "schism/draw/format.hpp"
#include "schism/draw/pen.hpp"
#include "schism/explain/states.hpp"

namespace schism {
namespace {

class Teller {
 public:
  Teller(const Trace& trace, const StoryOptions& options)
      : options_(options),
        scene_(draw::make_scene(trace)),
        pen_(trace, options, [this](std::string row) { rows_.push_back(std::move(row)); }) {
    if (options.states) states_ = draw::states_of(trace);
    now_.resize(static_cast<std::size_t>(scene_.nodes));
  }

  std::string tell() {
    for (const draw::Piece& piece : pieces()) tell(piece);
    // The cut goes through rows, not steps: a step with many effects counts as what it takes.
    if (options_.rows_max > 0 && rows_.size() > options_.rows_max) {
      const auto first = static_cast<std::ptrdiff_t>(options_.rows_max / 4);
      const std::size_t hidden = rows_.size() - options_.rows_max;
      rows_.erase(rows_.begin() + first,
                  rows_.begin() + first + static_cast<std::ptrdiff_t>(hidden));
      rows_.insert(rows_.begin() + first,
                   fmt::format("{:>6}  … {} lines left out …\n", "", hidden));
    }
    std::string out = pen_.heading();
    for (const std::string& row : rows_) out += row;
    return out + pen_.verdict();
  }

 private:
  std::vector<draw::Piece> pieces() const {
    if (folds(options_)) return draw::fold(draw::likenesses(scene_));
    std::vector<draw::Piece> single(scene_.steps.size());
    for (std::uint32_t i = 0; i < single.size(); ++i) single[i].first = i;
    return single;
  }

  // What repeats is told once, with how often it came.
  void tell(const draw::Piece& piece) {
    const std::uint32_t told = piece.first + piece.told();
    for (std::uint32_t i = piece.first; i < piece.end(); ++i)
      pen_.step(i, scene_.steps[i], state_changes(i), i < told);
    if (piece.steps > 1) pen_.folded(draw::describe(piece, scene_));
  }

  // A step that is not told changes its node all the same.
  std::vector<std::string> state_changes(std::uint32_t number) {
    if (!options_.states) return {};
    return draw::tell_changes(scene_.trace->config.setup, states_.changed[number], now_,
                              number == 0);
  }

  const StoryOptions& options_;
  draw::Scene scene_;
  draw::States states_;
  std::vector<Value> now_;
  std::vector<std::string> rows_;
  draw::Pen pen_;
};

}  // namespace

bool folds(const StoryOptions& options) {
  // Who asks for a range wants its steps.
  return options.fold && options.from == 0 && options.to == UINT32_MAX;
}

std::string tell(const Trace& trace, const StoryOptions& options) {
  return Teller(trace, options).tell();
}

namespace draw {

StoryOptions story_options(const DrawOptions& options) {
  StoryOptions story;
  story.width = options.width;
  story.color = options.color;
  story.sends = options.sends;
  story.states = options.states;
  story.fold = options.fold;
  story.from = options.from;
  story.to = options.to;
  return story;
}

namespace {

std::string draw_text(const Trace& trace, const DrawOptions& options) {
  return printable(to_flags(trace.config)) + "\n\n" + tell(trace, story_options(options));
}

const Registration registered =
    add_format({10, "text", "a space-time diagram for the terminal", draw_text});

}  // namespace
}  // namespace draw
}  // namespace schism
