// What stands at a path decides how it is written; nothing planted is followed or replaced.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "schism/base/file.hpp"

namespace schism {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;

class WriteFileTest : public testing::Test {
 protected:
  WriteFileTest() {
    std::string pattern = (fs::temp_directory_path() / "schism-write-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~WriteFileTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  std::string raw(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void plant(const std::string& name, const std::string& content, mode_t mode) const {
    std::ofstream(path(name)) << content;
    ::chmod(path(name).c_str(), mode);
  }
  mode_t mode(const std::string& name) const {
    struct stat about {};
    EXPECT_EQ(::lstat(path(name).c_str(), &about), 0) << name;
    return about.st_mode;
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

  fs::path folder_;
};

TEST_F(WriteFileTest, AFileKeepsItsMode) {
  for (const mode_t m : {0600U, 0640U, 0755U, 0666U}) {
    plant("x", "old", m);
    ASSERT_TRUE(write_file(path("x"), "new"));
    EXPECT_EQ(mode("x") & 07777U, m);
    EXPECT_EQ(raw("x"), "new");
  }
  EXPECT_EQ(files(), 1U);
}

TEST_F(WriteFileTest, ANewFileHasTheModeThatTheUserWants) {
  const mode_t before = ::umask(027);
  const Status written = write_file(path("x"), "new");
  ::umask(before);
  ASSERT_TRUE(written);
  EXPECT_EQ(mode("x") & 07777U, 0640U);
}

TEST_F(WriteFileTest, WhatIsPlantedBesideItStays) {
  plant("victim", "precious", 0644);
  fs::create_symlink(path("victim"), path("x.part"));
  ASSERT_TRUE(write_file(path("x"), "new"));
  EXPECT_EQ(raw("victim"), "precious");
  EXPECT_TRUE(fs::is_symlink(path("x.part")));
  EXPECT_EQ(raw("x"), "new");
  EXPECT_EQ(files(), 3U);
}

TEST_F(WriteFileTest, ALinkStaysAndItsTargetIsWritten) {
  plant("target", "old", 0600);
  fs::create_symlink("target", path("near"));
  fs::create_symlink(path("near"), path("far"));
  ASSERT_TRUE(write_file(path("far"), "new"));
  EXPECT_EQ(raw("target"), "new");
  EXPECT_EQ(mode("target") & 07777U, 0600U);
  EXPECT_TRUE(fs::is_symlink(path("near")) && fs::is_symlink(path("far")));
  fs::create_symlink("later", path("dangling"));
  ASSERT_TRUE(write_file(path("dangling"), "made"));
  EXPECT_EQ(raw("later"), "made");
  EXPECT_TRUE(fs::is_symlink(path("dangling")));
  fs::create_symlink("loop", path("loop"));
  EXPECT_THAT(write_file(path("loop"), "x").error(), HasSubstr("symbolic links"));
  EXPECT_EQ(files(), 6U);
}

TEST_F(WriteFileTest, APipeIsWrittenThrough) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  ASSERT_TRUE(write_file(path("pipe"), "through"));
  char buffer[16];
  EXPECT_EQ(::read(reader, buffer, sizeof buffer), 7);
  ::close(reader);
  EXPECT_TRUE(S_ISFIFO(mode("pipe")));
  EXPECT_EQ(files(), 1U);
  EXPECT_FALSE(names_a_file(path("pipe")));
}

// Through a link: a program that renames would replace the link and not the machine's device.
TEST_F(WriteFileTest, ADeviceIsWrittenThrough) {
  fs::create_symlink("/dev/full", path("full"));
  EXPECT_EQ(write_file(path("full"), "x").error(), path("full") + ": No space left on device");
  fs::create_symlink("/dev/null", path("null"));
  EXPECT_TRUE(write_file(path("null"), "x"));
  EXPECT_TRUE(fs::is_symlink(path("full")) && fs::is_symlink(path("null")));
  EXPECT_EQ(files(), 2U);
  EXPECT_FALSE(names_a_file(path("full")));
  EXPECT_TRUE(names_a_file(path("new")) && !names_a_file("-"));
}

// As /dev/stdout is: the open file at its place, not a new one under its name.
TEST_F(WriteFileTest, AnOpenFileGoesOnWhereItIs) {
  const int file = ::open(path("x").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(file, 0);
  const std::string name = "/proc/self/fd/" + std::to_string(file);
  ASSERT_TRUE(write_file(name, "one "));
  ASSERT_TRUE(write_file("/dev/fd/" + std::to_string(file), "two"));
  EXPECT_FALSE(names_a_file(name));
  ::close(file);
  EXPECT_EQ(raw("x"), "one two");
  EXPECT_EQ(files(), 1U);
}

TEST_F(WriteFileTest, WhatMayNotBeWrittenIsRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
  plant("x", "old", 0400);
  EXPECT_THAT(write_file(path("x"), "new").error(), EndsWith("Permission denied"));
  EXPECT_EQ(raw("x"), "old");
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT(write_file(path("y"), "new").error(), EndsWith("Permission denied"));
  fs::permissions(folder_, fs::perms::owner_all);
  EXPECT_EQ(files(), 1U);
}

// In a folder for all, such as /tmp, only root can stage what a stranger would.
TEST_F(WriteFileTest, ALinkOfAStrangerInAFolderForAllIsATrap) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make links of others";
  ::chmod(folder_.c_str(), 01777);
  plant("victim", "precious", 0644);
  fs::create_symlink(path("victim"), path("x"));
  ASSERT_EQ(::lchown(path("x").c_str(), 12345, 12345), 0);
  EXPECT_THAT(write_file(path("x"), "new").error(), HasSubstr("somebody else's"));
  EXPECT_EQ(raw("victim"), "precious");
  EXPECT_TRUE(fs::is_symlink(path("x")));
}

}  // namespace
}  // namespace schism
