// What the headers show is C++: each example of a header that the reference describes is compiled,
// in the surroundings that tests/data/header_examples.cpp.in gives it.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using Place = std::pair<std::string, int>;  // header, which example of it

// Lines of a comment that stand three blanks in; an empty line ends an example.
std::map<Place, std::string> examples_of(const std::string& header) {
  static const std::regex indented(R"(^\s*//   (.*)$)");
  std::map<Place, std::string> out;
  int count = 0, number = 0;
  bool open = false;
  for (const std::string& line : lines_of(source_file(header))) {
    ++number;
    std::smatch match;
    const bool part = std::regex_match(line, match, indented);
    if (part && !open)
      out[{header, ++count}] += "#line " + std::to_string(number) + " \"" + header + "\"\n";
    open = part;
    if (part)
      out[{header, count}] +=
          std::regex_replace(match[1].str(), std::regex(R"(\.\.\.)"), " DOTS ") + "\n";
  }
  return out;
}

std::map<Place, std::string> all_examples() {
  std::map<Place, std::string> out;
  static const std::regex heading(R"(^## `(schism/.*)`$)");
  for (const auto& page :
       std::filesystem::directory_iterator(places::kSource + std::string("/docs/api")))
    for (const std::string& line :
         lines_of(source_file("docs/api/" + page.path().filename().string()))) {
      std::smatch match;
      if (std::regex_match(line, match, heading)) out.merge(examples_of(match[1]));
    }
  return out;
}

TEST(HeaderExamples, AreCompiled) {
  auto examples = all_examples();
  ASSERT_GE(examples.size(), 30U);
  static const std::regex marker(R"(^//([>!]) (\S+) (\d+)$)");
  std::string text;
  for (const std::string& line : lines_of(source_file("tests/data/header_examples.cpp.in"))) {
    std::smatch match;
    if (!std::regex_match(line, match, marker)) {
      text += line + "\n";
      continue;
    }
    const auto found = examples.find({match[2], std::stoi(match[3])});
    ASSERT_NE(found, examples.end()) << "no such example: " << line;
    if (match[1] == ">") text += found->second;
    examples.erase(found);
  }
  for (const auto& [place, example] : examples)
    ADD_FAILURE() << place.first << ": example " << place.second << " has no surroundings in "
                  << "tests/data/header_examples.cpp.in\n"
                  << example;
  const Folder folder;
  folder.write("examples.cpp", text);
  const Outcome o =
      Process(folder.path(),
              {"c++", "-std=c++20", "-fsyntax-only", "-w", "-I", places::kSource, "examples.cpp"},
              {})
          .finish();
  EXPECT_EQ(o.code, 0) << o;
}

}  // namespace
}  // namespace schism::e2e
