// `worker-pool`: the micro-benchmark of ModelFuzz (Gulcan et al. 2024). A client asks a master, who
// hands a chain of tasks to the first worker and lets a terminator flush it; one order of many
// thousands makes a worker fail.
#include "schism/scenario/vocabulary.hpp"
#include "schism/schism.hpp"

#include <bit>

namespace {
using namespace schism;

struct Begin {  // to oneself: processes begin in any order
  FIELDS()
};
struct Request {
  FIELDS()
};
struct RegisterWorker {
  FIELDS()
};
struct RegisterTerminator {
  FIELDS()
};
struct Execute {
  int task;
  FIELDS(task)
};
struct Terminate {
  FIELDS()
};
struct Flush {
  FIELDS()
};

struct PoolConfig {
  int tasks = 10;
  bool unchecked_flush = false;
};

constexpr NodeId kClient = 0, kMaster = 1, kTerminator = 2, kFirstWorker = 3;

// Everybody is of one class: who it is follows from its number.
struct Member
    : Node<Member, Begin, Request, RegisterWorker, RegisterTerminator, Execute, Terminate, Flush> {
  using Config = PoolConfig;

  std::uint64_t workers = 0;  // of the master: who has registered
  bool terminator = false;
  bool begun = false;
  int left = 0;                // of a worker: tasks
  std::optional<int> flushed;  // with so many left
  FIELDS(workers, terminator, begun, left, flushed)

  void start(Context& c) {
    left = c.config().tasks;
    c.send(c.self, Begin{});
  }
  void on(Context& c, NodeId, const Begin&) {
    if (c.self == kClient) c.send(kMaster, Request{});
    else if (c.self == kTerminator) c.send(kMaster, RegisterTerminator{});
    else if (c.self >= kFirstWorker) c.send(kMaster, RegisterWorker{});
  }
  // Too early, and it is forgotten.
  void on(Context& c, NodeId, const Request&) {
    const bool all = std::popcount(workers) == c.nodes() - kFirstWorker && terminator;
    if (!all || begun) return;
    begun = true;
    c.send(kFirstWorker, Execute{0});
    c.send(kTerminator, Terminate{});
  }
  void on(Context&, NodeId from, const RegisterWorker&) { workers |= std::uint64_t{1} << from; }
  void on(Context&, NodeId, const RegisterTerminator&) { terminator = true; }
  void on(Context& c, NodeId, const Execute& m) {
    if (flushed && !c.config().unchecked_flush) return;
    --left;
    if (left > 0 && !flushed) c.send(c.self, Execute{m.task + 1});
    if (left == 0 && flushed == 1) c.fail("the last task was executed after the chain was flushed");
  }
  void on(Context& c, NodeId, const Terminate&) { c.send(kFirstWorker, Flush{}); }
  void on(Context&, NodeId, const Flush&) {
    if (!flushed) flushed = left;
  }
};

const Registration registered =
    system<Member>("worker-pool", "a master, its workers, and a terminator that flushes them")
        .nodes(8, 4, 60)
        .survives(FaultKinds{})
        .colour<Member>([](const Member& node, Paint& paint) {
          paint.role(node.flushed ? 1 : 0);
          paint.is(node.begun);
          paint.size(static_cast<std::uint64_t>(node.left), 4);
        })
        .param<&PoolConfig::tasks>("tasks", 1, 1000, "in the chain")
        .bug<&PoolConfig::unchecked_flush>(
            "unchecked-flush",
            "a worker does not look whether it was flushed before it executes a task")
        .thread_safe();

const Registration words =
    scenario::vocabulary("worker-pool")
        .word("registers", {}, "sent RegisterWorker", "a worker registers")
        .word("executes", {}, "sent Execute", "a worker is given a task")
        .word("terminates", {}, "sent Terminate", "the master ends the work")
        .word("flushes", {}, "sent Flush", "the terminator flushes a worker");

}  // namespace
