#include "schism/system/faults.hpp"

#include <algorithm>

namespace schism {

std::string fault_name(Fault kind) {
  std::string name(enum_name(kind));
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::uint32_t& budget_of(Faults& faults, Fault kind) {
  static constexpr std::uint32_t Faults::*kBudgets[] = {
      &Faults::drop,  &Faults::duplicate, &Faults::mutate,    &Faults::inject,     &Faults::crash,
      &Faults::pause, &Faults::cut,       &Faults::partition, &Faults::disk_error, &Faults::omit};
  static_assert(std::size(kBudgets) == enum_count<Fault>());
  return faults.*kBudgets[static_cast<std::size_t>(kind)];
}

std::uint32_t budget_of(const Faults& faults, Fault kind) {
  Faults copy = faults;
  return budget_of(copy, kind);
}

Do action_of(Fault kind) {
  switch (kind) {
    case Fault::drop: return Do::drop;
    case Fault::duplicate: return Do::duplicate;
    case Fault::mutate: return Do::mutate;
    case Fault::inject: return Do::inject;
    case Fault::crash: return Do::crash;
    case Fault::pause: return Do::pause;
    case Fault::cut: return Do::cut;
    case Fault::partition: return Do::begin;
    case Fault::disk_error: return Do::complete;
    case Fault::omit: return Do::omit;
  }
  return Do::nothing;
}

std::optional<Fault> fault_of(const Action& action) {
  switch (action.kind) {
    case Do::drop: return Fault::drop;
    case Do::duplicate: return Fault::duplicate;
    case Do::mutate: return Fault::mutate;
    case Do::inject: return Fault::inject;
    case Do::omit: return Fault::omit;
    case Do::crash: return Fault::crash;
    case Do::pause: return Fault::pause;
    case Do::cut: return Fault::cut;
    case Do::begin:
      if (macro_of(action) == Macro::partition) return Fault::partition;
      return std::nullopt;
    case Do::complete:
      if (action.name.copy() > 0) return Fault::disk_error;
      return std::nullopt;
    default: return std::nullopt;
  }
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
