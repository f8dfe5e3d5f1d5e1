// Which module has which operator that is not written in TLA+, and which modules there are.
#include <algorithm>

#include "schism/tla/library.hpp"

namespace schism::tla {
namespace {

constexpr Op kFn = Op::builtin;

constexpr BuiltinOperator kOperators[] = {
    {"Naturals", "+", 2, Op::add, {}},
    {"Naturals", "-", 2, Op::subtract, {}},
    {"Naturals", "*", 2, Op::multiply, {}},
    {"Naturals", "^", 2, Op::power, {}},
    {"Naturals", "<", 2, Op::less, {}},
    {"Naturals", ">", 2, Op::more, {}},
    {"Naturals", "<=", 2, Op::at_most, {}},
    {"Naturals", ">=", 2, Op::at_least, {}},
    {"Naturals", "..", 2, Op::interval, {}},
    {"Naturals", "\\div", 2, Op::divide, {}},
    {"Naturals", "%", 2, Op::modulo, {}},
    {"Naturals", "Nat", 0, kFn, Builtin::string_set},
    {"Integers", "Int", 0, kFn, Builtin::string_set},
    {"Integers", "-.", 1, Op::negate, {}},
    {"Reals", "Real", 0, kFn, Builtin::string_set},
    {"Reals", "/", 2, kFn, Builtin::real_divide},
    {"Sequences", "Seq", 1, kFn, Builtin::seq},
    {"Sequences", "Len", 1, kFn, Builtin::len},
    {"Sequences", "\\o", 2, kFn, Builtin::concat},
    {"Sequences", "Append", 2, kFn, Builtin::append},
    {"Sequences", "Head", 1, kFn, Builtin::head},
    {"Sequences", "Tail", 1, kFn, Builtin::tail},
    {"Sequences", "SubSeq", 3, kFn, Builtin::sub_seq},
    {"Sequences", "SelectSeq", 2, kFn, Builtin::select_seq},
    {"FiniteSets", "Cardinality", 1, kFn, Builtin::cardinality},
    {"FiniteSets", "IsFiniteSet", 1, kFn, Builtin::is_finite_set},
    {"TLC", ":>", 2, kFn, Builtin::singleton},
    {"TLC", "@@", 2, kFn, Builtin::merge},
    {"TLC", "Print", 2, kFn, Builtin::print},
    {"TLC", "PrintT", 1, kFn, Builtin::print_t},
    {"TLC", "Assert", 2, kFn, Builtin::assert_},
    {"TLC", "Permutations", 1, kFn, Builtin::permutations},
    {"TLC", "SortSeq", 2, kFn, Builtin::sort_seq},
    {"TLC", "ToString", 1, kFn, Builtin::to_string},
    {"TLC", "RandomElement", 1, kFn, Builtin::random_element},
    {"TLC", "TLCEval", 1, kFn, Builtin::tlc_eval},
    {"TLC", "TLCGet", 1, kFn, Builtin::tlc_get},
    {"TLC", "TLCSet", 2, kFn, Builtin::tlc_set},
    {"TLC", "JavaTime", 0, kFn, Builtin::java_time},
    {"TLC", "Any", 0, kFn, Builtin::any},
    {"TLCExt", "AssertError", 2, kFn, Builtin::assert_error},
    {"TLCExt", "TLCModelValue", 1, kFn, Builtin::model_value},
    {"TLCExt", "Trace", 0, kFn, Builtin::trace},
    {"TLCExt", "TLCDefer", 1, kFn, Builtin::level_only},
    {"TLCExt", "PickSuccessor", 1, kFn, Builtin::level_only},
    {"TLCExt", "TLCCache", 2, kFn, Builtin::tlc_eval},
    {"TLCExt", "TLCNoOp", 1, kFn, Builtin::tlc_eval},
    {"Randomization", "RandomSubset", 2, kFn, Builtin::random_subset},
    {"Randomization", "RandomSetOfSubsets", 3, kFn, Builtin::random_set_of_subsets},
    {"Bitwise", "&", 2, kFn, Builtin::bit_and},
    {"Bitwise", "|", 2, kFn, Builtin::bit_or},
    {"Bitwise", "^^", 2, kFn, Builtin::bit_xor},
    {"Bitwise", "shiftR", 2, kFn, Builtin::shift_right},
    {"IOUtils", "atoi", 1, kFn, Builtin::atoi},
    {"IOUtils", "IOEnv", 0, kFn, Builtin::io_env},
    {"IOUtils", "IOExec", 1, kFn, Builtin::refuse},
    {"IOUtils", "IOExecTemplate", 2, kFn, Builtin::refuse},
    {"IOUtils", "IOEnvExec", 2, kFn, Builtin::refuse},
    {"IOUtils", "IOEnvExecTemplate", 3, kFn, Builtin::refuse},
    {"IOUtils", "IOSerialize", 3, kFn, Builtin::refuse},
    {"IOUtils", "IODeserialize", 2, kFn, Builtin::refuse},
    {"IOUtils", "Serialize", 3, kFn, Builtin::refuse},
    {"IOUtils", "Deserialize", 2, kFn, Builtin::refuse},
    {"CSV", "CSVWrite", 3, kFn, Builtin::refuse},
    {"CSV", "CSVRead", 3, kFn, Builtin::refuse},
    {"CSV", "CSVRecords", 1, kFn, Builtin::refuse},
    {"Json", "JsonSerialize", 2, kFn, Builtin::refuse},
    {"Json", "JsonDeserialize", 1, kFn, Builtin::refuse},
    {"Json", "ndJsonSerialize", 2, kFn, Builtin::refuse},
    {"Json", "ndJsonDeserialize", 1, kFn, Builtin::refuse},
    // For the modules that are written in TLA+.
    {"SchismNative", "NativeFoldSet", 3, kFn, Builtin::fold_set},
    {"SchismNative", "NativeFoldSeq", 3, kFn, Builtin::fold_seq},
    {"SchismNative", "NativeSetToSeq", 1, kFn, Builtin::set_to_seq},
    {"SchismNative", "NativeKSubset", 2, kFn, Builtin::k_subset},
    {"SchismNative", "NativeIsABag", 1, kFn, Builtin::is_a_bag},
};

constexpr std::string_view kStandard[] = {"Naturals",   "Integers", "Reals", "Sequences",
                                          "FiniteSets", "Bags",     "TLC",   "SchismNative"};
// Known, and nothing in them: proofs, and what only draws or writes.
constexpr std::string_view kEmpty[] = {"TLAPS",
                                       "NaturalsInduction",
                                       "FiniteSetTheorems",
                                       "FunctionTheorems",
                                       "SequenceTheorems",
                                       "SequencesExtTheorems",
                                       "WellFoundedInduction",
                                       "FiniteSetsExtTheorems",
                                       "BagsTheorems",
                                       "JectionThm",
                                       "FunctionForkTheorems",
                                       "SVG",
                                       "Toolbox",
                                       "RealTime",
                                       "SequencesTheorems",
                                       "FiniteSetsExt_theorems",
                                       "SequenceOpTheorems",
                                       "PTL",
                                       "FunctionsTheorems"};

}  // namespace

std::span<const BuiltinOperator> builtin_operators() { return kOperators; }

bool is_standard_module(std::string_view name) {
  return std::find(std::begin(kStandard), std::end(kStandard), name) != std::end(kStandard);
}

bool is_builtin_module(std::string_view name) {
  if (is_standard_module(name)) return true;
  if (std::find(std::begin(kEmpty), std::end(kEmpty), name) != std::end(kEmpty)) return true;
  for (const BuiltinOperator& o : kOperators)
    if (o.module == name) return true;
  return !builtin_module_text(name).empty();
}

}  // namespace schism::tla
