// The library's exits: what it asks of the disk, the network, the clock and the state machine.
#include <cstring>

#include <fmt/format.h>

#include "systems/craft/craft.hpp"

namespace schism::craft {

struct Exits {
  static Craft& of(raft_io* io) { return *static_cast<Craft*>(io->impl); }
  static Craft& of(raft_fsm* fsm) { return *static_cast<Craft*>(fsm->data); }
  static Craft::Context& context(Craft& node) { return *node.context_; }

  // ---- raft_io -------------------------------------------------------------------------------

  static int init(raft_io*, raft_id, const char*) { return 0; }

  static void close(raft_io* io, raft_io_close_cb done) { of(io).closed_ = done; }

  static int load(raft_io* io, raft_term* term, raft_id* vote, raft_snapshot** snapshot,
                  raft_index* start_index, raft_entry** entries, std::size_t* count) {
    const Store& store = of(io).store_;
    *term = store.metadata().term;
    *vote = id_of(store.metadata().vote);
    *snapshot = store.snapshot() ? to_library(*store.snapshot()) : nullptr;
    *start_index = store.loaded_first();
    *entries = to_library(store.loaded());
    *count = store.loaded().size();
    return 0;
  }

  static int start(raft_io* io, unsigned msecs, raft_io_tick_cb tick, raft_io_recv_cb receive) {
    Craft& node = of(io);
    node.tick_ = tick;
    node.receive_ = receive;
    node.period_ = Micros{msecs} * 1000;
    context(node).set_timer(Timer::tick, node.period_);
    return 0;
  }

  static int bootstrap(raft_io* io, const raft_configuration* configuration) {
    Craft& node = of(io);
    const DiskHandle disk = context(node).disk();
    if (!node.store_.pristine(disk)) return RAFT_CANTBOOTSTRAP;
    raft_buffer encoded;
    if (const int status = raft_configuration_encode(configuration, &encoded)) return status;
    node.store_.bootstrap(disk,
                          {1, EntryType::change, {static_cast<char*>(encoded.base), encoded.len}});
    raft_free(encoded.base);
    return 0;
  }

  static int recover(raft_io*, const raft_configuration*) { return RAFT_IOERR; }

  static int set_term(raft_io* io, raft_term term) {
    Craft& node = of(io);
    node.store_.set_term(context(node).disk(), term);
    return 0;
  }

  static int set_vote(raft_io* io, raft_id id) {
    Craft& node = of(io);
    node.store_.set_vote(context(node).disk(), server_of(id), context(node).config());
    return 0;
  }

  static int send(raft_io* io, raft_io_send* request, const raft_message* message,
                  raft_io_send_cb done) {
    Craft& node = of(io);
    Craft::Context& c = context(node);
    request->cb = done;
    const Server to = server_of(message->server_id);
    const bool exists = to >= 0 && to < c.nodes() && to != c.self;
    // Where the id makes no sense, neither may the pointer.
    const bool addressed = exists && message->server_address != nullptr &&
                           std::strcmp(message->server_address, address_of(to)) == 0;
    if (!addressed) node.flaw(FlawKind::address, misaddressed(*message, exists));
    const bool fails = node.failed_sends_ > 0 && c.random_below(8) == 0;
    if (fails) --node.failed_sends_;
    else if (addressed) post(c, static_cast<NodeId>(to), *message);
    if (!done) return 0;  // nobody waits, and nobody says how long the request stays there
    if (node.sends_.empty()) c.set_timer(Timer::sent, 100);
    node.sends_.push_back({request, fails ? RAFT_NOCONNECTION : 0});
    return 0;
  }

  static std::string misaddressed(const raft_message& message, bool exists) {
    static constexpr std::string_view names[] = {
        "?",           "AppendEntries",     "AppendEntriesResult",
        "RequestVote", "RequestVoteResult", "InstallSnapshot",
        "TimeoutNow"};
    return fmt::format("it sends {} to {}", names[message.type <= 6 ? message.type : 0],
                       message.server_id == 0 ? "server 0, which is nobody"
                       : exists               ? "an address that is not the server's"
                                              : "a server that does not exist");
  }

  static void post(Craft::Context& c, NodeId to, const raft_message& m) {
    switch (m.type) {
      case RAFT_IO_APPEND_ENTRIES: c.send(to, copy_of(m.append_entries)); break;
      case RAFT_IO_APPEND_ENTRIES_RESULT: c.send(to, copy_of(m.append_entries_result)); break;
      case RAFT_IO_REQUEST_VOTE: c.send(to, copy_of(m.request_vote)); break;
      case RAFT_IO_REQUEST_VOTE_RESULT: c.send(to, copy_of(m.request_vote_result)); break;
      case RAFT_IO_INSTALL_SNAPSHOT: c.send(to, copy_of(m.install_snapshot)); break;
      case RAFT_IO_TIMEOUT_NOW: c.send(to, copy_of(m.timeout_now)); break;
      default: break;
    }
  }

  static int append(raft_io* io, raft_io_append* request, const raft_entry* entries, unsigned n,
                    raft_io_append_cb done) {
    Craft& node = of(io);
    if (node.store_.broken()) return RAFT_IOERR;
    request->cb = done;
    const Index first = node.store_.log().last() + 1;
    node.store_.append(context(node).disk(), entries, n, request, context(node).config());
    node.log_changed_ = true;
    context(node).announce(LogChange{first, node.store_.log().last()});
    return 0;
  }

  static int truncate(raft_io* io, raft_index index) {
    Craft& node = of(io);
    if (node.store_.broken()) return RAFT_IOERR;
    if (index <= node.commit)
      node.flaw(FlawKind::commit_back,
                fmt::format("it removes the entries from {} on from its log, of which those up to "
                            "{} are committed",
                            index, node.commit));
    node.store_.truncate(context(node).disk(), index, context(node).config());
    node.log_changed_ = true;
    return 0;
  }

  static int snapshot_put(raft_io* io, unsigned trailing, raft_io_snapshot_put* request,
                          const raft_snapshot* snapshot, raft_io_snapshot_put_cb done) {
    Craft& node = of(io);
    Craft::Context& c = context(node);
    if (node.store_.broken()) return RAFT_IOERR;
    request->cb = done;
    if (trailing == 0) {
      node.store_.install(c.disk(), copy_of(*snapshot), request, c.config());
      node.log_changed_ = true;
      c.announce(LogChange{snapshot->index, snapshot->index});
      return 0;
    }
    if (node.put_) return RAFT_BUSY;
    node.put_ = request;
    node.put_snapshot_ = copy_of(*snapshot);
    node.put_trailing_ = trailing;
    c.set_timer(Timer::work, 5'000, Craft::kOwnSnapshot);
    return 0;
  }

  static int snapshot_get(raft_io* io, raft_io_snapshot_get* request,
                          raft_io_snapshot_get_cb done) {
    Craft& node = of(io);
    request->cb = done;
    node.store_.get(context(node).disk(), request);
    return 0;
  }

  static raft_time time(raft_io* io) {
    return static_cast<raft_time>(context(of(io)).now() / 1000);
  }

  static int random(raft_io* io, int low, int high) {
    return static_cast<int>(context(of(io)).random_between(low, high));
  }

  static int async_work(raft_io* io, raft_io_async_work* request, raft_io_async_work_cb done) {
    Craft& node = of(io);
    if (node.work_) return RAFT_BUSY;
    request->cb = done;
    node.work_ = request;
    context(node).set_timer(Timer::work, 5'000, Craft::kBackground);
    return 0;
  }

  // ---- raft_fsm ------------------------------------------------------------------------------

  static int apply(raft_fsm* fsm, const raft_buffer* buffer, void** result) {
    Craft& node = of(fsm);
    std::uint64_t command = 0;
    std::memcpy(&command, buffer->base, std::min(buffer->len, sizeof command));
    ++node.machine.count;
    node.machine.commands = absorb(node.machine.commands, command);
    context(node).announce(Applied{node.raft_.last_applied + 1, command, node.machine});
    *result = nullptr;
    return 0;
  }

  static std::string state_of(Craft& node) {
    History state = node.machine;
    const Index index = node.raft_.last_applied;
    state.log = node.store_.log().knows(index) ? node.store_.log().prefix(index) : Hash128{};
    return bytes_of(state);
  }

  static int snapshot(raft_fsm* fsm, raft_buffer** buffers, unsigned* count) {
    *buffers = static_cast<raft_buffer*>(raft_malloc(sizeof(raft_buffer)));
    **buffers = to_library(state_of(of(fsm)));
    *count = 1;
    return 0;
  }

  static int restore(raft_fsm* fsm, raft_buffer* buffer) {
    Craft& node = of(fsm);
    node.machine = history_in({static_cast<const char*>(buffer->base), buffer->len});
    node.restored_ = true;
    raft_free(buffer->base);
    return 0;
  }

  static int snapshot_finalize(raft_fsm*, raft_buffer** buffers, unsigned* count) {
    if (*buffers == nullptr) return 0;
    for (unsigned i = 0; i < *count; ++i) raft_free((*buffers)[i].base);
    raft_free(*buffers);
    *buffers = nullptr;
    *count = 0;
    return 0;
  }

  // The content is there since `snapshot`: a state machine must not change under the background
  // work. What is left to do there is to have taken its time.
  static int snapshot_async(raft_fsm*, raft_buffer**, unsigned*) { return 0; }

  static void fill(Craft& node, const Config& config) {
    node.io_ = {};
    node.io_.version = 2;
    node.io_.impl = &node;
    node.io_.init = init;
    node.io_.close = close;
    node.io_.load = load;
    node.io_.start = start;
    node.io_.bootstrap = bootstrap;
    node.io_.recover = recover;
    node.io_.set_term = set_term;
    node.io_.set_vote = set_vote;
    node.io_.send = send;
    node.io_.append = append;
    node.io_.truncate = truncate;
    node.io_.snapshot_put = snapshot_put;
    node.io_.snapshot_get = snapshot_get;
    node.io_.time = time;
    node.io_.random = random;
    node.io_.async_work = async_work;
    node.fsm_ = {};
    node.fsm_.version = config.async_snapshots ? 3 : 1;
    node.fsm_.data = &node;
    node.fsm_.apply = apply;
    node.fsm_.snapshot = snapshot;
    node.fsm_.restore = restore;
    if (!config.async_snapshots) return;
    node.fsm_.snapshot_finalize = snapshot_finalize;
    node.fsm_.snapshot_async = snapshot_async;
  }
};

void fill_exits(Craft& node, const Config& config) { Exits::fill(node, config); }

}  // namespace schism::craft
