// `schism run`: the same nodes on threads and the wall clock. No test here is about how fast that
// is: each waits for what must happen, for as long as a loaded machine may take.
#include <gtest/gtest.h>

#include <algorithm>

#include "program.hpp"

namespace schism::e2e {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t complaints(const Outcome& o) {
  const auto lines = lines_of(o.out);
  return static_cast<std::size_t>(std::count_if(
      lines.begin(), lines.end(), [](const std::string& line) { return line.starts_with("? "); }));
}

void expect_replays(const Folder& folder, const std::string& trace, int code) {
  const Outcome again = folder.run({"replay", trace});
  EXPECT_EQ(again.code, code) << again;
  EXPECT_TRUE(has(again.out, "the same events as recorded")) << again;
  const Outcome picture = folder.run({"show", trace});
  EXPECT_EQ(picture.code, 0) << picture;
  EXPECT_TRUE(has(picture.out, "receives")) << picture;
}

TEST(Run, RequestsAreAnsweredAndTheRecordReplays) {
  const Folder folder;
  const Outcome o = folder.run({"run", "raft"}, "wait 60s for 3 answers\nstats\n");
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_EQ(complaints(o), 0U) << o;
  EXPECT_TRUE(has(o.out, "answers client")) << o;
  expect_replays(folder, "schism-out/raft-live.trace", 0);
}

TEST(Run, EndsByItself) {
  const Folder folder;
  const Outcome o = folder.run({"run", "raft", "--for", "1s", "--quiet", "-o", "here.trace"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_EQ(folder.files(), Words{"here.trace"});
  EXPECT_FALSE(has(o.out, "client 0 asks")) << o;
  expect_replays(folder, "here.trace", 0);
}

TEST(Run, NodesCrashRestartPauseAndResume) {
  const Folder folder;
  const Outcome o = folder.run({"run", "raft", "--quiet"},
                               "wait 60s for 1 answers\ncrash 0\nstate 0\nrestart 0\npause 1\n"
                               "state 1\nwait 200ms\nresume 1\ncut 0->1\nheal 0->1\n"
                               "save middle.trace\n"
                               "wait 60s for 3 answers\n");
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_EQ(complaints(o), 0U) << o;
  EXPECT_TRUE(has(o.out, "0: down")) << o;
  EXPECT_TRUE(has(o.out, ", paused")) << o;
  expect_replays(folder, "middle.trace", 0);
  expect_replays(folder, "schism-out/raft-live.trace", 0);
  const Outcome picture = folder.run({"show", "schism-out/raft-live.trace"});
  EXPECT_TRUE(has(picture.out, "crash")) << picture;
}

TEST(Run, AskedByHand) {
  const Folder folder;
  const Outcome o = folder.run({"run", "raft", "--no-workload"},
                               "wait 500ms\nask next\nwait 60s for 1 answers\n"
                               "ask {\"request\":\"Put\",\"body\":{\"key\":1,\"value\":5}}\n"
                               "wait 60s for 2 answers\nstats\n");
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_EQ(complaints(o), 0U) << o;
  EXPECT_TRUE(has(o.out, "2 of 2 requests answered")) << o;
  expect_replays(folder, "schism-out/raft-live.trace", 0);
}

// Whether a commit overtakes the proposals is up to the delays; some seed soon has it.
TEST(Run, ABugIsReportedAsItHappens) {
  const Folder folder;
  for (int seed = 1; seed <= 30; ++seed) {
    const Outcome o = folder.run({"run", "toy-consensus", "--bug", "distrust-commits", "--delay",
                                  "0ms..20ms", "--for", "1s", "--seed", std::to_string(seed)});
    if (o.code == 0) continue;
    EXPECT_EQ(o.code, 1) << o;
    EXPECT_TRUE(has(o.out, "agreement is violated at step")) << o;
    EXPECT_TRUE(has(o.out, "all nodes stopped")) << o;
    expect_replays(folder, "schism-out/toy-consensus-live.trace", 1);
    return;
  }
  FAIL() << "no seed showed it";
}

TEST(Run, BadFlagsAreOneLine) {
  const Folder folder;
  for (const Words& words : std::vector<Words>{{"run"},
                                               {"run", "nobody"},
                                               {"run", "raft", "--seed", "x"},
                                               {"run", "raft", "--for", "x"},
                                               {"run", "raft", "--delay", "5"},
                                               {"run", "raft", "--delay", "5ms..1ms"},
                                               {"run", "raft", "--loss", "2"},
                                               {"run", "raft", "--explorer", "random"},
                                               {"run", "raft", "--faults", "crash=1"},
                                               {"run", "raft", "--quit"}}) {
    const Outcome o = folder.run(words, "quit\n");
    EXPECT_EQ(o.code, 2) << o;
    EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
    EXPECT_EQ(o.out, "") << o;
  }
  EXPECT_TRUE(folder.files().empty());
  const Outcome fragile = folder.run_odd({"run", "brittle"}, "quit\n");
  EXPECT_EQ(fragile.code, 2) << fragile;
  EXPECT_TRUE(has(fragile.err, "may crash its process")) << fragile;
}

// The commands of the page, in its order; what they show differs from run to run.
TEST(Run, ThePagesCommandsWork) {
  const Folder folder;
  std::string command, input;
  bool open = false;
  int sessions = 0;
  for (const std::string& line : lines_of(source_file("docs/live.md"))) {
    if (line.starts_with("```")) {
      if (open) {
        const Words words = words_of(command);
        const Outcome o = folder.run({words.begin() + 2, words.end()}, input);
        EXPECT_EQ(o.code, 0) << o;
        EXPECT_EQ(complaints(o), 0U) << o;
        ++sessions;
      }
      open = line == "```live";
      command.clear(), input.clear();
    } else if (open && line.starts_with("$ ")) {
      command = line;
    } else if (open && line.starts_with("> ")) {
      input += line.substr(2) + "\n";
    }
  }
  EXPECT_GE(sessions, 1);
}

}  // namespace
}  // namespace schism::e2e
