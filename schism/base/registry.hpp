// One table of everything that has a name: systems, schedulers, explorers. It feeds `schism list`,
// `--help`, parsing and the reference. Entries come from static objects, so their order is that of
// the linker: whoever lists them gets them sorted by name.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "schism/base/params.hpp"
#include "schism/base/result.hpp"
#include "schism/base/time.hpp"

namespace schism {

// What a strategy takes in parentheses: mix(random;pos) has two children. They come from a table of
// their own, which need not be the strategy's.
struct ChildRule {
  std::string what;  // "scheduler"
  std::size_t least = 0, most = 0;
  // The same with everything that differs from a default, and nothing else.
  std::function<Result<Spec>(const Spec&)> complete;

  bool none() const { return most == 0; }
  std::string how_many() const;  // "1 to 8 schedulers"
  // One sentence if there are too many or too few of them.
  Status check(const Spec& parent) const;
};

// A child as its parent gets it. Who plays it in another process makes it there, from its word.
template <class Made>
struct Child {
  Spec spec;
  std::unique_ptr<Made> made;
};

// A strategy or oracle: made from parameters, and from what it is built around.
template <class Made>
struct Entry {
  std::string name, description;
  Params params;
  ChildRule children;
  std::function<std::shared_ptr<void>()> fresh_options;
  std::function<Result<std::unique_ptr<Made>>(const void* options, const Spec& spec)> make;
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
  // Its parameters that differ from the defaults, in the order of the table; its children likewise.
  Result<Spec> complete(const Spec& spec, std::string_view what) const;
  // A name of another table means `around` it: the word random is read as seeds(random).
  void read_others(std::string around, std::function<std::vector<std::string>()> others);

 private:
  struct Known {
    const Entry<Made>* entry;
    std::shared_ptr<void> options;
  };
  Result<Known> look_up(const Spec& spec, std::string_view what) const;
  bool is_other(const Spec& spec) const;

  std::vector<Entry<Made>> entries_;
  std::string around_;
  std::function<std::vector<std::string>()> others_;
};

// What a static object in a system's or strategy's file is: proof that a table knows it.
class Registration {
 public:
  Registration() = default;
};

// Ends the program: two static objects claim one name, or a description is missing.
[[noreturn]] void registration_error(const std::string& what);

// A child that cannot be made, told with the place where it stands.
tl::unexpected<std::string> child_error(const Spec& parent, const std::string& what);

// What a registration says of a strategy S, which has a struct Options and a constructor from it;
// with children the constructor takes them, too: a std::vector<Child<Kind>>.
template <class Made, class S>
class StrategyBuilder {
 public:
  StrategyBuilder(Table<Made>& table, std::string name, std::string description) : table_(table) {
    entry_.name = std::move(name);
    entry_.description = std::move(description);
    entry_.fresh_options = [] { return std::make_shared<typename S::Options>(); };
    if constexpr (std::is_constructible_v<S, const typename S::Options&>)
      entry_.make = [](const void* options, const Spec&) -> Result<std::unique_ptr<Made>> {
        return std::make_unique<S>(*static_cast<const typename S::Options*>(options));
      };
  }
  // It is built around so many of what the other table has; `what` is "scheduler".
  template <class Kind>
  StrategyBuilder& children(const Table<Kind>& kinds, std::string what, std::size_t least,
                            std::size_t most);
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
    if (!entry_.make)
      registration_error("\"" + entry_.name + "\" does not say what children it has");
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
void Table<Made>::read_others(std::string around,
                              std::function<std::vector<std::string>()> others) {
  around_ = std::move(around);
  others_ = std::move(others);
}

template <class Made>
bool Table<Made>::is_other(const Spec& spec) const {
  if (!others_ || find(spec.name)) return false;
  const auto names = others_();
  return std::find(names.begin(), names.end(), spec.name) != names.end();
}

template <class Made>
auto Table<Made>::look_up(const Spec& spec, std::string_view what) const -> Result<Known> {
  const Entry<Made>* entry = find(spec.name);
  if (!entry) {
    auto known = names();
    if (others_)
      for (std::string& other : others_()) known.push_back(std::move(other));
    std::sort(known.begin(), known.end());
    return tl::unexpected(unknown_word(what, spec.name, known));
  }
  if (auto fit = entry->children.check(spec); !fit) return tl::unexpected(fit.error());
  Known known{entry, entry->fresh_options()};
  for (const auto& [name, text] : spec.values)
    if (auto set = entry->params.set(known.options.get(), name, text, entry->name); !set)
      return tl::unexpected(set.error());
  return known;
}

template <class Made>
Result<std::unique_ptr<Made>> Table<Made>::make(const Spec& spec, std::string_view what) const {
  if (is_other(spec)) return make({around_, {}, {spec}}, what);
  const auto known = look_up(spec, what);
  if (!known) return tl::unexpected(known.error());
  return known->entry->make(known->options.get(), spec);
}

template <class Made>
Result<Spec> Table<Made>::complete(const Spec& spec, std::string_view what) const {
  if (is_other(spec)) return find(around_)->children.complete(spec);  // said as it was written
  const auto known = look_up(spec, what);
  if (!known) return tl::unexpected(known.error());
  Spec out{spec.name, known->entry->params.changed(known->options.get())};
  for (const Spec& child : spec.children) {
    auto whole = known->entry->children.complete(child);
    if (!whole) return child_error(spec, whole.error());
    out.children.push_back(*std::move(whole));
  }
  return out;
}

template <class Made, class S>
template <class Kind>
StrategyBuilder<Made, S>& StrategyBuilder<Made, S>::children(const Table<Kind>& kinds,
                                                             std::string what, std::size_t least,
                                                             std::size_t most) {
  entry_.children = {what, least, most,
                     [&kinds, what](const Spec& child) { return kinds.complete(child, what); }};
  entry_.make = [&kinds, what](const void* options,
                               const Spec& spec) -> Result<std::unique_ptr<Made>> {
    std::vector<Child<Kind>> list;
    for (const Spec& child : spec.children) {
      auto made = kinds.make(child, what);
      if (!made) return child_error(spec, made.error());
      list.push_back({child, *std::move(made)});
    }
    return std::make_unique<S>(*static_cast<const typename S::Options*>(options), std::move(list));
  };
  return *this;
}

}  // namespace schism
