#include "schism/draw/story.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/base/escape.hpp"
#include "schism/base/text.hpp"
#include "schism/draw/fold.hpp"
#include "schism/draw/format.hpp"
#include "schism/draw/lanes.hpp"
#include "schism/draw/scene.hpp"
#include "schism/explain/states.hpp"
#include "schism/trace/claim.hpp"

namespace schism {
namespace {

using draw::Effect;
using draw::EffectKind;
using draw::Lanes;
using draw::SceneStep;

constexpr std::string_view kBold = "\x1b[1m", kRed = "\x1b[31m", kDim = "\x1b[2m",
                           kPlain = "\x1b[0m";
constexpr std::string_view kPalette[] = {kBold, kRed, kDim, kPlain, ""};
constexpr std::size_t kTextMin = 24;

class Teller {
 public:
  Teller(const Trace& trace, const StoryOptions& options)
      : trace_(trace), options_(options), scene_(draw::make_scene(trace)), lanes_(scene_.nodes) {
    // Many nodes on a narrow page: thin lanes, and beyond that none; the text names the nodes.
    for (const std::size_t width : {4U, 3U, 2U, 1U, 0U}) {
      lanes_.set_width(width);
      if (used() + kTextMin <= static_cast<std::size_t>(options.width)) break;
    }
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
    std::string out;
    for (const std::string& line : lanes_.heading())
      out += paint(kBold, fmt::format("{:>6}  {}", out.empty() ? "step" : "", line)) + "\n";
    for (const std::string& row : rows_) out += row;
    return out + verdict();
  }

 private:
  std::string paint(std::string_view color, const std::string& text) const {
    return options_.color && !color.empty() ? fmt::format("{}{}{}", color, text, kPlain) : text;
  }

  std::size_t used() const { return 8 + lanes_.columns() + 2; }

  // One row: the lanes with marks put over them, then the text.
  void row(const std::string& number, const std::string& picture, const std::string& text,
           std::string_view color) {
    std::string shown =
        draw::clip(printable(text), static_cast<std::size_t>(options_.width) - used());
    const bool whole = dimmed_ && color != kRed;
    if (!whole) shown = paint(color, shown);
    std::string line = fmt::format("{:>6} {}{}  {}", number, dimmed_ && !number.empty() ? "·" : " ",
                                   picture, shown);
    while (!line.empty() && line.back() == ' ') line.pop_back();
    rows_.push_back((whole ? paint(kDim, line) : line) + "\n");
  }

  std::vector<draw::Piece> pieces() const {
    // Who asks for a range wants its steps.
    const bool whole = options_.from == 0 && options_.to == UINT32_MAX;
    if (options_.fold && whole) return draw::fold(draw::likenesses(scene_));
    std::vector<draw::Piece> single(scene_.steps.size());
    for (std::uint32_t i = 0; i < single.size(); ++i) single[i].first = i;
    return single;
  }

  // What repeats is told once, with how often it came.
  void tell(const draw::Piece& piece) {
    const std::uint32_t told = piece.first + piece.told();
    for (std::uint32_t i = piece.first; i < piece.end(); ++i) step(i, i < told);
    if (piece.steps == 1) return;
    dimmed_ = false;
    row("⋮", lanes_.quiet(), draw::describe(piece, scene_), kDim);
  }

  // A step that is not told changes its node all the same.
  void step(std::uint32_t number, bool told) {
    const SceneStep& s = scene_.steps[number];
    const std::string picture = told ? lanes_.draw(s) : std::string();
    const std::vector<std::string> changes = state_changes(number);
    if (!told || number < options_.from || number > options_.to) return;
    dimmed_ = !s.relevant;
    row(std::to_string(number), picture, s.title, "");
    for (const Effect& e : s.effects) {
      if (e.kind == EffectKind::sends && !options_.sends) continue;
      const bool loud = e.kind == EffectKind::announces || e.kind == EffectKind::answers ||
                        e.kind == EffectKind::fails;
      row("", lanes_.quiet(), "  " + e.text, loud ? kBold : kDim);
    }
    for (const std::string& change : changes) row("", lanes_.quiet(), "  " + change, kDim);
    if (!s.violating)
      for (const std::string& role : s.roles)
        row("", lanes_.quiet(), "  ◆ evidence: " + role, kRed);
    if (s.violating)
      row("", lanes_.quiet(), "  ◆ " + trace_.violation->property + " is violated here", kRed);
  }

  // How the nodes differ from before. What they start with is no change.
  std::vector<std::string> state_changes(std::uint32_t number) {
    std::vector<std::string> out;
    if (!options_.states) return out;
    for (const auto& [node, state] : states_.changed[number]) {
      Value& before = now_[static_cast<std::size_t>(node)];
      const bool was_up = !before.is_null() && !state.is_null();
      const std::string change = was_up ? draw::describe_change(before, state) : std::string();
      before = state;
      if (number > 0 && !change.empty()) out.push_back("≡ " + change);
    }
    return out;
  }

  std::string verdict() const {
    if (!trace_.violation) return "";
    const Violation& v = *trace_.violation;
    const std::string line = printable(fmt::format("{:>6}  {}: {}", "◆", v.property, v.message));
    std::string out =
        paint(kRed, draw::clip(line, static_cast<std::size_t>(options_.width))) + "\n";
    const FaultKinds beyond = beyond_claim(trace_.config.setup, faults_in(trace_));
    if (!beyond.empty()) out += fmt::format("{:>6}  beyond its claim: {}\n", "", beyond.text());
    return out;
  }

  const Trace& trace_;
  const StoryOptions& options_;
  draw::Scene scene_;
  Lanes lanes_;
  draw::States states_;
  std::vector<Value> now_;
  bool dimmed_ = false;  // the step that is being told does not matter
  std::vector<std::string> rows_;
};

}  // namespace

std::string tell(const Trace& trace, const StoryOptions& options) {
  return Teller(trace, options).tell();
}

const std::string_view* story_palette() { return kPalette; }

namespace draw {
namespace {

std::string draw_text(const Trace& trace, const DrawOptions& options) {
  StoryOptions story;
  story.width = options.width;
  story.color = options.color;
  story.sends = options.sends;
  story.states = options.states;
  story.fold = options.fold;
  story.from = options.from;
  story.to = options.to;
  return printable(to_flags(trace.config)) + "\n\n" + tell(trace, story);
}

const Registration registered =
    add_format({10, "text", "a space-time diagram for the terminal", draw_text});

}  // namespace
}  // namespace draw
}  // namespace schism
