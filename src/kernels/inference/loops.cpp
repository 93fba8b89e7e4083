// Which set of loops this processor can run.
#include "inference/loops.hpp"

#if defined(IBIDEM_AVX2) && defined(_MSC_VER) && !defined(__clang__)
#include <immintrin.h>
#include <intrin.h>
#endif

namespace ibidem {
namespace {

bool has_avx2() {
#if !defined(IBIDEM_AVX2)
    return false;
#elif defined(_MSC_VER) && !defined(__clang__)
    int first[4];
    int seventh[4];
    __cpuid(first, 0);
    if (first[0] < 7) return false;
    __cpuid(first, 1);
    __cpuidex(seventh, 7, 0);
    const bool fma = (first[2] >> 12) & 1;
    const bool saved_by_system = ((first[2] >> 27) & 1) && (_xgetbv(0) & 6) == 6;
    return fma && saved_by_system && ((seventh[1] >> 5) & 1);
#else
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
}

const bool use_avx2 = has_avx2();

}  // namespace

#if defined(IBIDEM_AVX2)
template <>
const Loops<float>& loops<float>() {
    return use_avx2 ? avx2::single_loops : baseline::single_loops;
}
template <>
const Loops<double>& loops<double>() {
    return use_avx2 ? avx2::double_loops : baseline::double_loops;
}
#else
template <>
const Loops<float>& loops<float>() {
    return baseline::single_loops;
}
template <>
const Loops<double>& loops<double>() {
    return baseline::double_loops;
}
#endif

const char* loops_in_use() { return use_avx2 ? "avx2" : "baseline"; }

}  // namespace ibidem
