#include "program.hpp"
#include "tests/places/places.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <sstream>
#include <stdexcept>

namespace schism::e2e {
namespace {

// A process that hangs fails its test instead of all of them. One that waits for a busy machine
// does not hang: time of its own is short, time on the wall is long.
constexpr rlim_t kOwnSecondsMax = 120;
constexpr unsigned kSecondsMax = 1200;

// Files in memory: no pipe that could fill up and block, nothing left behind.
int memory_file(const std::string& content) {
  const int file = ::memfd_create("stream", MFD_CLOEXEC);
  if (file < 0) throw std::runtime_error("memfd_create");
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t n = ::write(file, content.data() + done, content.size() - done);
    if (n <= 0) throw std::runtime_error("write");
    done += static_cast<std::size_t>(n);
  }
  ::lseek(file, 0, SEEK_SET);
  return file;
}

std::string content_of(int file) {
  std::string out;
  char buffer[65536];
  for (;;) {
    const ssize_t n = ::pread(file, buffer, sizeof buffer, static_cast<off_t>(out.size()));
    if (n <= 0) return out;
    out.append(buffer, static_cast<std::size_t>(n));
  }
}

std::string whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::ostream& operator<<(std::ostream& stream, const Outcome& o) {
  return stream << "\nexit code " << o.code << "\n--- standard output\n"
                << o.out << "\n--- standard error\n"
                << o.err << "---\n";
}

Process::Process(const std::string& folder, const Words& command, const std::string& input)
    : in_(memory_file(input)), out_(memory_file({})), err_(memory_file({})) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("fork");
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit own{kOwnSecondsMax, kOwnSecondsMax};
    ::setrlimit(RLIMIT_CPU, &own);
    ::alarm(kSecondsMax);
    ::dup2(in_, STDIN_FILENO);
    ::dup2(out_, STDOUT_FILENO);
    ::dup2(err_, STDERR_FILENO);
    // Tests that it runs are run whole, whatever part of these here is.
    ::unsetenv("GTEST_TOTAL_SHARDS");
    ::unsetenv("GTEST_SHARD_INDEX");
    if (::chdir(folder.c_str()) == 0) ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  running_ = true;
}

Process::~Process() {
  if (running_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  for (const int file : {in_, out_, err_}) ::close(file);
}

void Process::signal(int number) const { ::kill(pid_, number); }
std::string Process::out() const { return content_of(out_); }

Outcome Process::finish() {
  int status = 0;
  rusage usage{};
  ::wait4(pid_, &status, 0, &usage);
  running_ = false;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return {code, content_of(out_), content_of(err_),
          seconds(usage.ru_utime) + seconds(usage.ru_stime),
          static_cast<std::size_t>(usage.ru_maxrss) >> 10};
}

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "schism-test-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp");
  path_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
  std::filesystem::remove_all(path_, ignored);
}

Words Folder::files() const {
  Words out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path_))
    if (!entry.is_directory())
      out.push_back(std::filesystem::relative(entry.path(), path_).string());
  std::sort(out.begin(), out.end());
  return out;
}

Words Folder::traces() const {
  Words all = files();
  std::erase_if(all, [](const std::string& name) { return !name.ends_with(".trace"); });
  return all;
}

std::string Folder::read(const std::string& name) const { return whole(*this / name); }

void Folder::write(const std::string& name, const std::string& content) const {
  const std::filesystem::path path = *this / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << content;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

namespace {

Outcome run_in(const std::string& folder, const std::string& program, const Words& arguments,
               const std::string& input) {
  Words command = {program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return Process(folder, command, input).finish();
}

}  // namespace

Outcome Folder::run(const Words& arguments, const std::string& input) const {
  return run_in(path_, places::kProgram, arguments, input);
}
Outcome Folder::run_odd(const Words& arguments, const std::string& input) const {
  return run_in(path_, places::kOddProgram, arguments, input);
}

Outcome Folder::shell(const std::string& line, const std::string& schism) const {
  const Folder bin;  // apart, so that it is no file of this folder
  std::filesystem::create_symlink(schism, bin / "schism");
  return run_in(path_, "sh", {"-c", "PATH='" + bin.path() + "':$PATH; " + line}, {});
}

Words lines_of(const std::string& text) {
  Words out;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) out.push_back(line);
  return out;
}

Words words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string after(const std::string& text, const std::string& word) {
  const auto at = text.find(word);
  if (at == std::string::npos) return {};
  const auto begin = text.find_first_not_of(' ', at + word.size());
  return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

std::string source_file(const std::string& name) {
  return whole(std::filesystem::path(places::kSource) / name);
}

bool exists(const std::string& path) { return std::filesystem::exists(path); }

}  // namespace schism::e2e
