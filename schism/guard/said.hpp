// What a process prints, kept for the report on its death and bounded: standard output and error go
// to memory that both processes share.
#pragma once

#include <sys/types.h>

#include <string>

namespace schism::guard {

class Said {
 public:
  Said();
  ~Said();
  Said(const Said&) = delete;
  Said& operator=(const Said&) = delete;

  void redirect() const;  // in the process that prints
  // What a process that prints without end has said so far need not be kept.
  void bound() const;
  void forget() const;
  // The last line, without what differs from run to run: addresses and the process's own number.
  std::string last_line(pid_t speaker) const;

 private:
  int file_ = -1;
};

}  // namespace schism::guard
