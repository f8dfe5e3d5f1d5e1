// Recursive operators of a specification may be deep, and they recur on the stack of the thread
// that evaluates them: work that evaluates runs on threads with large ones.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace schism::tla {

void on_big_stack(const std::function<void()>& work);

// A thread with a large stack; the destructor waits for it.
class BigThread {
 public:
  explicit BigThread(std::function<void()> work);
  ~BigThread();
  BigThread(const BigThread&) = delete;
  BigThread& operator=(const BigThread&) = delete;

 private:
  struct Running;
  std::unique_ptr<Running> running_;
};

// Threads that do the same work together, again and again; the caller is number 0.
class Crew {
 public:
  explicit Crew(unsigned members);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  unsigned members() const { return static_cast<unsigned>(others_.size()) + 1; }
  // Calls work(number) on every member and returns when all are done. The exception of the lowest
  // number is thrown again here.
  void run(const std::function<void(unsigned)>& work);

 private:
  void serve(unsigned number);
  void attempt(unsigned number);

  std::mutex lock_;
  std::condition_variable begin_, done_;
  std::uint64_t round_ = 0;
  std::size_t busy_ = 0;
  bool over_ = false;
  const std::function<void(unsigned)>* work_ = nullptr;
  std::vector<std::exception_ptr> thrown_;
  std::vector<std::unique_ptr<BigThread>> others_;
};

}  // namespace schism::tla
