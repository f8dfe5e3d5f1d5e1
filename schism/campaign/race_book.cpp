// The file of a race: a line of JSON a heat, written whole or, by a killed program, in part.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "schism/base/file.hpp"
#include "schism/campaign/race.hpp"

namespace schism {
namespace {

std::string line_of(const Heat& heat, const HeatResult& result) {
  Value line;
  line.set("bug", heat.bug);
  line.set("explorer", heat.explorer);
  line.set("trial", heat.trial);
  line.set("budget", heat.budget);
  line.set("found", result.found);
  line.set("cpu", result.at);
  line.set("runs", static_cast<std::int64_t>(result.runs));
  line.set("steps", static_cast<std::int64_t>(result.steps));
  if (!result.property.empty()) line.set("property", result.property);
  if (!result.problem.empty()) line.set("problem", result.problem);
  return to_json(line) + "\n";
}

std::string text_of(const Value& line, const char* key) {
  const Value* value = line.find(key);
  return value && value->as_text() ? *value->as_text() : "";
}

Result<std::pair<Heat, HeatResult>> read_line(std::string_view text) {
  std::string problem;
  const auto line = parse_json(text, &problem);
  if (!line) return tl::unexpected(problem);
  std::pair<Heat, HeatResult> out;
  auto& [heat, result] = out;
  const auto number = [&](const char* key) -> std::optional<double> {
    const Value* value = line->find(key);
    return value ? value->as_number() : std::nullopt;
  };
  heat.bug = text_of(*line, "bug");
  heat.explorer = text_of(*line, "explorer");
  const auto trial = number("trial"), budget = number("budget"), at = number("cpu");
  const Value* found = line->find("found");
  if (heat.bug.empty() || heat.explorer.empty() || !trial || !budget || !at || !found ||
      !found->as_bool() || *trial < 0 || *at < 0 || *budget <= 0)
    return error("is no heat of a race");
  heat.trial = static_cast<int>(*trial);
  heat.budget = *budget;
  result.found = *found->as_bool();
  result.at = *at;
  result.runs = static_cast<std::uint64_t>(number("runs").value_or(0));
  result.steps = static_cast<std::uint64_t>(number("steps").value_or(0));
  result.property = text_of(*line, "property");
  result.problem = text_of(*line, "problem");
  return out;
}

}  // namespace

Result<RaceBook> RaceBook::open(const std::string& path) {
  RaceBook book(path);
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return book;
  const auto content = read_file(path);
  if (!content) return tl::unexpected(content.error());
  std::size_t begin = 0, number = 0;
  for (std::size_t end; (end = content->find('\n', begin)) != std::string::npos; begin = end + 1) {
    ++number;
    auto read = read_line(std::string_view(*content).substr(begin, end - begin));
    if (!read) return error("{}, line {}: {}", path, number, read.error());
    book.results_.insert_or_assign(read->first, std::move(read->second));
  }
  if (begin < content->size()) std::filesystem::resize_file(path, begin, none);
  if (none) return error("{}: {}", path, none.message());
  return book;
}

const HeatResult* RaceBook::find(const Heat& heat) const {
  const auto at = results_.find(heat);
  return at == results_.end() ? nullptr : &at->second;
}

// At its end, in one piece, on disk before the next begins.
Status RaceBook::add(const Heat& heat, const HeatResult& result) {
  const std::string line = line_of(heat, result);
  const int file = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return error("{}: {}", path_, std::strerror(errno));
  const ssize_t wrote = ::write(file, line.data(), line.size());
  const bool whole = wrote == static_cast<ssize_t>(line.size()) && ::fsync(file) == 0;
  const int why = errno;
  ::close(file);
  if (!whole) return error("{}: {}", path_, wrote < 0 ? std::strerror(why) : "the disk is full");
  results_.insert_or_assign(heat, result);
  return {};
}

}  // namespace schism
