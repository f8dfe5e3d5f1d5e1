// Processes that turn questions into answers, both texts. Processes, because systems under test may
// have globals; forked before anything starts a thread. One ends when its socket does, so that it
// never outlives a parent that was killed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schism/base/result.hpp"

namespace schism::check {

class Pool {
 public:
  using Work = std::function<std::string(std::string_view)>;
  Pool(int jobs, const Work& work);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // All answers, in the order of the questions, whoever gave them. Asked now and then: true, and it
  // is given up; the answers are then not complete. A process that died is an error.
  Result<std::vector<std::string>> ask(const std::vector<std::string>& questions,
                                       const std::function<bool()>& stop);

 private:
  struct Worker;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace schism::check
