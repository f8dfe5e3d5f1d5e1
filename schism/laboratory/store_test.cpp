// A result counts once: the first; another one under the same key is told, not taken.
#include "schism/laboratory/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace schism {
namespace {

class StoreFile : public testing::Test {
 protected:
  StoreFile() : path_(fmt::format("{}/store-{}.sqlite", testing::TempDir(), ::getpid())) {
    clean();
  }
  ~StoreFile() override { clean(); }
  void clean() const {
    for (const char* more : {"", "-wal", "-shm"}) std::filesystem::remove(path_ + more);
  }

  std::unique_ptr<Store> open(const std::string& build = "b") const {
    auto store = open_sqlite(path_, build);
    EXPECT_TRUE(store) << store.error();
    return *std::move(store);
  }
  std::string path_;
};

TEST_F(StoreFile, TheFirstResultCounts) {
  const auto store = open();
  EXPECT_EQ(*store->find("k"), std::nullopt);
  const std::string body("a\0b", 3);
  EXPECT_EQ(*store->put("k", "d", body), Store::Put::first);
  EXPECT_EQ(*store->put("k", "d", body), Store::Put::again);
  EXPECT_EQ(*store->put("k", "other", "x"), Store::Put::differs);
  EXPECT_EQ(*store->put("k", "", "timed"), Store::Put::again);
  EXPECT_EQ(**store->find("k"), body);
  EXPECT_EQ(*store->find("l"), std::nullopt);
}

TEST_F(StoreFile, StaysAndIsSharedAndIsOfOneBuild) {
  ASSERT_EQ(*open()->put("k", "d", "x"), Store::Put::first);
  const auto one = open(), two = open();
  EXPECT_EQ(**one->find("k"), "x");
  EXPECT_EQ(*one->put("l", "d", "y"), Store::Put::first);
  EXPECT_EQ(*two->put("l", "d", "y"), Store::Put::again);
  EXPECT_EQ(**two->find("l"), "y");
  const auto other = open("another build");
  EXPECT_EQ(*other->find("k"), std::nullopt);
  EXPECT_EQ(*other->put("k", "e", "z"), Store::Put::first);
  EXPECT_EQ(**open()->find("k"), "x");
}

TEST_F(StoreFile, WhatIsNoStoreIsTold) {
  std::ofstream(path_) << "this is no database, but it is long enough to be taken for one........";
  const auto store = open_sqlite(path_, "b");
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error(), testing::StartsWith(path_));
  EXPECT_FALSE(open_sqlite("/no/such/folder/x.sqlite", "b"));
}

}  // namespace
}  // namespace schism
