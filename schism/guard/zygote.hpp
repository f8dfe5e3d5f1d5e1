// A process that forks others, itself forked while its parent is small, so that a fork stays cheap
// however large that grows. It runs none of their code. Whatever it has forked ends with it, what
// those have forked included, and it ends with its parent, however that ends.
//
//   Zygote zygote(4, [](int place) { ... });   // what a process at a place does
//   zygote.start(2);                           // news: started, later ended
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>

#include "schism/base/result.hpp"

namespace schism::guard {

class Zygote {
 public:
  Zygote(int places, const std::function<void(int place)>& body);
  ~Zygote();  // all have ended
  Zygote(const Zygote&) = delete;
  Zygote& operator=(const Zygote&) = delete;

  Status started() const;  // an error: there is none, with the reason

  void start(int place);  // where nobody is
  void kill(int place);

  struct News {
    enum What { process, end, failure } what;
    int place;
    pid_t pid;   // of the process that began or ended
    int number;  // its status as of waitpid; why it could not be forked
  };
  int channel() const { return channel_; }  // readable: there is news
  // Nothing: there is none at present. An error: it is gone.
  Result<std::optional<News>> hear();

 private:
  int channel_ = -1, problem_ = 0;
  pid_t pid_ = -1;
};

}  // namespace schism::guard
