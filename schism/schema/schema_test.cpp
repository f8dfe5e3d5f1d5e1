#include "schism/schema/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "schism/node/ids.hpp"
#include "schism/schema/random_where.hpp"

namespace shown {
SCHISM_ENUM(Role, follower, candidate, leader);
}

namespace {
using namespace schism;
using shown::Role;
using testing::HasSubstr;

struct Entry {
  std::uint64_t term = 0;
  std::string command;
  FIELDS(term, command)
};
struct Clock {
  std::int16_t hours = 0;
  double minutes = 0;
  FIELDS(hours, minutes)
};
struct Server {
  std::uint32_t term = 0;
  Role role{};
  std::optional<NodeRef> vote;
  NodeSet votes;
  std::vector<Entry> log;
  PerNode<int> next;
  std::map<int, Clock> clocks;
  std::unordered_map<std::string, bool> flags;
  std::unordered_set<int> seen;
  std::pair<bool, std::int8_t> pair;
  std::array<Role, 2> roles{};
  std::vector<bool> bits;
  std::deque<std::optional<Entry>> holes;
  std::set<std::string> names;
  Clock clock;
  std::uint64_t big = 0;
  float small = 0;
  bool calm = false;
  int secret = 5;

  int twice() const { return 2 * secret; }
  Entry last() const { return log.empty() ? Entry{} : log.back(); }
  FIELDS(term, role, vote, votes, log, next, clocks, flags, seen, pair, roles, bits, holes, names,
         clock, big, small, calm, secret, twice(), log.size(), last(), clock.hours,
         roles[secret % 2])
};

struct Plain {  // nothing in it twice, so that writing one place changes one place
  std::uint32_t term = 0;
  Role role{};
  std::optional<NodeRef> vote;
  NodeSet votes;
  std::vector<Entry> log;
  std::map<int, Clock> clocks;
  std::unordered_map<std::string, bool> flags;
  std::unordered_set<int> seen;
  std::pair<bool, std::int8_t> pair;
  std::array<Role, 2> roles{};
  std::deque<std::optional<Entry>> holes;
  std::set<std::string> names;
  Clock clock;
  int zero() const { return 0; }
  FIELDS(term, role, vote, votes, log, clocks, flags, seen, pair, roles, holes, names, clock,
         zero())
};
Plain plain(Server s) {
  for (Entry& entry : s.log)
    entry.term >>= 1;  // values show larger ones as negative: not read back
  for (auto& hole : s.holes)
    if (hole) hole->term >>= 1;
  return {s.term, s.role, s.vote,  s.votes, s.log,   s.clocks, s.flags,
          s.seen, s.pair, s.roles, s.holes, s.names, s.clock};
}

struct Holder {
  int before = 0;
  std::vector<int> items;
  FIELDS(before, items)
};

TEST(Schema, AWriteThatFailsLeavesNoTraces) {
  Holder holder{1, {2, 3}};
  const Value was = type_info<Holder>().to_value(&holder);
  const auto items = Path::parse(type_info<Holder>(), "items");
  ASSERT_TRUE(items);
  for (const char* text : {"[7, \"x\"]", "[7, 99999999999]", "[null]", "7", "null"}) {
    const auto wrong = parse_json(text);
    ASSERT_TRUE(wrong);
    EXPECT_FALSE(items->write(&holder, *wrong)) << text;
    EXPECT_EQ(type_info<Holder>().to_value(&holder), was) << text;
    Value value = was;
    EXPECT_FALSE(items->write(value, *wrong)) << text;
    EXPECT_EQ(value, was) << text;
  }
}

struct Maker {
  Rng rng;

  int some(int most = 4) { return static_cast<int>(rng.below(static_cast<std::uint64_t>(most))); }
  std::string text() {
    static constexpr std::string_view kTexts[] = {"", "a", "b]", "x\"y", "leader", "ä"};
    return std::string(kTexts[rng.below(6)]);
  }
  std::uint64_t large() { return rng.chance(0.3) ? rng.next() : rng.below(4); }
  Entry entry() { return {large(), text()}; }
  Clock clock() {
    return {static_cast<std::int16_t>(rng.between(-3, 3)), rng.chance(0.5) ? 1.5 : some()};
  }
  Role role() { return static_cast<Role>(rng.below(3)); }
  Server server() {
    Server s;
    s.term = static_cast<std::uint32_t>(large()), s.role = role(), s.clock = clock();
    if (rng.chance(0.5)) s.vote = some(3) - 1;
    for (int n = some(); n > 0; --n) {
      s.votes.insert(some(64)), s.log.push_back(entry()), s.next.push_back(some());
      s.clocks[some(9) - 4] = clock(), s.flags[text()] = rng.chance(0.5), s.seen.insert(some(30));
      s.bits.push_back(rng.chance(0.5)), s.names.insert(text());
      if (rng.chance(0.5)) s.holes.emplace_back(entry());
      else s.holes.emplace_back();
    }
    s.pair = {rng.chance(0.5), static_cast<std::int8_t>(rng.next())}, s.roles = {role(), role()};
    s.big = large(), s.small = static_cast<float>(rng.unit()), s.calm = rng.chance(0.5);
    s.secret = some();
    return s;
  }
};

const TypeInfo& type() { return type_info<Server>(); }

Path path(std::string_view text) {
  auto out = Path::parse(type(), text);
  EXPECT_TRUE(out) << out.error();
  return out ? *out : *Path::parse(type(), "term");
}
std::string path_problem(std::string_view text) {
  const auto out = Path::parse(type(), text);
  return out ? "" : out.error();
}
bool holds(std::string_view text, const Server& server) {
  const auto where = Where::parse(type(), text);
  EXPECT_TRUE(where) << where.error();
  const bool out = where && where->holds(&server);
  EXPECT_EQ(out, where->holds(to_value(server))) << text;
  EXPECT_EQ(out, where->holds(&server)) << text << ", with its places known";
  return out;
}
std::string problem(std::string_view text) {
  const auto where = Where::parse(type(), text);
  return where ? "" : where.error();
}

Server sample() {
  Server s;
  s.term = 4, s.role = Role::leader, s.vote = 1, s.votes.insert(1), s.votes.insert(2);
  s.log = {{1, "a"}, {3, "b]"}}, s.clocks = {{-2, {7, 1.5}}}, s.flags = {{"b]", true}};
  s.holes = {std::nullopt, Entry{9, "z"}}, s.names = {"x", "y"}, s.big = ~std::uint64_t{0};
  s.clock = {12, 30}, s.next.assign(3, 8), s.bits = {false, true};
  return s;
}

// ---- what there is -----------------------------------------------------------------------------

TEST(Schema, KindsAreThoseOfTheMembers) {
  std::string kinds;
  for (const FieldInfo& field : type().fields)
    kinds += std::string(enum_name(field.type->kind)) + (field.member ? " " : "* ");
  EXPECT_EQ(kinds,
            "integer word optional set list list map map set tuple list list list set record "
            "integer number boolean integer integer* integer* record* integer word* ");
  EXPECT_EQ(path("votes[0]").type().kind, FieldKind::node);
  EXPECT_EQ(path("vote").type().kind, FieldKind::node);
  EXPECT_EQ(path("role").type().words, "follower, candidate, leader");
}

TEST(Schema, RangesAreThoseOfTheTypes) {
  const auto range = [](std::string_view text) { return range_of(path(text).type()); };
  EXPECT_TRUE(range("term")->low == 0 && range("term")->high == UINT32_MAX);
  EXPECT_TRUE(range("clock.hours")->low == INT16_MIN && range("clock.hours")->high == INT16_MAX);
  EXPECT_TRUE(range("big")->high == UINT64_MAX);
  EXPECT_TRUE(range("role")->high == 2 && range("calm")->high == 1 && range("vote")->low == -1);
  EXPECT_FALSE(range("clock.minutes") || range("log"));
}

TEST(Schema, PathsLeadEverywhere) {
  const Server s = sample();
  const auto read = [&](std::string_view text) {
    const Value out = path(text).read(&s);
    EXPECT_EQ(out, path(text).read(to_value(s))) << text;
    return to_json(out);
  };
  EXPECT_EQ(read("log[1].term"), "3");
  EXPECT_EQ(read("log[2].term"), "null");
  EXPECT_EQ(read("log.size"), "2");
  EXPECT_EQ(read("log.size()"), "2");
  EXPECT_EQ(read("log[1].command.size"), "2");
  EXPECT_EQ(read("clocks[-2].minutes"), "1.5");
  EXPECT_EQ(read("clocks[5].minutes"), "null");
  EXPECT_EQ(read("flags[\"b]\"]"), "true");
  EXPECT_EQ(read("holes[0].term"), "null");
  EXPECT_EQ(read("holes[1].term"), "9");
  EXPECT_EQ(read("vote"), "1");
  EXPECT_EQ(read("votes[1]"), "2");
  EXPECT_EQ(read("bits[1]"), "true");
  EXPECT_EQ(read("pair[1]"), "0");
  EXPECT_EQ(read("last().term"), "3");
  EXPECT_EQ(read("last.command"), "\"b]\"");
  EXPECT_EQ(read("twice"), "10");
}

TEST(Schema, WrongPathsSayWhatThereIs) {
  EXPECT_EQ(path_problem("trem"), "Server has no field trem; did you mean term?");
  EXPECT_EQ(path_problem("log[0].trm"), "log has no field trm; did you mean term?");
  EXPECT_EQ(path_problem("term.size"), "term is an integer: it has no .size");
  EXPECT_EQ(path_problem("term[0]"), "term is an integer: it has no items");
  EXPECT_EQ(path_problem("log[x]"), "log[x]: items are counted from 0");
  EXPECT_EQ(path_problem("log[0"), "a [ after log is not closed");
  EXPECT_EQ(path_problem("pair[2]"), "pair[2]: it has 2 parts, from 0");
  EXPECT_EQ(path_problem("clocks[a]"), "clocks[a]: no key of this map is like that");
  EXPECT_EQ(path_problem("term x"), "term x:  x is too much");
  EXPECT_THAT(path_problem(""), HasSubstr("a field of Server is missing"));
}

// ---- both back ends ----------------------------------------------------------------------------

RC_GTEST_PROP(Schema, ObjectsAndValuesReadAlike, (std::uint64_t seed)) {
  Maker make{Rng(seed)};
  const Server first = make.server(), second = make.server();
  const Value value = to_value(first), other = to_value(second);
  for (const std::string& text : paths_of(type(), value)) {
    const Path p = path(text);
    RC_ASSERT(p.read(&first) == p.read(value));
    RC_ASSERT(p.read(&second) == p.read(other));  // an offset that was learnt elsewhere
    RC_ASSERT(p.read(&first) == p.read(value));
  }
}

RC_GTEST_PROP(Schema, ConditionsHoldAlike, (std::uint64_t seed)) {
  Maker make{Rng(seed)};
  const Server first = make.server(), second = make.server();
  const Value value = to_value(first), other = to_value(second);
  const auto paths = paths_of(type(), value);
  for (int i = 0; i < 40; ++i) {
    const std::string text = random_where(type(), value, paths, make.rng);
    const auto where = Where::parse(type(), text);
    if (!where) RC_FAIL(where.error());
    for (int again = 0; again < 2; ++again) {
      RC_ASSERT(where->holds(&first) == where->holds(value));
      RC_ASSERT(where->holds(&second) == where->holds(other));
    }
  }
}

RC_GTEST_PROP(Schema, ObjectsAndValuesAreWrittenAlike, (std::uint64_t seed)) {
  Maker make{Rng(seed)};
  const TypeInfo& info = type_info<Plain>();
  const Plain from = plain(make.server());
  const Value value = to_value(from), other = to_value(plain(make.server()));
  const auto paths = paths_of(info, value);
  for (int i = 0; i < 60; ++i) {
    const Path to = *Path::parse(info, paths[make.rng.below(paths.size())]);
    const Path source = *Path::parse(info, paths[make.rng.below(paths.size())]);
    const Value what = make.rng.chance(0.5) ? to.read(other) : source.read(other);
    Plain object = from;
    Value copy = value;
    const bool written = to.write(&object, what);
    RC_ASSERT(written == to.write(copy, what));
    if (!written) RC_ASSERT(to_value(object) == value);
    if (!written) RC_ASSERT(copy == value);
    Plain again;  // an object knows one form of a set
    RC_ASSERT(from_value(copy, again));
    RC_ASSERT(to_value(again) == to_value(object));
  }
}

TEST(Schema, WritingChangesOnePlace) {
  Server s = sample();
  EXPECT_TRUE(path("log[1].term").write(&s, 7) && path("role").write(&s, "follower"));
  EXPECT_TRUE(path("vote").write(&s, Value()) && path("clocks[-2].hours").write(&s, 1));
  EXPECT_EQ(s.log[1].term, 7U);
  EXPECT_EQ(s.role, Role::follower);
  EXPECT_EQ(s.vote, std::nullopt);
  EXPECT_EQ(s.clocks[-2].hours, 1);
  EXPECT_FALSE(path("term").write(&s, -1) || path("role").write(&s, "king"));
  EXPECT_FALSE(path("twice").write(&s, 4) || path("log.size").write(&s, 4));
  EXPECT_FALSE(path("log[9].term").write(&s, 4));
  EXPECT_FALSE(path("names[0]").write(&s, "z")) << "what is in a set has no place";
  Value shown = to_value(s);
  EXPECT_FALSE(path("names[0]").write(shown, "z"));
  EXPECT_EQ(shown, to_value(s));
}

RC_GTEST_PROP(Schema, WhatFitsIsWhatCanBeRead, (std::uint64_t seed)) {
  Maker make{Rng(seed)};
  Value value = to_value(make.server());
  const auto paths = paths_of(type(), value);
  for (int i = 0; i < 20; ++i) {
    // Something from elsewhere in its place, kinds mixed up.
    Value::Object& fields = value.object();
    Value broken = value;
    const Value part = path(paths[make.rng.below(paths.size())]).read(value);
    broken.object()[make.rng.below(fields.size())].second = part;
    RC_ASSERT(fits(*type().schema, broken) == accepts(type(), broken));
  }
}

RC_GTEST_PROP(Schema, AnotherValueFits, (std::uint64_t seed)) {
  Maker make{Rng(seed)};
  const Value value = to_value(make.server());
  for (const FieldInfo& field : type().fields) {
    const Value* now = value.find(field.name);
    RC_ASSERT(fits(*field.type, *now));
    if (const auto other = draw_other(*field.type, *now, make.rng)) {
      RC_ASSERT(fits(*field.type, *other));
      RC_ASSERT(*other != *now);
    }
  }
}

// ---- conditions --------------------------------------------------------------------------------

TEST(Where, ReadsAsItIsWritten) {
  const Server s = sample();
  EXPECT_TRUE(holds("term > 3 and role = leader", s));
  EXPECT_FALSE(holds("term > 3 and role = follower", s));
  EXPECT_TRUE(holds("term > 9 or not (role != leader)", s));
  EXPECT_TRUE(holds("not calm and votes has 2 and not votes has 3", s));
  EXPECT_TRUE(holds("log[0].term < term and log.size >= 2", s));
  EXPECT_TRUE(holds("log[1].command = \"b]\" and names has 'x'", s));
  EXPECT_TRUE(holds("vote = 1 and vote != nothing and holes[0] = nothing", s));
  EXPECT_TRUE(holds("clocks has -2 and clocks[-2].hours = 7", s));
  EXPECT_TRUE(holds("roles[0] = roles[1] and clock.minutes > 29.5", s));
  EXPECT_TRUE(holds("term <= 4 and term >= 4 and not term < 4 and not term > 4", s));
  EXPECT_TRUE(holds("clock.minutes <= 30 and clock.minutes >= 30 and log[0].term <= term", s));
  EXPECT_TRUE(holds("calm = false or calm", s));
  EXPECT_TRUE(holds("term = 4 or term = 5 and term = 6", s));  // `and` binds closer
}

TEST(Where, WhatIsNotThereIsNeitherMoreNorLessNorUnequal) {
  const Server s = sample();
  for (const auto* sign : {"=", "!=", "<", "<=", ">", ">="})
    EXPECT_FALSE(holds(fmt::format("log[7].term {} 3", sign), s)) << sign;
  EXPECT_TRUE(holds("log[7].term = nothing and not (log[7].term = 3)", s));
}

TEST(Where, WhatIsOfAnotherKindIsNotThere) {  // as a process may tell it
  const Value told = *parse_json(R"({"term":"4","role":7,"votes":["1"],"calm":1})");
  for (const auto* text :
       {"term = 4", "term != 4", "role = leader", "role != leader", "votes has 1", "calm",
        "calm = false", "log.size = 0", "term = clock.hours"})
    EXPECT_FALSE(Where::parse(type(), text)->holds(told)) << text;
  EXPECT_TRUE(Where::parse(type(), "term = nothing and log = nothing")->holds(told));
}

TEST(Where, NumbersAreComparedExactly) {
  Server s = sample();
  EXPECT_TRUE(holds("big > 9223372036854775807", s));  // all 64 bits, shown as -1
  EXPECT_TRUE(holds("big > 1.0e19", s));
  s.big = (std::uint64_t{1} << 53) + 1;
  EXPECT_FALSE(holds("big = 9007199254740992.0", s));
  EXPECT_TRUE(holds("big > 9007199254740992.0", s));
  s.pair.second = -3;
  EXPECT_TRUE(holds("pair[1] < 0 and pair[1] = -3 and pair[1] > -3.5", s));
  s.clock.minutes = std::nan("");
  EXPECT_FALSE(
      holds("clock.minutes < 1 or clock.minutes >= 1 or clock.minutes = clock.minutes", s));
}

TEST(Where, ProblemsAreOneLine) {
  EXPECT_EQ(problem("trem > 3"), "trem > 3: Server has no field trem; did you mean term?");
  EXPECT_EQ(problem("role = king"), "role = king: king is none of follower, candidate, leader");
  EXPECT_EQ(problem("role < leader"), "role < leader: role is a word: only = and != compare it");
  EXPECT_EQ(problem("term = calm"),
            "term = calm: term is an integer and cannot be compared with a boolean");
  EXPECT_EQ(problem("term"),
            "term: what is asked of term? It is an integer; compare it: =, !=, <, <=, >, >=, has");
  EXPECT_EQ(problem("term = "), "term = : term is an integer, and \"\" is neither one nor a field");
  EXPECT_EQ(problem("log has 3"), "log has 3: log has no items that could be compared");
  EXPECT_EQ(problem("(term = 3"), "(term = 3: a ( is not closed");
  EXPECT_EQ(problem("term = 3)"), "term = 3): \")\" is too much");
  EXPECT_EQ(problem("term < nothing"),
            "term < nothing: nothing is neither more nor less than term");
  EXPECT_THAT(problem(std::string(100'000, '(')), HasSubstr("nested too deeply"));
  std::string chain = "calm";
  for (int i = 0; i < 100'000; ++i) chain += " and calm";
  EXPECT_THAT(problem(chain), HasSubstr("more than 1000 parts"));
  EXPECT_THAT(problem("log[0].command = a"), HasSubstr("texts stand in quotes"));
}

// An object's numbers, without any of the code under test.
RC_GTEST_PROP(Where, ComparesAsTheCompilerDoes, (std::uint64_t seed)) {
  Maker make{Rng(seed)};
  const Server s = make.server();
  const int limit = static_cast<int>(make.rng.between(-3, 5));
  const auto check = [&](std::string_view name, auto value) {
    RC_ASSERT(holds(fmt::format("{} < {}", name, limit), s) == (value < limit));
    RC_ASSERT(holds(fmt::format("{} = {}", name, limit), s) == (value == limit));
    RC_ASSERT(holds(fmt::format("{} >= {}", name, limit), s) == (value >= limit));
    RC_ASSERT(holds(fmt::format("{} != {}", name, limit), s) == (value != limit));
  };
  check("term", std::int64_t{s.term});
  check("clock.hours", std::int64_t{s.clock.hours});
  check("pair[1]", std::int64_t{s.pair.second});
  check("clock.minutes", s.clock.minutes);
  check("big", static_cast<I128>(s.big));
  check("log.size", static_cast<std::int64_t>(s.log.size()));
  check("twice", std::int64_t{s.twice()});
  RC_ASSERT(holds("role = candidate", s) == (s.role == Role::candidate));
  RC_ASSERT(holds("roles[secret % 2] = leader", s) == (s.roles[s.secret % 2] == Role::leader));
  RC_ASSERT(holds("calm", s) == s.calm);
  RC_ASSERT(holds("vote = nothing", s) == !s.vote);
  RC_ASSERT(holds("seen has 3", s) == s.seen.contains(3));
  if (!s.log.empty())
    RC_ASSERT(holds(fmt::format("log[0].term > {}", limit), s) ==
              (static_cast<I128>(s.log[0].term) > limit));
}

// ---- types that come at run time ---------------------------------------------------------------

TEST(RecordType, IsWhatItsDescriptionSays) {
  const Value shape = describe(*type().schema);
  const auto made = RecordType::make("Server", shape);
  ASSERT_TRUE(made) << made.error();
  const TypeInfo& info = (*made)->info();
  EXPECT_EQ(describe(*info.schema), shape);
  EXPECT_EQ(info.field_names, type().field_names);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Server server = Maker{Rng(seed)}.server();
    const Value value = to_value(server);
    if (accepts(info, value) != accepts(type(), value)) ADD_FAILURE() << to_json(value);
    Value object;
    info.construct(&object);
    if (!info.from_value(value, &object)) continue;
    EXPECT_EQ(info.to_value(&object), value);
    for (const std::string& text : paths_of(type(), value))
      EXPECT_EQ(Path::parse(info, text)->read(&object), path(text).read(&server)) << text;
    Rng rng(seed);
    for (int i = 0; i < 20; ++i) {
      const std::string text = random_where(type(), value, paths_of(type(), value), rng);
      EXPECT_EQ(Where::parse(info, text)->holds(&object), holds(text, server)) << text;
    }
    info.destroy(&object);
    new (&object) Value;
  }
}

TEST(RecordType, HashesTellContentsApartAndKnowNodes) {
  const auto made = RecordType::make(
      "Vote", *parse_json(R"({"record":{"to":"node","seen":{"set":"node"},"why":"text"}})"));
  const TypeInfo& info = (*made)->info();
  const auto of = [&](const char* json) { return Value(*parse_json(json)); };
  const Value a = of(R"({"to":0,"seen":[0,1],"why":"x"})"),
              b = of(R"({"to":1,"seen":[1,0],"why":"x"})");
  EXPECT_NE(info.hash(&a), info.hash(&b));
  const Renaming swap{{1, 0}, {}};
  EXPECT_EQ(info.renamed(&a, swap), info.renamed(&b, {}));
  const Value c = of(R"({"to":0,"seen":[1,0],"why":"x"})");
  EXPECT_EQ(info.hash(&a), info.hash(&c));  // a set
  Value into = a;
  EXPECT_FALSE(info.from_value(of(R"({"to":"x","seen":[],"why":"x"})"), &into));
  EXPECT_EQ(into, a) << "what does not fit changes nothing";
  EXPECT_TRUE(info.from_value(c, &into));
  const auto number = RecordType::make("Level", *parse_json(R"({"record":{"at":"number"}})"));
  Value zero, below;
  zero.set("at", 0.0), below.set("at", -0.0);
  EXPECT_EQ((*number)->info().hash(&zero), (*number)->info().hash(&below)) << "one zero";
}

TEST(RecordType, BadDescriptionsAreRefused) {
  const auto problem = [](const char* json) {
    const auto made = RecordType::make("M", *parse_json(json));
    return made ? "" : made.error();
  };
  EXPECT_EQ(problem("\"text\""), "the type M is a text, not a record");
  EXPECT_EQ(problem(R"({"record":{"a":"txt"}})"), "the type M: a: \"txt\" is no kind of field");
  EXPECT_EQ(problem(R"({"record":{"a,b":"text"}})"), "the type M: \"a,b\" is no name of a field");
  EXPECT_EQ(problem(R"({"record":{"a":{"integer":3}}})"), "the type M: a: 3 bytes are no integer");
  EXPECT_THAT(problem(R"({"record":{"a":{"words":[]}}})"), HasSubstr("no kind of field"));
  EXPECT_THAT(problem(R"({"record":{"a":{"list":"text","length":-1}}})"), HasSubstr("no length"));
  std::string deep = "\"text\"";
  for (int i = 0; i < 50; ++i) deep = "{\"list\":" + deep + "}";
  EXPECT_THAT(problem(("{\"record\":{\"a\":" + deep + "}}").c_str()),
              HasSubstr("nested too deeply"));
}

}  // namespace
