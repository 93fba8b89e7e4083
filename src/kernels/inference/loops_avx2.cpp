// The loops for x86-64 with AVX2 and FMA; empty elsewhere.
#if defined(IBIDEM_AVX2)
#define IBIDEM_TARGET avx2
#define IBIDEM_BYTES 32
#include "inference/loops.inl"
#endif
