#include <fmt/format.h>

#include <algorithm>

#include "schism/base/file.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/run_keys.hpp"
#include "schism/explore/registry.hpp"
#include "schism/scenario/parse.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/system/system.hpp"

namespace schism::cli {
namespace {

std::string why_no_pairs(const std::string& word, const Result<Spec>& spec) {
  const std::string_view problem = spec ? std::string_view() : spec.error();
  const std::size_t twice = problem.find(" stands twice");
  if (twice != std::string_view::npos)
    return fmt::format("{} in \"{}\"", problem.substr(0, twice + 13), word);
  return fmt::format("\"{}\" is not of the form name=value,name=value", word);
}

// "crash=1,drop=5", possibly given several times.
Result<Pairs> parse_pairs(const std::vector<std::string>& words, std::string_view flag) {
  Pairs out;
  for (const std::string& word : words) {
    auto spec = parse_spec("x:" + word);
    if (!spec || !spec->children.empty()) return error("--{}: {}", flag, why_no_pairs(word, spec));
    for (auto& pair : spec->values) {
      const auto same = [&](const auto& earlier) { return earlier.first == pair.first; };
      if (std::any_of(out.begin(), out.end(), same))
        return error("--{}: \"{}\" is given twice", flag, pair.first);
      out.push_back(std::move(pair));
    }
  }
  return out;
}

// "a, b, c" on lines that fit.
template <class Table>
std::string known(const Table& table) {
  std::string out, line;
  for (const std::string& name : table.names()) {
    if (line.size() + name.size() > 90) out += line + "\n  ", line.clear();
    line += (line.empty() ? "" : ", ") + name;
  }
  return out + line + "\n";
}

template <class T>
void prefer(T& own, const T& other) {
  if (own.empty()) own = other;
}

// Later pairs win, so what comes from the file stands first.
void put_first(Pairs& own, const Pairs& file) { own.insert(own.begin(), file.begin(), file.end()); }

}  // namespace

RunFlags::RunFlags(Flags& flags) {
  flags.option("system", system_, "protocol under test, with parameters: NAME[:key=value,...]");
  flags.option("--bug", bugs_, "plant a known bug; may be repeated").one_each();
  flags.option("--nodes", nodes_, "number of nodes");
  flags.option("--explorer", explorer_, "strategy, with parameters: NAME[:key=value,...]");
  flags.option("--faults", faults_, "fault budgets of a run: crash=1,drop=5").one_each();
  flags.option("--world", world_, "semantics: down=waits,links=fifo").one_each();
  flags.option("--liars", liars_,
               "Byzantine nodes, drawn for each run; --world liars=3 names them");
  flags
      .option("--mute", mute_,
              "PROPERTY or PROPERTY=text: its violation is counted and the run goes on; may be "
              "repeated")
      .one_each();
  flags.option("--scenario", scenario_,
               "a scenario's file: its filters stand in front of the explorer, its property beside "
               "the system's");
  flags.option("--max-steps", steps_, "length of a run, before its fair tail");
  flags.option("--tail", tail_, "simulated length of the fair tail, such as 60s; 0s: none");
  flags.option("--config", config_, "a TOML file with the same keys as the flags");
  flags.note([] {
    return "Systems:\n  " + known(systems()) + "Explorers, or one of the schedulers:\n  " +
           known(explorers()) + "Schedulers:\n  " + known(schedulers()) +
           "`schism list NAME` shows one with its parameters.\n";
  });
}

Result<RunFlags::FromFile> RunFlags::read_file() const {
  FromFile out;
  if (config_.empty()) return out;
  const auto file = read_toml(config_);
  if (!file) return tl::unexpected(file.error());
  std::vector<std::string> known = run_keys();
  known.insert(known.end(), also_.begin(), also_.end());
  for (const auto& [name, node] : *file) {
    const std::string key(name.str());
    const auto bad = [&](const std::string& what) {
      return tl::unexpected(at_line(config_, node, what));
    };
    if (std::find(known.begin(), known.end(), key) == known.end())
      return bad(unknown_word("key", key, known));
    const auto taken = take_run_key(out.text, key, node);
    if (!taken) return bad(taken.error());
    if (*taken) continue;
    auto text = scalar_text(node, key);
    if (!text) return bad(text.error());
    if (auto fits = fits_key(key, *text); !fits) return bad(fits.error());
    out.others.emplace_back(key, *text);
  }
  return out;
}

const Result<RunFlags::FromFile>& RunFlags::from_file() const {
  if (!file_) file_ = read_file();
  return *file_;
}

Result<RunText> RunFlags::text() const {
  const auto& file = from_file();
  if (!file) return tl::unexpected(file.error());
  RunText text;
  if (!system_.empty()) {
    auto spec = parse_spec(system_);
    if (!spec) return tl::unexpected(spec.error());
    text.system = *std::move(spec);
  } else {
    text.system = file->text.system;
  }
  if (text.system.name.empty() && needs_system_)
    return error("which system? `schism list` shows them");
  if (!explorer_.empty()) {
    auto spec = parse_spec(explorer_);
    if (!spec) return tl::unexpected(spec.error());
    text.explorer = *std::move(spec);
  } else {
    text.explorer = file->text.explorer;
  }
  auto world = parse_pairs(world_, "world");
  if (!world) return tl::unexpected(world.error());
  auto faults = parse_pairs(faults_, "faults");
  if (!faults) return tl::unexpected(faults.error());
  text.world = *std::move(world);
  text.faults = *std::move(faults);
  put_first(text.world, file->text.world);
  put_first(text.faults, file->text.faults);
  if (!liars_.empty()) text.world.emplace_back("liars-drawn", liars_);
  text.bugs = bugs_;
  text.mute = mute_;
  text.nodes = nodes_;
  text.steps = steps_;
  text.tail = tail_;
  prefer(text.bugs, file->text.bugs);
  prefer(text.mute, file->text.mute);
  prefer(text.nodes, file->text.nodes);
  prefer(text.steps, file->text.steps);
  prefer(text.tail, file->text.tail);
  if (!scenario_.empty()) {
    auto content = schism::read_file(scenario_);
    if (!content) return tl::unexpected(content.error());
    if (const auto all = scenario::parse(*content, scenario_); !all)
      return tl::unexpected(all.error());
    text.scenario = *std::move(content);
    text.scenario_file = scenario_;
  }
  return text;
}

Result<Pairs> RunFlags::file_values() const {
  const auto& file = from_file();
  if (!file) return tl::unexpected(file.error());
  return file->others;
}

}  // namespace schism::cli
