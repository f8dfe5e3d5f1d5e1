// Contents of messages, records and announcements: immutable, counted, never moved. Pools by size
// keep them close together; a body's bytes are reused only after its last owner let go.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "schism/base/fields.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define SCHISM_POOL_BODIES 0  // so that the sanitizer sees every use after release
#else
#define SCHISM_POOL_BODIES 1
#endif

namespace schism {

struct Body {
  const TypeInfo* type;
  std::uint32_t owners;
  std::uint16_t size_class;
  bool trivial;  // nothing to destroy: known without following `type`
  void* content() { return this + 1; }
  const void* content() const { return this + 1; }
};
static_assert(sizeof(Body) == 16);

class BodyPool {
 public:
  BodyPool() = default;
  BodyPool(const BodyPool&) = delete;
  BodyPool& operator=(const BodyPool&) = delete;

  // One owner: the caller. The content is moved in.
  Body* make(const TypeInfo& type, void* content) {
    Body* body = allocate(type);
    if (type.move) type.move(body->content(), content);
    else if (type.size == 8) std::memcpy(body->content(), content, 8);  // a move, not a call
    else if (type.size == 16) std::memcpy(body->content(), content, 16);
    else std::memcpy(body->content(), content, type.size);
    return body;
  }
  Body* copy(const TypeInfo& type, const void* content) {
    Body* body = allocate(type);
    assert(type.copy && "this type must be copyable");
    type.copy(body->content(), content);
    return body;
  }
  Body* build(const TypeInfo& type) {  // with default content
    Body* body = allocate(type);
    type.construct(body->content());
    return body;
  }
  void release(Body* body) {
    if (--body->owners > 0) return;
    if (!body->trivial) body->type->destroy(body->content());
    if (body->size_class >= kClasses) {
      ::operator delete(body);
      return;
    }
    auto* block = reinterpret_cast<Free*>(body);
    block->next = free_[body->size_class];
    free_[body->size_class] = block;
  }
  static Body* share(Body* body) {
    ++body->owners;
    return body;
  }
  std::size_t bytes_reserved() const { return bytes_; }

 private:
  struct Free {
    Free* next;
  };
  static constexpr std::size_t kStep = 16;
  // Contents up to 512 bytes.
  static constexpr std::uint32_t kClasses = SCHISM_POOL_BODIES ? 33 : 1;
  static constexpr std::size_t kChunk = std::size_t{1} << 14;

  Body* allocate(const TypeInfo& type) {
    const std::size_t rounded = (type.size + kStep - 1) / kStep;
    void* place = nullptr;
    const auto size_class = static_cast<std::uint32_t>(rounded < kClasses ? rounded : kClasses);
    if (size_class == kClasses) {
      place = ::operator new(sizeof(Body) + type.size);
    } else {
      if (!free_[size_class]) refill(size_class);
      place = free_[size_class];
      free_[size_class] = free_[size_class]->next;
    }
    return new (place)
        Body{&type, 1, static_cast<std::uint16_t>(size_class), type.destroy == nullptr};
  }
  void refill(std::uint32_t size_class);

  Free* free_[kClasses] = {};
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::size_t bytes_ = 0;
};

}  // namespace schism
