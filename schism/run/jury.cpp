#include "schism/run/jury.hpp"

#include <algorithm>

#include "schism/oracle/assertion.hpp"
#include "schism/oracle/survival.hpp"
#include "schism/system/system.hpp"
#include "schism/words/operands.hpp"

namespace schism {
namespace {

// Sets of oracles travel as bits.
constexpr std::size_t kBits = 64;

}  // namespace

Jury::Jury(const Setup& setup) : mute_(setup.mute) {
  oracles_.push_back(std::make_unique<Assertion>());
  oracles_.push_back(std::make_unique<Survival>());
  for (const auto& make : setup.system->oracles) oracles_.push_back(make(setup));
  for (const auto& oracle : oracles_) {
    wakes_.push_back(oracle->wakes_on());
    any_ |= wakes_.back();
    wants_tail_ = wants_tail_ || oracle->wants_fair_tail();
  }
}

std::vector<Observer> Jury::observers() const {
  std::vector<Observer> out;
  for (const auto& oracle : oracles_)
    if (auto observer = oracle->observes()) out.push_back(*std::move(observer));
  return out;
}

void Jury::begin(const World& world) {
  violation_.reset();
  muted_ = 0;
  for (const auto& oracle : oracles_) oracle->begin(world);
}

std::vector<Event> with_one_of_each(const World& world) {
  std::vector<Event> out(world.events().begin(), world.events().end());
  for (Event& event : out) {
    event.node = static_cast<std::uint16_t>(world.identity(event.node));
    const About what = about(event.kind);  // else the peer is a client, or nobody
    if (what == About::message || what == About::link)
      event.peer = static_cast<std::uint16_t>(world.identity(event.peer));
  }
  return out;
}

bool Jury::verdict_of(std::size_t oracle) {
  const Violation& found = *oracles_[oracle]->violation();
  if (!mute_.empty() && is_muted(mute_, found.property, found.message)) {
    muted_ |= std::uint64_t{1} << oracle;
    return true;
  }
  violation_ = found;
  violated_by_ = static_cast<std::uint32_t>(oracle);
  return false;
}

bool Jury::finish(const World& world, bool fair) {
  for (std::size_t i = 0; i < oracles_.size(); ++i) {
    oracles_[i]->finish(world, {fair});
    if (oracles_[i]->violation() && !verdict_of(i)) return false;
  }
  return true;
}

bool is_muted(const std::vector<std::string>& mute, std::string_view property,
              std::string_view message) {
  return std::any_of(mute.begin(), mute.end(), [&](std::string_view word) {
    const std::size_t equals = word.find('=');
    if (word.substr(0, equals) != property) return false;
    return equals == std::string_view::npos ||
           message.find(word.substr(equals + 1)) != std::string_view::npos;
  });
}

bool Jury::satisfied() const {
  for (std::size_t i = 0; i < oracles_.size(); ++i) {
    const bool silent = (muted_ >> i & 1) != 0;
    if (oracles_[i]->wants_fair_tail() && !silent && !oracles_[i]->satisfied()) return false;
  }
  return true;
}

bool Jury::holds_now(const World& world) const {
  for (std::size_t i = 0; i < oracles_.size(); ++i) {
    const bool silent = (muted_ >> i & 1) != 0;
    if (oracles_[i]->wants_fair_tail() && !silent && !oracles_[i]->satisfied() &&
        !oracles_[i]->holds_now(world))
      return false;
  }
  return true;
}

std::uint64_t Jury::met() const {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < oracles_.size() && i < kBits; ++i)
    if (oracles_[i]->met().value_or(oracles_[i]->tested())) bits |= std::uint64_t{1} << i;
  return bits;
}

Jury::Untried Jury::untried(std::uint64_t met) const {
  Untried out;
  for (std::size_t i = 0; i < oracles_.size() && i < kBits; ++i)
    if (!(met >> i & 1))
      (oracles_[i]->met() ? out.vacuous : out.untested).emplace_back(oracles_[i]->name());
  return out;
}

std::string Jury::blind(const System& system) const {
  for (const auto& oracle : oracles_)
    if (const std::string why = oracle->blind_to(system.classes); !why.empty())
      return fmt::format("its oracle \"{}\" cannot object as it should: {}", oracle->name(), why);
  return {};
}

std::uint64_t Jury::judged() const {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < oracles_.size() && i < kBits; ++i)
    if (oracles_[i]->judged()) bits |= std::uint64_t{1} << i;
  return bits;
}

std::optional<Hash128> Jury::digest() const {
  Hash128 sum;
  for (const auto& oracle : oracles_) {
    const auto own = oracle->digest();
    if (!own) return std::nullopt;
    sum = absorb(sum, *own);
  }
  return sum;
}

std::optional<Hash128> Jury::renamed_digest(const Renaming& renaming) const {
  Hash128 sum;
  for (const auto& oracle : oracles_) {
    const auto own = oracle->renamed_digest(renaming);
    if (!own) return std::nullopt;
    sum = absorb(sum, *own);
  }
  return sum;
}

void Jury::dismiss() {
  oracles_.clear();
  wakes_.clear();
  any_ = 0;
  wants_tail_ = false;
}

}  // namespace schism
