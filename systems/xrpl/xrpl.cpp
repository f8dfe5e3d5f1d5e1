// `xrpl`: what there is to switch, and who judges. Registered by hand rather than by the builder,
// because three parameters are read by parsers of their own.
#include "schism/registry.hpp"
#include "schism/schism.hpp"
#include "schism/system/seen.hpp"
#include "systems/xrpl/lies.hpp"
#include "systems/xrpl/oracles.hpp"

namespace schism::xrpl {
namespace {

Config& config_of(void* object) { return *static_cast<Config*>(object); }
const Config& config_of(const void* object) { return *static_cast<const Config*>(object); }
const Config& config_of(const Setup& setup) { return config_of(setup.config.get()); }

Param rules_param() {
  Param p;
  p.name = "rules";
  p.fallback = "2.4";
  p.range = "1.7 or 2.4";
  p.meaning = "which version's rules: 1.7 (to 1.11) or 2.4";
  p.set = [](void* o, std::string_view, std::string_view text) -> Status {
    if (text != "1.7" && text != "2.4") return error("is 1.7 or 2.4, not \"{}\"", text);
    config_of(o).rules = text == "1.7" ? RuleSet::v1_7 : RuleSet::v2_4;
    return {};
  };
  p.get = [](const void* o) {
    const bool old = config_of(o).rules == RuleSet::v1_7;
    return std::vector{std::pair{std::string("rules"), std::string(old ? "1.7" : "2.4")}};
  };
  return p;
}

Param unl_param() {
  Param p;
  p.name = "unl";
  p.fallback = "all";
  p.range = "all, groot, byzzfuzz or groups";
  p.meaning = "whom nodes trust; groups such as 0-3:0-4/4-6:2-6 (who:trusts whom)";
  p.set = [](void* o, std::string_view, std::string_view text) -> Status {
    auto groups = TrustGroups::parse(text);
    if (!groups) return tl::unexpected(groups.error());
    config_of(o).unl = std::string(text);
    config_of(o).trust = *std::move(groups);
    return {};
  };
  p.get = [](const void* o) {
    return std::vector{std::pair{std::string("unl"), config_of(o).unl}};
  };
  return p;
}

Param case_param() {
  Param p;
  p.name = "case";
  p.fallback = "discotest";
  p.range = "a name or a path";
  p.meaning = "the test case: discotest, discotest-consecutive, groot, none, or a TOML file";
  p.set = [](void* o, std::string_view, std::string_view text) -> Status {
    auto found = find_test_case(std::string(text));
    if (!found) return tl::unexpected(found.error());
    config_of(o).test_case = std::make_shared<const TestCase>(*std::move(found));
    return {};
  };
  p.get = [](const void* o) {
    return std::vector{std::pair{std::string("case"), config_of(o).test_case->name}};
  };
  return p;
}

void add_params(Params& params) {
  params.push(rules_param());
  params.push(unl_param());
  params.push(case_param());
  params
      .add<&Config::quorum>("quorum", 1, 100,
                            "percent of the trusted that must validate; but for 80 without the "
                            "floor of 60")
      .add<&Config::load>("load", 0, 100, "payments that each node makes up when a round begins")
      .add_duration<&Config::stagger>("stagger", 0, 1_s,
                                      "a node's first heartbeat is late by up to this")
      .add_duration<&Config::apply>("apply", 0, 60_s, "how long an accepted ledger is being built")
      .add<&Config::send_sets>("send-sets",
                               "transaction sets are sent whole, as in rippled's own simulation; "
                               "else they are announced, and asked for")
      .add<&Config::ledgers>("ledgers", 0, 1'000'000,
                             "validated ledgers after which a node stops; 0: when all payments of "
                             "the test case have ended, if it has any")
      .add_duration<&Config::linger>("linger", 0, 3600_s, "how long it goes on before it stops")
      .add_duration<&Config::duration>("duration", 0, 1'000'000_s,
                                       "when it stops whatever has happened; 0s: never")
      .add<&Config::heal>("heal", 0, 1000,
                          "ledgers of a fair end after which all must have validated the same, as "
                          "Groot judges; 0: not judged")
      .add<&Config::judge_sets>("judge-sets",
                                "judge that all accept the same transaction sets (A1); correct "
                                "code does not when messages take 2 s")
      .add<&Config::judge_ledgers>("judge-ledgers", "the same of the ledgers that they accept")
      .add<&Config::judge_progress>("judge-progress",
                                    "65 s of a fair end without a newly validated ledger are a "
                                    "violation")
      .add<&Config::judge_compatible>("judge-compatible", 0, 1'000'000,
                                      "from which ledger on a node that refuses to validate what "
                                      "it built is a violation; 0: none. Correct code does so when "
                                      "messages take seconds")
      .add<&Config::judge_stalls>(
          "judge-stalls",
          "a run that ends before all have validated as many ledgers as "
          "`ledgers` says is a violation, of which ISOLATION's kinds are told");
}

template <auto Member>
Bug bug(std::string name, std::string meaning) {
  return {std::move(name), std::move(meaning), [](void* c) { detail::member<Member>(c) = true; },
          [](const void* c) { return bool(detail::member<Member>(c)); }};
}

std::vector<Bug> bugs() {
  return {
      bug<&Config::stale_proposal>("stale-proposal",
                                   "B1: a proposal is accepted though a newer one of that peer is "
                                   "held"),
      bug<&Config::quorum_40>("quorum-40",
                              "B2, and Groot's: 40 percent of the trusted validate a ledger"),
      bug<&Config::quorum_60>("quorum-60", "the same with 60 percent"),
      bug<&Config::dead_acquisition>("dead-acquisition",
                                     "B3: a transaction set that could not be fetched in 5,250 ms "
                                     "is never asked for again"),
      bug<&Config::validation_by_hash>("validation-by-hash",
                                       "B4: validations of a ledger are counted whatever sequence "
                                       "they say it has"),
      bug<&Config::stuck_threshold_40>("stuck-threshold-40",
                                       "B6: in a round that is stuck 40 percent of the votes are "
                                       "enough instead of 95"),
      bug<&Config::self_counted_once>("self-counted-once",
                                      "B7: a node counts itself among those who agree but not in "
                                      "the total"),
  };
}

void add_oracles(std::vector<System::OracleMaker>& oracles) {
  const auto add = [&](auto make) { oracles.push_back(std::move(make)); };
  add([](const Setup&) { return std::make_unique<DecidesOnce>(); });
  add([](const Setup&) { return std::make_unique<ValidatesOnce>(); });
  add([](const Setup& s) { return std::make_unique<Same>(About::sets, config_of(s).judge_sets); });
  add([](const Setup& s) {
    return std::make_unique<Same>(About::accepted, config_of(s).judge_ledgers);
  });
  add([](const Setup&) { return std::make_unique<Same>(About::validated, true); });
  add([](const Setup& s) { return std::make_unique<ProposedSets>(s); });
  add([](const Setup& s) { return std::make_unique<Built>(false, is_honest(s)); });
  add([](const Setup& s) { return std::make_unique<Built>(true, is_honest(s)); });
  add([](const Setup&) { return std::make_unique<TrueSequence>(); });
  add([](const Setup& s) { return std::make_unique<Compatible>(config_of(s).judge_compatible); });
  for (const Stalled::Why why : {Stalled::Why::incompatible, Stalled::Why::insufficient,
                                 Stalled::Why::agreement, Stalled::Why::any})
    add([why](const Setup& s) {
      const Config& config = config_of(s);
      return std::make_unique<Stalled>(why, config.judge_stalls ? config.ledgers : 0);
    });
  add([](const Setup&) { return std::make_unique<HeldSequence>(); });
  add([](const Setup& s) { return std::make_unique<Termination>(config_of(s).judge_progress); });
  add([](const Setup& s) { return std::make_unique<Healed>(config_of(s).heal); });
  add([](const Setup& s) { return std::make_unique<CaseRules>(config_of(s).test_case); });
}

void look_from_afar(const Validator& node, Paint& paint) {
  paint.role(node.phase);
  paint.is(node.mode), paint.is(node.operating);
  paint.is(node.outcome);
  paint.is(node.prev_id != node.prev.id());  // it is on the wrong ledger
  paint.is(node.building != 0);
  paint.rank(node.lcl.seq()), paint.rank(node.last_valid.seq);
}

const NodeClass& validator_class() {
  static const NodeClass type = node_class<Validator>();
  return type;
}

Registration make() {
  auto system = std::make_shared<System>();
  system->name = "xrpl";
  system->survives = [](const Setup&) { return FaultKinds{}; };  // none was tried enough
  system->description = "the XRP Ledger consensus protocol, as rippled runs it";
  system->node_range = {5, 1, kValidatorsMax};
  system->classes = {&validator_class()};
  system->class_of = [](NodeId, const Setup&) -> const NodeClass& { return validator_class(); };
  system->fresh_config = [] { return std::make_shared<Config>(); };
  system->copy_config = [](const void* from) { return std::make_shared<Config>(config_of(from)); };
  add_params(system->params);
  system->bugs = bugs();
  add_oracles(system->oracles);
  add_lies(*system);
  system->painters.push_back({&type_info<Validator>(), [](const void* node, Paint& paint) {
                                look_from_afar(*static_cast<const Validator*>(node), paint);
                              }});
  system->steps_max = 20'000;
  system->tail = 200_s;
  system->timer_weights = {{"heartbeat", 4}, {"set_fetch", 1}, {"ledger_fetch", 1}};
  system->thread_safe = true;
  system->drawing.put(
      {"heal", "judge-sets", "judge-ledgers", "judge-progress", "judge-compatible", "judge-stalls"},
      Purpose::judgement);
  system->drawing.put({"rules", "unl", "case", "quorum", "ledgers", "send-sets"}, Purpose::settled);
  system->drawing.clock = true;
  system->drawing.latency_low = 10_ms, system->drawing.latency_high = 8_s;
  return register_system(system);
}

const Registration registered = make();

// B4 is about what somebody says who lies.
const Registration b4 = seen_with("xrpl", "validation-by-hash", {{}, {{"liars-drawn", "1"}}, {}});
const Registration groots_question = seen_with(
    "xrpl", "quorum-60",
    {{},
     {},
     "two quorums of 60 percent share a node, and it validates one ledger a sequence; one "
     "that changes its branch counts on both, which Groot's lists show once in some "
     "thousand runs (docs/results/groot.md)"});
const Registration b6 =
    seen_with("xrpl", "stuck-threshold-40",
              {{},
               {},
               "a round that is stuck ends with other transactions, and nothing that is judged "
               "depends on it"});
const Registration b7 =
    seen_with("xrpl", "self-counted-once",
              {{},
               {},
               "it accepts sooner, which same-sets would show, and which correct code breaks too "
               "when messages take seconds"});

}  // namespace
}  // namespace schism::xrpl
