// Every word of every system means something there: it is a condition whose types, fields and
// values exist.
#include <gtest/gtest.h>

#include "schism/scenario/parse.hpp"
#include "schism/scenario/staged.hpp"
#include "schism/scenario/vocabulary.hpp"
#include "schism/system/systems.hpp"

namespace schism::scenario {
namespace {

TEST(Words, OfEverySystemExist) {
  std::size_t with = 0;
  for (const auto& system : systems().sorted()) {
    const Vocabulary& vocabulary = vocabulary_of(system->name);
    with += vocabulary.words.empty() ? 0 : 1;
    for (const NamedCondition& word : vocabulary.words) {
      Scenario s;
      s.name = system->name + " " + word.name;
      s.run.system.name = system->name;
      Cond named;
      named.kind = Cond::named, named.name = word.name;
      Term one;
      one.kind = Term::number, one.value = 1;
      named.terms.assign(word.parameters.size(), one);
      s.filters.push_back({"f", named, {}, {}});
      const auto config = configure(s);
      EXPECT_TRUE(config) << config.error();
      EXPECT_FALSE(word.meaning.empty());
      if (config) {
        EXPECT_TRUE(program_of(*config)->contradictions.empty()) << s.name;
      }
    }
  }
  // All that are protocols; `tokens` and `cube-world` are for measuring and learning.
  EXPECT_GE(with, 13U);
}

}  // namespace
}  // namespace schism::scenario
