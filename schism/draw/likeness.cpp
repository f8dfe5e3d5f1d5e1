// When two steps are alike: the same action at the same nodes, with the same words but for numbers.
#include <fmt/format.h>

#include <algorithm>

#include "schism/base/text.hpp"
#include "schism/draw/fold.hpp"

namespace schism::draw {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "Append(term=12, entries=[])" is like "Append(term=9, entries=[])". A digit inside a word
// belongs to a name.
Hash128 absorb_shape(Hash128 h, std::string_view text) {
  std::string shape;
  shape.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char before = i == 0 ? ' ' : text[i - 1];
    const bool in_word = (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') ||
                         before == '_' || before == '-';
    if (!is_digit(text[i]) || in_word) {
      shape += text[i];
      continue;
    }
    shape += '#';
    while (i + 1 < text.size() && (is_digit(text[i + 1]) || text[i + 1] == '.')) ++i;
  }
  return absorb_text(h, shape);
}

// Faults, requests and macro steps are somebody's doing; what goes on by itself is not.
bool goes_on_by_itself(Do kind) {
  return kind == Do::deliver || kind == Do::fire || kind == Do::complete || kind == Do::advance;
}

// What is announced or answered counts word for word: it is what judges look at.
bool is_news(EffectKind kind) {
  return kind == EffectKind::announces || kind == EffectKind::answers || kind == EffectKind::fails;
}

}  // namespace

Likeness likeness_of(const SceneStep& step) {
  Likeness out;
  out.alone = !goes_on_by_itself(step.kind) || step.violating || !step.roles.empty();
  Hash128 h = seeded("step", static_cast<std::uint64_t>(step.kind));
  for (const int place : {step.node, step.from, step.to, step.client})
    h = absorb(h, static_cast<std::uint64_t>(place));
  out.exact = absorb_text(h, step.label);
  out.shape = step.kind == Do::advance ? h : absorb_shape(h, step.label);
  if (step.kind == Do::advance) out.exact = h;  // the clock always says something else
  for (const Effect& effect : step.effects) {
    out.exact = absorb_text(out.exact, effect.text);
    out.shape = is_news(effect.kind) ? absorb_text(out.shape, effect.text)
                                     : absorb_shape(out.shape, effect.text);
  }
  return out;
}

std::string_view head_of(std::string_view label) {
  return label.substr(0, std::min(label.find('('), label.size()));
}

namespace {

struct Counted {
  std::string_view name;
  std::uint64_t times;
};

// In the order in which they come first.
std::vector<Counted> count(std::span<const std::string_view> labels) {
  std::vector<Counted> out;
  for (const std::string_view label : labels) {
    const std::string_view name = head_of(label);
    const auto at =
        std::find_if(out.begin(), out.end(), [&](const Counted& one) { return one.name == name; });
    if (at != out.end()) ++at->times;
    else out.push_back({name, 1});
  }
  return out;
}

std::string grouped(std::uint64_t number) {
  std::string out = std::to_string(number);
  for (std::size_t at = out.size(); at > 3; at -= 3) out.insert(at - 3, ",");
  return out;
}

}  // namespace

std::vector<Likeness> likenesses(const Scene& scene) {
  std::vector<Likeness> out;
  out.reserve(scene.steps.size());
  bool tail = false;
  for (const SceneStep& step : scene.steps) {
    out.push_back(likeness_of(step));
    tail = tail || step.kind == Do::calm;
    out.back().tail = tail;
  }
  return out;
}

std::string describe(const Piece& piece, std::span<const std::string_view> labels,
                     std::int64_t last) {
  constexpr std::size_t kNamesMax = 5;
  const std::vector<Counted> names = count(
      piece.is_cycle() ? labels.first(std::min<std::size_t>(piece.period, labels.size())) : labels);
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < kNamesMax; ++i) {
    const std::uint64_t times = names[i].times * piece.rounds();
    out += fmt::format("{}{} × {}", out.empty() ? "" : ", ", names[i].name, grouped(times));
  }
  if (names.size() > kNamesMax) out += ", …";
  out += fmt::format(", to step {}", grouped(static_cast<std::uint64_t>(last)));
  if (!piece.exact) return out + ": only numbers differ";
  return out + (piece.is_medley() ? ": nothing new" : "");
}

std::string describe(const Piece& piece, const Scene& scene) {
  std::vector<std::string_view> labels;
  for (std::uint32_t i = piece.first; i < piece.end(); ++i) labels.push_back(scene.steps[i].label);
  return describe(piece, labels, std::int64_t{piece.end()} - 1);
}

}  // namespace schism::draw
