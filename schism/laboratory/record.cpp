#include "schism/laboratory/record.hpp"

#include <algorithm>

namespace schism {

const Curve* Record::curve(std::string_view name) const {
  const auto at = std::find_if(curves.begin(), curves.end(),
                               [&](const Curve& curve) { return curve.name == name; });
  return at == curves.end() ? nullptr : &*at;
}

Record Record::timeless() const {
  Record out = *this;
  out.at.cpu = out.total.cpu = out.seconds = 0;
  return out;
}

}  // namespace schism
