// A type that is described at run time (shape.hpp: describe), by a process that speaks of messages
// which this program was not built with. Its objects hold decoded values; worlds, traces and tools
// work with its TypeInfo as with any other.
//
//   auto vote = RecordType::make("Vote", *parse_json(R"({"record":{"term":{"natural":8}}})"));
//   (*vote)->info().to_value(object);
#pragma once

#include <deque>
#include <memory>

#include "schism/base/fields.hpp"
#include "schism/base/result.hpp"

namespace schism {

class RecordType {
 public:
  // It lives as long as objects of it do, at one place: its address is its identity.
  static Result<std::unique_ptr<const RecordType>> make(std::string name, const Value& shape);

  const TypeInfo& info() const { return info_; }
  RecordType(const RecordType&) = delete;
  RecordType& operator=(const RecordType&) = delete;

 private:
  RecordType() = default;
  Result<const FieldType*> read(const Value& shape, int depth);
  Status read_parts(const Value& shape, int depth, FieldType& out);
  void fill_info();

  std::string name_, field_names_;
  std::deque<FieldType> types_;
  std::deque<std::vector<FieldInfo>> fields_;
  std::deque<std::string> texts_;
  TypeInfo info_{};
};

// The content of a value of that type, nodes called otherwise or as they are.
Hash128 absorb_shaped(Hash128 h, const FieldType& type, const Value& value,
                      const Renaming* renaming = nullptr);

}  // namespace schism
