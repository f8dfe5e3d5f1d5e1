#include "schism/scenario/vocabulary.hpp"

#include <map>

namespace schism::scenario {
namespace {

std::map<std::string, Vocabulary>& all() {
  static std::map<std::string, Vocabulary> words;
  return words;
}

}  // namespace

const NamedCondition* Vocabulary::find(std::string_view name) const {
  for (const NamedCondition& word : words)
    if (word.name == name) return &word;
  return nullptr;
}

std::vector<std::string> Vocabulary::names() const {
  std::vector<std::string> out;
  for (const NamedCondition& word : words) out.push_back(word.name);
  return out;
}

const Vocabulary& vocabulary_of(const std::string& system) {
  static const Vocabulary none;
  const auto found = all().find(system);
  return found == all().end() ? none : found->second;
}

VocabularyBuilder::operator Registration() {
  if (!all().emplace(system_, words_).second)
    registration_error("two vocabularies for the system " + system_);
  return {};
}

}  // namespace schism::scenario
