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
    Verb verb{std::string(info.name), std::string(info.name), {}, {}};
    for (const FieldInfo& declared : info.fields) {
      Field field;
      field.name = field.key = std::string(declared.name);
      field.kind = kind_of(s, field.name, type_of(*declared.type));
      verb.fields.push_back(std::move(field));
    }
    s.verbs.push_back(std::move(verb));
  }
  s.verbs.push_back({std::string(kRestart), std::string(kRestart), {}, {}});
  const std::uint64_t all = nodes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << nodes) - 1;
  s.groups.push_back({"all", all, all});
  s.threshold_high = std::min(3, std::max(1, nodes / 2 + 1));
  s.tolerance_high = std::min(4, nodes - 1);
  s.assertions = 2;
  return s;
}

namespace {

// A field's name may have dots in it ("log.size()"), so the longest name is tried first.
template <class At, class Inside>
At follow(At at, std::string_view path, const Inside& inside) {
  if (!at) return nullptr;
  if (const At whole = inside(at, path)) return whole;
  for (std::size_t dot = path.rfind('.'); dot != std::string_view::npos && dot > 0;
       dot = path.rfind('.', dot - 1))
    if (const At part = inside(at, path.substr(0, dot)))
      return follow(part, path.substr(dot + 1), inside);
  return nullptr;
}

const schism::FieldType* find_field(const TypeInfo& type, std::string_view path) {
  using Type = const schism::FieldType*;
  return follow(type.schema, path, [](Type at, std::string_view name) -> Type {
    for (const FieldInfo& field : at->fields)
      if (field.name == name) return field.type;
    return nullptr;
  });
}

const Value* find_value(const Value& whole, std::string_view path) {
  return follow(&whole, path,
                [](const Value* at, std::string_view name) { return at->find(name); });
}

Status fits(const Schema& schema, const Verb& verb, const TypeInfo& type) {
  for (const Field& field : verb.fields) {
    const auto* declared = find_field(type, field.key);
    const FieldType wanted = schema.kinds[static_cast<std::size_t>(field.kind)].type;
    if (!declared)
      return error("verb \"{}\": {} has no field \"{}\"", verb.name, type.name, field.key);
    if (type_of(*declared) != wanted)
      return error("verb \"{}\": field \"{}\" of {} is {}, not {}", verb.name, field.key, type.name,
                   enum_name(type_of(*declared)), enum_name(wanted));
  }
  if (verb.signer.empty()) return {};
  const auto* signer = find_field(type, verb.signer);
  if (!signer || type_of(*signer) != FieldType::integer)
    return error("verb \"{}\": {} has no number \"{}\" that could be its signer", verb.name,
                 type.name, verb.signer);
  return {};
}

}  // namespace

Status fits(const Schema& schema, const RunConfig& config) {
  const System& system = *config.setup.system;
  if (schema.processes != config.setup.places())
    return error("it is about {} processes, and {} play here", schema.processes,
                 config.setup.places());
  if (schema.message.list)
    return error("runs that are played here have fields with names: [message] verb = \"type\"");
  std::vector<std::string> names{std::string(kRestart)};
  for (int i = 0; i < system.message_count(); ++i) names.emplace_back(system.message(i).name);
  for (const Verb& verb : schema.verbs) {
    const auto at = std::find(names.begin(), names.end(), verb.tag);
    if (at == names.end())
      return error("{} has {}", system.name, unknown_word("message", verb.tag, names));
    if (at == names.begin()) continue;
    if (auto s = fits(schema, verb, system.message(static_cast<int>(at - names.begin()) - 1)); !s)
      return s;
  }
  return {};
}

InboxRecorder::InboxRecorder(const System& system, const Schema& schema) : schema_(schema) {
  for (const Verb& verb : schema.verbs) {
    types_.push_back(nullptr);
    for (int i = 0; i < system.message_count(); ++i)
      if (system.message(i).name == verb.tag) types_.back() = &system.message(i);
    signers_ = signers_ || !verb.signer.empty();
  }
}

EventMask InboxRecorder::wants() const {
  return mask_of(Happened::delivered) | mask_of(Happened::restarted) |
         (signers_ ? mask_of(Happened::sent) : 0);
}

void InboxRecorder::begin(int nodes) {
  run_.clear();
  known_.clear();
  inboxes_.resize(static_cast<std::size_t>(nodes));
  for (auto& inbox : inboxes_) inbox.clear();
}

void InboxRecorder::add(std::size_t node, std::size_t verb, int sender, std::uint32_t first) {
  Message m;
  m.verb = static_cast<std::uint16_t>(verb);
  m.sender = static_cast<std::int16_t>(sender);
  m.first = first;
  inboxes_[node].push_back(m);
}

// Hashing a content is far cheaper than taking it apart, and most are seen more than once.
InboxRecorder::Content& InboxRecorder::content(const Event& event, std::size_t verb) {
  const auto [at, fresh] = known_.try_emplace(event.type->hash(event.body));
  Content& content = at->second;
  if (!fresh) return content;
  content.first = static_cast<std::uint32_t>(run_.values.size());
  const Value value = event.type->to_value(event.body);
  const Verb& said = schema_.verbs[verb];
  for (const Field& field : said.fields) {
    const Value* found = find_value(value, field.key);
    const Value part = found ? *found : Value();
    switch (schema_.kinds[static_cast<std::size_t>(field.kind)].type) {
      case FieldType::integer: run_.values.push_back(part.as_int() ? *part.as_int() : 0); break;
      case FieldType::boolean: run_.values.push_back(part.as_bool() && *part.as_bool()); break;
      case FieldType::number: run_.values.push_back(ordered(part.as_number().value_or(0))); break;
      case FieldType::text: run_.values.push_back(run_.intern(to_json(part))); break;
    }
  }
  const Value* signer = said.signer.empty() ? nullptr : find_value(value, said.signer);
  const auto* id = signer ? signer->as_int() : nullptr;
  if (id && *id >= 0 && *id < schema_.processes) content.signer = static_cast<int>(*id);
  return content;
}

void InboxRecorder::look(std::span<const Event> events) {
  for (const Event& event : events) {
    const bool restart = event.kind == Happened::restarted;
    const bool arrives = event.kind == Happened::delivered;
    if (!restart && !arrives && event.kind != Happened::sent) continue;
    if (!restart && !event.body) continue;
    const auto type = std::find(types_.begin(), types_.end(), restart ? nullptr : event.type);
    if (type == types_.end()) continue;
    const auto verb = static_cast<std::size_t>(type - types_.begin());
    const bool passed_on = !restart && !schema_.verbs[verb].signer.empty();
    if (restart) {
      add(event.node, verb, event.node, 0);
    } else if (passed_on) {
      Content& said = content(event, verb);
      const std::uint64_t self = std::uint64_t{1} << event.node;
      const bool news = (said.known_by & self) == 0;
      said.known_by |= self;
      if (arrives && news) add(event.node, verb, said.signer, said.first);
    } else if (arrives) {
      add(event.node, verb, event.peer, content(event, verb).first);
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
  runner_->listen_to(recorder_.wants() | FaultFacts::wants());
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

std::vector<std::string> OwnRuns::violated() const {
  std::vector<std::string> muted;
  const std::string last = runner_->violation() ? runner_->violation()->property : std::string();
  for (const auto& oracle : runner_->oracles())
    if (oracle->violation() && oracle->violation()->property != last)
      muted.push_back(oracle->violation()->property);
  return muted.empty() ? std::vector{last} : muted;
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
    const auto add = [&, went = ways](const char* relation, std::uint8_t holds) {
      const auto bits = ((went & holds) != 0 ? 1U : 0U) | ((went & ~holds) != 0 ? 2U : 0U);
      out.branches.emplace_back(name + relation, static_cast<std::uint8_t>(bits));
    };
    add(" a = b", edges::kEqual);
    add(" a < b", edges::kLess);
  }
  out.info.failed = runner_->violation().has_value();
}

}  // namespace schism::isolate
