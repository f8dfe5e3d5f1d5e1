#include "schism/step/json_prompt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/step/menu.hpp"
#include "schism/step/prompt.hpp"
#include "schism/trace/describe.hpp"

namespace schism {
namespace {

Value number(std::uint64_t n) { return static_cast<std::int64_t>(n); }

// A whole number of the request; without it the fallback, or an error where there is none.
Result<std::uint32_t> number_of(const Value& request, const std::string& key,
                                std::optional<std::uint32_t> fallback = std::nullopt) {
  const Value* value = request.find(key);
  if (!value && fallback) return *fallback;
  if (!value) return error("\"{}\" is missing", key);
  const std::int64_t* n = value->as_int();
  if (!n || *n < 0 || *n > UINT32_MAX)
    return error("\"{}\" is a whole number from 0 to {}", key, UINT32_MAX);
  return static_cast<std::uint32_t>(*n);
}

Result<std::string> text_of(const Value& request, const std::string& key) {
  const Value* value = request.find(key);
  if (!value) return error("\"{}\" is missing", key);
  if (!value->as_text()) return error("\"{}\" is a text", key);
  return *value->as_text();
}

// As a text, because not every program keeps all 64 bits of a number.
Result<std::uint64_t> seed_of(const Value& request, std::uint64_t fallback) {
  const Value* value = request.find("seed");
  if (!value) return fallback;
  if (const std::int64_t* n = value->as_int(); n && *n >= 0) return static_cast<std::uint64_t>(*n);
  const auto seed = parse_seed(value->as_text() ? *value->as_text() : to_json(*value));
  if (!seed) return error("\"seed\" {}", seed.error());
  return *seed;
}

Status knows(const Value& request, const std::vector<std::string>& keys) {
  for (const auto& [key, value] : *request.as_object()) {
    if (key == "do" || key == "id") continue;
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      return tl::unexpected(unknown_word("key", key, keys));
  }
  return {};
}

}  // namespace

const std::vector<JsonPrompt::Request>& JsonPrompt::requests() {
  static const std::vector<Request> table = {
      {"list", {}, &JsonPrompt::list},
      {"apply", {"number", "action"}, &JsonPrompt::apply},
      {"back", {"steps"}, &JsonPrompt::back},
      {"go", {"run", "step"}, &JsonPrompt::go},
      {"inspect", {"node"}, &JsonPrompt::inspect},
      {"events", {}, &JsonPrompt::events},
      {"run", {"steps", "scheduler", "seed"}, &JsonPrompt::run},
      {"calm", {}, &JsonPrompt::calm},
      {"choose", {"answers"}, &JsonPrompt::choose},
      {"ask", {"request"}, &JsonPrompt::ask},
      {"save", {"file"}, &JsonPrompt::save},
      {"quit", {}, &JsonPrompt::quit},
  };
  return table;
}

JsonPrompt::JsonPrompt(std::unique_ptr<Session> session, std::string run)
    : session_(std::move(session)), run_(std::move(run)) {}

std::string JsonPrompt::greeting(const std::string& warning) const {
  const RunConfig& config = session_->config();
  Value out;
  out.set("system", print_spec(config.system));
  out.set("nodes", config.setup.nodes);
  out.set("time", enum_name(config.setup.options.time));
  if (!warning.empty()) out.set("warning", warning);
  add_position(out);
  return to_json(out);
}

JsonPrompt::Reply JsonPrompt::say(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return {};
  std::string problem;
  std::optional<Value> request;
  if (line.size() > kTypedMax) problem = "a line of more than 64 KiB";
  else request = parse_json(line, &problem);
  if (request && !request->as_object()) problem = "a request is an object: {\"do\":\"list\"}";
  const bool good = request && request->as_object();
  Answer answer = good ? obey(*request) : Answer(error("{}", problem));

  Value out;
  if (good)
    if (const Value* id = request->find("id")) out.set("id", *id);
  if (!answer) out.set("error", answer.error());
  else if (const auto* fields = answer->as_object())
    for (const auto& [key, value] : *fields) out.set(key, value);
  add_position(out);
  return {to_json(out), !answer, quit_};
}

JsonPrompt::Answer JsonPrompt::obey(const Value& request) {
  const auto name = text_of(request, "do");
  if (!name) return tl::unexpected(name.error());
  std::vector<std::string> known;
  for (const Request& one : requests()) {
    known.emplace_back(one.name);
    if (one.name != *name) continue;
    if (auto good = knows(request, one.keys); !good) return tl::unexpected(good.error());
    return (this->*one.run)(request);
  }
  return tl::unexpected(unknown_word("request", *name, known));
}

Status JsonPrompt::may_go_on() const {
  if (const auto& v = session_->violation())
    return error("the run has ended: {} is violated; \"back\" goes on from before that",
                 v->property);
  return {};
}

// ---- steps ---------------------------------------------------------------------------------

JsonPrompt::Answer JsonPrompt::list(const Value&) {
  const System& system = *session_->config().setup.system;
  Value::Array actions;
  if (!session_->violation())
    for (const MenuItem& item : menu_of(session_->world())) {
      Value one;
      one.set("number", number(actions.size() + 1));
      one.set("title", item.title);
      if (!item.content.empty()) one.set("content", item.content);
      Recorded recorded;
      recorded.action = item.action;
      one.set("action", describe_action(system, recorded));
      actions.push_back(std::move(one));
    }
  Value out;
  out.set("actions", std::move(actions));
  return out;
}

// By its number in the list, by words as a person types them, or as the object of a trace.
Result<Recorded> JsonPrompt::meant(const Value& request) const {
  const Value* action = request.find("action");
  const Value* place = request.find("number");
  if ((action != nullptr) == (place != nullptr))
    return error("\"number\" or \"action\": one of them");
  if (action && action->as_object())
    return parse_action(*session_->config().setup.system, session_->config().setup.places(),
                        *action);
  const auto menu = menu_of(session_->world());
  Recorded out;
  if (action) {
    if (!action->as_text()) return error("\"action\" is a text or an object");
    const auto words = words_of_line(*action->as_text());
    if (words.empty()) return error("\"action\" is empty");
    const auto found = pick(menu, words);
    if (!found) return tl::unexpected(found.error());
    out.action = menu[*found].action;
    return out;
  }
  const auto n = number_of(request, "number");
  if (!n) return tl::unexpected(n.error());
  if (menu.empty()) return error("nothing is enabled");
  if (*n < 1 || *n > menu.size())
    return error("\"number\" is one of the list, 1 to {}, not {}", menu.size(), *n);
  out.action = menu[*n - 1].action;
  return out;
}

JsonPrompt::Answer JsonPrompt::apply(const Value& request) {
  if (auto good = may_go_on(); !good) return tl::unexpected(good.error());
  const auto step = meant(request);
  if (!step) return tl::unexpected(step.error());
  const auto before = states();
  const Refusal refusal = session_->apply(*step);
  if (refusal != Refusal::none)
    return error("{}: {}", print_action(*session_->config().setup.system, step->action),
                 refusal_text(refusal));
  left_ = true;
  Value out = told_step();
  add_changes(out, before);
  return out;
}

JsonPrompt::Answer JsonPrompt::back(const Value& request) {
  const auto steps = number_of(request, "steps", 1);
  if (!steps) return tl::unexpected(steps.error());
  const std::uint32_t here = session_->position();
  if (*steps > here) return error("only {} to take back", here);
  session_->go_to(here - *steps);
  return told_step();
}

JsonPrompt::Answer JsonPrompt::go(const Value& request) {
  const auto step = number_of(request, "step");
  if (!step) return tl::unexpected(step.error());
  const auto stands = [](std::uint32_t asked, const Session& session) -> Status {
    if (asked <= session.length()) return {};
    return error("there are steps 0 to {}, not {}", session.length(), asked);
  };
  const Value* name = request.find("run");
  const bool same =
      !name || name->is_null() || (!left_ && name->as_text() && *name->as_text() == run_);
  if (same) {
    if (auto good = stands(*step, *session_); !good) return tl::unexpected(good.error());
    session_->go_to(*step);
    return told_step();
  }
  if (!name->as_text()) return error("\"run\" is the file of a trace");
  std::string warning;
  auto other = Prompt::open(fmt::format("{}@{}", *name->as_text(), *step), warning);
  if (!other) return tl::unexpected(other.error());
  session_ = *std::move(other);
  run_ = *name->as_text();
  left_ = false;
  Value out = told_step();
  if (!warning.empty()) out.set("warning", warning);
  return out;
}

JsonPrompt::Answer JsonPrompt::run(const Value& request) {
  if (auto good = may_go_on(); !good) return tl::unexpected(good.error());
  const auto steps = number_of(request, "steps");
  if (!steps) return tl::unexpected(steps.error());
  const auto seed = seed_of(request, session_->plan().seed + session_->position());
  if (!seed) return tl::unexpected(seed.error());
  Spec spec = session_->config().scheduler;
  if (request.find("scheduler")) {
    const auto text = text_of(request, "scheduler");
    if (!text) return tl::unexpected(text.error());
    auto given = parse_spec(*text);
    if (!given) return tl::unexpected(given.error());
    spec = *std::move(given);
  }
  auto scheduler = session_->scheduler(spec);
  if (!scheduler) return tl::unexpected(scheduler.error());
  const auto before = states();
  const Session::Played played = session_->let(**scheduler, *seed, *steps);
  left_ = left_ || played.steps > 0;
  Value out;
  out.set("played", number(played.steps));
  out.set("ended", played.ended);
  add_changes(out, before);
  return out;
}

JsonPrompt::Answer JsonPrompt::calm(const Value&) {
  if (auto good = may_go_on(); !good) return tl::unexpected(good.error());
  const auto before = states();
  const Session::Played played = session_->calm();
  left_ = left_ || played.steps > 0;
  Value out;
  out.set("played", number(played.steps));
  out.set("judged", played.ended || session_->violation().has_value());
  add_changes(out, before);
  return out;
}

JsonPrompt::Answer JsonPrompt::choose(const Value& request) {
  const Value* given = request.find("answers");
  if (!given || !given->as_array() || given->as_array()->empty())
    return error("\"answers\" is a list of alternatives; the first is 0");
  std::vector<std::uint32_t> answers;
  for (const Value& one : *given->as_array()) {
    const std::int64_t* k = one.as_int();
    if (!k || *k < 0 || *k > UINT32_MAX) return error("\"answers\" are whole numbers from 0 on");
    answers.push_back(static_cast<std::uint32_t>(*k));
  }
  session_->will_choose(std::move(answers));
  return Value(Value::Object());
}

// ---- looking -------------------------------------------------------------------------------

JsonPrompt::Answer JsonPrompt::inspect(const Value& request) {
  const World& world = session_->world();
  Value::Array nodes;
  if (request.find("node")) {
    const auto id = number_of(request, "node");
    if (!id) return tl::unexpected(id.error());
    const auto last = static_cast<std::uint32_t>(world.pending().nodes) - 1;
    if (*id > last) return error("\"node\" is a whole number from 0 to {}", last);
    nodes.push_back(told_node(static_cast<NodeId>(*id)));
  } else {
    for (NodeId id = 0; id < world.pending().nodes; ++id) nodes.push_back(told_node(id));
  }
  Value out;
  out.set("nodes", std::move(nodes));
  if (world.calm() || world.setup().options.time != TimeUse::untimed)
    out.set("clock_us", world.clock());
  return out;
}

JsonPrompt::Answer JsonPrompt::events(const Value&) { return told_step(); }

// ---- files ---------------------------------------------------------------------------------

JsonPrompt::Answer JsonPrompt::ask(const Value& request) {
  if (auto good = may_go_on(); !good) return tl::unexpected(good.error());
  const Value* object = request.find("request");
  if (!object || !object->as_object()) return error("\"request\" is an object");
  const Setup& setup = session_->config().setup;
  const auto asked = parse_request(*setup.system, setup.nodes, *object);
  if (!asked) return tl::unexpected(asked.error());
  session_->ask(*asked);
  left_ = true;
  return Value(Value::Object());
}

JsonPrompt::Answer JsonPrompt::save(const Value& request) {
  const auto file = text_of(request, "file");
  if (!file) return tl::unexpected(file.error());
  if (*file == "-") return error("\"file\": answers go to standard output, not traces");
  const Trace trace = session_->trace();
  if (auto good = write_trace(trace, *file); !good) return tl::unexpected(good.error());
  if (session_->position() == session_->length())
    run_ = *file, left_ = false;  // it is all in there
  Value out;
  out.set("file", *file);
  out.set("steps", number(trace.steps.size() - 1));
  return out;
}

JsonPrompt::Answer JsonPrompt::quit(const Value&) {
  quit_ = true;
  return Value(Value::Object());
}

// ---- what is told --------------------------------------------------------------------------

// The step that led here, or the start.
Value JsonPrompt::told_step() const {
  const World& world = session_->world();
  const System& system = *world.setup().system;
  Value out;
  if (const Recorded* last = session_->last()) {
    out.set("title", print_action(system, last->action));
    out.set("action", describe_action(system, *last));
  }
  Value::Array events;
  for (const Event& event : world.events()) events.push_back(describe_event(system, event));
  out.set("events", std::move(events));
  return out;
}

Value JsonPrompt::told_node(NodeId id) const {
  const World& world = session_->world();
  Value out;
  out.set("node", static_cast<int>(id));
  out.set("up", world.runs(id));
  out.set("paused", world.pending().paused.has(static_cast<std::uint32_t>(id)));
  if (world.runs(id)) out.set("state", world.inspect(id));
  return out;
}

std::vector<Value> JsonPrompt::states() const {
  std::vector<Value> out;
  for (NodeId id = 0; id < session_->world().pending().nodes; ++id) out.push_back(told_node(id));
  return out;
}

void JsonPrompt::add_changes(Value& answer, const std::vector<Value>& before) const {
  Value::Array changed;
  auto now = states();
  for (std::size_t id = 0; id < now.size(); ++id)
    if (!(now[id] == before[id])) changed.push_back(std::move(now[id]));
  answer.set("changed", std::move(changed));
}

void JsonPrompt::add_position(Value& answer) const {
  Value position;
  position.set("run", run_.empty() || left_ ? Value() : Value(run_));
  position.set("step", number(session_->position()));
  position.set("length", number(session_->length()));
  answer.set("position", std::move(position));
  const auto& v = session_->violation();
  if (!v) return;
  Value violation;
  violation.set("property", v->property);
  violation.set("step", number(v->step));
  violation.set("message", v->message);
  answer.set("violation", std::move(violation));
}

}  // namespace schism
