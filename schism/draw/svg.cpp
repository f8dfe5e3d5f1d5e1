#include "schism/draw/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "schism/base/escape.hpp"

namespace schism::draw {
namespace {

constexpr int kRow = 24, kTop = 4, kHead = 24, kLeft = 46, kLetter = 7;
constexpr std::size_t kTextMax = 64;

class Drawing {
 public:
  Drawing(const Scene& scene, const std::vector<std::int64_t>& rows,
          const std::vector<RowLook>& looks, const std::string& prefix)
      : scene_(scene), rows_(rows), looks_(looks), prefix_(prefix) {
    gap_ = scene.nodes <= 4 ? 44 : scene.nodes <= 8 ? 34 : scene.nodes <= 24 ? 24 : 14;
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (rows[row] >= 0) row_of_[rows[row]] = static_cast<int>(row);
  }

  std::string draw() {
    const int width = text_x() + static_cast<int>(kTextMax) * kLetter;
    const int height = kTop + static_cast<int>(rows_.size()) * kRow + 8;
    std::string out =
        heads(width) +
        fmt::format(
            "<svg width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
            "{1}\" role=\"img\" aria-label=\"space-time diagram\">\n"
            "<defs><marker id=\"{2}head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
            "markerWidth=\"8\" "
            "markerHeight=\"8\" orient=\"auto\"><path class=\"arrowhead\" d=\"M0 0.5 8 4 0 7.5z\"/>"
            "</marker></defs>\n",
            width, height, prefix_);
    for (std::size_t row = 0; row < rows_.size(); ++row) out += band(row, width);
    for (NodeId id = 0; id < scene_.nodes; ++id) out += lane(id);
    for (const std::int64_t step : rows_)
      if (step >= 0) out += message(static_cast<std::size_t>(step));
    for (const std::int64_t step : rows_)
      if (step >= 0) out += marks(static_cast<std::size_t>(step));
    return out + "</svg>\n";
  }

 private:
  int x(NodeId id) const { return kLeft + id * gap_ + gap_ / 2; }
  static int y_of_row(int row) { return kTop + row * kRow + kRow / 2; }
  int y(std::int64_t step) const { return y_of_row(row_of_.at(step)); }
  int text_x() const { return kLeft + scene_.nodes * gap_ + 10; }

  // The row's background, which is also what one clicks on, its number and its text.
  std::string band(std::size_t row, int width) const {
    const int top = kTop + static_cast<int>(row) * kRow;
    if (rows_[row] < 0)
      return fmt::format("<rect class=\"gap\" x=\"0\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", top,
                         width, kRow);
    const auto step = static_cast<std::size_t>(rows_[row]);
    const SceneStep& s = scene_.steps[step];
    std::string look = "row";
    if (!s.relevant) look += " dim";
    if (!s.roles.empty()) look += " evidence";
    if (s.violating) look += " violating";
    if (looks_[row] == RowLook::odd) look += " odd";
    if (looks_[row] == RowLook::differs) look += " other";
    return fmt::format(
        "<g class=\"{}\" id=\"{}{}\" data-row=\"{}\"><title>{}</title><rect x=\"0\" y=\"{}\" "
        "width=\"{}\" height=\"{}\"/><text class=\"number\" x=\"36\" y=\"{}\">{}</text>{}</g>\n",
        look, prefix_, step, row, escape_xml(tooltip(step)), top, width, kRow, top + 16, step,
        words(s, top + 16));
  }

  std::string tooltip(std::size_t step) const {
    const SceneStep& s = scene_.steps[step];
    std::string out = s.title;
    for (const Effect& e : s.effects) out += "; " + e.text;
    return clip(printable(out), 400);
  }

  // What part the step plays, then what it is, then what it says, as far as there is room.
  std::string words(const SceneStep& s, int baseline) const {
    std::string role;
    for (const std::string& one : s.roles) role += (role.empty() ? "◆ " : ", ") + one;
    if (s.violating && role.empty()) role = "◆ violated";
    std::string says;
    for (const Effect& e : s.effects)
      if (e.kind == EffectKind::announces || e.kind == EffectKind::answers ||
          e.kind == EffectKind::fails)
        says +=
            (says.empty() ? "" : " · ") + (e.kind == EffectKind::announces ? e.content : e.text);
    std::size_t room = kTextMax;
    std::string out;
    const auto put = [&](const std::string& text, std::string_view look) {
      if (text.empty() || room < 8) return;
      const std::string shown = clip(printable(text), room);
      room -= std::min(room, characters(shown) + 2);
      out += fmt::format("<tspan class=\"{}\" dx=\"{}\">{}</tspan>", look, out.empty() ? 0 : 10,
                         escape_xml(shown));
    };
    put(role, "role");
    put(s.label, "what");
    put(says, "loud");
    return fmt::format("<text x=\"{}\" y=\"{}\">{}</text>", text_x(), baseline, out);
  }

  // The nodes' numbers, in a picture of their own: they stay when the rows scroll.
  std::string heads(int width) const {
    std::string out = fmt::format("<svg class=\"heads\" width=\"{}\" height=\"{}\">", width, kHead);
    for (NodeId id = 0; id < scene_.nodes; ++id)
      if (gap_ > 14 || id % 2 == 0)
        out += fmt::format("<text class=\"head\" x=\"{}\" y=\"17\">{}</text>", x(id), id);
    return out + "</svg>\n";
  }

  // Solid while the node is up, dashed while it is down.
  std::string lane(NodeId id) const {
    std::string out;
    int from = kTop;
    bool up = true;
    const auto segment = [&](int to) {
      out += fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n",
                         up ? "lane" : "lane down", x(id), from, x(id), to);
      from = to;
    };
    // What happened before the first row shown counts too.
    for (std::size_t i = 0; i < scene_.steps.size(); ++i) {
      const SceneStep& s = scene_.steps[i];
      if (s.node != id || (s.kind != Do::crash && s.kind != Do::restart)) continue;
      if (row_of_.contains(static_cast<std::int64_t>(i))) segment(y(static_cast<std::int64_t>(i)));
      up = s.kind == Do::restart;
    }
    segment(kTop + static_cast<int>(rows_.size()) * kRow);
    return out;
  }

  std::string message(std::size_t step) const {
    const SceneStep& s = scene_.steps[step];
    if (!s.is_message() && s.kind != Do::cut && s.kind != Do::heal) return "";
    const auto own = static_cast<std::int64_t>(step);
    const bool known = s.sent_in >= 0 && row_of_.contains(s.sent_in) && s.is_message();
    const int y1 = known ? y(s.sent_in) : y(own);
    int x2 = x(s.to), y2 = y(own);
    const std::string_view look = s.kind == Do::deliver ? "message"
                                  : s.kind == Do::drop  ? "message lost"
                                                        : "link";
    std::string out;
    if (s.kind == Do::drop) {  // it ends on its way
      x2 = (x(s.from) + 2 * x2) / 3;
      out = cross(x2, y2);
    }
    if (s.from == s.to)
      return out + fmt::format(
                       "<path class=\"{}\" fill=\"none\" d=\"M{} {} q 16 {} 0 {}\" "
                       "marker-end=\"url(#{}head)\"/>\n",
                       dimmed(s, look), x(s.from), y1, (y2 - y1) / 2, y2 - y1, prefix_);
    // The head stops at the receiver's mark.
    const int short_of = s.kind == Do::deliver ? (x2 > x(s.from) ? -5 : 5) : 0;
    return out + fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n",
                             dimmed(s, look), x(s.from), y1, x2 + short_of, y2,
                             s.kind == Do::deliver
                                 ? fmt::format(" marker-end=\"url(#{}head)\"", prefix_)
                                 : std::string());
  }

  static std::string dimmed(const SceneStep& s, std::string_view look) {
    return std::string(look) + (s.relevant ? "" : " dim");
  }

  static std::string cross(int x, int y) {
    return fmt::format("<path class=\"fault\" d=\"M{} {} l10 10 m0 -10 l-10 10\"/>\n", x - 5,
                       y - 5);
  }

  std::string marks(std::size_t step) const {
    const SceneStep& s = scene_.steps[step];
    std::string out;
    if (s.kind == Do::nothing) {
      for (NodeId id = 0; id < scene_.nodes; ++id)
        out += fmt::format("<circle class=\"mark start\" cx=\"{}\" cy=\"{}\" r=\"4\"/>\n", x(id),
                           y(static_cast<std::int64_t>(step)));
      return out;
    }
    if (s.node < 0) return "";
    const int cx = x(s.node), cy = y(static_cast<std::int64_t>(step));
    const std::string look = dimmed(s, s.violating ? "mark bad" : "mark");
    switch (s.kind) {
      case Do::deliver:
        return fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"4.5\"/>\n", look, cx, cy);
      case Do::fire:  // a clock
        return fmt::format(
            "<circle class=\"{0} hollow\" cx=\"{1}\" cy=\"{2}\" r=\"6\"/><path class=\"hand\" "
            "d=\"M{1} {3} V{2} h3.5\"/>\n",
            look, cx, cy, cy - 4);
      case Do::complete:  // a disk
        return fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"9\" height=\"9\"/>\n",
                           look, cx - 4, cy - 4);
      case Do::submit:  // from outside
        return fmt::format("<path class=\"{}\" d=\"M{} {} h12 l-6 10z\"/>\n", look, cx - 6, cy - 5);
      case Do::crash: return cross(cx, cy);
      case Do::restart:
        return fmt::format("<circle class=\"mark start\" cx=\"{}\" cy=\"{}\" r=\"5\"/>\n", cx, cy);
      case Do::pause:
      case Do::resume:
        return fmt::format("<path class=\"fault\" d=\"M{} {} v10 m5 -10 v10\"/>\n", cx - 2, cy - 5);
      default: return "";
    }
  }

  const Scene& scene_;
  const std::vector<std::int64_t>& rows_;
  const std::vector<RowLook>& looks_;
  const std::string& prefix_;
  int gap_ = 44;
  std::map<std::int64_t, int> row_of_;
};

}  // namespace

std::string draw_svg(const Scene& scene, const std::vector<std::int64_t>& rows,
                     const std::vector<RowLook>& looks, const std::string& prefix) {
  return Drawing(scene, rows, looks, prefix).draw();
}

}  // namespace schism::draw
