// An automaton with its scores, laid out for the loops.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "inference/loops.hpp"

namespace ibidem {


template <class Real>
constexpr Real minus_infinity = -std::numeric_limits<Real>::infinity();

// The nearest multiple of 2^-36. Double precision adds such numbers without rounding as long as the sums stay
// below 2^17, whatever the order: equal scores are then equal everywhere, and only a rule chooses among them.
inline double on_grid(double x) {
    constexpr double shift = 98304.0;  // 1.5 * 2^16, whose last bit is 2^-36
    return (x + shift) - shift;
}

// exp() of less than `log_least` is 0 in the loops; a sum below `trusted` may have lost terms that matter to it. A
// probability below `negligible` is taken for none.
template <class Real>
struct Range;
template <>
struct Range<float> {
    static constexpr float log_least = -87.0f;
    static constexpr float trusted = 1e-26f;
    static constexpr float summed = 1e-31f;  // what vanishes is nothing beside sums of spans as large as this
    static constexpr float negligible = 1e-20f;
    static constexpr float tier = 32.0f;  // exp(-tier) is far from vanishing
};
template <>
struct Range<double> {
    static constexpr double log_least = -708.0;
    static constexpr double trusted = 1e-290;
    static constexpr double summed = 1e-290;
    static constexpr double negligible = 1e-250;
    static constexpr double tier = 256.0;
};

constexpr int longest_side_by_side = 512;  // tokens; the tables of all lanes would be large beyond that

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

// The same automaton with the scores of its arcs in double precision, which `arc` keeps.
template <class Real>
AutomatonView<double> widen(const AutomatonView<Real>& view, std::vector<double>& arc) {
    arc.assign(view.arc, view.arc + view.A);
    return {view.label, view.src, view.dst, view.final, arc.data(), view.S, view.A};
}

enum class Need { scores, weights, weights_both_ways };

inline int padded(long long count) { return static_cast<int>((count + lane_block - 1) / lane_block * lane_block); }

// States together with those that lead to them, as a matrix: of nested BIO labels, all that begin a field can follow
// the same labels, and so can the parts of one field.
template <class Real>
struct Block {
    std::vector<std::int32_t> from;  // [H]
    std::vector<std::int32_t> into;  // [D]
    int height = 0;                  // H, padded
    int breadth = 0;                 // D, padded
    bool whole = false;              // whether `from` are all states
    std::vector<std::int32_t> arc;   // [H, D]: the place among the sorted arcs, -1 for none
    std::vector<Real> matrix;        // [H, breadth] of scores or of weights
    std::vector<Real> transposed;    // [D, height] of weights
};

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

    // States in a row that show the same label.
    struct Run {
        int begin;
        int end;
        int label;
    };
    std::vector<Run> runs;

    std::vector<Block<Real>> blocks;
    std::vector<std::int32_t> narrow;  // the states in no block, those with few arcs first

    // The arcs into the narrow states, `slice` states side by side: round k of a slice has the k-th arc of each of them.
    // Where a state has fewer, an arc that nothing comes by fills up.
    std::vector<std::int32_t> rounds;       // [slices]
    std::vector<std::int32_t> sliced_from;  // [rounds of all slices, slice]
    std::vector<Real> sliced;               // the same of scores or of weights

    Graph(const AutomatonView<Real>& view, Need need)
        : S(view.S),
          A(view.A),
          width(padded(view.S)),
          label(view.label),
          final(view.final) {
        identity = true;
        for (int s = 0; s < S; ++s) {
            identity = identity && label[s] == s;
            if (runs.empty() || runs.back().label != label[s]) runs.push_back({s, s, label[s]});
            runs.back().end = s + 1;
        }
        sort_arcs(view);
        measure();
        if (need != Need::scores) compute_weights();
        choose_blocks();
        for (Block<Real>& block : blocks) fill(block, need);
        slice_arcs(need);
    }

    int in_degree(int s) const { return begin[s + 1] - begin[s]; }

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

    void compute_weights() {
        weight.resize(score.size());
        for (int s = 0; s < S; ++s)
            for (int j = begin[s]; j < begin[s + 1]; ++j)
                weight[j] = score[j] - top[s] > Range<Real>::log_least ? std::exp(score[j] - top[s]) : Real(0);
    }

    // States that the same ones lead to make a block where that is cheaper than going through their arcs; states that
    // a good part of all lead to, but each different ones, make a block together.
    void choose_blocks() {
        if (S > 1024) {  // the matrices would leave the cache
            for (int s = 0; s < S; ++s) narrow.push_back(s);
            return;
        }
        std::map<std::vector<std::int32_t>, std::vector<std::int32_t>> alike;
        for (int s = 0; s < S; ++s) {
            std::vector<std::int32_t> sources(from.begin() + begin[s], from.begin() + begin[s + 1]);
            std::sort(sources.begin(), sources.end());
            alike[sources].push_back(s);
        }
        std::vector<std::int32_t> rest;
        for (const auto& [sources, states] : alike) {
            const bool chosen = pays(sources.size(), states.size(), sources.size() * states.size());
            if (chosen) blocks.push_back({sources, states});
            auto& others = static_cast<long long>(sources.size()) * arc_cost >= S ? rest : narrow;
            if (!chosen) others.insert(others.end(), states.begin(), states.end());
        }
        std::sort(rest.begin(), rest.end());
        long long arcs = 0;
        for (const int s : rest) arcs += in_degree(s);
        if (pays(S, rest.size(), arcs)) {
            std::vector<std::int32_t> all(S);
            for (int s = 0; s < S; ++s) all[s] = s;
            blocks.push_back({all, rest});
        } else {
            narrow.insert(narrow.end(), rest.begin(), rest.end());
        }
        // Loops of the same length one after the other: the processor foresees their ends.
        std::sort(narrow.begin(), narrow.end(), [&](int r, int s) {
            return in_degree(r) != in_degree(s) ? in_degree(r) < in_degree(s) : r < s;
        });
    }

    // An arc of a slice costs some six times an entry of a matrix; a block has its sources and states to collect.
    static constexpr long long arc_cost = 6;
    static bool pays(long long sources, long long states, long long arcs) {
        return states > 0 && arcs * arc_cost >= sources * padded(states) + 8 * (sources + states) + 100;
    }

    void slice_arcs(Need need) {
        const Real nothing = need == Need::scores ? minus_infinity<Real> : Real(0);
        const std::vector<Real>& value = need == Need::scores ? score : weight;
        for (std::size_t first = 0; first < narrow.size(); first += slice) {
            const std::size_t last = std::min(first + slice, narrow.size());
            rounds.push_back(in_degree(narrow[last - 1]));  // those with few arcs come first
            for (int k = 0; k < rounds.back(); ++k)
                for (std::size_t i = first; i < first + slice; ++i) {
                    const bool there = i < last && k < in_degree(narrow[i]);
                    const int j = there ? begin[narrow[i]] + k : 0;
                    sliced_from.push_back(there ? from[j] : 0);
                    sliced.push_back(there ? value[j] : nothing);
                }
        }
    }

    void fill(Block<Real>& block, Need need) {
        const std::vector<Real>& value = need == Need::scores ? score : weight;
        const std::size_t H = block.from.size(), D = block.into.size();
        block.height = padded(H);
        block.breadth = padded(D);
        block.whole = static_cast<int>(H) == S;
        block.arc.assign(H * D, -1);
        block.matrix.assign(H * block.breadth, need == Need::scores ? minus_infinity<Real> : Real(0));
        if (need == Need::weights_both_ways) block.transposed.assign(D * block.height, Real(0));
        std::vector<std::int32_t> place(S, -1);
        for (std::size_t h = 0; h < H; ++h) place[block.from[h]] = static_cast<std::int32_t>(h);
        for (std::size_t d = 0; d < D; ++d)
            for (int j = begin[block.into[d]]; j < begin[block.into[d] + 1]; ++j) {
                const std::size_t h = place[from[j]];
                block.arc[h * D + d] = j;
                block.matrix[h * block.breadth + d] = value[j];
                if (need == Need::weights_both_ways) block.transposed[d * block.height + h] = value[j];
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
