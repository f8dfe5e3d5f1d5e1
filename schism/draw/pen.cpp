#include "schism/draw/pen.hpp"

#include <fmt/format.h>

#include "schism/base/escape.hpp"
#include "schism/base/text.hpp"
#include "schism/draw/format.hpp"
#include "schism/explain/lies.hpp"
#include "schism/system/liars.hpp"
#include "schism/trace/claim.hpp"

namespace schism {
namespace {

constexpr std::string_view kBold = "\x1b[1m", kRed = "\x1b[31m", kDim = "\x1b[2m",
                           kPlain = "\x1b[0m";
constexpr std::string_view kPalette[] = {kBold, kRed, kDim, kPlain, ""};
constexpr std::size_t kTextMin = 24;

std::vector<std::string> lane_names(const Setup& setup) {
  std::vector<std::string> out;
  for (NodeId id = 0; id < setup.places(); ++id) out.push_back(place_text(setup, id));
  return out;
}

}  // namespace

const std::string_view* story_palette() { return kPalette; }

namespace draw {

Pen::Pen(const Trace& trace, const StoryOptions& options, Sink sink)
    : trace_(trace),
      options_(options),
      sink_(std::move(sink)),
      lanes_(lane_names(trace.config.setup)) {
  // Many nodes on a narrow page: thin lanes, and beyond that none; the text names the nodes.
  for (const std::size_t width : {4U, 3U, 2U, 1U, 0U}) {
    lanes_.set_width(width);
    if (used() + kTextMin <= static_cast<std::size_t>(options.width)) break;
  }
}

std::string Pen::paint(std::string_view color, const std::string& text) const {
  return options_.color && !color.empty() ? fmt::format("{}{}{}", color, text, kPlain) : text;
}

std::string Pen::heading() const {
  std::string out;
  for (const std::string& line : lanes_.heading())
    out += paint(kBold, fmt::format("{:>6}  {}", out.empty() ? "step" : "", line)) + "\n";
  return out;
}

// One row: the lanes with marks put over them, then the text.
void Pen::row(const std::string& number, const std::string& picture, const std::string& text,
              std::string_view color) {
  std::string shown = clip(printable(text), static_cast<std::size_t>(options_.width) - used());
  const bool whole = dimmed_ && color != kRed;
  if (!whole) shown = paint(color, shown);
  std::string line =
      fmt::format("{:>6} {}{}  {}", number, dimmed_ && !number.empty() ? "·" : " ", picture, shown);
  while (!line.empty() && line.back() == ' ') line.pop_back();
  sink_((whole ? paint(kDim, line) : line) + "\n");
}

void Pen::step(std::uint32_t number, const SceneStep& s, const std::vector<std::string>& changes,
               bool told) {
  const std::string picture = told ? lanes_.draw(s) : std::string();
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
    for (const std::string& role : s.roles) row("", lanes_.quiet(), "  ◆ evidence: " + role, kRed);
  if (s.violating)
    row("", lanes_.quiet(), "  ◆ " + trace_.violation->property + " is violated here", kRed);
}

void Pen::folded(const std::string& text) {
  dimmed_ = false;
  row("⋮", lanes_.quiet(), text, kDim);
}

std::string Pen::verdict() const {
  if (!trace_.violation) return "";
  const Violation& v = *trace_.violation;
  const std::string line = printable(fmt::format("{:>6}  {}: {}", "◆", v.property, v.message));
  std::string out = paint(kRed, clip(line, static_cast<std::size_t>(options_.width))) + "\n";
  const std::string beyond = beyond_claim(trace_);
  if (!beyond.empty()) out += fmt::format("{:>6}  beyond its claim: {}\n", "", beyond);
  for (const std::string& lie : lies_of(trace_))
    out += fmt::format("{:>6}  {}\n", "", printable(lie));
  return out;
}

}  // namespace draw
}  // namespace schism
