// What clients ask for. Only the leader takes requests; elsewhere they are refused by the library.
#include <algorithm>

#include <fmt/format.h>

#include "systems/craft/craft.hpp"

namespace schism::craft {

Craft::Open& Craft::open_request(RequestId id) {
  auto found = std::find_if(open_.begin(), open_.end(), [](const Open& o) { return !o.live; });
  Open& open = found != open_.end() ? *found : open_.emplace_back();
  open.apply = {};
  open.node = this;
  open.id = id;
  open.live = true;
  open.barrier = false;
  return open;
}

void Craft::answer(Open& open, int status) {
  if (!open.live) {
    flaw(FlawKind::callback, "a request's callback comes twice");
    return;
  }
  open.live = false;
  if (open.barrier) return;
  context_->answer(open.id, Answer{status == 0 ? Outcome::done : Outcome::lost, status});
}

void Craft::refuse(Context& c, RequestId id, int status) {
  c.answer(id, Answer{Outcome::refused, status});
}

void Craft::on_request(Context& c, RequestId id, const Apply& r) {
  if (!running_) return refuse(c, id, RAFT_SHUTDOWN);
  enter(c);
  std::vector<raft_buffer> buffers;
  for (int i = 0; i < r.count; ++i) {
    const auto command = static_cast<std::uint64_t>(r.first + i);
    buffers.push_back(to_library(std::string(reinterpret_cast<const char*>(&command), 8)));
  }
  Open& open = open_request(id);
  open.apply.data = &open;
  const int status =
      raft_apply(&raft_, &open.apply, buffers.data(), static_cast<unsigned>(buffers.size()),
                 [](struct raft_apply* request, int outcome, void*) {
                   auto& mine = *static_cast<Open*>(request->data);
                   mine.node->answer(mine, outcome);
                 });
  if (status != 0) {
    for (const raft_buffer& buffer : buffers) raft_free(buffer.base);
    open.live = false;
    refuse(c, id, status);
  }
  leave(c);
}

// An application that has just come to lead wants to know what is committed.
void Craft::append_barrier() {
  Open& open = open_request({});
  open.barrier = true;
  open.barrier_request.data = &open;
  const int status =
      raft_barrier(&raft_, &open.barrier_request, [](struct raft_barrier* request, int outcome) {
        auto& mine = *static_cast<Open*>(request->data);
        mine.node->answer(mine, outcome);
      });
  if (status == 0) barrier_term_ = raft_.current_term;
  else open.live = false;
}

// ---- membership ----------------------------------------------------------------------------

// Nobody takes the last voter away; and the leader's own role only where that is wanted.
bool Craft::may_lose_voter(Context& c, Server server) const {
  if (server == c.self && !c.config().own_role) return false;
  const Configuration all = members();
  return std::any_of(all.begin(), all.end(), [&](const Member& m) {
    return m.server != server && m.role == ServerRole::voter;
  });
}

int Craft::change(raft_change& request, raft_change_cb done, Server server, Wish to) {
  const Configuration all = members();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Member& m) { return m.server == server; });
  if (found == all.end())
    return to == Wish::gone ? RAFT_BADID
                            : raft_add(&raft_, &request, id_of(server), address_of(server), done);
  if (to == Wish::gone) return raft_remove(&raft_, &request, id_of(server), done);
  return raft_assign(&raft_, &request, id_of(server), static_cast<int>(to), done);
}

void Craft::on_request(Context& c, RequestId id, const Reconfigure& r) {
  if (!running_) return refuse(c, id, RAFT_SHUTDOWN);
  if (r.to != Wish::voter && !may_lose_voter(c, r.server)) return refuse(c, id, RAFT_CANTCHANGE);
  enter(c);
  Open& open = open_request(id);
  open.change = {};
  open.change.data = &open;
  const int status = change(
      open.change,
      [](raft_change* request, int outcome) {
        auto& mine = *static_cast<Open*>(request->data);
        mine.node->answer(mine, outcome);
      },
      r.server, r.to);
  if (status != 0) {
    open.live = false;
    refuse(c, id, status);
  }
  leave(c);
}

// ---- leadership, and a clean end -----------------------------------------------------------

void Craft::on_request(Context& c, RequestId id, const Transfer& r) {
  if (!running_) return refuse(c, id, RAFT_SHUTDOWN);
  enter(c);
  Open& open = open_request(id);
  open.transfer = {};
  open.transfer.data = &open;
  const int status =
      raft_transfer(&raft_, &open.transfer, id_of(r.to), [](struct raft_transfer* request) {
        auto& mine = *static_cast<Open*>(request->data);
        Craft& node = *mine.node;
        raft_id now = 0;
        const char* address = nullptr;
        raft_leader(&node.raft_, &now, &address);
        node.context_->announce(Transferred{server_of(request->id), now == request->id});
        node.answer(mine, 0);
      });
  if (status != 0) {
    open.live = false;
    refuse(c, id, status);
  }
  leave(c);
}

void Craft::on_request(Context& c, RequestId id, const Close&) {
  enter(c);
  if (running_) {
    close(c);
    arena_->reset();
    machine = {};
    barrier_term_ = 0;
    begin(c);
  }
  c.answer(id, Answer{Outcome::done, 0});
  leave(c);
}

}  // namespace schism::craft
