#include "schism/tla/big_stack.hpp"

#include <pthread.h>

#include <thread>
#include <utility>

namespace schism::tla {
namespace {

// Room for a recursion of some 100,000 levels; only what is used costs memory. Sanitizers have
// larger frames.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kStack = std::size_t{1} << 28;
#else
constexpr std::size_t kStack = std::size_t{1} << 26;
#endif

void* run(void* p) {
  (*static_cast<const std::function<void()>*>(p))();
  return nullptr;
}

bool start(pthread_t& thread, const std::function<void()>& work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  const bool made =
      pthread_attr_setstacksize(&attributes, kStack) == 0 &&
      pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&work)) == 0;
  pthread_attr_destroy(&attributes);
  return made;
}

}  // namespace

void on_big_stack(const std::function<void()>& work) {
  std::exception_ptr thrown;
  const std::function<void()> guarded = [&] {
    try {
      work();
    } catch (...) {
      thrown = std::current_exception();
    }
  };
  pthread_t thread{};
  if (!start(thread, guarded)) return work();
  pthread_join(thread, nullptr);
  if (thrown) std::rethrow_exception(thrown);
}

struct BigThread::Running {
  std::function<void()> work;
  pthread_t big{};
  std::thread plain;  // where the system does not give a large stack
};

BigThread::BigThread(std::function<void()> work) : running_(new Running{std::move(work), {}, {}}) {
  if (!start(running_->big, running_->work)) running_->plain = std::thread(running_->work);
}

BigThread::~BigThread() {
  if (running_->plain.joinable()) running_->plain.join();
  else pthread_join(running_->big, nullptr);
}

Crew::Crew(unsigned members) {
  thrown_.resize(members);
  for (unsigned i = 1; i < members; ++i)
    others_.push_back(std::make_unique<BigThread>([this, i] { serve(i); }));
}

Crew::~Crew() {
  {
    const std::lock_guard guard(lock_);
    over_ = true;
  }
  begin_.notify_all();
  others_.clear();
}

void Crew::attempt(unsigned number) {
  try {
    (*work_)(number);
  } catch (...) {
    thrown_[number] = std::current_exception();
  }
}

void Crew::serve(unsigned number) {
  std::uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock guard(lock_);
      begin_.wait(guard, [&] { return over_ || round_ != seen; });
      if (over_) return;
      seen = round_;
    }
    attempt(number);
    const std::lock_guard guard(lock_);
    if (--busy_ == 0) done_.notify_one();
  }
}

void Crew::run(const std::function<void(unsigned)>& work) {
  {
    const std::lock_guard guard(lock_);
    work_ = &work;
    busy_ = others_.size();
    ++round_;
  }
  begin_.notify_all();
  attempt(0);
  {
    std::unique_lock guard(lock_);
    done_.wait(guard, [&] { return busy_ == 0; });
  }
  for (std::exception_ptr& e : thrown_)
    if (e) std::rethrow_exception(std::exchange(e, nullptr));
}

}  // namespace schism::tla
