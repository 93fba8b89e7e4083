// Emission scores as sums of cached rows, and the transpose of that sum.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "loops.hpp"

namespace ibidem {

struct Tokens {
    const std::int32_t* types;  // [N]
    const std::int32_t* ids;    // [N, F]
    int F;
    int W;
    int Y;
};

// The cached rows of the window around token t of the string begin .. end.
template <class Real>
void window_rows(const Tokens& tokens, const Real* rows, std::int64_t begin, std::int64_t end, std::int64_t t,
                 std::vector<const Real*>& chosen) {
    const std::int64_t half = tokens.W / 2;
    chosen.clear();
    for (std::int64_t u = std::max(begin, t - half); u < std::min(end, t + half + 1); ++u)
        if (tokens.types[u] >= 0)
            chosen.push_back(rows + (tokens.types[u] * std::int64_t(tokens.W) + (u - t + half)) * tokens.Y);
}

// Tokens begin .. end are one string.
template <class Real>
void add_emissions(const Tokens& tokens, const Real* rows, const Real* table, std::int64_t begin, std::int64_t end,
                   Real* out) {
    std::vector<const Real*> chosen;
    const std::int64_t Y = tokens.Y;
    for (std::int64_t t = begin; t < end; ++t) {
        window_rows(tokens, rows, begin, end, t, chosen);
        const std::int32_t* ids = tokens.ids + t * tokens.F;
        for (int f = 0; f < tokens.F; ++f)
            if (ids[f] >= 0) chosen.push_back(table + ids[f] * Y);
        loops<Real>().add_rows(chosen.data(), static_cast<int>(chosen.size()), out + t * Y, Y);
    }
}

// The same with a table of small whole numbers, each row with a scale.
template <class Real>
void add_packed_emissions(const Tokens& tokens, const Real* rows, const signed char* table, const Real* scale,
                          std::int64_t begin, std::int64_t end, Real* out) {
    std::vector<const Real*> chosen;
    std::vector<const signed char*> packed;
    std::vector<Real> scales;
    const std::int64_t Y = tokens.Y;
    std::vector<Real> base(Y);
    for (std::int64_t t = begin; t < end; ++t) {
        window_rows(tokens, rows, begin, end, t, chosen);
        loops<Real>().add_rows(chosen.data(), static_cast<int>(chosen.size()), base.data(), Y);
        const std::int32_t* ids = tokens.ids + t * tokens.F;
        packed.clear();
        scales.clear();
        for (int f = 0; f < tokens.F; ++f)
            if (ids[f] >= 0) {
                packed.push_back(table + ids[f] * Y);
                scales.push_back(scale[ids[f]]);
            }
        loops<Real>().add_packed(base.data(), packed.data(), scales.data(), static_cast<int>(packed.size()), out + t * Y,
                                 Y);
    }
}

// The share of one window offset in the gradient of the rows.
template <class Real>
void add_row_credit(const Tokens& tokens, const Real* delta, std::int64_t begin, std::int64_t end, int w, Real* out) {
    const std::int64_t Y = tokens.Y;
    const std::int64_t offset = w - tokens.W / 2;
    for (std::int64_t t = begin; t < end; ++t) {
        const std::int64_t u = t + offset;
        if (u < begin || u >= end || tokens.types[u] < 0) continue;
        loops<Real>().add(delta + t * Y, out + (tokens.types[u] * std::int64_t(tokens.W) + w) * Y, Y);
    }
}

// Labels `from` .. `to` of the gradient of the table, over all tokens.
template <class Real>
void add_table_credit(const Tokens& tokens, const Real* delta, std::int64_t N, int from, int to, Real* out) {
    const std::int64_t Y = tokens.Y;
    for (std::int64_t t = 0; t < N; ++t)
        for (int f = 0; f < tokens.F; ++f) {
            const std::int64_t id = tokens.ids[t * tokens.F + f];
            if (id >= 0) loops<Real>().add(delta + t * Y + from, out + id * Y + from, to - from);
        }
}

}  // namespace ibidem
