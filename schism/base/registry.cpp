#include "schism/base/registry.hpp"

#include <cstdio>
#include <cstdlib>

namespace schism {

void registration_error(const std::string& what) {
  std::fprintf(stderr, "schism: registration: %s\n", what.c_str());
  std::exit(70);
}

}  // namespace schism
