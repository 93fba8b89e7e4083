// The scores of all spans of a string from the scores of its tokens, and the transpose of that sum.
//
//   span[t, d, y] = sum over i < d of bag[t + i, y]  +  first[t, y]  +  last[t + d - 1, y]  +  rows of a table
//
// The sum over tokens is that of the span one token shorter and one more: a feature that is a sum over tokens
// (extensible, Cuong 2015) costs one addition a span, whatever the length.
#pragma once

#include "inference/emissions.hpp"
#include "inference/graph.hpp"

namespace ibidem {

struct SpanShape {
    int R;  // roles of a token: bag; bag and first; bag, first and last
    int Y;
    int L;
    int F;
    const std::int32_t* limits;  // [Y]: the longest span of each label
    const std::int32_t* ids;     // [M, F]: rows of the table for every span of up to L tokens, -1 for none
    int longest = 0;             // of the limits, at most L
    std::vector<std::int64_t> place;  // [N]: where the spans from each token begin among the M

    SpanShape(int R_, int Y_, int L_, int F_, const std::int32_t* limits_, const std::int32_t* ids_,
              const std::int32_t* lengths, int B)
        : R(R_), Y(Y_), L(L_), F(F_), limits(limits_), ids(ids_) {
        for (int y = 0; y < Y; ++y) longest = std::max(longest, std::min(L, static_cast<int>(limits[y])));
        std::int64_t next = 0;
        for (int b = 0; F > 0 && b < B; ++b)
            for (int left = lengths[b]; left > 0; --left) {
                place.push_back(next);
                next += std::min(L, left);
            }
    }
    const std::int32_t* rows(std::int64_t t, int d) const { return F > 0 ? ids + (place[t] + d - 1) * F : nullptr; }
    std::int64_t row(std::int64_t t, int d) const { return t * L + (d - 1); }
    int reach(std::int64_t t, std::int64_t end) const {
        return static_cast<int>(std::min<std::int64_t>(longest, end - t));
    }
};

// Tokens begin .. end are one string; `token` is [N, R, Y], `out` [N, L, Y].
template <class Real>
void put_span_scores(const SpanShape& shape, const Real* token, const Real* table, std::int64_t begin, std::int64_t end,
                 Real* out) {
    const std::int64_t Y = shape.Y, step = static_cast<std::int64_t>(shape.R) * Y;
    std::vector<const Real*> chosen;
    std::vector<Real> bag(Y);
    for (std::int64_t t = begin; t < end; ++t) {
        std::fill(bag.begin(), bag.end(), Real(0));
        const int reach = shape.reach(t, end);
        for (int d = 1; d <= reach; ++d) {
            const Real* last = token + (t + d - 1) * step;
            loops<Real>().add(last, bag.data(), Y);
            chosen.assign(1, bag.data());
            if (shape.R > 1) chosen.push_back(token + t * step + Y);
            if (shape.R > 2) chosen.push_back(last + 2 * Y);
            const std::int32_t* ids = shape.rows(t, d);
            for (int f = 0; f < shape.F; ++f)
                if (ids[f] >= 0) chosen.push_back(table + ids[f] * Y);
            Real* scores = out + shape.row(t, d) * Y;
            loops<Real>().add_rows(chosen.data(), static_cast<int>(chosen.size()), scores, Y);
            for (int y = 0; y < Y; ++y)
                if (d > shape.limits[y]) scores[y] = minus_infinity<Real>;
        }
    }
}

// The gradients of the tokens and of the table, given that of the spans.
template <class Real>
void put_span_credit(const SpanShape& shape, const Real* counts, std::int64_t begin, std::int64_t end, Real* token,
                 Real* table) {
    const std::int64_t Y = shape.Y, step = static_cast<std::int64_t>(shape.R) * Y;
    std::vector<Real> longer(Y);  // the counts of all spans of this length or more
    for (std::int64_t t = begin; t < end; ++t) {
        std::fill(longer.begin(), longer.end(), Real(0));
        for (int d = shape.reach(t, end); d >= 1; --d) {
            const Real* here = counts + shape.row(t, d) * Y;
            Real* last = token + (t + d - 1) * step;
            loops<Real>().add(here, longer.data(), Y);
            loops<Real>().add(longer.data(), last, Y);
            if (shape.R > 2) loops<Real>().add(here, last + 2 * Y, Y);
            const std::int32_t* ids = shape.rows(t, d);
            for (int f = 0; f < shape.F; ++f)
                if (ids[f] >= 0) loops<Real>().add(here, table + ids[f] * Y, Y);
        }
        if (shape.R > 1) loops<Real>().add(longer.data(), token + t * step + Y, Y);
    }
}

// What the tokens add to every span, each feature of each token looked up again for each span: no sum is reused. To
// show what reuse buys; `tokens.Y` is R * Y.
template <class Real>
void put_spans_anew(const SpanShape& shape, const Tokens& tokens, const Real* rows, const Real* table, std::int64_t begin,
                std::int64_t end, Real* out) {
    std::vector<const Real*> window, chosen;
    const std::int64_t Y = shape.Y, columns = tokens.Y;
    const auto choose = [&](std::int64_t t, int role) {
        window_rows(tokens, rows, begin, end, t, window);
        for (const Real* row : window) chosen.push_back(row + role * Y);
        const std::int32_t* ids = tokens.ids + t * tokens.F;
        for (int f = 0; f < tokens.F; ++f)
            if (ids[f] >= 0) chosen.push_back(table + ids[f] * columns + role * Y);
    };
    for (std::int64_t t = begin; t < end; ++t)
        for (int d = 1; d <= shape.reach(t, end); ++d) {
            chosen.clear();
            for (int i = 0; i < d; ++i) choose(t + i, 0);
            if (shape.R > 1) choose(t, 1);
            if (shape.R > 2) choose(t + d - 1, 2);
            loops<Real>().add_rows(chosen.data(), static_cast<int>(chosen.size()), out + shape.row(t, d) * Y, Y);
        }
}

}  // namespace ibidem
