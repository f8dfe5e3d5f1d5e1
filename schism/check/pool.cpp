#include "schism/check/pool.hpp"

namespace schism::check {
namespace {

constexpr int kWaitMs = 100;

}  // namespace

Pool::Pool(int jobs, Micros hang, Work work, Obituary obituary)
    : obituary_(std::move(obituary)),
      players_(guard::Players::start(
          {.count = jobs, .hang = hang, .memory = 0},
          [work = std::move(work)](std::string_view question, guard::Outbox& out,
                                   const std::atomic<bool>&) { out.put(work(question)); })) {}

Result<std::vector<std::string>> Pool::ask(const std::vector<std::string>& questions,
                                           const std::function<bool()>& stop) {
  if (!players_) return tl::unexpected(players_.error());
  guard::Players& players = **players_;
  std::vector<std::string> answers(questions.size());
  std::vector<std::size_t> asked(static_cast<std::size_t>(players.count()));
  std::size_t given = 0, done = 0;
  while (done < questions.size()) {
    // A search may think for long between two steps.
    for (auto idle = players.idle(); idle && given < questions.size(); idle = players.idle()) {
      asked[static_cast<std::size_t>(*idle)] = given;
      if (auto s = players.give(*idle, questions[given++], {.stepping = false, .last = false}); !s)
        return tl::unexpected(s.error());
    }
    if (stop && stop()) {
      for (int i = 0; i < players.count(); ++i) players.kill(i);
      return answers;
    }
    auto report = players.wait(kWaitMs);
    if (!report) return tl::unexpected(report.error());
    if (!*report) continue;
    std::string& answer = answers[asked[static_cast<std::size_t>((*report)->player)]];
    if ((*report)->fallen) answer = obituary_(*(*report)->fallen);
    else if ((*report)->letters.size() == 1) answer = std::move((*report)->letters[0]);
    else return error("our own bug: a question without an answer");
    ++done;
  }
  return answers;
}

}  // namespace schism::check
