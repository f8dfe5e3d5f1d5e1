// The conversation of `schism step --json`: a JSON object a line in, one a line out, for pages and
// programs. Like Prompt it never prints, and what makes no sense gets a sentence and changes
// nothing: {"error":"..."}. docs/live.md has the table of requests.
//
//   JsonPrompt prompt(std::move(session), "bug.trace");
//   JsonPrompt::Reply reply = prompt.say(R"({"do":"go","step":3})");
//
// Every answer says where the session stands: a position is a run, by the file that it was loaded
// from, and a step. Whoever keeps both can come back with {"do":"go","run":...,"step":...}.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schism/step/session.hpp"

namespace schism {

class JsonPrompt {
 public:
  struct Reply {
    std::string line;  // one JSON object, without the end of the line; empty: nothing was asked
    bool bad = false;  // it is an error, and nothing has changed
    bool quit = false;
  };

  // `run`: the file of the recorded run that the session begins with; may be empty.
  JsonPrompt(std::unique_ptr<Session> session, std::string run);

  std::string greeting(const std::string& warning) const;
  Reply say(std::string_view line);
  const Session& session() const { return *session_; }

 private:
  using Answer = Result<Value>;
  struct Request {
    std::string_view name;
    std::vector<std::string> keys;  // that it understands beside "do" and "id"
    Answer (JsonPrompt::*run)(const Value& request);
  };
  static const std::vector<Request>& requests();

  Answer obey(const Value& request);
  Answer list(const Value& request);
  Answer apply(const Value& request);
  Answer back(const Value& request);
  Answer go(const Value& request);
  Answer inspect(const Value& request);
  Answer events(const Value& request);
  Answer run(const Value& request);
  Answer calm(const Value& request);
  Answer choose(const Value& request);
  Answer ask(const Value& request);
  Answer save(const Value& request);
  Answer quit(const Value& request);

  Status may_go_on() const;
  Result<Recorded> meant(const Value& request) const;  // which action
  Value told_step() const;
  Value told_node(NodeId id) const;
  void add_position(Value& answer) const;
  std::vector<Value> states() const;
  void add_changes(Value& answer, const std::vector<Value>& before) const;

  std::unique_ptr<Session> session_;
  std::string run_;    // where the recorded part comes from
  bool left_ = false;  // the recorded run was left by another step
  bool quit_ = false;
};

}  // namespace schism
