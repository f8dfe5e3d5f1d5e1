// The conversation of `schism step`: a line in, what to show out. It never prints; a line that
// makes no sense gets one sentence and changes nothing.
//
//   Prompt prompt(std::move(session), options);
//   Prompt::Reply reply = prompt.say("deliver Commit 0->1");
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schism/step/menu.hpp"
#include "schism/step/session.hpp"

namespace schism {

class Prompt {
 public:
  struct Options {
    int width = 100;
    bool color = false;
    bool lists = false;  // shows what is enabled after every step, as a person wants
  };
  struct Reply {
    std::string text;  // whole lines
    bool bad = false;  // the line was not understood, or could not be done
    bool quit = false;
  };

  Prompt(std::unique_ptr<Session> session, Options options);

  std::string greeting();
  Reply say(std::string_view line);
  const Session& session() const { return *session_; }

  // A trace "FILE" or "FILE@STEP" as a session; a warning where it does not apply any more.
  static Result<std::unique_ptr<Session>> open(const std::string& place, std::string& warning);

 private:
  using Words = std::vector<std::string>;
  using Answer = Result<std::string>;
  struct Command {
    std::string_view name, arguments, meaning;
    Answer (Prompt::*run)(const Words&);
  };
  static const std::vector<Command>& commands();

  Answer obey(const Words& words);
  Answer take(const Words& words);  // an action by number or by words
  Answer back(const Words& words);
  Answer jump(const Words& words);
  Answer list(const Words& words);
  Answer state(const Words& words);
  Answer story(const Words& words);
  Answer run(const Words& words);
  Answer calm(const Words& words);
  Answer wait(const Words& words);
  Answer choose(const Words& words);
  Answer mutate(const Words& words);
  Answer split(const Words& words);
  Answer ask(const Words& words);
  Answer save(const Words& words);
  Answer load(const Words& words);
  Answer help(const Words& words);

  Answer do_all(const std::vector<Action>& actions);
  Status may_go_on() const;
  Result<NodeId> node_of(const std::string& word) const;
  std::string show_list(const Words& words, std::size_t rows_max) const;
  std::string show_step(const std::vector<Value>& before) const;
  std::string show_verdict() const;
  std::string show_changes(const std::vector<Value>& before) const;
  std::vector<Value> states() const;
  std::string where() const;

  std::unique_ptr<Session> session_;
  Options options_;
};

}  // namespace schism
