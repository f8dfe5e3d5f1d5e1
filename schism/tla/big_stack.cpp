#include "schism/tla/big_stack.hpp"

#include <pthread.h>

#include <exception>

namespace schism::tla {
namespace {

constexpr std::size_t kStack = std::size_t{1} << 28;  // only what is used costs memory

struct Job {
  const std::function<void()>* work;
  std::exception_ptr thrown;
};

void* run(void* p) {
  auto* job = static_cast<Job*>(p);
  try {
    (*job->work)();
  } catch (...) {
    job->thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void on_big_stack(const std::function<void()>& work) {
  Job job{&work, nullptr};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread{};
  const bool made = pthread_attr_setstacksize(&attributes, kStack) == 0 &&
                    pthread_create(&thread, &attributes, run, &job) == 0;
  pthread_attr_destroy(&attributes);
  if (!made) return work();
  pthread_join(thread, nullptr);
  if (job.thrown) std::rethrow_exception(job.thrown);
}

}  // namespace schism::tla
