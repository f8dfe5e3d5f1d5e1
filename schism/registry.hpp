// The tables themselves, and the one-line registration of strategies.
//
//   static const Registration random =
//       scheduler<RandomScheduler>("random", "any enabled action, by weight")
//           .param<&RandomScheduler::Options::deliver>("deliver", 0, 1000, "weight of a delivery");
//
// S has a struct Options and a constructor from it.
#pragma once

#include "schism/base/registry.hpp"
#include "schism/system/system.hpp"

namespace schism {

class Scheduler;
class Explorer;

Table<Scheduler>& schedulers();
Table<Explorer>& explorers();

class Systems {
 public:
  void add(std::shared_ptr<const System> system);
  const std::vector<std::shared_ptr<const System>>& sorted() const { return systems_; }
  const System* find(std::string_view name) const;
  std::vector<std::string> names() const;

 private:
  std::vector<std::shared_ptr<const System>> systems_;
};
Systems& systems();

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

template <class S>
StrategyBuilder<Scheduler, S> scheduler(std::string name, std::string description) {
  return {schedulers(), std::move(name), std::move(description)};
}
template <class S>
StrategyBuilder<Explorer, S> explorer(std::string name, std::string description) {
  return {explorers(), std::move(name), std::move(description)};
}

}  // namespace schism
