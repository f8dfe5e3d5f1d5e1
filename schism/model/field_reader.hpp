// A place in a message or a node, read as a value of TLA+: "term", "snapshot.index",
// "entries[].term" (of each entry its term). Numbers and nodes are integers, words and texts
// strings, lists tuples, records records; an empty optional is the model value none.
#pragma once

#include <string_view>
#include <vector>

#include "schism/base/fields.hpp"
#include "schism/base/hash.hpp"
#include "schism/base/result.hpp"
#include "schism/tla/store.hpp"

namespace schism::model {

// A decoded value in TLA+.
tla::Value to_tla(const Value& value, tla::Store& store);

// A name for a row of words: two lanes that mix little, but all of it before they are used.
struct Gist {
  std::uint64_t lo = 0x2545f4914f6cdd1dULL, hi = 0x6a09e667f3bcc909ULL;
  void add(std::uint64_t word) {
    lo = (rotate_left(lo, 23) ^ word) * 0x9e3779b97f4a7c15ULL;
    hi = (rotate_left(hi, 41) + word) * 0xd6e8feb86659fd93ULL;
  }
  Hash128 hash() const { return {mix64(lo), mix64(hi)}; }
};

class FieldReader {
 public:
  // An error names what there is instead.
  static Result<FieldReader> parse(const TypeInfo& type, std::string_view text);

  // What decides the value, without making it.
  void add_to(Gist& gist, const void* object) const;
  tla::Value read(const void* object, tla::Store& store) const;

 private:
  struct Step {
    bool each = false;  // of a list; else a field
    std::size_t field = 0;
    const FieldType* from = nullptr;
    bool member = false;
    mutable std::int64_t offset = -1;  // of a member, once it was met
  };
  static const void* enter(const Step& step, const void* place);
  void add_at(Gist& gist, const void* place, std::size_t step) const;
  tla::Value read_at(const void* place, std::size_t step, tla::Store& store) const;

  std::vector<Step> steps_;
  const FieldType* last_ = nullptr;
  bool is_number_ = false;            // always at the same place of the object
  mutable std::int64_t offset_ = -1;  // then, once it was met
};

}  // namespace schism::model
