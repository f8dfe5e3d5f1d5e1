// Histories as files: JSON lines and Jepsen-style EDN, in and out. An event is a map; the order of
// the events is real time. docs/linearizability.md has the formats in full.
//
//   {"process":0,"type":"invoke","f":"write","key":"x","value":3}      {:process 0, :type :invoke,
//   {"process":0,"type":"ok"}                                           :f :write, :value [:x 3]}
//
//   Result<History> h = read_history(text);   // error: "line 7: process 2 invokes while ..."
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "schism/base/result.hpp"
#include "schism/linearize/history.hpp"

namespace schism::linearize {

SCHISM_ENUM(Format, automatic, json, edn);
// What a history is of, and so which operations it may hold. `any` is told from the operations
// (docs/linearizability.md has the table); a history of reads alone is one of registers.
SCHISM_ENUM(Model, any, register_, cas_register, key_value, queue, mutex, owned_mutex, set, list,
            multi_register, list_append, rw_register);
// As users write them, `register` without the dash below, each with a line that says what it is.
struct ModelWord {
  std::string_view name;
  Model model;
  std::string_view what;
};
std::span<const ModelWord> model_words();
// Whether values are Jepsen's independent tuples [key value]. Automatic: when no event has a key
// and every invocation looks like one: [k nil] of a read, a dequeue, an acquire or a release, [k v]
// of a write and the like, [k [old new]] of a cas. Transactions have none.
SCHISM_ENUM(Tuples, automatic, yes, no);

struct ReadOptions {
  Format format = Format::automatic;
  Model model = Model::any;
  Tuples tuples = Tuples::automatic;
};

// Never fails but with one sentence that begins with the line. Marks of operations are lines.
Result<History> read_history(std::string_view text, const ReadOptions& options = {});

std::string to_json_lines(const History& history);
std::string to_edn(const History& history);

}  // namespace schism::linearize
