// A place in a message or a node, read as a value of TLA+: "term", "snapshot.index",
// "entries[].term" (of each entry its term). Numbers and nodes are integers, words and texts
// strings, lists tuples, records records; an empty optional is the model value none.
#pragma once

#include <string_view>
#include <vector>

#include "schism/base/fields.hpp"
#include "schism/base/result.hpp"
#include "schism/tla/store.hpp"

namespace schism::model {

// A decoded value in TLA+.
tla::Value to_tla(const Value& value, tla::Store& store);

class FieldReader {
 public:
  // An error names what there is instead.
  static Result<FieldReader> parse(const TypeInfo& type, std::string_view text);

  // What decides the value, without making it.
  Hash128 absorb_into(Hash128 h, const void* object) const;
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
  Hash128 absorb_at(Hash128 h, const void* place, std::size_t step) const;
  tla::Value read_at(const void* place, std::size_t step, tla::Store& store) const;

  std::vector<Step> steps_;
  const FieldType* last_ = nullptr;
};

}  // namespace schism::model
