// Following, against a slow definition: what a run may be in a model is every state that some
// reading of the mapping leads to, one event after the other. Over random models, mappings and
// runs; the definition has the values of a run written out as TLA+ and remembers nothing.
#include "schism/model/follower.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <thread>

#include "schism/base/file.hpp"
#include "schism/node/node.hpp"
#include "schism/run/config.hpp"
#include "schism/testing/drive.hpp"
#include "schism/tla/spec.hpp"

namespace schism::model {
namespace {

// --- A system that says something of every kind --------------------------------------------------

SCHISM_ENUM(Bell, ring, strike);
SCHISM_ENUM(Mood, calm, cross);

struct Item {
  int k = 0, v = 0;
  FIELDS(k, v)
};
struct Letter {
  int a = 0;
  bool b = false;
  Mood mood = Mood::calm;
  std::vector<Item> items;
  FIELDS(a, b, mood, items)
};
struct Echo {
  int a = 0;
  FIELDS(a)
};

struct Talker : Node<Talker, Letter, Echo> {
  using Timers = Bell;
  int x = 0, y = 0;
  std::vector<int> kept;
  FIELDS(x, y, kept)

  void start(Context& c) {
    c.set_timer(Bell::ring, 10);
    c.set_timer(Bell::strike, 15);
    c.broadcast(Letter{static_cast<int>(c.self), true, Mood::calm, {}});
  }
  void on(Context& c, NodeId from, const Letter& l) {
    x = (x + l.a + static_cast<int>(l.items.size())) % 3;
    if (l.b && kept.size() < 2) kept.push_back(l.a);
    c.send(from, Echo{x});
  }
  void on(Context& c, NodeId from, const Echo& e) {
    y = (y + e.a) % 2;
    if (e.a != 2) c.send(from, letter());
  }
  void on_timer(Context& c, Bell bell) {
    if (bell == Bell::ring) c.send((c.self + 1) % c.nodes(), letter());
    else y = 1 - y;
    c.set_timer(bell, 10);
  }

 private:
  Letter letter() const {
    Letter out{(x + y) % 3, y == 1, x == 1 ? Mood::cross : Mood::calm, {}};
    for (const int k : kept) out.items.push_back({k, x});
    return out;
  }
};

const Registration registered =
    system<Talker>("test-talker", "for tests: letters, echoes and bells").nodes(2).thread_safe();

// --- Random models -------------------------------------------------------------------------------

// u and w are of the whole, f has a part for each node. An action has a node i and a number k.
struct Part {
  int guard = 0, u = 0, f = 0, w = 0;
};
struct Act {
  std::vector<Part> ways;  // one of them
};

// Those that a local action may have come first.
constexpr const char* kGuards[] = {"TRUE",   "f[i] # 2",     "k \\in {0, 1}", "f[i] = k",
                                   "TRUE",   "u # 3",        "u <= k + 1",    "u # k",
                                   "w < 60", "6 \\div u > 0"};
constexpr int kLocalGuards = 4;
constexpr const char* kF[] = {
    "f' = f", "f' = [f EXCEPT ![i] = k]", "f' = [f EXCEPT ![i] = (@ + 1) % 3]",
    "(\\E j \\in 0..2 : f' = [f EXCEPT ![i] = j])", "f' \\in [{0, 1} -> 0..2]"};
constexpr int kLocalF = 4;
constexpr const char* kU[] = {"u' = u",
                              "u' = (u + k) % 4",
                              "u' \\in {u, k}",
                              "u' \\in {2, 0}",
                              "u' = (IF f[i] = 1 THEN 0 ELSE u)",
                              "u' \\in 0..3",
                              "u' = <<1, 2, 3>>[u]"};
constexpr const char* kW[] = {
    "w' = w",         "w' = w",        "w' = w",       "w' = (w + 1) % 80",
    "w' \\in {w, u}", "w' \\in 0..40", "w' \\in 0..70"};

template <class T, std::size_t n>
constexpr int count_of(T (&)[n]) {
  return static_cast<int>(n);
}

std::string text_of(const Act& act, std::size_t number) {
  std::string out = fmt::format("A{}(i, k) ==", number);
  for (const Part& p : act.ways)
    out += fmt::format(" {} ({} /\\ {} /\\ {} /\\ {})", act.ways.size() > 1 ? "\\/" : "",
                       kGuards[p.guard], kU[p.u], kF[p.f], kW[p.w]);
  return out + "\n";
}

constexpr const char* kInits[] = {
    "u = 0 /\\ f = [i \\in {0, 1} |-> 0] /\\ w = 0",
    "u \\in {1, 2} /\\ f = [i \\in {0, 1} |-> i] /\\ w = 0",
    "u = 1 /\\ f \\in [{0, 1} -> {0, 1}] /\\ w = 0",
    "(u = 1 \\/ u \\in {0, 1}) /\\ f = <<>> @@ [i \\in {0, 1} |-> 0] /\\ w \\in 0..40",
};

// --- Random mappings -----------------------------------------------------------------------------

// Where a field stands in a text: "$a" in a mapping, what it is in the definition.
using Get = std::function<std::string(const std::string& path)>;

struct Used {  // of an action
  int act = 0, who = 0, number = 0;
  bool repeat = false;
};
struct Mapped {
  int on = 0, when = 0;
  std::vector<Used> uses, guide;
  bool check = false;
};
struct Case {
  std::vector<Act> acts;
  std::vector<Mapped> rules;
  std::vector<Used> after, after_guide;
  int unless = 0, observe = 0, init = 0, view = 0;
  bool local = false;
  int seed = 0, steps = 0, back = 0;
};

struct Kind {
  const char* on;
  Happened kind;
  const char* type;  // of the content
  int timer;
};
constexpr Kind kKinds[] = {
    {"delivered Letter", Happened::delivered, "Letter", -1},
    {"delivered Echo", Happened::delivered, "Echo", -1},
    {"delivered", Happened::delivered, nullptr, -1},
    {"timer_fired ring", Happened::timer_fired, nullptr, 0},
    {"timer_fired", Happened::timer_fired, nullptr, -1},
    {"sent Letter", Happened::sent, "Letter", -1},
    {"sent Echo", Happened::sent, "Echo", -1},
    {"started", Happened::started, nullptr, -1},
    {"crashed", Happened::crashed, nullptr, -1},
    {"restarted", Happened::restarted, nullptr, -1},
};

// A number for an action, with fields of the content where there is one.
std::string number_text(int number, const char* type, const Get& get) {
  const bool letter = type && std::string_view(type) == "Letter";
  switch (number) {
    case 1: return "1";
    case 2: return get("self.x");
    case 3: return "Len(" + get("self.kept") + ")";
    case 4: return get("node");
    case 5: return type ? get("a") : "2";
    case 6: return letter ? "(IF " + get("b") + " THEN 1 ELSE 2)" : "0";
    case 7: return letter ? "(IF " + get("mood") + " = \"cross\" THEN 0 ELSE 1)" : "1";
    case 8:
      return letter ? "(IF Len(" + get("items") + ") > 0 THEN " + get("items[].v") + "[1] ELSE 0)"
                    : get("self.y");
    case 9:
      return letter ? "(IF Len(" + get("items") + ") > 0 THEN " + get("items") + "[1].k ELSE 2)"
                    : get("self.y");
    default: return "0";
  }
}
constexpr int kNumbers = 10;

std::string use_text(const Used& use, const char* type, const Get& get) {
  return fmt::format("A{}({}, {})", use.act, get(use.who == 0 ? "node" : "peer"),
                     number_text(use.number, type, get));
}

constexpr int kUnless = 5, kLocalUnless = 3;
std::string unless_text(int unless, const Get& get) {
  switch (unless) {
    case 1: return "f[" + get("node") + "] = " + get("self.x");
    case 2: return "f[" + get("node") + "] # 1";
    case 3: return "u = " + get("self.y");
    case 4: return "6 \\div u < 4";
    default: return "";
  }
}

// In the model, at the node.
constexpr int kObserve = 4;
std::pair<std::string, std::string> observe_text(int observe, const Get& get) {
  switch (observe) {
    case 1: return {"f[" + get("node") + "] # 2 \\/ u # 2", get("self.x") + " \\in 0..2"};
    case 2: return {"f[" + get("node") + "]", get("self.x")};
    case 3: return {"u = 3 /\\ f[" + get("node") + "] = 0", get("self.y") + " = 3"};
    default: return {"", ""};
  }
}

constexpr const char* kViews[] = {"", "<<u, f[0]>>", "IF u > 1 THEN <<u>> ELSE <<u, w>>"};

const char* when_text(int on, int when) {
  const char* const type = kKinds[on].type;
  if (!type || when == 0) return "";
  if (when == 1) return "a = 1";
  return when == 2 ? "a != 0" : std::string_view(type) == "Letter" ? "b = true" : "a = 0";
}
bool when_holds(const char* when, const Value& content) {
  const std::string_view text(when);
  if (text.empty()) return true;
  if (text == "b = true") return *content.find("b")->as_bool();
  const std::int64_t a = *content.find("a")->as_int();
  return text == "a = 1" ? a == 1 : text == "a = 0" ? a == 0 : a != 0;
}

std::string list_text(const std::vector<Used>& uses, const char* type) {
  const Get hole = [](const std::string& path) { return "$" + path; };
  std::string out;
  for (const Used& use : uses)
    out += fmt::format("{}'{}{}'", out.empty() ? "" : ", ", use.repeat ? "repeat " : "",
                       use_text(use, type, hole));
  return "[" + out + "]";
}

std::string model_text(const Case& c, const std::string& name, const std::string& more) {
  std::string out = fmt::format(
      "---- MODULE {} ----\nEXTENDS Integers, Sequences, TLC\nVARIABLES u, f, w\nInit == {}\n",
      name, kInits[c.init]);
  for (std::size_t i = 0; i < c.acts.size(); ++i) out += text_of(c.acts[i], i);
  return out + "Next == \\E i \\in {0, 1}, k \\in 0..2 : A0(i, k)\n" + more + "====\n";
}
constexpr const char* kConfig = "INIT Init\nNEXT Next\n";

std::string mapping_text(const Case& c) {
  const Get hole = [](const std::string& path) { return "$" + path; };
  std::string out = "system = \"test-talker\"\n";
  if (c.view > 0) out += fmt::format("view = '{}'\n", kViews[c.view]);
  if (!c.after.empty()) {
    out += fmt::format("[after]\ndo = {}\n", list_text(c.after, nullptr));
    if (!c.after_guide.empty()) out += "guide = " + list_text(c.after_guide, nullptr) + "\n";
    if (c.unless > 0) out += fmt::format("unless = '{}'\n", unless_text(c.unless, hole));
  }
  if (c.observe > 0) {
    const auto [model, node] = observe_text(c.observe, hole);
    out += fmt::format("[observe]\nseen = ['{}', '{}']\n", model, node);
  }
  for (const Mapped& r : c.rules) {
    out += fmt::format("[[event]]\non = \"{}\"\ndo = {}\n", kKinds[r.on].on,
                       list_text(r.uses, kKinds[r.on].type));
    if (!r.guide.empty()) out += "guide = " + list_text(r.guide, kKinds[r.on].type) + "\n";
    if (*when_text(r.on, r.when)) out += fmt::format("when = \"{}\"\n", when_text(r.on, r.when));
    if (r.check) out += "check = true\n";
  }
  return out;
}

// --- What happened, as values --------------------------------------------------------------------

struct Seen {
  Happened kind{};
  int node = 0, peer = 0, timer = 0;
  std::string type;
  Value content;
  std::optional<Value> self;  // nothing: it is down
};

Seen seen_of(const World& world, const Event& e) {
  Seen out{e.kind, e.node, e.peer, e.detail, e.type ? std::string(e.type->name) : "", {}, {}};
  if (e.type && e.body) out.content = e.type->to_value(e.body);
  const auto node = static_cast<NodeId>(e.node);
  if (world.up(node)) out.self = world.node_type(node).to_value(world.node(node));
  return out;
}

std::string tla_of(const Value& v) {
  if (const bool* b = v.as_bool()) return *b ? "TRUE" : "FALSE";
  if (const std::int64_t* i = v.as_int()) return std::to_string(*i);
  if (const std::string* s = v.as_text()) return "\"" + *s + "\"";
  std::string out;
  if (const Value::Array* items = v.as_array()) {
    for (const Value& item : *items) out += (out.empty() ? "" : ", ") + tla_of(item);
    return "<<" + out + ">>";
  }
  for (const auto& [name, part] : *v.as_object())
    out += fmt::format("{}{} |-> {}", out.empty() ? "" : ", ", name, tla_of(part));
  return "[" + out + "]";
}

struct NotThere {};

// "items[].v" of a letter, or a field of the node, written out.
std::string field_of(const Seen& e, const std::string& path) {
  if (path == "node") return std::to_string(e.node);
  if (path == "peer") return std::to_string(e.peer);
  if (path.starts_with("self.")) {
    if (!e.self) throw NotThere();
    return tla_of(*e.self->find(path.substr(5)));
  }
  const std::size_t each = path.find("[].");
  if (each == std::string::npos) return tla_of(*e.content.find(path));
  Value::Array picked;
  for (const Value& item : *e.content.find(path.substr(0, each))->as_array())
    picked.push_back(*item.find(path.substr(each + 3)));
  return tla_of(Value(picked));
}

// What an event is in the model: actions without parameters.
struct Reading {
  struct One {
    std::string text;
    bool repeat = false;
  };
  std::vector<One> own, after;
  std::string unless, observed;
  bool has_own = false, has_after = false;
  bool mapped() const { return has_own || has_after; }
};

bool is_step(Happened kind) {
  return kind == Happened::delivered || kind == Happened::timer_fired ||
         kind == Happened::disk_completed || kind == Happened::invoked ||
         kind == Happened::restarted;
}

std::vector<Reading::One> read_uses(const std::vector<Used>& uses, const char* type,
                                    const Get& get) {
  std::vector<Reading::One> out;
  for (const Used& use : uses) out.push_back({use_text(use, type, get), use.repeat});
  return out;
}

Reading reading_of(const Case& c, const Seen& e, Use use) {
  Reading out;
  const Get get = [&](const std::string& path) { return field_of(e, path); };
  for (const Mapped& r : c.rules) {
    const Kind& kind = kKinds[r.on];
    if (kind.kind != e.kind || (r.check && use == Use::guide)) continue;
    if (kind.type && kind.type != e.type) continue;
    if (kind.timer >= 0 && kind.timer != e.timer) continue;
    if (!when_holds(when_text(r.on, r.when), e.content)) continue;
    try {
      const auto& uses = use == Use::guide && !r.guide.empty() ? r.guide : r.uses;
      out.own = read_uses(uses, kind.type, get);
      out.has_own = true;
    } catch (const NotThere&) {
    }
    break;
  }
  const bool observes = c.observe > 0 && use == Use::judge;
  if (!is_step(e.kind) || (c.after.empty() && !observes)) return out;
  try {
    const auto& uses = use == Use::guide && !c.after_guide.empty() ? c.after_guide : c.after;
    out.after = read_uses(uses, nullptr, get);
    if (!c.after.empty()) out.unless = unless_text(c.unless, get);
    if (observes) {
      const auto [model, node] = observe_text(c.observe, get);
      out.observed = fmt::format("({}) = ({})", model, node);
    }
    out.has_after = true;
  } catch (const NotThere&) {
  }
  return out;
}

// --- The definition ------------------------------------------------------------------------------

class Definition {
 public:
  using States = std::map<std::string, tla::State>;  // by their text

  Definition(const Case& c, Use use, const std::vector<Seen>& log) : use_(use) {
    std::string more;
    for (std::size_t n = 0; n < log.size(); ++n) {
      readings_.push_back(reading_of(c, log[n], use));
      const Reading& r = readings_.back();
      for (std::size_t i = 0; i < r.own.size(); ++i)
        more += fmt::format("Own_{}_{} == {}\n", n, i, r.own[i].text);
      for (std::size_t i = 0; i < r.after.size(); ++i)
        more += fmt::format("After_{}_{} == {}\n", n, i, r.after[i].text);
      wakes_.push_back(heard(c, log[n].kind));
    }
    auto spec = tla::Spec::from_text(model_text(c, "Slow", more), kConfig);
    if (!spec) throw std::runtime_error(spec.error());
    spec_ = *std::move(spec);
    const auto begin = spec_->initial();
    if (!begin) throw std::runtime_error(begin.error());
    for (const tla::State& s : *begin)
      if (use == Use::judge || states.empty()) states.emplace(spec_->print(s), s);
    if (states.size() > kStatesMax) over = must_lose = true;
  }

  // False: it is over, for whatever reason.
  bool take(std::size_t n) {
    if (over || !wakes_[n]) return !over;
    const Reading& r = readings_[n];
    if (!r.mapped()) return ++counts.dropped, true;
    ++counts.mapped;
    branched_ = failed_ = error_ = false;
    if (r.has_own) step(n, r, true);
    if (r.has_after && !over) step(n, r, false);
    counts.ambiguous += branched_ ? 1 : 0;
    counts.disabled += failed_ ? 1 : 0;
    counts.unknown += error_ ? 1 : 0;
    return !over;
  }

  States states;
  bool over = false, deviates = false;
  bool must_lose = false, may_lose = false;  // a judge that keeps 64 states
  Counts counts;
  tla::Spec& spec() { return *spec_; }

 private:
  bool heard(const Case& c, Happened kind) const {
    if (is_step(kind) && (!c.after.empty() || (c.observe > 0 && use_ == Use::judge))) return true;
    for (const Mapped& r : c.rules)
      if (kKinds[r.on].kind == kind && !(r.check && use_ == Use::guide)) return true;
    return false;
  }

  // All that an action leads to, in order and each once; nothing: it cannot be computed.
  std::optional<std::vector<tla::State>> next(const std::string& action, const tla::State& s) {
    const auto named = spec_->action(action);
    if (!named) throw std::runtime_error(named.error());
    const auto found = spec_->apply(**named, {}, s);
    if (!found) return std::nullopt;
    std::vector<tla::State> out;
    for (const tla::State& t : *found)
      if (std::find(out.begin(), out.end(), t) == out.end()) out.push_back(t);
    branched_ = branched_ || out.size() > 1;
    return out;
  }

  bool holds(const std::string& text, const tla::State& s, bool& error) {
    const auto value = spec_->evaluate(text, s);
    error = !value;
    return value && *value == tla::kTrue;
  }

  void step(std::size_t n, const Reading& r, bool own) {
    const auto& actions = own ? r.own : r.after;
    States todo = states, settled;
    bool ignored = false;
    if (!own && !r.unless.empty())
      for (const auto& [text, s] : states)
        if (holds(r.unless, s, ignored)) settled.emplace(text, s), todo.erase(text);
    for (std::size_t i = 0; i < actions.size() && !over; ++i)
      if (use_ == Use::judge && todo.empty()) break;
      else act(fmt::format("{}_{}_{}", own ? "Own" : "After", n, i), actions[i].repeat, todo);
    if (over) return;
    todo.merge(settled);
    if (!own && !r.observed.empty()) observe(r.observed, todo);
    if (over) return;
    states = std::move(todo);
    if (states.size() > kStatesMax) over = must_lose = true;
    if (states.empty()) over = deviates = failed_ = true;
  }

  void observe(const std::string& text, States& now) {
    bool error = false;
    for (auto it = now.begin(); it != now.end() && !error;)
      it = holds(text, it->second, error) ? std::next(it) : now.erase(it);
    if (error) over = must_lose = error_ = true;
  }

  void act(const std::string& action, bool repeat, States& now) {
    if (use_ == Use::guide) return pass(action, repeat, now);
    States out;
    bool endless = false;
    std::size_t most = 0;
    for (const auto& [text, s] : now) {
      if (repeat) {
        States path, known;
        most = std::max(most, go_on(action, s, path, known, out, endless));
        continue;
      }
      const auto after = next(action, s);
      if (!after) over = must_lose = error_ = true;
      if (over) return;
      for (const tla::State& t : *after) out.emplace(spec_->print(t), t);
    }
    may_lose = may_lose || std::max(most, out.size()) > kStatesMax || endless;
    if (out.empty() && endless) over = must_lose = true;
    now = std::move(out);
  }

  // Every way of doing it until it changes nothing. Returns how many states lie on them.
  std::size_t go_on(const std::string& action, const tla::State& s, States& path, States& known,
                    States& ends, bool& endless) {
    const std::string name = spec_->print(s);
    if (path.contains(name)) endless = true;
    if (over || !known.emplace(name, s).second) return known.size();
    path.emplace(name, s);
    const auto after = next(action, s);
    if (!after) over = must_lose = error_ = true;
    else
      for (const tla::State& t : *after)
        if (t == s) ends.emplace(name, s);
        else go_on(action, t, path, known, ends, endless);
    path.erase(name);
    return known.size();
  }

  // Guidance: the first that follows, and what is not possible is passed over.
  void pass(const std::string& action, bool repeat, States& now) {
    for (int round = 0; round < 10'000 && !now.empty(); ++round) {
      const tla::State before = now.begin()->second;
      const auto after = next(action, before);
      if (!after) error_ = true;
      else if (after->empty()) failed_ = true;
      if (!after || after->empty()) return;
      const tla::State& t = after->front();
      now = {{spec_->print(t), t}};
      if (!repeat || t == before) return;
    }
    error_ = error_ || !now.empty();
  }

  Use use_;
  std::unique_ptr<tla::Spec> spec_;
  std::vector<Reading> readings_;
  std::vector<bool> wakes_;
  bool branched_ = false, failed_ = false, error_ = false;
};

// --- Both, step by step --------------------------------------------------------------------------

struct Shown {  // by the follower after a step of the world
  std::set<std::string> states;
  std::map<std::string, std::uint64_t> keys;
  bool lost = false;
  std::string deviation;
  Counts counts;
};

Setup setup_of() {
  RunText text;
  text.system = *parse_spec("test-talker");
  text.nodes = "2";
  const auto config = make_config(text);
  EXPECT_TRUE(config) << (config ? "" : config.error());
  Setup setup = config->setup;
  setup.options.faults.crash = 2;
  setup.options.faults.drop = 2;
  setup.options.faults.duplicate = 2;
  setup.options.faults.pause = 1;
  return setup;
}

class Beside {
 public:
  Beside(const Case& c, Use use) : case_(c), use_(use) {
    static int number = 0;  // a model is loaded once, by its name
    folder_ = fmt::format("{}/schism_beside_{}_{}", testing::TempDir(), ::getpid(), number++ % 8);
    std::filesystem::create_directories(folder_);
    EXPECT_TRUE(write_file(folder_ + "/m.tla", model_text(c, "m", "")));
    EXPECT_TRUE(write_file(folder_ + "/m.cfg", kConfig));
    EXPECT_TRUE(write_file(folder_ + "/m.toml", mapping_text(c)));
  }

  // What differs; empty: nothing. In a thread of its own, whose models go with it.
  std::string difference() {
    std::string out;
    std::thread([&] { out = compare(); }).join();
    return out;
  }
  int deviated = 0, lost = 0, several = 0, moved = 0;

 private:
  Shown show(Follower& follower) const {
    Shown out;
    for (const StateId s : follower.states()) {
      const std::string text = follower.model().print(s);
      out.states.insert(text);
      out.keys[text] = follower.model().key_of(s);
    }
    out.lost = follower.lost();
    out.deviation = follower.deviation();
    out.counts = follower.counts();
    return out;
  }

  std::string compare() {
    Follower follower(folder_ + "/m.tla", use_);
    if (const auto model = follower.prepare(setup_of()); !model) return model.error();
    contract::Play play(setup_of(), 1);
    std::vector<std::size_t> ends;  // of the steps in the log
    std::vector<Seen> log;
    std::vector<Shown> shown;
    std::vector<std::vector<StateId>> kept;
    const auto note = [&] {
      for (const Event& e : play.world().events()) log.push_back(seen_of(play.world(), e));
      ends.push_back(log.size());
      shown.push_back(show(follower));
      kept.push_back(follower.states());
    };
    follower.begin(play.world());
    note();
    Rng rng(static_cast<std::uint64_t>(case_.seed));
    for (int i = 0; i < case_.steps; ++i) {
      const auto move = play.random_move(rng, 0.15);
      if (!move || play.apply(*move) != Refusal::none) break;
      follower.take(play.world(), play.world().events());
      note();
    }
    if (std::string d = beside_definition(log, ends, shown); !d.empty()) return d;
    return goes_back(follower, play, shown, kept);
  }

  std::string beside_definition(const std::vector<Seen>& log, const std::vector<std::size_t>& ends,
                                const std::vector<Shown>& shown) {
    Definition slow(case_, use_, log);
    std::map<std::string, std::uint64_t> keys;
    std::map<std::uint64_t, std::string> views;
    std::size_t at = 0;
    for (std::size_t step = 0; step < shown.size(); ++step) {
      for (; at < ends[step] && slow.take(at); ++at) {
      }
      const Shown& fast = shown[step];
      const std::string place = fmt::format("step {}: ", step);
      if (fast.lost) {
        ++lost;
        return slow.must_lose || slow.may_lose ? "" : place + "lost without a reason";
      }
      if (slow.must_lose) return place + "not lost";
      if (slow.deviates != !fast.deviation.empty())
        return place + (slow.deviates ? "no deviation" : "deviates: " + fast.deviation);
      if (slow.deviates) {
        ++deviated;
        return same_counts(slow.counts, fast.counts) ? "" : place + "counts at the deviation";
      }
      std::set<std::string> wanted;
      for (const auto& [text, s] : slow.states) wanted.insert(text);
      several += wanted.size() > 1 ? 1 : 0;
      moved += step > 0 && wanted != shown[step - 1].states ? 1 : 0;
      if (wanted != fast.states)
        return fmt::format("{}{} states, not {}:\n{}\nwanted:\n{}", place, fast.states.size(),
                           wanted.size(), fmt::join(fast.states, "\n"), fmt::join(wanted, "\n"));
      if (!same_counts(slow.counts, fast.counts))
        return fmt::format("{}counts {} wanted {}", place, text_of(fast.counts),
                           text_of(slow.counts));
      for (const auto& [text, s] : slow.states)
        if (std::string d = same_key(slow, s, text, fast.keys.at(text), keys, views); !d.empty())
          return place + d;
    }
    return {};
  }

  // States have one key exactly if the view does not tell them apart.
  std::string same_key(Definition& slow, const tla::State& s, const std::string& text,
                       std::uint64_t key, std::map<std::string, std::uint64_t>& keys,
                       std::map<std::uint64_t, std::string>& views) const {
    std::string seen = text;
    if (case_.view > 0) seen = slow.spec().print(*slow.spec().evaluate(kViews[case_.view], s));
    const bool same = keys.try_emplace(seen, key).first->second == key &&
                      views.try_emplace(key, seen).first->second == seen;
    return same ? "" : "the key of " + text;
  }

  static std::string text_of(const Counts& c) {
    return fmt::format("{} mapped {} disabled {} ambiguous {} dropped {} unknown {} lost", c.mapped,
                       c.disabled, c.ambiguous, c.dropped, c.unknown, c.lost);
  }
  static bool same_counts(const Counts& a, const Counts& b) { return text_of(a) == text_of(b); }

  // The same run again, by a follower that was elsewhere and is taken back to a step of it.
  std::string goes_back(Follower& follower, contract::Play& play, const std::vector<Shown>& shown,
                        const std::vector<std::vector<StateId>>& kept) const {
    const std::size_t back = static_cast<std::size_t>(case_.back) % shown.size();
    const auto moves = play.done();
    play.restart();
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (i == back) follower.back_to(kept[i]);
      if (play.apply(moves[i]) != Refusal::none) return "a run that cannot be played again";
      if (i < back || !shown[i].deviation.empty()) continue;
      follower.take(play.world(), play.world().events());
      const Shown now = show(follower);
      if (now.states != shown[i + 1].states || now.lost != shown[i + 1].lost ||
          now.deviation != shown[i + 1].deviation)
        return fmt::format("taken back to step {}, it differs in step {}", back, i + 1);
    }
    return {};
  }

  Case case_;
  Use use_;
  std::string folder_;
};

// --- Random cases --------------------------------------------------------------------------------

int below(int n) { return *rc::gen::inRange(0, n); }
bool rarely(int n) { return below(n) == n - 1; }

rc::Gen<Act> acts(bool local) {
  return rc::gen::exec([local] {
    Act out;
    const int ways = 1 + (rarely(3) ? 1 : 0);
    for (int i = 0; i < ways; ++i) {
      Part p;
      p.guard = below(2) == 0 ? 0 : below(local ? kLocalGuards : count_of(kGuards));
      p.f = below(local ? kLocalF : count_of(kF));
      if (!local) p.u = below(count_of(kU)), p.w = below(count_of(kW));
      out.ways.push_back(p);
    }
    return out;
  });
}

// Of the actions from `low` on.
rc::Gen<Used> uses(int low, int high, bool own_node) {
  return rc::gen::exec([=] {
    Used out;
    out.act = low + below(high - low);
    out.who = own_node ? 0 : below(2);
    out.number = below(kNumbers);
    out.repeat = rarely(6);
    return out;
  });
}

template <class T>
std::vector<T> some(const rc::Gen<T>& gen, int low, int high) {
  return *rc::gen::container<std::vector<T>>(static_cast<std::size_t>(low + below(high - low + 1)),
                                             gen);
}

// Without what is refused: another end where there is none, a field of a node that is down.
std::vector<Used> sensible(std::vector<Used> uses, const Kind* kind) {
  const bool between_two =
      kind && (kind->kind == Happened::delivered || kind->kind == Happened::sent);
  for (Used& use : uses) {
    if (!between_two) use.who = 0;
    const bool of_self = use.number == 2 || use.number == 3 || use.number > 7;
    if (kind && kind->kind == Happened::crashed && of_self) use.number = 1;
  }
  return uses;
}

// One that is never asked, because one before it takes all of its events, is refused.
std::vector<Mapped> reachable(const std::vector<Mapped>& rules) {
  std::vector<Mapped> out;
  for (const Mapped& r : rules) {
    const Kind& own = kKinds[r.on];
    const bool never = std::any_of(out.begin(), out.end(), [&](const Mapped& before) {
      const Kind& other = kKinds[before.on];
      const bool about_all = !other.type && other.timer < 0;
      return other.kind == own.kind && !*when_text(before.on, before.when) &&
             (about_all || before.on == r.on);
    });
    if (!never) out.push_back(r);
  }
  return out;
}

// A local one keeps its word: what follows a step looks at f of its node, and only events of that
// node change it.
Case any_case() {
  Case c;
  c.local = below(2) == 1;
  const int locals = 3, all = 6;
  for (int i = 0; i < all; ++i) c.acts.push_back(*acts(i < locals));
  if (c.local)
    for (Act& act : c.acts)
      for (Part& p : act.ways) p.f %= kLocalF;
  const auto events = uses(0, all, c.local);
  const auto follow = c.local ? uses(0, locals, true) : uses(0, all, false);
  c.rules = reachable(some(rc::gen::exec([events] {
                             Mapped r;
                             r.on = below(count_of(kKinds));
                             r.when = below(4);
                             r.uses = sensible(some(events, 1, 3), &kKinds[r.on]);
                             if (rarely(4)) r.guide = sensible(some(events, 1, 2), &kKinds[r.on]);
                             r.check = rarely(5);
                             return r;
                           }),
                           1, 5));
  if (below(3) > 0) c.after = sensible(some(follow, 1, 2), nullptr);
  if (!c.after.empty() && rarely(3)) c.after_guide = sensible(some(follow, 1, 2), nullptr);
  c.unless = below(c.local ? kLocalUnless : kUnless);
  c.observe = rarely(3) ? below(kObserve) : 0;
  c.init = below(count_of(kInits));
  c.view = below(count_of(kViews));
  c.seed = below(1000);
  c.steps = 1 + below(30);
  c.back = below(30);
  return c;
}

// How often each of them came to something: a test in which nothing happens shows nothing.
struct Tally {
  int deviated = 0, lost = 0, several = 0, moved = 0;
};

void check_random(Use use, Tally& tally) {
  const bool ok = rc::check([&] {
    const Case c = any_case();
    Beside beside(c, use);
    const std::string difference = beside.difference();
    tally.deviated += beside.deviated, tally.lost += beside.lost, tally.several += beside.several;
    tally.moved += beside.moved;
    RC_LOG() << model_text(c, "m", "") << mapping_text(c) << "seed " << c.seed << " steps "
             << c.steps << " back " << c.back << "\n";
    RC_ASSERT(difference == "");
  });
  EXPECT_TRUE(ok);
}

TEST(Follower, JudgesAsTheDefinition) {
  Tally tally;
  check_random(Use::judge, tally);
  EXPECT_GT(tally.deviated, 0);
  EXPECT_GT(tally.lost, 0);
  EXPECT_GT(tally.several, 0);
}

TEST(Follower, GuidesAsTheDefinition) {
  Tally tally;
  check_random(Use::guide, tally);
  EXPECT_GT(tally.moved, 100);
}

// Shrunk by the above. What follows a step and looks at its node alone is done again where it
// changed something.
TEST(Follower, WhatFollowsAStepIsDoneUntilItChangesNothing) {
  Case c;
  c.acts = {Act{{Part{}}}, Act{{Part{0, 0, 2, 0}}}};
  c.rules = {Mapped{0, 0, {Used{}}, {}, false}};
  c.after = {Used{1, 0, 0, false}};
  c.local = true;
  c.steps = 4;
  EXPECT_EQ(Beside(c, Use::guide).difference(), "");
}

// An event is ambiguous in any of the states that the run may be in.
TEST(Follower, AmbiguousEventsAreCounted) {
  Case c;
  c.acts = {Act{{Part{0, 2, 0, 0}}}};
  c.rules = {Mapped{2, 0, {Used{0, 0, 1, false}}, {}, false}};
  c.init = 1;
  c.seed = 1, c.steps = 3;
  EXPECT_EQ(Beside(c, Use::judge).difference(), "");
}

}  // namespace
}  // namespace schism::model
