#include "schism/fuzz/corpus.hpp"

#include <algorithm>
#include <bit>

namespace schism::fuzz {
namespace {

constexpr std::size_t kKeysMax = 8;   // of an entry that are watched
constexpr std::uint64_t kOften = 16;  // as often as runs report a key

struct Saved {
  std::uint64_t next_id = 1;
  std::vector<Entry> entries;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> shown;  // sorted
  FIELDS(next_id, entries, shown)
};

}  // namespace

void Corpus::add(Entry entry, std::span<const std::uint64_t> news) {
  entry.id = next_id_++;
  entry.news = news.size();
  entry.keys.assign(news.begin(),
                    news.begin() + static_cast<std::ptrdiff_t>(std::min(news.size(), kKeysMax)));
  for (const std::uint64_t key : entry.keys) shown_.try_emplace(key, 1);
  entries_.push_back(std::move(entry));
  if (entries_.size() > most_ + most_ / 4) remove_worst();
}

void Corpus::count(std::span<const std::uint64_t> keys) {
  for (const std::uint64_t key : keys)
    if (const auto at = shown_.find(key); at != shown_.end()) ++at->second;
}

Entry* Corpus::find(std::uint64_t id) {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), id,
                                   [](const Entry& e, std::uint64_t i) { return e.id < i; });
  return at != entries_.end() && at->id == id ? &*at : nullptr;
}

void Corpus::tried(std::uint64_t id, bool found) {
  Entry* const entry = find(id);
  if (!entry) return;
  ++entry->tries;
  entry->found += found ? 1 : 0;
}

// Whole numbers, so that it is the same everywhere.
std::uint64_t Corpus::worth(const Entry& entry) const {
  std::uint64_t rarest = kOften;
  for (const std::uint64_t key : entry.keys)
    if (const auto at = shown_.find(key); at != shown_.end()) rarest = std::min(rarest, at->second);
  const std::uint64_t rarity = kOften / std::max<std::uint64_t>(rarest, 1);
  const auto novelty = static_cast<std::uint64_t>(std::bit_width(entry.news));
  const std::uint64_t in_vain = entry.tries / (1 + 4 * entry.found);
  return 1 + (4 * rarity + 2 * novelty) * 64 / (8 + in_vain);
}

void Corpus::settle() {
  sums_.clear();
  std::uint64_t sum = 0;
  for (const Entry& entry : entries_) sums_.push_back(sum += worth(entry));
}

const Entry& Corpus::draw(Rng& random) const {
  const std::uint64_t pick = random.below(sums_.back());
  const auto at = std::upper_bound(sums_.begin(), sums_.end(), pick);
  return entries_[static_cast<std::size_t>(at - sums_.begin())];
}

// Many at a time: to look for the worst costs as much as to look at all.
void Corpus::remove_worst() {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> order;  // worth and id: the older goes
  for (const Entry& entry : entries_) order.emplace_back(worth(entry), entry.id);
  const auto border = order.begin() + static_cast<std::ptrdiff_t>(entries_.size() - most_);
  std::nth_element(order.begin(), border, order.end());
  const auto least = *border;
  std::erase_if(entries_, [&](const Entry& entry) {
    if (std::pair(worth(entry), entry.id) >= least) return false;
    gone_.insert(gone_.end(), entry.keys.begin(), entry.keys.end());
    return true;
  });
  for (const std::uint64_t key : gone_) shown_.erase(key);
  gone_.clear();
}

std::string Corpus::save() const {
  Saved out{next_id_, entries_, {shown_.begin(), shown_.end()}};
  std::sort(out.shown.begin(), out.shown.end());
  return encode(out);
}

Status Corpus::load(std::string_view bytes) {
  auto saved = decode<Saved>(bytes);
  if (!saved) return tl::unexpected(saved.error());
  for (std::size_t i = 0; i + 1 < saved->entries.size(); ++i)
    if (saved->entries[i].id >= saved->entries[i + 1].id) return error("a corpus out of order");
  next_id_ = saved->next_id;
  entries_ = std::move(saved->entries);
  shown_.clear();
  shown_.insert(saved->shown.begin(), saved->shown.end());
  return {};
}

}  // namespace schism::fuzz
