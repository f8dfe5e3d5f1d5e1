// A verb of the program: one file, which registers it.
//
//   struct ShowFlags { explicit ShowFlags(Flags& flags); ... };
//   int run_show(const ShowFlags& f);
//   const Registration registered = verb<ShowFlags>(50, "show", "draw a trace", run_show);
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "schism/base/registry.hpp"
#include "schism/cli/flags.hpp"

namespace schism::cli {

struct Verb {
  int rank;  // its place in `schism --help`: as a newcomer would meet them
  std::string name, what;
  // Declares its flags and returns what runs it; its value is the exit code.
  std::function<std::function<int()>(Flags&)> declare;
};

const std::vector<Verb>& verbs();  // by rank
Registration add_verb(Verb verb);

// `run` takes the F that was made from the flags.
template <class F, class Run>
Registration verb(int rank, std::string name, std::string what, Run run) {
  return add_verb({rank, std::move(name), std::move(what), [run](Flags& flags) {
                     const auto f = std::make_shared<F>(flags);
                     return std::function<int()>([f, run] { return run(*f); });
                   }});
}

// Reads the words, runs the verb that they name; the exit code.
int run_command_line(int argc, char** argv);

}  // namespace schism::cli
