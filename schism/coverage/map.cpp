#include "schism/coverage/map.hpp"

#include <sys/mman.h>

#include "schism/base/codec.hpp"

namespace schism {
namespace {

struct Saved {
  std::vector<std::uint64_t> places;  // those that are not empty
  FIELDS(places)
};

}  // namespace

// An eighth stays empty, so that a search ends soon.
CoverageMap::CoverageMap(int bits)
    : pages_((std::size_t{1} << bits) * sizeof(Place)),
      mask_((std::uint64_t{1} << bits) - 1),
      most_((mask_ + 1) - (mask_ + 1) / 8) {}

void CoverageMap::protect() {
  if (protected_ || ::getpid() == maker_) return;
  ::mprotect(pages_.data(), pages_.size(), PROT_READ);
  protected_ = true;
}

std::string CoverageMap::save() const {
  Saved out;
  out.places.reserve(keys_);
  for (std::uint64_t i = 0; i < places(); ++i)
    if (const std::uint64_t there = at(i).load(std::memory_order_relaxed); there != 0)
      out.places.push_back(there);
  return encode(out);
}

// Keys come back in the order of their places, which may put them elsewhere: nobody can tell.
Status CoverageMap::load(std::string_view bytes) {
  const auto saved = decode<Saved>(bytes);
  if (!saved) return tl::unexpected(saved.error());
  if (saved->places.size() > most_) return error("more keys than this map has places for");
  for (std::uint64_t i = 0; i < places(); ++i) at(i).store(0, std::memory_order_relaxed);
  keys_ = 0;
  for (const std::uint64_t there : saved->places) {
    Place& place = at(find(there));
    if ((there & kCount) == 0 || place.load(std::memory_order_relaxed) != 0)
      return error("a key that was never seen, or twice");
    place.store(there, std::memory_order_relaxed);
    ++keys_;
  }
  return {};
}

}  // namespace schism
