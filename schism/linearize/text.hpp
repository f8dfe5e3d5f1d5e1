// Histories as files: JSON lines and Jepsen-style EDN, in and out. An event is a map; the order of
// the events is real time. docs/linearizability.md has the formats in full.
//
//   {"process":0,"type":"invoke","f":"write","key":"x","value":3}      {:process 0, :type :invoke,
//   {"process":0,"type":"ok"}                                           :f :write, :value [:x 3]}
//
//   Result<History> h = read_history(text);   // error: "line 7: process 2 invokes while ..."
#pragma once

#include <string>
#include <string_view>

#include "schism/base/result.hpp"
#include "schism/linearize/history.hpp"

namespace schism::linearize {

SCHISM_ENUM(Format, automatic, json, edn);
// Which operations a history may hold. All are judged alike: a key is a register of its own.
//   any               read (get), write (put), cas; keys as they come
//   register_         read and write only
//   cas_register      read, write, cas
//   key_value         get (read), put (write), cas, each with a key
SCHISM_ENUM(Model, any, register_, cas_register, key_value);
// Whether values are Jepsen's independent tuples [key value]. Automatic: when no event has a key
// and every invocation looks like one: [k nil] of a read, [k v] of a write, [k [old new]] of a cas.
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
