#include "schism/model/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "schism/base/file.hpp"
#include "schism/base/params.hpp"
#include "schism/model/field_reader.hpp"
#include "schism/model/model.hpp"
#include "schism/tla/spec.hpp"

namespace schism::model {
namespace {

struct LogRule {
  std::string on;
  Holes holes;
  std::vector<const tla::Action*> actions;
  std::vector<std::string> texts;
};

// What only runs of a system have, and what would never be used.
Status check(const Mapping& mapping) {
  const bool system = !mapping.system.empty() || !mapping.after.empty() ||
                      !mapping.observe.empty() || !mapping.constants.empty() ||
                      !mapping.only.empty() || !mapping.config.empty() || !mapping.view.empty() ||
                      mapping.nodes_min != 1;
  if (system) return error("{}: it is for runs of a system, not for a log", mapping.file);
  std::set<std::string> known(mapping.ignore.begin(), mapping.ignore.end());
  for (const EventRule& event : mapping.events) {
    const bool about_runs = !event.when.empty() || !event.guide.empty() || event.check;
    if (about_runs)
      return error("{}: \"when\", \"guide\" and \"check\" are for runs of a system", event.place);
    for (std::string action : event.actions)
      if (take_repeat(action)) return error("{}: \"repeat\" is for runs of a system", event.place);
    if (!known.insert(event.on).second)
      return error("{}: never: what \"{}\" means is said before", event.place, event.on);
  }
  return {};
}

class LogReplay {
 public:
  Status load(const std::string& spec, const std::string& config, const std::string& mapping) {
    auto read = Mapping::read(mapping);
    if (!read) return tl::unexpected(read.error());
    mapping_ = *std::move(read);
    if (auto s = check(mapping_); !s) return s;
    const auto cfg = read_file(config);
    if (!cfg) return tl::unexpected(cfg.error());
    tla::LoadOptions options;
    const std::filesystem::path file(spec);
    options.path = {file.has_parent_path() ? file.parent_path().string() : "."};
    auto made = tla::Spec::from_text(module(file.stem().string()), *cfg, options);
    if (!made) return error("{}: {}", mapping, made.error());
    spec_ = *std::move(made);
    for (std::size_t r = 0; r < rules_.size(); ++r)
      for (std::size_t a = 0; a < rules_[r].texts.size(); ++a) {
        const auto action = spec_->action(fmt::format("Rule_{}_{}", r, a));
        if (!action) return error("{}: {}", mapping_.events[r].place, action.error());
        rules_[r].actions.push_back(*action);
      }
    auto begin = spec_->initial();
    if (!begin) return tl::unexpected(begin.error());
    if (begin->empty()) return error("{}: there is no initial state", spec);
    states_ = *std::move(begin);
    if (states_.size() > kStatesMax)
      return error("{}: more than {} initial states", spec, kStatesMax);
    return {};
  }

  // False: its event is not possible.
  Result<bool> take(const Value& line, LogReport& report) {
    const Value* const event = line.find("event");
    const std::string* const name = event ? event->as_text() : nullptr;
    if (!name) return error("there is no text \"event\"");
    const auto& ignored = mapping_.ignore;
    if (std::find(ignored.begin(), ignored.end(), *name) != ignored.end())
      return ++report.ignored, true;
    const auto rule =
        std::find_if(rules_.begin(), rules_.end(), [&](const LogRule& r) { return r.on == *name; });
    if (rule == rules_.end()) return ++report.unknown, true;
    ++report.mapped;
    std::vector<tla::Value> args;
    for (const std::string& field : rule->holes.names) {
      auto value = field_of(line, field);
      if (!value) return tl::unexpected(value.error());
      args.push_back(*value);
    }
    bool ambiguous = false;
    for (std::size_t a = 0; a < rule->actions.size(); ++a) {
      std::vector<tla::State> next;
      for (const tla::State& s : states_) {
        auto found = spec_->apply(*rule->actions[a], args, s);
        if (!found) return tl::unexpected(found.error());
        ambiguous = ambiguous || std::adjacent_find(found->begin(), found->end(),
                                                    std::not_equal_to<>()) != found->end();
        for (tla::State& t : *found)
          if (std::find(next.begin(), next.end(), t) == next.end()) next.push_back(std::move(t));
      }
      if (next.empty()) return report.why = why(*rule, a, args), false;
      if (next.size() > kStatesMax)
        return error("{} leads to more than {} states", rule->texts[a], kStatesMax);
      states_ = std::move(next);
    }
    report.ambiguous += ambiguous ? 1 : 0;
    return true;
  }

  tla::Spec& spec() { return *spec_; }
  const std::vector<tla::State>& states() const { return states_; }

 private:
  std::string module(const std::string& base) {
    std::string out =
        fmt::format("---- MODULE Mapped ----\nEXTENDS {}\n{}\n", base, mapping_.define);
    for (const EventRule& event : mapping_.events) {
      LogRule& rule = rules_.emplace_back();
      rule.on = event.on;
      rule.texts = event.actions;
      std::vector<std::string> bodies;
      for (const std::string& action : event.actions) bodies.push_back(rule.holes.fill(action));
      std::string list;
      for (std::size_t i = 0; i < rule.holes.names.size(); ++i)
        list += fmt::format("{}par_{}", i == 0 ? "(" : ", ", i);
      if (!list.empty()) list += ")";
      for (std::size_t a = 0; a < bodies.size(); ++a)
        out += fmt::format("Rule_{}_{}{} == {}\n", rules_.size() - 1, a, list, bodies[a]);
    }
    return out + "====\n";
  }

  Result<tla::Value> field_of(const Value& line, const std::string& path) {
    const Value* at = &line;
    std::string_view rest = path;
    while (!rest.empty()) {
      const std::string name(rest.substr(0, rest.find('.')));
      const Value* const part = at->find(name);
      if (!part) {
        std::vector<std::string> names;
        if (const auto* fields = at->as_object())
          for (const auto& field : *fields) names.push_back(field.first);
        return tl::unexpected(unknown_word("field", name, names));
      }
      at = part;
      rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    }
    return to_tla(*at, spec_->store());
  }

  std::string why(const LogRule& rule, std::size_t a, const std::vector<tla::Value>& args) {
    const tla::Action& action = *rule.actions[a];
    const tla::Location at =
        spec_->evaluator().disabled_at(action.code, states_.front(), action.slots, args);
    std::string out = rule.texts[a] + " is not enabled";
    for (std::size_t i = 0; i < args.size(); ++i)
      out += fmt::format("{}{} = {}", i == 0 ? ", where " : ", ", rule.holes.names[i],
                         spec_->print(args[i]));
    if (at.line != 0) out += ": the guard at " + spec_->symbols().describe(at) + " is FALSE";
    return out;
  }

  Mapping mapping_;
  std::unique_ptr<tla::Spec> spec_;
  std::vector<LogRule> rules_;
  std::vector<tla::State> states_;
};

}  // namespace

Result<LogReport> replay_log(
    const std::string& spec, const std::string& config, const std::string& mapping,
    const std::string& log,
    const std::function<void(std::uint64_t line, const std::string& state)>& visit) {
  const auto text = read_file(log);
  if (!text) return tl::unexpected(text.error());
  LogReplay replay;
  if (auto s = replay.load(spec, config, mapping); !s) return tl::unexpected(s.error());
  LogReport report;
  std::set<std::uint64_t> seen;
  const auto see = [&] {
    for (const tla::State& s : replay.states()) seen.insert(replay.spec().fingerprint(s));
  };
  see();
  for (std::size_t begin = 0; begin < text->size();) {
    const std::size_t end = std::min(text->find('\n', begin), text->size());
    const std::string_view line = std::string_view(*text).substr(begin, end - begin);
    begin = end + 1;
    ++report.lines;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    std::string problem;
    const auto value = parse_json(line, &problem);
    if (!value) return error("{}, line {}: {}", log, report.lines, problem);
    const auto possible = replay.take(*value, report);
    if (!possible) return error("{}, line {}: {}", log, report.lines, possible.error());
    if (!*possible) {
      report.failed_at = report.lines;
      break;
    }
    see();
    if (visit) visit(report.lines, replay.spec().print(replay.states().front()));
  }
  report.states = seen.size();
  report.warnings = std::move(replay.spec().evaluator().warnings());
  report.last = replay.spec().print(replay.states().front());
  report.last_of = replay.states().size();
  return report;
}

}  // namespace schism::model
