// Handlers that wait inside, as C++20 coroutines. A handler that returns Task may co_await a pause
// or another node's answer; each time it goes on is an event of its own, which schedulers order
// like any other.
//
//   struct Get { int key; using Reply = Got; FIELDS(key) };         // a call and what it returns
//   struct Shop : Node<Shop, Rpc<Get>>, Waits {
//     Got on_call(Context&, NodeId from, const Get& get) { return Got{stock[get.key]}; }
//     Task<> on_request(Context& c, RequestId id, const Buy& buy) {
//       co_await c.sleep(10_ms);
//       const Got got = co_await c.call(1, Get{buy.key});           // for as long as it takes
//       const auto soon = co_await c.call(2, Get{buy.key}, 50_ms);  // empty: not in time
//       ...
// Such nodes cannot be copied, because what waits cannot, and are replayed instead; and what waits
// is in no field, so `check` explores them by dpor, not by states. A crash forgets what waits.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "schism/node/host.hpp"

namespace schism {

template <class T = void>
class [[nodiscard]] Task;

namespace detail {

// A task starts when it is awaited, and goes back to who awaited it when it is done.
struct TaskPromise {
  std::coroutine_handle<> awaited_by;
  std::exception_ptr thrown;

  struct Done {
    bool await_ready() const noexcept { return false; }
    template <class P>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<P> self) const noexcept {
      const std::coroutine_handle<> next = self.promise().awaited_by;
      return next ? next : std::noop_coroutine();
    }
    void await_resume() const noexcept {}
  };
  std::suspend_always initial_suspend() const noexcept { return {}; }
  Done final_suspend() const noexcept { return {}; }
  void unhandled_exception() { thrown = std::current_exception(); }
};

template <class T>
struct ValuePromise : TaskPromise {
  std::optional<T> value;
  template <class U>
  void return_value(U&& u) {
    value.emplace(std::forward<U>(u));
  }
  T result() { return *std::move(value); }
};

template <>
struct ValuePromise<void> : TaskPromise {
  void return_void() const {}
  void result() const {}
};

}  // namespace detail

template <class T>
class [[nodiscard]] Task {
 public:
  struct promise_type : detail::ValuePromise<T> {
    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> by) {
    handle_.promise().awaited_by = by;
    return handle_;
  }
  T await_resume() { return take(); }

  // For whoever drives it from outside.
  std::coroutine_handle<> handle() const { return handle_; }
  bool done() const { return handle_.done(); }
  T take() {
    if (handle_.promise().thrown) std::rethrow_exception(handle_.promise().thrown);
    return handle_.promise().result();
  }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

template <class T>
inline constexpr bool is_task = false;
template <class T>
inline constexpr bool is_task<Task<T>> = true;

// ---- calls -----------------------------------------------------------------------------------

// In a node's list of messages: a call and its return. They show under their own names.
template <class R>
struct Rpc {};

template <class R>
struct Call {
  int number = 0;
  R content{};
  static constexpr std::string_view schism_type_name() { return detail::type_name<R>(); }
  FIELDS(number, content)
};

template <class R>
struct Returned {
  int number = 0;
  typename R::Reply content{};
  static constexpr std::string_view schism_type_name() {
    return detail::type_name<typename R::Reply>();
  }
  FIELDS(number, content)
};

// ---- what a node is in the middle of ---------------------------------------------------------

class Waits {
 public:
  Waits() = default;
  Waits(const Waits&) = delete;
  Waits& operator=(const Waits&) = delete;

  // Runs it until it waits or is done.
  void spawn(Task<> task) {
    tasks_.push_back(std::move(task));
    const std::coroutine_handle<> handle = tasks_.back().handle();
    handle.resume();
    settle();
  }

  // The timer with this key fired.
  void wake(int key) {
    const auto at = static_cast<std::size_t>(key);
    if (at < waiting_.size() && waiting_[at].handle) resume(at);
  }
  // The return of a call; nothing where nobody waits for it any more.
  template <class Reply>
  void returned(Host& host, int timer, int number, const Reply& reply) {
    for (std::size_t at = 0; at < waiting_.size(); ++at) {
      if (!waiting_[at].handle || waiting_[at].call != number) continue;
      *static_cast<std::optional<Reply>*>(waiting_[at].reply) = reply;
      host.cancel_timer(timer, static_cast<int>(at));
      resume(at);
      return;
    }
  }

  // A place to wait in: its number is the key of a timer.
  int wait(std::coroutine_handle<> handle, int call = -1, void* reply = nullptr) {
    std::size_t at = 0;
    while (at < waiting_.size() && waiting_[at].handle) ++at;
    if (at == waiting_.size()) waiting_.emplace_back();
    waiting_[at] = {handle, call, reply};
    return static_cast<int>(at);
  }
  // Numbers do not come again after a restart: an old return must not be taken for a new one.
  int next_call(int restarts) { return restarts * 1'000'000 + calls_++; }

 private:
  struct Waiting {
    std::coroutine_handle<> handle;  // null: free
    int call = -1;                   // -1: it only sleeps
    void* reply = nullptr;
  };

  void resume(std::size_t at) {
    const std::coroutine_handle<> handle = std::exchange(waiting_[at].handle, nullptr);
    handle.resume();
    settle();
  }
  // What is done goes; what it threw, the handler throws that it was resumed in.
  void settle() {
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (!tasks_[i].done()) continue;
      Task<> done = std::move(tasks_[i]);
      tasks_.erase(tasks_.begin() + static_cast<std::ptrdiff_t>(i));
      done.take();
      return;
    }
  }

  std::vector<Task<>> tasks_;
  std::vector<Waiting> waiting_;
  int calls_ = 0;
};

// ---- what a context's functions give to co_await ---------------------------------------------

class Pause {
 public:
  Pause(Host& host, Waits& waits, int timer, Micros least, Micros most)
      : host_(host), waits_(waits), timer_(timer), least_(least), most_(most) {}
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> handle) {
    host_.set_timer(timer_, waits_.wait(handle), least_, most_);
  }
  void await_resume() const {}

 private:
  Host& host_;
  Waits& waits_;
  int timer_;
  Micros least_, most_;
};

// `timeout` below 0: none.
template <class R, bool kTimed>
class Calling {
 public:
  Calling(Host& host, Waits& waits, int timer, int type, NodeId to, R content, Micros timeout)
      : host_(host), waits_(waits), timer_(timer), type_(type), to_(to), timeout_(timeout) {
    message_.content = std::move(content);
  }
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> handle) {
    message_.number = waits_.next_call(host_.restarts);
    const int key = waits_.wait(handle, message_.number, &reply_);
    if (kTimed) host_.set_timer(timer_, key, timeout_, timeout_);
    host_.post(to_, type_, &message_);
  }
  auto await_resume() {
    if constexpr (kTimed) return std::move(reply_);
    else return *std::move(reply_);
  }

 private:
  Host& host_;
  Waits& waits_;
  int timer_, type_;
  NodeId to_;
  Micros timeout_;
  Call<R> message_;
  std::optional<typename R::Reply> reply_;
};

}  // namespace schism
