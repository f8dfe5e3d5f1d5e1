#include "schism/cli/junit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/base/text.hpp"

namespace schism::cli {
namespace {

// Characters that XML 1.0 cannot hold are printed as a person would see them.
std::string escaped(const std::string& text) {
  std::string out;
  std::string line;
  const auto flush = [&] {
    for (const char c : printable(line)) {
      switch (c) {
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '&': out += "&amp;"; break;
        case '"': out += "&quot;"; break;
        default: out += c;
      }
    }
    line.clear();
  };
  for (const char c : text) {
    if (c != '\n') {
      line += c;
      continue;
    }
    flush();
    out += "&#10;";
  }
  flush();
  return out;
}

}  // namespace

std::string junit_xml(const std::string& name, const std::vector<JUnitCase>& cases) {
  const auto count = [&](auto member) {
    return std::count_if(cases.begin(), cases.end(),
                         [&](const JUnitCase& c) { return !(c.*member).empty(); });
  };
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
                     escaped(name), cases.size(), count(&JUnitCase::failure),
                     count(&JUnitCase::skipped));
  for (const JUnitCase& c : cases) {
    out +=
        fmt::format("  <testcase classname=\"{}\" name=\"{}\"", escaped(c.suite), escaped(c.name));
    if (!c.failure.empty()) {
      const std::string head = c.failure.substr(0, c.failure.find('\n'));
      out += fmt::format("><failure message=\"{}\">{}</failure></testcase>\n", escaped(head),
                         escaped(c.failure));
    } else if (!c.skipped.empty()) {
      out += fmt::format("><skipped message=\"{}\"/></testcase>\n", escaped(c.skipped));
    } else {
      out += "/>\n";
    }
  }
  return out + "</testsuite>\n";
}

}  // namespace schism::cli
