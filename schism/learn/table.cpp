#include "schism/learn/table.hpp"

#include <algorithm>
#include <cstring>

namespace schism::learn {

Known& Table::place(Key key) {
  std::size_t at = home(key);
  while (slots_[at].key != 0 && slots_[at].key != key) at = at + 1 == slots_.size() ? 0 : at + 1;
  return slots_[at];
}

void Table::set(Key key, float value, std::uint32_t visits) {
  if ((used_ + 1) * 5 > slots_.size() * 4) grow(slots_.size() + slots_.size() / 2);
  Known& known = place(key);
  if (known.key == 0) {
    ++used_;
    noted_.push_back({key, fallback_, 0});
    known.key = key;
  } else {
    noted_.push_back(known);
  }
  known.value = value;
  known.visits = visits;
}

// A pair that was not there stays, with the value that it has for those who do not know it.
void Table::take_back() {
  for (std::size_t i = noted_.size(); i-- > 0;) place(noted_[i].key) = noted_[i];
  noted_.clear();
}

void Table::grow(std::size_t slots) {
  std::vector<Known> old(slots);
  old.swap(slots_);
  for (const Known& known : old)
    if (known.key != 0) place(known.key) = known;
}

std::string Table::save() const {
  std::vector<Known> all;
  for (const Known& known : slots_)
    if (known.key != 0 && (known.visits > 0 || known.value != fallback_)) all.push_back(known);
  std::sort(all.begin(), all.end(), [](const Known& a, const Known& b) { return a.key < b.key; });
  return {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(Known)};
}

Status Table::load(std::string_view bytes) {
  if (bytes.size() % sizeof(Known) != 0) return error("what was learnt is cut off");
  const std::size_t count = bytes.size() / sizeof(Known);
  slots_.assign(std::max<std::size_t>(64, count + count / 2), {});
  noted_.clear();
  used_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Known known;
    std::memcpy(&known, bytes.data() + i * sizeof(Known), sizeof(Known));
    if (known.key == 0) return error("what was learnt is damaged");
    place(known.key) = known;
  }
  for (const Known& known : slots_) used_ += known.key != 0 ? 1 : 0;
  return {};
}

}  // namespace schism::learn
