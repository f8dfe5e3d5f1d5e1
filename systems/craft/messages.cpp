#include "systems/craft/messages.hpp"

#include <cstring>

#include <fmt/format.h>

namespace schism::craft {
namespace {

template <class T>
T read_number(std::string_view bytes, std::size_t at) {
  T value{};
  if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string hexadecimal(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

// For readers only: the library's encoding is a byte of version, the number of servers, and of each
// its id, its address and its role.
std::string configuration_text(std::string_view bytes) {
  std::string out;
  std::size_t at = 9;
  const auto count = read_number<std::uint64_t>(bytes, 1);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto id = read_number<std::uint64_t>(bytes, at);
    const std::size_t end = bytes.find('\0', at + 8);
    if (end == std::string_view::npos || end + 1 >= bytes.size()) return hexadecimal(bytes);
    const auto role = static_cast<unsigned char>(bytes[end + 1]);
    out += fmt::format("{}{} {}", i > 0 ? ", " : "", server_of(id),
                       role < 3 ? enum_name(static_cast<ServerRole>(role)) : "?");
    at = end + 2;
  }
  return out;
}

std::string text_of(const raft_buffer& buffer) {
  return {static_cast<const char*>(buffer.base), buffer.len};
}

raft_message message_of(int type) {
  raft_message out = {};
  out.type = static_cast<unsigned short>(type);
  return out;
}

}  // namespace

const char* address_of(Server server) {
  static constexpr const char* addresses[kServersMax] = {"1", "2", "3", "4", "5",
                                                         "6", "7", "8", "9"};
  return addresses[server];
}

std::string Entry::content() const {
  switch (type) {
    case EntryType::command: return std::to_string(read_number<std::uint64_t>(bytes, 0));
    case EntryType::change: return configuration_text(bytes);
    default: return "";
  }
}

History Snapshot::history() const { return history_in(bytes); }

Hash128 Snapshot::digest() const {
  Hash128 h =
      absorb_text(absorb(absorb(absorb(Hash128{}, index), term), configuration_index), bytes);
  return absorb_field(h, configuration);
}

std::string bytes_of(const History& history) {
  std::string out(40, '\0');
  const std::uint64_t numbers[] = {history.count, history.commands.lo, history.commands.hi,
                                   history.log.lo, history.log.hi};
  std::memcpy(out.data(), numbers, sizeof numbers);
  return out;
}

History history_in(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return read_number<std::uint64_t>(bytes, i * 8); };
  return {at(0), {at(1), at(2)}, {at(3), at(4)}};
}

// ---- from the library ----------------------------------------------------------------------

Entry copy_of(const raft_entry& entry) {
  return {entry.term, static_cast<EntryType>(entry.type), text_of(entry.buf)};
}

Configuration copy_of(const raft_configuration& configuration) {
  Configuration out(configuration.n);
  for (unsigned i = 0; i < configuration.n; ++i) {
    const raft_server& server = configuration.servers[i];
    out[i] = {server_of(server.id), static_cast<ServerRole>(server.role)};
  }
  return out;
}

Snapshot copy_of(const raft_snapshot& snapshot) {
  std::string bytes;
  for (unsigned i = 0; i < snapshot.n_bufs; ++i) bytes += text_of(snapshot.bufs[i]);
  return {snapshot.index, snapshot.term, copy_of(snapshot.configuration),
          snapshot.configuration_index, std::move(bytes)};
}

RequestVote copy_of(const raft_request_vote& m) {
  return {m.term,          server_of(m.candidate_id), m.last_log_index,
          m.last_log_term, m.disrupt_leader,          m.pre_vote};
}
RequestVoteResult copy_of(const raft_request_vote_result& m) {
  return {m.term, m.vote_granted, static_cast<std::uint8_t>(m.pre_vote)};
}
AppendEntries copy_of(const raft_append_entries& m) {
  AppendEntries out{m.term, m.prev_log_index, m.prev_log_term, m.leader_commit, {}};
  out.entries.reserve(m.n_entries);
  for (unsigned i = 0; i < m.n_entries; ++i) out.entries.push_back(copy_of(m.entries[i]));
  return out;
}
AppendEntriesResult copy_of(const raft_append_entries_result& m) {
  return {m.term, m.rejected, m.last_log_index};
}
InstallSnapshot copy_of(const raft_install_snapshot& m) {
  return {m.term, {m.last_index, m.last_term, copy_of(m.conf), m.conf_index, text_of(m.data)}};
}
TimeoutNow copy_of(const raft_timeout_now& m) {
  return {m.term, m.last_log_index, m.last_log_term};
}

// ---- to the library ------------------------------------------------------------------------

// One batch for all of them, each at a multiple of eight bytes.
raft_entry* to_library(const std::vector<Entry>& entries) {
  if (entries.empty()) return nullptr;
  const auto padded = [](const Entry& e) { return (e.bytes.size() + 7) / 8 * 8; };
  std::size_t total = 0;
  for (const Entry& entry : entries) total += padded(entry);
  auto* batch = static_cast<char*>(raft_malloc(total));
  auto* out = static_cast<raft_entry*>(raft_malloc(entries.size() * sizeof(raft_entry)));
  std::size_t at = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    std::memcpy(batch + at, entry.bytes.data(), entry.bytes.size());
    out[i].term = entry.term;
    out[i].type = static_cast<unsigned short>(entry.type);
    out[i].buf = {batch + at, entry.bytes.size()};
    out[i].batch = batch;
    at += padded(entry);
  }
  return out;
}

void to_library(const Configuration& from, raft_configuration& to) {
  raft_configuration_init(&to);
  for (const Member& member : from)
    raft_configuration_add(&to, id_of(member.server), address_of(member.server),
                           static_cast<int>(member.role));
}

raft_buffer to_library(const std::string& bytes) {
  raft_buffer out = {raft_malloc(bytes.size()), bytes.size()};
  std::memcpy(out.base, bytes.data(), bytes.size());
  return out;
}

raft_snapshot* to_library(const Snapshot& snapshot) {
  auto* out = static_cast<raft_snapshot*>(raft_malloc(sizeof(raft_snapshot)));
  out->index = snapshot.index;
  out->term = snapshot.term;
  to_library(snapshot.configuration, out->configuration);
  out->configuration_index = snapshot.configuration_index;
  out->bufs = static_cast<raft_buffer*>(raft_malloc(sizeof(raft_buffer)));
  out->bufs[0] = to_library(snapshot.bytes);
  out->n_bufs = 1;
  return out;
}

raft_message to_library(const RequestVote& m) {
  raft_message out = message_of(RAFT_IO_REQUEST_VOTE);
  out.request_vote = {m.term,      id_of(m.candidate), m.last_index,
                      m.last_term, m.disrupt_leader,   m.pre_vote};
  return out;
}
raft_message to_library(const RequestVoteResult& m) {
  raft_message out = message_of(RAFT_IO_REQUEST_VOTE_RESULT);
  out.request_vote_result = {m.term, m.granted, static_cast<raft_tribool>(m.pre_vote)};
  return out;
}
raft_message to_library(const AppendEntries& m) {
  raft_message out = message_of(RAFT_IO_APPEND_ENTRIES);
  out.append_entries = {m.term,   m.previous_index,      m.previous_term,
                        m.commit, to_library(m.entries), static_cast<unsigned>(m.entries.size())};
  return out;
}
raft_message to_library(const AppendEntriesResult& m) {
  raft_message out = message_of(RAFT_IO_APPEND_ENTRIES_RESULT);
  out.append_entries_result = {m.term, m.rejected, m.last_index};
  return out;
}
raft_message to_library(const InstallSnapshot& m) {
  raft_message out = message_of(RAFT_IO_INSTALL_SNAPSHOT);
  raft_install_snapshot& to = out.install_snapshot;
  to.term = m.term;
  to.last_index = m.snapshot.index;
  to.last_term = m.snapshot.term;
  to_library(m.snapshot.configuration, to.conf);
  to.conf_index = m.snapshot.configuration_index;
  to.data = to_library(m.snapshot.bytes);
  return out;
}
raft_message to_library(const TimeoutNow& m) {
  raft_message out = message_of(RAFT_IO_TIMEOUT_NOW);
  out.timeout_now = {m.term, m.last_index, m.last_term};
  return out;
}

}  // namespace schism::craft
