// One table of everything that has a name: systems, schedulers, explorers. It feeds `schism list`,
// `--help`, parsing and the reference. Entries come from static objects, so their order is that of
// the linker: whoever lists them gets them sorted by name.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "schism/base/params.hpp"
#include "schism/base/result.hpp"

namespace schism {

// A strategy or oracle: made from parameters.
template <class Made>
struct Entry {
  std::string name, description;
  Params params;
  std::function<std::shared_ptr<void>()> fresh_options;
  std::function<std::unique_ptr<Made>(const void* options)> make;
};

template <class Made>
class Table {
 public:
  void add(Entry<Made> entry);
  const std::vector<Entry<Made>>& sorted() const { return entries_; }
  const Entry<Made>* find(std::string_view name) const;
  std::vector<std::string> names() const;
  // "random:deliver=3" to an object, or a sentence that says what is wrong. `what` is "scheduler".
  Result<std::unique_ptr<Made>> make(const Spec& spec, std::string_view what) const;

 private:
  std::vector<Entry<Made>> entries_;
};

// Ends the program: two static objects claim one name, or a description is missing.
[[noreturn]] void registration_error(const std::string& what);

// ---- implementation ------------------------------------------------------------------------

template <class Made>
void Table<Made>::add(Entry<Made> entry) {
  if (entry.name.empty() || entry.description.empty())
    registration_error("\"" + entry.name + "\" has no name or no description");
  auto at = entries_.begin();
  while (at != entries_.end() && at->name < entry.name) ++at;
  if (at != entries_.end() && at->name == entry.name)
    registration_error("\"" + entry.name + "\" is registered twice");
  entries_.insert(at, std::move(entry));
}

template <class Made>
const Entry<Made>* Table<Made>::find(std::string_view name) const {
  for (const auto& entry : entries_)
    if (entry.name == name) return &entry;
  return nullptr;
}

template <class Made>
std::vector<std::string> Table<Made>::names() const {
  std::vector<std::string> out;
  for (const auto& entry : entries_) out.push_back(entry.name);
  return out;
}

template <class Made>
Result<std::unique_ptr<Made>> Table<Made>::make(const Spec& spec, std::string_view what) const {
  const Entry<Made>* entry = find(spec.name);
  if (!entry) return tl::unexpected(unknown_word(what, spec.name, names()));
  const auto options = entry->fresh_options();
  for (const auto& [name, text] : spec.values)
    if (auto set = entry->params.set(options.get(), name, text, entry->name); !set)
      return tl::unexpected(set.error());
  return entry->make(options.get());
}

}  // namespace schism
