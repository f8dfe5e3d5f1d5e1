// Where results are kept so that each counts once, whoever brings it and however often the program
// is killed: an order's key is the key of its row. Work is a function of its order, so that a
// second result is the same as the first; where it is not, something is not deterministic, both
// are kept, and the first counts.
//
// One seam for all that is kept of campaigns; SQLite is behind it, for one machine.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "schism/base/result.hpp"

namespace schism {

class Store {
 public:
  enum class Put { first, again, differs };

  virtual ~Store() = default;
  // `digest` is of all that must come out the same; nothing: it need not.
  virtual Result<Put> put(std::string_view key, std::string_view digest, std::string_view body) = 0;
  virtual Result<std::optional<std::string>> find(std::string_view key) = 0;
};

// Results of one build: those of another are kept beside them, and neither hides the other. The
// file is made where there is none; an empty path is memory that ends with the program.
Result<std::unique_ptr<Store>> open_sqlite(const std::string& path, const std::string& build);

// Of the program that is running, with all that is linked into it.
Result<std::string> build_of_program();

}  // namespace schism
