#include "consumer.hpp"
#include "tests/places/places.hpp"

#include <gtest/gtest.h>

namespace schism::e2e {
namespace {

// As a user writes it, but for the sanitizers that this build was made with.
constexpr const char* kProject = R"(cmake_minimum_required(VERSION 3.24)
project(mine LANGUAGES CXX)
find_package(schism REQUIRED)
file(GLOB sources *.cpp)
add_executable(mine ${sources})
target_link_libraries(mine PRIVATE schism::schism)
target_compile_options(mine PRIVATE ${options})
)";

constexpr const char* kMain = R"(#include "schism/cli/program.hpp"
int main(int argc, char** argv) { return schism::run_program(argc, argv); }
)";

}  // namespace

std::string build_outside(const Folder& folder, const std::map<std::string, std::string>& sources,
                          const std::string& options) {
  folder.write("mine/CMakeLists.txt", kProject);
  bool has_main = false;
  for (const auto& [name, content] : sources) {
    folder.write("mine/" + name, content);
    has_main = has_main || content.find("int main(") != std::string::npos;
  }
  if (!has_main) folder.write("mine/main.cpp", kMain);
  const std::string sanitize = places::kSanitize;
  const std::string flags =
      "-Wall -Wextra -Werror" + (sanitize.empty() ? "" : " -fsanitize=" + sanitize);
  for (const Words& command :
       {Words{places::kCMake, "--install", places::kBuild, "--prefix", folder / "prefix"},
        Words{places::kCMake, "-S", "mine", "-B", "mine/build", "-G", "Ninja",
              "-DCMAKE_PREFIX_PATH=" + (folder / "prefix"), "-DCMAKE_BUILD_TYPE=Debug",
              "-DCMAKE_CXX_FLAGS=" + flags, "-Doptions=" + options},
        Words{places::kCMake, "--build", "mine/build"}}) {
    const Outcome o = Process(folder.path(), command, {}).finish();
    EXPECT_EQ(o.code, 0) << o;
    if (o.code != 0) break;
  }
  return folder / "mine/build/mine";
}

}  // namespace schism::e2e
