// An automaton with its scores, laid out for the loops.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "loops.hpp"

namespace ibidem {

template <class Real>
constexpr Real minus_infinity = -std::numeric_limits<Real>::infinity();

// exp() of less than `log_least` is 0 in the loops; a sum below `trusted` may have lost terms that matter to it.
template <class Real>
struct Range;
template <>
struct Range<float> {
    static constexpr float log_least = -87.0f;
    static constexpr float trusted = 1e-26f;
};
template <>
struct Range<double> {
    static constexpr double log_least = -708.0;
    static constexpr double trusted = 1e-290;
};

template <class Real>
struct AutomatonView {
    const std::int32_t* label;  // [S]
    const std::int32_t* src;    // [A], -1 for the start
    const std::int32_t* dst;    // [A]
    const bool* final;          // [S]
    const Real* arc;            // [A]
    int S;
    int A;
};

enum class Need { scores, weights, weights_both_ways };

template <class Real>
class Graph {
  public:
    int S;
    int A;
    int width;      // S, padded
    bool identity;  // whether state s shows label s
    const std::int32_t* label;
    const bool* final;

    std::vector<std::int32_t> begin;      // [S + 1]: the arcs into s are begin[s] .. begin[s + 1] of the next three
    std::vector<std::int32_t> from;       // their sources
    std::vector<std::int32_t> index;      // their place in the automaton
    std::vector<Real> score;              // their scores
    std::vector<Real> weight;             // exp(score - top[s])
    std::vector<std::int32_t> start_arc;  // [S]: the arc from the start into s, or -1
    std::vector<Real> start;              // [width]: its score
    std::vector<Real> top;                // [width]: the best score of an arc into s
    std::vector<Real> low;                // [width]: the worst finite score of an arc into s, less top[s]
    Real lowest = 0;                      // the least of `low`

    // A state that many lead to is broad: its arcs are a column of a matrix. The arcs of the others are gone through
    // one by one. Of nested BIO labels those that only begin fields are broad; most others continue something.
    std::vector<std::int32_t> broad;   // [D]: the broad states, in order
    std::vector<std::int32_t> narrow;  // [S - D]: the others, those with few arcs first
    int breadth = 0;                   // D, padded
    std::vector<Real> matrix;          // [S, breadth] of scores or of weights
    std::vector<Real> transposed;      // [D, width] of weights: row i (into broad[i]), column r

    Graph(const AutomatonView<Real>& view, Need need)
        : S(view.S),
          A(view.A),
          width((view.S + lane_block - 1) / lane_block * lane_block),
          label(view.label),
          final(view.final) {
        identity = true;
        for (int s = 0; s < S; ++s) identity = identity && label[s] == s;
        sort_arcs(view);
        measure();
        if (need != Need::scores) weigh();
        choose_broad();
        if (!broad.empty()) fill_matrix(need);
    }

    int in_degree(int s) const { return begin[s + 1] - begin[s]; }
    bool all_broad() const { return narrow.empty(); }

  private:
    void sort_arcs(const AutomatonView<Real>& view) {
        begin.assign(S + 1, 0);
        start_arc.assign(S, -1);
        start.assign(width, minus_infinity<Real>);
        for (int a = 0; a < A; ++a) {
            const int s = view.dst[a];
            if (view.src[a] >= 0) {
                ++begin[s + 1];
                continue;
            }
            if (start_arc[s] >= 0) refuse(start_arc[s], a, -1, s);
            start_arc[s] = a;
            start[s] = view.arc[a];
        }
        for (int s = 0; s < S; ++s) begin[s + 1] += begin[s];
        from.resize(begin[S]);
        index.resize(begin[S]);
        score.resize(begin[S]);
        std::vector<std::int32_t> next(begin.begin(), begin.end() - 1);
        for (int a = 0; a < A; ++a) {
            if (view.src[a] < 0) continue;
            const int place = next[view.dst[a]]++;
            from[place] = view.src[a];
            index[place] = a;
            score[place] = view.arc[a];
        }
        std::vector<std::int32_t> seen(S, -1);  // the last place that left each source
        for (int s = 0; s < S; ++s)
            for (int j = begin[s]; j < begin[s + 1]; ++j) {
                if (seen[from[j]] >= begin[s]) refuse(index[seen[from[j]]], index[j], from[j], s);
                seen[from[j]] = j;
            }
    }

    [[noreturn]] static void refuse(int one, int other, int src, int dst) {
        throw std::invalid_argument("arcs " + std::to_string(one) + " and " + std::to_string(other) +
                                    " of the automaton both lead from state " + std::to_string(src) + " to state " +
                                    std::to_string(dst) + "; give one arc for each pair of states");
    }

    void measure() {
        top.assign(width, minus_infinity<Real>);
        low.assign(width, Real(0));
        for (int s = 0; s < S; ++s) {
            for (int j = begin[s]; j < begin[s + 1]; ++j) top[s] = std::max(top[s], score[j]);
            for (int j = begin[s]; j < begin[s + 1]; ++j)
                if (score[j] > minus_infinity<Real>) low[s] = std::min(low[s], score[j] - top[s]);
            lowest = std::min(lowest, low[s]);
        }
    }

    void weigh() {
        weight.resize(score.size());
        for (int s = 0; s < S; ++s)
            for (int j = begin[s]; j < begin[s + 1]; ++j)
                weight[j] = score[j] - top[s] > Range<Real>::log_least ? std::exp(score[j] - top[s]) : Real(0);
    }

    void choose_broad() {
        // A gathered arc costs some ten times an entry of the matrix; a larger matrix leaves the cache.
        constexpr long long cost = 12;
        long long arcs = 0;
        for (int s = 0; s < S; ++s) {
            const bool chosen = S <= 1024 && in_degree(s) * cost >= S;
            (chosen ? broad : narrow).push_back(s);
            if (chosen) arcs += in_degree(s);
        }
        // Loops of the same length one after the other: the processor foresees their ends.
        std::stable_sort(narrow.begin(), narrow.end(), [&](int r, int s) { return in_degree(r) < in_degree(s); });
        breadth = (static_cast<int>(broad.size()) + lane_block - 1) / lane_block * lane_block;
        if (arcs * cost >= static_cast<long long>(S) * breadth) return;
        broad.clear();
        breadth = 0;
        narrow.resize(S);
        for (int s = 0; s < S; ++s) narrow[s] = s;
    }

    void fill_matrix(Need need) {
        const std::vector<Real>& value = need == Need::scores ? score : weight;
        const int D = static_cast<int>(broad.size());
        matrix.assign(static_cast<std::size_t>(S) * breadth, need == Need::scores ? minus_infinity<Real> : Real(0));
        if (need == Need::weights_both_ways) transposed.assign(static_cast<std::size_t>(D) * width, Real(0));
        for (int i = 0; i < D; ++i)
            for (int j = begin[broad[i]]; j < begin[broad[i] + 1]; ++j) {
                matrix[static_cast<std::size_t>(from[j]) * breadth + i] = value[j];
                if (need == Need::weights_both_ways)
                    transposed[static_cast<std::size_t>(i) * width + from[j]] = value[j];
            }
    }
};

// The scores of one string: span[t, d - 1, y].
template <class Real>
struct String {
    const Real* span;
    int T;
    int L;
    int Y;
    const Real* row(int t, int d) const {
        return span + (static_cast<std::size_t>(t) * L + (d - 1)) * static_cast<std::size_t>(Y);
    }
};

}  // namespace ibidem
