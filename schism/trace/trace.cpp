#include "schism/trace/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "schism/base/file.hpp"
#include "schism/base/lines.hpp"
#include "schism/system/liars.hpp"
#include "schism/trace/claim.hpp"
#include "schism/trace/describe.hpp"

namespace schism {
namespace {

const std::string kCheck = "check ";  // before the name of a search that is no explorer of hunts

Value to_value(const Pairs& pairs) {
  Value::Object out;
  for (const auto& [key, text] : pairs) out.emplace_back(key, Value(text));
  return out;
}

Value text_list(const std::vector<std::string>& items) {
  Value::Array out;
  for (const std::string& item : items) out.emplace_back(item);
  return out;
}

Value describe_violation(const Violation& v) {
  Value out;
  out.set("property", v.property);
  out.set("message", v.message);
  out.set("step", static_cast<std::int64_t>(v.step));
  Value::Array evidence;
  for (const Evidence& e : v.evidence) {
    Value item;
    item.set("step", static_cast<std::int64_t>(e.step));
    item.set("role", e.role);
    evidence.push_back(std::move(item));
  }
  out.set("evidence", std::move(evidence));
  return out;
}

Value describe_death(const Death& death) {
  Value out;
  out.set("how", death.how);
  out.set("step", static_cast<std::int64_t>(death.step));
  out.set("call", static_cast<std::int64_t>(death.call));
  out.set("inside", death.inside);
  out.set("frames", text_list(death.frames));
  out.set("said", death.said);
  return out;
}

// Older programs would charge free actions to budgets, and know no labels and no macro steps inside
// others.
bool is_scripted(const Trace& trace) {
  int depth = 0;
  for (const Recorded& step : trace.steps) {
    const Action& a = step.action;
    if (a.kind == Do::begin && (++depth > 1 || step.content.as_text() || a.arg() > 1)) return true;
    if (a.kind == Do::end) --depth;
    if (a.free) return true;
  }
  return false;
}

int version_of(const Trace& trace) {
  const WorldOptions& options = trace.config.setup.options;
  if (has_liars(options) || options.lies != Lies::liars) return kLiarsVersion;
  if (is_scripted(trace)) return 4;
  return trace.config.setup.death ? 3 : trace.config.setup.requests ? 2 : 1;
}

Value head_of(const Trace& trace) {
  const RunText text = to_text(trace.config);
  Value head;
  head.set("schism", "trace");
  // Older programs read what they can: only what they would misunderstand has a new number.
  head.set("version", version_of(trace));
  head.set("system", text.system.name);
  head.set("parameters", to_value(text.system.values));
  head.set("bugs", text_list(text.bugs));
  head.set("nodes", trace.config.setup.nodes);
  head.set("world", to_value(text.world));
  head.set("faults", to_value(text.faults));
  // For people and other programs: who reads it here works it out anew.
  if (const FaultKinds more = beyond_claim(trace.config.setup, faults_in(trace)); !more.empty())
    head.set("beyond_claim", text_list(more.names()));
  head.set("time", enum_name(trace.config.setup.options.time));
  head.set("explorer",
           trace.checked_by.empty() ? print_spec(text.explorer) : kCheck + trace.checked_by);
  head.set("max_steps", static_cast<std::int64_t>(trace.config.limits.steps));
  head.set("tail", text.tail);
  if (!text.mute.empty()) head.set("mute", text_list(text.mute));
  if (!text.scenario.empty()) head.set("scenario", text.scenario);
  head.set("run", static_cast<std::int64_t>(trace.run));
  // As text: seeds use all 64 bits, JSON numbers do not.
  head.set("seed", std::to_string(trace.plan.seed));
  head.set("node_seed", std::to_string(trace.plan.node_seed));
  if (const auto& requests = trace.config.setup.requests) {
    Value::Array list;
    for (const ClientRequest& r : *requests)
      list.push_back(describe_request(*trace.config.setup.system, r));
    head.set("requests", std::move(list));
  }
  if (trace.config.setup.death) head.set("death", describe_death(*trace.config.setup.death));
  if (trace.shrunk_from) {
    Value from;
    from.set("actions", static_cast<std::int64_t>(trace.shrunk_from->actions));
    from.set("nodes", trace.shrunk_from->nodes);
    head.set("shrunk_from", std::move(from));
  }
  if (trace.repeats) {
    Value repeated;
    repeated.set("times", static_cast<std::int64_t>(trace.repeats->times));
    repeated.set("of", static_cast<std::int64_t>(trace.repeats->of));
    head.set("repeated", std::move(repeated));
  }
  return head;
}

}  // namespace

std::string to_text(const Trace& trace) {
  const System& system = *trace.config.setup.system;
  std::string out = to_json(head_of(trace)) + "\n";
  std::uint64_t number = 0;
  for (const Recorded& step : trace.steps) {
    Value line;
    line.set("step", static_cast<std::int64_t>(number++));
    const Value action = describe_action(system, step);
    for (const auto& [key, value] : *action.as_object()) line.set(key, value);
    std::string text = to_json(line);
    text.pop_back();
    out += text + ",\"events\":" + events_text(system, step.events) + "}\n";
  }
  Value end;
  end.set("end", static_cast<std::int64_t>(trace.steps.size()));
  end.set("fair", trace.fair);
  end.set("class", to_hex(trace.run_class));
  if (trace.violation) end.set("violation", describe_violation(*trace.violation));
  return out + to_json(end) + "\n";
}

// ---- reading -------------------------------------------------------------------------------

namespace {

// A step, and so what stands for one, is below this.
constexpr std::int64_t kStepTop = UINT32_MAX - 1;

// One line at a time, with the first error kept.
class Reader {
 public:
  explicit Reader(const Source& source, StepLook look = {}, Keep keep = Keep::decisions)
      : lines_(source), name_(source.name()), look_(std::move(look)), keep_(keep) {}

  Result<Trace> read() {
    Trace trace;
    auto head = next_object();
    if (!head) return tl::unexpected(head.error());
    if (auto good = read_head(*head, trace); !good) return tl::unexpected(good.error());
    for (;;) {
      auto line = next_object();
      if (!line) return tl::unexpected(line.error());
      if (line->find("end")) return read_end(*line, std::move(trace));
      if (auto good = read_step(*line, trace); !good) return tl::unexpected(good.error());
    }
  }

 private:
  template <class... Args>
  tl::unexpected<std::string> bad(fmt::format_string<Args...> format, Args&&... args) const {
    return error("{}, line {}: {}", name_, number_,
                 fmt::format(format, std::forward<Args>(args)...));
  }

  Result<Value> next_object() {
    ++number_;
    std::string_view text;
    const auto more = lines_.next(text);
    if (!more) return bad("{}", more.error());
    if (!*more) return bad("the trace ends before its last line");
    std::string problem;
    auto value = parse_json(text, &problem);
    if (!value) return bad("{}", problem);
    if (!value->as_object()) return bad("not an object");
    return *std::move(value);
  }

  Result<std::string> text_of(const Value& object, std::string_view key) const {
    const Value* v = object.find(key);
    if (!v || !v->as_text()) return bad("\"{}\" is a text", key);
    return *v->as_text();
  }
  Result<std::uint64_t> seed_of(const Value& object, std::string_view key) const {
    auto text = text_of(object, key);
    if (!text) return tl::unexpected(text.error());
    const auto seed = parse_seed(*text);
    if (!seed) return bad("\"{}\" is a number in quotes", key);
    return *seed;
  }
  Result<Pairs> pairs_of(const Value& object, std::string_view key) const {
    const Value* v = object.find(key);
    if (!v || !v->as_object()) return bad("\"{}\" is an object of texts", key);
    Pairs out;
    for (const auto& [k, value] : *v->as_object()) {
      if (!value.as_text()) return bad("\"{}\" is an object of texts", key);
      out.emplace_back(k, *value.as_text());
    }
    return out;
  }
  Result<std::int64_t> integer_of(const Value& object, std::string_view key) const {
    const Value* v = object.find(key);
    if (!v || !v->as_int() || *v->as_int() < 0) return bad("\"{}\" is a whole number", key);
    return *v->as_int();
  }

  Result<std::uint32_t> step_of(const Value& object, std::string_view key) const {
    const auto step = integer_of(object, key);
    if (!step) return tl::unexpected(step.error());
    if (*step > kStepTop) return bad("\"{}\" is a number of up to {}", key, kStepTop);
    return static_cast<std::uint32_t>(*step);
  }

  Status read_head(const Value& head, Trace& trace) {
    const Value* kind = head.find("schism");
    if (!kind || !kind->as_text() || *kind->as_text() != "trace")
      return bad("this is not a schism trace");
    const auto version = integer_of(head, "version");
    if (!version) return tl::unexpected(version.error());
    if (*version > kTraceVersion)
      return bad("the trace is of version {}, this program reads up to {}", *version,
                 kTraceVersion);
    RunText text;
    const auto system = text_of(head, "system");
    const auto parameters = pairs_of(head, "parameters");
    const auto world = pairs_of(head, "world");
    const auto faults = pairs_of(head, "faults");
    const auto explorer = text_of(head, "explorer");
    const auto time = text_of(head, "time");
    const auto tail = text_of(head, "tail");
    const auto nodes = integer_of(head, "nodes");
    const auto steps = integer_of(head, "max_steps");
    const auto run = integer_of(head, "run");
    const auto seed = seed_of(head, "seed");
    const auto node_seed = seed_of(head, "node_seed");
    for (const auto* r : {&system, &explorer, &time, &tail})
      if (!*r) return tl::unexpected(r->error());
    for (const auto* r : {&parameters, &world, &faults})
      if (!*r) return tl::unexpected(r->error());
    for (const auto* r : {&nodes, &steps, &run})
      if (!*r) return tl::unexpected(r->error());
    for (const auto* r : {&seed, &node_seed})
      if (!*r) return tl::unexpected(r->error());
    const Value* bugs = head.find("bugs");
    if (!bugs || !from_value(*bugs, text.bugs)) return bad("\"bugs\" is a list of texts");
    const Value* mute = head.find("mute");
    if (mute && !from_value(*mute, text.mute)) return bad("\"mute\" is a list of texts");
    if (head.find("scenario")) {
      auto scenario = text_of(head, "scenario");
      if (!scenario) return tl::unexpected(scenario.error());
      text.scenario = *std::move(scenario);
    }
    const bool checked = explorer->starts_with(kCheck);
    if (checked) trace.checked_by = explorer->substr(kCheck.size());
    auto spec = checked ? Spec{} : parse_spec(*explorer);
    if (!spec) return bad("{}", spec.error());
    text.system = {*system, *parameters};
    text.world = *world;
    before_liars_ = *version < kLiarsVersion;
    if (before_liars_ && changes_messages(*faults)) text.world.emplace_back("lies", "anyone");
    text.faults = *faults;
    text.explorer = *spec;
    text.nodes = std::to_string(*nodes);
    text.steps = std::to_string(*steps);
    text.tail = *tail;
    auto config = make_config(text);
    if (!config) return bad("{}", config.error());
    trace.config = *std::move(config);
    const auto use = enum_value<TimeUse>(*time);
    if (!use) return bad("{}", unknown_word("use of time", *time, {"untimed", "stepped", "timed"}));
    trace.config.setup.options.time = *use;
    trace.run = static_cast<std::uint64_t>(*run);
    trace.plan = {*seed, *node_seed};
    return read_additions(head, trace);
  }

  // What not every trace has.
  Status read_additions(const Value& head, Trace& trace) {
    Setup& setup = trace.config.setup;
    if (const Value* list = head.find("requests")) {
      if (!list->as_array()) return bad("\"requests\" is a list");
      auto requests = std::make_shared<std::vector<ClientRequest>>();
      for (const Value& item : *list->as_array()) {
        auto request = parse_request(*setup.system, setup.nodes, item);
        if (!request) return bad("\"requests\": {}", request.error());
        requests->push_back(*std::move(request));
      }
      setup.requests = std::move(requests);
    }
    if (const Value* death = head.find("death"))
      if (auto good = read_death(*death, setup); !good) return good;
    if (const Value* from = head.find("shrunk_from")) {
      const auto actions = integer_of(*from, "actions");
      const auto nodes = integer_of(*from, "nodes");
      if (!actions) return tl::unexpected(actions.error());
      if (!nodes) return tl::unexpected(nodes.error());
      trace.shrunk_from = ShrunkFrom{static_cast<std::uint64_t>(*actions),
                                     static_cast<int>(std::min<std::int64_t>(*nodes, kNodesMax))};
    }
    if (const Value* repeated = head.find("repeated")) {
      const auto times = step_of(*repeated, "times"), of = step_of(*repeated, "of");
      if (!times) return tl::unexpected(times.error());
      if (!of) return tl::unexpected(of.error());
      if (*times > *of) return bad("\"repeated\" is more often than it was tried");
      trace.repeats = Repeats{*times, *of};
    }
    return {};
  }

  Status read_death(const Value& value, Setup& setup) {
    if (!value.as_object()) return bad("\"death\" is an object");
    Death death;
    const auto how = text_of(value, "how"), said = text_of(value, "said");
    const auto step = step_of(value, "step"), call = step_of(value, "call");
    const Value* inside = value.find("inside");
    const Value* frames = value.find("frames");
    for (const auto* r : {&how, &said})
      if (!*r) return tl::unexpected(r->error());
    for (const auto* r : {&step, &call})
      if (!*r) return tl::unexpected(r->error());
    if (!inside || !inside->as_bool()) return bad("\"inside\" is true or false");
    if (!frames || !from_value(*frames, death.frames)) return bad("\"frames\" is a list of texts");
    death.how = *how, death.said = *said;
    death.step = *step, death.call = *call;
    death.inside = *inside->as_bool();
    setup.death = std::make_shared<const Death>(std::move(death));
    return {};
  }

  Status read_step(const Value& line, Trace& trace) {
    const auto number = integer_of(line, "step");
    if (!number) return tl::unexpected(number.error());
    if (*number != static_cast<std::int64_t>(steps_))
      return bad("step {} stands where step {} should", *number, steps_);
    auto step = parse_action(*trace.config.setup.system, trace.config.setup.places(), line);
    if (!step) return bad("{}", step.error());
    if ((step->action.kind == Do::nothing) != (steps_ == 0))
      return bad("only step 0, the start, does nothing");
    const Value* events = line.find("events");
    if (!events || !events->as_array()) return bad("\"events\" is a list");
    for (const Value& object : *events->as_array()) {
      auto event = parse_event(*trace.config.setup.system, trace.config.setup.places(), object);
      if (!event) return bad("in an event, {}", event.error());
      step->events.push_back(*std::move(event));
    }
    const Do kind = step->action.kind;
    if (before_liars_ && (kind == Do::mutate || kind == Do::inject))
      trace.config.setup.options.lies = Lies::anyone;
    ++steps_;
    if (look_) {
      look_(trace, *step);
      if (keep_ == Keep::nothing) return {};
      step->events = std::vector<RecordedEvent>();  // and its memory
    }
    trace.steps.push_back(*std::move(step));
    return {};
  }

  // Once anybody's messages were changed.
  static bool changes_messages(const Pairs& faults) {
    return std::any_of(faults.begin(), faults.end(), [](const auto& fault) {
      return (fault.first == "mutate" || fault.first == "inject") && fault.second != "0";
    });
  }

  Result<Trace> read_end(const Value& end, Trace trace) {
    const auto count = integer_of(end, "end");
    if (!count) return tl::unexpected(count.error());
    if (*count != static_cast<std::int64_t>(steps_))
      return bad("the trace has {} steps, but says {}", steps_, *count);
    const Value* fair = end.find("fair");
    if (!fair || !fair->as_bool()) return bad("\"fair\" is true or false");
    trace.fair = *fair->as_bool();
    const auto hex = text_of(end, "class");
    if (!hex) return tl::unexpected(hex.error());
    if (!from_hex(*hex, trace.run_class)) return bad("\"class\" is 32 hexadecimal digits");
    if (const Value* v = end.find("violation")) {
      Violation violation;
      const auto property = text_of(*v, "property");
      const auto message = text_of(*v, "message");
      const auto step = step_of(*v, "step");
      if (!property || !message || !step) return bad("\"violation\" is incomplete");
      violation.property = *property;
      violation.message = *message;
      violation.step = *step;
      const Value* evidence = v->find("evidence");
      if (!evidence || !evidence->as_array()) return bad("\"evidence\" is a list");
      for (const Value& e : *evidence->as_array()) {
        const auto at = step_of(e, "step");
        const auto role = text_of(e, "role");
        if (!at || !role) return bad("\"evidence\" is a list of steps and roles");
        violation.evidence.push_back({*at, *role});
      }
      trace.violation = std::move(violation);
    }
    std::string_view rest;
    for (;;) {
      ++number_;
      const auto more = lines_.next(rest);
      if (!more) return bad("{}", more.error());
      if (!*more) return trace;
      if (rest.find_first_not_of(" \r\t") != std::string_view::npos)
        return bad("there is more after the end");
    }
  }

  Lines lines_;
  const std::string& name_;
  StepLook look_;
  Keep keep_;
  std::uint64_t number_ = 0;  // of the line
  bool before_liars_ = false;
  std::uint64_t steps_ = 0;  // so far
};

}  // namespace

Result<Trace> parse_trace(std::string_view text, const std::string& name) {
  return Reader(Source::memory(std::string(text), name)).read();
}

Result<Source> trace_source(const std::string& path) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none) && std::filesystem::exists(path + "/bug.trace"))
    return trace_source(path + "/bug.trace");
  auto source = Source::file(path);
  if (source) source->unpacks_to(kUnpackRatio);
  return source;
}

Result<Trace> read_trace(const std::string& path) {
  const auto source = trace_source(path);
  if (!source) return tl::unexpected(source.error());
  return Reader(*source).read();
}

Result<Trace> read_trace(const Source& source, const StepLook& look, Keep keep) {
  return Reader(source, look, keep).read();
}

Status write_trace(const Trace& trace, const std::string& path) {
  return write_file(path, to_text(trace));
}

Result<std::vector<std::string>> list_traces(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code code;
  for (std::filesystem::recursive_directory_iterator at(folder, code), end; !code && at != end;
       at.increment(code)) {
    const std::string path = at->path();
    if (path.ends_with(".trace") || path.ends_with(".trace.zst")) files.push_back(path);
  }
  if (code) return error("{}: {}", folder, code.message());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace schism
