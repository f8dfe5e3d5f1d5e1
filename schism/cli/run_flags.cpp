#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>

#include "schism/base/file.hpp"
#include "schism/cli/command.hpp"

namespace schism::cli {
namespace {

// "crash=1,drop=5", possibly given several times.
Result<Pairs> parse_pairs(const std::vector<std::string>& words, std::string_view flag) {
  Pairs out;
  for (const std::string& word : words) {
    auto spec = parse_spec("x:" + word);
    if (!spec) return error("--{}: \"{}\" is not of the form name=value,name=value", flag, word);
    for (auto& pair : spec->values) out.push_back(std::move(pair));
  }
  return out;
}

// A scalar of the file as the text that a flag would have.
Result<std::string> scalar(const toml::node& node, std::string_view key) {
  if (const auto* s = node.as_string()) return s->get();
  if (const auto* i = node.as_integer()) return std::to_string(i->get());
  if (const auto* b = node.as_boolean()) return std::string(b->get() ? "true" : "false");
  if (const auto* d = node.as_floating_point()) return fmt::format("{}", d->get());
  return error("\"{}\" is a text, a number or true or false", key);
}

Result<Pairs> table(const toml::node& node, std::string_view key) {
  const auto* t = node.as_table();
  if (!t) return error("\"{}\" is a table of name = value", key);
  Pairs out;
  for (const auto& [name, value] : *t) {
    auto text = scalar(value, name.str());
    if (!text) return tl::unexpected(text.error());
    out.emplace_back(std::string(name.str()), *text);
  }
  return out;
}

template <class T>
void prefer(T& own, const T& other) {
  if (own.empty()) own = other;
}

// Later pairs win, so what comes from the file stands first.
void put_first(Pairs& own, const Pairs& file) { own.insert(own.begin(), file.begin(), file.end()); }

}  // namespace

RunFlags::RunFlags(CLI::App& verb) {
  verb.add_option("system", system_, "protocol under test, with parameters: NAME[:key=value,...]");
  verb.add_option("--bug", bugs_, "plant a known bug; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  verb.add_option("--nodes", nodes_, "number of nodes");
  verb.add_option("--explorer", explorer_, "strategy, with parameters: NAME[:key=value,...]");
  verb.add_option("--faults", faults_, "fault budgets of a run: crash=1,drop=5")
      ->take_all()
      ->allow_extra_args(false);
  verb.add_option("--world", world_, "semantics: down=waits,links=fifo")
      ->take_all()
      ->allow_extra_args(false);
  verb.add_option("--max-steps", steps_, "length of a run, before its fair tail");
  verb.add_option("--tail", tail_, "simulated length of the fair tail, such as 60s");
  verb.add_option("--config", config_, "a TOML file with the same keys as the flags");
}

Result<RunFlags::FromFile> RunFlags::read_file() const {
  FromFile out;
  if (config_.empty()) return out;
  auto content = schism::read_file(config_);
  if (!content) return tl::unexpected(content.error());
  toml::table file;
  try {
    file = toml::parse(*content, config_);
  } catch (const toml::parse_error& e) {
    return error("{}, line {}: {}", config_, e.source().begin.line, e.description());
  }
  std::vector<std::string> known = {"system", "bug",   "nodes",     "explorer",
                                    "faults", "world", "max-steps", "tail"};
  known.insert(known.end(), also_.begin(), also_.end());
  for (const auto& [name, node] : file) {
    const std::string key(name.str());
    const auto bad = [&](const std::string& what) {
      return error("{}, line {}: {}", config_, node.source().begin.line, what);
    };
    if (std::find(known.begin(), known.end(), key) == known.end())
      return bad(unknown_word("key", key, known));
    if (key == "faults" || key == "world") {
      auto pairs = table(node, key);
      if (!pairs) return bad(pairs.error());
      (key == "faults" ? out.text.faults : out.text.world) = *std::move(pairs);
      continue;
    }
    if (key == "bug" && node.is_array()) {
      for (const auto& item : *node.as_array()) {
        auto text = scalar(item, key);
        if (!text) return bad(text.error());
        out.text.bugs.push_back(*text);
      }
      continue;
    }
    auto text = scalar(node, key);
    if (!text) return bad(text.error());
    if (key == "bug") out.text.bugs.push_back(*text);
    else if (key == "nodes") out.text.nodes = *text;
    else if (key == "max-steps") out.text.steps = *text;
    else if (key == "tail") out.text.tail = *text;
    else if (key == "system" || key == "explorer") {
      auto spec = parse_spec(*text);
      if (!spec) return bad(spec.error());
      (key == "system" ? out.text.system : out.text.explorer) = *std::move(spec);
    } else {
      out.others.emplace_back(key, *text);
    }
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
  if (text.system.name.empty()) return error("which system? `schism list` shows them");
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
  text.bugs = bugs_;
  text.nodes = nodes_;
  text.steps = steps_;
  text.tail = tail_;
  prefer(text.bugs, file->text.bugs);
  prefer(text.nodes, file->text.nodes);
  prefer(text.steps, file->text.steps);
  prefer(text.tail, file->text.tail);
  return text;
}

Result<Pairs> RunFlags::file_values() const {
  const auto& file = from_file();
  if (!file) return tl::unexpected(file.error());
  return file->others;
}

}  // namespace schism::cli
