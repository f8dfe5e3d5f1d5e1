#include "schism/check/pool.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "schism/check/letters.hpp"
#include "schism/guard/child.hpp"
#include "schism/guard/last_words.hpp"

namespace schism::check {
namespace {

constexpr int kWaitMs = 100;

void serve(int socket, const Pool::Work& work) {
  std::string question;
  while (receive_letter(socket, question))
    if (!send_letter(socket, work(question))) break;
}

}  // namespace

struct Pool::Worker {
  Worker(Micros hang, const Work& work)
      : child([&](int channel) {
          box.record();
          guard::prepare_to_die(box, hang);
          serve(channel, work);
        }) {}

  guard::BlackBox box;
  guard::Child child;
  guard::Sleepiness sleepiness;
  std::size_t question = 0;
  bool busy = false;
};

Pool::Pool(int jobs, Micros hang, Work work, Obituary obituary)
    : work_(std::move(work)), obituary_(std::move(obituary)), hang_(hang) {
  for (int i = 0; i < jobs; ++i) hire();
}

void Pool::hire() {
  auto worker = std::make_unique<Worker>(hang_, work_);
  if (worker->child.started()) workers_.push_back(std::move(worker));
}

Pool::~Pool() = default;  // an answer that is still awaited is not wanted any more

void Pool::bury(std::size_t index, bool asleep, std::string& answer) {
  Worker& worker = *workers_[index];
  if (asleep) worker.child.kill();
  const int status = worker.child.wait();
  const auto decisions = worker.box.decisions();
  answer = obituary_({guard::death_of(worker.box, status, asleep, worker.child.said()),
                      {decisions.begin(), decisions.end()}});
  workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(index));
  hire();
}

Result<std::vector<std::string>> Pool::ask(const std::vector<std::string>& questions,
                                           const std::function<bool()>& stop) {
  std::vector<std::string> answers(questions.size());
  std::size_t given = 0, done = 0;
  while (done < questions.size()) {
    if (workers_.empty())
      return error("no worker process could be started: {}", std::strerror(errno));
    std::vector<pollfd> polls;
    for (const auto& worker : workers_) {
      if (!worker->busy && given < questions.size()) {
        worker->busy = true;
        worker->question = given;
        // One that died is noticed when its answer is awaited.
        static_cast<void>(send_letter(worker->child.channel(), questions[given++]));
      }
      polls.push_back({worker->busy ? worker->child.channel() : -1, POLLIN, 0});
    }
    if (stop && stop()) return answers;
    ::poll(polls.data(), polls.size(), kWaitMs);
    for (std::size_t i = workers_.size(); i-- > 0;) {
      Worker& worker = *workers_[i];
      if (!worker.busy) continue;
      const bool asleep = polls[i].revents == 0;
      if (asleep && !worker.sleepiness.look(worker.box, worker.child, hang_)) continue;
      std::string& answer = answers[worker.question];
      if (asleep || !receive_letter(worker.child.channel(), answer)) bury(i, asleep, answer);
      else worker.busy = false;
      ++done;
    }
  }
  return answers;
}

}  // namespace schism::check
