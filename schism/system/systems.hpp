// The table of systems under test.
#pragma once

#include "schism/system/system.hpp"

namespace schism {

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

}  // namespace schism
