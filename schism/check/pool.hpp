// Questions and answers, both texts, for the players of a check. What a question does in a world is
// in a black box, so that a death is an answer too.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schism/guard/players.hpp"

namespace schism::check {

class Pool {
 public:
  using Work = std::function<std::string(std::string_view)>;
  using Obituary = std::function<std::string(const guard::Fallen&)>;
  // `hang`: how long one handler of the system may take. `obituary` answers in place of the dead.
  Pool(int jobs, Micros hang, Work work, Obituary obituary);

  // All answers, in the order of the questions, whoever gave them. Asked now and then: true, and it
  // is given up; the answers are then not complete.
  Result<std::vector<std::string>> ask(const std::vector<std::string>& questions,
                                       const std::function<bool()>& stop);

 private:
  Obituary obituary_;
  Result<std::unique_ptr<guard::Players>> players_;
};

}  // namespace schism::check
