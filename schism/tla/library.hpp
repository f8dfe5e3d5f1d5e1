// Modules by name: the user's files beside the specification and on the search path, then those
// that are built in. A user's file wins over a community module, never over a standard one.
#pragma once

#include <string>
#include <vector>

#include "schism/base/result.hpp"
#include "schism/tla/parser.hpp"
#include "schism/tla/scope.hpp"

namespace schism::tla {

// An operator that is not written in TLA+.
struct BuiltinOperator {
  std::string_view module, name;
  int arity;  // -1: any
  Op op;
  Builtin builtin;
};
std::span<const BuiltinOperator> builtin_operators();

// The text of a module of ours, or nothing.
std::string_view builtin_module_text(std::string_view name);
bool is_standard_module(std::string_view name);  // may not be replaced by a file
bool is_builtin_module(std::string_view name);   // has operators, a text, or is known to be empty
std::vector<std::string_view> builtin_module_names();

// A module or a configuration. Larger ones than any person writes are refused before they are read.
inline constexpr std::size_t kSpecBytesMax = std::size_t{1} << 20;
Result<std::string> read_spec_file(const std::string& path);

class Library {
 public:
  Library(Symbols& symbols, std::vector<std::string> path)
      : symbols_(symbols), path_(std::move(path)) {}

  // The first module of a file is its main one. Throws Failure.
  Module* load_file(const std::string& path);
  Module* load_text(std::string_view text, const std::string& name);
  // Where `user` names the module that asks. Null: a module without a text of its own.
  Module* find(Symbol name, Location where);
  SyntaxArena& arena() { return arena_; }
  Symbols& symbols() { return symbols_; }

 private:
  std::optional<std::string> look_up(const std::string& name) const;
  Module* add(std::string_view text, const std::string& name);

  Symbols& symbols_;
  std::vector<std::string> path_;
  SyntaxArena arena_;
  absl::flat_hash_map<Symbol, Module*> modules_;
};

}  // namespace schism::tla
