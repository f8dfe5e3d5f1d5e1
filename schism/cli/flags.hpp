// What a verb takes from the command line, declared as data. The library that reads command lines
// is behind command_line.cpp alone: its header takes longer to compile than any verb.
//
//   flags.option("trace", path, "a trace file, or - for standard input").required();
//   flags.option("--width", width, "columns (the terminal's)").within(40, 400);
//   flags.flag("--json", json, "for programs");
//   flags.example("schism show bug.trace", "the run as a picture of text");
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "schism/base/result.hpp"

namespace schism::cli {

struct Flag {
  // Where it goes; what is there stays if it is not given. A Boolean takes no value.
  using Into = std::variant<bool*, std::string*, std::vector<std::string>*, int*, std::uint64_t*>;

  std::string name;  // "--out", "-o,--out"; without a dash: the word at its place
  Into into;
  std::string help;
  std::vector<std::string> choices = {};  // none: any value
  std::optional<std::pair<int, int>> range = {};
  bool is_required = false, is_positive = false, is_hidden = false, takes_one = false;

  Flag& required() { return is_required = true, *this; }
  Flag& positive() { return is_positive = true, *this; }
  Flag& within(int low, int high) { return range = {low, high}, *this; }
  Flag& one_of(std::vector<std::string> words) { return choices = std::move(words), *this; }
  Flag& hidden() { return is_hidden = true, *this; }  // not in the help
  // Of a list: one value each time it is given, so that it does not swallow the words after it.
  Flag& one_each() { return takes_one = true, *this; }
};

class Flags {
 public:
  Flag& flag(std::string name, bool& into, std::string help) {
    return all_.emplace_back(Flag{std::move(name), &into, std::move(help)});
  }
  template <class T>
  Flag& option(std::string name, T& into, std::string help) {
    return all_.emplace_back(Flag{std::move(name), &into, std::move(help)});
  }
  // What stands below the flags in the help: commands as a person types them, and what exists.
  Flags& example(std::string command, std::string what) {
    examples_.emplace_back(std::move(command), std::move(what));
    return *this;
  }
  void note(std::function<std::string()> lines) { notes_.push_back(std::move(lines)); }
  std::string footer() const;

  Flag& at(std::string_view name);  // it must be there
  const std::deque<Flag>& all() const { return all_; }

 private:
  std::deque<Flag> all_;  // references stay
  std::vector<std::pair<std::string, std::string>> examples_;
  std::vector<std::function<std::string()>> notes_;
};

// Words as a program gets them, without its name.
Status read_words(const Flags& flags, std::vector<std::string> words);

}  // namespace schism::cli
