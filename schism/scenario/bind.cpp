// A scenario's machines, filters and script, bound to its system.
#include "schism/byzantine/ways.hpp"
#include "schism/scenario/condition_binder.hpp"
#include "schism/system/liars.hpp"

namespace schism::scenario {
namespace {

constexpr int kRepeats = 4;  // of a submit in a run

class Binder : public ConditionBinder {
 public:
  using ConditionBinder::ConditionBinder;

  Status run() {
    Scenario& s = out_.source;
    if (!s.problem.empty()) return error("scenario \"{}\": {}", s.name, s.problem);
    for (Filter& f : s.filters) expand(f.condition);
    for (Machine* m : {&s.machine, &s.property})
      for (Transition& t : m->transitions) expand(t.condition);
    check_parts(s);
    collect_names(s);
    scope_ = &property_scope_;
    bind_machine(s.property, out_.property);
    scope_ = &filter_scope_;
    bind_machine(s.machine, out_.machine);
    out_.states_of_property = s.machine.transitions.empty();
    filters(s);
    script(s);
    out_.listens |= out_.machine.listens | out_.property.listens;
    if (!error_.empty()) return tl::unexpected(error_);
    return {};
  }

 private:
  // ---- machines and filters ----------------------------------------------------------------

  EventMask listens_of(const Check& c) {
    EventMask out = c.happenings;
    if (c.asked) out_.asks = true;
    for (const Check& part : c.parts) out |= listens_of(part);
    return out;
  }
  // A condition that names no kind of event is about all of them.
  static bool names_event(const Cond& c) {
    if (c.kind == Cond::event) return true;
    if (c.kind == Cond::all || c.kind == Cond::once)
      return std::any_of(c.parts.begin(), c.parts.end(), names_event);
    if (c.kind == Cond::any) return std::all_of(c.parts.begin(), c.parts.end(), names_event);
    return false;
  }
  EventMask listened(const Cond& c, const Check& check) {
    const EventMask own = listens_of(check);
    return names_event(c) ? own : kEveryEvent & 0xffffffffU;
  }

  void bind_machine(const Machine& from, BoundMachine& into) {
    into.states = {"start"};
    for (const Transition& t : from.transitions)
      index_in(into.states, t.from), index_in(into.states, t.to);
    for (const std::string& goal : from.goals)
      if (std::find(into.states.begin(), into.states.end(), goal) == into.states.end())
        fail({}, unknown_word("state", goal, into.states));
    for (const std::string& state : into.states)
      into.goal.push_back(state == "goal" || std::find(from.goals.begin(), from.goals.end(),
                                                       state) != from.goals.end());
    const auto bad = std::find(into.states.begin(), into.states.end(), "violation");
    if (bad != into.states.end()) into.violation = static_cast<int>(bad - into.states.begin());
    for (const Transition& t : from.transitions) {
      BoundTransition bound;
      bound.from = index_in(into.states, t.from), bound.to = index_in(into.states, t.to);
      bound.check = bind(t.condition, {});
      for (const Act& a : t.records) bound.records.push_back(deed(a, types_in(t.condition)));
      into.listens |= listened(t.condition, bound.check);
      into.transitions.push_back(std::move(bound));
    }
  }

  void filters(const Scenario& s) {
    for (const Filter& f : s.filters) {
      BoundFilter bound;
      bound.filter = &f;
      bound.check = bind(f.condition, {});
      const Types context = types_in(f.condition);
      for (const Act& a : f.actions) bound.deeds.push_back(deed(a, context));
      out_.listens |= listened(f.condition, bound.check);
      if (!names_event(f.condition)) out_.asks = true;
      out_.filters.push_back(std::move(bound));
    }
  }

  Deed deed(const Act& a, const Types& context) {
    Deed out;
    out.kind = a.kind, out.act = &a;
    const bool nodes = a.kind >= Act::forge && a.kind <= Act::submit;
    for (const Term& t : a.terms) out.terms.push_back(nodes ? node(t, context) : bind(t, context));
    for (const auto& [name, t] : a.fields) out.fields.emplace_back(name, bind(t, context));
    for (const Act& part : a.parts) out.parts.push_back(deed(part, context));
    if (a.kind >= Act::change && a.kind <= Act::forge) check_liars(a);
    switch (a.kind) {
      case Act::lie: out.index = way(a); break;
      case Act::store:
      case Act::deliver_all:
      case Act::release: out.index = index_in(out_.sets, a.name); break;
      case Act::change: out.paths = paths(a.name, a.where, context); break;
      case Act::record: out.index = index_in(out_.variables, a.name); break;
      case Act::fire: out.index = timer(a.name, a.where); break;
      case Act::once: out.index = out_.once_flags++; break;
      case Act::forge:
        if (const TypeInfo* type = find_type(messages_, a.name, "message", a.where))
          out.index = static_cast<int>(std::find(messages_.begin(), messages_.end(), type) -
                                       messages_.begin()),
          check_fields(*type, a);
        break;
      case Act::submit: submit(a, out); break;
      case Act::custom:
        out.index = static_cast<int>(out_.deeds.size());
        out_.deeds.push_back(a.make);
        break;
      default: break;
    }
    return out;
  }

  void check_liars(const Act& a) {
    if (has_liars(setup_.options) || setup_.options.lies == Lies::anyone) return;
    fail(a.where, fmt::format("{} is what liars do, and nobody lies here (world liars=0)",
                              print(a).substr(0, print(a).find(' '))));
  }
  int way(const Act& a) {
    std::vector<std::string> ways;
    for (std::size_t i = 1; i < enum_count<byzantine::Way>(); ++i) {
      ways.emplace_back(enum_name(static_cast<byzantine::Way>(i)));
      std::replace(ways.back().begin(), ways.back().end(), '_', '-');
    }
    const auto found = std::find(ways.begin(), ways.end(), a.name);
    if (found == ways.end()) fail(a.where, unknown_word("way to lie", a.name, ways));
    else out_.lies = true;
    return static_cast<int>(found - ways.begin()) + 1;
  }

  void check_fields(const TypeInfo& type, const Act& a) {
    for (const auto& [name, t] : a.fields)
      if (auto path = Path::parse(type, name); !path) fail(a.where, path.error());
  }

  // Its request is planned from the beginning and held back, so that a replay has it too.
  void submit(const Act& a, Deed& out) {
    const auto own = request(a);
    if (!own) return;
    out.client = clients_++;
    add_requests(*own, out.client, kRepeats);
  }
  std::optional<OwnRequest> request(const Act& a) {
    const NodeClass* taker = system_.request_class();
    const TypeInfo* type = find_type(requests_, a.name, "request", a.where);
    if (!type || !taker) return std::nullopt;
    check_fields(*type, a);
    const auto refused = [&](Position at, const std::string& why) {
      fail(at, why);
      return std::nullopt;
    };
    OwnRequest own;
    for (int i = 0; i < taker->request_count; ++i)
      if (taker->requests[i] == type) own.type = i;
    own.content = Value::Object();
    for (const FieldInfo& field : type->fields) {
      const auto given = std::find_if(a.fields.begin(), a.fields.end(),
                                      [&](const auto& pair) { return pair.first == field.name; });
      if (given == a.fields.end())
        return refused(a.where, fmt::format("{} also needs {}", a.name, field.name));
      const Term& t = given->second;
      if (!is_constant(t)) return refused(t.where, "what a client asks for is constant");
      own.content.set(std::string(field.name), constant(t));
    }
    if (!accepts(*type, own.content))
      return refused(a.where, fmt::format("{} cannot have this content", a.name));
    return own;
  }
  static Value constant(const Term& t) {
    if (t.kind == Term::number) return t.value;
    if (t.kind == Term::nothing) return {};
    if (t.kind == Term::word && (t.name == "true" || t.name == "false")) return t.name == "true";
    return t.name;
  }
  void add_requests(OwnRequest own, int client, int copies) {
    own.client = client;
    for (int i = 0; i < copies; ++i) out_.requests.push_back(own);
  }

  // ---- the script --------------------------------------------------------------------------

  void script(const Scenario& s) {
    for (const Line& line : s.script) {
      auto& bound = out_.script.emplace_back();
      for (const Cue& c : line.cues) bound.push_back(cue(c));
    }
  }

  BoundCue cue(const Cue& c) {
    BoundCue out;
    out.cue = &c;
    out.text = print(c);
    const Types context = cue_type(c, out);
    out.from = node(c.from, {}), out.to = node(c.to, {});
    out.times = bind(c.times, {});
    out.check = bind(c.condition, context);
    if (c.kind == Cue::submit) cue_request(c, out);
    const bool whole = c.kind >= Cue::submit;
    if (whole && c.to.kind == Term::nothing) fail(c.where, "which node is meant must be said");
    if (c.kind >= Cue::cut && c.from.kind == Term::nothing)
      fail(c.where, "a link has two ends: from NODE to NODE");
    return out;
  }
  Types cue_type(const Cue& c, BoundCue& out) {
    if (c.type.empty() || c.kind == Cue::submit) return {};
    if (c.kind == Cue::fire) return out.type = timer(c.type, c.where), Types();
    const TypeInfo* type = find_type(messages_, c.type, "message", c.where);
    if (!type) return {};
    out.type =
        static_cast<int>(std::find(messages_.begin(), messages_.end(), type) - messages_.begin());
    if (c.content.empty()) return {type};
    const auto content = parse_json(c.content);
    if (!content || !accepts(*type, *content))
      fail(c.where, fmt::format("{} cannot have this content", c.type));
    return {type};
  }
  void cue_request(const Cue& c, BoundCue& out) {
    Act asked;
    asked.name = c.type, asked.fields = c.fields, asked.where = c.where;
    const auto own = request(asked);
    if (!own) return;
    if (c.times.kind > Term::text) return fail(c.where, "how often a client asks is a number");
    const auto [known, fresh] = named_clients_.emplace(c.client, clients_);
    const bool shared = !c.client.empty() && !fresh;
    out.client = shared ? known->second : clients_++;
    out.copies = c.times.kind == Term::number ? static_cast<int>(c.times.value) : 1;
    out.first = static_cast<int>(
        std::count_if(out_.requests.begin(), out_.requests.end(),
                      [&](const OwnRequest& r) { return r.client == out.client; }));
    add_requests(*own, out.client, out.copies);
  }

  int clients_ = 0;
  std::map<std::string, int> named_clients_;
};

}  // namespace

Result<std::shared_ptr<const Program>> Program::bind(Scenario scenario, const Setup& setup) {
  auto out = std::make_shared<Program>();
  out->source = std::move(scenario);
  if (auto good = Binder(*out, setup).run(); !good) return tl::unexpected(good.error());
  return out;
}

}  // namespace schism::scenario
