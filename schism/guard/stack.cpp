#include "schism/guard/stack.hpp"

#include <cxxabi.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace schism::guard {
namespace {

constexpr std::size_t kNamed = 4;  // frames that tell two crashes apart

class Symbols {
 public:
  Symbols() : dwfl_(::dwfl_begin(&callbacks_)) {
    if (!dwfl_) return;
    ::dwfl_report_begin(dwfl_);
    ::dwfl_linux_proc_report(dwfl_, ::getpid());
    ::dwfl_report_end(dwfl_, nullptr, nullptr);
  }
  ~Symbols() {
    if (dwfl_) ::dwfl_end(dwfl_);
  }
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  struct Frame {
    std::string library, name;  // name: empty where there is no symbol
    std::uint64_t offset = 0;   // in the library
  };
  Frame look_up(Dwarf_Addr address) const {
    Frame frame;
    Dwfl_Module* module = dwfl_ ? ::dwfl_addrmodule(dwfl_, address) : nullptr;
    if (!module) return frame;
    Dwarf_Addr start = 0;
    if (const char* path = ::dwfl_module_info(module, nullptr, &start, nullptr, nullptr, nullptr,
                                              nullptr, nullptr)) {
      const std::string_view all = path;
      frame.library = all.substr(all.find_last_of('/') + 1);
    }
    frame.offset = address - start;
    if (const char* name = ::dwfl_module_addrname(module, address)) frame.name = plain(name);
    return frame;
  }

 private:
  // "Toy::on" of "_ZN3Toy2onER...": arguments do not fit a line.
  static std::string plain(const char* name) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> demangled(
        abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
    if (status != 0 || !demangled) return name;
    std::string out;
    int depth = 0;  // inside template arguments
    constexpr std::string_view anonymous = "(anonymous namespace)::";
    for (std::string_view rest = demangled.get(); !rest.empty(); rest.remove_prefix(1)) {
      if (rest.starts_with(anonymous)) {
        rest.remove_prefix(anonymous.size() - 1);
        continue;
      }
      if (rest.front() == '(' && depth == 0) break;
      if (rest.front() == '<') ++depth;
      else if (rest.front() == '>') --depth;
      else if (depth == 0) out += rest.front();
    }
    return out;
  }

  static inline char* no_path_ = nullptr;
  static constexpr Dwfl_Callbacks callbacks_ = {::dwfl_linux_proc_find_elf,
                                                ::dwfl_standard_find_debuginfo, nullptr, &no_path_};
  Dwfl* dwfl_;
};

bool carries_an_abort(const Symbols::Frame& frame) {
  for (const char* library : {"libc.so", "libstdc++.so", "libgcc_s.so", "libasan.so", "linux-vdso"})
    if (frame.library.find(library) != std::string::npos) return true;
  return frame.name.starts_with("__asan") || frame.name.starts_with("__interceptor") ||
         frame.name.starts_with("std::");
}

bool is_engine(const Symbols::Frame& frame) {
  for (const char* name :
       {"schism::SimWorld::", "schism::detail::", "schism::Runner::", "schism::node_class"})
    if (frame.name.find(name) != std::string::npos) return true;
  return frame.name == "main";
}

}  // namespace

std::vector<std::string> system_frames(std::span<void* const> stack) {
  const Symbols symbols;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < stack.size() && out.size() < kNamed; ++i) {
    // A return address is behind its call, which may be the last instruction of its function.
    const auto address = reinterpret_cast<Dwarf_Addr>(stack[i]) - (i > 0 ? 1 : 0);
    const Symbols::Frame frame = symbols.look_up(address);
    if (is_engine(frame)) break;
    if (out.empty() && carries_an_abort(frame)) continue;
    if (!frame.name.empty()) out.push_back(frame.name);
    else if (!frame.library.empty())
      out.push_back(fmt::format("{}+{:#x}", frame.library, frame.offset));
    else out.push_back(stack[i] == nullptr ? "a null function" : "unknown code");
  }
  return out;
}

}  // namespace schism::guard
