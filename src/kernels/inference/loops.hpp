// The innermost loops as a table of functions, chosen once for the processor at hand.
//
// Every vector is padded to `width`, a multiple of `lane_block`, so no loop has a tail. This header and the files that
// implement it use nothing of the C++ standard library: see CMakeLists.txt for why.
#pragma once

namespace ibidem {

constexpr int lane_block = 16;
constexpr int slice = 8;  // states whose arcs are gone through side by side

// All arcs from some states into up to four others.
template <class Real>
struct Bundle {
    const int* from;  // [sources]
    int sources;
    int into[4];
    int targets;
    const Real* weight;  // [sources, targets]
};

template <class Real>
struct Loops {
    // out[s] = sum over r of x[r] * matrix[r, s]; rows of the matrix are `stride` apart. `width` need not be padded, but
    // up to a register is read and written beyond it.
    void (*multiply)(const Real* x, const Real* matrix, Real* out, int rows, int width, int stride);
    // out[s] = max over r of x[r] + matrix[r, s]; likewise
    void (*add_max)(const Real* x, const Real* matrix, Real* out, int rows, int width, int stride);
    // out[i] = sum over k < rounds of x[from[k, i]] * weight[k, i], for each slice of states i; and the same with the max
    void (*gather_sum)(const Real* x, const int* from, const Real* weight, const int* rounds, int slices, Real* out);
    void (*gather_max)(const Real* x, const int* from, const Real* score, const int* rounds, int slices, Real* out);
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
    // part = x[s] * y[s] * by; out[s] += part, s < count (no padding here); returns the sum of the parts
    Real (*share)(const Real* x, const Real* y, Real by, Real* out, int count);
    // out[y] += row[y], y < count (no padding here)
    void (*add)(const Real* row, Real* out, long long count);
    // out[y] = sum over i < rows of row[i][y], in that order, y < count (no padding here)
    void (*add_rows)(const Real* const* row, int rows, Real* out, long long count);
    // out[y] = base[y] + sum over i < rows of row[i][y] * scale[i], in that order, y < count (no padding here)
    void (*add_packed)(const Real* base, const signed char* const* row, const Real* scale, int rows, Real* out,
                       long long count);

    // Spans that end at one place, of 1 .. count tokens: row d begins at begin[d] and has `width[d]` numbers, padded and
    // never more than the row before; x_d is x less d * stride.
    // out[i] = max over d of x_d[i] + (span_d[i] + shift[d])
    void (*stretch_max)(const Real* x, const Real* span, const int* begin, const int* width, const Real* shift,
                        int count, int stride, Real* out);
    // out[i] = sum over d of x_d[i] * weight_d[i]
    void (*stretch_sum)(const double* x, const double* weight, const int* begin, const int* width, int count,
                        int stride, double* out);
    // out_d[i] += ratio[i] * x_d[i] * weight_d[i], for all d; out_d is out less d * stride
    void (*stretch_share)(const double* ratio, const double* x, const double* weight, const int* begin, const int* width,
                          int count, int stride, double* out);
    // out[i] = exp(x[i] + shift)
    void (*weigh)(const Real* x, double shift, double* out, int width);

    // Strings side by side: x, y and out hold `lanes` numbers for every state, emission for every label.
    int lanes;
    // out[d] += sum over h of x[h] * weight[h, d], bundle by bundle
    void (*spread_sum)(const Bundle<Real>* bundles, int count, const Real* x, Real* out);
    // out[d] = max of itself and of x[h] + weight[h, d], bundle by bundle
    void (*spread_max)(const Bundle<Real>* bundles, int count, const Real* x, Real* out);
    // out[s] = x[s] * factor[s] * emission[label[s]]; top is the largest of each lane, least that of those with x > 0
    void (*emit_products)(const Real* x, const Real* factor, const Real* emission, const int* label, int states,
                          Real* out, Real* top, Real* least);
    // out[s] = x[s] + emission[label[s]]; top is the largest of each lane
    void (*emit_sums)(const Real* x, const Real* emission, const int* label, int states, Real* out, Real* top);
    // out = the largest x[s] of each lane
    void (*tops)(const Real* x, int states, Real* out);
    // x[s] *= by, x[s] -= by, out = sum over s of x[s] * y[s]; lane by lane
    void (*scale_lanes)(Real* x, const Real* by, int states);
    void (*lower_lanes)(Real* x, const Real* by, int states);
    void (*dot_lanes)(const Real* x, const Real* y, int states, Real* out);
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
