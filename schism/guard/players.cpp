#include "schism/guard/players.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "schism/guard/child.hpp"
#include "schism/guard/last_words.hpp"
#include "schism/guard/said.hpp"
#include "schism/guard/vigil.hpp"
#include "schism/guard/zygote.hpp"

namespace schism::guard {
namespace {

constexpr std::size_t kOrderMax = std::size_t{64} << 20;
constexpr auto kLookEvery = std::chrono::milliseconds(100);

// One byte each way.
constexpr char kCarryOut = 'o', kEmptied = 'e';        // to a player
constexpr char kDone = 'd', kFull = 'f', kLook = 'l';  // from it

constexpr int kChannelGone =
    113;  // a player's exit status: the system has closed what is not its own

// What director and player share beside the black box.
struct Desk {
  std::atomic<bool> over = false;
  std::uint64_t order_size = 0;
  Stream stream;
  char order[kOrderMax];  // last: pages that are not used cost nothing
};

bool send_byte(int channel, char byte) {
  ssize_t n = 0;
  do n = ::send(channel, &byte, 1, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n == 1;
}

// Nothing: there is none, or nobody to send one.
std::optional<char> receive_byte(int channel, int flags) {
  char byte = 0;
  ssize_t n = 0;
  do n = ::recv(channel, &byte, 1, flags);
  while (n < 0 && errno == EINTR);
  return n == 1 ? std::optional(byte) : std::nullopt;
}

}  // namespace

// One place: the memory and channels stay when a process at it is replaced.
class Players::Player {
 public:
  Player() : pages_(sizeof(Desk)), desk(new (pages_.data()) Desk) {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) problem = errno;
    own_end = ends[0];
    its_end = ends[1];
  }
  ~Player() {
    if (own_end >= 0) ::close(own_end);
    if (its_end >= 0) ::close(its_end);
  }
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  // What is left in the channels is for, or from, the process before.
  void drain() const {
    while (receive_byte(own_end, MSG_DONTWAIT)) continue;
    while (receive_byte(its_end, MSG_DONTWAIT)) continue;
  }

  SharedPages pages_;
  Desk* desk;
  BlackBox box;
  Said said;
  int own_end = -1, its_end = -1, problem = 0;

  pid_t pid = -1;         // of the process; -1: none
  bool starting = false;  // it was asked for
  bool ending = false;    // it was killed: whatever it says is not wanted any more
  bool busy = false;
  bool spoiled = false;  // it wrote where it should not, and was killed for it
  Manner manner;
  Inflow inflow;
  std::uint64_t emptied = 0;  // how often the stream was
  Vigil vigil;
  std::optional<Vigil::Reason> killed_for;
};

Players::Players(const Options& options, Work work) : options_(options), work_(std::move(work)) {}

Players::~Players() {
  zygote_.reset();  // all of them end
}

Result<std::unique_ptr<Players>> Players::start(const Options& options, Work work) {
  std::unique_ptr<Players> out(new Players(options, std::move(work)));
  if (options.in_process) return out;
  try {
    for (int i = 0; i < options.count; ++i) out->players_.push_back(std::make_unique<Player>());
  } catch (const std::bad_alloc&) {
    return error("no memory to share with {} processes", options.count);
  }
  for (const auto& player : out->players_)
    if (player->problem != 0)
      return error("no channel to a process could be made: {}", std::strerror(player->problem));
  if (has_threads()) return error("a process with threads cannot start players");
  out->zygote_ = std::make_unique<Zygote>(options.count, [&](int i) { out->serve(i); });
  if (auto started = out->zygote_->started(); !started) return tl::unexpected(started.error());
  return out;
}

// In a player.
void Players::serve(int index) {
  Player& own = *players_[static_cast<std::size_t>(index)];
  for (const auto& player : players_) {
    ::close(player->own_end);
    if (player.get() != &own) ::close(player->its_end);
  }
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  own.said.redirect();
  own.box.record();
  prepare_to_die(own.box, options_.hang);
  const auto ask = [&](char what) {
    return send_byte(own.its_end, what) && receive_byte(own.its_end, 0) == kEmptied;
  };
  Outbox out(
      own.desk->stream, [&] { return ask(kFull); }, [&] { return ask(kLook); });
  while (receive_byte(own.its_end, 0) == kCarryOut) {
    const std::string order(own.desk->order,
                            std::min<std::size_t>(own.desk->order_size, kOrderMax));
    work_(order, out, own.desk->over);
    if (!send_byte(own.its_end, kDone)) ::_exit(kChannelGone);
  }
}

std::optional<int> Players::idle(int among) const {
  if (options_.in_process) return local_.empty() ? std::optional(0) : std::nullopt;
  for (int i = 0; i < among; ++i) {
    if (free(i)) return i;
  }
  return std::nullopt;
}

bool Players::free(int index) const {
  if (options_.in_process) return local_.empty();
  const Player& player = *players_[static_cast<std::size_t>(index)];
  return !player.busy && !player.ending;
}

bool Players::any_busy() const {
  return !local_.empty() || std::any_of(players_.begin(), players_.end(),
                                        [](const auto& player) { return player->busy; });
}

Status Players::give(int index, std::string order, Manner manner) {
  if (options_.in_process) {
    Outbox out;
    const std::atomic<bool> never = false;
    work_(order, out, never);
    local_.push_back({index, out.take(), {}, false});
    return {};
  }
  if (order.size() > kOrderMax) return error("an order has {} bytes: too many", order.size());
  Player& player = *players_[static_cast<std::size_t>(index)];
  player.busy = true;
  player.manner = manner;
  player.inflow.clear();
  player.killed_for.reset();
  player.vigil.begin();
  player.box.begin_run(0);
  player.desk->over = false;
  player.desk->stream.used = 0;
  player.desk->order_size = order.size();
  std::memcpy(player.desk->order, order.data(), order.size());
  if (player.ending) return {};  // the next process gets it
  if (player.pid > 0) {
    send_byte(player.own_end, kCarryOut);
  } else if (!player.starting) {
    player.drain();
    player.said.forget();
    player.starting = true;
    zygote_->start(index);
  }
  return {};
}

void Players::give_up(int index) {
  if (!options_.in_process) players_[static_cast<std::size_t>(index)]->desk->over = true;
}

void Players::kill(int index) {
  if (options_.in_process) {
    local_.clear();
    return;
  }
  Player& player = *players_[static_cast<std::size_t>(index)];
  player.busy = false;
  if (player.pid <= 0 && !player.starting) return;
  player.ending = true;
  zygote_->kill(index);
}

Result<std::optional<Report>> Players::wait(int milliseconds) {
  if (!local_.empty()) {
    Report report = std::move(local_.front());
    local_.erase(local_.begin());
    return report;
  }
  if (options_.in_process) return std::nullopt;
  std::vector<pollfd> polls = {{zygote_->channel(), POLLIN, 0}};
  for (const auto& player : players_)
    polls.push_back({player->busy ? player->own_end : -1, POLLIN, 0});
  const bool any = ::poll(polls.data(), polls.size(), milliseconds) > 0;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_look_ > kLookEvery) {
    last_look_ = now;
    look_after();
  }
  if (!any) return std::nullopt;
  for (std::size_t i = 0; i < players_.size(); ++i) {
    if (polls[i + 1].revents == 0) continue;
    if (auto report = listen_to(static_cast<int>(i))) return report;
  }
  if (polls[0].revents == 0) return std::nullopt;
  return take_news();
}

// A byte from a player.
std::optional<Report> Players::listen_to(int index) {
  Player& player = *players_[static_cast<std::size_t>(index)];
  const auto byte = receive_byte(player.own_end, MSG_DONTWAIT);
  if (!byte) return std::nullopt;
  player.inflow.collect(player.desk->stream);
  ++player.emptied;
  if (*byte == kFull) {
    send_byte(player.own_end, kEmptied);
    return std::nullopt;
  }
  if (*byte == kLook && player.inflow.complete()) {
    Report report{index, player.inflow.letters(), {}, true};
    player.inflow.clear();
    send_byte(player.own_end, kEmptied);
    return report;
  }
  if (*byte != kDone || !player.inflow.complete()) {
    // The system has written where it should not. It dies, and the report says so.
    player.killed_for.reset();
    player.spoiled = true;
    zygote_->kill(index);
    return std::nullopt;
  }
  player.busy = false;
  player.said.bound();
  Report report{index, player.inflow.letters(), {}, false};
  if (player.manner.last) kill(index);
  return report;
}

Result<std::optional<Report>> Players::take_news() {
  auto news = zygote_->hear();
  if (!news) return tl::unexpected(news.error());
  if (!*news) return std::nullopt;
  const int index = (*news)->place;
  Player& player = *players_[static_cast<std::size_t>(index)];
  switch ((*news)->what) {
    case Zygote::News::failure:
      return error("no player process could be started: {}", std::strerror((*news)->number));
    case Zygote::News::process:
      player.pid = (*news)->pid;
      player.starting = false;
      if (player.busy && !player.ending) send_byte(player.own_end, kCarryOut);
      return std::nullopt;
    case Zygote::News::end: break;
  }
  return bury(index, (*news)->pid, (*news)->number);
}

std::optional<Report> Players::bury(int index, pid_t pid, int status) {
  Player& player = *players_[static_cast<std::size_t>(index)];
  const bool wanted = player.busy && !player.ending;
  player.pid = -1;
  // It may have finished before it ended.
  if (wanted && !player.spoiled && !player.killed_for)
    if (auto report = listen_to(index)) {
      player.ending = false;
      return report;
    }
  const bool spoiled = std::exchange(player.spoiled, false);
  player.ending = false;
  if (!wanted) {
    if (player.busy) {  // an order came while the process before was ending
      player.drain();
      player.said.forget();
      player.desk->stream.used = 0;
      player.box.begin_run(0);
      player.starting = true;
      zygote_->start(index);
    }
    return std::nullopt;
  }
  player.busy = false;
  player.inflow.collect(player.desk->stream);
  Report report{index, player.inflow.letters(), Fallen{}, false};
  Fallen& fallen = *report.fallen;
  const bool mute = WIFEXITED(status) && WEXITSTATUS(status) == kChannelGone;
  fallen.death = death_of(player.box, status, player.killed_for, player.said.last_line(pid));
  if (mute) fallen.death.how = "closed descriptors that are not its own";
  fallen.run = player.box.at().run;
  fallen.lost = spoiled || mute || !player.inflow.intact() || !player.box.intact();
  fallen.outside = !player.killed_for && !spoiled && WIFSIGNALED(status) &&
                   (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM);
  const auto decisions = player.box.decisions();
  if (!fallen.lost) fallen.decisions.assign(decisions.begin(), decisions.end());
  player.drain();
  return report;
}

void Players::look_after() {
  for (std::size_t i = 0; i < players_.size(); ++i) {
    Player& player = *players_[i];
    if (!player.busy || player.pid <= 0 || player.ending || player.killed_for) continue;
    player.said.bound();
    const std::uint64_t marks = player.emptied * (Stream::kRoom + 1) + player.desk->stream.used;
    const auto reason = player.vigil.look(player.box, player.pid, marks, options_.hang,
                                          player.manner.stepping, options_.memory);
    if (!reason) continue;
    player.killed_for = reason;
    zygote_->kill(static_cast<int>(i));
  }
}

}  // namespace schism::guard
