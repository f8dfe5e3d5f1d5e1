// What a world offers to the nodes that it hosts. Nodes never see it: Context (node.hpp) is its
// pleasant, typed face. A new kind of world (real threads, a proxy) implements this.
#pragma once

#include <cstdint>
#include <string>

#include "schism/base/fields.hpp"
#include "schism/base/time.hpp"
#include "schism/words/event.hpp"
#include "schism/words/name.hpp"

namespace schism {

enum class DiskOp : std::uint8_t { write, append, truncate, sync, read };
inline constexpr std::string_view kDiskOpNames = "write, append, truncate, sync, read";
constexpr std::string_view disk_op_name(DiskOp op) {
  return nth_word(kDiskOpNames, static_cast<std::size_t>(op));
}

inline constexpr int kNoTag = -1;

// A completion, as the node's on_disk handler sees it.
struct DiskDone {
  DiskOp op = DiskOp::sync;
  int file = 0;
  int tag = kNoTag;
  bool ok = true;
};

struct StoredRecord {
  const void* content = nullptr;
  const TypeInfo* type = nullptr;
  bool torn = false;  // the crash came while it was written: its content is not what was written
};

class Host {
 public:
  virtual ~Host() = default;

  // `type` is the number in the system's list of messages. The message may be moved from.
  virtual void post(NodeId to, int type, void* message) = 0;
  virtual void post_to_others(int type, void* message) = 0;
  // A delay in this range, both ends included.
  virtual void set_timer(int timer, int key, Micros least, Micros most) = 0;
  virtual void cancel_timer(int timer, int key) = 0;
  virtual Micros now() = 0;
  virtual std::uint64_t draw() = 0;
  virtual std::uint64_t draw_below(std::uint64_t n) = 0;
  virtual std::uint32_t choose(std::uint32_t n) = 0;
  virtual void announce(const TypeInfo& type, const void* content) = 0;
  virtual void answer(Name request, const TypeInfo& type, const void* content) = 0;
  virtual void fail(std::string message) = 0;
  // `record` may be moved from; null for operations without one.
  virtual void disk(DiskOp op, int file, const TypeInfo* type, void* record, std::uint32_t length,
                    int tag) = 0;
  virtual void disk_sync_now() = 0;
  virtual void disk_write_now(int file, const TypeInfo& type, void* record) = 0;
  virtual std::uint32_t disk_length(int file) = 0;
  virtual StoredRecord disk_record(int file, std::uint32_t index) = 0;

  // Set before every call of a handler; plain data, because every handler reads them.
  NodeId self = 0;
  int nodes = 0;
  int restarts = 0;
  const void* config = nullptr;
  EventMask listening = 0;
};

// One class of nodes with its type erased.
struct NodeClass {
  using Deliver = void (*)(void* node, Host&, NodeId from, const void* message);
  using Invoke = void (*)(void* node, Host&, Name request, const void* content);

  // Whether its nodes can be asked for that. Where several classes take requests they share one
  // list of them, and a class has no handler for those that others take.
  bool takes(int request) const { return request < request_count && on_request[request]; }

  const TypeInfo* state = nullptr;  // construction, copying and observable fields
  const TypeInfo* const* messages = nullptr;
  const Deliver* on_message = nullptr;
  int message_count = 0;
  const TypeInfo* const* requests = nullptr;
  const Invoke* on_request = nullptr;
  int request_count = 0;
  std::string_view timer_words;  // their names, in order; empty: no timers
  bool waits = false;            // handlers wait inside: what they wait with is in no field
  void (*start)(void* node, Host&) = nullptr;
  void (*on_timer)(void* node, Host&, int timer, int key) = nullptr;
  void (*on_disk)(void* node, Host&, const DiskDone&) = nullptr;  // null: completions are silent
};

}  // namespace schism
