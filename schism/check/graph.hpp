// The states that a search by state has met and the steps between them, as a file: JSON, or DOT for
// Graphviz. What is met goes to nameless temporary files at once, a pair for each search of the
// outer loop, whichever process does it; the file is put together from them at the end. States are
// numbered within their search in the order in which they were met, so the file is the same on any
// number of workers.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "schism/base/enum.hpp"
#include "schism/check/world_model.hpp"

namespace schism::check {

SCHISM_ENUM(GraphFormat, json, dot);

// Of one search.
class GraphPart {
 public:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  GraphPart(GraphFormat format, std::size_t number);
  bool good() const { return states_ && edges_; }

  // Everything so far is forgotten: the search begins anew.
  void clear();
  // The state where the model stands, and its last step, which led there from another; its number.
  std::uint32_t met(const Hash128& key, WorldModel& model, std::uint32_t from);
  void flush();
  // The text so far, piece by piece.
  using Copy = std::function<void(std::string_view)>;
  void states(const Copy& copy) const { read(states_.get(), copy); }
  void edges(const Copy& copy) const { read(edges_.get(), copy); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, Close>;
  static void read(std::FILE* file, const Copy& copy);
  void write_state(std::uint32_t id, WorldModel& model);
  void write_edge(std::uint32_t from, std::uint32_t to, WorldModel& model);

  GraphFormat format_;
  std::size_t number_;
  File states_, edges_;
  bool any_edge_ = false;
  absl::flat_hash_map<Hash128, std::uint32_t> ids_;
  absl::flat_hash_set<Hash128> drawn_;  // edges: equal messages lead the same way
};

// Of a whole check.
class Graph {
 public:
  Graph(GraphFormat format, std::size_t parts);
  Status check() const;
  GraphPart& part(std::size_t number) { return parts_[number]; }
  // What came of it, and the first so many parts, each with what it is about.
  Status write(const std::string& path, const Value& about,
               const std::vector<Value>& searches) const;

 private:
  GraphFormat format_;
  std::vector<GraphPart> parts_;
};

}  // namespace schism::check
