#include "schism/words/death.hpp"

namespace schism {
namespace {

std::string stack(const Death& death) {
  std::string out;
  for (const std::string& frame : death.frames) out += (out.empty() ? " in " : " < ") + frame;
  return out;
}

}  // namespace

std::string Death::kind() const { return how + stack(*this); }

std::string Death::sentence() const {
  std::string out = how + (inside ? " at step " : " after step ") + std::to_string(step);
  out += stack(*this);
  if (!said.empty()) out += ": " + said;
  return out;
}

}  // namespace schism
