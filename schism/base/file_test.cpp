#include "schism/base/file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace schism {
namespace {

using testing::HasSubstr;

class FileTest : public testing::Test {
 protected:
  FileTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "schism-file-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~FileTest() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  std::string raw(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::filesystem::path folder_;
};

TEST_F(FileTest, PlainBytesComeBack) {
  const std::string bytes("a\0b\r\n\xff", 6);
  ASSERT_TRUE(write_file(path("x"), bytes));
  EXPECT_EQ(read_file(path("x")).value(), bytes);
  EXPECT_EQ(raw("x"), bytes);
  ASSERT_TRUE(write_file(path("x"), "shorter"));
  EXPECT_EQ(read_file(path("x")).value(), "shorter");
  EXPECT_EQ(files(), 1U);
}

TEST_F(FileTest, TheNameDecidesAboutCompression) {
  const std::string text(100'000, 'a');
  ASSERT_TRUE(write_file(path("x.zst"), text));
  EXPECT_EQ(read_file(path("x.zst")).value(), text);
  EXPECT_LT(raw("x.zst").size(), 1000U);
  ASSERT_TRUE(write_file(path("empty.zst"), ""));
  EXPECT_EQ(read_file(path("empty.zst")).value(), "");
}

RC_GTEST_PROP(Compression, BytesComeBack, (const std::string& bytes)) {
  const auto times = *rc::gen::inRange<std::size_t>(1, 2000);  // beyond a buffer, too
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += bytes;
  RC_ASSERT(decompress(compress(all)).value() == all);
}

RC_GTEST_PROP(Compression, DamageIsNoticedOrHarmless, ()) {
  std::string packed = compress(*rc::gen::nonEmpty(rc::gen::string<std::string>()));
  packed[*rc::gen::inRange<std::size_t>(0, packed.size())] = *rc::gen::arbitrary<char>();
  const auto text = decompress(packed);
  if (!text) RC_ASSERT(!text.error().empty());
}

TEST(Compression, TruncationIsNoticedAtEveryByte) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * 7919);
  const std::string packed = compress(text);
  for (std::size_t size = 1; size < packed.size(); size += 1 + size / 20) {
    const auto cut = decompress(packed.substr(0, size));
    ASSERT_FALSE(cut) << size;
    EXPECT_FALSE(cut.error().empty());
  }
  EXPECT_THAT(decompress("no zstd at all").error(), HasSubstr("not a zstd file"));
  EXPECT_FALSE(decompress(packed + "more"));
  EXPECT_EQ(decompress(packed + packed).value(), text + text);  // as `cat` makes them
}

TEST_F(FileTest, WhatCannotBeReadIsNamed) {
  EXPECT_EQ(read_file(path("nosuch")).error(), path("nosuch") + ": No such file or directory");
  EXPECT_EQ(read_file(folder_).error(), folder_.string() + ": it is a directory");
  ASSERT_TRUE(write_file(path("x"), "plain"));
  std::filesystem::rename(path("x"), path("x.zst"));
  EXPECT_THAT(read_file(path("x.zst")).error(), HasSubstr("x.zst: not a zstd file"));
}

TEST_F(FileTest, AFailedWriteLeavesTheOldContent) {
  ASSERT_TRUE(write_file(path("x"), "old"));
  // A full disk in miniature: no file may grow beyond this.
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const Status written = write_file(path("x"), std::string(5000, 'n'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error(), HasSubstr(path("x")));
  EXPECT_EQ(raw("x"), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(FileTest, AFolderInTheWayLeavesNothingHalfWritten) {
  std::filesystem::create_directory(path("x"));
  EXPECT_FALSE(write_file(path("x"), "text"));
  EXPECT_EQ(files(), 1U);
  EXPECT_FALSE(write_file(path("nosuch/y"), "text"));
  ASSERT_TRUE(write_file(path("z"), "text"));
  EXPECT_FALSE(make_directory(path("z")));
  EXPECT_TRUE(make_directory(path("a/b/c")));
  EXPECT_TRUE(make_directory(path("a/b/c")));
}

}  // namespace
}  // namespace schism
