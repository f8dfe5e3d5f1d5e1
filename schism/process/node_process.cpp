#include "schism/process/node_process.hpp"

#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <memory>
#include <new>

#include "schism/base/random.hpp"
#include "schism/process/wire.hpp"
#include "schism/system/system.hpp"

namespace schism::process {

Micros wall_clock() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return Micros{now.tv_sec} * 1'000'000 + now.tv_nsec / 1000;
}

namespace {

// An object of a type that is known when the program runs.
class Made {
 public:
  explicit Made(const TypeInfo& type)
      : type_(&type), place_(::operator new (type.size, std::align_val_t{type.align})) {
    type.construct(place_);
  }
  Made(Made&& other) noexcept : type_(other.type_), place_(other.place_) { other.place_ = nullptr; }
  Made& operator=(Made&&) = delete;
  ~Made() {
    if (!place_) return;
    if (type_->destroy) type_->destroy(place_);
    ::operator delete (place_, std::align_val_t{type_->align});
  }
  void* get() const { return place_; }
  bool read(const std::string& json) const {
    const auto value = parse_json(json);
    return value && type_->from_value(*value, place_);
  }

 private:
  const TypeInfo* type_;
  void* place_;
};

class NodeProcess final : public Host {
 public:
  NodeProcess(const NodeLife& life, int channel)
      : life_(life),
        type_(life.setup->system->class_of(life.id, *life.setup)),
        wire_(channel),
        node_(*type_.state) {
    self = life.id;
    nodes = life.setup->nodes;
    restarts = life.restarts;
    config = life.setup->config.get();
  }

  void serve() {
    Frame frame;
    while (wire_.hear(frame, -1) == Wire::Heard::frame) {
      begin(frame);
      allow(life_.setup->options.hang);
      try {
        handle(frame);
      } catch (const std::exception& exception) {
        say(Word::fail, {1}, exception.what());
      } catch (...) {
        say(Word::fail, {1}, "an exception that is no std::exception");
      }
      allow(0);
      kept_.clear();
      Frame done;
      done.word = Word::done;
      done.numbers = {drawn_, clock_reads_};
      done.content = to_json(type_.state->to_value(node_.get()));
      if (!wire_.send(done)) return;
    }
  }

 private:
  // So much CPU time, then it is ended by SIGPROF; 0: as much as it takes.
  static void allow(Micros cpu) {
    itimerval timer{};
    timer.it_value = {cpu / 1'000'000, cpu % 1'000'000};
    ::setitimer(ITIMER_PROF, &timer, nullptr);
  }

  void begin(const Frame& frame) {
    listening = static_cast<EventMask>(frame.numbers[0]);
    shift_ = frame.numbers[1];
    trigger_ = static_cast<std::uint64_t>(frame.numbers[2]);
    draws_ = 0;
    drawn_ = clock_reads_ = 0;
  }

  void handle(const Frame& frame) {
    const auto& n = frame.numbers;
    switch (frame.word) {
      case Word::start:
        if (type_.start) type_.start(node_.get(), *this);
        break;
      case Word::deliver: {
        const Made message(*type_.messages[n[4]]);
        if (message.read(frame.content))
          type_.on_message[n[4]](node_.get(), *this, static_cast<NodeId>(n[3]), message.get());
        break;
      }
      case Word::fire:
        type_.on_timer(node_.get(), *this, static_cast<int>(n[3]), static_cast<int>(n[4]));
        break;
      case Word::submit: {
        const Name request(static_cast<std::uint64_t>(n[3]));
        const Made content(*type_.requests[request.type()]);
        if (content.read(frame.content))
          type_.on_request[request.type()](node_.get(), *this, request, content.get());
        break;
      }
      case Word::disk:
        if (type_.on_disk)
          type_.on_disk(node_.get(), *this,
                        {static_cast<DiskOp>(n[3]), static_cast<int>(n[4]), static_cast<int>(n[5]),
                         n[6] != 0});
        break;
      default: break;
    }
  }

  // A world that is gone needs no node.
  void say(Word word, std::array<std::int64_t, 7> numbers, std::string content = {},
           const TypeInfo* type = nullptr) {
    if (!wire_.send({word, numbers, type, std::move(content)})) ::_exit(0);
  }
  Frame ask(Word word, std::array<std::int64_t, 7> numbers) {
    say(word, numbers);
    Frame answer;
    if (wire_.hear(answer, -1) != Wire::Heard::frame) ::_exit(0);
    return answer;
  }
  static std::string text_of(const TypeInfo& type, const void* content) {
    return to_json(type.to_value(content));
  }

  void post(NodeId to, int type, void* message) override {
    say(Word::post, {to, type}, text_of(*type_.messages[type], message));
  }
  void post_to_others(int type, void* message) override {
    say(Word::broadcast, {type}, text_of(*type_.messages[type], message));
  }
  void set_timer(int timer, int key, Micros least, Micros most) override {
    say(Word::set_timer, {timer, key, least, most});
  }
  void cancel_timer(int timer, int key) override { say(Word::cancel, {timer, key}); }
  Micros now() override {
    ++clock_reads_;
    return wall_clock() - life_.began + shift_;
  }
  // As in a simulated world: by the node seed and what triggered the handler.
  std::uint64_t draw() override {
    ++drawn_;
    return keyed(life_.setup->node_seed ^ mix64(static_cast<std::uint64_t>(self)), trigger_,
                 draws_++);
  }
  std::uint64_t draw_below(std::uint64_t n) override {
    if (life_.setup->options.draws == Draws::chosen && n <= kSmallDraw)
      return choose(static_cast<std::uint32_t>(n));
    return scale_below(draw(), n);
  }
  std::uint32_t choose(std::uint32_t n) override {
    return n <= 1 ? 0 : static_cast<std::uint32_t>(ask(Word::choose, {n}).numbers[0]);
  }
  void announce(const TypeInfo& type, const void* content) override {
    say(Word::announce, {}, text_of(type, content), &type);
  }
  void answer(Name request, const TypeInfo& type, const void* content) override {
    say(Word::answer, {static_cast<std::int64_t>(request.bits())}, text_of(type, content), &type);
  }
  void fail(std::string message) override { say(Word::fail, {0}, std::move(message)); }

  void disk(DiskOp op, int file, const TypeInfo* type, void* record, std::uint32_t length,
            int tag) override {
    say(Word::store, {static_cast<int>(op), file, length, tag},
        record ? text_of(*type, record) : std::string(), record ? type : nullptr);
  }
  void disk_sync_now() override { say(Word::sync_now, {}); }
  void disk_write_now(int file, const TypeInfo& type, void* record) override {
    say(Word::write_now, {file}, text_of(type, record), &type);
  }
  std::uint32_t disk_length(int file) override {
    return static_cast<std::uint32_t>(ask(Word::disk_length, {file}).numbers[0]);
  }
  StoredRecord disk_record(int file, std::uint32_t index) override {
    const Frame answer = ask(Word::disk_record, {file, index});
    if (!answer.type) return {};
    kept_.emplace_back(*answer.type);  // until the handler is done with it
    if (!kept_.back().read(answer.content)) return {};
    return {kept_.back().get(), answer.type, answer.numbers[0] != 0};
  }

  const NodeLife& life_;
  const NodeClass& type_;
  Wire wire_;
  Made node_;
  std::vector<Made> kept_;
  Micros shift_ = 0;
  std::uint64_t trigger_ = 0, draws_ = 0;
  std::int64_t drawn_ = 0, clock_reads_ = 0;
};

}  // namespace

void live(const NodeLife& life, int channel) {
  // Who stops the program stops its world first, and the world its nodes: an interrupt that reaches
  // them all would look like a node that died. Other signals are as in a program of its own.
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(number, SIG_IGN);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // Nothing else of the program is its business: the other nodes' channels, files.
  if (channel > 3) ::close_range(3, static_cast<unsigned>(channel) - 1, 0);
  ::close_range(static_cast<unsigned>(channel) + 1, ~0U, 0);
  NodeProcess(life, channel).serve();
  // No destructors: a process that is told to end is gone.
  ::_exit(0);
}

}  // namespace schism::process
