// The part of loops.inl that knows registers.

// A register full of numbers. GCC and Clang have a type for it; elsewhere a small array that the compiler vectorises.
#if defined(__GNUC__) || defined(__clang__)
template <class Real>
struct Vector;
template <>
struct Vector<float> {
    typedef float type __attribute__((vector_size(IBIDEM_BYTES)));
};
template <>
struct Vector<double> {
    typedef double type __attribute__((vector_size(IBIDEM_BYTES)));
};
// As many small whole numbers as a register has lanes.
template <class Register>
inline Register widen(const signed char* from, Register result) {
    constexpr int lanes = sizeof(Register) / sizeof(result[0]);
    for (int i = 0; i < lanes; ++i) result[i] = from[i];
    return result;
}
#if defined(__AVX2__)
inline Vector<float>::type widen(const signed char* from, Vector<float>::type) {
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
}
#endif
template <class Real>
struct Pack {
    static constexpr int lanes = IBIDEM_BYTES / sizeof(Real);
    typename Vector<Real>::type value;
    static Pack load(const Real* from) {
        Pack pack;
        memcpy(&pack.value, from, sizeof(pack.value));
        return pack;
    }
    static Pack widened(const signed char* from) { return {widen(from, typename Vector<Real>::type{})}; }
    static Pack fill(Real x) { return {x - typename Vector<Real>::type{}}; }
    void store(Real* to) const { memcpy(to, &value, sizeof(value)); }
    void add(Pack a) { value += a.value; }
    void add_product(Pack a, Pack b) { value += a.value * b.value; }
    void take_sum_if_larger(Pack a, Pack b) {
        const auto sum = a.value + b.value;
        value = sum > value ? sum : value;
    }
    void multiply(Pack a) { value *= a.value; }
    void subtract(Pack a) { value -= a.value; }
    void take_if_larger(Pack a) { value = a.value > value ? a.value : value; }
    // a, where b > 0 and a is smaller
    void take_if_smaller(Pack a, Pack b) {
        const auto other = b.value > 0 ? a.value : value;
        value = other < value ? other : value;
    }
};
#else
template <class Real>
struct Pack {
    static constexpr int lanes = IBIDEM_BYTES / sizeof(Real);
    Real value[lanes];
    static Pack load(const Real* from) {
        Pack pack;
        for (int i = 0; i < lanes; ++i) pack.value[i] = from[i];
        return pack;
    }
    static Pack widened(const signed char* from) {
        Pack pack;
        for (int i = 0; i < lanes; ++i) pack.value[i] = from[i];
        return pack;
    }
    static Pack fill(Real x) {
        Pack pack;
        for (int i = 0; i < lanes; ++i) pack.value[i] = x;
        return pack;
    }
    void store(Real* to) const {
        for (int i = 0; i < lanes; ++i) to[i] = value[i];
    }
    void add(Pack a) {
        for (int i = 0; i < lanes; ++i) value[i] += a.value[i];
    }
    void add_product(Pack a, Pack b) {
        for (int i = 0; i < lanes; ++i) value[i] += a.value[i] * b.value[i];
    }
    void take_sum_if_larger(Pack a, Pack b) {
        for (int i = 0; i < lanes; ++i) {
            const Real sum = a.value[i] + b.value[i];
            value[i] = sum > value[i] ? sum : value[i];
        }
    }
    void multiply(Pack a) {
        for (int i = 0; i < lanes; ++i) value[i] *= a.value[i];
    }
    void subtract(Pack a) {
        for (int i = 0; i < lanes; ++i) value[i] -= a.value[i];
    }
    void take_if_larger(Pack a) {
        for (int i = 0; i < lanes; ++i) value[i] = a.value[i] > value[i] ? a.value[i] : value[i];
    }
    // a, where b > 0 and a is smaller
    void take_if_smaller(Pack a, Pack b) {
        for (int i = 0; i < lanes; ++i) value[i] = b.value[i] > 0 && a.value[i] < value[i] ? a.value[i] : value[i];
    }
};
#endif
