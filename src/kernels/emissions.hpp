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

// The rows of a table of small whole numbers, each with a scale, that the ids of some columns name.
template <class Real>
class PackedTable {
  public:
    PackedTable(const signed char* table, const Real* scale, int Y) : table_(table), scale_(scale), Y_(Y) {}

    void clear() {
        rows_.clear();
        scales_.clear();
    }
    void choose(const std::int32_t* ids, int from, int to) {
        for (int f = from; f < to; ++f)
            if (ids[f] >= 0) {
                rows_.push_back(table_ + ids[f] * static_cast<std::int64_t>(Y_));
                scales_.push_back(scale_[ids[f]]);
            }
    }
    // out = base + the sum of the chosen rows
    void add(const Real* base, Real* out) const {
        loops<Real>().add_packed(base, rows_.data(), scales_.data(), static_cast<int>(rows_.size()), out, Y_);
    }

  private:
    const signed char* table_;
    const Real* scale_;
    int Y_;
    std::vector<const signed char*> rows_;
    std::vector<Real> scales_;
};

// The same as add_emissions with such a table. The columns of a steady stretch, from [0] to [1], often name the same
// rows from token to token; their sum is made anew only where they do not. Stretches come in order.
template <class Real>
void add_packed_emissions(const Tokens& tokens, const Real* rows, const signed char* table, const Real* scale,
                          const std::int32_t* steady, int stretches, std::int64_t begin, std::int64_t end, Real* out) {
    const std::int64_t Y = tokens.Y;
    PackedTable<Real> packed(table, scale, tokens.Y);
    std::vector<const Real*> chosen;
    std::vector<Real> base(Y), nothing(Y, Real(0)), kept(Y * stretches);
    for (std::int64_t t = begin; t < end; ++t) {
        window_rows(tokens, rows, begin, end, t, chosen);
        const std::int32_t* ids = tokens.ids + t * tokens.F;
        for (int g = 0; g < stretches; ++g) {
            const int from = steady[2 * g], to = steady[2 * g + 1];
            Real* sum = kept.data() + g * Y;
            if (t == begin || !std::equal(ids + from, ids + to, ids + from - tokens.F)) {
                packed.clear();
                packed.choose(ids, from, to);
                packed.add(nothing.data(), sum);
            }
            chosen.push_back(sum);
        }
        loops<Real>().add_rows(chosen.data(), static_cast<int>(chosen.size()), base.data(), Y);
        packed.clear();
        int from = 0;
        for (int g = 0; g < stretches; from = steady[2 * g++ + 1]) packed.choose(ids, from, steady[2 * g]);
        packed.choose(ids, from, tokens.F);
        packed.add(base.data(), out + t * Y);
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
