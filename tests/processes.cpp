#include "processes.hpp"

#include <chrono>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace schism::e2e {
namespace {

// A set of signals in the status of a process.
bool in_set(pid_t pid, const std::string& set, int signal) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(set + ":"))
      return (std::stoull(line.substr(set.size() + 1), nullptr, 16) >> (signal - 1) & 1) != 0;
  return false;
}

}  // namespace

bool soon(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(10);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

std::vector<pid_t> children_of(pid_t parent) {
  const std::string id = std::to_string(parent);
  std::ifstream file("/proc/" + id + "/task/" + id + "/children");
  return {std::istream_iterator<pid_t>(file), {}};
}

std::vector<pid_t> players_of(pid_t director) {
  std::vector<pid_t> out;
  for (const pid_t zygote : children_of(director))
    for (const pid_t player : children_of(zygote)) out.push_back(player);
  return out;
}

bool alive(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string id, name, state;
  return file >> id >> name >> state && state != "Z";
}

bool minds(pid_t pid, int signal) {
  return !alive(pid) || in_set(pid, "SigCgt", signal) || in_set(pid, "SigIgn", signal);
}

bool is_pending(pid_t pid, int signal) {
  return in_set(pid, "SigPnd", signal) || in_set(pid, "ShdPnd", signal);
}

}  // namespace schism::e2e
