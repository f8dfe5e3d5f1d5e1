#include "schism/cli/junit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/base/text.hpp"

namespace schism::cli {
namespace {

// Line by line: escaped as a whole, a line feed would show as a picture of one.
std::string escaped(std::string_view text) {
  std::string out;
  for (;;) {
    const auto end = text.find('\n');
    out += escape_xml(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += "&#10;";
    text.remove_prefix(end + 1);
  }
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
