#include "schism/cli/other_build.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

namespace schism::cli {
namespace {

struct Closes {
  void operator()(void* library) const { ::dlclose(library); }
};
using Library = std::unique_ptr<void, Closes>;

// By which others ask for it; empty: it has none.
std::string name_of(void* library) {
  link_map* map = nullptr;
  if (::dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0) return "";
  const char* names = nullptr;
  std::size_t at = 0;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what the loader left there.
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_SONAME) at = entry->d_un.d_val;
  }
  return names && at > 0 ? std::string(names + at) : std::string();
}

std::vector<std::string> used_here() {
  std::vector<std::string> out;
  const auto add = [](dl_phdr_info* info, std::size_t, void* all) {
    const std::string_view path(info->dlpi_name);
    if (!path.empty())
      static_cast<std::vector<std::string>*>(all)->push_back(
          std::filesystem::path(path).filename().string());
    return 0;
  };
  ::dl_iterate_phdr(add, &out);
  return out;
}

// A folder in which the loader finds the file by the name that others ask for.
class SearchPath {
 public:
  SearchPath(const SearchPath&) = delete;
  SearchPath& operator=(const SearchPath&) = delete;
  ~SearchPath() {
    std::error_code problem;
    std::filesystem::remove_all(folder_, problem);
  }
  static Result<std::unique_ptr<SearchPath>> with(const std::string& file, const std::string& name);
  const std::string& folder() const { return folder_; }

 private:
  explicit SearchPath(std::string folder) : folder_(std::move(folder)) {}
  std::string folder_;
};

Result<std::unique_ptr<SearchPath>> SearchPath::with(const std::string& file,
                                                     const std::string& name) {
  std::error_code problem;
  std::string folder =
      (std::filesystem::temp_directory_path(problem) / "schism-library-XXXXXX").string();
  if (problem || !::mkdtemp(folder.data()))
    return error("cannot make a folder for {}: {}", file, std::strerror(errno));
  std::unique_ptr<SearchPath> out(new SearchPath(folder));
  std::filesystem::create_symlink(std::filesystem::absolute(file), folder + "/" + name, problem);
  if (problem) return error("cannot link to {}: {}", file, problem.message());
  return out;
}

// By which name the file takes another's place.
Result<std::string> name_to_take(const std::string& file) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(file, problem)) return error("{}: no such library", file);
  const std::vector<std::string> used = used_here();  // before this one is
  const Library library(::dlopen(std::filesystem::absolute(file).c_str(), RTLD_LAZY | RTLD_LOCAL));
  if (!library) return error("{}: not a library that can be loaded here", file);
  const std::string name = name_of(library.get());
  if (name.empty()) return error("{}: a library without a name takes no other's place", file);
  if (std::find(used.begin(), used.end(), name) != used.end()) return name;
  return error("{}: no system here uses {}", file, name);
}

using Words = std::vector<std::string>;

std::vector<char*> pointers_to(Words& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

// This environment, with a folder more, before the others, in which libraries are looked for.
Words environment_with(const std::string& folder) {
  constexpr std::string_view kSearch = "LD_LIBRARY_PATH=";
  Words out;
  std::string others;
  for (char** v = environ; *v; ++v) {
    const std::string_view variable(*v);
    if (folder.empty() || !variable.starts_with(kSearch)) out.emplace_back(variable);
    else others = ":" + std::string(variable.substr(kSearch.size()));
  }
  if (folder.empty()) return out;
  out.push_back(std::string(kSearch) + folder + others);
  // What the library lacks ends the program when it begins, not as a crash of the system.
  out.emplace_back("LD_BIND_NOW=1");
  return out;
}

Result<int> spawned(const Words& arguments, const std::string& folder, bool shown) {
  Words words{"schism"}, environment = environment_with(folder);
  words.insert(words.end(), arguments.begin(), arguments.end());
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (!shown)
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, "/proc/self/exe", &actions, nullptr,
                                   pointers_to(words).data(), pointers_to(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return error("cannot run this program again: {}", std::strerror(failed));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return error("cannot wait for it: {}", std::strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Result<int> run_again(const std::vector<std::string>& arguments, const std::string& library,
                      bool shown) {
  std::unique_ptr<SearchPath> found_in;
  if (!library.empty()) {
    const auto name = name_to_take(library);
    if (!name) return tl::unexpected(name.error());
    auto path = SearchPath::with(library, *name);
    if (!path) return tl::unexpected(path.error());
    found_in = *std::move(path);
  }
  return spawned(arguments, found_in ? found_in->folder() : std::string(), shown);
}

}  // namespace schism::cli
