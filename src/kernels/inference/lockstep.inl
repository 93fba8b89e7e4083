// Loops over rows of states, each state with the numbers of several strings side by side (lockstep.hpp).

// `targets` states are kept in registers while the states that lead to them go by.
template <class Operation, int targets, class Real>
void spread_tile(const Bundle<Real>& bundle, const Real* IBIDEM_RESTRICT x, Real* IBIDEM_RESTRICT out) {
    constexpr int packs = 2;
    constexpr int lanes = Pack<Real>::lanes;
    Pack<Real> kept[targets][packs];
    IBIDEM_UNROLLED
    for (int d = 0; d < targets; ++d)
        IBIDEM_UNROLLED
        for (int i = 0; i < packs; ++i) kept[d][i] = Pack<Real>::load(out + (bundle.into[d] * packs + i) * lanes);
    const Real* weight = bundle.weight;
    for (int h = 0; h < bundle.sources; ++h, weight += targets) {
        const Real* row = x + bundle.from[h] * packs * lanes;
        const Pack<Real> value[packs] = {Pack<Real>::load(row), Pack<Real>::load(row + lanes)};
        IBIDEM_UNROLLED
        for (int d = 0; d < targets; ++d) {
            const Pack<Real> by = Pack<Real>::fill(weight[d]);
            IBIDEM_UNROLLED
            for (int i = 0; i < packs; ++i) Operation::take(kept[d][i], value[i], by);
        }
    }
    IBIDEM_UNROLLED
    for (int d = 0; d < targets; ++d)
        IBIDEM_UNROLLED
        for (int i = 0; i < packs; ++i) kept[d][i].store(out + (bundle.into[d] * packs + i) * lanes);
}

template <class Operation, class Real>
void spread(const Bundle<Real>* bundles, int count, const Real* x, Real* out) {
    for (int i = 0; i < count; ++i) switch (bundles[i].targets) {
            case 4: spread_tile<Operation, 4>(bundles[i], x, out); break;
            case 3: spread_tile<Operation, 3>(bundles[i], x, out); break;
            case 2: spread_tile<Operation, 2>(bundles[i], x, out); break;
            default: spread_tile<Operation, 1>(bundles[i], x, out);
        }
}

template <class Real>
void emit_products(const Real* IBIDEM_RESTRICT x, const Real* IBIDEM_RESTRICT factor,
                   const Real* IBIDEM_RESTRICT emission, const int* IBIDEM_RESTRICT label, int states,
                   Real* IBIDEM_RESTRICT out, Real* top, Real* least) {
    using P = Pack<Real>;
    for (int i = 0; i < 2 * P::lanes; i += P::lanes) {
        P most = P::fill(Real(0)), fewest = P::fill(infinity<Real>());
        for (int s = 0; s < states; ++s) {
            const P before = P::load(x + s * 2 * P::lanes + i);
            P value = P::load(emission + label[s] * 2 * P::lanes + i);
            value.multiply(P::fill(factor[s]));
            value.multiply(before);
            value.store(out + s * 2 * P::lanes + i);
            most.take_if_larger(value);
            fewest.take_if_smaller(value, before);
        }
        most.store(top + i);
        fewest.store(least + i);
    }
}

template <class Real>
void emit_sums(const Real* IBIDEM_RESTRICT x, const Real* IBIDEM_RESTRICT emission, const int* IBIDEM_RESTRICT label,
               int states, Real* IBIDEM_RESTRICT out, Real* top) {
    using P = Pack<Real>;
    for (int i = 0; i < 2 * P::lanes; i += P::lanes) {
        P most = P::fill(-infinity<Real>());
        for (int s = 0; s < states; ++s) {
            P value = P::load(emission + label[s] * 2 * P::lanes + i);
            value.add(P::load(x + s * 2 * P::lanes + i));
            value.store(out + s * 2 * P::lanes + i);
            most.take_if_larger(value);
        }
        most.store(top + i);
    }
}

template <class Real>
void tops(const Real* x, int states, Real* out) {
    using P = Pack<Real>;
    for (int i = 0; i < 2 * P::lanes; i += P::lanes) {
        P most = P::load(x + i);
        for (int s = 1; s < states; ++s) most.take_if_larger(P::load(x + s * 2 * P::lanes + i));
        most.store(out + i);
    }
}

template <class Real>
void scale_lanes(Real* x, const Real* by, int states) {
    using P = Pack<Real>;
    for (int i = 0; i < 2 * P::lanes; i += P::lanes) {
        const P factor = P::load(by + i);
        for (int s = 0; s < states; ++s) {
            P value = P::load(x + s * 2 * P::lanes + i);
            value.multiply(factor);
            value.store(x + s * 2 * P::lanes + i);
        }
    }
}

template <class Real>
void lower_lanes(Real* x, const Real* by, int states) {
    using P = Pack<Real>;
    for (int i = 0; i < 2 * P::lanes; i += P::lanes) {
        const P shift = P::load(by + i);
        for (int s = 0; s < states; ++s) {
            P value = P::load(x + s * 2 * P::lanes + i);
            value.subtract(shift);
            value.store(x + s * 2 * P::lanes + i);
        }
    }
}

template <class Real>
void dot_lanes(const Real* x, const Real* y, int states, Real* out) {
    using P = Pack<Real>;
    for (int i = 0; i < 2 * P::lanes; i += P::lanes) {
        P total = P::fill(Real(0));
        for (int s = 0; s < states; ++s)
            total.add_product(P::load(x + s * 2 * P::lanes + i), P::load(y + s * 2 * P::lanes + i));
        total.store(out + i);
    }
}
