// Disks against a naive model, and as a node sees them: a crash loses what was not synced, all of
// it or a suffix, with a torn record where the outcome says so.
#include "schism/sim/disk.hpp"

#include <gtest/gtest.h>

#include "schism/testing/drive.hpp"

namespace schism {
namespace {

using namespace contract;

struct Record {
  int number = 0;
  std::string text;
  FIELDS(number, text)
};

// The model: what was asked for since the beginning, and how much of it is durable.
struct Model {
  struct Operation {
    DiskOp op;
    int file;
    int number;
    std::uint32_t length;
    bool torn = false;
  };
  std::vector<Operation> all;
  std::size_t durable = 0;

  std::map<int, std::vector<std::pair<int, bool>>> files(std::size_t count) const {
    std::map<int, std::vector<std::pair<int, bool>>> out;
    for (std::size_t i = 0; i < count; ++i) {
      auto& file = out[all[i].file];
      if (all[i].op == DiskOp::write) file.clear();
      if (all[i].op == DiskOp::truncate) {
        if (file.size() > all[i].length) file.resize(all[i].length);
      } else {
        file.emplace_back(all[i].number, all[i].torn);
      }
    }
    return out;
  }
  // Past everything that is queued, but for what concerns the same file.
  void write_through(int file, int number) {
    for (std::size_t i = all.size(); i > durable; --i)
      if (all[i - 1].file == file) durable = i;
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(durable),
               {DiskOp::write, file, number, 0});
    ++durable;
  }
  void crash(CrashOutcome outcome) {
    const std::size_t keep = durable + outcome.kept;
    if (outcome.torn) all[keep].torn = true;
    all.resize(keep + (outcome.torn ? 1 : 0));
    durable = all.size();
  }
  bool can_tear(std::uint32_t kept) const {
    return durable + kept < all.size() && all[durable + kept].op != DiskOp::truncate;
  }
  std::string text() const {
    std::string out;
    for (const std::size_t count : {durable, all.size()}) {
      for (const auto& [file, records] : files(count)) {
        if (records.empty()) continue;
        out += fmt::format("file {}:", file);
        for (const auto& [number, torn] : records)
          out += torn ? " torn" : fmt::format(" {}", number);
      }
      out += "; ";
    }
    for (std::size_t i = durable; i < all.size(); ++i)
      out +=
          all[i].op == DiskOp::truncate
              ? fmt::format("truncate {} {}, ", all[i].file, all[i].length)
              : fmt::format("{} {} {}, ", static_cast<int>(all[i].op), all[i].file, all[i].number);
    return out;
  }
};

TEST(Disk, AgreesWithTheNaiveModel) {
  std::size_t operations = 0, crashes = 0, torn = 0;
  std::map<Hash128, std::string> states;
  std::map<std::string, Hash128> digests;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Rng rng(seed);
    BodyPool pool;
    Disk disk;
    Model model;
    std::vector<std::pair<std::uint64_t, std::size_t>> syncs;  // asked for, and what they cover
    for (int i = 0; i < 60; ++i) {
      ++operations;
      const int file = static_cast<int>(rng.below(3));
      switch (rng.below(9)) {
        case 0:
        case 1:
        case 2: {
          const int number = static_cast<int>(rng.below(4));
          const DiskOp op = rng.chance(0.3) ? DiskOp::write : DiskOp::append;
          Record record{number, "text " + std::to_string(number)};
          disk.apply(pool, op, file, pool.make(type_info<Record>(), &record), 0);
          model.all.push_back({op, file, number, 0});
          break;
        }
        case 3: {
          const auto length = static_cast<std::uint32_t>(rng.below(4));
          disk.apply(pool, DiskOp::truncate, file, nullptr, length);
          model.all.push_back({DiskOp::truncate, file, 0, length});
          break;
        }
        case 4:
          syncs.emplace_back(disk.apply(pool, DiskOp::sync, 0, nullptr, 0), model.all.size());
          break;
        case 5:
          if (syncs.empty()) break;
          {
            const std::size_t which = rng.below(syncs.size());  // completions in any order
            disk.make_durable(pool, syncs[which].first);
            model.durable = std::max(model.durable, syncs[which].second);
            syncs.erase(syncs.begin() + static_cast<std::ptrdiff_t>(which));
          }
          break;
        case 6:
          disk.make_all_durable(pool);
          model.durable = model.all.size();
          break;
        case 7: {
          const int number = static_cast<int>(rng.below(4));
          Record record{number, "text " + std::to_string(number)};
          disk.write_through(pool, file, pool.make(type_info<Record>(), &record));
          model.write_through(file, number);
          for (auto& [place, covered] : syncs) ++covered;
          break;
        }
        default: {
          if (!rng.chance(0.4)) break;
          ++crashes;
          CrashOutcome outcome{static_cast<std::uint32_t>(rng.below(disk.unsynced() + 1)), false};
          ASSERT_EQ(disk.can_tear(outcome.kept), model.can_tear(outcome.kept));
          outcome.torn = disk.can_tear(outcome.kept) && rng.chance(0.5);
          torn += outcome.torn;
          disk.crash(pool, outcome);
          model.crash(outcome);
          syncs.clear();
        }
      }
      ASSERT_EQ(disk.unsynced(), model.all.size() - model.durable);
      for (const auto& [number, records] : model.files(model.all.size())) {
        ASSERT_EQ(disk.length(number), records.size()) << model.text();
        for (std::uint32_t k = 0; k < records.size(); ++k) {
          const StoredRecord record = disk.record(number, k);
          ASSERT_EQ(record.torn, records[k].second) << model.text();
          ASSERT_EQ(record.type, &type_info<Record>());
          if (!record.torn) {
            ASSERT_EQ(static_cast<const Record*>(record.content)->number, records[k].first);
          }
        }
      }
      ASSERT_EQ(disk.digest(), disk.digest_from_scratch());
      // Equal digests, equal states, and the other way round.
      const std::string text = model.text();
      ASSERT_EQ(states.emplace(disk.digest(), text).first->second, text);
      ASSERT_EQ(digests.emplace(text, disk.digest()).first->second, disk.digest()) << text;
    }
    // A copy shares its bodies and goes its own way.
    Disk copy = disk;
    copy.share_bodies();
    disk.clear(pool);
    EXPECT_TRUE(disk.pristine());
    ASSERT_EQ(states.at(copy.digest()), model.text());
    copy.clear(pool);
  }
  fmt::print("{} operations, {} crashes, {} torn, {} states\n", operations, crashes, torn,
             states.size());
  EXPECT_GT(crashes, 400U);
  EXPECT_GT(torn, 100U);
}

// ---- as a node sees it: test-journal, step by step ----------------------------------------------

class JournalDisk : public ::testing::Test {
 protected:
  void begin(DiskOrder order = DiskOrder::fifo, DiskUse use = DiskUse::async) {
    schism::Setup setup;
    setup.system = systems().find("test-journal");
    setup.config = setup.system->fresh_config();
    setup.nodes = 3;
    setup.node_seed = 1;
    setup.options.faults.crash = 9;
    setup.options.faults.duplicate = 9;
    setup.options.faults.disk_error = 9;
    setup.options.completions = order;
    setup.options.disk = use;
    world.listen(kEveryEvent);
    world.reset(setup);
  }
  void apply(const Action& action) {
    const Refusal got = world.apply(action);
    ASSERT_EQ(got, Refusal::none) << action_name(action.kind) << ": " << refusal_text(got);
  }
  // Node 1 gets Copy{7}: an append and a sync. Again as a duplicate.
  void store() {
    apply(make_action(Do::duplicate, Name(0, 1, 0, 0)));
    const int copy = ++copies;
    apply(make_action(Do::deliver, Name(0, 1, 0, 0, copy)));
  }
  Action complete(DiskOp op, std::uint32_t nth) {
    return make_action(Do::complete, Name(1, 0, static_cast<int>(op), nth));
  }
  void crash(std::uint32_t kept = 0, bool torn = false) {
    apply(node_action(Do::crash, 1, CrashOutcome{kept, torn}.arg()));
    EXPECT_TRUE(world.inspect(1).is_null());
    apply(node_action(Do::restart, 1));
  }
  std::size_t log() { return world.inspect(1).find("log")->as_array()->size(); }
  std::int64_t number(std::string_view field) { return *world.inspect(1).find(field)->as_int(); }

  SimWorld world;
  int copies = 0;
};

TEST_F(JournalDisk, ACrashLosesWhatWasNotSynced) {
  begin();
  store(), store(), store();
  EXPECT_EQ(log(), 3U);
  crash();
  EXPECT_EQ(log(), 0U);
}

TEST_F(JournalDisk, ACrashKeepsAPrefix) {
  begin();
  store(), store(), store();
  crash(2);
  EXPECT_EQ(log(), 2U);
  EXPECT_EQ(number("torn"), 0);
}

TEST_F(JournalDisk, TheRecordAfterThePrefixMayBeTorn) {
  begin();
  store(), store(), store();
  const auto outcomes = world.crash_outcomes(1);
  EXPECT_EQ(outcomes.size(), 9U);  // three appends and a write: 0 to 4 kept, each but 4 also torn
  crash(1, true);
  EXPECT_EQ(log(), 1U);
  EXPECT_EQ(number("torn"), 1);
  crash();  // the torn record was truncated, and that synced at once
  EXPECT_EQ(log(), 1U);
  EXPECT_EQ(number("torn"), 0);
}

TEST_F(JournalDisk, ASyncCoversWhatWasBeforeItAndNothingElse) {
  begin();
  store(), store();
  apply(complete(DiskOp::read, 0));
  apply(complete(DiskOp::sync, 0));  // asked for after the first append, before the second
  crash();
  EXPECT_EQ(log(), 1U);
}

TEST_F(JournalDisk, CompletionsComeInOrderOrInAny) {
  begin();
  store(), store();
  EXPECT_EQ(world.apply(complete(DiskOp::sync, 1)), Refusal::not_first);
  begin(DiskOrder::any);
  copies = 0;
  store(), store();
  apply(complete(DiskOp::sync, 1));  // covers both
  crash();
  EXPECT_EQ(log(), 2U);
}

TEST_F(JournalDisk, AFailedSyncMakesNothingDurable) {
  begin();
  store();
  apply(complete(DiskOp::read, 0));
  apply(failing(complete(DiskOp::sync, 0)));
  EXPECT_EQ(number("errors"), 1);
  EXPECT_EQ(world.pending().left.disk_error, 8U);
  crash();
  EXPECT_EQ(log(), 0U);
}

TEST_F(JournalDisk, OutstandingCompletionsAreLostInACrash) {
  begin();
  store();
  const auto open = [&] {
    std::size_t n = 0;
    for (const auto& [kind, name] : pending_keys(world))
      n += kind == Do::complete && Name(name).from() == 1;
    return n;
  };
  EXPECT_EQ(open(), 2U);  // the read of the start, the sync
  apply(node_action(Do::crash, 1));
  EXPECT_EQ(open(), 0U);
  apply(node_action(Do::restart, 1));
  EXPECT_EQ(open(), 1U);
}

TEST_F(JournalDisk, SynchronousDisksCompleteWithinTheStep) {
  begin(DiskOrder::fifo, DiskUse::sync);
  store(), store();
  EXPECT_EQ(world.pending().count(Do::complete), 0U);
  EXPECT_EQ(number("synced"), 2);
  crash();
  EXPECT_EQ(log(), 2U);
}

}  // namespace
}  // namespace schism
