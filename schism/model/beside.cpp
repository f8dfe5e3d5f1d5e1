#include "schism/model/beside.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>

#include "schism/model/conformance.hpp"
#include "schism/model/mapping.hpp"
#include "schism/system/system.hpp"

namespace schism::model {
namespace {

namespace fs = std::filesystem;

// Beside the sources of a build, or where the program was installed to.
std::vector<fs::path> folders() {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  std::vector<fs::path> out = {"models"};
  if (!none) {
    const fs::path bin = program.parent_path();
    out.push_back(bin / "../../models");
    out.push_back(bin / "../share/schism/models");
  }
  return out;
}

}  // namespace

Result<std::string> find_model(const std::string& name) {
  std::error_code none;
  if (fs::is_regular_file(name, none)) return name;
  for (const fs::path& folder : folders()) {
    const fs::path file = folder / fs::path(name).filename();
    if (fs::is_regular_file(file, none)) return fs::canonical(file, none).string();
  }
  return error("{}: there is no such model", name);
}

Result<std::string> model_of(const std::string& system) {
  std::error_code none;
  for (const fs::path& folder : folders()) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder, none))
      if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (fs::path& file : files) {
      const auto mapping = Mapping::read(file.string());
      if (mapping && mapping->system == system) return file.replace_extension(".tla").string();
    }
  }
  return error("no model maps the events of {}", system);
}

Status put_beside(Setup& setup, const std::string& name) {
  const auto file = find_model(name);
  if (!file) return tl::unexpected(file.error());
  if (const auto model = Follower(*file, Use::judge).prepare(setup); !model)
    return tl::unexpected(model.error());
  static std::mutex lock;
  static std::map<std::pair<const System*, std::string>, std::unique_ptr<System>> known;
  const std::scoped_lock guard(lock);
  auto& beside = known[{setup.system, *file}];
  if (!beside) {
    beside = std::make_unique<System>(*setup.system);
    beside->oracles.insert(beside->oracles.begin(), [file = *file](const Setup&) {
      return std::make_unique<Conformance>(file);
    });
  }
  setup.system = beside.get();
  return {};
}

}  // namespace schism::model
