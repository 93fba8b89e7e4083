// Emission scores as sums of cached rows, and the transpose of that sum.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "inference/loops.hpp"
#include "prefetch.hpp"

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

// The rows of a table of small whole numbers that the ids of some columns name. A row is `Y` of them and then its scale,
// all in `stride` bytes: what is read of a row lies together.
template <class Real>
class PackedTable {
  public:
    PackedTable(const signed char* table, std::int64_t stride, int Y, int F)
        : table_(table), stride_(stride), Y_(Y), rows_(F), scales_(F) {}

    void clear() { count_ = 0; }
    void choose(const std::int32_t* ids, int from, int to) {
        for (int f = from; f < to; ++f) {
            if (ids[f] < 0) continue;
            rows_[count_] = table_ + ids[f] * stride_;
            float scale;
            std::memcpy(&scale, rows_[count_] + Y_, sizeof(scale));
            scales_[count_++] = scale;
        }
    }
    // out = base + the sum of the chosen rows
    void add(const Real* base, Real* out) const {
        loops<Real>().add_packed(base, rows_.data(), scales_.data(), count_, out, Y_);
    }

  private:
    const signed char* table_;
    std::int64_t stride_;
    int Y_;
    int count_ = 0;
    std::vector<const signed char*> rows_;
    std::vector<Real> scales_;
};

// Sums of the rows that a stretch of columns names, kept for the next token that names the same ones.
template <class Real>
class KeptSums {
  public:
    KeptSums(int from, int to, int Y) : from_(from), to_(to), Y_(Y), ids_(places * (to - from), -2), sums_(places * Y) {}

    const Real* of(const std::int32_t* ids, PackedTable<Real>& table, const std::vector<Real>& nothing) {
        std::uint32_t hash = 0;
        for (int f = from_; f < to_; ++f) hash = (hash ^ static_cast<std::uint32_t>(ids[f])) * 0x9E3779B1u;
        const std::size_t place = hash >> (32 - bits);
        std::int32_t* kept = ids_.data() + place * (to_ - from_);
        Real* sum = sums_.data() + place * Y_;
        if (std::equal(ids + from_, ids + to_, kept)) return sum;
        std::copy(ids + from_, ids + to_, kept);
        table.clear();
        table.choose(ids, from_, to_);
        table.add(nothing.data(), sum);
        return sum;
    }

  private:
    static constexpr int bits = 6;
    static constexpr std::size_t places = 1 << bits;
    int from_, to_, Y_;
    std::vector<std::int32_t> ids_;  // [places, to - from]
    std::vector<Real> sums_;         // [places, Y]
};

// The same as add_emissions with such a table. The columns of a stretch, from [0] to [1], often name the same rows as
// those of a token shortly before; their sum is made anew only where they do not. Stretches come in order.
template <class Real>
class PackedEmissions {
  public:
    PackedEmissions(const Tokens& tokens, const Real* rows, const signed char* table, std::int64_t stride,
                    const std::int32_t* stretch, int stretches)
        : tokens_(tokens),
          rows_(rows),
          table_(table, stride, tokens.Y, tokens.F),
          base_(tokens.Y),
          nothing_(tokens.Y, Real(0)) {
        int from = 0;
        for (int g = 0; g < stretches; ++g) {
            single_.push_back({from, stretch[2 * g]});
            kept_.emplace_back(stretch[2 * g], stretch[2 * g + 1], tokens.Y);
            from = stretch[2 * g + 1];
        }
        single_.push_back({from, tokens.F});
    }

    void add(std::int64_t begin, std::int64_t end, Real* out) {
        for (std::int64_t t = begin; t < end; ++t) {
            const std::int32_t* ids = tokens_.ids + t * tokens_.F;
            if (t + tokens_.W < end) expect(tokens_.types[t + tokens_.W]);
            window_rows(tokens_, rows_, begin, end, t, chosen_);
            for (KeptSums<Real>& each : kept_) chosen_.push_back(each.of(ids, table_, nothing_));
            loops<Real>().add_rows(chosen_.data(), static_cast<int>(chosen_.size()), base_.data(), tokens_.Y);
            table_.clear();
            for (const auto& [from, to] : single_) table_.choose(ids, from, to);
            table_.add(base_.data(), out + t * tokens_.Y);
        }
    }

  private:
    // The rows of a type seldom wait in the cache.
    void expect(std::int32_t type) const {
        const std::int64_t size = std::int64_t(tokens_.W) * tokens_.Y;
        if (type >= 0) prefetch(rows_ + type * size, size * sizeof(Real));
    }

    Tokens tokens_;
    const Real* rows_;
    PackedTable<Real> table_;
    std::vector<Real> base_, nothing_;
    std::vector<std::pair<int, int>> single_;  // the columns outside the stretches
    std::vector<KeptSums<Real>> kept_;
    std::vector<const Real*> chosen_;
};

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
