// The program as a person runs it: in an empty folder, with its output, errors and exit code.
//
//   Folder folder;
//   Outcome o = folder.run({"hunt", "tokens", "--runs", "5"});
//   EXPECT_EQ(o.code, 0) << o;
#pragma once

#include <sys/types.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace schism::e2e {

using Words = std::vector<std::string>;

struct Outcome {
  int code = -1;  // 128 and the signal's number when one ended it, as a shell has it
  std::string out, err;
  double cpu_s = 0;           // of the process and its children
  std::size_t memory_mb = 0;  // at its largest
};
std::ostream& operator<<(std::ostream& stream, const Outcome& outcome);

// A process under way. Whoever starts one also finishes it.
class Process {
 public:
  // The first word is the program, looked up in PATH when it has no slash.
  Process(const std::string& folder, const Words& command, const std::string& input);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  pid_t pid() const { return pid_; }
  void signal(int number) const;
  // Its output so far.
  std::string out() const;
  Outcome finish();

 private:
  int in_, out_, err_;
  pid_t pid_ = -1;
  bool running_ = false;
};

// An empty folder of its own, removed with everything in it.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  // All files in it, as relative paths, sorted.
  Words files() const;
  Words traces() const;  // those of them that are one
  std::string read(const std::string& name) const;
  void write(const std::string& name, const std::string& content) const;

  Outcome run(const Words& arguments, const std::string& input = {}) const;
  // The program with the systems of tests/systems beside the real ones.
  Outcome run_odd(const Words& arguments, const std::string& input = {}) const;
  // A line as typed into a shell in which `schism` is that program.
  Outcome shell(const std::string& line, const std::string& schism) const;

 private:
  std::string path_;
};

Words lines_of(const std::string& text);
// The words of a plain command line, by spaces.
Words words_of(const std::string& line);
// What stands after that word up to the end of its line; empty without it.
std::string after(const std::string& text, const std::string& word);
// Whole content of a file of the repository.
std::string source_file(const std::string& name);
bool exists(const std::string& path);

}  // namespace schism::e2e
