// `schism locality`: does a small change of a genome make a small change of a run?
#include <fmt/format.h>

#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/evolve/locality.hpp"

namespace schism::cli {
namespace {

struct LocalityFlags {
  explicit LocalityFlags(Flags& flags) : run(flags) {
    flags.example("schism locality xrpl", "DiscoTest's section 4.1: delays, 13 classes");
    flags.example("schism locality xrpl --representation priority --schedules 100",
                  "the same of rankings, in short");
    flags.option("--representation", representation, "delay (default), priority or aged")
        .one_of({"delay", "priority", "aged"});
    flags.option("--classes", classes, "which messages share a gene");
    flags.option("--genomes", genomes, "how many are sampled (10)");
    flags.option("--neighbours", neighbours, "of each (10)");
    flags.option("--schedules", schedules,
                 "runs of random genomes whose messages are counted (500)");
    flags.option("--seed", seed, "of everything (1)");
    flags.flag("--json", json, "for programs");
  }

  RunFlags run;
  std::string representation = "delay", classes, genomes = "10", neighbours = "10",
              schedules = "500", seed = "1";
  bool json = false;
};

Status take_numbers(const LocalityFlags& f, evolve::LocalityOptions& out) {
  const auto number = [](const std::string& name, const std::string& text, std::int64_t& into,
                         std::int64_t least) -> Status {
    const auto n = parse_integer(text, least, 1'000'000);
    if (!n) return error("--{} {}", name, n.error());
    into = *n;
    return {};
  };
  if (auto s = number("genomes", f.genomes, out.genomes, 1); !s) return s;
  if (auto s = number("neighbours", f.neighbours, out.neighbours, 1); !s) return s;
  if (auto s = number("schedules", f.schedules, out.schedules, 0); !s) return s;
  const auto seed = parse_seed(f.seed);
  if (!seed) return error("--seed {}", seed.error());
  out.seed = *seed;
  return {};
}

Value spread_value(const evolve::Spread& spread) {
  Value out;
  out.set("mean", spread.mean());
  out.set("deviation", spread.deviation());
  out.set("count", static_cast<std::int64_t>(spread.count));
  return out;
}

void print_text(const evolve::Locality& l) {
  const auto line = [](std::string_view what, const evolve::Spread& s) {
    say("  {:<44} {:.4f} ({:.4f})  {} pairs\n", what, s.mean(), s.deviation(), s.count);
  };
  say("distance of two runs, as a share of the largest possible: mean (deviation)\n");
  line("the same genome, other seeds: the noise", l.noise);
  line("neighbours, the same seeds", l.neighbours);
  line("neighbours, other seeds", l.noisy_neighbours);
  line("any two genomes, the same seeds", l.random);
  say("\n{} of {} neighbours gave a run of the same class\n", l.same, l.neighbours.count);
  if (l.shares.empty() || l.shares.front().second.count == 0) return;
  say("\nshare of messages by class: mean (deviation) of {} runs\n", l.shares.front().second.count);
  for (const auto& [word, share] : l.shares)
    say("  {:<44} {:.3f} ({:.3f})\n", Shown{word}, share.mean(), share.deviation());
}

int run_locality(const LocalityFlags& f) {
  auto text = f.run.text();
  if (!text) return bad_input(text.error());
  evolve::LocalityOptions options;
  if (auto s = take_numbers(f, options); !s) return bad_input(s.error());
  options.classes = f.classes;
  if (f.representation == "priority") options.representation = evolve::Representation::priority;
  if (f.representation == "aged") options.representation = evolve::Representation::aged;
  text->explorer = {options.representation == evolve::Representation::delay ? "delays" : "inbox"};
  const auto config = make_config(*text);
  if (!config) return bad_input(config.error());
  catch_interrupts();
  const auto measured = evolve::measure_locality(*config, options, interrupted());
  if (!measured) return bad_input(measured.error());
  if (f.json) {
    Value out, shares;
    for (const auto& [word, share] : measured->shares) shares.set(word, spread_value(share));
    out.set("noise", spread_value(measured->noise));
    out.set("neighbours", spread_value(measured->neighbours));
    out.set("noisy_neighbours", spread_value(measured->noisy_neighbours));
    out.set("random", spread_value(measured->random));
    out.set("same", static_cast<std::int64_t>(measured->same));
    out.set("shares", std::move(shares));
    say("{}\n", to_json(out));
  } else {
    print_text(*measured);
  }
  return interrupted() ? kInterrupted : kFine;
}

const Registration registered = verb<LocalityFlags>(
    95, "locality", "how far runs of neighbouring genomes are apart", run_locality);

}  // namespace
}  // namespace schism::cli
