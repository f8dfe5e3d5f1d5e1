#include "schism/coverage/key_set.hpp"

namespace schism {

void KeySet::clear() { shrink(0); }

// The last one in came behind all others of its chain, so that taking it out breaks none.
void KeySet::shrink(std::size_t count) {
  while (keys_.size() > count) {
    slots_[find(keys_.back())] = 0;
    keys_.pop_back();
  }
}

void KeySet::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::size_t i = 0; i < keys_.size(); ++i)
    slots_[find(keys_[i])] = static_cast<std::uint32_t>(i + 1);
}

}  // namespace schism
