// A world whose nodes are processes does what the simulated one does, decision by decision; and
// whatever happens to its processes, it knows, and none outlives it.
#include "schism/process/process_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "schism/process/node_process.hpp"
#include "schism/run/config.hpp"
#include "schism/run/make_world.hpp"
#include "schism/schism.hpp"
#include "schism/testing/drive.hpp"
#include "schism/trace/describe.hpp"

namespace schism {
namespace {

using namespace contract;
using testing::HasSubstr;

// ---- a system whose handlers do what handlers must not -----------------------------------------

struct Poke {
  int how = 0;
  FIELDS(how)
};

struct Hostile : Node<Hostile, Poke> {
  struct Config {
    // 0: nothing; 1: abort; 2: exit; 3: sleep for ever; 4: throw; 5: close all; 6: work for ever
    int how = 0;
  };
  int poked = 0;
  FIELDS(poked)

  void start(Context& c) {
    if (c.self == 0) c.broadcast(Poke{c.config().how});
  }
  void on(Context&, NodeId, const Poke& poke) {
    ++poked;
    switch (poke.how) {
      case 1: ::abort();
      case 2: ::_exit(7);
      case 3:
        for (;;) ::pause();
      case 6:
        for (;;) asm volatile("");  // nothing that could be left out
      case 4: throw std::runtime_error("no milk");
      case 5:
        for (int fd = 0; fd < 1024; ++fd) ::close(fd);
        for (;;) ::pause();
      default: break;
    }
  }
};

const Registration hostile = system<Hostile>("test-hostile", "dies in every way")
                                 .nodes(3)
                                 .param<&Hostile::Config::how>("how", 0, 6, "what a poke does")
                                 .fragile();

schism::Setup setup_of(std::string_view name, int nodes = 3) {
  schism::Setup setup;
  setup.system = systems().find(name);
  setup.config = setup.system->fresh_config();
  setup.nodes = nodes;
  setup.node_seed = 1;
  setup.options.place = Place::processes;
  return setup;
}

std::vector<pid_t> children_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children");
  std::vector<pid_t> out;
  for (pid_t child = 0; file >> child;) out.push_back(child);
  return out;
}

std::string events_of(const World& world) {
  std::string out;
  for (const Event& event : world.events())
    out += to_json(describe_event(*world.setup().system, event)) + "\n";
  return out;
}

// What both worlds must agree on. What nodes show may hold clock readings: asked for apart.
std::string common_state(const World& world, bool inspect) {
  std::string out;
  const Pending& p = world.pending();
  for (NodeId id = 0; id < p.nodes; ++id)
    out += fmt::format("node {} up {} outcomes {} {}\n", id, world.up(id),
                       world.crash_outcomes(id).size(), inspect ? to_json(world.inspect(id)) : "");
  std::vector<std::string> lines;
  p.each([&](Do kind, std::uint32_t slot) {
    const Slot& s = p.slot(kind, slot);
    lines.push_back(fmt::format("{} {:016x} {}\n", action_name(kind), s.name.bits(),
                                s.at != kNone ? "enabled" : "not"));
  });
  std::sort(lines.begin(), lines.end());
  for (const std::string& line : lines) out += line;
  for (const Do kind : {Do::deliver, Do::drop, Do::duplicate, Do::fire, Do::complete, Do::submit,
                        Do::crash, Do::restart, Do::cut, Do::heal})
    out += fmt::format("{} {}\n", action_name(kind), p.count(kind));
  return out;
}

// ---- the same as simulated -------------------------------------------------------------------

TEST(ProcessWorld, DoesWhatTheSimulatedWorldDoesStepByStep) {
  std::size_t steps = 0, known = 0;
  for (const auto& system : sturdy_systems())
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      if (system->name == "bft-smart")
        break;  // what it does depends on its clock: the wall's, here
      SCOPED_TRACE(fmt::format("{}, seed {}", system->name, seed));
      Rng rng(seed * 61);
      schism::Setup setup = any_setup(*system, rng);
      setup.options.faults.pause = setup.options.faults.inject = 0;
      setup.options.liars.clear();
      setup.options.skew_us.clear(), setup.options.drift_ppm.clear();
      setup.options.scripted = false;
      setup.options.down = rng.chance(0.5) ? WhenDown::lost : WhenDown::waits;
      setup.options.place = Place::processes;
      if (!ProcessWorld::check(setup)) break;
      ++known;
      Play play(setup, seed);
      Chooser chooser(seed);
      ProcessWorld world;
      world.listen(kEveryEvent);
      world.attend(&chooser, false);
      chooser.about_to({});
      world.reset(setup);
      const bool same_start = events_of(world) == events_of(play.world());
      const auto timeless = [&] { return play.world().clock_reads() == 0; };
      ASSERT_TRUE(same_start || !timeless()) << events_of(world) << events_of(play.world());
      for (int i = 0; i < 25; ++i) {
        ASSERT_EQ(common_state(world, timeless()), common_state(play.world(), timeless()))
            << story(play);
        auto move = play.random_move(rng);
        if (!move) break;
        ASSERT_EQ(play.apply(*move), Refusal::none);
        Action action = move->action;
        if (move->carries()) action = with_content(action, world.add_content(move->content));
        chooser.about_to(action);
        ASSERT_EQ(world.apply(action), Refusal::none) << move->text() << story(play);
        while (!world.settle(10'000'000)) continue;
        if (timeless()) {
          ASSERT_EQ(events_of(world), events_of(play.world())) << story(play);
        }
        ++steps;
      }
    }
  fmt::print("{} steps, {} runs\n", steps, known);
  EXPECT_GT(known, 4 * 5U);
  EXPECT_GT(steps, 300U);
}

TEST(ProcessWorld, RefusesWhatTheSimulatedWorldRefuses) {
  schism::Setup setup = setup_of("test-kitchen");
  ProcessWorld world;
  world.reset(setup);
  const Action message = make_action(Do::deliver, Name(0, 1, 0, 0));
  EXPECT_EQ(world.apply(make_action(Do::deliver, Name(0, 1, 0, 9))), Refusal::not_pending);
  EXPECT_EQ(world.apply(make_action(Do::drop, message.name)), Refusal::out_of_budget);
  EXPECT_EQ(world.apply(for_free(make_action(Do::drop, message.name))), Refusal::not_allowed);
  EXPECT_EQ(world.apply(with_arg(message, 5)), Refusal::wrong_time);
  EXPECT_EQ(world.apply(node_action(Do::crash, 0)), Refusal::out_of_budget);
  EXPECT_EQ(world.apply(node_action(Do::restart, 0)), Refusal::node_up);
  EXPECT_EQ(world.apply(node_action(Do::pause, 0)), Refusal::not_allowed);
  EXPECT_EQ(world.apply(advance_by(5)), Refusal::wrong_time);
  EXPECT_EQ(world.apply(end_macro(Macro::other)), Refusal::not_allowed);
  setup.options.faults.cut = 1;
  ProcessWorld cut;
  cut.reset(setup);
  EXPECT_EQ(cut.apply(link_action(Do::cut, 0, 1)), Refusal::none);
  EXPECT_EQ(cut.apply(make_action(Do::calm, Name())), Refusal::not_allowed) << "a link is cut";
  EXPECT_EQ(cut.apply(link_action(Do::heal, 0, 1)), Refusal::none);
  EXPECT_EQ(cut.apply(make_action(Do::calm, Name())), Refusal::none);
  const std::uint32_t slot = world.pending().nth(Do::deliver, 0).hint;
  const Action first = world.pending().nth(Do::deliver, 0);
  world.hold(Do::deliver, slot, Holder::scenario);
  EXPECT_EQ(world.apply(first), Refusal::held);
  world.release(Do::deliver, slot, Holder::scenario);
  EXPECT_EQ(world.apply(first), Refusal::none);
  EXPECT_EQ(world.step(), 1U);
}

// An action may return before its events: they are there when the world has settled.
TEST(ProcessWorld, HasTheEventsOfAStepWhenItHasSettled) {
  ProcessWorld world;
  world.listen(kEveryEvent);
  world.reset(setup_of("toy-consensus"));
  const auto sent = [&] {
    return std::count_if(world.events().begin(), world.events().end(),
                         [](const Event& e) { return e.kind == Happened::sent; });
  };
  ASSERT_EQ(world.apply(make_action(Do::deliver, Name(0, 1, 0, 0))), Refusal::none);
  EXPECT_EQ(world.events().size(), 1U) << "that it was delivered";
  EXPECT_TRUE(world.settle(10'000'000));
  EXPECT_GT(sent(), 0) << "a majority: it commits";
  EXPECT_EQ(world.inspect(1).find("round")->as_int() != nullptr, true);
}

// ---- processes -------------------------------------------------------------------------------

TEST(ProcessWorld, ACrashKillsAProcessAndARestartMakesAnother) {
  schism::Setup setup = setup_of("toy-consensus");
  setup.options.faults.crash = 2;
  ASSERT_TRUE(children_of(::getpid()).empty());
  {
    ProcessWorld world;
    world.reset(setup);
    const auto before = children_of(::getpid());
    EXPECT_EQ(before.size(), 3U);
    ASSERT_EQ(world.apply(node_action(Do::crash, 1)), Refusal::none);
    EXPECT_FALSE(world.up(1));
    EXPECT_EQ(children_of(::getpid()).size(), 2U) << "and no zombie";
    ASSERT_EQ(world.apply(node_action(Do::restart, 1)), Refusal::none);
    EXPECT_TRUE(world.settle(10'000'000));
    EXPECT_TRUE(world.up(1));
    EXPECT_EQ(children_of(::getpid()).size(), 3U);
    EXPECT_NE(children_of(::getpid()), before);
    world.end_run();
    EXPECT_TRUE(children_of(::getpid()).empty());
    world.reset(2);
    EXPECT_EQ(children_of(::getpid()).size(), 3U);
  }
  EXPECT_TRUE(children_of(::getpid()).empty());
}

// Whoever is killed with signal 9 cleans nothing up; its nodes end all the same.
TEST(ProcessWorld, LeavesNoProcessBehindWhenItsOwnIsKilled) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t player = ::fork();
  if (player == 0) {
    ProcessWorld world;
    world.reset(setup_of("toy-consensus"));
    const auto nodes = children_of(::getpid());
    for (const pid_t node : nodes)
      if (::write(ends[1], &node, sizeof node) != sizeof node) ::_exit(1);
    for (;;) ::pause();
  }
  std::vector<pid_t> nodes(3);
  for (pid_t& node : nodes) ASSERT_EQ(::read(ends[0], &node, sizeof node), sizeof node);
  for (const pid_t node : nodes) EXPECT_EQ(::kill(node, 0), 0);
  ::kill(player, SIGKILL);
  ASSERT_EQ(::waitpid(player, nullptr, 0), player);
  const auto alive = [&] {
    return std::any_of(nodes.begin(), nodes.end(), [](pid_t node) {
      std::ifstream stat("/proc/" + std::to_string(node) + "/stat");
      std::string text((std::istreambuf_iterator<char>(stat)), {});
      const auto after = text.rfind(')');  // nobody may have collected it yet
      return after != std::string::npos && text[after + 2] != 'Z' && text[after + 2] != 'X';
    });
  };
  for (int i = 0; i < 2000 && alive(); ++i) ::usleep(5000);
  EXPECT_FALSE(alive());
  ::close(ends[0]), ::close(ends[1]);
}

std::string failure_of(int how) {
  schism::Setup setup = setup_of("test-hostile");
  auto config = std::make_shared<Hostile::Config>();
  config->how = how;
  setup.config = config;
  setup.options.hang = 300'000;
  ProcessWorld world;
  world.listen(kEveryEvent);
  world.reset(setup);
  EXPECT_EQ(world.apply(make_action(Do::deliver, Name(0, 1, 0, 0))), Refusal::none);
  while (!world.settle(10'000'000)) continue;
  std::string out;
  for (const Event& event : world.events())
    if (const Failure* failure = event.as<Failure>())
      out += (event.flag ? "fatal: " : "") + failure->message;
  EXPECT_EQ(world.any_failed(), !out.empty());
  // The others go on, and nobody talks to the dead.
  EXPECT_EQ(world.up(1), how == 0 || how == 4);
  EXPECT_NE(world.apply(make_action(Do::deliver, Name(0, 1, 0, 0))), Refusal::none);
  EXPECT_EQ(children_of(::getpid()).size(), how == 0 || how == 4 ? 3U : 2U);
  return out;
}

TEST(ProcessWorld, TellsHowAProcessEnded) {
  EXPECT_EQ(failure_of(0), "");
  EXPECT_THAT(failure_of(1), HasSubstr("fatal: the process of node 1 ended: SIGABRT"));
  EXPECT_THAT(failure_of(2), HasSubstr("fatal: the process of node 1 ended: exit with status 7"));
  EXPECT_THAT(failure_of(3), HasSubstr("ended: a handler that does not come back"));
  EXPECT_THAT(failure_of(6), HasSubstr("ended: a handler that does not come back"));
  EXPECT_EQ(failure_of(4), "fatal: no milk");
  EXPECT_THAT(failure_of(5), HasSubstr("fatal: the process of node 1 ended"));
  EXPECT_TRUE(children_of(::getpid()).empty());
}

// ---- clients -----------------------------------------------------------------------------------

struct Wish {
  FIELDS()
};
struct Granted {
  FIELDS()
};
// Says everything twice.
struct Echo : Node<Echo, Poke> {
  using Requests = Types<Wish>;
  FIELDS()
  void on(Context&, NodeId, const Poke&) {}
  void on_request(Context& c, RequestId request, const Wish&) {
    c.answer(request, Granted{});
    c.answer(request, Granted{});
  }
};
// Registered by whoever needs it: tests that play every system want sound ones.
void let_it_echo() {
  [[maybe_unused]] static const Registration echo =
      system<Echo>("test-echo", "for tests: answers twice").nodes(2).workload([](Workload& w) {
        w.request<Echo>(0, 0, Wish{});
      });
}

TEST(ProcessWorld, OnlyAnOpenRequestCanBeAnswered) {
  let_it_echo();
  const schism::Setup setup = setup_of("test-echo", 2);
  const auto answers = [&](World& world) {
    world.listen(kEveryEvent);
    world.reset(setup);
    EXPECT_EQ(world.apply(world.pending().nth(Do::submit, 0)), Refusal::none);
    while (!world.settle(10'000'000)) continue;
    EXPECT_TRUE(world.any_failed());
    return events_of(world);
  };
  SimWorld simulated;
  ProcessWorld processes;
  const std::string expected = answers(simulated);
  EXPECT_THAT(expected, HasSubstr("not open"));
  EXPECT_EQ(answers(processes), expected);
}

// Whoever came back can crash like anybody else.
TEST(ProcessWorld, ANodeThatCameBackMayCrashAgain) {
  schism::Setup setup = setup_of("toy-consensus");
  setup.options.faults.crash = 3;
  setup.options.may_crash = {1};
  ProcessWorld world;
  world.reset(setup);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NE(world.apply(node_action(Do::crash, 0)), Refusal::none);
    EXPECT_EQ(world.pending().count(Do::crash), 1U);
    ASSERT_EQ(world.apply(node_action(Do::crash, 1)), Refusal::none);
    EXPECT_EQ(world.pending().count(Do::crash), 0U);
    ASSERT_EQ(world.apply(node_action(Do::restart, 1)), Refusal::none);
    EXPECT_TRUE(world.settle(10'000'000));
  }
}

// ---- who runs on it, and who is refused --------------------------------------------------------

RunText hunt_of(const std::string& explorer) {
  RunText text;
  text.system = {"toy-consensus", {}};
  text.bugs = {"distrust-commits"};
  text.world = {{"place", "processes"}};
  text.explorer = {explorer, {}};
  return text;
}

TEST(ProcessWorld, RunsSchedulersAndOraclesAsTheyAre) {
  for (const char* name : {"random", "pctcp", "pos"}) {
    SCOPED_TRACE(name);
    const auto config = make_config(hunt_of(name));
    ASSERT_TRUE(config) << config.error();
    Runner runner(config->setup, config->limits);
    const auto scheduler = make_scheduler(*config);
    bool found = false;
    for (std::uint64_t seed = 1; seed <= 60 && !found; ++seed) {
      runner.run(*scheduler, {seed, seed});
      found = runner.violation().has_value();
      // Nobody reads a clock here: it is the run that the simulated world has.
      RunConfig simulated = *config;
      simulated.setup.options.place = Place::here;
      Runner other(simulated.setup, simulated.limits);
      const auto again = make_scheduler(simulated);
      other.run(*again, {seed, seed});
      ASSERT_EQ(other.violation().has_value(), found) << "seed " << seed;
    }
    EXPECT_TRUE(found);
  }
}

TEST(Needs, AreRefusedWithTheNameOfWhatIsMissing) {
  schism::Setup setup = setup_of("toy-consensus");
  EXPECT_TRUE(needs(setup, "nobody", {Need::quiescence}));
  const auto refused = [&](Need need) {
    const Status s = needs(setup, "it", {need});
    return s ? std::string() : s.error();
  };
  EXPECT_EQ(refused(Need::exact_replay),
            "it needs exact replay, which a world of processes does not have "
            "(--world place=processes)");
  EXPECT_THAT(refused(Need::virtual_clock), HasSubstr("needs a virtual clock"));
  EXPECT_THAT(refused(Need::snapshots), HasSubstr("needs snapshots of nodes"));
  setup.options.place = Place::here;
  EXPECT_EQ(refused(Need::exact_replay), "");
  const auto timed = make_config(hunt_of("timed"));
  ASSERT_FALSE(timed);
  EXPECT_THAT(timed.error(), HasSubstr("timed needs a virtual clock"));
  RunText forked = hunt_of("random");
  RunText pausing = hunt_of("random");
  pausing.faults = {{"pause", "1"}};
  EXPECT_THAT(make_config(pausing).error(), HasSubstr("no faults of the kinds pause and inject"));
  forked.world.emplace_back("forked", "true");
  EXPECT_THAT(make_config(forked).error(), HasSubstr("forked=true is for nodes in this process"));
}

// A system may bring its own world; nothing else has to know.
TEST(Needs, ASystemNamesItsOwnMaker) {
  System own = *systems().find("toy-consensus");
  own.world = [](const schism::Setup&) { return std::make_unique<ProcessWorld>(); };
  schism::Setup setup = setup_of("toy-consensus");
  setup.system = &own;
  setup.options.place = Place::here;
  EXPECT_EQ(make_world(setup)->name(), "processes");
  EXPECT_FALSE(has(setup, Need::exact_replay));
}

}  // namespace
}  // namespace schism
