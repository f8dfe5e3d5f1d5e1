// Text from outside: whatever a system or an edited trace says, nothing that the program prints or
// writes can move a cursor, hide, turn its surroundings, or break out of its language.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"
#include "schism/base/text.hpp"

namespace schism::e2e {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

const std::string kHostile =
    "\x1b]0;owned\x07\x1b[2J|\xc2\x9b"
    "31m|\xe2\x80\xae|\xe2\x81\xa6|\xe2\x80\x8b|</script><b>&\"'\nforged line\r";

// The first byte of what a terminal would obey or could not show; nothing: all is well.
std::optional<std::size_t> hostile_byte(const std::string& text) {
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view before = rest;
    const char32_t c = take_character(rest);
    const bool invalid = c == 0xfffd && !before.starts_with("\xef\xbf\xbd");
    if (invalid || (c != '\n' && is_unseen(c))) return text.size() - before.size();
  }
  return std::nullopt;
}

void expect_harmless(const std::string& text, const std::string& what) {
  const auto at = hostile_byte(text);
  EXPECT_FALSE(at) << what << " at byte " << *at << ": "
                   << printable(text.substr(*at < 40 ? 0 : *at - 40, 80));
  for (const std::string& line : lines_of(text))
    EXPECT_THAT(line, testing::Not(testing::StartsWith("forged line"))) << what;
}

void expect_harmless(const Outcome& o, const std::string& what) {
  expect_harmless(o.out, what + ", standard output");
  expect_harmless(o.err, what + ", standard error");
}

// Every text in it becomes hostile, but for those that decide what it is.
void poison(ordered_json& value, const std::string& key = {}) {
  static const std::vector<std::string> kDeciding = {
      "schism", "system", "time",  "explorer",  "tail",    "seed",  "node_seed", "do",
      "type",   "timer",  "class", "operation", "request", "macro", "event",     "bugs"};
  if (std::find(kDeciding.begin(), kDeciding.end(), key) != kDeciding.end()) return;
  if (key == "parameters" || key == "world" || key == "faults") return;
  if (value.is_string()) value = kHostile;
  if (value.is_structured())
    for (auto& item : value.items()) poison(item.value(), value.is_object() ? item.key() : key);
}

std::string poisoned(const std::string& trace) {
  std::string out;
  for (const std::string& line : lines_of(trace)) {
    ordered_json value = ordered_json::parse(line);
    poison(value);
    if (value.contains("events"))
      value["events"].push_back({{"event", "announced"},
                                 {"node", 0},
                                 {"type", kHostile},
                                 {"body", {{kHostile, kHostile}}}});
    if (value.contains("violation")) {
      value["violation"]["property"] = kHostile;
      value["violation"]["evidence"].push_back({{"step", 1}, {"role", kHostile}});
    }
    out += value.dump() + "\n";
  }
  return out;
}

const Words kFormats = {"text",    "json", "html",     "svg",    "dot",
                        "mermaid", "itf",  "plantuml", "chrome", "shiviz"};

void try_every_verb(const Folder& folder, const std::string& trace) {
  for (const std::string& format : kFormats) {
    const Outcome o = folder.run_odd({"show", trace, "--format", format});
    if (o.code == 2 && o.err.find("no format") != std::string::npos) continue;  // not a format here
    EXPECT_EQ(o.code, 0) << format << o;
    expect_harmless(o, trace + " as " + format);
  }
  for (const Words& words :
       {Words{"replay", trace}, Words{"replay", trace, "--json"}, Words{"replay", trace, "--exact"},
        Words{"replay", trace, "--junit", "junit.xml"}, Words{"shrink", trace, "-o", "small.trace"},
        Words{"shrink", trace, "-o", "small.trace", "--json"}, Words{"sort", "."},
        Words{"sort", ".", "--json"}, Words{"check", "--from", trace},
        Words{"step", "--from", trace}}) {
    const Outcome o = folder.run_odd(words, "story\nlist\nstate\n1\n1\nsave saved.trace\nnosuch\n");
    EXPECT_LT(o.code, 70) << words[0] << o;
    expect_harmless(o, words[0] + " of " + trace);
  }
  expect_harmless(folder.read("junit.xml"), "JUnit of " + trace);
}

TEST(OutsideText, OfASystem) {
  for (const std::string name : {"hostile", "hostile-name"}) {
    const Folder folder;
    const Outcome o = folder.run_odd({"hunt", name, "--junit", "hunt.xml"});
    EXPECT_EQ(o.code, 1) << o;
    expect_harmless(o, name);
    expect_harmless(folder.run_odd({"hunt", name, "--json"}), name + " as JSON");
    expect_harmless(folder.run_odd({"check", name}), "check " + name);
    expect_harmless(folder.run_odd({"doctor", name, "--runs", "3"}), "doctor " + name);
    expect_harmless(folder.run_odd({"isolate", name, "--hunt", "--runs", "20"}), "isolate " + name);
    expect_harmless(folder.run_odd({"list", name}), "list " + name);
    for (const std::string& file : folder.files()) expect_harmless(folder.read(file), file);
    ASSERT_FALSE(folder.traces().empty()) << o;
    try_every_verb(folder, folder.traces().front());
  }
}

TEST(OutsideText, OfAnEditedTrace) {
  const Folder folder;
  ASSERT_EQ(
      folder.run_odd({"hunt", "toy-consensus", "--bug", "distrust-commits", "--seed", "5"}).code,
      1);
  ASSERT_FALSE(folder.traces().empty());
  folder.write("edited.trace", poisoned(folder.read(folder.traces().front())));
  try_every_verb(folder, "edited.trace");
}

TEST(OutsideText, OfAHistory) {
  const Folder folder;
  const auto event = [](const char* type, ordered_json value) {
    return ordered_json{{"process", 0},
                        {"type", type},
                        {"f", "read"},
                        {"key", kHostile},
                        {"value", std::move(value)}}
               .dump() +
           "\n";
  };
  folder.write("bad.jsonl", event("invoke", nullptr) + event("ok", kHostile));
  for (const Words& words :
       {Words{"linearize", "bad.jsonl"}, Words{"linearize", "bad.jsonl", "--json"}}) {
    const Outcome o = folder.run(words);
    EXPECT_EQ(o.code, 1) << o;
    expect_harmless(o, "linearize");
  }
  folder.write("raw.edn", "{:process 0 :type :invoke :f :read :key \"" +
                              std::string("\x1b[2J\xc2\x9b\xff") +
                              "\"}\n{:process 0 :type :ok :f :read :value \"\x07\xe2\x80\xae\"}\n");
  const Outcome o = folder.run({"linearize", "raw.edn"});
  EXPECT_EQ(o.code, 1) << o;
  expect_harmless(o, "EDN");
}

TEST(OutsideText, OfAForeignLogAndItsSchema) {
  const Folder folder;
  const std::string name = ordered_json(kHostile).dump();
  folder.write("schema.toml",
               "processes = 2\n[run]\nbugs = \"bugs\"\n[predicates]\nassertions = 1\n"
               "[kind]\nt = { type = \"text\", operators = [\"=\"] }\n[[verb]]\nname = " +
                   name + "\ntag = \"A\"\nfields = [{ name = " + name +
                   ", at = 2, kind = \"t\" }]\n");
  std::string runs;
  for (int i = 0; i < 20; ++i) {
    const bool failed = i % 2 == 0;
    ordered_json message = {"A", 1, kHostile};
    ordered_json inbox = {failed ? ordered_json::array({message, message}) : ordered_json::array(),
                          ordered_json::array()};
    runs += ordered_json{{"run", kHostile},
                         {"failed", failed},
                         {"inbox", inbox},
                         {"bugs", failed ? ordered_json::array({kHostile}) : ordered_json::array()}}
                .dump() +
            "\n";
  }
  folder.write("runs.jsonl", runs);
  for (const Words& more : {Words{}, Words{"--json"}, Words{"--method", "seed"}}) {
    Words words = {"isolate", "runs.jsonl", "--schema", "schema.toml"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome o = folder.run(words);
    EXPECT_EQ(o.code, 0) << o;
    expect_harmless(o, "isolate");
  }
}

// Names of files, too, come from outside.
TEST(OutsideText, OfNamesAndWords) {
  const Folder folder;
  for (const Words& words :
       {Words{"replay", kHostile}, Words{"hunt", kHostile}, Words{kHostile},
        Words{"hunt", "tokens", "--" + kHostile}, Words{"hunt", "tokens", "--config", kHostile},
        Words{"show", "nosuch", "--format", kHostile}}) {
    const Outcome o = folder.run(words);
    EXPECT_EQ(o.code, 2) << o;
    EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
    expect_harmless(o, words[0]);
  }
}

}  // namespace
}  // namespace schism::e2e
