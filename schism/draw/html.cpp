// `html`: one page that needs nothing from outside. The failing run beside its nearest passing
// neighbour, row by row; the state of each node at each step; what was judged, under which
// configuration, and how to do it again.
#include <fmt/format.h>

#include <algorithm>

#include "schism/base/escape.hpp"
#include "schism/draw/format.hpp"
#include "schism/draw/page_data.hpp"
#include "schism/draw/page_files.hpp"
#include "schism/explain/lies.hpp"
#include "schism/oracle/testimony.hpp"
#include "schism/trace/claim.hpp"

namespace schism::draw {
namespace {

struct Verdict {
  std::string property, state;
  std::optional<Testimony> testimony;
};

// What every oracle says of this run, by playing it once more.
std::vector<Verdict> verdicts_of(const Trace& trace) {
  Runner runner(trace.config.setup, trace.config.limits);
  Replay scheduler(trace.steps, trace.config.setup.options.time);
  runner.replay(scheduler, trace.plan, fair_end_of(trace));
  std::vector<Verdict> out;
  for (const auto& oracle : runner.oracles()) {
    std::string state = "held";
    std::optional<Testimony> testimony;
    if (auto* witness = dynamic_cast<Witness*>(oracle.get()); witness && oracle->violation())
      testimony = witness->testimony(runner.world());
    if (oracle->violation()) state = "violated";
    else if (oracle->met()) state = *oracle->met() ? "shown" : "not shown";
    else if (!oracle->judged() || (oracle->wants_fair_tail() && !runner.fair()))
      state = "not judged";
    out.push_back({std::string(oracle->name()), state, std::move(testimony)});
  }
  return out;
}

// The frame with {{names}} replaced; what is put in is not looked at again.
using Filling = std::vector<std::pair<std::string_view, std::string_view>>;
std::string fill(std::string_view frame, const Filling& filling) {
  std::string out;
  while (!frame.empty()) {
    const std::size_t begin = frame.find("{{"), end = frame.find("}}", begin);
    out += frame.substr(0, begin);
    if (end == std::string_view::npos) break;
    const std::string_view name = frame.substr(begin + 2, end - begin - 2);
    for (const auto& [key, text] : filling)
      if (key == name) out += text;
    frame.remove_prefix(end + 2);
  }
  return out;
}

class Page {
 public:
  Page(const Trace& trace, const DrawOptions& options)
      : trace_(trace), options_(options), neighbour_(nearest_passing(trace)) {
    scenes_.push_back(make_scene(trace));
    if (neighbour_) scenes_.push_back(make_scene(neighbour_->trace));
    rows_ = rows_of(trace, neighbour_);
  }

  std::string write() const {
    const std::string& name = trace_.config.setup.system->name;
    const std::string title =
        escape_xml(trace_.violation ? name + ": " + trace_.violation->property : name);
    const std::string head = heading(), told = about(), judged = properties(),
                      set = configuration(), data = page_data(scenes_, rows_);
    return fill(kPageFrame, {{"title", title},
                             {"style", kPageStyle},
                             {"heading", head},
                             {"about", told},
                             {"properties", judged},
                             {"configuration", set},
                             {"data", data},
                             {"script", kPageScript}});
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

  // What the runs are, in a line below the heading.
  std::string about() const {
    std::string out = fmt::format("{} steps", trace_.steps.empty() ? 0 : trace_.steps.size() - 1);
    if (neighbour_)
      out += "; beside it the nearest passing run: " + describe(*neighbour_) +
             ", and nothing is violated";
    else if (trace_.violation)
      out += "; no run was found that passes with one delivery moved or dropped";
    return escape_xml(out);
  }

  std::string properties() const {
    std::string out = "<section class=\"card\">\n<h2>Properties</h2>\n<table>\n";
    const std::vector<Verdict> verdicts = verdicts_of(trace_);
    for (const Verdict& v : verdicts) {
      const std::string look = v.state == "violated" ? "violated" : v.state == "held" ? "held" : "";
      out += fmt::format("<tr><td>{}</td><td class=\"verdict {}\">{}</td></tr>\n",
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
    out += "</section>\n";
    for (const Verdict& v : verdicts)
      if (v.testimony) out += shown(*v.testimony);
    return out;
  }

  static std::string shown(const Testimony& testimony) {
    std::string out =
        fmt::format("<section class=\"card testimony\">\n<h2>{}</h2>\n<p>{}</p>\n<table>\n",
                    escape_xml(testimony.title), escape_xml(testimony.text));
    for (std::size_t i = 0; i < testimony.rows.size(); ++i) {
      const char* const tag = i == 0 ? "th" : "td";
      out += testimony.rows[i].marked ? "<tr class=\"marked\">" : "<tr>";
      for (const std::string& cell : testimony.rows[i].cells)
        out += fmt::format("<{0}>{1}</{0}>", tag, escape_xml(cell));
      out += "</tr>\n";
    }
    return out + "</table>\n</section>\n";
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
    for (NodeId id = trace_.config.setup.nodes; id < scenes_[0].nodes; ++id)
      line("twin", scenes_[0].name(id));
    line("faults", pairs(text.faults));
    if (const auto& survives = trace_.config.setup.system->survives)
      line("built to survive", survives(trace_.config.setup).text());
    line("beyond its claim", claim_note(trace_));
    for (const std::string& lie : lies_of(trace_)) line("lies", lie);
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

  const Trace& trace_;
  const DrawOptions& options_;
  std::optional<Neighbour> neighbour_;
  std::vector<Scene> scenes_;
  std::vector<Row> rows_;
};

}  // namespace

std::string draw_html(const Trace& trace, const DrawOptions& options) {
  return Page(trace, options).write();
}

static const Registration registered = add_format(
    {90, "html", "one page for a browser, with states and the nearest passing run", draw_html});

}  // namespace schism::draw
