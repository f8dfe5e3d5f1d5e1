// `schism sort`: which of the finds in a folder are the same bug.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "schism/cli/command.hpp"
#include "schism/cli/other_build.hpp"
#include "schism/cli/print.hpp"
#include "schism/finds/bugs.hpp"
#include "schism/shrink/shrink.hpp"

namespace schism::cli {
namespace {

struct SortFlags {
  explicit SortFlags(Flags& flags) {
    flags.example("schism sort schism-out", "which finds are the same bug");
    flags.example("schism sort schism-out --json", "the same for programs");
    flags.example(
        "schism sort schism-out --against 0.17=old/libraft.so.2 --against new=libraft.so.2",
        "which builds of the library have which bug");
    flags.option("folder", folder, "where the traces are, in it and in the folders below")
        .required();
    flags
        .option("--against", against,
                "NAME=LIBRARY: is each find there too, with that build of the library?")
        .one_each();
    flags.flag("--no-shrink", no_shrink, "compare long traces as they are");
    flags.flag("--json", json, "for programs");
  }

  std::string folder;
  std::vector<std::string> against;
  bool no_shrink = false, json = false;
};

// A bug's folder holds a run as it happened beside the small one.
bool has_small_form(const std::string& file) {
  const std::filesystem::path path(file);
  return path.filename().string().starts_with("original") &&
         std::filesystem::exists(path.parent_path() / "bug.trace");
}

Value json_group(const BugGroup& group, const std::map<std::string, std::string>& files) {
  Value out;
  out.set("property", group.property);
  out.set("evidence", group.evidence);
  out.set("count", static_cast<std::int64_t>(group.count()));
  Value::Array shapes;
  for (const ShapeGroup& shape : group.shapes) {
    Value s;
    s.set("shape", to_hex(shape.shape));
    s.set("count", static_cast<std::int64_t>(shape.count));
    s.set("actions", static_cast<std::int64_t>(shape.smallest.steps.size() - 1));
    s.set("trace", files.at(to_text(shape.smallest)));
    shapes.push_back(std::move(s));
  }
  out.set("shapes", std::move(shapes));
  return out;
}

void print_group(const BugGroup& group, const std::map<std::string, std::string>& files) {
  say("{}: {} find{}, {} shape{}\n  evidence: {}\n", group.property, group.count(),
      group.count() == 1 ? "" : "s", group.shapes.size(), group.shapes.size() == 1 ? "" : "s",
      group.evidence);
  for (const ShapeGroup& shape : group.shapes)
    say("  {}  {:>3} find{} {:>4} actions, {} nodes  {}\n", to_hex(shape.shape).substr(0, 8),
        shape.count, shape.count == 1 ? ", " : "s,", shape.smallest.steps.size() - 1,
        shape.smallest.config.setup.nodes, files.at(to_text(shape.smallest)));
}

// Another build of a library, by the name that the user gave it.
struct Build {
  std::string name, library;
};

Result<std::vector<Build>> builds_of(const std::vector<std::string>& words) {
  std::vector<Build> out;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == word.size())
      return error("--against {}: NAME=LIBRARY is wanted", printable(word));
    out.push_back({word.substr(0, equals), word.substr(equals + 1)});
  }
  return out;
}

const char* word_of(int code) {
  return code == kViolation ? "violated" : code == kFine ? "holds" : "unknown";
}

// Whether each find happens with each build: a line a find, a column a build, this one first.
int compare_builds(const std::vector<std::string>& files, std::vector<Build> builds, bool json) {
  builds.insert(builds.begin(), Build{"here", ""});
  std::size_t width = 0;
  for (const std::string& file : files) width = std::max(width, file.size());
  const auto column = [](const Build& b) { return std::max<std::size_t>(b.name.size(), 8) + 2; };
  if (!json) {
    say("{:{}}", "", width);
    for (const Build& build : builds) say("{:>{}}", build.name, column(build));
    say("\n");
  }
  Value::Array rows;
  for (const std::string& file : files) {
    Value row;
    row.set("trace", file);
    if (!json) say("{:{}}", file, width);
    for (const Build& build : builds) {
      const auto code = run_again({"replay", file}, build.library, false);
      if (!code) return bad_input(code.error());
      if (interrupted()) return kInterrupted;
      row.set(build.name, word_of(*code));
      if (!json) say("{:>{}}", word_of(*code), column(build));
    }
    if (!json) say("\n");
    rows.push_back(std::move(row));
  }
  if (json) say("{}\n", to_json(Value(std::move(rows))));
  return kFine;
}

// Those with a violation, without the long form of one that has a small one.
Result<std::vector<std::string>> finds_in(const std::vector<std::string>& files) {
  std::vector<std::string> out;
  for (const std::string& file : files) {
    if (has_small_form(file)) continue;
    const auto trace = read_trace(file);
    if (!trace) return tl::unexpected(trace.error());
    if (trace->violation) out.push_back(file);
  }
  if (out.empty()) return error("no trace with a violation in it");
  return out;
}

int run_sort(const SortFlags& f) {
  const auto files = list_traces(f.folder);
  if (!files) return bad_input(files.error());
  catch_interrupts();
  if (!f.against.empty()) {
    auto builds = builds_of(f.against);
    if (!builds) return bad_input(builds.error());
    const auto finds = finds_in(*files);
    if (!finds) return bad_input(f.folder + ": " + finds.error());
    return compare_builds(*finds, *std::move(builds), f.json);
  }
  Bugs bugs;
  std::map<std::string, std::string> file_of;  // a small trace's text: where it came from
  std::size_t passing = 0, sorted = 0;
  for (const std::string& file : *files) {
    if (has_small_form(file)) continue;
    auto trace = read_trace(file);
    if (!trace) return bad_input(trace.error());
    if (!trace->violation) {
      ++passing;
      continue;
    }
    Trace small = *std::move(trace);
    // That a file was shrunk is believed if nothing can be left out.
    const bool is_small = small.shrunk_from && certify(small).minimal;
    if (!is_small && !f.no_shrink) {
      auto shrunk = shrink(small, {}, interrupted());
      if (!shrunk) return bad_input(file + ": " + shrunk.error());
      small = std::move(shrunk->trace);
    }
    if (interrupted()) return kInterrupted;
    const auto look = look_of(small);
    if (!look) return bad_input(file + ": " + look.error());
    file_of.try_emplace(to_text(small), file);
    bugs.add(small, *look, small.plan.seed);
    ++sorted;
  }
  if (sorted == 0) return bad_input(f.folder + ": no trace with a violation in it");
  if (f.json) {
    Value::Array groups;
    for (const BugGroup& group : bugs.groups()) groups.push_back(json_group(group, file_of));
    say("{}\n", to_json(Value(std::move(groups))));
    return kFine;
  }
  for (const BugGroup& group : bugs.groups()) print_group(group, file_of);
  say("{} find{}, {} bug{}{}\n", sorted, sorted == 1 ? "" : "s", bugs.groups().size(),
      bugs.groups().size() == 1 ? "" : "s",
      passing > 0 ? fmt::format("; {} without a violation", passing) : "");
  return kFine;
}

const Registration registered =
    verb<SortFlags>(70, "sort", "which finds in a folder are the same bug", run_sort);

}  // namespace
}  // namespace schism::cli
