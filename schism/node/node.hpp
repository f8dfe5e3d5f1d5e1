// How a protocol is written: a class with a handler a message type, and a context to act through.
//
//   struct Ping { int n; FIELDS(n) };
//   struct Server : schism::Node<Server, Ping> {        // a missing handler does not compile
//     int seen = 0;
//     FIELDS(seen)                                      // observable: digest, printing, conditions
//     void start(Context& c) { if (c.self == 0) c.broadcast(Ping{1}); }
//     void on(Context& c, NodeId from, const Ping& p) { seen = p.n; c.send(from, Ping{p.n + 1}); }
//   };
//
// FIELDS names every member that decides something; NOT_STATE(...) names those that do not.
// Optional: `struct Config` (parameters and bug switches), `using Timers = AnEnum` with
// on_timer(Context&, AnEnum) or (Context&, AnEnum, int key), `using Requests = Types<...>` with
// on_request(Context&, RequestId, const R&), on_disk(Context&, const DiskDone&). Handlers that wait
// inside: task.hpp. A restart builds the node anew and calls start(): what it knows is on disk.
// A node must depend on nothing but its own history: no globals, clocks or random sources.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <vector>

#include "schism/base/random.hpp"
#include "schism/node/host.hpp"
#include "schism/node/ids.hpp"
#include "schism/node/signed.hpp"
#include "schism/node/spoken.hpp"
#include "schism/node/task.hpp"

namespace schism {

template <class... T>
struct Types {
  static constexpr int count = sizeof...(T);
  template <class U>
  static constexpr int index() {
    int at = -1, i = 0;
    ((std::is_same_v<T, U> ? void(at = i++) : void(++i)), ...);
    return at;
  }
};

namespace detail {

// Rpc<R> in a list of messages stands for two.
template <class... Done>
struct Flat {
  template <class... None>
  static Types<Done...> of(Types<None...>);
  template <class M, class... Rest>
  static auto of(Types<M, Rest...>) {
    return Flat<Done..., M>::of(Types<Rest...>{});
  }
  template <class R, class... Rest>
  static auto of(Types<Rpc<R>, Rest...>) {
    return Flat<Done..., Call<R>, Returned<R>>::of(Types<Rest...>{});
  }
};
template <class... M>
using FlatTypes = decltype(Flat<>::of(Types<M...>{}));

}  // namespace detail

// A random delay is a range: the world draws it where there is a clock, and nothing is drawn where
// there is none, so that systematic search need not try every delay.
struct Delay {
  Micros least, most;
  constexpr Delay(Micros exactly) : least(exactly), most(exactly) {}  // NOLINT: 50_ms is a delay
  constexpr Delay(Micros low, Micros high) : least(low), most(high) {}
};
constexpr Delay between(Micros least, Micros most) { return {least, most}; }

struct NoConfig {};
SCHISM_ENUM(NoTimers, );

// Names a client's request until it is answered. Copy it freely; it can be kept in node state.
struct RequestId {
  std::uint16_t client = 0;  // who asks
  std::uint16_t type = 0;    // as the system numbers its requests
  std::uint32_t number = 0;  // how many it asked before

  constexpr RequestId() = default;
  constexpr explicit RequestId(Name name)
      : client(static_cast<std::uint16_t>(name.from())),
        type(static_cast<std::uint16_t>(name.type())),
        number(name.nth()) {}
  constexpr Name name() const { return {client, 0, type, number}; }
  friend constexpr bool operator==(RequestId, RequestId) = default;
  Hash128 renamed(Hash128 h, const Renaming& r) const {
    return absorb(h, renamed_request(name(), r).bits());
  }
  FIELDS(client, number, type)
};

template <class T>
struct Stored {
  T value;
  bool torn;
};

// A node's disk: numbered files, each a sequence of records. What was not synced may be lost in a
// crash, oldest kept first. An operation with a tag calls on_disk when it completes, later.
class DiskHandle {
 public:
  explicit DiskHandle(Host& host) : host_(&host) {}

  // The file becomes this one record.
  template <class T>
  void write(int file, T record, int tag = kNoTag) {
    host_->disk(DiskOp::write, file, &type_info<T>(), &record, 0, tag);
  }
  template <class T>
  void append(int file, T record, int tag = kNoTag) {
    host_->disk(DiskOp::append, file, &type_info<T>(), &record, 0, tag);
  }
  // Keeps the first `length` records.
  void truncate(int file, std::uint32_t length, int tag = kNoTag) {
    host_->disk(DiskOp::truncate, file, nullptr, nullptr, length, tag);
  }
  // Everything before it is durable once it has completed.
  void sync(int tag) { host_->disk(DiskOp::sync, 0, nullptr, nullptr, 0, tag); }
  // Everything before it is durable on return: no completion, nothing for a scheduler to delay.
  void sync_now() { host_->disk_sync_now(); }
  // The file becomes this one record, durable on return, whatever else is still queued.
  template <class T>
  void write_now(int file, T record) {
    host_->disk_write_now(file, type_info<T>(), &record);
  }
  // Only tells, later, that it is done: the content is what load() then gives.
  void read(int file, int tag) { host_->disk(DiskOp::read, file, nullptr, nullptr, 0, tag); }

  std::uint32_t length(int file) const { return host_->disk_length(file); }
  // The records as this node sees them now, whether synced or not. A torn one has default content.
  template <class T>
  std::vector<Stored<T>> load(int file) const {
    std::vector<Stored<T>> out;
    const std::uint32_t n = length(file);
    out.reserve(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      const StoredRecord record = host_->disk_record(file, i);
      assert(record.type == &type_info<T>() && "the file holds records of another type");
      out.push_back({record.torn ? T{} : *static_cast<const T*>(record.content), record.torn});
    }
    return out;
  }

 private:
  Host* host_;
};

namespace detail {

// Whether T has a member of that name, of whatever signature: then two of the name are ambiguous.
#define SCHISM_HAS_MEMBER(name)                     \
  struct Named_##name {                             \
    int name;                                       \
  };                                                \
  template <class T>                                \
  struct Both_##name : T, Named_##name {};          \
  template <class T>                                \
  constexpr bool has_##name() {                     \
    if constexpr (std::is_final_v<T>) return false; \
    else return !requires {                         \
        &Both_##name<T>::name;                      \
      };                                            \
  }
SCHISM_HAS_MEMBER(start)
SCHISM_HAS_MEMBER(on_timer)
SCHISM_HAS_MEMBER(on_disk)
SCHISM_HAS_MEMBER(on_request)
#undef SCHISM_HAS_MEMBER

}  // namespace detail

// The same with what only compiles for nodes that hear of completions.
template <class Self>
class NodeDisk : public DiskHandle {
 public:
  using DiskHandle::DiskHandle;

  template <class T>
  void write(int file, T record) {
    detail::say<Self, T>();
    DiskHandle::write(file, std::move(record));
  }
  template <class T>
  void write(int file, T record, int tag) {
    hears();
    detail::say<Self, T>();
    DiskHandle::write(file, std::move(record), tag);
  }
  template <class T>
  void append(int file, T record) {
    detail::say<Self, T>();
    DiskHandle::append(file, std::move(record));
  }
  template <class T>
  void append(int file, T record, int tag) {
    hears();
    detail::say<Self, T>();
    DiskHandle::append(file, std::move(record), tag);
  }
  template <class T>
  void write_now(int file, T record) {
    detail::say<Self, T>();
    DiskHandle::write_now(file, std::move(record));
  }
  void truncate(int file, std::uint32_t length) { DiskHandle::truncate(file, length); }
  void truncate(int file, std::uint32_t length, int tag) {
    hears();
    DiskHandle::truncate(file, length, tag);
  }
  void sync(int tag) {
    hears();
    DiskHandle::sync(tag);
  }
  void read(int file, int tag) {
    hears();
    DiskHandle::read(file, tag);
  }

 private:
  static constexpr void hears() {
    static_assert(detail::has_on_disk<Self>(),
                  "an operation with a tag tells on_disk(Context&, const DiskDone&) when it is "
                  "done, and this node has none");
  }
};

template <class Self>
class NodeContext {
 public:
  explicit NodeContext(Host& host) : self(host.self), host_(&host) {}

  const NodeId self;
  int nodes() const { return host_->nodes; }
  int majority() const { return host_->nodes / 2 + 1; }
  int restarts() const { return host_->restarts; }  // of this node, so far
  decltype(auto) config() const {
    return *static_cast<const typename Self::Config*>(host_->config);
  }

  template <class M>
  void send(NodeId to, M message) {
    static_assert(Self::Messages::template index<M>() >= 0, "not among this system's messages");
    host_->post(to, Self::Messages::template index<M>(), &message);
  }
  // To every node but this one.
  template <class M>
  void broadcast(M message) {
    static_assert(Self::Messages::template index<M>() >= 0, "not among this system's messages");
    host_->post_to_others(Self::Messages::template index<M>(), &message);
  }

  // One timer a (timer, key): setting it again cancels the earlier one. The delay is a time, or
  // between(150_ms, 300_ms).
  template <class Timer>
  void set_timer(Timer timer, Delay delay, int key = 0) {
    static_assert(std::is_same_v<Timer, typename Self::Timers>, "not this node's `Timers`");
    host_->set_timer(static_cast<int>(timer), key, delay.least, delay.most);
  }
  template <class Timer>
  void cancel_timer(Timer timer, int key = 0) {
    static_assert(std::is_same_v<Timer, typename Self::Timers>, "not this node's `Timers`");
    host_->cancel_timer(static_cast<int>(timer), key);
  }

  Micros now() { return host_->now(); }
  std::uint64_t random() { return host_->draw(); }
  // Of at most 16 outcomes all are tried where all schedules are (`check`).
  std::uint64_t random_below(std::uint64_t n) { return host_->draw_below(n); }
  std::int64_t random_between(std::int64_t low, std::int64_t high) {
    return low +
           static_cast<std::int64_t>(random_below(static_cast<std::uint64_t>(high - low) + 1));
  }
  // One of 0 … n-1, for the scheduler to pick: an abstract service's outcome.
  std::uint32_t choose(std::uint32_t n) { return host_->choose(n); }

  NodeDisk<Self> disk() { return NodeDisk<Self>(*host_); }

  // In handlers that are coroutines, of nodes that are Waits.
  Pause sleep(Delay delay) {
    return Pause(*host_, waits(), sleep_timer(), delay.least, delay.most);
  }
  template <class R>
  auto call(NodeId to, R content) {
    return calling<R, false>(to, std::move(content), -1);
  }
  // Empty where it did not return in time.
  template <class R>
  auto call(NodeId to, R content, Micros timeout) {
    return calling<R, true>(to, std::move(content), timeout);
  }

  // An item that this node vouches for; and whether an item is what its signer vouched for.
  template <class T>
  Signed<T> sign(T value) {
    return signed_by(self, std::move(value));
  }
  template <class T>
  bool verified(const Signed<T>& item) const {
    return item.signer < host_->nodes && item.valid();
  }

  // An internal event with fields, for oracles, scenarios and readers of the trace.
  template <class A>
  void announce(const A& announcement) {
    detail::say<Self, A>();
    constexpr EventMask wanted = mask_of(Happened::announced) | announcements_of<A>();
    if (host_->listening & wanted) host_->announce(type_info<A>(), &announcement);
  }
  // To the client that made it: at this node, or anywhere where the system answers_anywhere().
  template <class A>
  void answer(RequestId request, const A& response) {
    detail::say<Self, A>();
    host_->answer(request.name(), type_info<A>(), &response);
  }
  // The protocol's own assertion: the run is a violation.
  void fail(std::string message) { host_->fail(std::move(message)); }
  void require(bool condition, const char* message) {
    if (!condition) host_->fail(message);
  }

  // The timer behind sleep and call: the one after the node's own.
  static constexpr int sleep_timer() {
    return static_cast<int>(enum_count<typename Self::Timers>());
  }
  void wait_in(Waits& waits) { waits_ = &waits; }

 private:
  Waits& waits() {
    static_assert(std::is_base_of_v<Waits, Self>,
                  "a node whose handlers wait is declared so: struct N : Node<N, ...>, Waits");
    assert(waits_ && "only a handler that is a coroutine can wait");
    return *waits_;
  }
  template <class R, bool kTimed>
  Calling<R, kTimed> calling(NodeId to, R content, Micros timeout) {
    constexpr int type = Self::Messages::template index<Call<R>>();
    static_assert(type >= 0, "declare the call among the node's messages: Node<N, Rpc<R>, ...>");
    return {*host_, waits(), sleep_timer(), type, to, std::move(content), timeout};
  }

  Host* host_;
  Waits* waits_ = nullptr;
};

template <class Self, class... M>
class Node {
 public:
  using Context = NodeContext<Self>;
  using Messages = detail::FlatTypes<M...>;
  using NodeId = schism::NodeId;
  using RequestId = schism::RequestId;
  using DiskDone = schism::DiskDone;
  using Config = NoConfig;
  using Timers = NoTimers;
  using Requests = Types<>;
};

// The same with a list, for systems in which several classes share their messages.
template <class Self, class... M>
class Node<Self, Types<M...>> : public Node<Self, M...> {};

namespace detail {

// A handler that is a coroutine refers to its context and message: they live as long as it does.
template <class T, class Handler, class... Args>
Task<> hosted(T* node, Host& host, Handler handler, Args... args) {
  typename T::Context context(host);
  context.wait_in(*node);
  co_await handler(*node, context, args...);
}

// Calls a handler, whether it waits or not.
template <class T, class Handler, class... Args>
void handle(T* node, Host& host, Handler handler, const Args&... args) {
  using Context = typename T::Context;
  using Result = decltype(handler(*node, std::declval<Context&>(), args...));
  if constexpr (is_task<Result>) {
    static_assert(std::is_base_of_v<Waits, T>,
                  "a node whose handlers wait is declared so: struct N : Node<N, ...>, Waits");
    node->spawn(hosted(node, host, handler, args...));
  } else {
    Context context(host);
    handler(*node, context, args...);
  }
}

template <class T>
constexpr int sleep_timer() {
  return T::Context::sleep_timer();
}

// Whether a timer was that of a handler that waits.
template <class T>
bool woken(void* node, int timer, int key) {
  if constexpr (std::is_base_of_v<Waits, T>) {
    if (timer != sleep_timer<T>()) return false;
    static_cast<T*>(node)->wake(key);
    return true;
  }
  return false;
}

template <class T>
struct OnMessage {
  template <class M>
  auto operator()(T& node, typename T::Context& c, NodeId from, const M& message) const {
    return node.on(c, from, message);
  }
  template <class R>
  auto operator()(T& node, typename T::Context& c, NodeId from, const Call<R>& call) const {
    if constexpr (is_task<decltype(node.on_call(c, from, call.content))>) {
      return answer_later(node, c, from, call);
    } else {
      c.send(from, Returned<R>{call.number, node.on_call(c, from, call.content)});
    }
  }
  template <class R>
  static Task<> answer_later(T& node, typename T::Context& c, NodeId from, const Call<R>& call) {
    c.send(from, Returned<R>{call.number, co_await node.on_call(c, from, call.content)});
  }
};

template <class T, class List>
struct Handlers;

template <class T, class... M>
struct Handlers<T, Types<M...>> {
  template <class One>
  static void deliver(void* node, Host& host, NodeId from, const void* message) {
    receive(static_cast<T*>(node), host, from, *static_cast<const One*>(message));
  }
  template <class One>
  static void receive(T* node, Host& host, NodeId from, const One& message) {
    handle(node, host, OnMessage<T>{}, from, message);
  }
  template <class R>
  static void receive(T* node, Host& host, NodeId, const Returned<R>& message) {
    static_assert(std::is_base_of_v<Waits, T>, "a node that calls waits: N : Node<N, ...>, Waits");
    node->returned(host, sleep_timer<T>(), message.number, message.content);
  }
  template <class One>
  static void invoke(void* node, Host& host, Name request, const void* content) {
    handle(
        static_cast<T*>(node), host,
        [](T& n, typename T::Context& c, RequestId id, const One& one) {
          return n.on_request(c, id, one);
        },
        RequestId(request), *static_cast<const One*>(content));
  }
  // One more entry than there are types: an array of none is not C++.
  static constexpr const TypeInfo* types[] = {&type_info_of<M>..., nullptr};
  static constexpr NodeClass::Deliver on_message[] = {&deliver<M>..., nullptr};
};

template <class T, class List>
struct RequestHandlers;

template <class T, class... R>
struct RequestHandlers<T, Types<R...>> {
  static constexpr const TypeInfo* types[] = {&type_info_of<R>..., nullptr};
  static constexpr NodeClass::Invoke on_request[] = {
      &Handlers<T, typename T::Messages>::template invoke<R>..., nullptr};
};

}  // namespace detail

namespace detail {

// As far as a compiler can tell: for nodes without constructors, private or virtual members.
template <class T>
constexpr bool names_all_members() {
  std::size_t named = count_words(T::schism_field_names());
  if constexpr (requires { T::schism_hidden_names(); }) {
    named += count_words(T::schism_hidden_names());
    using Visit = decltype([](const auto&...) {});
    static_assert(requires(const T& t) { t.schism_visit_hidden(Visit{}); });
  }
  if constexpr (std::is_aggregate_v<T>) return named + base_count<T>() >= member_count<T>();
  else return true;
}

}  // namespace detail

template <class T>
NodeClass node_class() {
  using Messages = detail::Handlers<T, typename T::Messages>;
  using Requests = detail::RequestHandlers<T, typename T::Requests>;
  using Context = typename T::Context;
  using Timers = typename T::Timers;
  static_assert(HasFields<T>, "declare the node's observable state: FIELDS(first, second)");
  static_assert(std::is_default_constructible_v<T>, "a node is built by its default constructor");
  static_assert(detail::names_all_members<T>(),
                "a member of this node is neither in FIELDS(...) nor in NOT_STATE(...): what "
                "decides must be a field, or equal fields would not promise equal futures");
  NodeClass c;
  c.state = &type_info<T>();
  c.messages = Messages::types;
  c.on_message = Messages::on_message;
  c.message_count = T::Messages::count;
  c.requests = Requests::types;
  c.on_request = Requests::on_request;
  c.request_count = T::Requests::count;
  c.timer_words = schism_enum_words(Timers{});
  if constexpr (std::is_base_of_v<Waits, T>) {
    static const std::string words =
        std::string(c.timer_words) + (c.timer_words.empty() ? "sleep" : ", sleep");
    c.timer_words = words;
    c.waits = true;
  }
  if constexpr (requires(T & t, Context & x) { t.start(x); })
    c.start = [](void* node, Host& host) {
      detail::handle(static_cast<T*>(node), host, [](T& n, Context& x) { return n.start(x); });
    };
  else
    static_assert(!detail::has_start<T>(), "start is called as start(Context&): not like this one");
  if constexpr (requires(T & t, Context & x, Timers timer) { t.on_timer(x, timer, 0); })
    c.on_timer = [](void* node, Host& host, int timer, int key) {
      if (detail::woken<T>(node, timer, key)) return;
      detail::handle(
          static_cast<T*>(node), host,
          [](T& n, Context& x, Timers t, int k) { return n.on_timer(x, t, k); },
          static_cast<Timers>(timer), key);
    };
  else if constexpr (requires(T & t, Context & x, Timers timer) { t.on_timer(x, timer); })
    c.on_timer = [](void* node, Host& host, int timer, int key) {
      if (detail::woken<T>(node, timer, key)) return;
      detail::handle(
          static_cast<T*>(node), host, [](T& n, Context& x, Timers t) { return n.on_timer(x, t); },
          static_cast<Timers>(timer));
    };
  else if constexpr (std::is_base_of_v<Waits, T> && !detail::has_on_timer<T>())
    c.on_timer = [](void* node, Host&, int timer, int key) { detail::woken<T>(node, timer, key); };
  else
    static_assert(
        std::is_same_v<Timers, NoTimers> && !detail::has_on_timer<T>(),
        "on_timer is called as on_timer(Context&, Timers) or (Context&, Timers, int key), "
        "where `using Timers = ...` names an enumeration");
  if constexpr (requires(T & t, Context & x, const DiskDone& done) { t.on_disk(x, done); })
    c.on_disk = [](void* node, Host& host, const DiskDone& done) {
      detail::handle(
          static_cast<T*>(node), host,
          [](T& n, Context& x, const DiskDone& d) { return n.on_disk(x, d); }, done);
    };
  else
    static_assert(!detail::has_on_disk<T>(),
                  "on_disk is called as on_disk(Context&, const DiskDone&): not like this one");
  static_assert(T::Requests::count > 0 || !detail::has_on_request<T>(),
                "on_request without `using Requests = Types<...>` is never called");
  return c;
}

}  // namespace schism
