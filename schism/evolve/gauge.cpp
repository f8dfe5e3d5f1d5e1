#include "schism/evolve/gauge.hpp"

#include <algorithm>

#include "schism/base/spec.hpp"

namespace schism::evolve {

Table<Gauge>& gauges() {
  static Table<Gauge> table;
  return table;
}

std::vector<std::string> gauge_words(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('/', at), text.size());
    if (end > at) out.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

Gauges::Gauges(std::string_view words) {
  for (const std::string& word : gauge_words(words)) {
    auto made = gauges().make({word}, "gauge");
    if (!made) {
      wrong_ = made.error();
      continue;
    }
    gauges_.push_back(*std::move(made));
    wants_.push_back(gauges_.back()->wakes_on());
    mask_ |= wants_.back();
  }
  if (!gauges_.empty()) mask_ |= mask_of(Happened::announced);
}

Status Gauges::check(const Setup& setup) const {
  if (!wrong_.empty()) return error("{}", wrong_);
  for (const auto& gauge : gauges_)
    if (auto good = gauge->check(setup); !good) return good;
  return {};
}

void Gauges::begin(const World& world) {
  counts_.clear();
  deliveries_ = 0;
  for (const auto& gauge : gauges_) gauge->begin(world);
}

void Gauges::look(const World& world, std::span<const Event> events) {
  if (world.calm()) return;
  deliveries_ = world.deliveries();
  for (const Event& event : events) {
    if (event.kind != Happened::announced) continue;
    const std::uint64_t type = event.type->name_hash;
    const auto at = std::find_if(counts_.begin(), counts_.end(),
                                 [&](const auto& count) { return count.first == type; });
    if (at == counts_.end()) counts_.emplace_back(type, 1);
    else ++at->second;
  }
  for (std::size_t i = 0; i < gauges_.size(); ++i)
    if (wants_[i] == kEveryEvent || (world.step_mask() & wants_[i]))
      gauges_[i]->look(world, events);
}

void Gauges::finish(const World& world, const Ending& ending) {
  for (const auto& gauge : gauges_) gauge->finish(world, ending);
}

Report Gauges::report() const {
  Report out;
  for (const auto& gauge : gauges_) out.values.push_back(gauge->value());
  const auto size = [](std::uint64_t n) {
    return n == 0 ? 0U : 64U - static_cast<unsigned>(__builtin_clzll(n));
  };
  out.behaviour = mix64(size(deliveries_));
  for (const auto& [type, count] : counts_) out.behaviour += mix64(type ^ size(count));
  return out;
}

}  // namespace schism::evolve
