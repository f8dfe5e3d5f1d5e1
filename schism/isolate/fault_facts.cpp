#include "schism/isolate/fault_facts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/base/difference.hpp"
#include "schism/system/system.hpp"

namespace schism::isolate {
namespace {

constexpr std::string_view kRound = " in round ";

constexpr std::int64_t kNear = 1000;  // further off a number is another one: an identifier

// "vote.seq + 1"; where a value was replaced only which.
std::string in_words(const Change& change) {
  std::string path;
  for (const Value& part : change.path) {
    const auto* key = part.as_text();
    if (key && *key == "value") continue;  // of a signed item
    path += (path.empty() ? "" : ".") + (key ? *key : print(part));
  }
  if (change.word == "without") return path + " shortened";
  const auto* by = change.operand.as_int();
  if (change.word != "by" || !by || *by > kNear || *by < -kNear) return path + " replaced";
  return fmt::format("{} {} {}", path, *by < 0 ? "-" : "+", *by < 0 ? -*by : *by);
}

}  // namespace

EventMask FaultFacts::wants() {
  return mask_of(Happened::sent) | mask_of(Happened::delivered) | mask_of(Happened::mutated) |
         mask_of(Happened::omitted) | mask_of(Happened::injected) | mask_of(Happened::dropped);
}

void FaultFacts::begin(const Setup& setup) {
  system_ = setup.system;
  rounds_.begin(setup);
  in_flight_.clear();
  facts_.clear();
}

void FaultFacts::look(const World& world) {
  for (const Event& event : world.events()) {
    if (!event.type) continue;
    const std::string type(event.type->name);
    switch (event.kind) {
      case Happened::sent: sent(event); break;
      case Happened::delivered:
        if (const auto at = in_flight_.find(event.value); at != in_flight_.end()) {
          rounds_.pass(event.node, at->second.key);
          in_flight_.erase(at);
        }
        break;
      case Happened::mutated: lie(world, event); break;
      case Happened::injected: note(type + " made up", event); break;
      case Happened::omitted: note(type + " kept back", event); break;
      case Happened::dropped:
        note("a loss", event);
        note(type + " lost", event);
        break;
      default: break;
    }
  }
}

void FaultFacts::sent(const Event& event) {
  if (!system_->order_of) return;
  const auto key = system_->order_of(*event.type, event.body);
  if (!key) return;
  rounds_.pass(event.node, *key);
  in_flight_[event.value] = {*key, rounds_.of(event.node)};
}

void FaultFacts::lie(const World& world, const Event& event) {
  const std::string about = "a lie about " + std::string(event.type->name);
  note("a lie", event);
  note(about, event);
  for (const Change& change : changes_of(world.difference(world.decisions().back().arg())))
    note(about + ": " + in_words(change), event);
}

void FaultFacts::note(const std::string& what, const Event& event) {
  facts_.insert(what);
  if (const auto at = in_flight_.find(event.value); at != in_flight_.end())
    facts_.insert(fmt::format("{}{}{}", what, kRound, at->second.round));
}

std::vector<std::string> FaultFacts::take() {
  std::vector<std::string> out(facts_.begin(), facts_.end());
  facts_.clear();
  return out;
}

int conditions_of(const std::string& fact) {
  int out = fact.find(kRound) != std::string::npos ? 1 : 0;
  if (fact.find(": ") != std::string::npos) ++out;
  if (fact.starts_with("a lie about ") || !fact.starts_with("a ")) ++out;
  return out;
}

}  // namespace schism::isolate
