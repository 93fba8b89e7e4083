// Tells the processor what will be read soon, where the compiler has a way to say so.
#pragma once

#include <cstddef>

namespace ibidem {

inline void prefetch(const void* memory, std::size_t bytes = 1) {
#if defined(__GNUC__) || defined(__clang__)
    for (std::size_t i = 0; i < bytes; i += 64) __builtin_prefetch(static_cast<const char*>(memory) + i);
#else
    (void)memory;
    (void)bytes;
#endif
}

}  // namespace ibidem
