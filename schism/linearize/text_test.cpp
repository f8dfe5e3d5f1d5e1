#include "schism/linearize/text.hpp"

#include <gtest/gtest.h>

#include "schism/linearize/edn.hpp"
#include "schism/linearize/generate.hpp"
#include "schism/linearize/testing/object_brute_force.hpp"

namespace {
using namespace schism;
using namespace schism::linearize;

// What matters of an operation, with names instead of numbers.
std::string show(const History& h) {
  std::string out;
  for (OpId op = 0; op < h.operations().size(); ++op)
    out += fmt::format("{} {}: {} [{} {}] {}\n", h[op].client, print_value(h.keys()[h[op].key]),
                       h.describe(op), h[op].invoked, h[op].answered, enum_name(h[op].outcome));
  return out;
}

std::string read_and_show(std::string_view text, const ReadOptions& options = {}) {
  const auto history = read_history(text, options);
  return history ? show(*history) : "error: " + history.error();
}

TEST(HistoryText, JsonLines) {
  EXPECT_EQ(read_and_show(R"({"process":0,"type":"invoke","f":"write","key":"x","value":3}
{"process":1,"type":"invoke","f":"read","key":"x"}

{"process":0,"type":"ok","f":"write","key":"x","value":3,"time":17}
{"process":1,"type":"ok","value":null}
{"process":"nemesis","type":"info","f":"cut"}
{"process":2,"type":"invoke","f":"cas","key":"y","value":[1,"b"]}
{"process":1,"type":"invoke","f":"cas","key":"y","value":[[1],{"a":2}]}
{"process":2,"type":"ok","swapped":false}
{"process":3,"type":"invoke","f":"get","key":7}
{"process":4,"type":"invoke","f":"put","key":7,"value":false}
{"process":4,"type":"info"}
{"process":3,"type":"fail"}
)"),
            "0 x: write 3 [0 2] ok\n"
            "1 x: read nil [1 3] ok\n"
            "2 y: cas 1 -> b missed [4 6] ok\n"
            "1 y: cas [1] -> (a=2) [5 4294967295] pending\n"
            "3 7: read [7 10] fail\n"
            "4 7: write false [8 9] info\n");
}

TEST(HistoryText, EdnOneMapALineOrInAVector) {
  const std::string maps = R"(; a comment
{:process 0, :type :invoke, :f :cas, :value [1 2], :time 12345678901234567890N}
{:process :nemesis, :type :info, :f :start, :value nil}
#jepsen.history.Op{:index 3, :process 0, :type :fail, :f :cas, :value [1 2] :error ["x" \a 1/2]}
#_ {:process 9} {:process 1 :type :invoke :f :read :value nil}
{:process 1 :type :ok :f :read, :value :a}
)";
  const std::string expected =
      "0 nil: cas 1 -> 2 [0 1] fail\n"
      "1 nil: read :a [2 3] ok\n";
  EXPECT_EQ(read_and_show(maps), expected);
  EXPECT_EQ(read_and_show("[" + maps + "]"), expected);
  EXPECT_EQ(read_and_show("\n(" + maps + ") ; end\n"), expected);
}

TEST(HistoryText, IndependentTuples) {
  const std::string tuples =
      "{:process 0, :type :invoke, :f :read, :value [5 nil]}\n"
      "{:process 1, :type :invoke, :f :cas, :value [:k [1 2]]}\n"
      "{:process 0, :type :ok, :f :read, :value [5 3]}\n"
      "{:process 2, :type :invoke, :f :write, :value [5 [1 2]]}\n";
  EXPECT_EQ(read_and_show(tuples),
            "0 5: read 3 [0 2] ok\n"
            "1 :k: cas 1 -> 2 [1 4294967295] pending\n"
            "2 5: write [1, 2] [3 4294967295] pending\n");
  // One read without a key: then all are plain values.
  EXPECT_EQ(read_and_show("{:process 0, :type :invoke, :f :write, :value [5 3]}\n"
                          "{:process 1, :type :invoke, :f :read, :value nil}\n"),
            "0 nil: write [5, 3] [0 4294967295] pending\n"
            "1 nil: read [1 4294967295] pending\n");
  EXPECT_EQ(
      read_and_show("{:process 0, :type :invoke, :f :write, :value [5 3]}", {.tuples = Tuples::no}),
      "0 nil: write [5, 3] [0 4294967295] pending\n");
  EXPECT_EQ(
      read_and_show("{:process 0, :type :invoke, :f :write, :value 5}", {.tuples = Tuples::yes}),
      "error: line 1: the value must be a pair of key and value");
}

TEST(HistoryText, BadInputIsOneSentenceWithTheLine) {
  const auto json = [](std::string_view second) {
    return read_and_show("{\"process\":0,\"type\":\"invoke\",\"f\":\"read\"}\n" +
                         std::string(second));
  };
  EXPECT_EQ(json("{\"process\":0"), "error: line 2: not JSON at byte 13");
  EXPECT_EQ(json("[1]"), "error: line 2: an event must be a map");
  EXPECT_EQ(json("{\"type\":\"ok\"}"), "error: line 2: the event has no process");
  EXPECT_EQ(json("{\"process\":\"c\",\"type\":\"ok\"}"),
            "error: line 2: the process must be a number (or nemesis, which is skipped)");
  EXPECT_EQ(json("{\"process\":0,\"type\":\"done\"}"),
            "error: line 2: the type must be invoke, ok, fail or info");
  EXPECT_EQ(json("{\"process\":0,\"type\":\"ok\"}"),
            "error: line 2: a read that is ok must say the value (nil is one)");
  EXPECT_EQ(json("{\"process\":1,\"type\":\"ok\"}"),
            "error: line 2: process 1 has no open operation to answer");
  EXPECT_EQ(json("\n{\"process\":0,\"type\":\"invoke\",\"f\":\"read\"}"),
            "error: line 3: process 0 invokes while its operation of line 1 is open");
  EXPECT_EQ(json("{\"process\":0,\"type\":\"ok\",\"f\":\"write\"}"),
            "error: line 2: process 0 answers another function than it invoked in line 1");
  EXPECT_EQ(json("{\"process\":1,\"type\":\"invoke\",\"f\":\"pop\",\"value\":1}"),
            "error: line 2: the function (f) must be read or get, write or put, cas, enqueue, "
            "dequeue, acquire, release, add, remove, contains, append or txn");
  EXPECT_EQ(json("{\"process\":1,\"type\":\"invoke\",\"f\":\"cas\",\"value\":1}"),
            "error: line 2: the value of a cas must be a pair, old and new");
  EXPECT_EQ(json("{\"process\":1,\"type\":\"invoke\",\"f\":\"write\"}"),
            "error: line 2: a write wants a value");
  EXPECT_EQ(json("{\"process\":0,\"type\":\"ok\",\"value\":1,\"swapped\":1}").substr(0, 5),
            "0 nil");

  EXPECT_EQ(read_and_show("[{:process 0}\n\n"), "error: line 3: the closing ] is missing");
  EXPECT_EQ(read_and_show("{:process 0 :type}"), "error: line 1: a map with a key but no value");
  EXPECT_EQ(read_and_show("\n{:a 1 :a 2}"), "error: line 2: the key :a stands twice");
  EXPECT_EQ(read_and_show("[]\n{}"), "error: line 2: text after the end of the history");
  EXPECT_EQ(read_and_show("\n\"abc"), "error: line 2: a string without an end");
  EXPECT_EQ(read_and_show(std::string(1000, '[')), "error: line 1: nested too deeply");
  EXPECT_EQ(read_and_show("{:a 1}}"), "error: line 1: a } that closes nothing");
  EXPECT_EQ(read_and_show(""), "");
}

TEST(HistoryText, ModelsNameWhatTheyAllow) {
  const std::string line = "{:process 0, :type :invoke, :f :cas, :value [1 2]}";
  EXPECT_EQ(read_and_show(line, {.model = Model::register_}),
            "error: line 1: the model register has no cas");
  EXPECT_EQ(read_and_show(line, {.model = Model::key_value}),
            "error: line 1: the model key_value wants a key");
  EXPECT_EQ(read_and_show(line, {.model = Model::cas_register}).substr(0, 5), "0 nil");
}

std::string object_of_text(std::string_view text) {
  const auto history = read_history(text);
  return history ? std::string(enum_name(history->object())) : "error: " + history.error();
}

TEST(HistoryText, TellsTheModelFromTheOperations) {
  const auto event = [](std::string_view f, std::string_view value, int process = 0) {
    return fmt::format("{{:process {}, :type :invoke, :f :{}, :value {}}}\n", process, f, value);
  };
  EXPECT_EQ(object_of_text(event("read", "nil")), "registers");
  EXPECT_EQ(object_of_text(event("read", "nil") + event("cas", "[1 2]", 1)), "registers");
  EXPECT_EQ(object_of_text(event("enqueue", "1")), "queue");
  EXPECT_EQ(object_of_text(event("dequeue", "nil")), "queue");
  EXPECT_EQ(object_of_text(event("acquire", "nil")), "mutex");
  EXPECT_EQ(object_of_text(event("read", "nil") + event("add", "1", 1)), "set");
  EXPECT_EQ(object_of_text(event("read", "nil") + event("append", "1", 1)), "list");
  EXPECT_EQ(object_of_text(event("txn", "[[:r x nil] [:append y 1]]")), "list_append");
  EXPECT_EQ(object_of_text(event("txn", "[[:r x nil]]") + event("txn", "[[:w y 1]]", 1)),
            "rw_register");
  EXPECT_EQ(object_of_text(event("enqueue", "1") + event("add", "1", 1)),
            "error: line 2: the model queue has no add");
  EXPECT_EQ(object_of_text(event("enqueue", "[:jobs 1]") + event("dequeue", "[:jobs nil]", 1)),
            "queue");
}

TEST(HistoryText, OtherObjectsAsJepsenWritesThem) {
  EXPECT_EQ(read_and_show(R"({"process":0,"type":"invoke","f":"enqueue","key":"q","value":"a"}
{"process":1,"type":"invoke","f":"dequeue","key":"q"}
{"process":0,"type":"ok","f":"enqueue"}
{"process":1,"type":"ok","value":"a"}
{"process":1,"type":"invoke","f":"dequeue","key":"q","value":null}
{"process":1,"type":"ok","value":null}
{"process":2,"type":"invoke","f":"dequeue","key":"q"}
{"process":2,"type":"info"}
)"),
            "0 q: enqueue a [0 2] ok\n"
            "1 q: dequeue a [1 3] ok\n"
            "1 q: dequeue empty [4 5] ok\n"
            "2 q: dequeue [6 7] info\n");
  EXPECT_EQ(read_and_show("{:process 0 :type :invoke :f :add :value 1}\n"
                          "{:process 0 :type :ok :f :add :value 1 :changed false}\n"
                          "{:process 0 :type :invoke :f :read :value nil}\n"
                          "{:process 0 :type :ok :f :read :value #{2 1}}\n"
                          "{:process 0 :type :invoke :f :contains :value 1}\n"
                          "{:process 0 :type :ok :f :contains :value [1 true]}\n"
                          "{:process 0 :type :invoke :f :remove :value 1}\n"
                          "{:process 0 :type :ok :f :remove :value 1}\n"),
            "0 nil: add 1 no [0 1] ok\n"
            "0 nil: read [1 2] [2 3] ok\n"
            "0 nil: contains 1 yes [4 5] ok\n"
            "0 nil: remove 1 [6 7] ok\n");
  EXPECT_EQ(read_and_show("{:process 0 :type :invoke :f :txn :value [[:append :x 3] [:r y nil]]}\n"
                          "{:process 0 :type :ok :f :txn :value [[:append :x 3] [:r y [1 2]]]}\n"),
            "0 nil: append :x 3, read y [1 2] [0 1] ok\n");
  EXPECT_EQ(
      read_and_show("{:process 0 :type :invoke :f :write :value {:x 1 :y 2}}\n"
                    "{:process 0 :type :ok :f :write}\n"
                    "{:process 0 :type :invoke :f :read :value [:x :y]}\n"
                    "{:process 0 :type :ok :f :read :value {:x 1 :y 2}}\n"
                    "{:process 0 :type :invoke :f :txn :value [[:read :x nil] [:write :x 3]]}\n"
                    "{:process 0 :type :ok :f :txn :value [[:read :x 1] [:write :x 3]]}\n",
                    {.model = Model::multi_register}),
      "0 nil: write :x 1, write :y 2 [0 1] ok\n"
      "0 nil: read :x 1, read :y 2 [2 3] ok\n"
      "0 nil: read :x 1, write :x 3 [4 5] ok\n");
}

TEST(HistoryText, OtherObjectsRefuseWhatTheyCannotMean) {
  const auto two = [](std::string_view first, std::string_view second, Model model = Model::any) {
    return read_and_show(
        fmt::format("{{:process 0 :type :invoke {}}}\n{{:process 0 :type :ok {}}}", first, second),
        {.model = model});
  };
  EXPECT_EQ(two(":f :enqueue :value nil", ""),
            "error: line 1: nil cannot be enqueued: as an answer it means that a queue is empty");
  EXPECT_EQ(two(":f :enqueue", ""), "error: line 1: an enqueue wants a value");
  EXPECT_EQ(two(":f :dequeue", ""),
            "error: line 2: a dequeue that is ok must say the value (nil: it was empty)");
  EXPECT_EQ(two(":f :contains :value 1", ":value 1"),
            "error: line 2: a contains that is ok must say true or false");
  EXPECT_EQ(two(":f :read", ":value 1", Model::set),
            "error: line 2: a read of a set must say all elements, as a list");
  EXPECT_EQ(two(":f :add :value 1", ":changed 3"),
            "error: line 2: changed is true or false, and for add and remove only");
  EXPECT_EQ(two(":f :txn :value 3", ""),
            "error: line 1: the value of a txn must be a list of steps such as [r, key, value]");
  EXPECT_EQ(two(":f :txn :value [[:append x]]", ""),
            "error: line 1: a step of a txn is [r, key, value], [w, key, value] or [append, key, "
            "value]");
  EXPECT_EQ(two(":f :txn :value [[:append x 1] [:w x 1]]", "", Model::list_append),
            "error: line 1: the model list_append has no write");
  EXPECT_EQ(two(":f :txn :value [[:append x 1]]", ":value [[:append y 1]]"),
            "error: line 2: the answer has other steps than the invocation in line 1");
  EXPECT_EQ(two(":f :txn :value [[:r x nil] [:append x 1]]", ":value [[:r x 3] [:append x 1]]"),
            "error: line 2: what a read saw must be a list");
  EXPECT_EQ(two(":f :write :value 1", "", Model::multi_register),
            "error: line 1: the value of a write must be a map");
}

// The quick way through a line and the thorough one read the same, and so do their errors.
TEST(HistoryText, QuickAndThoroughReadingAgree) {
  const std::string plain =
      R"({"process":0,"type":"invoke","f":"write","key":"x","value":[1,2.5,"\u0041",null,true]})";
  std::string thorough = plain;
  thorough.insert(thorough.size() - 1, R"(,"more":{"a":{}})");
  EXPECT_EQ(read_and_show(plain), read_and_show(thorough));
  for (const std::string& more :
       {std::string(R"("time":1,"time":2)"), std::string(R"("big":123456789012345678901)"),
        std::string(R"("big":18446744073709551615)"), std::string(R"("big":1e999)"),
        std::string(R"("a":{"b":1,"b":2})"), std::string(R"("a":"\xff")"),
        "\"deep\":" + std::string(70, '[') + std::string(70, ']')}) {
    const std::string row = plain.substr(0, plain.size() - 1) + "," + more + "}";
    std::string problem;
    const bool bad = !parse_json(row, &problem);
    EXPECT_TRUE(bad) << row;
    EXPECT_EQ(read_and_show(row + "\n" + std::string(200, ' ')), "error: line 1: " + problem);
  }
}

TEST(HistoryText, EqualValuesAreOneValue) {
  const auto h = read_history(
      "[{:process 0 :type :invoke :f :write :value {:a 1 :b #{2 1}}}"
      " {:process 1 :type :invoke :f :write :value {:b #{1 2}, :a 1}}"
      " {:process 2 :type :invoke :f :write :value \"1\"}"
      " {:process 3 :type :invoke :f :write :value 1}"
      " {:process 4 :type :invoke :f :write :value 1.0}]");
  ASSERT_TRUE(h) << h.error();
  EXPECT_EQ((*h)[0].first, (*h)[1].first);
  for (OpId a = 1; a < 5; ++a)
    for (OpId b = a + 1; b < 5; ++b) EXPECT_NE((*h)[a].first, (*h)[b].first);
}

TEST(HistoryText, RoundTrips) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const History history = generate(
        {.clients = 4, .operations = 30, .keys = 3, .fail = 0.1, .info = 0.1, .pending = 0.1},
        seed);
    const std::string json = to_json_lines(history), edn = to_edn(history);
    EXPECT_EQ(read_and_show(json), show(history)) << json;
    EXPECT_EQ(read_and_show(edn), show(history)) << edn;
    EXPECT_EQ(read_and_show("[" + edn + "]"), show(history));
    EXPECT_EQ(to_json_lines(*read_history(edn)), json);
  }
}

TEST(HistoryText, RoundTripsOfOtherObjects) {
  const Model models[] = {Model::queue,       Model::mutex,      Model::owned_mutex,
                          Model::set,         Model::list,       Model::multi_register,
                          Model::list_append, Model::rw_register};
  for (const Model model : models)
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      ObjectMix mix;
      mix.object = *enum_value<Object>(enum_name(model));
      mix.operations = 12, mix.keys = 2, mix.elements = 0;
      const History history = generate_objects(mix, seed);
      const std::string json = to_json_lines(history), edn = to_edn(history);
      const ReadOptions how{.model = model, .tuples = Tuples::no};
      if (model != Model::multi_register) {  // its keys are texts
        EXPECT_EQ(read_and_show(json, how), show(history)) << json;
        EXPECT_EQ(read_and_show(edn, how), show(history)) << edn;
      }
      const auto again = read_history(edn, how);
      ASSERT_TRUE(again) << again.error() << edn;
      EXPECT_EQ(read_and_show(to_json_lines(*again), how), show(*again));
    }
}

}  // namespace
