// The folders of the library form no cycle: whoever reads one knows what it stands on.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

namespace fs = std::filesystem;

struct Include {
  std::string from, to;  // files
};
// What a folder includes of another, tests apart: they may look at everything.
using Graph = std::map<std::string, std::map<std::string, Include>>;

std::string folder_of(const std::string& file) {
  const auto slash = file.find('/');
  return slash == std::string::npos ? "." : file.substr(0, slash);
}

// The file that a line includes, below schism/; empty: none.
std::string included(const std::string& line) {
  const std::string begin = "#include \"schism/";
  if (!line.starts_with(begin)) return {};
  return line.substr(begin.size(), line.find('"', begin.size()) - begin.size());
}

Graph read_graph() {
  Graph out;
  const fs::path root = fs::path(places::kSource) / "schism";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string file = fs::relative(entry.path(), root).string();
    const bool source = file.ends_with(".hpp") || file.ends_with(".cpp");
    if (!source || file.ends_with("_test.cpp")) continue;
    std::ifstream text(entry.path());
    for (std::string line; std::getline(text, line);) {
      const std::string other = included(line);
      if (!other.empty() && folder_of(other) != folder_of(file))
        out[folder_of(file)].try_emplace(folder_of(other), Include{file, other});
    }
  }
  return out;
}

// The way back to a folder that is being visited, as text; empty: there is none.
std::string cycle_from(const Graph& graph, const std::string& folder, std::vector<std::string>& way,
                       std::set<std::string>& done) {
  if (done.contains(folder)) return {};
  for (std::size_t i = 0; i < way.size(); ++i) {
    if (way[i] != folder) continue;
    std::string out;
    for (std::size_t k = i; k < way.size(); ++k) {
      const auto& [from, to] = graph.at(way[k]).at(k + 1 < way.size() ? way[k + 1] : folder);
      out += from + " includes " + to + "\n";
    }
    return out;
  }
  way.push_back(folder);
  if (const auto next = graph.find(folder); next != graph.end())
    for (const auto& [other, include] : next->second)
      if (auto found = cycle_from(graph, other, way, done); !found.empty()) return found;
  way.pop_back();
  done.insert(folder);
  return {};
}

TEST(Folders, FormNoCycle) {
  const Graph graph = read_graph();
  EXPECT_GT(graph.size(), 20U) << "the sources were not found";
  std::set<std::string> done;
  for (const auto& [folder, others] : graph) {
    std::vector<std::string> way;
    EXPECT_EQ(cycle_from(graph, folder, way, done), "");
  }
}

TEST(Folders, ACycleIsSeen) {
  const Graph graph = {{"a", {{"b", {"a/x.hpp", "b/y.hpp"}}}},
                       {"b", {{"c", {"b/y.hpp", "c/z.hpp"}}}},
                       {"c", {{"b", {"c/z.hpp", "b/w.hpp"}}}}};
  std::vector<std::string> way;
  std::set<std::string> done;
  EXPECT_EQ(cycle_from(graph, "a", way, done),
            "b/y.hpp includes c/z.hpp\nc/z.hpp includes b/w.hpp\n");
}

// Words are a leaf: everybody speaks them, and they know nobody.
TEST(Folders, WordsStandOnTheBaseAlone) {
  const Graph graph = read_graph();
  for (const auto& [other, include] : graph.at("words"))
    EXPECT_EQ(other, "base") << include.from << " includes " << include.to;
  EXPECT_FALSE(graph.contains("base")) << graph.at("base").begin()->second.from;
}

}  // namespace
}  // namespace schism::e2e
