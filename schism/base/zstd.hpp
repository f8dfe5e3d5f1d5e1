// zstd for sources of this folder: the window that a packed file may ask for.
#pragma once

#include <zstd.h>

namespace schism {

// 32 MiB: what zstd uses up to level 19. A file says itself how much memory unpacking it takes.
inline constexpr int kZstdWindowLogMax = 25;

inline void limit_window(ZSTD_DCtx* stream) {
  ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, kZstdWindowLogMax);
}

}  // namespace schism
