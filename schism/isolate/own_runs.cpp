#include "schism/isolate/own_runs.hpp"

#include <algorithm>
#include <bit>

#include "schism/coverage/edges.hpp"
#include "schism/system/system.hpp"

namespace schism::isolate {
namespace {

constexpr std::string_view kRestart = "restart";

FieldType type_of(const schism::FieldType& declared) {
  switch (declared.kind) {
    case FieldKind::integer:
    case FieldKind::node: return FieldType::integer;
    case FieldKind::boolean: return FieldType::boolean;
    case FieldKind::number: return FieldType::number;
    default: return FieldType::text;  // words; lists, optionals and structs as they are printed
  }
}

int kind_of(Schema& schema, std::string name, FieldType type) {
  name += fmt::format(" ({})", enum_name(type));
  for (std::size_t i = 0; i < schema.kinds.size(); ++i)
    if (schema.kinds[i].name == name) return static_cast<int>(i);
  Kind kind{std::move(name), type, {kEqual, kUnequal}};
  if (type == FieldType::integer || type == FieldType::number)
    kind.operators.insert(kind.operators.end(), {kLess, kGreater});
  schema.kinds.push_back(std::move(kind));
  return static_cast<int>(schema.kinds.size()) - 1;
}

}  // namespace

Result<Schema> schema_of(const RunConfig& config) {
  const System& system = *config.setup.system;
  const int nodes = config.setup.places();
  if (nodes > kProcessesMax)
    return error("isolation takes at most {} nodes, not {}", kProcessesMax, nodes);
  Schema s;
  s.processes = nodes;
  for (int type = 0; type < system.message_count(); ++type) {
    const TypeInfo& info = system.message(type);
    Verb verb{std::string(info.name), std::string(info.name), {}};
    for (const FieldInfo& declared : info.fields) {
      Field field;
      field.name = field.key = std::string(declared.name);
      field.kind = kind_of(s, field.name, type_of(*declared.type));
      verb.fields.push_back(std::move(field));
    }
    s.verbs.push_back(std::move(verb));
  }
  s.verbs.push_back({std::string(kRestart), std::string(kRestart), {}});
  const std::uint64_t all = nodes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << nodes) - 1;
  s.groups.push_back({"all", all, all});
  s.threshold_high = std::min(3, std::max(1, nodes / 2 + 1));
  s.tolerance_high = std::min(4, nodes - 1);
  s.assertions = 2;
  return s;
}

InboxRecorder::InboxRecorder(const System& system, const Schema& schema) : schema_(schema) {
  for (int type = 0; type < system.message_count(); ++type) types_.push_back(&system.message(type));
}

EventMask InboxRecorder::wants() {
  return mask_of(Happened::delivered) | mask_of(Happened::restarted);
}

void InboxRecorder::begin(int nodes) {
  run_.clear();
  known_.clear();
  inboxes_.resize(static_cast<std::size_t>(nodes));
  for (auto& inbox : inboxes_) inbox.clear();
}

void InboxRecorder::add(std::size_t node, std::size_t verb, int sender, std::uint32_t fields) {
  Message m;
  m.verb = static_cast<std::uint16_t>(verb);
  m.sender = static_cast<std::int16_t>(sender);
  m.first = fields;
  inboxes_[node].push_back(m);
}

// Hashing a content is far cheaper than taking it apart, and most are seen more than once.
std::uint32_t InboxRecorder::fields(const Event& event, std::size_t verb) {
  const auto place = static_cast<std::uint32_t>(run_.values.size());
  const auto [at, fresh] = known_.try_emplace(event.type->hash(event.body), place);
  if (!fresh) return at->second;
  const Value value = event.type->to_value(event.body);
  const Value::Object& parts = *value.as_object();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Field& field = schema_.verbs[verb].fields[i];
    const Value& part = parts[i].second;
    switch (schema_.kinds[static_cast<std::size_t>(field.kind)].type) {
      case FieldType::integer: run_.values.push_back(part.as_int() ? *part.as_int() : 0); break;
      case FieldType::boolean: run_.values.push_back(part.as_bool() && *part.as_bool()); break;
      case FieldType::number: run_.values.push_back(ordered(part.as_number().value_or(0))); break;
      case FieldType::text: run_.values.push_back(run_.intern(to_json(part))); break;
    }
  }
  return place;
}

void InboxRecorder::look(std::span<const Event> events) {
  for (const Event& event : events) {
    if (event.kind == Happened::restarted) {
      add(event.node, types_.size(), event.node, 0);
    } else if (event.kind == Happened::delivered && event.body) {
      const auto type = std::find(types_.begin(), types_.end(), event.type);
      if (type == types_.end()) continue;
      const auto verb = static_cast<std::size_t>(type - types_.begin());
      add(event.node, verb, event.peer, fields(event, verb));
    }
  }
}

void InboxRecorder::finish(Run& out) {
  for (const auto& inbox : inboxes_) {
    run_.messages.insert(run_.messages.end(), inbox.begin(), inbox.end());
    run_.inbox_end.push_back(static_cast<std::uint32_t>(run_.messages.size()));
  }
  std::swap(out, run_);
}

OwnRuns::OwnRuns(const RunConfig& config, const Schema& schema)
    : config_(config),
      scheduler_(make_scheduler(config)),
      runner_(std::make_unique<Runner>(config.setup, config.limits)),
      recorder_(*config.setup.system, schema) {
  runner_->listen_to(InboxRecorder::wants() | FaultFacts::wants());
  runner_->on_step([this](const World& world) {
    facts_.look(world);
    if (world.step() <= until_) recorder_.look(world.events());
    if (world.step() >= until_) edges::pause();
  });
}

void OwnRuns::begin(std::uint32_t until) {
  recorder_.begin(config_.setup.places());
  facts_.begin(config_.setup);
  until_ = until;
  if (edges::built()) edges::listen();
}

RunSummary OwnRuns::play(const RunPlan& plan, Run& out, std::uint32_t until) {
  begin(until);
  const RunSummary summary = runner_->run(*scheduler_, plan);
  finish(out);
  return summary;
}

void OwnRuns::replay(const Trace& trace, Run& out) {
  begin(UINT32_MAX);
  Replay recorded(trace.steps, trace.config.setup.options.time);
  runner_->replay(recorded, trace.plan, fair_end_of(trace));
  finish(out);
}

std::string OwnRuns::violated() const {
  return runner_->violation() ? runner_->violation()->property : std::string();
}

// A comparison is two branches: whether the sides are equal, and whether the left one is less.
void OwnRuns::finish(Run& out) {
  edges::pause();
  recorder_.finish(out);
  out.branches.clear();
  out.faults = facts_.take();
  for (const auto& [place, ways] : edges::ways()) {
    const auto [entry, fresh] = places_.try_emplace(place);
    std::string& name = entry->second;
    if (fresh) name = edges::place_text(place);
    const auto add = [&](const char* relation, std::uint8_t holds) {
      const auto bits = ((ways & holds) != 0 ? 1U : 0U) | ((ways & ~holds) != 0 ? 2U : 0U);
      out.branches.emplace_back(name + relation, static_cast<std::uint8_t>(bits));
    };
    add(" a = b", edges::kEqual);
    add(" a < b", edges::kLess);
  }
  out.info.failed = runner_->violation().has_value();
}

}  // namespace schism::isolate
