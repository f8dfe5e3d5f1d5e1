#include "schism/tla/spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "schism/base/file.hpp"
#include "schism/base/hash.hpp"
#include "schism/tla/compile.hpp"
#include "schism/tla/print.hpp"

namespace schism::tla {

Spec::Spec() : store_(std::make_unique<Store>(symbols_)) {}
Spec::~Spec() = default;

std::string Spec::explain(const Failure& f) const {
  return evaluator_ != nullptr ? evaluator_->describe_failure(f)
         : f.where.line != 0   ? fmt::format("{} at {}", f.what(), symbols_.describe(f.where))
                               : std::string(f.what());
}

Result<std::unique_ptr<Spec>> Spec::load(const std::string& tla, const std::string& cfg,
                                         LoadOptions options) {
  std::unique_ptr<Spec> spec(new Spec);
  try {
    Config config;
    if (!cfg.empty()) {
      const auto text = read_spec_file(cfg);
      if (!text) return tl::unexpected(text.error());
      config = parse_config(*text, spec->symbols_.add_file(cfg), *spec->store_);
    } else if (const auto text = read_spec_file(tla)) {
      const std::string_view inside = config_inside(*text);
      config = parse_config(inside, spec->symbols_.add_file(tla + " (CONFIG)"), *spec->store_);
    }
    spec->library_ = std::make_unique<Library>(spec->symbols_, options.path);
    spec->set_up(spec->library_->load_file(tla), config);
  } catch (const Failure& f) {
    return tl::unexpected(spec->explain(f));
  }
  return spec;
}

Result<std::unique_ptr<Spec>> Spec::from_text(const std::string& tla, const std::string& cfg,
                                              LoadOptions options) {
  std::unique_ptr<Spec> spec(new Spec);
  try {
    const Config config = parse_config(cfg, spec->symbols_.add_file("cfg"), *spec->store_);
    spec->library_ = std::make_unique<Library>(spec->symbols_, options.path);
    spec->set_up(spec->library_->load_text(tla, "tla"), config);
  } catch (const Failure& f) {
    return tl::unexpected(spec->explain(f));
  }
  return spec;
}

// --- Setting up ----------------------------------------------------------------------------------

void Spec::set_up(Module* main, const Config& config) {
  compiler_ = std::make_unique<Compiler>(*library_, *store_, scopes_, code_);
  reader_ = std::make_unique<TemporalReader>(*compiler_, *library_, temporal);
  set_up_constants(main, config);
  symbols_.freeze();
  evaluator_ = new_evaluator();
  set_up_checks(main, config);
  set_up_behaviour(config);
  set_up_properties(config);
  store_->settle();
}

void Spec::set_up_constants(Module* main, const Config& config) {
  std::vector<Compiler::Override> overrides;
  for (const Config::Assignment& a : config.constants)
    if (a.args.empty()) overrides.push_back({a.module, a.name, a.value, a.definition});
  add_tables(config, overrides);
  main_ = compiler_->main_scope(main, std::move(overrides));
  for (const Config::Assignment& a : config.constants)
    if (a.module == 0 && main_->find(a.name) == nullptr)
      throw Failure(a.where, fmt::format("{} is neither a constant nor a definition of module {}",
                                         symbols_.text(a.name), symbols_.text(main->name)));
  for (const Config::Assignment& a : config.constants)
    if (a.definition != 0 && main_->find(a.definition) == nullptr)
      throw Failure(a.where, fmt::format("{} is replaced by {}, which is not defined",
                                         symbols_.text(a.name), symbols_.text(a.definition)));
  for (const auto& [name, b] : main_->names)
    if (b->what == Binding::What::value && !b->value.is_set())
      throw Failure({}, fmt::format("the constant {} has no value in the configuration",
                                    symbols_.text(name)));
}

// F(1, 2) = 3 and F(2, 1) = 4 together are a function.
void Spec::add_tables(const Config& config, std::vector<Compiler::Override>& overrides) {
  using Rows = std::vector<std::pair<Value, Value>>;
  std::map<std::pair<Symbol, Symbol>, Rows> tables;
  for (const Config::Assignment& a : config.constants)
    if (!a.args.empty())
      tables[{a.module, a.name}].emplace_back(
          a.args.size() == 1 ? a.args[0] : store_->tuple(a.args), a.value);
  for (auto& [name, rows] : tables) {
    std::stable_sort(rows.begin(), rows.end(), [&](const auto& x, const auto& y) {
      return store_->compare(x.first, y.first) < 0;
    });
    std::vector<Value> keys, values;
    for (const auto& [key, value] : rows) {
      if (!keys.empty() && keys.back() == key) values.back() = value;
      else keys.push_back(key), values.push_back(value);
    }
    overrides.push_back(
        {name.first, name.second, store_->function(store_->sorted_set(keys), values), 0, true});
  }
}

std::unique_ptr<Evaluator> Spec::new_evaluator() {
  return std::make_unique<Evaluator>(*store_, code_, compiler_->variables());
}

void Spec::give_back(std::vector<Value*> live) {
  evaluator_->forget_values(live);
  // Actions that were compiled since contain values, too.
  for (Node& n : code_.nodes)
    if (n.value.is_node()) live.push_back(&n.value);
  for (Binding& b : scopes_.bindings)
    if (b.value.is_node()) live.push_back(&b.value);
  store_->collect(live);
}

const std::vector<Symbol>& Spec::variables() const { return compiler_->variables(); }

const Expr* Spec::name_expr(const Config::Named& n) {
  Expr& e = library_->arena().exprs.emplace_back();
  e.form = Form::apply;
  e.where = n.where;
  const std::string text = symbols_.text(n.name);
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find('!', from), text.size());
    e.path.push_back({symbols_.intern(text.substr(from, to - from)), {}});
    from = to + 1;
  }
  if (compiler_->resolve(&e, main_).binding == nullptr)
    throw Failure(n.where, fmt::format("{} is not defined", text));
  return &e;
}

Check Spec::check_named(const Config::Named& n) {
  const Expr* e = name_expr(n);
  return {symbols_.text(n.name), compiler_->compile_check(e, main_), n.where};
}

void Spec::set_up_checks(Module* main, const Config& config) {
  std::vector<const Module*> modules = {main};
  for (std::size_t i = 0; i < modules.size(); ++i) {
    for (const Assumption& a : modules[i]->assumptions)
      assumptions.push_back({a.name != 0 ? symbols_.text(a.name) : "",
                             compiler_->compile(a.body, compiler_->part(modules[i])), a.where});
    for (const auto& [name, where] : modules[i]->extends) {
      const Module* other = library_->find(name, where);
      if (other != nullptr && std::find(modules.begin(), modules.end(), other) == modules.end())
        modules.push_back(other);
    }
  }
  for (const auto& n : config.invariants) invariants.push_back(check_named(n));
  for (const auto& n : config.constraints) constraints.push_back(check_named(n));
  for (const auto& n : config.action_constraints) action_constraints.push_back(check_named(n));
  if (config.view) view = check_named(*config.view);
  set_up_alias(config);
  if (config.postcondition) postconditions.push_back(check_named(*config.postcondition));
  for (const auto& n : config.symmetry) {
    const Check c = check_named(n);
    const Value set = evaluator_->normal(evaluator_->evaluate(c.code, {}));
    evaluator_->need_set(set);
    for (const Value p : set.node()->words()) symmetry.push_back(p);
  }
  check_deadlock = config.check_deadlock;
}

// An alias is for printing only: one that cannot be read spoils nothing else.
void Spec::set_up_alias(const Config& config) {
  if (!config.alias) return;
  try {
    alias = check_named(*config.alias);
  } catch (const Failure& f) {
    notes.push_back(
        fmt::format("ALIAS {} is not used: {}", symbols_.text(config.alias->name), explain(f)));
  }
}

// --- Asking --------------------------------------------------------------------------------------

namespace {

template <class T, class F>
Result<T> guarded(const Spec& spec, F&& f) {
  try {
    return f();
  } catch (const Failure& e) {
    return tl::unexpected(spec.explain(e));
  }
}

}  // namespace

Result<std::vector<State>> Spec::initial() {
  return guarded<std::vector<State>>(*this, [&] {
    std::vector<State> out;
    evaluator_->initial(
        init, [&](std::span<const Value> s) { return out.emplace_back(s.begin(), s.end()), true; });
    evaluator_->sweep();
    return out;
  });
}

Result<std::vector<State>> Spec::successors(const State& s) {
  return guarded<std::vector<State>>(*this, [&] {
    std::vector<State> out;
    evaluator_->successors(next, s, [&](std::span<const Value> t) {
      return out.emplace_back(t.begin(), t.end()), true;
    });
    evaluator_->sweep();
    return out;
  });
}

Result<const Action*> Spec::action(const std::string& name) {
  if (const auto found = named_.find(name); found != named_.end()) return found->second.get();
  return guarded<const Action*>(*this, [&] {
    const Binding* b = main_->find(symbols_.intern(name));
    if (b == nullptr || b->what != Binding::What::definition)
      throw Failure({}, fmt::format("there is no action {}", name));
    auto a = std::make_unique<Action>();
    a->name = name;
    a->where = b->definition->where;
    a->code = compiler_->compile_operator(*b->definition, b->scope, a->slots);
    return (named_[name] = std::move(a)).get();
  });
}

std::vector<std::pair<std::string, std::size_t>> Spec::definitions() const {
  std::vector<std::pair<std::string, std::size_t>> out;
  for (const auto& [name, b] : main_->names)
    if (b->what == Binding::What::definition)
      out.emplace_back(symbols_.text(name), b->definition->parameters.size());
  std::sort(out.begin(), out.end());
  return out;
}

Result<std::vector<State>> Spec::apply(const Action& a, const std::vector<Value>& args,
                                       const State& s) {
  if (args.size() != a.slots.size())
    return error("{} takes {} arguments, not {}", a.name, a.slots.size(), args.size());
  return guarded<std::vector<State>>(*this, [&] {
    std::vector<State> out;
    const auto keep = [&](std::span<const Value> t) {
      return out.emplace_back(t.begin(), t.end()), true;
    };
    evaluator_->successors(a.code, s, keep, a.slots, args);
    evaluator_->sweep();
    return out;
  });
}

Result<const Check*> Spec::violated(const State& s) {
  return guarded<const Check*>(*this, [&]() -> const Check* {
    for (const Check& c : invariants)
      if (!evaluator_->holds(c.code, s)) return &c;
    return nullptr;
  });
}

Result<Value> Spec::evaluate(const std::string& text) { return evaluate(text, {}); }

Result<Value> Spec::evaluate(const std::string& text, const State& s) {
  return guarded<Value>(*this, [&] {
    const Expr* e = parse_expression(text, symbols_, library_->arena());
    return evaluator_->normal(evaluator_->evaluate(compiler_->compile(e, main_), s));
  });
}

Result<Check> Spec::predicate(const std::string& text) {
  return guarded<Check>(*this, [&] {
    const Expr* e = parse_expression(text, symbols_, library_->arena());
    return Check{text, compiler_->compile(e, main_), e->where};
  });
}

std::uint64_t Spec::fingerprint(std::span<const Value> s) const {
  std::uint64_t h = 0x243f6a8885a308d3ULL;
  for (const Value v : s)
    h = absorb_lane(h, store_->hash(v), 0xa0761d6478bd642fULL, 0xe7037ed1a0b428dbULL);
  return mix64(h);
}

std::string Spec::print(Value v) const { return to_text(v, symbols_); }

std::string Spec::print(const State& s) const {
  std::string out;
  for (std::size_t i = 0; i < s.size(); ++i)
    out += fmt::format("/\\ {} = {}\n", symbols_.text(variables()[i]), print(s[i]));
  return out;
}

}  // namespace schism::tla
