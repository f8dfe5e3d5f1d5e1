#include "schism/guard/vigil.hpp"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace schism::guard {
namespace {

struct State {
  char letter = 'R';  // of /proc/PID/stat: R runs or waits for a processor
  Micros used = 0;
};

State state_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  State out;
  const auto name_end = text.rfind(')');  // the name may contain anything
  if (name_end == std::string::npos) return out;
  std::istringstream rest(text.substr(name_end + 1));
  std::string skipped;
  Micros user = 0, kernel = 0;
  rest >> out.letter;
  for (int i = 0; i < 10; ++i) rest >> skipped;
  rest >> user >> kernel;
  out.used = (user + kernel) * 1'000'000 / ::sysconf(_SC_CLK_TCK);
  return out;
}

std::uint64_t memory_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  std::uint64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

bool waits(const State& state) { return state.letter != 'R' && state.letter != 'D'; }

}  // namespace

bool is_asleep(pid_t pid) { return waits(state_of(pid)); }

void Vigil::begin() { begun_ = false; }

std::optional<Vigil::Reason> Vigil::look(const BlackBox& box, pid_t pid, std::uint64_t marks,
                                         Micros hang, bool stepping, std::uint64_t memory) {
  if (memory > 0 && memory_of(pid) > memory) return Reason::memory;
  const auto now = std::chrono::steady_clock::now();  // for the limit; it decides nothing else
  const State state = state_of(pid);
  const BlackBox::Position at = box.at();
  const bool same = begun_ && box.checksum() == seen_ && marks == seen_marks_ &&
                    at.run == at_.run && at.call == at_.call && at.inside == at_.inside;
  if (!same) {
    seen_ = box.checksum();
    seen_marks_ = marks;
    at_ = at;
    used_ = state.used;
    since_ = now;
    begun_ = true;
    return std::nullopt;
  }
  if (!at.inside && !stepping) return std::nullopt;
  // The process looks for itself, too, and can tell where it is: it comes first.
  const Micros allowed = hang * (at.inside ? 2 : 10);
  if (state.used - used_ > allowed) return Reason::hang;
  if (!waits(state)) return std::nullopt;
  return now - since_ > std::chrono::microseconds(allowed) ? std::optional(Reason::hang)
                                                           : std::nullopt;
}

}  // namespace schism::guard
