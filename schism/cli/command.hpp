// What the verbs of the program share: exit codes, flags that decide a run, colour, interruption.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "schism/base/shell.hpp"
#include "schism/cli/verb.hpp"
#include "schism/run/config.hpp"

namespace schism::cli {

enum Exit : int {
  kFine = 0,  // nothing wrong found
  kViolation = 1,
  kBadInput = 2,
  kInconclusive = 3,
  kOwnBug = 70,
  kInterrupted = 130,
};

// One line on standard error; the exit code for it.
int bad_input(const std::string& what);

// Flags that decide a run, with a TOML file of the same keys behind them.
class RunFlags {
 public:
  explicit RunFlags(Flags& flags);
  // Flags, then what the file says, then defaults.
  Result<RunText> text() const;
  const std::string& system() const { return system_; }  // as it was written
  // Other keys that the verb allows in the file, as they were written there.
  Result<Pairs> file_values() const;
  void allow_in_file(std::vector<std::string> keys) { also_ = std::move(keys); }
  void need_system(bool needed) { needs_system_ = needed; }
  void read_from(std::string file) { config_ = std::move(file); }

 private:
  struct FromFile {
    RunText text;
    Pairs others;
  };
  const Result<FromFile>& from_file() const;  // read once: it may be standard input
  Result<FromFile> read_file() const;

  std::string system_, nodes_, liars_, explorer_, steps_, tail_, config_, scenario_;
  std::vector<std::string> bugs_, world_, faults_, mute_;
  std::vector<std::string> also_;
  bool needs_system_ = true;
  mutable std::optional<Result<FromFile>> file_;
};

// --color auto|always|never
class ColorFlag {
 public:
  explicit ColorFlag(Flags& flags);
  bool wanted(int descriptor) const;  // of standard output or error
  bool always() const { return when_ == "always"; }

 private:
  std::string when_ = "auto";
};

// Set by the first Ctrl-C; a second one ends the program.
const std::atomic<bool>& interrupted();
void catch_interrupts();

int terminal_width();
// How this program was called: printed commands can be pasted, also in a user's own program.
const std::string& program_name();

}  // namespace schism::cli
