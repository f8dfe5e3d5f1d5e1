// What isolation found, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "schism/base/value.hpp"
#include "schism/isolate/isolate.hpp"
#include "schism/isolate/supply.hpp"

namespace schism::isolate {

struct ReportParts {
  std::vector<std::string> diagrams;  // a finding each; may be empty
  ReadReport reading;
  int width = 100;
};

std::string print(const Findings& findings, const ReportParts& parts);
Value to_value(const Findings& findings, const ReportParts& parts);

}  // namespace schism::isolate
