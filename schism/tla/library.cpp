#include "schism/tla/library.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "schism/base/file.hpp"

namespace schism::tla {

namespace fs = std::filesystem;

Module* Library::add(std::string_view text, const std::string& name) {
  const std::uint32_t file = symbols_.add_file(name);
  const std::vector<Module*> modules = parse_modules(text, file, symbols_, arena_);
  if (modules.empty()) throw Failure({file, 1, 1}, "no module here");
  for (Module* m : modules) modules_.emplace(m->name, m);
  return modules.front();
}

Module* Library::load_file(const std::string& path) {
  const auto text = read_spec_file(path);
  if (!text) throw Failure({}, text.error());
  const fs::path folder = fs::path(path).parent_path();
  path_.insert(path_.begin(), folder.empty() ? "." : folder.string());
  // Named like the file, if there is one.
  Module* first = add(*text, path);
  const auto own = modules_.find(symbols_.intern(fs::path(path).stem().string()));
  return own != modules_.end() && own->second != nullptr ? own->second : first;
}

Result<std::string> read_spec_file(const std::string& path) {
  auto text = read_file(path);
  if (text && text->size() > kSpecBytesMax)
    return error("{}: a module or configuration has at most 1 MiB", path);
  return text;
}

Module* Library::load_text(std::string_view text, const std::string& name) {
  return add(text, name);
}

std::optional<std::string> Library::look_up(const std::string& name) const {
  for (const std::string& folder : path_) {
    const fs::path file = fs::path(folder) / (name + ".tla");
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored)) return file.string();
  }
  return std::nullopt;
}

Module* Library::find(Symbol name, Location where) {
  if (const auto found = modules_.find(name); found != modules_.end()) return found->second;
  const std::string word = symbols_.text(name);
  if (!is_standard_module(word)) {
    if (const auto file = look_up(word)) {
      const auto text = read_spec_file(*file);
      if (!text) throw Failure(where, text.error());
      // The module of that name, wherever it stands in the file.
      add(*text, *file);
      if (const auto found = modules_.find(name); found != modules_.end()) return found->second;
      throw Failure(where, fmt::format("{} has no module {}", *file, word));
    }
  }
  const std::string_view text = builtin_module_text(word);
  if (!text.empty()) {
    add(text, fmt::format("(built in) {}.tla", word));
    return modules_.at(name);
  }
  if (!is_builtin_module(word)) throw Failure(where, fmt::format("there is no module {}", word));
  return modules_[name] = nullptr;
}

}  // namespace schism::tla
