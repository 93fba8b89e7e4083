// The innermost loops as a table of functions, chosen once for the processor at hand.
//
// Every vector is padded to `width`, a multiple of `lane_block`, so no loop has a tail. This header and the files that
// implement it use nothing of the C++ standard library: see CMakeLists.txt for why.
#pragma once

namespace ibidem {

constexpr int lane_block = 16;

template <class Real>
struct Loops {
    // out[s] = sum over r of x[r] * matrix[r, s]
    void (*multiply)(const Real* x, const Real* matrix, Real* out, int rows, int width);
    // out[s] = max over r of x[r] + matrix[r, s]
    void (*add_max)(const Real* x, const Real* matrix, Real* out, int rows, int width);
    // c[r, s] += sum over t of a[t, r] * w[t, s]; a has `height` columns, w and c have `width`
    void (*outer)(const Real* a, const Real* w, Real* c, int count, int height, int width);
    // out[s] = exp(x[s] + shift); what lies under the smallest exponent is 0
    void (*exponential)(const Real* x, Real shift, Real* out, int width);
    // out[s] = log(x[s]) + y[s], x >= 0
    void (*logarithm)(const Real* x, const Real* y, Real* out, int width);
    // the largest x[s]
    Real (*maximum)(const Real* x, int width);
    // x[s] -= top; returns the smallest of them that is not -infinity (0 where there is none)
    Real (*lower)(Real* x, Real top, int width);
    // out[s] = x[s] / y[s] where y[s] > 0, else 0
    void (*divide)(const Real* x, const Real* y, Real* out, int width);
    // out[y] += row[y], y < count (no padding here)
    void (*add)(const Real* row, Real* out, long long count);
    // out[y] = sum over i < rows of row[i][y], in that order, y < count (no padding here)
    void (*add_rows)(const Real* const* row, int rows, Real* out, long long count);
    // out[y] = base[y] + sum over i < rows of row[i][y] * scale[i], in that order, y < count (no padding here)
    void (*add_packed)(const Real* base, const signed char* const* row, const Real* scale, int rows, Real* out,
                       long long count);
};

template <class Real>
const Loops<Real>& loops();

const char* loops_in_use();

namespace baseline {
extern const Loops<float> single_loops;
extern const Loops<double> double_loops;
}  // namespace baseline

namespace avx2 {
extern const Loops<float> single_loops;
extern const Loops<double> double_loops;
}  // namespace avx2

}  // namespace ibidem
