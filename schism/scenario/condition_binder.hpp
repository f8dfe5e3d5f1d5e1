// Values and conditions of a scenario against the system's words: what does not exist is said with
// its place and the nearest word that there is. bind.cpp does the rest.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "schism/base/params.hpp"
#include "schism/scenario/event_words.hpp"
#include "schism/scenario/parse.hpp"
#include "schism/scenario/probe.hpp"
#include "schism/scenario/program.hpp"

namespace schism::scenario {

template <class T>
int index_in(std::vector<T>& list, const T& item) {
  const auto found = std::find(list.begin(), list.end(), item);
  if (found != list.end()) return static_cast<int>(found - list.begin());
  list.push_back(item);
  return static_cast<int>(list.size() - 1);
}

class ConditionBinder {
 public:
  ConditionBinder(Program& out, const Setup& setup)
      : out_(out), setup_(setup), system_(*setup.system) {
    const NodeClass& first = *system_.classes[0];
    for (int i = 0; i < first.message_count; ++i) messages_.push_back(first.messages[i]);
    for (const NodeClass* c : system_.classes)
      for (int i = 0; i < c->request_count; ++i) index_in(requests_, c->requests[i]);
    const Vocabulary& words = vocabulary_of(system_.name);
    announcements_ = words.announcements, answers_ = words.answers;
    unknown_ = announcements_.empty() && answers_.empty();
  }

 protected:
  void fail(Position at, const std::string& what) {
    if (!error_.empty()) return;
    error_ = at.line > 0 ? fmt::format("scenario \"{}\", line {}, column {}: {}", out_.source.name,
                                       at.line, at.column, what)
                         : fmt::format("scenario \"{}\": {}", out_.source.name, what);
  }

  // A system that brought no vocabulary is watched for what it announces, when that is asked for.
  void look_if_unknown() {
    if (unknown_) probe(setup_, announcements_, answers_);
    unknown_ = false;
  }

  // ---- names -------------------------------------------------------------------------------

  void replace(Cond& c, const NamedCondition& word, const std::vector<Term>& arguments) {
    const auto put = [&](Term& t) {
      for (std::size_t i = 0; i < word.parameters.size(); ++i)
        if (t.kind == Term::variable && t.name == word.parameters[i]) t = arguments[i];
    };
    for (Term& t : c.terms) put(t);
    for (Cond& part : c.parts) replace(part, word, arguments);
  }
  void expand(Cond& c, int depth = 0) {
    for (Cond& part : c.parts) expand(part, depth);
    if (c.kind != Cond::named) return;
    const Vocabulary& words = vocabulary_of(system_.name);
    const NamedCondition* word = words.find(c.name);
    if (!word || depth > 8) {
      std::vector<std::string> known = words.names();
      for (const EventWord& w : kWords) known.emplace_back(w.word);
      return fail(c.where,
                  fmt::format("{} has {}", system_.name, unknown_word("condition", c.name, known)));
    }
    if (word->parameters.size() != c.terms.size())
      return fail(c.where, fmt::format("{} takes {} in parentheses, not {}", c.name,
                                       word->parameters.size(), c.terms.size()));
    auto made = parse_condition(word->text, system_.name + "'s word " + word->name);
    if (!made) return fail(c.where, made.error());
    replace(*made, *word, c.terms);
    c = *std::move(made);
    expand(c, depth + 1);
  }

  void check_parts(const Scenario& s) {
    int total = 0;
    for (const Part& part : s.parts) total += part.size;
    if (!s.parts.empty() && total != setup_.nodes)
      fail({},
           fmt::format("the parts have {} nodes together, and there are {}", total, setup_.nodes));
  }

  // Who may set what: a property looks on in replays too, where no filter acts.
  void names_of(const Act& a, std::set<std::string>& into) {
    if (a.kind == Act::record) into.insert(a.name);
    for (const Act& part : a.parts) names_of(part, into);
  }
  void collect_names(const Scenario& s) {
    for (const Let& let : s.lets) {
      index_in(out_.variables, let.name);
      filter_scope_.insert(let.name), property_scope_.insert(let.name);
    }
    for (const Transition& t : s.property.transitions)
      for (const Act& a : t.records) names_of(a, property_scope_);
    filter_scope_.insert(property_scope_.begin(), property_scope_.end());
    for (const Line& line : s.script)
      for (const Cue& cue : line.cues)
        for (const Term* t : {&cue.from, &cue.to})
          if (t->kind == Term::variable) {
            const bool given = filter_scope_.contains(t->name);
            const int index = index_in(out_.variables, t->name);
            if (!given) out_.roles.insert(index);
          }
    for (const int role : out_.roles)
      filter_scope_.insert(out_.variables[static_cast<std::size_t>(role)]);
    for (const Transition& t : s.machine.transitions)
      for (const Act& a : t.records) names_of(a, filter_scope_);
    for (const Filter& f : s.filters)
      for (const Act& a : f.actions) names_of(a, filter_scope_);
  }

  // ---- values ------------------------------------------------------------------------------

  Types everything() {
    look_if_unknown();
    Types all = messages_;
    for (const Types* more : {&announcements_, &requests_, &answers_})
      all.insert(all.end(), more->begin(), more->end());
    return all;
  }

  // A field of each of these types; where it is not known which, of at least one.
  std::vector<std::pair<const TypeInfo*, Path>> paths(const std::string& field, Position at,
                                                      const Types& context) {
    std::vector<std::pair<const TypeInfo*, Path>> out;
    std::string problem;
    for (const TypeInfo* type : context.empty() ? everything() : context) {
      auto path = Path::parse(*type, field);
      if (path) out.emplace_back(type, *std::move(path));
      else if (problem.empty() || !context.empty()) problem = path.error();
    }
    if (context.empty() ? !out.empty() : out.size() == context.size()) return out;
    if (context.empty()) {
      std::vector<std::string> known;
      for (const TypeInfo* type : everything())
        for (const FieldInfo& f : type->fields) known.emplace_back(f.name);
      problem =
          fmt::format("nothing in {} has {}", system_.name, unknown_word("field", field, known));
    }
    fail(at, problem);
    return out;
  }

  BoundTerm bind(const Term& t, const Types& context) {
    BoundTerm out{t, {}, {}, -1};
    if (t.kind == Term::field) out.paths = paths(t.name, t.where, context);
    if (t.kind == Term::variable) {
      if (!scope_->contains(t.name)) {
        const std::vector<std::string> known(scope_->begin(), scope_->end());
        const bool elsewhere = filter_scope_.contains(t.name);
        fail(t.where, elsewhere ? fmt::format("the property reads ${}, which only filters set; let "
                                              "a transition record it",
                                              t.name)
                                : "nothing sets $" + t.name + ": " +
                                      unknown_word("variable", t.name, known));
      }
      out.index = index_in(out_.variables, t.name);
    }
    if (t.kind == Term::size) out.index = index_in(out_.sets, t.name);
    if (t.kind == Term::count) index_in(out_.counters, t.name);
    for (const Term& key : t.keys) out.keys.push_back(bind(key, context));
    return out;
  }
  BoundTerm node(const Term& t, const Types& context) {
    BoundTerm out = bind(t, context);
    if (t.kind == Term::number && (t.value < 0 || t.value >= setup_.places()))
      fail(t.where,
           fmt::format("there is no node {}: nodes are 0 to {}", t.value, setup_.places() - 1));
    if (t.kind == Term::word || t.kind == Term::text)
      fail(t.where, fmt::format("a node is expected, such as 2, $leader, sender; not {}", t.name));
    return out;
  }

  // ---- conditions --------------------------------------------------------------------------

  const Types& known_types(EventWord::Of of) {
    if (of == EventWord::announcements || of == EventWord::answers) look_if_unknown();
    return of == EventWord::messages        ? messages_
           : of == EventWord::announcements ? announcements_
           : of == EventWord::requests      ? requests_
                                            : answers_;
  }
  const TypeInfo* find_type(const Types& known, const std::string& name, std::string_view what,
                            Position at) {
    std::vector<std::string> names;
    for (const TypeInfo* type : known) {
      if (type->name == name) return type;
      names.emplace_back(type->name);
    }
    fail(at, fmt::format("{} has {}", system_.name, unknown_word(what, name, names)));
    return nullptr;
  }
  int timer(const std::string& name, Position at) {
    const auto names = system_.timer_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      fail(at, fmt::format("{} has {}", system_.name, unknown_word("timer", name, names)));
    return static_cast<int>(found - names.begin());
  }

  void event(const Cond& c, Check& out) {
    const EventWord& word = event_word(c.name);
    out.happenings = word.happenings;
    out.asked = c.name == "asked";
    static constexpr std::string_view whats[] = {"message", "announcement", "request", "answer"};
    for (const std::string& name : c.types) {
      if (word.of == EventWord::timers) {
        out.details.push_back(static_cast<std::uint16_t>(timer(name, c.where)));
      } else if (word.of == EventWord::none) {
        fail(c.where, fmt::format("{} takes no type: {}", c.name, name));
      } else if (const TypeInfo* type =
                     find_type(known_types(word.of), name, whats[word.of], c.where)) {
        out.types.push_back(type);
      }
    }
  }

  // Which contents it is about, if that is settled whatever else holds.
  Types types_in(const Cond& c) {
    Types out;
    if (c.kind == Cond::event && event_word(c.name).of < EventWord::timers) {
      for (const std::string& name : c.types)
        for (const TypeInfo* type : known_types(event_word(c.name).of))
          if (type->name == name) out.push_back(type);
      if (c.types.empty()) out = known_types(event_word(c.name).of);
      if (c.types.empty()) out.clear();  // of any type: some have the field
    } else if (c.kind == Cond::all) {
      for (const Cond& part : c.parts)
        if (out.empty()) out = types_in(part);
    } else if (c.kind == Cond::any) {
      for (const Cond& part : c.parts) {
        const Types more = types_in(part);
        if (more.empty()) return {};
        out.insert(out.end(), more.begin(), more.end());
      }
    } else if (c.kind == Cond::once) {
      out = types_in(c.parts[0]);
    }
    return out;
  }

  // Two events at once, which never happen: the commonest mistake that looks like a condition.
  void contradiction(const Cond& c) {
    if (c.kind != Cond::all) return;
    const Cond* first = nullptr;
    for (const Cond& part : c.parts) {
      if (part.kind != Cond::event) continue;
      if (first) {
        const bool apart = !(event_word(first->name).happenings & event_word(part.name).happenings);
        const bool types =
            !first->types.empty() && !part.types.empty() &&
            std::none_of(part.types.begin(), part.types.end(), [&](const auto& t) {
              return std::find(first->types.begin(), first->types.end(), t) != first->types.end();
            });
        if (apart || types)
          out_.contradictions.push_back(
              fmt::format("\"{}\" and \"{}\" never happen at once", print(*first), print(part)));
      }
      first = &part;
    }
  }

  bool is_constant(const Term& t) const { return t.kind <= Term::text; }

  void comparison(const Cond& c, Check& out, const Types& context, std::size_t left,
                  const Types& fields_of) {
    const Term &a = c.terms[left], &b = c.terms[left + 1];
    if (a.kind == Term::field && is_constant(b)) {
      const std::string text = fmt::format("{} {} {}", a.name, order_sign(c.order), print(b));
      std::string problem;
      const Types candidates = fields_of.empty() ? everything() : fields_of;
      for (const TypeInfo* type : candidates) {
        auto where = Where::parse(*type, text);
        if (where) out.wheres.emplace_back(type, *std::move(where));
        else if (fields_of.empty() ? Path::parse(*type, a.name).has_value() : true)
          problem = where.error();
      }
      const bool good =
          fields_of.empty() ? !out.wheres.empty() : out.wheres.size() == candidates.size();
      if (!good) {
        if (problem.empty()) paths(a.name, c.where, {});  // says that nothing has it
        fail(a.where, problem);
      }
      return;
    }
    out.terms.push_back(bind(a, left == 1 ? fields_of : context));
    out.terms.push_back(bind(b, context));
  }

  Check bind(const Cond& c, const Types& outer) {
    Check out;
    out.kind = c.kind, out.order = c.order;
    Types context = outer;
    if (c.kind == Cond::all || c.kind == Cond::event || c.kind == Cond::once)
      if (const Types own = types_in(c); !own.empty()) context = own;
    contradiction(c);
    for (const Cond& part : c.parts)
      out.parts.push_back(bind(part, c.kind == Cond::any ? outer_or(part, context) : context));
    switch (c.kind) {
      case Cond::event: event(c, out); break;
      case Cond::from:
      case Cond::to:
      case Cond::at:
      case Cond::between:
        for (const Term& t : c.terms) out.terms.push_back(node(t, context));
        break;
      case Cond::from_part:
      case Cond::to_part: out.index = part(c); break;
      case Cond::compare: comparison(c, out, context, 0, context); break;
      case Cond::state_of: {
        Types states;
        for (const NodeClass* type : system_.classes) states.push_back(type->state);
        comparison(c, out, context, 1, states);
        out.terms.insert(out.terms.begin(), node(c.terms[0], context));
        break;
      }
      case Cond::in_state: out.index = state(c); break;
      case Cond::once: out.index = out_.once_flags++; break;
      case Cond::in_set: out.index = index_in(out_.sets, c.name); break;
      case Cond::custom:
        out.index = static_cast<int>(out_.tests.size());
        out_.tests.push_back(c.make);
        break;
      default: break;
    }
    return out;
  }
  Types outer_or(const Cond& part, const Types& outer) {
    const Types own = types_in(part);
    return own.empty() ? outer : own;
  }
  int part(const Cond& c) {
    std::vector<std::string> known;
    for (const Part& p : out_.source.parts) known.push_back(p.name);
    const auto found = std::find(known.begin(), known.end(), c.name);
    if (found == known.end()) fail(c.where, unknown_word("part", c.name, known));
    return static_cast<int>(found - known.begin());
  }
  int state(const Cond& c) {
    const Scenario& s = out_.source;
    const BoundMachine& asked = s.machine.transitions.empty() ? out_.property : out_.machine;
    const auto found = std::find(asked.states.begin(), asked.states.end(), c.name);
    if (found == asked.states.end()) fail(c.where, unknown_word("state", c.name, asked.states));
    return static_cast<int>(found - asked.states.begin());
  }

  Program& out_;
  const Setup& setup_;
  const System& system_;
  Types messages_, requests_, announcements_, answers_;
  std::set<std::string> filter_scope_, property_scope_;
  const std::set<std::string>* scope_ = nullptr;
  bool unknown_ = false;
  std::string error_;
};

}  // namespace schism::scenario
