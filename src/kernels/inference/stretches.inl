// Loops over all spans that end at one place: the part of loops.inl that semi-CRFs are decoded with.

template <class Operation, class Real, class Value>
inline void stretch(const Real* x, const int* width, int count, int stride, Real* out, const Value& value) {
    constexpr int lanes = Pack<Real>::lanes;
    for (int i = 0; i < width[0]; i += 2 * lanes) {
        Pack<Real> kept[2];
        for (auto& each : kept) each = Pack<Real>::fill(Operation::template nothing<Real>());
        for (int d = 0; d < count && width[d] > i; ++d)
            IBIDEM_UNROLLED
            for (int k = 0; k < 2; ++k) {
                const int place = i + k * lanes;
                const Real* before = x - static_cast<long long>(d + 1) * stride;
                Operation::take(kept[k], Pack<Real>::load(before + place), value(d, place));
            }
        for (int k = 0; k < 2; ++k) kept[k].store(out + i + k * lanes);
    }
}

template <class Real>
void stretch_max(const Real* x, const Real* span, const int* begin, const int* width, const Real* shift, int count,
                 int stride, Real* out) {
    stretch<Max>(x, width, count, stride, out, [&](int d, int place) {
        Pack<Real> score = Pack<Real>::load(span + begin[d] + place);
        score.add(Pack<Real>::fill(shift[d]));
        return score;
    });
}

inline void stretch_sum(const double* x, const double* weight, const int* begin, const int* width, int count,
                        int stride, double* out) {
    stretch<Sum>(x, width, count, stride, out,
                 [&](int d, int place) { return Pack<double>::load(weight + begin[d] + place); });
}

inline void stretch_share(const double* IBIDEM_RESTRICT ratio, const double* IBIDEM_RESTRICT x,
                          const double* IBIDEM_RESTRICT weight, const int* begin, const int* width, int count,
                          int stride, double* IBIDEM_RESTRICT out) {
    for (int d = 0; d < count; ++d) {
        x -= stride;
        out -= stride;
        for (int i = 0; i < width[d]; ++i) out[i] += ratio[i] * x[i] * weight[begin[d] + i];
    }
}

template <class Real>
void weigh(const Real* IBIDEM_RESTRICT x, double shift, double* IBIDEM_RESTRICT out, int width) {
    IBIDEM_ELEMENTWISE
    for (int s = 0; s < width; ++s) out[s] = exponential_of<double>(static_cast<double>(x[s]) + shift);
}
