#include "schism/cli/verb.hpp"

#include <tuple>

namespace schism::cli {
namespace {

// Function-local, so that it exists before the first static object that registers.
std::vector<Verb>& table() {
  static std::vector<Verb> verbs;
  return verbs;
}

}  // namespace

const std::vector<Verb>& verbs() { return table(); }

Registration add_verb(Verb verb) {
  auto at = table().begin();
  for (auto it = table().begin(); it != table().end(); ++it) {
    if (it->name == verb.name)
      registration_error("the verb \"" + verb.name + "\" is registered twice");
    if (std::tie(it->rank, it->name) < std::tie(verb.rank, verb.name)) at = it + 1;
  }
  table().insert(at, std::move(verb));
  return {};
}

}  // namespace schism::cli
