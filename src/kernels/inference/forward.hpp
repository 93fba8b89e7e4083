// The forward loop, over a semiring.
//
//   enter[t, s]     = (+) over arcs r -> s of   alpha[t, r] (x) arc[r -> s]
//   alpha[t + d, s] = (+) over d <= L of        enter[t, s] (x) span[t, d, label(s)]
//
// Everything is kept in logarithms, but relative to `base[t]`, the best of alpha[t]: single precision then suffices
// however long the string. The sum over arcs is done on exponentials, one of them per state and none per arc. A state
// all of whose predecessors lie so far below the best one that their exponentials vanish is summed again in
// logarithms (`mend`): hard automata and masks make such states the only ones that matter further on.
#pragma once

#include "inference/graph.hpp"

namespace ibidem {

template <class Real>
struct Tables {
    int width = 0;
    int labels = 0;            // padded
    std::vector<Real> alpha;   // [T + 1, width] less base[t]; row 0 (the start) is unused
    std::vector<Real> enter;   // [T, width] less base[t]
    std::vector<Real> raised;  // [T + 1, width]: exp(alpha); sums only
    std::vector<Real> sum;     // [T, width]: exp(enter - top); 0 where it cannot be trusted; sums only
    std::vector<double> base;  // [T + 1]
    std::vector<Real> source;  // [width]: room for what the states of one block come from
    std::vector<Real> column;  // [width]: room for what enters them
    static constexpr int tiers = 8;
    std::vector<Real> lifted;  // [tiers, width]: room for exponentials of what lies far below the best
    int tier[tiers];           // how far, in steps of Range::tier, each row of it is lifted; -1 where it is not made
    std::vector<Real> peak;    // [T, Y]: the best enter of the states of each label; sums over spans only, as the next
    std::vector<Real> share;   // [T, width]: exp(enter - peak)
    std::vector<Real> total;   // [T + 1, width]: the sum of the spans that end there; 0 where it cannot be trusted
    std::vector<Real> weight;  // [L, labels]: exp of the scores of the spans that end at one place, less the label's best
    std::vector<Real> top;     // [labels]: that best
    std::vector<int> entered;  // [width]: the last place where the state could be entered; -1 for none
    std::vector<int> reach;    // [Y]: how many tokens a span may have, by label
    std::vector<Real> by;      // [L]: room for the scores or weights of one label's spans that end at one place
    Real lowest = 0;           // the worst finite alpha of the last row

    void fit(int T, int width_, bool sums) {
        width = width_;
        const std::size_t rows = static_cast<std::size_t>(T) + 1;
        grow(alpha, rows * width);
        grow(enter, rows * width);
        if (sums) grow(raised, rows * width);
        if (sums) grow(sum, rows * width);
        grow(source, width);
        grow(column, width);
        grow(lifted, tiers * width);
        if (base.size() < rows) base.resize(rows);
        base[0] = 0.0;
    }
    void fit_spans(int T, int L, int Y) {
        labels = padded(Y);
        const std::size_t rows = static_cast<std::size_t>(T) + 1;
        grow(peak, rows * labels);
        grow(share, rows * width);
        grow(total, rows * width);
        grow(weight, static_cast<std::size_t>(L) * labels);
        grow(top, labels);
        entered.assign(width, -1);
    }
    template <class Vector>
    static void grow(Vector& vector, std::size_t size) {
        if (vector.size() < size + lane_block) vector.resize(size + lane_block);  // loops may go a little beyond
    }
    std::size_t row(int t) const { return static_cast<std::size_t>(t) * width; }

    // For `walk` of backward.hpp: the score of the ways to t that end in s, and how long the last span of such a way is.
    Real at(int t, int s) const { return alpha[row(t) + s]; }
    double place_base(int t) const { return base[t]; }
    template <class Choose>
    int last_span(const Graph<Real>& graph, const String<Real>& string, int t, int s, Choose& choose,
                  std::vector<Real>& room) const {
        if (string.L == 1) return 1;
        const int longest = std::min(string.L, t);
        for (int d = 1; d <= longest; ++d)
            room[d - 1] = enter[row(t - d) + s] + (string.row(t - d, d)[graph.label[s]] +
                                                   static_cast<Real>(base[t - d] - base[t - 1]));
        return 1 + choose(room, longest);
    }
};

// reach[y]: labels have longest spans of their own.
template <class Real>
void measure_spans(const String<Real>& string, std::vector<int>& reach) {
    const int longest = std::min(string.L, string.T);
    reach.assign(string.Y, 0);
    const auto possible = [&](int d, int y) {
        for (int t = 0; t + d <= string.T; ++t)
            if (string.row(t, d)[y] > minus_infinity<Real>) return true;
        return false;
    };
    for (int y = 0; y < string.Y; ++y)
        for (int d = longest; d > 0 && reach[y] == 0; --d)
            if (possible(d, y)) reach[y] = d;
}

// out[s] = (+) over d of value[t - d, s] (x) weight_of(d, label(s)), for all states: those of one label have the same reach.
template <class Real, class Loop, class WeightOf>
void over_spans(const Graph<Real>& graph, Tables<Real>& tables, Loop loop, const std::vector<Real>& value, int t,
                WeightOf weight_of, Real* out) {
    Real* by = tables.by.data();
    for (const auto& run : graph.runs) {
        const int longest = std::min(tables.reach[run.label], t);
        for (int d = 1; d <= longest; ++d) by[longest - d] = weight_of(d, run.label);
        loop(by, value.data() + tables.row(t - longest) + run.begin, out + run.begin, longest, run.end - run.begin,
             graph.width);
    }
}

// alpha[t] of a chain: all spans are tokens.
template <class Real>
void add_token(const Graph<Real>& graph, const String<Real>& string, Tables<Real>& tables, int t) {
    const Real* enter = tables.enter.data() + tables.row(t - 1);
    const Real* span = string.row(t - 1, 1);
    Real* alpha = tables.alpha.data() + tables.row(t);
    if (graph.identity) {
        for (int s = 0; s < graph.S; ++s) alpha[s] = enter[s] + span[s];
    } else {
        for (int s = 0; s < graph.S; ++s) alpha[s] = enter[s] + span[graph.label[s]];
    }
    std::fill(alpha + graph.S, alpha + graph.width, minus_infinity<Real>);
}

// The loop over all arcs into the states of the blocks.
template <class Real, class Loop>
void into_blocks(const Graph<Real>& graph, Tables<Real>& tables, Loop loop, const Real* x, Real* out) {
    Real* source = tables.source.data();
    Real* column = tables.column.data();
    for (const Block<Real>& block : graph.blocks) {
        const int H = static_cast<int>(block.from.size());
        if (!block.whole)
            for (int h = 0; h < H; ++h) source[h] = x[block.from[h]];
        loop(block.whole ? x : source, block.matrix.data(), column, H, block.breadth, block.breadth);
        for (std::size_t d = 0; d < block.into.size(); ++d) out[block.into[d]] = column[d];
    }
}

// The same over the arcs into the other states.
template <class Real, class Loop>
void into_narrow(const Graph<Real>& graph, Tables<Real>& tables, Loop loop, const Real* x, Real* out) {
    Real* column = tables.column.data();
    loop(x, graph.sliced_from.data(), graph.sliced.data(), graph.rounds.data(), static_cast<int>(graph.rounds.size()),
         column);
    for (std::size_t i = 0; i < graph.narrow.size(); ++i) out[graph.narrow[i]] = column[i];
}

struct MaxSemiring {
    static constexpr bool sums = false;

    template <class Real>
    static void arcs(const Graph<Real>& graph, Tables<Real>& tables, int t) {
        const Real* alpha = tables.alpha.data() + tables.row(t);
        Real* enter = tables.enter.data() + tables.row(t);
        into_blocks(graph, tables, loops<Real>().add_max, alpha, enter);
        into_narrow(graph, tables, loops<Real>().gather_max, alpha, enter);
        std::fill(enter + graph.S, enter + graph.width, minus_infinity<Real>);
    }

    // alpha[t]: the best of the spans that end there.
    template <class Real>
    static void spans(const Graph<Real>& graph, const String<Real>& string, Tables<Real>& tables, int t) {
        Real* alpha = tables.alpha.data() + tables.row(t);
        const auto score = [&](int d, int y) {
            return string.row(t - d, d)[y] + static_cast<Real>(tables.base[t - d] - tables.base[t - 1]);
        };
        over_spans(graph, tables, loops<Real>().add_max, tables.enter, t, score, alpha);
        std::fill(alpha + graph.S, alpha + graph.width, minus_infinity<Real>);
    }
};

struct LogSemiring {
    static constexpr bool sums = true;

    template <class Real>
    static void arcs(const Graph<Real>& graph, Tables<Real>& tables, int t) {
        const Real* raised = tables.raised.data() + tables.row(t);
        Real* sum = tables.sum.data() + tables.row(t);
        Real* enter = tables.enter.data() + tables.row(t);
        into_blocks(graph, tables, loops<Real>().multiply, raised, sum);
        into_narrow(graph, tables, loops<Real>().gather_sum, raised, sum);
        std::fill(sum + graph.S, sum + graph.width, Real(0));
        loops<Real>().logarithm(sum, graph.top.data(), enter, graph.width);
        mend(graph, tables, t, sum, enter);
    }

    // A sum below `trusted` is never divided by later; it is also wrong if a term of it may have vanished. Then it is
    // made again of exponentials lifted by about as much as the best term is low, and where even those vanish in logarithms.
    template <class Real>
    static void mend(const Graph<Real>& graph, Tables<Real>& tables, int t, Real* sum, Real* enter) {
        const Real* alpha = tables.alpha.data() + tables.row(t);
        std::fill(tables.tier, tables.tier + Tables<Real>::tiers, -1);
        for (int s = 0; s < graph.S; ++s) {
            if (sum[s] >= Range<Real>::trusted) continue;
            sum[s] = 0;
            if (tables.lowest + graph.low[s] > Range<Real>::log_least + 1) continue;
            Real best = minus_infinity<Real>;
            for (int j = graph.begin[s]; j < graph.begin[s + 1]; ++j)
                best = std::max(best, alpha[graph.from[j]] + graph.score[j]);
            const Real steps = std::floor(-best / Range<Real>::tier);
            enter[s] = best;
            if (best == minus_infinity<Real>) continue;
            Real total = 0;
            const Real least = std::min(graph.low[s], graph.low[s] + graph.top[s]);  // so that no term vanishes or overflows
            if (least > Range<Real>::log_least + 1 && steps >= 0 && steps < Real(1 << 20)) {
                const Real* lifted = lift(graph, tables, alpha, static_cast<int>(steps));
                for (int j = graph.begin[s]; j < graph.begin[s + 1]; ++j) total += lifted[graph.from[j]] * graph.weight[j];
            }
            const bool enough = total >= Range<Real>::trusted && total < std::numeric_limits<Real>::infinity();
            enter[s] = enough ? std::log(total) + (graph.top[s] - steps * Range<Real>::tier)
                              : sum_exactly(graph, alpha, s, best);
        }
    }

    // Exponentials of alpha, lifted by so many steps: those that lie near the top of this tier neither vanish nor overflow.
    template <class Real>
    static const Real* lift(const Graph<Real>& graph, Tables<Real>& tables, const Real* alpha, int steps) {
        const int place = steps % Tables<Real>::tiers;
        Real* lifted = tables.lifted.data() + static_cast<std::size_t>(place) * graph.width;
        if (tables.tier[place] != steps)
            loops<Real>().exponential(alpha, steps * Range<Real>::tier, lifted, graph.width);
        tables.tier[place] = steps;
        return lifted;
    }

    template <class Real>
    static Real sum_exactly(const Graph<Real>& graph, const Real* alpha, int s, Real best) {
        Real total = 0;
        for (int j = graph.begin[s]; j < graph.begin[s + 1]; ++j)
            total += std::exp(alpha[graph.from[j]] + graph.score[j] - best);
        return best + std::log(total);
    }

};

// peak[t] and share[t], once enter[t] is known.
template <class Real>
void raise_enter(const Graph<Real>& graph, Tables<Real>& tables, int t) {
    const Real* enter = tables.enter.data() + tables.row(t);
    Real* peak = tables.peak.data() + static_cast<std::size_t>(t) * tables.labels;
    Real* share = tables.share.data() + tables.row(t);
    std::fill(peak, peak + tables.labels, minus_infinity<Real>);
    for (const auto& run : graph.runs)
        for (int s = run.begin; s < run.end; ++s) peak[run.label] = std::max(peak[run.label], enter[s]);
    for (const auto& run : graph.runs) {
        const Real top = peak[run.label] > minus_infinity<Real> ? peak[run.label] : Real(0);
        for (int s = run.begin; s < run.end; ++s) share[s] = enter[s] - top;
        for (int s = run.begin; s < run.end; ++s)
            if (enter[s] > minus_infinity<Real>) tables.entered[s] = t;
    }
    std::fill(share + graph.S, share + graph.width, minus_infinity<Real>);
    loops<Real>().exponential(share, Real(0), share, graph.width);
}

// weight[d - 1, y] = exp of the best that a span of d tokens labelled y, ending at t, can give, less the best of that
// label, which goes to `top`; all relative to base[t - 1].
template <class Real>
void weigh_spans(const String<Real>& string, Tables<Real>& tables, int t, int count) {
    Real* top = tables.top.data();
    std::fill(top, top + tables.labels, minus_infinity<Real>);
    for (int d = 1; d <= count; ++d) {
        const Real* span = string.row(t - d, d);
        const Real* peak = tables.peak.data() + static_cast<std::size_t>(t - d) * tables.labels;
        Real* weight = tables.weight.data() + static_cast<std::size_t>(d - 1) * tables.labels;
        const Real shift = static_cast<Real>(tables.base[t - d] - tables.base[t - 1]);
        for (int y = 0; y < string.Y; ++y) weight[y] = span[y] + (peak[y] + shift);
        for (int y = 0; y < string.Y; ++y) top[y] = std::max(top[y], weight[y]);
        std::fill(weight + string.Y, weight + tables.labels, minus_infinity<Real>);
    }
    for (int d = 0; d < count; ++d) {
        Real* weight = tables.weight.data() + static_cast<std::size_t>(d) * tables.labels;
        for (int y = 0; y < string.Y; ++y) weight[y] = weight[y] > minus_infinity<Real> ? weight[y] - top[y] : weight[y];
        loops<Real>().exponential(weight, Real(0), weight, tables.labels);
    }
}

// The score of the span of d tokens in state s that ends at t, with all before it, relative to base[t - 1].
template <class Real>
Real ending(const Graph<Real>& graph, const String<Real>& string, const Tables<Real>& tables, int t, int d, int s) {
    return tables.enter[tables.row(t - d) + s] +
           (string.row(t - d, d)[graph.label[s]] + static_cast<Real>(tables.base[t - d] - tables.base[t - 1]));
}

// alpha[t]: sums over spans are made of products, one exponential for each label and length and none for each state. A
// state whose sum is so small that terms of it may have vanished is summed again in logarithms.
template <class Real>
void sum_spans(const Graph<Real>& graph, const String<Real>& string, Tables<Real>& tables, int t) {
    const int count = std::min(string.L, t);
    Real* alpha = tables.alpha.data() + tables.row(t);
    Real* total = tables.total.data() + tables.row(t);
    weigh_spans(string, tables, t, count);
    const auto weight = [&](int d, int y) { return tables.weight[static_cast<std::size_t>(d - 1) * tables.labels + y]; };
    over_spans(graph, tables, loops<Real>().multiply, tables.share, t, weight, total);
    std::fill(total + graph.S, total + graph.width, Real(0));
    for (const auto& run : graph.runs) std::fill(alpha + run.begin, alpha + run.end, tables.top[run.label]);
    std::fill(alpha + graph.S, alpha + graph.width, minus_infinity<Real>);
    loops<Real>().logarithm(total, alpha, alpha, graph.width);
    for (int s = 0; s < graph.S; ++s) {
        if (total[s] >= Range<Real>::summed) continue;
        total[s] = 0;
        alpha[s] = minus_infinity<Real>;
        if (tables.entered[s] < t - count) continue;
        Real top = minus_infinity<Real>;
        for (int d = 1; d <= count; ++d) top = std::max(top, ending(graph, string, tables, t, d, s));
        Real sum = 0;
        if (top > minus_infinity<Real>)
            for (int d = 1; d <= count; ++d) sum += std::exp(ending(graph, string, tables, t, d, s) - top);
        if (sum > 0) alpha[s] = top + std::log(sum);
    }
}

template <class Semiring, class Real>
void forward(const Graph<Real>& graph, const String<Real>& string, Tables<Real>& tables) {
    tables.fit(string.T, graph.width, Semiring::sums);
    if (string.L > 1) {
        measure_spans(string, tables.reach);
        Tables<Real>::grow(tables.by, string.L);
    }
    if (Semiring::sums && string.L > 1) tables.fit_spans(string.T, string.L, string.Y);
    std::copy(graph.start.begin(), graph.start.end(), tables.enter.begin());
    for (int t = 1; t <= string.T; ++t) {
        if (t > 1) Semiring::arcs(graph, tables, t - 1);
        Real* alpha = tables.alpha.data() + tables.row(t);
        const double reference = tables.base[t - 1];
        if (string.L == 1) {
            add_token(graph, string, tables, t);
        } else if (Semiring::sums) {
            raise_enter(graph, tables, t - 1);
            sum_spans(graph, string, tables, t);
        } else {
            MaxSemiring::spans(graph, string, tables, t);
        }
        const Real top = loops<Real>().maximum(alpha, graph.width);
        tables.base[t] = reference;
        tables.lowest = 0;
        if (top > minus_infinity<Real>) {
            tables.base[t] += top;
            tables.lowest = loops<Real>().lower(alpha, top, graph.width);
        }
        if (Semiring::sums)
            loops<Real>().exponential(alpha, Real(0), tables.raised.data() + tables.row(t), graph.width);
    }
}

// The logarithm of the sum over all paths, from the last row of a forward loop over sums.
template <class Real>
double log_total(const Graph<Real>& graph, const Tables<Real>& tables, int T) {
    if (T == 0) return 0.0;
    const Real* alpha = tables.alpha.data() + tables.row(T);
    double best = minus_infinity<double>;
    for (int s = 0; s < graph.S; ++s)
        if (graph.final[s]) best = std::max(best, static_cast<double>(alpha[s]));
    if (best == minus_infinity<double>) return best;
    double total = 0;
    for (int s = 0; s < graph.S; ++s)
        if (graph.final[s]) total += std::exp(static_cast<double>(alpha[s]) - best);
    return tables.base[T] + best + std::log(total);
}

}  // namespace ibidem
