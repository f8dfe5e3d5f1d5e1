// The words that a system brings to scenarios: what its nodes announce and answer, so that a
// condition over it can be checked before any run, and named conditions of its own (Table 3.4 of
// the Netrix paper). One file beside the system:
//
//   const Registration words = vocabulary("raft").announces<StateChange, Commit>().word(
//       "becomes-leader", {}, "announced StateChange and .new_state = StateLeader", "a node wins");
#pragma once

#include <string>
#include <vector>

#include "schism/base/fields.hpp"
#include "schism/base/registry.hpp"

namespace schism::scenario {

struct NamedCondition {
  std::string name;
  std::vector<std::string> parameters;  // $name in the text
  std::string text, meaning;
};

struct Vocabulary {
  std::vector<const TypeInfo*> announcements, answers;
  std::vector<NamedCondition> words;

  const NamedCondition* find(std::string_view name) const;
  std::vector<std::string> names() const;
};

// Of a system that brought none: empty.
const Vocabulary& vocabulary_of(const std::string& system);

class VocabularyBuilder {
 public:
  explicit VocabularyBuilder(std::string system) : system_(std::move(system)) {}

  template <class... A>
  VocabularyBuilder& announces() {
    (words_.announcements.push_back(&type_info<A>()), ...);
    return *this;
  }
  template <class... A>
  VocabularyBuilder& answers() {
    (words_.answers.push_back(&type_info<A>()), ...);
    return *this;
  }
  VocabularyBuilder& word(std::string name, std::vector<std::string> parameters, std::string text,
                          std::string meaning) {
    words_.words.push_back(
        {std::move(name), std::move(parameters), std::move(text), std::move(meaning)});
    return *this;
  }
  operator Registration();  // NOLINT: `const Registration x = vocabulary(…)…;`

 private:
  std::string system_;
  Vocabulary words_;
};

inline VocabularyBuilder vocabulary(std::string system) {
  return VocabularyBuilder(std::move(system));
}

}  // namespace schism::scenario
