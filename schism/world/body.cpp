#include "schism/world/body.hpp"

namespace schism {

void BodyPool::refill(std::uint32_t size_class) {
  const std::size_t block = sizeof(Body) + size_class * kStep;
  const std::size_t count = kChunk / block;
  chunks_.push_back(std::make_unique<std::byte[]>(kChunk));
  bytes_ += kChunk;
  std::byte* chunk = chunks_.back().get();
  for (std::size_t i = count; i-- > 0;) {  // the lowest address is handed out first
    auto* free = new (chunk + i * block) Free{free_[size_class]};
    free_[size_class] = free;
  }
}

}  // namespace schism
