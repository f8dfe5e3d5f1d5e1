#include "schism/scenario/staged.hpp"

#include "schism/run/asking.hpp"
#include "schism/scenario/goal.hpp"
#include "schism/scenario/parse.hpp"
#include "schism/scenario/player.hpp"

namespace schism::scenario {
namespace {

class Staged final : public AskingStaging {
 public:
  Staged(std::shared_ptr<const Program> program, const System& system)
      : program_(std::move(program)), system_(system) {
    if (!program_->property.empty())
      system_.oracles.push_back([p = program_](const Setup&) { return std::make_unique<Goal>(p); });
  }

  std::string text() const override {
    return has_code(program_->source) ? std::string() : print(program_->source);
  }
  const System& system() const override { return system_; }
  void prepare(WorldOptions& options) const override {
    options.scripted = true;
    options.until_calm = program_->source.until_calm;
  }
  std::unique_ptr<Scheduler> before(std::unique_ptr<Scheduler> scheduler) const override {
    return std::make_unique<Player>(program_, std::move(scheduler));
  }
  std::vector<ClientRequest> requests() const override {
    std::vector<ClientRequest> out;
    for (const OwnRequest& r : program_->requests)
      out.push_back({r.client, kAnyNode, r.type, r.content});
    return out;
  }
  const Program& program() const { return *program_; }

 private:
  std::shared_ptr<const Program> program_;
  System system_;
};

// A file in front of a run that was configured elsewhere: filters and property alone count.
Result<std::shared_ptr<const Staging>> from_text(const std::string& text, const Setup& setup) {
  auto scenarios = parse(text, "scenario");
  if (!scenarios) return tl::unexpected(scenarios.error());
  if (scenarios->size() != 1)
    return error("the scenario's file has {} scenarios; one can stand in front of a run",
                 scenarios->size());
  Scenario& one = scenarios->front();
  if (one.run.system.name != setup.system->name)
    return error("scenario \"{}\" is for {}, not for {}", one.name, one.run.system.name,
                 setup.system->name);
  auto program = Program::bind(std::move(one), setup);
  if (!program) return tl::unexpected(program.error());
  return std::make_shared<Staged>(*std::move(program), *setup.system);
}

const Registration registered = add_staging_maker(from_text);

}  // namespace

Result<RunConfig> configure(const Scenario& scenario) {
  RunText text = scenario.run;
  if (text.tail.empty()) text.tail = "0s";
  auto config = make_config(text);
  if (!config) return error("scenario \"{}\": {}", scenario.name, config.error());
  auto program = Program::bind(scenario, config->setup);
  if (!program) return tl::unexpected(program.error());
  stage(*config, std::make_shared<Staged>(*std::move(program), *config->setup.system));
  return config;
}

const Program* program_of(const RunConfig& config) {
  const auto* staged = dynamic_cast<const Staged*>(config.staging.get());
  return staged ? &staged->program() : nullptr;
}

}  // namespace schism::scenario
