#include "schism/tla/store.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "absl/container/flat_hash_map.h"
#include "schism/base/hash.hpp"

namespace schism::tla {
namespace {

class Guard {
 public:
  Guard(std::atomic_flag& flag, bool needed) : flag_(needed ? &flag : nullptr) {
    while (flag_ != nullptr && flag_->test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Guard() {
    if (flag_ != nullptr) flag_->clear(std::memory_order_release);
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  std::atomic_flag* flag_;
};

}  // namespace

Store::Store(Symbols& symbols) : symbols_(symbols), shards_(new Shard[kShards]) {
  // 29 bits name a place in units of 16 bytes. Only what is used costs memory.
  for (reserved_ = std::size_t{1} << 33; reserved_ >= (std::size_t{1} << 28); reserved_ /= 2) {
    void* p = ::mmap(nullptr, reserved_, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p != MAP_FAILED) {
      base_ = static_cast<char*>(p);
      break;
    }
  }
  if (base_ == nullptr) throw Failure({}, "no memory for values");
  used_ = kStretch;  // place 0 is nobody's
  for (std::size_t i = 0; i < kShards; ++i) shards_[i].table.assign(64, 0);
  empty_set_ = sorted_set({});
  empty_tuple_ = tuple({});
  const Value both[] = {kFalse, kTrue};
  booleans_ = sorted_set(both);
}

Store::~Store() {
  if (base_ != nullptr) ::munmap(base_, reserved_);
}

std::uint64_t Store::hash_pair(std::uint64_t key, std::uint64_t value) {
  return fold_multiply(key ^ 0xa0761d6478bd642fULL, value ^ 0xe7037ed1a0b428dbULL) + key;
}

std::uint64_t Store::hash_of_sum(Kind kind, std::size_t size, std::uint64_t sum) {
  return mix64(sum + (static_cast<std::uint64_t>(kind) << 56) + size * 0x9e3779b97f4a7c15ULL);
}

std::uint64_t Store::hash(Value v) const {
  switch (v.tag()) {
    case Tag::node: return v.node()->hash;
    case Tag::string: return symbols_.hash(v.symbol()) + 0x5bd1e995;
    case Tag::model: return symbols_.hash(v.symbol()) ^ 0x2545f4914f6cdd1dULL;
    default: return mix64(v.bits());
  }
}

// --- Making values -------------------------------------------------------------------------------

Value Store::sorted_set(std::span<const Value> elements) {
  std::uint64_t sum = 0;
  for (const Value e : elements) sum += mix64(hash(e));
  return intern(Kind::set, static_cast<std::uint32_t>(elements.size()), elements,
                hash_of_sum(Kind::set, elements.size(), sum));
}

Value Store::set(std::vector<Value>& elements) {
  const auto before = [this](Value a, Value b) { return a == b ? false : compare(a, b) < 0; };
  if (!std::is_sorted(elements.begin(), elements.end(), before))
    std::sort(elements.begin(), elements.end(), before);
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return sorted_set(elements);
}

std::uint64_t Store::hash_of_tuple(std::span<const Value> items) const {
  std::uint64_t sum = 0, i = 0;
  for (const Value v : items) sum += hash_pair(mix64(++i), hash(v));
  return hash_of_sum(Kind::tuple, items.size(), sum);
}

Value Store::tuple(std::span<const Value> items) {
  return intern(Kind::tuple, static_cast<std::uint32_t>(items.size()), items, hash_of_tuple(items));
}

Value Store::function(Value domain, std::span<const Value> values) {
  const ValueNode& keys = *domain.node();
  const std::size_t n = values.size();
  // Numbers ascend in an ordered set, so its ends say whether it is 1..n.
  if (n == 0 ||
      (keys[0] == Value::integer(1) && keys[n - 1] == Value::integer(static_cast<std::int64_t>(n))))
    return tuple(values);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += hash_pair(hash(keys[i]), hash(values[i]));
  Value small[17];
  std::vector<Value> large;
  Value* words = small;
  if (n > 16) {
    large.resize(n + 1);
    words = large.data();
  }
  words[0] = domain;
  std::copy(values.begin(), values.end(), words + 1);
  return intern(Kind::function, static_cast<std::uint32_t>(n), {words, n + 1},
                hash_of_sum(Kind::function, n, sum));
}

Value Store::description(Kind kind, std::span<const Value> words) {
  std::uint64_t h = 0;
  for (const Value v : words) h = mix64(h + hash(v));
  return intern(kind, static_cast<std::uint32_t>(words.size()), words,
                hash_of_sum(kind, words.size(), h));
}

Value Store::infinite(Infinite which) {
  const Value w[] = {Value::integer(static_cast<std::int64_t>(which))};
  return description(Kind::infinite, w);
}

Value Store::interval(std::int64_t low, std::int64_t high) {
  if (high < low) return empty_set_;
  const Value w[] = {Value::integer(low), Value::integer(high)};
  return description(Kind::interval, w);
}

// --- The table -----------------------------------------------------------------------------------

Value Store::intern(Kind kind, std::uint32_t size, std::span<const Value> words,
                    std::uint64_t hash) {
  Shard& shard = shards_[hash >> 58];
  const Guard guard(shard.lock, shared_);
  const std::size_t mask = shard.table.size() - 1;
  const std::uint64_t tag = slot_of(hash, 0);
  std::size_t i = tag >> 32 & mask;
  for (; shard.table[i] != 0; i = (i + 1) & mask) {
    if ((shard.table[i] ^ tag) >> 32 != 0) continue;  // nobody goes and looks
    const ValueNode* n = at(static_cast<std::uint32_t>(shard.table[i]));
    if (n->hash == hash && n->kind == kind && n->size == size &&
        (words.empty() || std::memcmp(n->begin(), words.data(), words.size_bytes()) == 0))
      return Value::node(n);
  }
  const ValueNode* made = allocate(shard, kind, size, words, hash);
  shard.table[i] =
      tag | static_cast<std::uint32_t>(
                static_cast<std::size_t>(reinterpret_cast<const char*>(made) - base_) / kGranule);
  if (++shard.count * 3 > shard.table.size() * 2) grow(shard);
  return Value::node(made);
}

const ValueNode* Store::allocate(Shard& shard, Kind kind, std::uint32_t size,
                                 std::span<const Value> words, std::uint64_t hash) {
  const std::size_t bytes =
      (sizeof(ValueNode) + words.size_bytes() + kGranule - 1) / kGranule * kGranule;
  if (shard.at + bytes > shard.end) {
    const std::size_t stretch = std::max(bytes, kStretch);
    shard.at = used_.fetch_add(stretch);
    shard.end = shard.at + stretch;
    if (shard.end > reserved_) throw Failure({}, "no memory left for values");
  }
  char* p = base_ + shard.at;
  shard.at += bytes;
  const ValueNode head{hash, size, kind, {}};
  std::memcpy(p, &head, sizeof head);
  if (!words.empty()) std::memcpy(p + sizeof head, words.data(), words.size_bytes());
  return reinterpret_cast<const ValueNode*>(p);
}

void Store::put(std::vector<std::uint64_t>& table, std::uint64_t slot) {
  const std::size_t mask = table.size() - 1;
  std::size_t i = slot >> 32 & mask;
  while (table[i] != 0) i = (i + 1) & mask;
  table[i] = slot;
}

void Store::grow(Shard& shard) {
  std::vector<std::uint64_t> larger(shard.table.size() * 2, 0);
  for (const std::uint64_t slot : shard.table)
    if (slot != 0) put(larger, slot);
  shard.table.swap(larger);
}

// --- Giving back ---------------------------------------------------------------------------------

void Store::settle() {
  settled_ = used_;
  for (std::size_t i = 0; i < kShards; ++i) {
    shards_[i].settled_at = shards_[i].at;
    shards_[i].settled_end = shards_[i].end;
  }
}

bool Store::settled(const ValueNode& n) const {
  const auto offset = static_cast<std::size_t>(reinterpret_cast<const char*>(&n) - base_);
  const Shard& shard = shards_[n.hash >> 58];
  return offset < settled_ && !(offset >= shard.settled_at && offset < shard.settled_end);
}

void Store::drop_unsettled() {
  for (std::size_t i = 0; i < kShards; ++i) {
    Shard& shard = shards_[i];
    std::vector<std::uint64_t> kept;
    for (const std::uint64_t slot : shard.table)
      if (slot != 0 && settled(*at(static_cast<std::uint32_t>(slot)))) kept.push_back(slot);
    std::size_t size = 64;
    while (kept.size() * 3 > size * 2) size *= 2;
    std::vector<std::uint64_t>(size, 0).swap(shard.table);
    for (const std::uint64_t slot : kept) put(shard.table, slot);
    shard.count = kept.size();
    shard.at = shard.settled_at;
    shard.end = shard.settled_end;
  }
  const std::size_t page = 4096, from = (settled_ + page - 1) / page * page;
  if (used_ > from) ::madvise(base_ + from, used_ - from, MADV_DONTNEED);
  used_ = settled_;
}

void Store::collect(std::span<Value* const> live) {
  struct Copy {
    std::uint64_t hash;
    std::uint32_t size;
    Kind kind;
    std::size_t words, count;  // where they begin
  };
  std::vector<Copy> copies;
  std::vector<Value> words;
  absl::flat_hash_map<const ValueNode*, std::size_t> numbers;
  // Parts before wholes; an explicit stack, because values may be deep.
  const auto add = [&](const ValueNode* root) {
    std::vector<const ValueNode*> open = {root};
    while (!open.empty()) {
      const ValueNode* n = open.back();
      const std::size_t before = open.size();
      if (!numbers.contains(n))
        for (const Value w : n->words())
          if (w.is_node() && !settled(*w.node()) && !numbers.contains(w.node()))
            open.push_back(w.node());
      if (open.size() > before) continue;
      open.pop_back();
      if (!numbers.emplace(n, copies.size()).second) continue;
      copies.push_back({n->hash, n->size, n->kind, words.size(), n->words_count()});
      words.insert(words.end(), n->words().begin(), n->words().end());
    }
  };
  for (const Value* v : live)
    if (v->is_node() && !settled(*v->node())) add(v->node());
  // A word of an unsettled value holds its old place until that has a new one.
  std::vector<Value> places(copies.size());
  const auto moved = [&](Value w) {
    if (!w.is_node()) return w;
    const auto found = numbers.find(w.node());
    return found == numbers.end() ? w : places[found->second];
  };
  drop_unsettled();
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const Copy& c = copies[i];
    const std::span<Value> own(words.data() + c.words, c.count);
    for (Value& w : own) w = moved(w);
    places[i] = intern(c.kind, c.size, own, c.hash);
  }
  for (Value* v : live) *v = moved(*v);
}

std::size_t Store::values() const {
  std::size_t n = 0;
  for (std::size_t i = 0; i < kShards; ++i) n += shards_[i].count;
  return n;
}

std::uint32_t Store::pack(Value v) {
  if (v.is_node()) {
    const auto offset = static_cast<std::size_t>(reinterpret_cast<const char*>(v.node()) - base_);
    return static_cast<std::uint32_t>(offset / kGranule) << 3;
  }
  if (v.is_integer()) {
    const std::int64_t i = v.as_integer();
    if (i >= -(1 << 28) && i < (1 << 28)) return (static_cast<std::uint32_t>(i) << 3) | 1u;
    const Value w[] = {v};
    return pack(description(Kind::big, w)) | 5u;
  }
  return static_cast<std::uint32_t>(v.bits());
}

Value Store::unpack(std::uint32_t packed) const {
  switch (packed & 7) {
    case 0: return Value::node(at(packed >> 3));
    case 1: return Value::integer(static_cast<std::int32_t>(packed) >> 3);
    case 5: return (*at(packed >> 3))[0];
    default: return Value::raw(packed);
  }
}

}  // namespace schism::tla
