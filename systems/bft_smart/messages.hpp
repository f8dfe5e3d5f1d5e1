// What replicas and clients of `bft-smart` say to each other, as the library has it. Channels name
// their sender; what others show on (ACCEPTs, collects, requests) is signed by itself.
#pragma once

#include <map>
#include <optional>

#include "schism/schism.hpp"
#include "systems/bft_smart/config.hpp"

namespace bft_smart {
using namespace schism;

// A client's operation: adds to a sum.
struct Op {
  NodeRef client;
  int stamp = 0, add = 0;
  FIELDS(client, stamp, add)
};
// What an instance decides on. The nonce makes what two leaders put together different.
struct Batch {
  int nonce = 0;
  std::vector<Signed<Op>> ops;
  FIELDS(nonce, ops)
};
template <class T>
int digest_of(const T& value) {
  return static_cast<int>(absorb_field(Hash128{1, 2}, value).lo & 0x3fffffff);
}

struct Vote {  // of ACCEPT
  int cid = 0, epoch = 0, digest = 0;
  FIELDS(cid, epoch, digest)
};
struct Decision {  // and why it can be believed. cid 0: nothing is decided yet
  int cid = 0;
  Batch batch;
  std::vector<Signed<Vote>> proof;
  FIELDS(cid, batch, proof)
};
struct Written {
  int epoch = 0;
  Batch batch;
  FIELDS(epoch, batch)
};
// What a replica reports of its running instance when it leaves for a regency: the last value that
// it saw a quorum write, and in which epoch (-1: none), and all that it has written itself.
struct Collect {
  int cid = 0, regency = 0, quorum_epoch = -1, quorum_digest = 0;
  std::vector<Written> written;
  FIELDS(cid, regency, quorum_epoch, quorum_digest, written)
};

struct Request {
  Signed<Op> op;
  FIELDS(op)
};
struct Propose {
  int cid = 0, epoch = 0;
  Batch batch;
  FIELDS(cid, epoch, batch)
};
struct Write {
  int cid = 0, epoch = 0, digest = 0;
  FIELDS(cid, epoch, digest)
};
struct Accept {
  Signed<Vote> vote;
  FIELDS(vote)
};
struct ReqDecision {
  int cid = 0;
  FIELDS(cid)
};
struct FwdDecision {
  Decision decision;
  FIELDS(decision)
};
struct Stop {
  int regency = 0;
  std::vector<Signed<Op>> ops;  // that wait
  FIELDS(regency, ops)
};
struct StopData {
  int regency = 0;
  Decision last;
  Signed<Collect> collect;
  FIELDS(regency, last, collect)
};
struct Sync {
  int regency = 0;
  Decision last;
  std::vector<Signed<Collect>> collects;
  Batch batch;
  FIELDS(regency, last, collects, batch)
};
struct Reply {
  int cid = 0, stamp = 0, result = 0;
  FIELDS(cid, stamp, result)
};
struct AskState {
  int last = 0;  // that the asker has
  FIELDS(last)
};
struct State {
  int regency = 0;
  std::vector<Decision> log;
  FIELDS(regency, log)
};

using Messages = Types<Request, Propose, Write, Accept, ReqDecision, FwdDecision, Stop, StopData,
                       Sync, Reply, AskState, State>;

// What a person asks a client for.
struct Add {
  int amount = 1;
  FIELDS(amount)
};
struct Sum {  // and gets
  int value = 0;
  FIELDS(value)
};

// Announced.
struct Asked {
  int digest = 0;
  FIELDS(digest)
};
struct Decided {
  int cid = 0, epoch = 0, digest = 0;
  FIELDS(cid, epoch, digest)
};
struct Executed {
  int n = 0, digest = 0, once = 0;  // once: names the client's operation
  FIELDS(n, digest, once)
};
struct Computed {  // of an operation: as a replica computed it, as a client accepted it
  int once = 0, value = 0;
  FIELDS(once, value)
};
struct NewEpoch {
  int epoch = 0;
  NodeRef leader;
  FIELDS(epoch, leader)
};
SCHISM_ENUM(Verb, write, accept);
struct Voted {
  Verb verb = Verb::write;
  int cid = 0, epoch = 0, digest = 0;
  FIELDS(verb, cid, epoch, digest)
};
struct Left {  // all epochs of that instance before this one, as it has told others
  int cid = 0, epoch = 0;
  int claimed_epoch = -1, claimed_digest = 0;  // the quorum of WRITEs that it claims to have seen
  FIELDS(cid, epoch, claimed_epoch, claimed_digest)
};

inline int once_of(const Op& op) { return op.client * 100'000 + op.stamp; }
inline int replicas_of(int nodes, const Config& config) {
  return std::max(nodes - config.clients, 1);
}
inline std::size_t faults_of(int replicas) { return static_cast<std::size_t>((replicas - 1) / 3); }
// So many are more than floor((n + f) / 2): two of such sets have a correct replica in common.
inline std::size_t quorum_of(int replicas) {
  return (static_cast<std::size_t>(replicas) + faults_of(replicas)) / 2 + 1;
}

}  // namespace bft_smart
