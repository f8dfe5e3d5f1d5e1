#include "schism/scenario/files.hpp"

#include <algorithm>
#include <filesystem>

#include "schism/base/file.hpp"
#include "schism/scenario/parse.hpp"

namespace schism::scenario {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kEnding = ".scenario";

}  // namespace

Result<std::vector<std::string>> list_files(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    std::error_code none;
    if (path == "-" || !fs::is_directory(path, none)) {
      out.push_back(path);
      continue;
    }
    std::vector<std::string> inside;
    for (const auto& entry : fs::recursive_directory_iterator(path, none))
      if (entry.path().string().ends_with(kEnding)) inside.push_back(entry.path().string());
    if (inside.empty()) return error("{}: no files that end in {}", path, kEnding);
    std::sort(inside.begin(), inside.end());
    out.insert(out.end(), inside.begin(), inside.end());
  }
  return out;
}

std::vector<Scenario> scenarios_in(const std::string& path) {
  const auto broken = [](const std::string& why) {
    Scenario out;
    out.name = why;  // it names no system: running it fails, and says this
    return out;
  };
  const auto files = list_files({path});
  if (!files) return {broken(files.error())};
  std::vector<Scenario> out;
  for (const std::string& file : *files) {
    const auto content = read_file(file);
    const auto parsed = content ? parse(*content, file) : tl::unexpected(content.error());
    if (!parsed) out.push_back(broken(parsed.error()));
    else out.insert(out.end(), parsed->begin(), parsed->end());
  }
  return out;
}

}  // namespace schism::scenario
