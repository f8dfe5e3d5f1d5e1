#include "schism/base/type_info.hpp"

namespace schism {

bool accepts(const TypeInfo& type, const Value& content) {
  if (!type.construct) return false;
  const std::align_val_t align{type.align};
  void* const object = ::operator new(type.size, align);
  type.construct(object);
  const bool good = type.from_value(content, object);
  if (type.destroy) type.destroy(object);
  ::operator delete(object, align);
  return good;
}

}  // namespace schism
