// Finds with another build of a library: `schism replay --library`, `schism sort --against`.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>

#include <filesystem>

#include "program.hpp"

namespace schism::e2e {
namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::HasSubstr;

// Where the loader finds the C library that `craft` tests.
std::string installed_raft() {
  void* library = ::dlopen("libraft.so.2", RTLD_LAZY);
  link_map* map = nullptr;
  if (!library || ::dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0) return "";
  std::string out = map->l_name;
  ::dlclose(library);
  return out;
}

class OtherBuild : public testing::Test {
 protected:
  void SetUp() override {
    // The adapter's own seeded fault: any build of the library shows it.
    const Outcome hunted = folder_.run({"hunt", "craft", "--bug", "vote-not-persisted", "--faults",
                                        "crash=3", "--world", "links=fifo"});
    ASSERT_EQ(hunted.code, 1) << hunted;
    trace_ = folder_.traces().at(0);
    ASSERT_FALSE(installed_raft().empty());
    fs::create_directory(folder_ / "an other");
    fs::copy_file(installed_raft(), folder_ / kCopy);
  }

  // A library of that name with nothing in it.
  void make_empty(const std::string& name, const std::string& file) {
    folder_.write("empty.cpp", "");
    const Outcome o =
        Process(folder_.path(), {"c++", "-shared", "-Wl,-soname," + name, "-o", file, "empty.cpp"},
                {})
            .finish();
    ASSERT_EQ(o.code, 0) << o;
  }

  static constexpr const char* kCopy = "an other/copy.so";
  Folder folder_;
  std::string trace_;
};

TEST_F(OtherBuild, TakesThePlaceOfTheInstalledOne) {
  const Outcome same = folder_.run({"replay", trace_, "--library", kCopy});
  EXPECT_EQ(same.code, 1) << same;
  EXPECT_THAT(same.out, HasSubstr("reproduced"));
  make_empty("libraft.so.2", "empty.so");
  const Outcome nothing = folder_.run({"replay", trace_, "--library", "empty.so"});
  EXPECT_GT(nothing.code, 2) << nothing;
  EXPECT_EQ(nothing.out, "");
  EXPECT_THAT(nothing.err, HasSubstr("symbol"));
  EXPECT_TRUE(fs::exists(folder_ / kCopy));
}

TEST_F(OtherBuild, FindsByBuilds) {
  make_empty("libraft.so.2", "empty.so");
  const Outcome o = folder_.run({"sort", "schism-out", "--against", std::string("copy=") + kCopy,
                                 "--against", "empty=empty.so"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, ContainsRegex("here +copy +empty"));
  EXPECT_THAT(o.out, ContainsRegex("trace +violated +violated +unknown"));
  const Outcome json =
      folder_.run({"sort", "schism-out", "--against", std::string("copy=") + kCopy, "--json"});
  EXPECT_THAT(json.out, HasSubstr(R"("here":"violated","copy":"violated")"));
}

TEST_F(OtherBuild, WhatIsNoBuildOfItIsOneLine) {
  make_empty("libother.so.1", "other.so");
  make_empty("", "nameless.so");
  folder_.write("text.so", "not a library\n");
  const std::pair<const char*, const char*> files[] = {
      {"absent.so", "absent.so: no such library"},
      {"text.so", "text.so: not a library that can be loaded here"},
      {"other.so", "other.so: no system here uses libother.so.1"},
      {"nameless.so", "nameless.so: a library without a name takes no other's place"}};
  for (const auto& [file, line] : files) {
    const Outcome o = folder_.run({"replay", trace_, "--library", file});
    EXPECT_EQ(o.code, 2) << o;
    EXPECT_EQ(o.err, std::string("schism: ") + line + "\n");
  }
  const Outcome o = folder_.run({"sort", "schism-out", "--against", "libraft.so.2"});
  EXPECT_EQ(o.code, 2) << o;
  EXPECT_THAT(o.err, HasSubstr("NAME=LIBRARY is wanted"));
}

}  // namespace
}  // namespace schism::e2e
