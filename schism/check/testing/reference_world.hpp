// For tests: a second world, written from what the documentation says and sharing nothing with
// SimWorld but the nodes that it hosts. It is slow and plain: a run is played from its beginning,
// a disk is looked at by going through its journal, a state is a text that spells out everything
// that the future depends on, a class of runs is a text that lists, object by object, what touched
// it. reference_search.hpp counts with it.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "schism/check/world_model.hpp"
#include "schism/system/system.hpp"

namespace schism::check {

class ReferenceWorld final : private Host {
 public:
  // `forgets`: where messages to a node that is down are lost, they are lost for good (as searches
  // by state have it); else they wait for it in vain (as searches by processes have it).
  ReferenceWorld(const Setup& setup, const Bounds& bounds, bool forgets)
      : setup_(setup), bounds_(bounds), forgets_(forgets) {}
  ~ReferenceWorld() override { end(); }
  ReferenceWorld(const ReferenceWorld&) = delete;
  ReferenceWorld& operator=(const ReferenceWorld&) = delete;

  // A step and, behind it, what was chosen in it.
  using Step = std::vector<Action>;
  void play(const std::vector<Step>& steps) {
    begin();
    for (const Step& step : steps) apply(step);
  }
  std::vector<Action> enabled() const;
  bool can(const Action& action) const {
    for (const Action& a : enabled())
      if (a == action) return true;
    return false;
  }
  void begin();
  void apply(const Step& step);
  // Of a message in flight: what orders those that are alike otherwise.
  Hash128 content_hash(Name name) const {
    const Content& content = letters_[find(name)].content;
    return content.type->hash(content.bytes.get());
  }
  // The last step with other answers to what it was asked beyond those given.
  std::vector<Step> otherwise(const Step& step) const;

  // The state; with the nodes' clocks, where nodes read them.
  std::string state(bool clocks) const;
  bool read_clock() const { return read_clock_; }
  // The class of the run so far.
  std::string run_class() const;

 private:
  struct Content {
    const TypeInfo* type = nullptr;
    std::shared_ptr<void> bytes;
    bool torn = false;
    std::string text() const {
      return std::string(type->name) + to_json(type->to_value(bytes.get())) + (torn ? " torn" : "");
    }
  };
  struct Letter {
    Name name;
    int version = 0;  // one more with each copy that was made of it
    Content content;
  };
  struct Operation {
    DiskOp op;
    int file;
    Content record;
    std::uint32_t length;
  };
  using Files = std::map<int, std::vector<Content>>;
  struct Wait {
    Name name;
    DiskDone done;
    std::size_t place;  // operations before it, since the beginning of time
  };
  struct Timer {
    std::uint32_t armed = 0;  // how often
    bool on = false;
    Micros due = 0;
  };
  struct Peer {
    const NodeClass* type = nullptr;
    Content object;  // empty while it is down
    int lives = 1;
    std::uint32_t events = 0;
    Micros clock = 0;
    std::map<std::pair<int, int>, Timer> timers;
    Files durable;
    std::vector<Operation> journal;
    std::size_t forgotten = 0;  // operations that left the journal
    std::vector<Wait> waits;
    std::map<int, std::uint32_t> operations;  // with a tag, by kind
    std::vector<Name> unanswered;
    bool up() const { return object.type != nullptr; }
  };
  struct Request {
    NodeId target;
    int type;
    Content content;
  };
  struct Client {
    std::vector<Request> plan;
    std::size_t next = 0;
    bool asking = false;  // the request before `next`
  };
  struct Used {
    std::uint32_t drops = 0, duplicates = 0;
  };

  // ---- Host
  void post(NodeId to, int type, void* message) override { send(to, type, taken(type, message)); }
  void post_to_others(int type, void* message) override {
    const Content content = taken(type, message);
    for (NodeId to = 0; to < nodes; ++to)
      if (to != self) send(to, type, content);
  }
  void set_timer(int timer, int key, Micros least, Micros) override {
    Timer& t = here().timers[{timer, key}];
    ++t.armed;
    t.on = true;
    t.due = here().clock + std::max<Micros>(least, 0);
  }
  void cancel_timer(int timer, int key) override {
    const auto at = here().timers.find({timer, key});
    if (at != here().timers.end()) at->second.on = false;
  }
  Micros now() override {
    read_clock_ = true;
    return here().clock;
  }
  std::uint64_t draw() override { return 4; }
  std::uint64_t draw_below(std::uint64_t n) override {
    return choose(static_cast<std::uint32_t>(n));
  }
  std::uint32_t choose(std::uint32_t n) override {
    if (n <= 1) return 0;
    const auto k = chosen_.size() < given_.size()
                       ? static_cast<std::uint32_t>(given_[chosen_.size()].name.bits() & 0xffff)
                       : 0;
    chosen_.push_back(choose_of(k, n));
    return k;
  }
  void announce(const TypeInfo&, const void*) override {}
  void answer(Name request, const TypeInfo&, const void*) override;
  void fail(std::string) override {}
  void disk(DiskOp op, int file, const TypeInfo* type, void* record, std::uint32_t length,
            int tag) override;
  void disk_sync_now() override { make_durable(here(), here().journal.size()); }
  void disk_write_now(int file, const TypeInfo& type, void* record) override;
  std::uint32_t disk_length(int file) override {
    seen_ = seen(here());
    return static_cast<std::uint32_t>(seen_[file].size());
  }
  StoredRecord disk_record(int file, std::uint32_t index) override {
    seen_ = seen(here());
    const Content& content = seen_[file].at(index);
    return {content.bytes.get(), content.type, content.torn};
  }

  Peer& here() { return peers_[static_cast<std::size_t>(self)]; }
  Peer& peer(NodeId id) { return peers_[static_cast<std::size_t>(id)]; }
  const Peer& peer(NodeId id) const { return peers_[static_cast<std::size_t>(id)]; }
  bool fifo() const { return setup_.options.links == LinkOrder::fifo; }
  bool full(NodeId id) const { return bounds_.events > 0 && peer(id).events >= bounds_.events; }
  static Content owned(const TypeInfo& type, const std::function<void(void*)>& fill);
  static Content moved(const TypeInfo& type, void* from);
  Content taken(int type, void* message) const {
    return moved(*peer(self).type->messages[type], message);
  }

  void end();
  void build(NodeId id);
  void start(NodeId id);
  void settle(NodeId id);
  void send(NodeId to, int type, const Content& content);
  void offer(int client);
  void finish(NodeId id, std::size_t wait);
  void crash(NodeId id, CrashOutcome outcome);
  std::vector<CrashOutcome> outcomes(NodeId id) const;
  bool may_crash(NodeId id) const;
  bool first_on_link(std::size_t letter) const;
  std::size_t find(Name name) const;
  void add_fates(std::size_t letter, std::vector<Action>& out) const;
  void add_requests(std::vector<Action>& out) const;
  void make_durable(Peer& p, std::size_t operations);
  static void perform(Files& files, const Operation& operation);
  static Files seen(const Peer& p);
  void record(const Action& action);
  std::string node_state(NodeId id, bool clocks) const;

  Setup setup_;
  Bounds bounds_;
  bool forgets_, read_clock_ = false;
  std::vector<Peer> peers_;
  std::vector<Letter> letters_;  // in flight, in the order in which they were sent
  std::map<std::pair<NodeId, NodeId>, Used> used_;
  std::map<std::uint64_t, std::uint32_t> sent_;  // by link and type
  std::map<std::uint64_t, int> copies_;          // by original
  std::map<int, Client> clients_;
  std::uint32_t crashes_ = 0;
  std::map<std::string, std::string> histories_;  // of each object
  Files seen_;
  Step given_, chosen_;  // of the step that is played
  BodyPool pool_;
};

}  // namespace schism::check
