#include "schism/cli/program.hpp"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>

#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"

namespace schism {
namespace cli {
namespace {

// A name from a file may be megabytes long; what is wrong stands before it or is lost anyway.
constexpr std::size_t kSentenceMax = 2000;

std::atomic<bool> g_interrupted{false};
std::string g_program = "schism";

extern "C" void on_interrupt(int) {
  if (g_interrupted.exchange(true)) ::_exit(kInterrupted);
}

}  // namespace

int bad_input(const std::string& what) {
  flush_out();
  say_aside("schism: {}\n", clip(what, kSentenceMax));
  return kBadInput;
}

ColorFlag::ColorFlag(Flags& flags) {
  flags.option("--color", when_, "auto, always or never").one_of({"auto", "always", "never"});
}

bool ColorFlag::wanted(int descriptor) const {
  if (when_ != "auto") return when_ == "always";
  return ::isatty(descriptor) != 0 && std::getenv("NO_COLOR") == nullptr;
}

const std::atomic<bool>& interrupted() { return g_interrupted; }

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

const std::string& program_name() { return g_program; }

int terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
    return std::min<int>(size.ws_col, 200);
  return 100;
}

}  // namespace cli

int run_program(int argc, char** argv) {
  cli::occupy_standard_files();
  if (argc > 0) cli::g_program = argv[0];
  try {
    return cli::exit_code_after_output(cli::run_command_line(argc, argv));
  } catch (const std::bad_alloc&) {
    cli::say_aside("schism: no memory left\n");
    return cli::kBadInput;
  } catch (const std::exception& e) {
    cli::say_aside("schism: our own bug, please report it: {}\n", e.what());
    return cli::kOwnBug;
  }
}

}  // namespace schism
