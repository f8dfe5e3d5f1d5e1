// `model`: the states of a TLA+ model that a run goes through, as its mapping abstracts them
// (ModelFuzz: Gulcan et al. 2024). Without a parameter the model of ours that maps the system.
#include "schism/coverage/coverage.hpp"
#include "schism/model/beside.hpp"
#include "schism/model/follower.hpp"
#include "schism/system/system.hpp"

namespace schism::model {
namespace {

class ModelCoverage final : public Coverage, public Counting {
 public:
  struct Options {
    std::string spec;
  };
  explicit ModelCoverage(const Options& options) : options_(options) {}

  Status check(const Setup& setup) const override {
    const auto spec = spec_for(setup);
    if (!spec) return tl::unexpected(spec.error());
    const auto model = Follower(*spec, Use::guide).prepare(setup);
    if (!model) return error("coverage model: {}", model.error());
    return {};
  }

  EventMask wakes_on() const override { return wakes_on_; }
  void count(NamedCounts& sums) const override {
    if (follower_) follower_->counts().add_to(sums, name());
  }

  std::optional<std::uint64_t> mark() override {
    return marks_.mark(keys_, follower_ ? follower_->states() : std::vector<StateId>());
  }
  void back(std::uint64_t mark) override {
    std::vector<StateId> states;
    marks_.back(mark, keys_, states);
    if (follower_) follower_->back_to(std::move(states));
  }

 private:
  Result<std::string> spec_for(const Setup& setup) const {
    return options_.spec.empty() ? model_of(setup.system->name) : find_model(options_.spec);
  }

  void start(const World& world) override {
    marks_.clear();
    if (!follower_ || system_ != world.setup().system) {
      system_ = world.setup().system;
      wakes_on_ = kMappable;
      const auto spec = spec_for(world.setup());
      follower_.reset();
      if (spec) follower_.emplace(*spec, Use::guide);
    }
    if (!follower_) return;
    follower_->begin(world);
    if (!follower_->lost()) wakes_on_ = follower_->model().wakes_on();  // for the runs to come
    look_at_it();
  }
  void take(const World& world, std::span<const Event> events) override {
    if (!follower_ || !follower_->take(world, events)) return;
    look_at_it();
  }
  void look_at_it() {
    if (!follower_->lost()) see(follower_->key());
  }

  // At first every event that a mapping can name: which model it is is known when a run begins.
  EventMask wakes_on_ = kMappable;
  Options options_;
  const System* system_ = nullptr;
  std::optional<Follower> follower_;
  Marks<std::vector<StateId>> marks_;
};

const Registration registered =
    coverage<ModelCoverage>("model", "states of a TLA+ model beside the run")
        .param<&ModelCoverage::Options::spec>("spec",
                                              "a .tla file with its mapping; none: the one that "
                                              "maps the system");

}  // namespace
}  // namespace schism::model
