#include "schism/trace/story.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/base/text.hpp"
#include "schism/trace/describe.hpp"

namespace schism {
namespace {

constexpr std::string_view kBold = "\x1b[1m", kRed = "\x1b[31m", kDim = "\x1b[2m",
                           kPlain = "\x1b[0m";

// Characters of a UTF-8 text, as columns: all that is drawn here is one wide.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string clip(std::string text, std::size_t width) {
  if (columns(text) <= width) return text;
  std::size_t bytes = 0, seen = 0;
  while (bytes < text.size() && (seen < width - 1 || (text[bytes] & 0xc0) == 0x80))
    seen += (text[bytes++] & 0xc0) != 0x80 ? 1 : 0;
  return text.substr(0, bytes) + "…";
}

class Teller {
 public:
  Teller(const Trace& trace, const StoryOptions& options)
      : trace_(trace),
        options_(options),
        nodes_(trace.config.setup.nodes),
        up_(static_cast<std::size_t>(nodes_), true) {
    // Many nodes on a narrow page: thin lanes, and beyond that none; the text names the nodes.
    for (const std::size_t lane : {4U, 2U, 0U})
      if (lane_ = lane; used() + kTextMin <= static_cast<std::size_t>(options.width)) break;
  }

  std::string tell() {
    head();
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) step(static_cast<std::uint32_t>(i));
    // The cut goes through rows, not steps: a step with many effects counts as what it takes.
    if (options_.rows_max > 0 && rows_.size() > options_.rows_max) {
      const std::size_t first = options_.rows_max / 4;
      const std::size_t hidden = rows_.size() - options_.rows_max;
      rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(first),
                  rows_.begin() + static_cast<std::ptrdiff_t>(first + hidden));
      rows_.insert(rows_.begin() + static_cast<std::ptrdiff_t>(first),
                   fmt::format("{:>6}  … {} lines left out …\n", "", hidden));
    }
    std::string out = heading_;
    for (const std::string& row : rows_) out += row;
    return out + verdict();
  }

 private:
  std::string paint(std::string_view color, const std::string& text) const {
    return options_.color ? fmt::format("{}{}{}", color, text, kPlain) : text;
  }

  void head() {
    std::string lanes;
    for (int id = 0; id < nodes_ && lane_ > 0; ++id)
      lanes += fmt::format("{:<{}}", lane_ == 4 ? id : id % 10, lane_);
    while (lanes.ends_with(' ')) lanes.pop_back();
    heading_ = paint(kBold, fmt::format("{:>6}  {}", "step", lanes)) + "\n";
  }

  // One row: the lanes with marks put over them, then the text.
  void row(const std::string& number, const std::vector<std::string>& lanes,
           const std::string& text, std::string_view color) {
    std::string picture;
    for (const std::string& lane : lanes) picture += lane;
    std::string shown = clip(printable(text), static_cast<std::size_t>(options_.width) - used());
    if (!color.empty()) shown = paint(color, shown);
    std::string line = fmt::format("{:>6}  {}  {}", number, picture, shown);
    while (!line.empty() && line.back() == ' ') line.pop_back();
    rows_.push_back(line + "\n");
  }

  static constexpr std::size_t kTextMin = 24;
  std::size_t used() const { return 8 + static_cast<std::size_t>(nodes_) * lane_ + 2; }

  // A sign in a lane, and what fills the way to the next.
  std::string lane(std::string_view sign, std::string_view fill, std::string_view last = "") const {
    if (lane_ == 0) return "";
    std::string out(sign);
    for (std::size_t i = 1; i + 1 < lane_; ++i) out += fill;
    return out + std::string(last.empty() ? fill : last);
  }

  std::vector<std::string> quiet() const {
    std::vector<std::string> lanes;
    for (int id = 0; id < nodes_; ++id)
      lanes.push_back(lane(up_[static_cast<std::size_t>(id)] ? "│" : "┊", " "));
    return lanes;
  }

  void arrow(std::vector<std::string>& lanes, int from, int to, std::string_view head) const {
    const int low = std::min(from, to), high = std::max(from, to);
    for (int id = low; id <= high; ++id) {
      const std::string_view sign = id == to ? head : id != from ? "┼" : from < to ? "├" : "┤";
      std::string& at = lanes[static_cast<std::size_t>(id)];
      if (id == high) at = lane(sign, " ");
      else if (id == high - 1 && to == high) at = lane(sign, "─", "▶");
      else at = lane(sign, "─");
      // The head of an arrow to the left stands right after its receiver.
      if (id == low && to == low && id < high && lane_ == 4) at = std::string(sign) + "◀──";
    }
  }

  void mark(std::vector<std::string>& lanes, int id, std::string_view sign) const {
    if (id >= 0 && id < nodes_) lanes[static_cast<std::size_t>(id)] = lane(sign, " ");
  }

  void step(std::uint32_t number) {
    const Recorded& step = trace_.steps[number];
    const System& system = *trace_.config.setup.system;
    const Action& a = step.action;
    std::string text = a.kind == Do::nothing ? "start" : print_action(system, a);
    const Name n = a.name;
    if (a.kind == Do::crash) up_[static_cast<std::size_t>(n.from())] = false;
    if (a.kind == Do::restart) up_[static_cast<std::size_t>(n.from())] = true;
    auto lanes = quiet();
    switch (a.kind) {
      case Do::deliver:
        arrow(lanes, n.from(), n.to(), "●");
        text = "deliver";
        break;
      case Do::drop: arrow(lanes, n.from(), n.to(), "✗"); break;
      case Do::fire: mark(lanes, n.from(), "◷"); break;
      case Do::complete: mark(lanes, n.from(), "▪"); break;
      case Do::submit: mark(lanes, static_cast<int>(a.arg()), "▼"); break;
      case Do::crash: mark(lanes, n.from(), "✗"); break;
      case Do::restart: mark(lanes, n.from(), "○"); break;
      case Do::pause:
      case Do::resume: mark(lanes, n.from(), "‖"); break;
      case Do::nothing:
        for (int id = 0; id < nodes_; ++id) mark(lanes, id, "○");
        break;
      default: break;
    }
    std::vector<std::string> details = effects(step, a, text);
    if (step.at >= 0 && a.kind == Do::advance) text = fmt::format("clock {} us", step.at);
    const bool violating = trace_.violation && trace_.violation->step == number;
    row(std::to_string(number), lanes, text, "");
    for (const std::string& detail : details) {
      const bool announced = detail.starts_with("* ");
      row("", quiet(), "  " + (announced ? detail.substr(2) : detail), announced ? kBold : kDim);
    }
    if (trace_.violation)
      for (const Evidence& e : trace_.violation->evidence)
        if (e.step == number && !violating) row("", quiet(), "  ◆ evidence: " + e.role, kRed);
    if (violating)
      row("", quiet(), "  ◆ " + trace_.violation->property + " is violated here", kRed);
  }

  // What the step's events say; `text` becomes the delivered message. Announcements begin with "*
  // ".
  std::vector<std::string> effects(const Recorded& step, const Action& a, std::string& text) const {
    std::vector<std::string> out;
    std::vector<std::pair<std::string, std::string>> sends;  // content, receivers
    for (const std::string& raw : step.events) {
      const auto event = parse_json(raw);
      if (!event) continue;
      const auto word = [&](std::string_view key) -> std::string {
        const Value* v = event->find(key);
        return v ? print(*v) : std::string();
      };
      const std::string kind = word("event");
      const Value* body = event->find("body");
      const std::string content = print(word("type"), body ? *body : Value());
      const std::string who = a.kind == Do::nothing ? "node " + word("node") + ": " : "";
      if (kind == "delivered") {
        text = fmt::format("{} receives {} from {}", word("to"), content, word("from"));
      } else if (kind == "sent" && options_.sends) {
        const std::string what = a.kind == Do::nothing
                                     ? "node " + word("from") + ": sends " + content
                                     : "sends " + content;
        if (sends.empty() || sends.back().first != what) sends.emplace_back(what, word("to"));
        else sends.back().second += " " + word("to");
      } else if (kind == "announced") {
        out.push_back("* " + who + content);
      } else if (kind == "answered") {
        out.push_back(fmt::format("* {}answers client {}: {}", who, word("client"), content));
      } else if (kind == "invoked") {
        text = fmt::format("client {} asks {}: {}", word("client"), word("node"), content);
      } else if (kind == "lost") {
        out.push_back(fmt::format("lost: {} from {} to {}", content, word("from"), word("to")));
      } else if (kind == "failed") {
        out.push_back("* fails: " + word("body"));
      }
    }
    for (const auto& [what, receivers] : sends) out.push_back(what + " to " + receivers);
    return out;
  }

  std::string verdict() const {
    if (!trace_.violation) return "";
    const Violation& v = *trace_.violation;
    const std::string line = fmt::format("{:>6}  {}: {}", "◆", v.property, printable(v.message));
    return paint(kRed, clip(line, static_cast<std::size_t>(options_.width))) + "\n";
  }

  const Trace& trace_;
  const StoryOptions& options_;
  int nodes_;
  std::vector<bool> up_;
  std::size_t lane_ = 4;  // columns a node
  std::string heading_;
  std::vector<std::string> rows_;
};

}  // namespace

std::string tell(const Trace& trace, const StoryOptions& options) {
  return Teller(trace, options).tell();
}

}  // namespace schism
