#include "schism/tla/operators.hpp"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

namespace schism::tla {
namespace {

constexpr Fixity kPrefix[] = {{"~", 4, 4},          {"[]", 4, 15},    {"<>", 4, 15},
                              {"ENABLED", 4, 15},   {"SUBSET", 8, 8}, {"UNION", 8, 8},
                              {"UNCHANGED", 4, 15}, {"DOMAIN", 9, 9}, {"-", 12, 12}};

constexpr Fixity kInfix[] = {{"=>", 1, 1},
                             {"-+->", 2, 2},
                             {"<=>", 2, 2},
                             {"~>", 2, 2},
                             {"/\\", 3, 3, true},
                             {"\\/", 3, 3, true},
                             {"=", 5, 5},
                             {"/=", 5, 5},
                             {"<", 5, 5},
                             {">", 5, 5},
                             {"<=", 5, 5},
                             {">=", 5, 5},
                             {"\\in", 5, 5},
                             {"\\notin", 5, 5},
                             {"\\subseteq", 5, 5},
                             {"\\subset", 5, 5},
                             {"\\supseteq", 5, 5},
                             {"\\supset", 5, 5},
                             {"\\prec", 5, 5},
                             {"\\preceq", 5, 5},
                             {"\\succ", 5, 5},
                             {"\\succeq", 5, 5},
                             {"\\sqsubset", 5, 5},
                             {"\\sqsubseteq", 5, 5},
                             {"\\sqsupset", 5, 5},
                             {"\\sqsupseteq", 5, 5},
                             {"\\ll", 5, 5},
                             {"\\gg", 5, 5},
                             {"\\sim", 5, 5},
                             {"\\simeq", 5, 5},
                             {"\\approx", 5, 5},
                             {"\\asymp", 5, 5},
                             {"\\cong", 5, 5},
                             {"\\doteq", 5, 5},
                             {"\\propto", 5, 5},
                             {"|-", 5, 5},
                             {"-|", 5, 5},
                             {"|=", 5, 5},
                             {"=|", 5, 5},
                             {"::=", 5, 5},
                             {":=", 5, 5},
                             {"\\cdot", 5, 14, true},
                             {"@@", 6, 6, true},
                             {":>", 7, 7},
                             {"<:", 7, 7},
                             {"\\", 8, 8},
                             {"\\cap", 8, 8, true},
                             {"\\cup", 8, 8, true},
                             {"..", 9, 9},
                             {"...", 9, 9},
                             {"!!", 9, 13},
                             {"##", 9, 13, true},
                             {"$", 9, 13, true},
                             {"$$", 9, 13, true},
                             {"??", 9, 13, true},
                             {"\\sqcap", 9, 13, true},
                             {"\\sqcup", 9, 13, true},
                             {"\\uplus", 9, 13, true},
                             {"\\wr", 9, 14},
                             {"+", 10, 10, true},
                             {"++", 10, 10, true},
                             {"(+)", 10, 10, true},
                             {"%", 10, 11},
                             {"%%", 10, 11, true},
                             {"|", 10, 11, true},
                             {"||", 10, 11, true},
                             {"\\X", 10, 13, true},
                             {"-", 11, 11, true},
                             {"--", 11, 11, true},
                             {"(-)", 11, 11, true},
                             {"&", 13, 13, true},
                             {"&&", 13, 13, true},
                             {"(.)", 13, 13, true},
                             {"(/)", 13, 13},
                             {"(\\X)", 13, 13, true},
                             {"*", 13, 13, true},
                             {"**", 13, 13, true},
                             {"/", 13, 13},
                             {"//", 13, 13},
                             {"\\bigcirc", 13, 13, true},
                             {"\\bullet", 13, 13, true},
                             {"\\div", 13, 13},
                             {"\\o", 13, 13, true},
                             {"\\star", 13, 13, true},
                             {"^", 14, 14},
                             {"^^", 14, 14}};

constexpr std::string_view kReserved[] = {
    "ASSUME",   "ASSUMPTION", "AXIOM",   "CASE",        "CHOOSE",    "CONSTANT",  "CONSTANTS",
    "DOMAIN",   "ELSE",       "ENABLED", "EXCEPT",      "EXTENDS",   "IF",        "IN",
    "INSTANCE", "LET",        "LOCAL",   "MODULE",      "OTHER",     "SF_",       "SUBSET",
    "THEN",     "THEOREM",    "LEMMA",   "PROPOSITION", "COROLLARY", "UNCHANGED", "UNION",
    "VARIABLE", "VARIABLES",  "WF_",     "WITH",        "LAMBDA",    "RECURSIVE", "PROOF",
    "BY",       "OBVIOUS",    "OMITTED", "QED",         "USE",       "HIDE"};

template <class Table>
auto index_of(const Table& table) {
  absl::flat_hash_map<std::string_view, const Fixity*> out;
  for (const Fixity& f : table) out.emplace(f.name, &f);
  return out;
}

}  // namespace

const Fixity* prefix_operator(std::string_view name) {
  static const auto table = index_of(kPrefix);
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

const Fixity* infix_operator(std::string_view name) {
  static const auto table = index_of(kInfix);
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

bool is_postfix_operator(std::string_view name) {
  return name == "'" || name == "^+" || name == "^*" || name == "^#";
}

bool is_reserved(std::string_view word) {
  static const absl::flat_hash_set<std::string_view> words(std::begin(kReserved),
                                                           std::end(kReserved));
  return words.contains(word);
}

}  // namespace schism::tla
