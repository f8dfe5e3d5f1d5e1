// What the messages of a set of runs look like and which of their fields can be compared: all that
// bug isolation has to know about a system. Read from a TOML file for logs from elsewhere, made
// from the declared fields for systems of our own.
//
//   Result<Schema> s = parse_schema(text, "experiments/xrpl-isolation.toml");
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schism/base/enum.hpp"
#include "schism/base/result.hpp"

namespace schism::isolate {

SCHISM_ENUM(FieldType, integer, number, boolean, text);

// The comparisons of a left and a right value, a bit each.
enum Operator : std::uint8_t { kEqual = 1, kUnequal = 2, kLess = 4, kGreater = 8 };
std::string_view operator_text(Operator op);

inline constexpr int kProcessesMax = 64;  // a set of senders is a word

struct Kind {
  std::string name;
  FieldType type = FieldType::integer;
  std::vector<Operator> operators;  // in the order of the predicates
};

struct Field {
  std::string name, key;  // the key in messages that are objects
  int at = 0;             // the place in messages that are lists
  int kind = 0;
  bool optional = false;   // a missing one counts as 0 or ""
  bool leave_out = false;  // predicates on it exist but are not ranked
};

struct Verb {
  std::string name, tag;
  // Runs played here: the field that says who it is from, where others pass it on; it then counts
  // when it first arrives. Empty: from whom it came.
  std::string signer = {};
  std::vector<Field> fields;
};

// Its receivers consider only messages of its members; processes are counted within the members.
struct Group {
  std::string name;
  std::uint64_t members = 0, receivers = 0;
};

// Where a line holds what.
struct RunKeys {
  std::string name = "run", failed = "failed", inbox = "inbox", bugs, branches, faults;
  std::vector<std::string> failed_words;  // the outcome is a text, and these are failures
  std::vector<std::string> fold;
};

struct MessageShape {
  bool list = true;
  int verb_at = 0, sender_at = 1;
  std::string verb_key, sender_key;
};

struct Schema {
  int processes = 0;
  RunKeys run;
  MessageShape message;
  std::vector<Group> groups;  // never empty
  std::vector<Kind> kinds;
  std::vector<Verb> verbs;
  int threshold_low = 1, threshold_high = 1;  // equal messages from so many senders
  int tolerance_low = 0, tolerance_high = 0;  // at more than so many processes
  int assertions = 3;

  int thresholds() const { return threshold_high - threshold_low + 1; }
  int tolerances() const { return tolerance_high - tolerance_low + 1; }
  // The senders that a process considers.
  std::uint64_t heard_by(int process) const;
};

// `name` is for messages: "file.toml, line 3: ...".
Result<Schema> parse_schema(std::string_view text, const std::string& name);
Result<Schema> read_schema(const std::string& path);

}  // namespace schism::isolate
