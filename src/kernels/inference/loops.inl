// The loops of loops.hpp, compiled once for every instruction set (IBIDEM_TARGET names it, IBIDEM_BYTES is its vector).
#include <math.h>
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "inference/loops.hpp"

#if defined(_MSC_VER) && !defined(__clang__)
#define IBIDEM_RESTRICT __restrict
#define IBIDEM_ELEMENTWISE __pragma(loop(ivdep))
#define IBIDEM_UNROLLED
#elif defined(__clang__)
#define IBIDEM_RESTRICT __restrict__
#define IBIDEM_ELEMENTWISE _Pragma("clang loop vectorize(assume_safety)")
#define IBIDEM_UNROLLED _Pragma("unroll")
#else
#define IBIDEM_RESTRICT __restrict__
#define IBIDEM_ELEMENTWISE _Pragma("GCC ivdep")
#define IBIDEM_UNROLLED _Pragma("GCC unroll 16")
#endif
// IBIDEM_ROUNDED: a product that must not be fused with the sum it goes into, so that scores are the same on every
// processor, to the last digit.
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define IBIDEM_ROUNDED(value) __asm__("" : "+x"(value))
#elif defined(__GNUC__) && defined(__aarch64__)
#define IBIDEM_ROUNDED(value) __asm__("" : "+w"(value))
#else
#define IBIDEM_ROUNDED(value)
#endif
// IBIDEM_ELEMENTWISE: the output may be the input itself, but is never the input shifted.
// IBIDEM_UNROLLED: a loop over registers; only when it is written out does the compiler keep them in registers.

namespace ibidem {
namespace IBIDEM_TARGET {
namespace {

#include "inference/pack.inl"

template <class Real>
inline Real infinity() {
    return static_cast<Real>(HUGE_VAL);
}

struct Sum {
    template <class Real>
    static Real nothing() {
        return Real(0);
    }
    template <class Real>
    static void take(Pack<Real>& into, Pack<Real> x, Pack<Real> row) {
        into.add_product(x, row);
    }
    template <class Real>
    static void join(Pack<Real>& into, Pack<Real> other) {
        into.add(other);
    }
};

struct Max {
    template <class Real>
    static Real nothing() {
        return -infinity<Real>();
    }
    template <class Real>
    static void take(Pack<Real>& into, Pack<Real> x, Pack<Real> row) {
        into.take_sum_if_larger(x, row);
    }
    template <class Real>
    static void join(Pack<Real>& into, Pack<Real> other) {
        into.take_sum_if_larger(other, Pack<Real>::fill(Real(0)));
    }
};

// `count` registers of the output are kept while all rows go by.
template <class Operation, int count, class Real>
void fold_columns(const Real* IBIDEM_RESTRICT x, const Real* IBIDEM_RESTRICT matrix, Real* IBIDEM_RESTRICT out,
                  int rows, int stride) {
    constexpr int lanes = Pack<Real>::lanes;
    // Few registers are kept twice over, so that one row need not wait for the one before.
    constexpr int sets = count <= 6 ? 2 : 1;
    Pack<Real> kept[sets][count];
    IBIDEM_UNROLLED
    for (int set = 0; set < sets; ++set)
        IBIDEM_UNROLLED
        for (int i = 0; i < count; ++i) kept[set][i] = Pack<Real>::fill(Operation::template nothing<Real>());
    int r = 0;
    for (; r + sets <= rows; r += sets)
        IBIDEM_UNROLLED
        for (int set = 0; set < sets; ++set) {
            if (x[r + set] == Operation::template nothing<Real>()) continue;
            const Pack<Real> here = Pack<Real>::fill(x[r + set]);
            const Real* row = matrix + static_cast<long long>(r + set) * stride;
            IBIDEM_UNROLLED
            for (int i = 0; i < count; ++i) Operation::take(kept[set][i], here, Pack<Real>::load(row + i * lanes));
        }
    for (; r < rows; ++r) {
        const Pack<Real> here = Pack<Real>::fill(x[r]);
        const Real* row = matrix + static_cast<long long>(r) * stride;
        IBIDEM_UNROLLED
        for (int i = 0; i < count; ++i) Operation::take(kept[0][i], here, Pack<Real>::load(row + i * lanes));
    }
    IBIDEM_UNROLLED
    for (int i = 0; i < count; ++i) {
        IBIDEM_UNROLLED
        for (int set = 1; set < sets; ++set) Operation::join(kept[0][i], kept[set][i]);
        kept[0][i].store(out + i * lanes);
    }
}

template <class Operation, class Real>
void fold(const Real* x, const Real* matrix, Real* out, int rows, int width, int stride) {
    constexpr int lanes = Pack<Real>::lanes;
    int s = 0;
    for (; width - s > 12 * lanes; s += 8 * lanes) fold_columns<Operation, 8>(x, matrix + s, out + s, rows, stride);
    switch ((width - s + lanes - 1) / lanes) {
        case 12: return fold_columns<Operation, 12>(x, matrix + s, out + s, rows, stride);
        case 11: return fold_columns<Operation, 11>(x, matrix + s, out + s, rows, stride);
        case 10: return fold_columns<Operation, 10>(x, matrix + s, out + s, rows, stride);
        case 9: return fold_columns<Operation, 9>(x, matrix + s, out + s, rows, stride);
        case 8: return fold_columns<Operation, 8>(x, matrix + s, out + s, rows, stride);
        case 7: return fold_columns<Operation, 7>(x, matrix + s, out + s, rows, stride);
        case 6: return fold_columns<Operation, 6>(x, matrix + s, out + s, rows, stride);
        case 5: return fold_columns<Operation, 5>(x, matrix + s, out + s, rows, stride);
        case 4: return fold_columns<Operation, 4>(x, matrix + s, out + s, rows, stride);
        case 3: return fold_columns<Operation, 3>(x, matrix + s, out + s, rows, stride);
        case 2: return fold_columns<Operation, 2>(x, matrix + s, out + s, rows, stride);
        default: return fold_columns<Operation, 1>(x, matrix + s, out + s, rows, stride);
    }
}

template <class Operation, class Real>
void gather(const Real* IBIDEM_RESTRICT x, const int* IBIDEM_RESTRICT from, const Real* IBIDEM_RESTRICT value,
            const int* IBIDEM_RESTRICT rounds, int slices, Real* IBIDEM_RESTRICT out) {
    constexpr int lanes = Pack<Real>::lanes;
    constexpr int count = slice / lanes;
    for (int g = 0; g < slices; ++g, out += slice) {
        Pack<Real> kept[count];
        IBIDEM_UNROLLED
        for (int i = 0; i < count; ++i) kept[i] = Pack<Real>::fill(Operation::template nothing<Real>());
        for (int k = 0; k < rounds[g]; ++k, from += slice, value += slice) {
            Real here[slice];
            IBIDEM_UNROLLED
            for (int i = 0; i < slice; ++i) here[i] = x[from[i]];
            IBIDEM_UNROLLED
            for (int i = 0; i < count; ++i)
                Operation::take(kept[i], Pack<Real>::load(here + i * lanes), Pack<Real>::load(value + i * lanes));
        }
        IBIDEM_UNROLLED
        for (int i = 0; i < count; ++i) kept[i].store(out + i * lanes);
    }
}

template <class Real>
void outer(const Real* IBIDEM_RESTRICT a, const Real* IBIDEM_RESTRICT w, Real* IBIDEM_RESTRICT c, int count, int height,
           int width) {
    constexpr int lanes = Pack<Real>::lanes;
    constexpr int rows = 4;
    constexpr int columns = 2;
    for (int r = 0; r < height; r += rows) {
        for (int s = 0; s < width; s += columns * lanes) {
            Pack<Real> kept[rows][columns];
            Real* corner = c + static_cast<long long>(r) * width + s;
            IBIDEM_UNROLLED
            for (int i = 0; i < rows; ++i)
                IBIDEM_UNROLLED
                for (int j = 0; j < columns; ++j) kept[i][j] = Pack<Real>::load(corner + i * width + j * lanes);
            for (int t = 0; t < count; ++t) {
                const Real* right = w + static_cast<long long>(t) * width + s;
                const Real* left = a + static_cast<long long>(t) * height + r;
                Pack<Real> value[columns];
                IBIDEM_UNROLLED
                for (int j = 0; j < columns; ++j) value[j] = Pack<Real>::load(right + j * lanes);
                IBIDEM_UNROLLED
                for (int i = 0; i < rows; ++i) {
                    const Pack<Real> factor = Pack<Real>::fill(left[i]);
                    IBIDEM_UNROLLED
                    for (int j = 0; j < columns; ++j) kept[i][j].add_product(factor, value[j]);
                }
            }
            IBIDEM_UNROLLED
            for (int i = 0; i < rows; ++i)
                IBIDEM_UNROLLED
                for (int j = 0; j < columns; ++j) kept[i][j].store(corner + i * width + j * lanes);
        }
    }
}

// What the bits of a number mean, for the two loops that take numbers apart.
template <class Real>
struct Bits;

template <>
struct Bits<float> {
    typedef unsigned int Word;
    static constexpr int mantissa = 23;
    static constexpr Word bias = 127;
    static constexpr float round = 12582912.0f;       // 1.5 * 2^23: adding it leaves the nearest integer in the low bits
    static constexpr Word integer = 0x4B000000u;      // 2^23: an integer in the low bits makes the number 2^23 + integer
    static constexpr float integer_value = 8388608.0f;
    static constexpr float least = -87.0f;            // below lies what is no longer a normal number
    static constexpr int exponential_terms = 7;
    static constexpr int logarithm_terms = 5;
    static constexpr float ln2_high = 0.693359375f;
    static constexpr float ln2_low = -2.12194440e-4f;
};

template <>
struct Bits<double> {
    typedef unsigned long long Word;
    static constexpr int mantissa = 52;
    static constexpr Word bias = 1023;
    static constexpr double round = 6755399441055744.0;
    static constexpr Word integer = 0x4330000000000000ull;
    static constexpr double integer_value = 4503599627370496.0;
    static constexpr double least = -708.0;
    static constexpr int exponential_terms = 13;
    static constexpr int logarithm_terms = 11;
    static constexpr double ln2_high = 6.93145751953125e-1;
    static constexpr double ln2_low = 1.42860682030941723212e-6;
};

template <class Real, class Word>
inline Word word_of(Real x) {
    Word word;
    memcpy(&word, &x, sizeof(word));
    return word;
}

template <class Real, class Word>
inline Real real_of(Word word) {
    Real x;
    memcpy(&x, &word, sizeof(x));
    return x;
}

// x = n ln 2 + r, |r| <= ln 2 / 2; Taylor's series of exp(r), times 2^n put together from bits. Good to about 2 ulp.
template <class Real>
inline Real exponential_of(Real x) {
    using B = Bits<Real>;
    using Word = typename B::Word;
    const Real kept = x > B::least ? x : B::least;
    const Real rounded = kept * Real(1.4426950408889634074) + B::round;
    const Real n = rounded - B::round;
    const Real r = (kept - n * B::ln2_high) - n * B::ln2_low;
    Real sum = Real(1);
    for (int k = B::exponential_terms; k >= 1; --k) sum = Real(1) + sum * r * (Real(1) / Real(k));
    const Word power = (word_of<Real, Word>(rounded) + B::bias) << B::mantissa;
    const Real value = sum * real_of<Real, Word>(power);
    return x > B::least ? value : Real(0);
}

// x = 2^n m, sqrt(1/2) <= m < sqrt(2); log m = 2 atanh((m - 1) / (m + 1)) by its series. Good to about 2 ulp.
template <class Real>
inline Real logarithm_of(Real x) {
    using B = Bits<Real>;
    using Word = typename B::Word;
    const Word bits = word_of<Real, Word>(x);
    const Word fraction = (Word(1) << B::mantissa) - 1;
    const Real low = real_of<Real, Word>((bits & fraction) | (B::bias << B::mantissa));  // [1, 2)
    const Real biased = real_of<Real, Word>((bits >> B::mantissa) | B::integer) - B::integer_value;
    const bool high = low > Real(1.41421356237309504880);
    const Real m = high ? low * Real(0.5) : low;
    const Real n = biased - Real(B::bias) + (high ? Real(1) : Real(0));
    const Real z = (m - Real(1)) / (m + Real(1));
    const Real square = z * z;
    Real sum = Real(1) / Real(2 * B::logarithm_terms + 1);
    for (int k = B::logarithm_terms - 1; k >= 0; --k) sum = sum * square + Real(1) / Real(2 * k + 1);
    const Real value = n * B::ln2_high + (n * B::ln2_low + Real(2) * z * sum);
    return x > Real(0) ? value : -infinity<Real>();
}

template <class Real>
void exponential(const Real* x, Real shift, Real* out, int width) {
    IBIDEM_ELEMENTWISE
    for (int s = 0; s < width; ++s) out[s] = exponential_of<Real>(x[s] + shift);
}

template <class Real>
void logarithm(const Real* x, const Real* y, Real* out, int width) {
    IBIDEM_ELEMENTWISE
    for (int s = 0; s < width; ++s) out[s] = logarithm_of<Real>(x[s]) + y[s];
}

template <class Real>
Real maximum(const Real* x, int width) {
    Real kept[lane_block];
    for (int i = 0; i < lane_block; ++i) kept[i] = -infinity<Real>();
    for (int s = 0; s < width; s += lane_block)
        for (int i = 0; i < lane_block; ++i) kept[i] = x[s + i] > kept[i] ? x[s + i] : kept[i];
    Real top = kept[0];
    for (int i = 1; i < lane_block; ++i) top = kept[i] > top ? kept[i] : top;
    return top;
}

template <class Real>
Real lower(Real* x, Real top, int width) {
    Real kept[lane_block];
    for (int i = 0; i < lane_block; ++i) kept[i] = Real(0);
    for (int s = 0; s < width; s += lane_block)
        for (int i = 0; i < lane_block; ++i) {
            const Real value = x[s + i] - top;
            x[s + i] = value;
            const Real finite = value > -infinity<Real>() ? value : Real(0);
            kept[i] = finite < kept[i] ? finite : kept[i];
        }
    Real least = kept[0];
    for (int i = 1; i < lane_block; ++i) least = kept[i] < least ? kept[i] : least;
    return least;
}

template <class Real>
void divide(const Real* x, const Real* y, Real* out, int width) {
    IBIDEM_ELEMENTWISE
    for (int s = 0; s < width; ++s) {
        const Real by = y[s] > Real(0) ? y[s] : Real(1);
        out[s] = (y[s] > Real(0) ? x[s] : Real(0)) / by;
    }
}

template <class Real>
Real share(const Real* IBIDEM_RESTRICT x, const Real* IBIDEM_RESTRICT y, Real by, Real* IBIDEM_RESTRICT out, int count) {
    constexpr int lanes = Pack<Real>::lanes;
    Pack<Real> total = Pack<Real>::fill(Real(0));
    const Pack<Real> factor = Pack<Real>::fill(by);
    int s = 0;
    for (; s + lanes <= count; s += lanes) {
        Pack<Real> part = Pack<Real>::load(y + s), sum = Pack<Real>::load(out + s);
        part.multiply(factor);
        part.multiply(Pack<Real>::load(x + s));
        sum.add(part);
        sum.store(out + s);
        total.add(part);
    }
    Real lane[lanes], sum = 0;
    total.store(lane);
    for (int i = 0; i < lanes; ++i) sum += lane[i];
    for (; s < count; ++s) {
        const Real part = x[s] * (by * y[s]);
        out[s] += part;
        sum += part;
    }
    return sum;
}

template <class Real>
void add(const Real* IBIDEM_RESTRICT row, Real* IBIDEM_RESTRICT out, long long count) {
    for (long long y = 0; y < count; ++y) out[y] += row[y];
}

#include "inference/stretches.inl"
#include "inference/row_sums.inl"
#include "inference/lockstep.inl"

}  // namespace

template <class Real>
constexpr Loops<Real> table() {
    return {fold<Sum, Real>,
            fold<Max, Real>,
            gather<Sum, Real>,
            gather<Max, Real>,
            outer<Real>,
            exponential<Real>,
            logarithm<Real>,
            maximum<Real>,
            lower<Real>,
            divide<Real>,
            share<Real>,
            add<Real>,
            add_rows<Real>,
            add_packed<Real>,
            stretch_max<Real>,
            stretch_sum,
            stretch_share,
            weigh<Real>,
            2 * Pack<Real>::lanes,
            spread<Sum, Real>,
            spread<Max, Real>,
            emit_products<Real>,
            emit_sums<Real>,
            tops<Real>,
            scale_lanes<Real>,
            lower_lanes<Real>,
            dot_lanes<Real>};
}

extern const Loops<float> single_loops = table<float>();
extern const Loops<double> double_loops = table<double>();

}  // namespace IBIDEM_TARGET
}  // namespace ibidem
