#include "schism/tla/symbols.hpp"

#include <fmt/format.h>

#include "schism/base/hash.hpp"

namespace schism::tla {

Symbols::Symbols() : chunks_(kChunks) {
  intern("");
  add_file("?");
}

Symbol Symbols::intern(std::string_view text) {
  const std::lock_guard guard(lock_);
  if (const auto found = index_.find(text); found != index_.end()) return found->second;
  if (size_ / kChunk >= kChunks) throw Failure({}, "too many different strings");
  if (size_ % kChunk == 0) chunks_[size_ / kChunk] = std::make_unique<Entry[]>(kChunk);
  Entry& entry = chunks_[size_ / kChunk][size_ % kChunk];
  entry = {std::string(text), mix64(hash_text(text))};
  index_.emplace(entry.text, size_);
  return size_++;
}

int Symbols::compare(Symbol a, Symbol b) const {
  if (a == b) return 0;
  if (a >= frozen_at_ && b >= frozen_at_) return text(a).compare(text(b)) < 0 ? -1 : 1;
  return a < b ? -1 : 1;
}

std::uint32_t Symbols::add_file(std::string name) {
  files_.push_back(std::move(name));
  return static_cast<std::uint32_t>(files_.size() - 1);
}

std::string Symbols::describe(Location where) const {
  if (where.line == 0) return file(where.file);
  return fmt::format("{}:{}:{}", file(where.file), where.line, where.column);
}

}  // namespace schism::tla
