#include "schism/process/wire.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

namespace schism::process {
namespace {

struct Pair {
  Pair() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0); }
  ~Pair() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
  int ends[2] = {-1, -1};
};

RC_GTEST_PROP(Wire, BringsFramesOverWholeAndInOrder, (const std::vector<std::string>& texts)) {
  Pair pair;
  Wire a(pair.ends[0]), b(pair.ends[1]);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Frame frame;
    frame.word = static_cast<Word>(i % 19);
    frame.numbers = {static_cast<std::int64_t>(i), -1, INT64_MAX, INT64_MIN};
    frame.content = texts[i];
    RC_ASSERT(a.send(frame));
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Frame frame;
    RC_ASSERT(b.hear(frame, 1'000'000) == Wire::Heard::frame);
    RC_ASSERT(frame.word == static_cast<Word>(i % 19));
    RC_ASSERT(frame.numbers[0] == static_cast<std::int64_t>(i));
    RC_ASSERT(frame.numbers[3] == INT64_MIN);
    RC_ASSERT(frame.content == texts[i]);
  }
  Frame none;
  RC_ASSERT(b.hear(none, 0) == Wire::Heard::nothing);
}

// Longer than what a socket brings at once: it is waited for.
TEST(Wire, BringsALongFrameOverInPieces) {
  Pair pair;
  Frame frame, read;
  frame.word = Word::post;
  frame.content.assign(300'000, 'x');
  std::thread writer([&] { EXPECT_TRUE(Wire(pair.ends[0]).send(frame)); });
  EXPECT_EQ(Wire(pair.ends[1]).hear(read, -1), Wire::Heard::frame);
  ::shutdown(pair.ends[1], SHUT_RDWR);  // nobody waits for ever for a frame that was given up
  writer.join();
  EXPECT_EQ(read.content, frame.content);
}

TEST(Wire, BelievesNothingThatIsNoFrame) {
  for (const std::size_t at : {std::size_t{3}, std::size_t{20}, std::size_t{70}, std::size_t{90}}) {
    Pair writing, pair;
    Frame frame;
    frame.word = Word::post;
    frame.content = "{\"value\":1,\"round\":2}";
    ASSERT_TRUE(Wire(writing.ends[0]).send(frame));
    char bytes[512];
    const ssize_t n = ::recv(writing.ends[1], bytes, sizeof bytes, 0);
    ASSERT_GT(n, static_cast<ssize_t>(at));
    bytes[at] ^= 4;
    ASSERT_EQ(::send(pair.ends[0], bytes, static_cast<std::size_t>(n), 0), n);
    Frame read;
    EXPECT_NE(Wire(pair.ends[1]).hear(read, 1000), Wire::Heard::frame) << at;
  }
}

TEST(Wire, SaysThatTheOtherEndIsGone) {
  Pair pair;
  ::close(pair.ends[0]);
  pair.ends[0] = -1;
  Frame frame;
  Wire wire(pair.ends[1]);
  EXPECT_EQ(wire.hear(frame, -1), Wire::Heard::gone);
  EXPECT_FALSE(wire.send(frame) && wire.send(frame));
}

}  // namespace
}  // namespace schism::process
