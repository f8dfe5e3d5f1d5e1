// The folder of a find, named by what was found: the same bug goes to the same folder whatever hunt
// finds it, another bug never. So hunts may share a folder, and folders of several machines merge
// by copying. What is there already is kept: the smallest run is bug.trace, the others stay beside
// it.
//
//   bug.trace, bug.html, bug.json     the smallest run, its page, what is known of it
//   original.trace                    the run as it happened
//   fifo.trace                        one where links keep order, where that needs another
//   shape-*.trace                     the same bug as other stories
//   hunt.toml                         the hunt that found it, to this run: `hunt --again FOLDER`
#pragma once

#include <map>
#include <set>

#include "schism/finds/find.hpp"

namespace schism {

// raft-leader-completeness-3fa20c: of the system, its planted bugs, the property and the evidence.
std::string folder_name(const Trace& trace, const std::string& evidence);

class Shelf {
 public:
  // `seed`: the first of the hunt.
  Shelf(std::string out, std::uint64_t seed) : out_(std::move(out)), seed_(seed) {}

  const std::string& out() const { return out_; }
  std::string folder(const Find& find) const;

  // At once, before anything else is done with a find.
  Status keep(const Original& original);
  void take_back(const Original& original);
  Status write(const Find& find);

  Value describe(const Find& find) const;

 private:
  Status prepare(const std::string& folder);
  Status write_bug(const Find& find, const std::string& folder);
  Status write_aside(const Trace& trace, const std::string& folder, const std::string& stem);
  std::string hunt_of(const Trace& trace) const;

  std::string out_;
  std::uint64_t seed_;
  std::set<std::string> own_;  // folders whose bug.trace is of this hunt
  std::string kept_;           // the file that keep() wrote last
};

}  // namespace schism
