#include "schism/system/faults.hpp"

#include <algorithm>

namespace schism {

std::string fault_name(Fault kind) {
  std::string name(enum_name(kind));
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::uint32_t budget_of(const Faults& faults, Fault kind) {
  switch (kind) {
    case Fault::drop: return faults.drop;
    case Fault::duplicate: return faults.duplicate;
    case Fault::mutate: return faults.mutate;
    case Fault::inject: return faults.inject;
    case Fault::crash: return faults.crash;
    case Fault::pause: return faults.pause;
    case Fault::cut: return faults.cut;
    case Fault::partition: return faults.partition;
    case Fault::disk_error: return faults.disk_error;
  }
  return 0;
}

std::vector<std::string> FaultKinds::names() const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < enum_count<Fault>(); ++i)
    if (has(static_cast<Fault>(i))) out.push_back(fault_name(static_cast<Fault>(i)));
  return out;
}

std::string FaultKinds::text() const {
  std::string out;
  for (const std::string& name : names()) out += (out.empty() ? "" : ", ") + name;
  return out.empty() ? "none" : out;
}

}  // namespace schism
