// A protocol under test: its nodes, parameters, workload, oracles and known bugs, stated once.
//
//   static const Registration toy =
//       system<Toy>("toy-consensus", "Algorithm 1 of DiscoTest")
//           .nodes(3)
//           .param<&Toy::Config::rounds>("rounds", 1, 8, "rounds to decide")
//           .bug<&Toy::Config::distrust_commits>("distrust-commits", "what is wrong")
//           .oracle(invariant<Toy>("name", [](const Toy& node) { return node.round >= 0; }));
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "schism/base/params.hpp"
#include "schism/base/registry.hpp"
#include "schism/node/node.hpp"
#include "schism/system/drawing.hpp"
#include "schism/system/faults.hpp"
#include "schism/system/lessons.hpp"
#include "schism/system/paint.hpp"
#include "schism/system/workload.hpp"
#include "schism/world/world.hpp"

namespace schism {

class Oracle;

using WorldMaker = std::function<std::unique_ptr<World>(const Setup&)>;

struct Bug {
  std::string name;     // kebab-case
  std::string meaning;  // a sentence
  std::function<void(void* config)> plant;
  std::function<bool(const void* config)> planted;
};

struct NodeRange {
  int fallback = 3, low = 1, high = kNodesMax;
};

struct CrashNotice {
  int type = -1;     // the number of the message; -1: none
  bool own = false;  // the crashed node is told as well
};

// Where a message stands in the order of its protocol: views, numbers in a view, verbs of a number.
// A strategy that counts rounds keeps the counters (byzantine/rounds.hpp).
struct OrderKey {
  std::int64_t view = 0, number = 0;  // number -1: of the view as a whole
  int verb = 0;
};

// A change that a liar may make to a message of a type. `far`: any value, not one near the truth.
// `nil`: it votes for nothing, which only a liar does that is told to.
struct LieMaker {
  const TypeInfo* type = nullptr;
  std::string name;
  bool far = false, nil = false;
  std::function<bool(void* message, Rng&)> make;  // false: not of this one
};

// One message that a liar may send at any time, where all behaviours are tried.
struct LiarMessage {
  NodeId to = 0;
  int type = 0;
  Value content;
};

class System {
 public:
  using OracleMaker = std::function<std::unique_ptr<Oracle>(const Setup&)>;

  std::string name, description;
  WorldMaker world;  // empty: the one that the options name (run/make_world.hpp)
  NodeRange node_range;
  Params params;
  std::vector<Bug> bugs;
  std::vector<OracleMaker> oracles;
  // Which faults it is built to survive in that configuration. Empty: it does not say.
  std::function<FaultKinds(const Setup&)> survives;
  std::function<std::shared_ptr<void>()> fresh_config;
  std::function<std::shared_ptr<void>(const void*)> copy_config;
  // Nodes that stand for an abstract service: they never fail. Empty: there are none.
  std::function<bool(NodeId, const Setup&)> is_service;
  // Which class each node is of. All classes of a system share their messages.
  std::function<const NodeClass&(NodeId, const Setup&)> class_of;
  std::vector<const NodeClass*> classes;
  std::function<void(Workload&)> workload;                 // may be empty
  std::function<std::vector<int>(const Setup&)> symmetry;  // a group a node: equal, interchangeable
  std::function<int(const TypeInfo&, const void*)> round_of;  // -1: none
  // A perfect failure detector: a node's crash sends this message in its name to the others.
  std::function<CrashNotice(const Setup&)> crash_notice;  // may be empty: nobody is told
  // How nodes of a class look from afar; none of that class: by its words, flags and counters.
  struct Painter {
    const TypeInfo* type;
    std::function<void(const void* node, Paint&)> paint;
  };
  std::vector<Painter> painters;
  // The same from close by, for learners; none of that class: as from afar.
  struct Portrait {
    const TypeInfo* type;
    std::function<void(const void* node, const Sitter&, Paint&)> paint;
  };
  std::vector<Portrait> portraits;
  Lessons lessons;  // for learners
  // Replaces a message's content by another that a faulty sender might send; false: cannot.
  std::function<bool(Rng&, const TypeInfo&, Value&)> mutate;
  // Who may be drawn as a liar; empty: every node. And how many liars its properties survive;
  // empty: it does not say.
  std::function<bool(NodeId, const Setup&)> may_lie;
  std::function<int(const Setup&)> tolerates;
  // The order of its messages, for strategies that count rounds: nothing: this one has no place in
  // it. `verbs`: how many an ordinary request takes.
  std::function<std::optional<OrderKey>(const TypeInfo&, const void*)> order_of;
  int verbs = 1;
  std::vector<LieMaker> lies;
  // What a liar may say, where a search tries all of it.
  std::function<std::vector<LiarMessage>(NodeId liar, const Setup&)> liar_messages;
  bool answers_anywhere = false;  // a node may answer what another was asked
  // How many nodes must give an answer before its client believes it; empty: one.
  std::function<int(const Setup&)> answers;
  bool fragile = false;            // may crash the process: runs in a forked child
  bool thread_safe = false;        // no globals: may run in threads of one process
  std::uint32_t steps_max = 1000;  // a sensible end of a run
  Micros tail = 60'000'000;        // how long the fair tail may take
  std::uint32_t patience = 100;    // its fair rounds without progress after which none comes
  Weights timer_weights;           // for schedulers that pick at random
  Drawing drawing;                 // for explorers that draw configurations

  const Bug* find_bug(std::string_view bug) const;
  std::vector<std::string> bug_names() const;
  int message_count() const { return classes.empty() ? 0 : classes[0]->message_count; }
  const TypeInfo& message(int type) const { return *classes[0]->messages[type]; }
  // One that takes clients' requests, and all that any class takes; null: there is none.
  const NodeClass* request_class() const;
  int request_number(const TypeInfo& type) const;  // its place among them; -1: nobody takes it
  std::string timer_name(int timer) const;
  std::vector<std::string> timer_names() const;
};

template <class T>
class SystemBuilder {
 public:
  SystemBuilder(std::string name, std::string description);

  // Its nodes live in a world of their own.
  SystemBuilder& world(WorldMaker make) {
    system_->world = std::move(make);
    return *this;
  }
  SystemBuilder& nodes(int fallback, int low = 1, int high = kNodesMax) {
    system_->node_range = {fallback, low, high};
    return *this;
  }
  template <auto Member, class... Rest>
  SystemBuilder& param(Rest... rest) {
    system_->params.template add<Member>(rest...);
    return *this;
  }
  template <auto Member>
  SystemBuilder& duration(std::string name, Micros low, Micros high, std::string meaning) {
    system_->params.template add_duration<Member>(std::move(name), low, high, std::move(meaning));
    return *this;
  }
  // A boolean of the Config that breaks the protocol. Off by default.
  template <auto Member>
  SystemBuilder& bug(std::string name, std::string meaning) {
    system_->bugs.push_back({std::move(name), std::move(meaning),
                             [](void* c) { detail::member<Member>(c) = true; },
                             [](const void* c) { return bool(detail::member<Member>(c)); }});
    return *this;
  }
  SystemBuilder& oracle(System::OracleMaker make) {
    system_->oracles.push_back(std::move(make));
    return *this;
  }
  // Any oracle object with a copy constructor serves as the pattern for each run.
  template <class O>
  requires std::is_base_of_v<Oracle, O> SystemBuilder& oracle(O pattern) {
    return oracle([pattern](const Setup&) { return std::make_unique<O>(pattern); });
  }
  // The faults under which its properties hold; a violation under others is told as such.
  SystemBuilder& survives(FaultKinds kinds) {
    system_->survives = [kinds](const Setup&) { return kinds; };
    return *this;
  }
  SystemBuilder& survives(std::function<FaultKinds(const typename T::Config&)> kinds) {
    system_->survives = [kinds = std::move(kinds)](const Setup& s) {
      return kinds(*static_cast<const typename T::Config*>(s.config.get()));
    };
    return *this;
  }
  // Parameters that a drawn configuration leaves alone, or nearly so (system/drawing.hpp); those
  // that are not named are workload.
  SystemBuilder& judgement(const std::vector<std::string>& parameters) {
    system_->drawing.put(parameters, Purpose::judgement);
    return *this;
  }
  SystemBuilder& settled(const std::vector<std::string>& parameters) {
    system_->drawing.put(parameters, Purpose::settled);
    return *this;
  }
  SystemBuilder& timing(const std::vector<std::string>& parameters) {
    system_->drawing.put(parameters, Purpose::timing);
    return *this;
  }
  // It never comes to rest by itself, so that a fair tail, which judges progress, is long.
  SystemBuilder& restless() {
    system_->drawing.restless = true;
    return *this;
  }
  // Its transport keeps the order of messages, as TCP does.
  SystemBuilder& streams() {
    system_->drawing.streams = true;
    return *this;
  }
  // Something is wrong with it without any seeded bug; what, in a few words.
  SystemBuilder& fails_itself(std::string why) {
    system_->drawing.fails_itself = std::move(why);
    return *this;
  }
  SystemBuilder& workload(std::function<void(Workload&)> fill) {
    system_->workload = std::move(fill);
    return *this;
  }
  // Any node may answer a request, not only the one that was asked: its client waits for the
  // first answer. One that comes later, or after the node that was asked has crashed and the
  // client has gone on, is nobody's. Without this, an answer from elsewhere is a failure.
  SystemBuilder& answers_anywhere() {
    system_->answers_anywhere = true;
    return *this;
  }
  // Any node may answer, and a client believes what so many different nodes have answered: f + 1
  // where f may lie. A liar may keep its answer to itself, or say what somebody else has said.
  SystemBuilder& answers(std::function<int(const Setup&)> equal) {
    system_->answers = std::move(equal);
    return answers_anywhere();
  }
  SystemBuilder& answers(int equal) {
    return answers([equal](const Setup&) { return equal; });
  }
  // A node of another class for some ids: `which` says for which.
  template <class U>
  SystemBuilder& also(std::function<bool(NodeId, int nodes, const typename T::Config&)> which);
  // The same for nodes that stand for an abstract service (schism/service/): they never crash.
  template <class U>
  SystemBuilder& service(std::function<bool(NodeId, int nodes, const typename T::Config&)> which);
  // All ids are interchangeable: the protocol neither compares them nor draws numbers by them.
  SystemBuilder& symmetric() {
    system_->symmetry = [](const Setup& s) {
      return std::vector<int>(static_cast<std::size_t>(s.nodes), 0);
    };
    return *this;
  }
  SystemBuilder& symmetric(std::function<std::vector<int>(const Setup&)> groups) {
    system_->symmetry = std::move(groups);
    return *this;
  }
  SystemBuilder& round_of(std::function<int(const TypeInfo&, const void*)> f) {
    system_->round_of = std::move(f);
    return *this;
  }
  // Who may lie, and how many liars its properties survive.
  SystemBuilder& liars(std::function<int(const Setup&)> tolerates,
                       std::function<bool(NodeId, const Setup&)> may = nullptr) {
    system_->tolerates = std::move(tolerates);
    system_->may_lie = std::move(may);
    return *this;
  }
  SystemBuilder& order(int verbs,
                       std::function<std::optional<OrderKey>(const TypeInfo&, const void*)> f) {
    system_->verbs = verbs;
    system_->order_of = std::move(f);
    return *this;
  }
  // A change near the truth (`lie`) or any (`far_lie`) that a liar may make to its messages M.
  template <class M>
  SystemBuilder& lie(std::string what, std::function<bool(M&, Rng&)> make, bool far = false) {
    static_assert(T::Messages::template index<M>() >= 0, "not among this system's messages");
    system_->lies.push_back({&type_info<M>(), std::move(what), far, false,
                             [make = std::move(make)](void* message, Rng& rng) {
                               return make(*static_cast<M*>(message), rng);
                             }});
    return *this;
  }
  template <class M>
  SystemBuilder& far_lie(std::string what, std::function<bool(M&, Rng&)> make) {
    return lie<M>(std::move(what), std::move(make), true);
  }
  // What the nil voter makes of a vote M: one for nothing.
  template <class M>
  SystemBuilder& nil_vote(std::function<void(M&)> make) {
    lie<M>("nil", [make = std::move(make)](M& vote, Rng&) { return make(vote), true; });
    system_->lies.back().nil = true;
    return *this;
  }
  SystemBuilder& liar_messages(
      std::function<std::vector<LiarMessage>(NodeId liar, const Setup&)> all) {
    system_->liar_messages = std::move(all);
    return *this;
  }
  // Each crash is told to the other nodes by a message M from the crashed one; to the crashed one
  // as well where `own` says so; to nobody where `told` says no.
  template <class M>
  SystemBuilder& crash_notice(std::function<bool(const typename T::Config&)> own,
                              std::function<bool(const typename T::Config&)> told = nullptr) {
    static_assert(T::Messages::template index<M>() >= 0, "not among this system's messages");
    system_->crash_notice = [own = std::move(own), told = std::move(told)](const Setup& s) {
      const auto& config = *static_cast<const typename T::Config*>(s.config.get());
      if (told && !told(config)) return CrashNotice{};
      return CrashNotice{T::Messages::template index<M>(), own && own(config)};
    };
    return *this;
  }
  // How a node of class U looks from afar: see Paint.
  template <class U>
  SystemBuilder& colour(void (*paint)(const U&, Paint&)) {
    system_->painters.push_back({&type_info<U>(), [paint](const void* node, Paint& p) {
                                   paint(*static_cast<const U*>(node), p);
                                 }});
    return *this;
  }
  // How it looks from close by: all that a learner tells apart. See Lessons.
  template <class U>
  SystemBuilder& portrait(void (*paint)(const U&, const Sitter&, Paint&)) {
    system_->portraits.push_back(
        {&type_info<U>(), [paint](const void* node, const Sitter& sitter, Paint& p) {
           paint(*static_cast<const U*>(node), sitter, p);
         }});
    return *this;
  }
  SystemBuilder& lessons(Lessons lessons) {
    system_->lessons = std::move(lessons);
    return *this;
  }
  SystemBuilder& timer_weight(std::string timer, std::int64_t weight) {
    system_->timer_weights[std::move(timer)] = weight;
    return *this;
  }
  SystemBuilder& steps(std::uint32_t most) {
    system_->steps_max = most;
    return *this;
  }
  // How long the fair tail may take: a few of the protocol's own timeouts.
  SystemBuilder& tail(Micros bound) {
    system_->tail = bound;
    return *this;
  }
  // How many rounds of a fair tail may pass without progress, an announcement or an answer that an
  // oracle listens to, before a verdict; a violation is then confirmed by ten times as many. A
  // round is over when all that was pending at its beginning was served or cancelled.
  SystemBuilder& patience(std::uint32_t rounds) {
    system_->patience = rounds;
    return *this;
  }
  SystemBuilder& fragile() {
    system_->fragile = true;
    return *this;
  }
  SystemBuilder& thread_safe() {
    system_->thread_safe = true;
    return *this;
  }

  operator Registration();  // NOLINT: `static const Registration x = system<…>(…)…;`

 private:
  struct Variant {
    std::function<bool(NodeId, int, const void*)> which;
    const NodeClass* type;
  };
  static const NodeClass& class_object() {
    static const NodeClass c = node_class<T>();
    return c;
  }
  std::shared_ptr<System> system_ = std::make_shared<System>();
  std::shared_ptr<std::vector<Variant>> variants_ = std::make_shared<std::vector<Variant>>();
};

template <class T>
SystemBuilder<T> system(std::string name, std::string description) {
  return SystemBuilder<T>(std::move(name), std::move(description));
}

// Where several classes take requests: gives them one list, so that a request has one number.
void share_requests(System& system);
// Adds it to the registry; a second system of that name is a mistake that ends the program.
Registration register_system(std::shared_ptr<const System> system);

// ---- implementation ------------------------------------------------------------------------

template <class T>
SystemBuilder<T>::SystemBuilder(std::string name, std::string description) {
  using Config = typename T::Config;
  system_->name = std::move(name);
  system_->description = std::move(description);
  system_->classes.push_back(&class_object());
  system_->fresh_config = [] { return std::make_shared<Config>(); };
  system_->copy_config = [](const void* from) {
    return std::make_shared<Config>(*static_cast<const Config*>(from));
  };
  system_->class_of = [variants = variants_](NodeId id, const Setup& s) -> const NodeClass& {
    for (const Variant& v : *variants)
      if (v.which(id, s.nodes, s.config.get())) return *v.type;
    return class_object();
  };
}

template <class T>
template <class U>
SystemBuilder<T>& SystemBuilder<T>::also(
    std::function<bool(NodeId, int nodes, const typename T::Config&)> which) {
  static_assert(std::is_same_v<typename U::Messages, typename T::Messages>,
                "the classes of a system share one list of messages");
  static_assert(std::is_same_v<typename U::Config, typename T::Config>, "and one Config");
  static const NodeClass type = node_class<U>();
  system_->classes.push_back(&type);
  variants_->push_back({[which](NodeId id, int n, const void* c) {
                          return which(id, n, *static_cast<const typename T::Config*>(c));
                        },
                        &type});
  return *this;
}

template <class T>
template <class U>
SystemBuilder<T>& SystemBuilder<T>::service(
    std::function<bool(NodeId, int nodes, const typename T::Config&)> which) {
  system_->is_service = [before = std::move(system_->is_service), which](NodeId id,
                                                                         const Setup& s) {
    return (before && before(id, s)) ||
           which(id, s.nodes, *static_cast<const typename T::Config*>(s.config.get()));
  };
  return also<U>(std::move(which));
}

template <class T>
SystemBuilder<T>::operator Registration() {
  share_requests(*system_);
  return register_system(system_);
}

}  // namespace schism
