// Messages survive the way into the library's structs and back, and the library can free them.
#include "systems/craft/messages.hpp"

#include <gtest/gtest.h>

#include "schism/base/random.hpp"
#include "systems/craft/arena.hpp"

namespace schism::craft {
namespace {

class CraftMessages : public ::testing::Test {
 protected:
  CraftMessages() { Arena::enter(&arena); }
  ~CraftMessages() override { Arena::enter(nullptr); }

  Entry entry() {
    std::string bytes;
    for (std::uint64_t n = 1 + rng.below(40); n > 0; --n)
      bytes += static_cast<char>(rng.below(256));
    return {1 + rng.below(9), static_cast<EntryType>(1 + rng.below(3)), bytes};
  }
  Snapshot snapshot() {
    Snapshot s{rng.below(99),
               rng.below(9),
               {},
               rng.below(99),
               bytes_of({rng.below(9), {rng.next(), rng.next()}, {rng.next(), 5}})};
    for (Server i = 0; i < static_cast<Server>(rng.below(5)); ++i)
      s.configuration.push_back({i, static_cast<ServerRole>(rng.below(3))});
    return s;
  }
  template <class M>
  static void expect_equal(const M& a, const M& b) {
    EXPECT_EQ(type_info<M>().hash(&a), type_info<M>().hash(&b)) << print(to_value(a));
    EXPECT_EQ(to_value(a), to_value(b));
  }

  Arena arena;
  Rng rng{7};
};

TEST_F(CraftMessages, SmallOnesComeBack) {
  const RequestVote vote{3, 2, 17, 2, true, false};
  expect_equal(copy_of(to_library(vote).request_vote), vote);
  const RequestVoteResult result{4, true, raft_tribool_false};
  expect_equal(copy_of(to_library(result).request_vote_result), result);
  const AppendEntriesResult appended{5, 0, 12};
  expect_equal(copy_of(to_library(appended).append_entries_result), appended);
  const TimeoutNow now{6, 7, 5};
  expect_equal(copy_of(to_library(now).timeout_now), now);
  EXPECT_EQ(to_library(now).type, RAFT_IO_TIMEOUT_NOW);
  EXPECT_EQ(to_library(vote).request_vote.candidate_id, 3U);  // ids begin with 1
  EXPECT_EQ(arena.live_blocks(), 0U);
}

TEST_F(CraftMessages, EntriesComeBackByteByByte) {
  for (int i = 0; i < 200; ++i) {
    AppendEntries m{rng.below(9), rng.below(99), rng.below(9), rng.below(99), {}};
    for (std::uint64_t n = rng.below(5); n > 0; --n) m.entries.push_back(entry());
    const raft_message message = to_library(m);
    const raft_append_entries& args = message.append_entries;
    const AppendEntries again = copy_of(args);
    expect_equal(again, m);
    ASSERT_EQ(again.entries.size(), m.entries.size());
    for (std::size_t k = 0; k < m.entries.size(); ++k) {
      EXPECT_EQ(again.entries[k].bytes, m.entries[k].bytes);
      EXPECT_NE(args.entries[k].batch, nullptr);
      EXPECT_EQ(args.entries[k].batch, args.entries[0].batch);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(args.entries[k].buf.base) % 8, 0U);
    }
    EXPECT_EQ(args.entries == nullptr, m.entries.empty());
    if (args.entries) raft_free(args.entries[0].batch);
    raft_free(args.entries);
    ASSERT_EQ(arena.live_blocks(), 0U);
  }
  EXPECT_EQ(arena.complaint(), "");
}

TEST_F(CraftMessages, SnapshotsComeBack) {
  for (int i = 0; i < 200; ++i) {
    const InstallSnapshot m{rng.below(9), snapshot()};
    raft_message message = to_library(m);
    expect_equal(copy_of(message.install_snapshot), m);
    EXPECT_EQ(copy_of(message.install_snapshot).snapshot.bytes, m.snapshot.bytes);
    raft_free(message.install_snapshot.data.base);
    raft_configuration_close(&message.install_snapshot.conf);

    raft_snapshot* loaded = to_library(m.snapshot);
    expect_equal(copy_of(*loaded), m.snapshot);
    raft_free(loaded->bufs[0].base);
    raft_free(loaded->bufs);
    raft_configuration_close(&loaded->configuration);
    raft_free(loaded);
    ASSERT_EQ(arena.live_blocks(), 0U);
  }
}

TEST_F(CraftMessages, ReadersSeeWhatAnEntrySays) {
  raft_configuration configuration;
  to_library({{0, ServerRole::voter}, {3, ServerRole::spare}}, configuration);
  raft_buffer encoded;
  ASSERT_EQ(raft_configuration_encode(&configuration, &encoded), 0);
  const Entry change{1, EntryType::change, {static_cast<char*>(encoded.base), encoded.len}};
  EXPECT_EQ(change.content(), "0 voter, 3 spare");
  EXPECT_EQ((Entry{1, EntryType::command, std::string("\x07\0\0\0\0\0\0\0", 8)}.content()), "7");
  EXPECT_NO_FATAL_FAILURE((Entry{1, EntryType::change, "torn"}.content()));
}

TEST_F(CraftMessages, HistoriesComeBack) {
  const History history{7, {1, 2}, {3, 4}};
  EXPECT_EQ(history_in(bytes_of(history)).digest(), history.digest());
  EXPECT_EQ(history_in("").count, 0U);
}

}  // namespace
}  // namespace schism::craft
