#include "schism/campaign/workers.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "schism/guard/child.hpp"
#include "schism/guard/last_words.hpp"

namespace schism {
namespace {

static_assert(std::is_trivially_copyable_v<RunPlan> && std::is_trivially_copyable_v<RunSummary>,
              "they cross between processes of one program as bytes");

// What parent and worker share.
struct Desk {
  std::size_t given = 0, done = 0;
  RunPlan plans[kChunkMax];
  RunSummary summaries[kChunkMax];
};

class SharedDesk {
 public:
  SharedDesk() {
    void* memory =
        ::mmap(nullptr, sizeof(Desk), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    desk_ = new (memory) Desk;
  }
  ~SharedDesk() { ::munmap(desk_, sizeof(Desk)); }
  SharedDesk(const SharedDesk&) = delete;
  SharedDesk& operator=(const SharedDesk&) = delete;
  Desk* operator->() const { return desk_; }

 private:
  Desk* desk_;
};

}  // namespace

class Workers::Worker {
 public:
  Worker(const RunConfig& config, bool guarded) : config_(config) {
    if (guarded) box_ = std::make_unique<guard::BlackBox>();
    else start();
  }

  bool busy() const { return busy_; }
  int channel() const { return child_->channel(); }

  void take(const Chunk& chunk) {
    first_ = chunk.first;
    desk_->given = chunk.plans.size();
    desk_->done = 0;
    std::copy(chunk.plans.begin(), chunk.plans.end(), desk_->plans);
    if (!child_) start();
    busy_ = true;
    sleepiness_ = {};
    if (child_->started()) guard::tell(child_->channel());  // one that died is noticed by wait()
  }

  // It has told something, or is gone.
  Result<ChunkResult> collect() {
    busy_ = false;
    ChunkResult result{first_, desk_->given, {}, {}};
    const bool finished = child_->started() && guard::hear(child_->channel());
    result.summaries.assign(desk_->summaries, desk_->summaries + desk_->done);
    if (finished && !box_) return result;
    if (!child_->started())
      return error("no worker process could be started: {}", std::strerror(errno));
    const int status = child_->wait();
    if (!finished && box_) {
      const auto decisions = box_->decisions();
      result.casualty = Casualty{guard::death_of(*box_, status, asleep_, child_->said()),
                                 {decisions.begin(), decisions.end()}};
    }
    child_.reset();
    asleep_ = false;
    if (finished || box_) return result;
    return error(
        "a worker process died ({}) in the runs from number {} on; with --world "
        "forked=true that is a find",
        WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it exited", first_);
  }

  // A handler that sleeps does not notice itself.
  void look_after() {
    if (!box_ || !busy_) return;
    if (!sleepiness_.look(*box_, *child_, config_.setup.options.hang)) return;
    asleep_ = true;
    child_->kill();
  }

 private:
  void start() {
    child_ = std::make_unique<guard::Child>([this](int channel) { work(channel); });
  }
  void work(int channel) {
    ::signal(SIGINT, SIG_IGN);  // the parent decides when to stop
    if (box_) {
      box_->record();
      guard::prepare_to_die(*box_, config_.setup.options.hang);
    }
    Runner runner(config_.setup, config_.limits);
    const auto scheduler = make_scheduler(config_);
    do {
      if (!guard::hear(channel)) return;
      for (std::size_t i = 0; i < desk_->given; ++i) {
        if (box_) box_->begin_run(i);
        desk_->summaries[i] = runner.run(*scheduler, desk_->plans[i]);
        desk_->done = i + 1;
      }
    } while (guard::tell(channel) && !box_);
  }

  const RunConfig& config_;
  SharedDesk desk_;
  std::unique_ptr<guard::BlackBox> box_;  // where runs are guarded
  std::unique_ptr<guard::Child> child_;
  std::uint64_t first_ = 0;  // of the chunk that it works on
  bool busy_ = false, asleep_ = false;
  guard::Sleepiness sleepiness_;
};

Workers::Workers(const RunConfig& config, int jobs)
    : config_(config), guarded_(is_guarded(config.setup)) {
  for (int i = 0; i < jobs; ++i) workers_.push_back(std::make_unique<Worker>(config_, guarded_));
}

Workers::~Workers() = default;

bool Workers::any_idle() const {
  return std::any_of(workers_.begin(), workers_.end(), [](const auto& w) { return !w->busy(); });
}

bool Workers::any_busy() const {
  return std::any_of(workers_.begin(), workers_.end(), [](const auto& w) { return w->busy(); });
}

void Workers::give(const Chunk& chunk) {
  const auto idle =
      std::find_if(workers_.begin(), workers_.end(), [](const auto& w) { return !w->busy(); });
  if (idle != workers_.end()) (*idle)->take(chunk);
}

Result<std::optional<ChunkResult>> Workers::wait(int milliseconds) {
  std::vector<pollfd> polls;
  for (const auto& worker : workers_)
    if (worker->busy()) polls.push_back({worker->channel(), POLLIN, 0});
  const int ready = ::poll(polls.data(), polls.size(), milliseconds);
  for (const auto& worker : workers_) worker->look_after();
  if (ready <= 0) return std::nullopt;
  for (const auto& worker : workers_) {
    const bool told = worker->busy() && std::any_of(polls.begin(), polls.end(), [&](const auto& p) {
                        return p.fd == worker->channel() && p.revents != 0;
                      });
    if (!told) continue;
    auto result = worker->collect();
    if (!result) return tl::unexpected(result.error());
    return *std::move(result);
  }
  return std::nullopt;
}

Result<ChunkResult> play_batch(const RunConfig& config, const std::vector<RunPlan>& plans) {
  Workers workers(config, 1);
  workers.give({0, plans});
  for (;;) {
    auto result = workers.wait(1000);
    if (!result) return tl::unexpected(result.error());
    if (*result) return **std::move(result);
  }
}

}  // namespace schism
