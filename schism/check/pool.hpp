// Processes that turn questions into answers, both texts. Processes, because systems under test may
// have globals, and may die: what a question does in a world is in a black box, so that a death is
// an answer too. Forked before anything starts a thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schism/base/result.hpp"
#include "schism/base/time.hpp"
#include "schism/words/action.hpp"
#include "schism/words/death.hpp"

namespace schism::check {

// What a process left that did not survive its question.
struct Fallen {
  Death death;
  std::vector<Action> decisions;  // of the run that it was in
};

class Pool {
 public:
  using Work = std::function<std::string(std::string_view)>;
  using Obituary = std::function<std::string(const Fallen&)>;
  // `hang`: how long one handler of the system may take. `obituary` answers in place of the dead.
  Pool(int jobs, Micros hang, Work work, Obituary obituary);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // All answers, in the order of the questions, whoever gave them. Asked now and then: true, and it
  // is given up; the answers are then not complete.
  Result<std::vector<std::string>> ask(const std::vector<std::string>& questions,
                                       const std::function<bool()>& stop);

 private:
  struct Worker;
  void hire();
  void bury(std::size_t worker, bool asleep, std::string& answer);

  Work work_;
  Obituary obituary_;
  Micros hang_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace schism::check
