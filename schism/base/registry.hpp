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
#include "schism/base/time.hpp"

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

// What a static object in a system's or strategy's file is: proof that a table knows it.
class Registration {
 public:
  Registration() = default;
};

// Ends the program: two static objects claim one name, or a description is missing.
[[noreturn]] void registration_error(const std::string& what);

// What a registration says of a strategy S, which has a struct Options and a constructor from it.
template <class Made, class S>
class StrategyBuilder {
 public:
  StrategyBuilder(Table<Made>& table, std::string name, std::string description) : table_(table) {
    entry_.name = std::move(name);
    entry_.description = std::move(description);
    entry_.fresh_options = [] { return std::make_shared<typename S::Options>(); };
    entry_.make = [](const void* options) -> std::unique_ptr<Made> {
      return std::make_unique<S>(*static_cast<const typename S::Options*>(options));
    };
  }
  template <auto Member, class... Rest>
  StrategyBuilder& param(Rest... rest) {
    entry_.params.template add<Member>(rest...);
    return *this;
  }
  template <auto Member>
  StrategyBuilder& duration(std::string name, Micros low, Micros high, std::string meaning) {
    entry_.params.template add_duration<Member>(std::move(name), low, high, std::move(meaning));
    return *this;
  }
  operator Registration() {  // NOLINT: as for systems
    table_.add(std::move(entry_));
    return {};
  }

 private:
  Table<Made>& table_;
  Entry<Made> entry_;
};

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
