// JUnit XML, which every CI server reads: a test a hunted or kept bug.
#pragma once

#include <string>
#include <vector>

namespace schism::cli {

struct JUnitCase {
  std::string suite, name;
  std::string failure;  // empty: it passed
  std::string skipped;  // not empty: it could not be judged
};

std::string junit_xml(const std::string& name, const std::vector<JUnitCase>& cases);

}  // namespace schism::cli
