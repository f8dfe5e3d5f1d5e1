#include "schism/cli/print.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "schism/cli/command.hpp"
#include "schism/draw/story.hpp"

namespace schism::cli {
namespace {

int g_out_problem = 0;  // the first error of standard output

void remember() {
  if (g_out_problem == 0) g_out_problem = errno == 0 ? EIO : errno;
}

}  // namespace

std::string safe(const Shown& shown) {
  return printable_lines(shown.text, shown.color ? story_palette() : nullptr);
}

void put_out(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) remember();
}

void put_err(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void occupy_standard_files() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(file, F_GETFD) < 0)  // the lowest number that is free is this one
      ::open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void flush_out() {
  errno = 0;
  if (std::fflush(stdout) != 0) remember();
}

int exit_code_after_output(int code) {
  flush_out();
  if (g_out_problem == 0) return code;
  say_aside("schism: standard output: {}\n", std::strerror(g_out_problem));
  return kBadInput;
}

}  // namespace schism::cli
