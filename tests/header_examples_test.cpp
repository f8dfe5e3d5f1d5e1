// What the headers show is C++: each example is compiled, in the surroundings that
// tests/data/header_examples.cpp.in gives those of the reference, and header_examples_inside.cpp.in
// all others.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>

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

// Those of the pages of the reference, for whoever writes a protocol; and all others.
std::set<std::string> described_headers() {
  std::set<std::string> out;
  static const std::regex heading(R"(^## `(schism/.*)`$)");
  for (const auto& page :
       std::filesystem::directory_iterator(places::kSource + std::string("/docs/api")))
    for (const std::string& line :
         lines_of(source_file("docs/api/" + page.path().filename().string()))) {
      std::smatch match;
      if (std::regex_match(line, match, heading)) out.insert(match[1]);
    }
  return out;
}

std::set<std::string> other_headers() {
  const std::set<std::string> described = described_headers();
  std::set<std::string> out;
  const std::filesystem::path root = places::kSource;
  for (const auto& file : std::filesystem::recursive_directory_iterator(root / "schism")) {
    const std::string name = std::filesystem::relative(file.path(), root).string();
    const bool of_tests = name.find("/testing/") != std::string::npos;
    if (file.path().extension() == ".hpp" && !of_tests && !described.contains(name))
      out.insert(name);
  }
  return out;
}

void expect_compiled(const std::set<std::string>& headers, const std::string& surroundings) {
  std::map<Place, std::string> examples;
  for (const std::string& header : headers) examples.merge(examples_of(header));
  ASSERT_GE(examples.size(), 30U);
  static const std::regex marker(R"(^//([>!]) (\S+) (\d+)$)");
  std::string text;
  for (const std::string& line : lines_of(source_file(surroundings))) {
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
                  << surroundings << "\n"
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

TEST(HeaderExamples, OfTheReferenceAreCompiled) {
  expect_compiled(described_headers(), "tests/data/header_examples.cpp.in");
}

TEST(HeaderExamples, OfAllOtherHeadersAreCompiled) {
  expect_compiled(other_headers(), "tests/data/header_examples_inside.cpp.in");
}

}  // namespace
}  // namespace schism::e2e
