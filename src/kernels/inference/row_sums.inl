// Sums of rows, plain or packed into small whole numbers: the part of loops.inl that emission scores are made of.

// Where the registers of a block lie: at its begin, begin + lanes, ...; the last one at `last`, so that it ends where the
// rows do. It may overlap the one before, which does no harm since all are stored when all has been read.
template <class Real, int packs>
inline long long place_of(int i, long long last) {
    return i + 1 < packs ? static_cast<long long>(i) * Pack<Real>::lanes : last;
}

template <class Real>
struct PlainRows {
    const Real* const* row;

    const Real* begin(int r, long long from) const { return row[r] + from; }
    Pack<Real> start(long long) const { return Pack<Real>::fill(Real(0)); }
    Pack<Real> factor(int) const { return Pack<Real>::fill(Real(1)); }
    void take(Pack<Real>& into, const Real* at, Pack<Real>) const { into.add(Pack<Real>::load(at)); }
    Real single(int rows, long long y) const {
        Real total = 0;
        for (int r = 0; r < rows; ++r) total += row[r][y];
        return total;
    }
};

template <class Real>
struct PackedRows {
    const Real* base;
    const signed char* const* row;
    const Real* scale;

    const signed char* begin(int r, long long from) const { return row[r] + from; }
    Pack<Real> start(long long place) const { return Pack<Real>::load(base + place); }
    Pack<Real> factor(int r) const { return Pack<Real>::fill(scale[r]); }
    void take(Pack<Real>& into, const signed char* at, Pack<Real> factor) const {
        Pack<Real> product = Pack<Real>::widened(at);
        product.multiply(factor);
        IBIDEM_ROUNDED(product.value);
        into.add(product);
    }
    Real single(int rows, long long y) const {
        Real total = base[y];
        for (int r = 0; r < rows; ++r) {
            Real product = row[r][y] * scale[r];
            IBIDEM_ROUNDED(product);
            total += product;
        }
        return total;
    }
};

template <int packs, class Real, class Rows>
void sum_block(const Rows& source, int rows, Real* IBIDEM_RESTRICT out, long long from, long long count) {
    const long long whole = from + packs * Pack<Real>::lanes;  // where the last register would end
    const long long last = (packs - 1) * Pack<Real>::lanes - (whole > count ? whole - count : 0);
    Pack<Real> kept[packs];
    IBIDEM_UNROLLED
    for (int i = 0; i < packs; ++i) kept[i] = source.start(from + place_of<Real, packs>(i, last));
    for (int r = 0; r < rows; ++r) {
        const auto* at = source.begin(r, from);
        const Pack<Real> factor = source.factor(r);
        IBIDEM_UNROLLED
        for (int i = 0; i < packs; ++i) source.take(kept[i], at + place_of<Real, packs>(i, last), factor);
    }
    IBIDEM_UNROLLED
    for (int i = 0; i < packs; ++i) kept[i].store(out + from + place_of<Real, packs>(i, last));
}

template <class Real, class Rows>
void sum_rows(const Rows& source, int rows, Real* IBIDEM_RESTRICT out, long long count) {
    constexpr int lanes = Pack<Real>::lanes;
    if (count < lanes) {
        for (long long y = 0; y < count; ++y) out[y] = source.single(rows, y);
        return;
    }
    long long from = 0;
    for (; count - from > 13 * lanes; from += 12 * lanes) sum_block<12>(source, rows, out, from, count);
    switch ((count - from + lanes - 1) / lanes) {
        case 13: return sum_block<13>(source, rows, out, from, count);
        case 12: return sum_block<12>(source, rows, out, from, count);
        case 11: return sum_block<11>(source, rows, out, from, count);
        case 10: return sum_block<10>(source, rows, out, from, count);
        case 9: return sum_block<9>(source, rows, out, from, count);
        case 8: return sum_block<8>(source, rows, out, from, count);
        case 7: return sum_block<7>(source, rows, out, from, count);
        case 6: return sum_block<6>(source, rows, out, from, count);
        case 5: return sum_block<5>(source, rows, out, from, count);
        case 4: return sum_block<4>(source, rows, out, from, count);
        case 3: return sum_block<3>(source, rows, out, from, count);
        case 2: return sum_block<2>(source, rows, out, from, count);
        default: return sum_block<1>(source, rows, out, from, count);
    }
}

template <class Real>
void add_rows(const Real* const* row, int rows, Real* out, long long count) {
    sum_rows(PlainRows<Real>{row}, rows, out, count);
}

template <class Real>
void add_packed(const Real* base, const signed char* const* row, const Real* scale, int rows, Real* out,
                long long count) {
    sum_rows(PackedRows<Real>{base, row, scale}, rows, out, count);
}
