#include "schism/model/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "schism/base/file.hpp"
#include "schism/tla/print.hpp"

namespace schism::model {
namespace {

namespace fs = std::filesystem;

// Those that can be narrowed to a message, a timer or a request.
constexpr EventMask kAboutSomething = mask_of(Happened::sent) | mask_of(Happened::delivered) |
                                      mask_of(Happened::timer_fired) | mask_of(Happened::invoked);
// Those that have a $peer: another node, or a client.
constexpr EventMask kBetweenTwo =
    mask_of(Happened::sent) | mask_of(Happened::delivered) | mask_of(Happened::invoked);

std::optional<Happened> kind_named(std::string_view name) {
  for (int i = 0; !happened_name(static_cast<Happened>(i)).empty(); ++i)
    if (happened_name(static_cast<Happened>(i)) == name) return static_cast<Happened>(i);
  return std::nullopt;
}

std::vector<std::string> mappable_names() {
  std::vector<std::string> out;
  for (int i = 0; i < 64; ++i)
    if (kMappable >> i & 1) out.emplace_back(happened_name(static_cast<Happened>(i)));
  return out;
}

// How many arguments stand in the parentheses that begin there; -1: they do not end.
int count_arguments(std::string_view text) {
  int depth = 0, commas = 0;
  bool any = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool opens = c == '(' || c == '[' || c == '{' || text.substr(i).starts_with("<<");
    const bool closes = c == ')' || c == ']' || c == '}' || text.substr(i).starts_with(">>");
    if (opens) ++depth;
    else if (closes && --depth == 0) return any ? commas + 1 : 0;
    else if (c == ',' && depth == 1) ++commas;
    else if (!std::isspace(static_cast<unsigned char>(c))) any = true;
    if ((opens || closes) && (c == '<' || c == '>')) ++i;
    any = any || depth > 1;
  }
  return -1;
}

}  // namespace

std::string mapping_beside(const std::string& spec) {
  return fs::path(spec).replace_extension(".toml").string();
}

Status Model::Builder::build() {
  module_ = fs::path(m_.spec_file_).stem().string();
  folder_ = fs::path(m_.spec_file_).parent_path().string();
  if (folder_.empty()) folder_ = ".";
  config_ = m_.mapping_.config.empty() ? fs::path(m_.spec_file_).replace_extension(".cfg").string()
                                       : (fs::path(folder_) / m_.mapping_.config).string();
  if (auto s = check_setup(); !s) return s;
  if (auto s = load_base(); !s) return s;
  if (auto s = draft_rules(); !s) return s;
  if (auto s = load_whole(); !s) return s;
  if (auto s = bind_observed(); !s) return s;
  index_rules();
  return {};
}

Status Model::Builder::check_setup() const {
  const Mapping& mapping = m_.mapping_;
  const System& system = *setup_.system;
  if (mapping.system != system.name)
    return error("{}: it maps events of {}, not of {}", mapping.file, mapping.system, system.name);
  if (setup_.nodes < mapping.nodes_min)
    return error("{}: it needs {} nodes or more", mapping.file, mapping.nodes_min);
  const auto values = system.params.all(setup_.config.get());
  for (const auto& [name, wanted] : mapping.only) {
    const auto own = std::find_if(values.begin(), values.end(),
                                  [&](const auto& pair) { return pair.first == name; });
    if (own == values.end())
      return error("{}: {} has {}", mapping.file, system.name,
                   unknown_word("parameter", name, system.params.names()));
    const bool unwanted = wanted.starts_with("!");
    if ((own->second == wanted.substr(unwanted ? 1 : 0)) == unwanted)
      return error("{}: this model is for {} with {} {} {}, not {}", mapping.file, system.name,
                   name, unwanted ? "other than" : "=", wanted.substr(unwanted ? 1 : 0),
                   own->second);
  }
  std::vector<std::string> known = {"nodes", "judging"};
  for (const auto& [name, value] : values) known.push_back(name);
  for (const auto& [constant, expression] : mapping.constants) {
    Holes holes;
    holes.fill(expression);
    for (const std::string& name : holes.names)
      if (std::find(known.begin(), known.end(), name) == known.end())
        return error("{}: {} = \"{}\": {}", mapping.file, constant, expression,
                     unknown_word("parameter", name, known));
  }
  return {};
}

// The model alone: what is defined in it.
Status Model::Builder::load_base() {
  auto base = tla::Spec::load(m_.spec_file_, config_);
  if (!base) return tl::unexpected(base.error());
  definitions_ = (*base)->definitions();
  for (const tla::Symbol v : (*base)->variables()) variables_.push_back((*base)->symbols().text(v));
  return {};
}

Status Model::Builder::check_action(std::string text, const std::string& place) const {
  take_repeat(text);
  std::size_t end = 0;
  while (end < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
    ++end;
  if (end == 0) return {};  // an expression: the parser's business
  const std::string name = text.substr(0, end);
  const auto found = std::find_if(definitions_.begin(), definitions_.end(),
                                  [&](const auto& d) { return d.first == name; });
  if (found == definitions_.end()) {
    if (m_.mapping_.define.find(name) != std::string::npos || name == "IF" || name == "LET")
      return {};
    std::vector<std::string> names;
    for (const auto& d : definitions_) names.push_back(d.first);
    return error("{}: {}", place, unknown_word("action", name, names));
  }
  const bool applied = end < text.size() && text[end] == '(';
  const int given = applied ? count_arguments(std::string_view(text).substr(end)) : 0;
  if (given != static_cast<int>(found->second))
    return error("{}: {} takes {} arguments, not {}", place, name, found->second, given);
  return {};
}

Status Model::Builder::find_event(const EventRule& given, Rule& rule) const {
  const std::size_t space = given.on.find(' ');
  const std::string kind = given.on.substr(0, space);
  const std::string what = space == std::string::npos ? "" : given.on.substr(space + 1);
  const auto at = kind_named(kind);
  if (!at) return error("{}: {}", given.place, unknown_word("event", kind, mappable_names()));
  rule.kind = *at;
  if (!(kMappable & mask_of(rule.kind)))
    return error("{}: \"{}\" cannot be mapped; what can be is {}", given.place, kind,
                 fmt::join(mappable_names(), ", "));
  if (what.empty()) return {};
  if (!(kAboutSomething & mask_of(rule.kind)))
    return error("{}: \"{}\" stands alone, without \"{}\"", given.place, kind, what);
  const System& system = *setup_.system;
  std::vector<std::string> names;
  if (rule.kind == Happened::timer_fired) {
    names = system.timer_names();
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == what) rule.detail = static_cast<int>(i);
    if (rule.detail < 0)
      return error("{}: {} has {}", given.place, system.name, unknown_word("timer", what, names));
    return {};
  }
  if (rule.kind == Happened::invoked) {
    if (const NodeClass* asked = system.request_class())
      for (int i = 0; i < asked->request_count; ++i) {
        names.emplace_back(asked->requests[i]->name);
        if (names.back() == what) rule.type = asked->requests[i];
      }
  } else {
    for (int i = 0; i < system.message_count(); ++i) {
      names.emplace_back(system.message(i).name);
      if (names.back() == what) rule.type = &system.message(i);
    }
  }
  if (!rule.type)
    return error("{}: {} has {}", given.place, system.name,
                 unknown_word(rule.kind == Happened::invoked ? "request" : "message", what, names));
  return {};
}

// An event has one rule, the first that is for it.
bool Model::Builder::takes_all_of(const Rule& first, const Rule& second) {
  return first.kind == second.kind && !first.when && (!first.type || first.type == second.type) &&
         (first.detail < 0 || first.detail == second.detail);
}

Status Model::Builder::draft(const EventRule& given) {
  Draft draft;
  draft.place = given.place;
  if (auto s = find_event(given, draft.rule); !s) return s;
  draft.about = mask_of(draft.rule.kind);
  for (const Draft& other : drafts_)
    if (takes_all_of(other.rule, draft.rule))
      return error("{}: never: {} is taken by the event of {}", given.place, given.on, other.place);
  if (!given.when.empty()) {
    if (!draft.rule.type) return error("{}: \"when\" is about a content", given.place);
    auto when = Where::parse(*draft.rule.type, given.when);
    if (!when) return error("{}: {}", given.place, when.error());
    draft.rule.when = *std::move(when);
  }
  for (const std::string& action : guided(given.actions, given.guide)) {
    if (auto s = check_action(action, given.place); !s) return s;
    add_action(draft, action);
  }
  if (auto s = bind(draft); !s) return s;
  drafts_.push_back(std::move(draft));
  return {};
}

const std::vector<std::string>& Model::Builder::guided(const std::vector<std::string>& all,
                                                       const std::vector<std::string>& less) const {
  return m_.use_ == Use::guide && !less.empty() ? less : all;
}

std::string Model::Builder::unchanged() const {
  std::string out = "UNCHANGED <<";
  for (std::size_t i = 0; i < variables_.size(); ++i) out += (i == 0 ? "" : ", ") + variables_[i];
  return out + ">>";
}

void Model::Builder::add_action(Draft& draft, std::string text) {
  draft.rule.repeats.push_back(take_repeat(text));
  draft.bodies.push_back(draft.holes.fill(text));
  draft.texts.push_back(std::move(text));
}

void Model::Builder::draft_after(Draft& draft) const {
  if (!m_.mapping_.unless.empty())
    draft.unless = fmt::format("({}) /\\ {}", draft.holes.fill(m_.mapping_.unless), unchanged());
  for (const std::string& action : guided(m_.mapping_.after, m_.mapping_.after_guide))
    add_action(draft, action);
  if (m_.use_ != Use::judge || m_.mapping_.observe.empty()) return;
  std::string all;
  for (const Observation& o : m_.mapping_.observe)
    all += fmt::format("(({}) = ({})) /\\ ", draft.holes.fill(o.model), draft.holes.fill(o.node));
  draft.bodies.push_back(all + unchanged());
  draft.texts.emplace_back();  // told by its parts
  draft.rule.repeats.push_back(false);
  draft.rule.firm = 1;
}

Status Model::Builder::draft_rules() {
  for (const auto* list : {&m_.mapping_.after, &m_.mapping_.after_guide})
    for (const std::string& action : *list)
      if (auto s = check_action(action, m_.mapping_.file + ", [after]"); !s) return s;
  for (const EventRule& given : m_.mapping_.events)
    if (!given.check || m_.use_ == Use::judge)
      if (auto s = draft(given); !s) return s;
  if (m_.mapping_.after.empty() && (m_.mapping_.observe.empty() || m_.use_ == Use::guide))
    return {};
  Draft after;
  after.place = m_.mapping_.file + ", [after]";
  draft_after(after);
  if (auto s = bind(after); !s) return s;
  m_.after_ = static_cast<std::uint32_t>(drafts_.size());
  drafts_.push_back(std::move(after));
  return {};
}

// For exhibits: what the observations look at, whatever the event was.
Status Model::Builder::bind_observed() {
  Draft draft;
  draft.place = m_.mapping_.file + ", [observe]";
  for (const Observation& o : m_.mapping_.observe)
    draft.holes.fill(o.model), draft.holes.fill(o.node);
  if (auto s = bind(draft); !s) return s;
  m_.observed_ = std::move(draft.rule.parameters);
  return {};
}

Status Model::Builder::bind(Draft& draft) {
  for (const std::string& name : draft.holes.names)
    if (auto s = bind_parameter(draft, name); !s) return s;
  return {};
}

Status Model::Builder::bind_parameter(Draft& draft, const std::string& name) {
  Parameter p;
  p.name = name;
  if (name == "node") {
    p.from = From::node;
  } else if (name == "peer") {
    if (!(draft.about & kBetweenTwo)) return error("{}: there is no other end here", draft.place);
    p.from = From::peer;
  } else if (name.starts_with("self.")) {
    if (draft.about == mask_of(Happened::crashed))
      return error("{}: of a node that has crashed there is no ${}", draft.place, name);
    p.from = From::self;
    std::string problem;
    for (const NodeClass* type : setup_.system->classes) {
      auto reader = FieldReader::parse(*type->state, std::string_view(name).substr(5));
      if (reader) p.readers.emplace_back(type->state, *std::move(reader));
      else if (problem.empty()) problem = reader.error();
    }
    if (p.readers.empty()) return error("{}: {}", draft.place, problem);
  } else {
    p.from = From::content;
    if (!draft.rule.type)
      return error("{}: ${} is a field of a content, and this event has none", draft.place, name);
    auto reader = FieldReader::parse(*draft.rule.type, name);
    if (!reader) return error("{}: {}", draft.place, reader.error());
    p.readers.emplace_back(draft.rule.type, *std::move(reader));
  }
  draft.rule.parameters.push_back(std::move(p));
  return {};
}

// The constants of the model's own configuration, but those that the run decides.
Result<std::string> Model::Builder::configuration() const {
  const auto text = read_file(config_);
  if (!text) return tl::unexpected(text.error());
  tla::Symbols symbols;
  tla::Store store(symbols);
  tla::Config own;
  try {
    own = tla::parse_config(*text, symbols.add_file(config_), store);
  } catch (const tla::Failure& f) {
    return error("{} at {}", f.what(), symbols.describe(f.where));
  }
  std::string out;
  if (own.specification) out += "SPECIFICATION " + symbols.text(own.specification->name) + "\n";
  if (own.init) out += "INIT " + symbols.text(own.init->name) + "\n";
  if (own.next) out += "NEXT " + symbols.text(own.next->name) + "\n";
  if (!m_.mapping_.view.empty()) out += "VIEW MappedView\n";
  out += "CONSTANTS\n";
  for (const auto& [name, expression] : m_.mapping_.constants)
    out += fmt::format("  {} <- Mapped_{}\n", name, name);
  for (const auto& a : own.constants) {
    const std::string name = symbols.text(a.name);
    const auto& ours = m_.mapping_.constants;
    if (std::any_of(ours.begin(), ours.end(), [&](const auto& c) { return c.first == name; }))
      continue;
    out += a.definition != 0 ? fmt::format("  {} <- {}\n", name, symbols.text(a.definition))
                             : fmt::format("  {} = {}\n", name, tla::to_text(a.value, symbols));
  }
  return out;
}

std::string Model::Builder::module_text() const {
  std::string out =
      fmt::format("---- MODULE Mapped ----\nEXTENDS {}\n{}\n", module_, m_.mapping_.define);
  const auto values = setup_.system->params.all(setup_.config.get());
  for (const auto& [name, expression] : m_.mapping_.constants) {
    Holes holes;
    std::string text = holes.fill(expression);  // check_setup knows each of them
    for (std::size_t i = holes.names.size(); i-- > 0;) {
      std::string value;
      if (holes.names[i] == "nodes") value = std::to_string(setup_.nodes);
      if (holes.names[i] == "judging") value = m_.use_ == Use::judge ? "TRUE" : "FALSE";
      for (const auto& [parameter, set] : values)
        if (parameter == holes.names[i]) value = set;
      const std::string par = fmt::format("par_{}", i);
      for (std::size_t at = text.find(par); at != std::string::npos; at = text.find(par))
        text.replace(at, par.size(), value);
    }
    out += fmt::format("Mapped_{} == {}\n", name, text);
  }
  if (!m_.mapping_.view.empty()) out += fmt::format("MappedView == {}\n", m_.mapping_.view);
  for (std::size_t r = 0; r < drafts_.size(); ++r) {
    std::string list;
    for (std::size_t i = 0; i < drafts_[r].holes.names.size(); ++i)
      list += fmt::format("{}par_{}", i == 0 ? "(" : ", ", i);
    if (!list.empty()) list += ")";
    for (std::size_t a = 0; a < drafts_[r].bodies.size(); ++a)
      out += fmt::format("Rule_{}_{}{} == {}\n", r, a, list, drafts_[r].bodies[a]);
    if (!drafts_[r].unless.empty())
      out += fmt::format("Rule_{}_unless{} == {}\n", r, list, drafts_[r].unless);
  }
  return out + "====\n";
}

Status Model::Builder::load_whole() {
  const auto config = configuration();
  if (!config) return tl::unexpected(config.error());
  tla::LoadOptions options;
  options.path = {folder_};
  auto spec = tla::Spec::from_text(module_text(), *config, options);
  if (!spec) return error("{}: {}", m_.mapping_.file, spec.error());
  m_.spec_ = *std::move(spec);
  m_.states_ = std::make_unique<tla::Steps>(*m_.spec_);
  m_.recall_ = std::make_unique<tla::Recall>(*m_.spec_);
  split_view();
  for (std::size_t r = 0; r < drafts_.size(); ++r) {
    Draft& draft = drafts_[r];
    for (std::size_t a = 0; a < draft.bodies.size(); ++a) {
      const auto action = m_.spec_->action(fmt::format("Rule_{}_{}", r, a));
      if (!action)
        return error("{}: {} in {}", draft.place, action.error(),
                     draft.texts[a].empty() ? "[observe]" : draft.texts[a]);
      draft.rule.actions.push_back(*action);
    }
    if (!draft.unless.empty()) {
      const auto unless = m_.spec_->action(fmt::format("Rule_{}_unless", r));
      if (!unless) return error("{}: {} in \"unless\"", draft.place, unless.error());
      draft.rule.unless = *unless;
    }
    draft.rule.texts = draft.texts;
    m_.rules_.push_back(std::move(draft.rule));
  }
  const auto begin = m_.spec_->initial();
  if (!begin) return error("{}: {}", m_.spec_file_, begin.error());
  if (begin->empty()) return error("{}: there is no initial state", m_.spec_file_);
  for (const tla::State& s : *begin) {
    const StateId id = m_.states_->intern(s);
    const auto& all = m_.initial_;
    if (std::find(all.begin(), all.end(), id) == all.end()) m_.initial_.push_back(id);
  }
  return {};
}

// Each part of a view is remembered by what it looks at.
void Model::Builder::split_view() {
  if (!m_.spec_->view) return;
  const tla::Code code = m_.spec_->view->code;
  const tla::Node* root = code.root;
  while (root->op == tla::Op::of_state || root->op == tla::Op::bind) root = &root->kid(0);
  m_.view_is_tuple_ = root->op == tla::Op::tuple;
  for (std::uint32_t i = 0; i < (m_.view_is_tuple_ ? root->count : 1); ++i)
    add_view_part({m_.view_is_tuple_ ? &root->kid(i) : code.root, code.layout});
  m_.seen_.resize(m_.view_.size());
}

void Model::Builder::add_view_part(tla::Code code) {
  ViewPart part;
  part.code = code;
  std::size_t questions = 1;
  const tla::Node& n = *code.root;
  const bool single = n.op == tla::Op::function && !n.extra->recursive &&
                      n.extra->groups.size() == 1 && !n.extra->groups[0].tuple &&
                      n.extra->groups[0].slots.size() == 1 && n.extra->groups[0].set->constant();
  if (single) {
    tla::Evaluator& eval = m_.spec_->evaluator();
    try {
      const tla::Value set = eval.evaluate({n.extra->groups[0].set, code.layout}, {});
      if (eval.is_finite(set)) part.domain = eval.normal(set);
    } catch (const tla::Failure&) {
      part.domain = {};  // it will fail where it is asked for
    }
    if (part.domain.is_set()) {
      part.code.root = &n.kid(0);
      part.slot = n.extra->groups[0].slots[0];
      questions = part.domain.node()->size;
    }
  }
  part.question = m_.recall_->questions(questions);
  m_.view_.push_back(part);
}

void Model::Builder::index_rules() {
  m_.by_kind_.resize(64);  // a bit a kind
  if (m_.after_) m_.wakes_on_ |= kStepsOfNodes;
  for (std::uint32_t i = 0; i < m_.rules_.size(); ++i) {
    if (m_.after_ == i) continue;
    m_.by_kind_[static_cast<std::size_t>(m_.rules_[i].kind)].push_back(i);
    m_.wakes_on_ |= mask_of(m_.rules_[i].kind);
  }
}

}  // namespace schism::model
