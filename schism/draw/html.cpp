// `html`: one page that needs nothing from outside. The failing run beside its nearest passing
// neighbour, row by row; the state of each node at each step; what was judged, under which
// configuration, and how to do it again.
#include <fmt/format.h>

#include <algorithm>

#include "schism/base/escape.hpp"
#include "schism/draw/format.hpp"
#include "schism/draw/html_page.hpp"
#include "schism/draw/scene.hpp"
#include "schism/draw/svg.hpp"
#include "schism/explain/neighbour.hpp"
#include "schism/explain/states.hpp"
#include "schism/trace/claim.hpp"

namespace schism::draw {
namespace {

// A browser stays quick with so many; of longer runs the end is shown, where the violation is.
constexpr std::size_t kRowsMax = 3000;
constexpr std::string_view kPrefix[] = {"s", "p"};  // of identifiers: the run, its neighbour

struct Row {
  std::int64_t step[2] = {-1, -1};  // of the run and of its neighbour; -1: a gap
};

// Both runs row by row. The neighbour's steps are the run's own, but for one that stands elsewhere,
// some that are missing, and perhaps a tail of its own.
std::vector<Row> rows_of(const Trace& trace, const std::optional<Neighbour>& neighbour) {
  std::vector<Row> rows;
  const auto size = static_cast<std::int64_t>(trace.steps.size());
  if (!neighbour) {
    for (std::int64_t i = 0; i < size; ++i) rows.push_back({{i, -1}});
    return rows;
  }
  const auto& origin = neighbour->origin;
  const auto moved = static_cast<std::int64_t>(neighbour->step);
  std::int64_t i = 0, j = 0;
  const auto other =
      static_cast<std::int64_t>(std::min(origin.size(), neighbour->trace.steps.size()));
  while (i < size || j < other) {
    const std::int64_t from = j < other ? origin[static_cast<std::size_t>(j)] : -1;
    if (j >= other) rows.push_back({{i++, -1}});
    else if (i >= size || from < 0 || (from == moved && i != moved)) rows.push_back({{-1, j++}});
    else if (from == i) rows.push_back({{i++, j++}});
    else rows.push_back({{i++, -1}});
  }
  return rows;
}

struct Verdict {
  std::string property, state;
};

// What every oracle says of this run, by playing it once more.
std::vector<Verdict> verdicts_of(const Trace& trace) {
  Runner runner(trace.config.setup, trace.config.limits);
  Replay scheduler(trace.steps, trace.config.setup.options.time);
  runner.replay(scheduler, trace.plan, fair_end_of(trace));
  std::vector<Verdict> out;
  for (const auto& oracle : runner.oracles()) {
    std::string state = "held";
    if (oracle->violation()) state = "violated";
    else if (oracle->met()) state = *oracle->met() ? "shown" : "not shown";
    else if (!oracle->judged() || (oracle->wants_fair_tail() && !runner.fair()))
      state = "not judged";
    out.push_back({std::string(oracle->name()), state});
  }
  return out;
}

Value notes_of(const SceneStep& s, const Trace& trace) {
  Value::Array out;
  for (const Effect& e : s.effects) out.emplace_back(printable(e.text));
  for (const std::string& role : s.roles) out.emplace_back(printable("◆ evidence: " + role));
  if (s.violating)
    out.emplace_back(printable("◆ " + trace.violation->property + " is violated here"));
  if (!s.relevant) out.emplace_back("the violation does not need this step");
  return out;
}

// Steps from the first row on; the first of them carries the states of all nodes.
Value data_of(const Scene& scene, const States& states, std::int64_t first, const char* name,
              std::string_view prefix) {
  Value::Array steps;
  for (auto i = static_cast<std::size_t>(std::max<std::int64_t>(first, 0)); i < scene.steps.size();
       ++i) {
    Value step;
    step.set("step", static_cast<std::int64_t>(i));
    step.set("title", printable(scene.steps[i].title));
    step.set("notes", notes_of(scene.steps[i], *scene.trace));
    Value::Object changed;
    if (static_cast<std::int64_t>(i) == first) {
      const std::vector<Value> all = states.after(i, scene.nodes);
      for (std::size_t id = 0; id < all.size(); ++id)
        changed.emplace_back(std::to_string(id), all[id]);
    } else {
      for (const auto& [id, state] : states.changed[i])
        changed.emplace_back(std::to_string(id), state);
    }
    step.set("states", std::move(changed));
    steps.push_back(std::move(step));
  }
  return Value::Object{{"name", name}, {"prefix", prefix}, {"steps", std::move(steps)}};
}

class Page {
 public:
  Page(const Trace& trace, const DrawOptions& options)
      : trace_(trace), options_(options), neighbour_(nearest_passing(trace)) {
    scenes_.push_back(make_scene(trace));
    if (neighbour_) scenes_.push_back(make_scene(neighbour_->trace));
    rows_ = rows_of(trace, neighbour_);
    if (rows_.size() > kRowsMax) {
      hidden_ = rows_.size() - kRowsMax;
      rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(hidden_));
    }
  }

  std::string write() const {
    const std::string name = trace_.config.setup.system->name;
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
        escape_xml(trace_.violation ? name + ": " + trace_.violation->property : name), kPageStyle);
    out += "<header>\n" + heading() + "</header>\n<main>\n";
    out += fmt::format("<div class=\"runs{}\">\n", neighbour_ ? "" : " alone");
    for (std::size_t r = 0; r < scenes_.size(); ++r) out += run(r);
    out += "<section class=\"card\" id=\"panel\" aria-live=\"polite\"></section>\n</div>\n";
    out += "<div class=\"wide\">\n" + properties() + configuration() + "</div>\n</main>\n";
    out += "<script type=\"application/json\" id=\"data\">" + json_for_script(to_json(data())) +
           "</script>\n";
    return out + fmt::format("<script>{}</script>\n</body>\n</html>\n", kPageScript);
  }

 private:
  std::string heading() const {
    const System& system = *trace_.config.setup.system;
    std::string out;
    if (trace_.violation) {
      const Violation& v = *trace_.violation;
      out = fmt::format(
          "<h1>{}: <b>{}</b> is violated at step <a href=\"#{}\">{}</a></h1>\n<p>{}</p>\n",
          escape_xml(system.name), escape_xml(v.property), v.step, v.step, escape_xml(v.message));
    } else {
      out = fmt::format("<h1>{}: nothing is violated</h1>\n", escape_xml(system.name));
    }
    std::string command;
    if (!options_.replay.empty()) command = options_.replay + "\n";
    command += headline(trace_);
    std::string shown;  // line by line: an escape would show the line feed
    for (std::size_t at = 0; at <= command.size();) {
      const std::size_t end = std::min(command.find('\n', at), command.size());
      shown += (shown.empty() ? "" : "\n") + escape_xml(command.substr(at, end - at));
      at = end + 1;
    }
    return out + "<pre>" + shown + "</pre>\n";
  }

  std::string run(std::size_t r) const {
    std::vector<std::int64_t> steps;
    std::vector<RowLook> looks;
    for (const Row& row : rows_) {
      steps.push_back(row.step[r]);
      looks.push_back(look_of(row, r));
    }
    std::string what;
    if (r == 1) what = describe(*neighbour_) + ", and nothing is violated";
    else if (hidden_ > 0) what = fmt::format("the last {} rows", rows_.size());
    else what = fmt::format("{} steps", trace_.steps.empty() ? 0 : trace_.steps.size() - 1);
    if (trace_.violation && !neighbour_)
      what += "; none was found that passes with one delivery moved or dropped";
    return fmt::format(
        "<section class=\"card\">\n<h2>{} <small>{}</small></h2>\n<div "
        "class=\"picture\">\n{}</div>\n"
        "{}</section>\n",
        r == 1             ? "Nearest passing run"
        : trace_.violation ? "Failing run"
                           : "Run",
        escape_xml(what), draw_svg(scenes_[r], steps, looks, std::string(kPrefix[r])),
        r == 0 ? legend() : "");
  }

  RowLook look_of(const Row& row, std::size_t r) const {
    if (!neighbour_) return RowLook::same;
    if (row.step[1 - r] < 0) return RowLook::odd;
    if (row.step[r] < 0) return RowLook::same;
    const auto at = [&](std::size_t run) -> const SceneStep& {
      return scenes_[run].steps[static_cast<std::size_t>(row.step[run])];
    };
    const auto same = [](const Effect& a, const Effect& b) { return a.text == b.text; };
    const bool equal =
        at(0).title == at(1).title && std::equal(at(0).effects.begin(), at(0).effects.end(),
                                                 at(1).effects.begin(), at(1).effects.end(), same);
    return equal ? RowLook::same : RowLook::differs;
  }

  std::string legend() const {
    if (!trace_.violation) return "";
    std::string out =
        "<p class=\"legend\"><i style=\"background:var(--bad-back)\">violated here</i> "
        "<i style=\"background:var(--proof-back)\">evidence</i> ";
    if (neighbour_)
      out +=
          "<i style=\"background:var(--odd-back)\">only in one run</i> <b>number</b>: goes another "
          "way ";
    return out + "pale: the violation does not need it</p>\n";
  }

  std::string properties() const {
    std::string out = "<section class=\"card\">\n<h2>Properties</h2>\n<table>\n";
    for (const Verdict& v : verdicts_of(trace_)) {
      const std::string look = v.state == "violated" ? "violated" : v.state == "held" ? "held" : "";
      out += fmt::format("<tr><td>{}</td><td class=\"verdict-{}\">{}</td></tr>\n",
                         escape_xml(v.property), look, v.state);
    }
    out += "</table>\n";
    if (trace_.violation && !trace_.violation->evidence.empty()) {
      out += "<h2>Evidence</h2>\n<ul>\n";
      for (const Evidence& e : trace_.violation->evidence)
        out +=
            fmt::format("<li><a href=\"#{0}\">step {0}</a> {1}</li>\n", e.step, escape_xml(e.role));
      out += "</ul>\n";
    }
    return out + "</section>\n";
  }

  std::string configuration() const {
    const RunText text = to_text(trace_.config);
    std::string out = "<section class=\"card\">\n<h2>Configuration</h2>\n<table>\n";
    const auto line = [&](std::string_view key, const std::string& value) {
      if (!value.empty())
        out += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", escape_xml(key), escape_xml(value));
    };
    const auto pairs = [](const Pairs& list) {
      std::string all;
      for (const auto& [key, value] : list) all += (all.empty() ? "" : ", ") + key + "=" + value;
      return all;
    };
    std::string bugs;
    for (const std::string& bug : text.bugs) bugs += (bugs.empty() ? "" : ", ") + bug;
    line("system", print_spec(text.system));
    line("seeded bugs", bugs);
    line("nodes", std::to_string(trace_.config.setup.nodes));
    line("faults", pairs(text.faults));
    if (const auto& survives = trace_.config.setup.system->survives)
      line("built to survive", survives(trace_.config.setup).text());
    line("beyond its claim", claim_note(trace_));
    line("world", pairs(text.world));
    line("time", std::string(enum_name(trace_.config.setup.options.time)));
    line("explorer", trace_.checked_by.empty() ? print_spec(text.explorer) : trace_.checked_by);
    line("seed", std::to_string(trace_.plan.seed));
    line("node seed", std::to_string(trace_.plan.node_seed));
    line("run", std::to_string(trace_.run));
    line("steps at most", text.steps);
    line("fair tail", trace_.fair ? text.tail : "");
    line("class", to_hex(trace_.run_class));
    return out + "</table>\n</section>\n";
  }

  Value data() const {
    Value::Array runs, rows;
    for (std::size_t r = 0; r < scenes_.size(); ++r) {
      std::int64_t first = 0;
      for (const Row& row : rows_)
        if (row.step[r] >= 0) {
          first = row.step[r];
          break;
        }
      const char* name = r == 1 ? "passing run" : trace_.violation ? "failing run" : "run";
      runs.push_back(data_of(scenes_[r], states_of(*scenes_[r].trace), first, name, kPrefix[r]));
    }
    std::int64_t begin = 0;  // where the page opens: at the violation
    for (const Row& row : rows_) {
      if (trace_.violation && row.step[0] == static_cast<std::int64_t>(trace_.violation->step))
        begin = static_cast<std::int64_t>(rows.size());
      rows.push_back(Value::Array{row.step[0], row.step[1]});
    }
    return Value::Object{{"nodes", trace_.config.setup.nodes},
                         {"begin", begin},
                         {"runs", std::move(runs)},
                         {"rows", std::move(rows)}};
  }

  const Trace& trace_;
  const DrawOptions& options_;
  std::optional<Neighbour> neighbour_;
  std::vector<Scene> scenes_;
  std::vector<Row> rows_;
  std::size_t hidden_ = 0;
};

}  // namespace

std::string draw_html(const Trace& trace, const DrawOptions& options) {
  return Page(trace, options).write();
}

static const Registration registered = add_format(
    {90, "html", "one page for a browser, with states and the nearest passing run", draw_html});

}  // namespace schism::draw
