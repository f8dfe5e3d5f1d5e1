// `schism show`: a trace as a picture, or for other programs.
#include <fmt/format.h>
#include <unistd.h>

#include "schism/base/file.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/draw/format.hpp"
#include "schism/draw/long_story.hpp"

namespace schism::cli {
namespace {

struct ShowFlags {
  explicit ShowFlags(Flags& flags) : color(flags) {
    flags.example("schism show bug.trace", "the story as text");
    flags.example("schism show bug.trace --format html -o bug.html", "a page that opens offline");
    flags.option("trace", path, "a trace file, or - for standard input").required();
    std::string help = "text";
    for (const std::string& name : draw::format_names())
      if (name != "text") help += ", " + name;
    flags.option("--format", format, help);
    flags.option("-o,--out", out, "where to, or - for standard output (-)");
    flags.option("--width", width, "columns (the terminal's)").within(40, 400);
    flags.option("--from", from, "text: the first step shown");
    flags.option("--to", to, "text: the last step shown");
    flags.flag("--all", all, "text: every step, what repeats too");
    flags.flag("--no-sends", no_sends, "text: leave out what steps send");
    flags.flag("--no-states", no_states, "text: leave out how nodes change");
  }

  ColorFlag color;
  std::string path, format = "text", out = "-", from, to;
  int width = 0;
  bool all = false, no_sends = false, no_states = false;
};

Result<draw::DrawOptions> options_of(const ShowFlags& f) {
  draw::DrawOptions o;
  const bool to_file = f.out != "-";
  o.color = f.color.wanted(STDOUT_FILENO) && (!to_file || f.color.always());
  o.width = f.width > 0 ? f.width : to_file ? 100 : terminal_width();
  o.sends = !f.no_sends;
  o.states = !f.no_states;
  o.fold = !f.all;
  if (f.path != "-") o.replay = fmt::format("{} replay {}", quote(program_name()), quote(f.path));
  const auto step = [](const std::string& text, const char* name, std::uint32_t& into) -> Status {
    if (text.empty()) return {};
    const auto number = parse_integer(text, 0, UINT32_MAX);
    if (!number) return error("{} {}", name, number.error());
    into = static_cast<std::uint32_t>(*number);
    return {};
  };
  if (auto good = step(f.from, "--from", o.from); !good) return tl::unexpected(good.error());
  if (auto good = step(f.to, "--to", o.to); !good) return tl::unexpected(good.error());
  if (o.from > o.to) return error("--from {} is after --to {}", o.from, o.to);
  if (f.format != "text" && !(f.from + f.to).empty())
    return error("--from and --to are for text; {} has all steps", f.format);
  return o;
}

void note_difference(const std::optional<std::uint32_t>& step) {
  say_aside("note: this is the recording; played now the run {}: see `replay`\n",
            step ? fmt::format("differs from step {} on", *step)
                 : "has the same steps, but its last line is not true");
}

// Row by row, where a run is too long to be kept.
int show_long(const ShowFlags& f, const Source& source, draw::Skimmed skimmed,
              const draw::DrawOptions& options) {
  const bool untrue = !untrue_of(skimmed.trace).empty();
  std::string kept = printable(to_flags(skimmed.trace.config)) + "\n\n";
  const bool here = f.out == "-";
  const auto give = [&](const std::string& row) {
    kept += row;
    if (!here) return;
    say("{}", Shown{kept, options.color});
    kept.clear();
  };
  const auto differs = draw::tell_long(source, std::move(skimmed), story_options(options), give);
  if (!differs) return bad_input(differs.error());
  if (!here)
    if (auto written = write_file(f.out, kept); !written) return bad_input(written.error());
  if (*differs || untrue) note_difference(*differs);
  return kFine;
}

int run_show(const ShowFlags& f) {
  const draw::Format* format = draw::find_format(f.format);
  if (!format) return bad_input(unknown_word("format", f.format, draw::format_names()));
  const auto options = options_of(f);
  if (!options) return bad_input(options.error());
  const auto source = trace_source(f.path);
  if (!source) return bad_input(source.error());
  auto skimmed = draw::skim(*source);
  if (!skimmed) return bad_input(skimmed.error());
  const std::size_t steps = skimmed->trace.steps.size();
  if (options->from > 0 && options->from >= steps)
    return bad_input(fmt::format("--from {} is beyond the end: the last step is {}", options->from,
                                 steps == 0 ? 0 : steps - 1));
  if (f.format == "text" && steps >= draw::kLongStory)
    return show_long(f, *source, *std::move(skimmed), *options);
  const auto trace = read_trace(*source, {});
  if (!trace) return bad_input(trace.error());
  // The picture shows what is written. Whether that is what happens is another question.
  if (const ReplayReport now = replay(*trace); now.difference)
    note_difference(now.difference->step);
  else if (!now.unlike.empty()) note_difference(std::nullopt);
  const std::string picture = format->draw(*trace, *options);
  if (auto written = write_file(f.out, picture); !written) return bad_input(written.error());
  return kFine;
}

const Registration registered = verb<ShowFlags>(50, "show", "draw a trace", run_show);

}  // namespace
}  // namespace schism::cli
