// The conversation of `schism run`: a line in, what to show out. It never prints.
//
//   LivePrompt prompt(live);
//   LivePrompt::Reply reply = prompt.say("crash 1");
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schism/live/live_world.hpp"

namespace schism {

class LivePrompt {
 public:
  struct Reply {
    std::string text;  // whole lines
    bool bad = false;  // the line was not understood, or could not be done
    bool quit = false;
    Micros wait = 0;            // before the next line, at most
    std::uint64_t answers = 0;  // and until there were so many in all
  };

  explicit LivePrompt(LiveWorld& live) : live_(live) {}

  Reply say(std::string_view line);
  std::string stats() const;

 private:
  using Words = std::vector<std::string>;
  Result<Reply> obey(const Words& words);
  Result<Reply> wait(const Words& words) const;
  Result<std::string> state(const Words& words) const;
  Result<std::string> ask(const Words& words);
  Result<std::string> save(const Words& words) const;
  Status act(const Words& words);  // on a node or a link
  Result<NodeId> node_of(const std::string& word) const;

  LiveWorld& live_;
};

}  // namespace schism
