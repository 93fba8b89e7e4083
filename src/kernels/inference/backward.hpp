// The backward loop: counts flow from the end of a string to its start, split at every place among what led there.
//
// Split in proportion it gives the marginals (`share_credit`); all to one it gives a path (`walk`), the best one or a
// draw, which needs the split at the places of the path only and no back-pointers.
#pragma once

#include "inference/forward.hpp"

namespace ibidem {

// Counts of the arcs, summed over many strings.
template <class Real>
struct ArcCredit {
    std::vector<double> total;  // [A]
    std::vector<Real> pending;  // by sorted arc; of the narrow states only
    std::vector<std::vector<Real>> block;  // [height, breadth] each, still to be multiplied by the arcs' weights
    int strings = 0;                       // how many have gone into these two

    explicit ArcCredit(const Graph<Real>& graph)
        : total(graph.A, 0.0), pending(graph.narrow.empty() ? 0 : graph.score.size(), Real(0)) {
        for (const Block<Real>& each : graph.blocks)
            block.emplace_back(static_cast<std::size_t>(each.height) * each.breadth, Real(0));
    }

    // Single precision sums are short: every few strings they move to `total`.
    void settle(const Graph<Real>& graph) {
        if (strings == 0) return;
        for (const int s : graph.narrow)
            for (int j = graph.begin[s]; j < graph.begin[s + 1]; ++j) total[graph.index[j]] += pending[j];
        for (std::size_t i = 0; i < block.size(); ++i) {
            const Block<Real>& each = graph.blocks[i];
            const std::size_t D = each.into.size();
            for (std::size_t place = 0; place < each.arc.size(); ++place) {
                const int j = each.arc[place];
                if (j < 0) continue;
                const Real counts = block[i][place / D * each.breadth + place % D];
                total[graph.index[j]] += static_cast<double>(counts) * graph.weight[j];
            }
            std::fill(block[i].begin(), block[i].end(), Real(0));
        }
        std::fill(pending.begin(), pending.end(), Real(0));
        strings = 0;
    }
};

template <class Real>
struct Shares {
    std::vector<Real> counts;   // [T + 1, width]: the probability that a span of state s ends at t
    std::vector<Real> entered;  // [T, width]: the probability that a span of state s begins at t; only where L > 1
    std::vector<Real> ratio;    // [width]: entered / sum
    std::vector<Real> column;   // [T, breadth] for one block after the other: the same of its states, at all places
    std::vector<Real> source;   // [T, height] for one block after the other: `raised` of their sources
    std::vector<Real> room;     // [width]

    void fit(const Graph<Real>& graph, const String<Real>& string) {
        const std::size_t size = (static_cast<std::size_t>(string.T) + 1) * graph.width;
        Tables<Real>::grow(counts, size);
        if (string.L > 1) entered.assign(size, Real(0));
        Tables<Real>::grow(ratio, graph.width);
        Tables<Real>::grow(room, graph.width);
        std::size_t breadth = 0, height = 0;
        for (const Block<Real>& block : graph.blocks) {
            breadth += block.breadth;
            height += block.height;
        }
        Tables<Real>::grow(column, string.T * breadth);
        Tables<Real>::grow(source, string.T * height);
    }
};

// The part of what enters s at t that came by the j-th of the sorted arcs.
template <class Real>
inline Real arc_share(const Graph<Real>& graph, const Tables<Real>& tables, int t, int s, int j) {
    const std::size_t row = tables.row(t);
    if (tables.sum[row + s] > 0) return tables.raised[row + graph.from[j]] * graph.weight[j] / tables.sum[row + s];
    const Real share = tables.alpha[row + graph.from[j]] + graph.score[j] - tables.enter[row + s];
    return share > minus_infinity<Real> ? std::exp(share) : Real(0);
}

// entered[t, s] -> counts[t], arc by arc, where the sum of what enters cannot be trusted.
template <class Real>
void share_exactly(const Graph<Real>& graph, const Tables<Real>& tables, int t, int s, Real entered, Real* counts,
                   ArcCredit<Real>* arcs) {
    for (int j = graph.begin[s]; j < graph.begin[s + 1]; ++j) {
        const Real part = entered * arc_share(graph, tables, t, s, j);
        counts[graph.from[j]] += part;
        if (arcs) arcs->total[graph.index[j]] += part;
    }
}

// The share of the blocks in entered[t] -> counts[t], still to be multiplied by `raised`.
template <class Real>
void share_blocks(const Graph<Real>& graph, const Real* raised, Shares<Real>& shares, int T, int t, Real* counts,
                  bool keep) {
    std::fill(counts, counts + graph.width, Real(0));
    Real* columns = shares.column.data();
    Real* sources = shares.source.data();
    for (const Block<Real>& block : graph.blocks) {
        const int H = static_cast<int>(block.from.size());
        const int D = static_cast<int>(block.into.size());
        Real* column = columns + static_cast<std::size_t>(t) * block.breadth;
        for (int d = 0; d < D; ++d) column[d] = shares.ratio[block.into[d]];
        loops<Real>().multiply(column, block.transposed.data(), shares.room.data(), D, block.height, block.height);
        for (int h = 0; h < H; ++h) counts[block.from[h]] += shares.room[h];
        if (keep) {
            Real* source = sources + static_cast<std::size_t>(t) * block.height;
            for (int h = 0; h < H; ++h) source[h] = raised[block.from[h]];
            std::fill(source + H, source + block.height, Real(0));
            std::fill(column + D, column + block.breadth, Real(0));
        }
        columns += static_cast<std::size_t>(T) * block.breadth;
        sources += static_cast<std::size_t>(T) * block.height;
    }
}

// entered[t] -> counts[t]
template <class Real>
void share_arcs(const Graph<Real>& graph, const Tables<Real>& tables, Shares<Real>& shares, int T, int t,
                const Real* entered, ArcCredit<Real>* arcs) {
    const std::size_t row = tables.row(t);
    Real* counts = shares.counts.data() + row;
    const Real* sum = tables.sum.data() + row;
    const Real* raised = tables.raised.data() + row;
    Real* ratio = shares.ratio.data();
    loops<Real>().divide(entered, sum, ratio, graph.width);
    share_blocks(graph, raised, shares, T, t, counts, arcs != nullptr);
    for (const int s : graph.narrow) {
        if (ratio[s] == 0) continue;
        for (int j = graph.begin[s]; j < graph.begin[s + 1]; ++j) counts[graph.from[j]] += graph.weight[j] * ratio[s];
        if (!arcs) continue;
        for (int j = graph.begin[s]; j < graph.begin[s + 1]; ++j)
            arcs->pending[j] += raised[graph.from[j]] * graph.weight[j] * ratio[s];
    }
    for (int s = 0; s < graph.width; ++s) counts[s] *= raised[s];
    for (int s = 0; s < graph.S; ++s)
        if (entered[s] > 0 && sum[s] == 0) share_exactly(graph, tables, t, s, entered[s], counts, arcs);
    for (int s = 0; s < graph.width; ++s) counts[s] = counts[s] < Range<Real>::negligible ? Real(0) : counts[s];
}

// The counts of the arcs of the blocks, from what the places of a string have kept.
template <class Real>
void add_blocks(const Graph<Real>& graph, const Shares<Real>& shares, int T, ArcCredit<Real>& arcs) {
    const Real* columns = shares.column.data();
    const Real* sources = shares.source.data();
    for (std::size_t i = 0; i < graph.blocks.size(); ++i) {
        const Block<Real>& block = graph.blocks[i];
        loops<Real>().outer(sources + block.height, columns + block.breadth, arcs.block[i].data(), T - 1, block.height,
                            block.breadth);
        columns += static_cast<std::size_t>(T) * block.breadth;
        sources += static_cast<std::size_t>(T) * block.height;
    }
}

template <class Real>
void add_by_label(const Graph<Real>& graph, const Real* counts, Real* out) {
    const int count = graph.S;
    if (graph.identity) {
        for (int s = 0; s < count; ++s) out[s] += counts[s];
    } else {
        for (int s = 0; s < count; ++s) out[graph.label[s]] += counts[s];
    }
}

// counts[t] -> entered[t - d] for every d, in proportion to what each has added to total[t].
template <class Real>
void share_spans(const Graph<Real>& graph, const String<Real>& string, Tables<Real>& tables, Shares<Real>& shares,
                 int t, Real* span_credit) {
    const Real* counts = shares.counts.data() + tables.row(t);
    const Real* total = tables.total.data() + tables.row(t);
    Real* ratio = shares.ratio.data();
    const int count = std::min(string.L, t);
    loops<Real>().divide(counts, total, ratio, graph.width);
    weigh_spans(string, tables, t, count);
    for (const auto& run : graph.runs)
        for (int d = 1; d <= std::min(tables.reach[run.label], t); ++d) {
            const Real by = tables.weight[static_cast<std::size_t>(d - 1) * tables.labels + run.label];
            if (by == 0) continue;
            const Real sum = loops<Real>().share(ratio + run.begin, tables.share.data() + tables.row(t - d) + run.begin,
                                                 by, shares.entered.data() + tables.row(t - d) + run.begin,
                                                 run.end - run.begin);
            if (span_credit)
                span_credit[(static_cast<std::size_t>(t - d) * string.L + d - 1) * string.Y + run.label] += sum;
        }
    const Real lift = static_cast<Real>(tables.base[t] - tables.base[t - 1]);
    for (int s = 0; s < graph.S; ++s) {
        if (!(counts[s] > 0) || total[s] > 0) continue;
        const Real alpha = tables.alpha[tables.row(t) + s] + lift;
        for (int d = 1; d <= count; ++d) {
            const Real part = counts[s] * std::exp(ending(graph, string, tables, t, d, s) - alpha);
            shares.entered[tables.row(t - d) + s] += part;
            if (span_credit)
                span_credit[(static_cast<std::size_t>(t - d) * string.L + d - 1) * string.Y + graph.label[s]] += part;
        }
    }
}

template <class Real>
void share_end(const Graph<Real>& graph, const Tables<Real>& tables, int T, double log_z, Real* counts) {
    const Real* alpha = tables.alpha.data() + tables.row(T);
    std::fill(counts, counts + graph.width, Real(0));
    for (int s = 0; s < graph.S; ++s)
        if (graph.final[s])
            counts[s] = static_cast<Real>(std::exp(static_cast<double>(alpha[s]) + (tables.base[T] - log_z)));
}

// The marginals of one string: adds to span_credit [T, L, Y] and to arcs, either of which may be null.
template <class Real>
void share_credit(const Graph<Real>& graph, const String<Real>& string, Tables<Real>& tables, double log_z,
                  Shares<Real>& shares, Real* span_credit, ArcCredit<Real>* arcs) {
    if (string.T == 0 || log_z == minus_infinity<double>) return;
    shares.fit(graph, string);
    share_end(graph, tables, string.T, log_z, shares.counts.data() + tables.row(string.T));
    for (int t = string.T - 1; t >= 0; --t) {
        const Real* entered = shares.counts.data() + tables.row(t + 1);
        if (string.L > 1) {
            share_spans(graph, string, tables, shares, t + 1, span_credit);
            entered = shares.entered.data() + tables.row(t);
        } else if (span_credit) {
            add_by_label(graph, entered, span_credit + static_cast<std::size_t>(t) * string.Y);
        }
        if (t > 0) share_arcs(graph, tables, shares, string.T, t, entered, arcs);
        if (t == 0 && arcs)
            for (int s = 0; s < graph.S; ++s)
                if (graph.start_arc[s] >= 0) arcs->total[graph.start_arc[s]] += entered[s];
    }
    if (!arcs || string.T < 2) return;
    add_blocks(graph, shares, string.T, *arcs);
    if (++arcs->strings == 16) arcs->settle(graph);
}

// The first of the largest. Over all choices, `margin` is the least by which one was better than the next best, and
// `size` the largest absolute score of those chosen.
struct Argmax {
    double margin = std::numeric_limits<double>::infinity();
    double size = 0;

    template <class Real>
    int operator()(std::vector<Real>& score, int count) {
        int best = 0;
        Real next = minus_infinity<Real>;
        for (int i = 1; i < count; ++i) {
            next = std::max(next, std::min(score[i], score[best]));
            if (score[i] > score[best]) best = i;
        }
        margin = std::min(margin, static_cast<double>(score[best]) - next);
        size = std::max(size, std::abs(static_cast<double>(score[best])));
        return best;
    }
};

// One drawn in proportion to exp(score), from a stream of numbers that depends on nothing but its key (splitmix64).
struct Draw {
    std::uint64_t state;

    static std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    Draw(std::uint64_t seed, std::uint64_t draw, std::uint64_t string)
        : state(mix(mix(mix(seed + step) + draw + step) + string + step)) {}
    double uniform() {
        state += step;
        return static_cast<double>(mix(state) >> 11) * (1.0 / 9007199254740992.0);
    }
    template <class Real>
    int operator()(std::vector<Real>& score, int count) {
        const int padded = (count + lane_block - 1) / lane_block * lane_block;
        std::fill(score.begin() + count, score.begin() + padded, minus_infinity<Real>);
        const Real best = *std::max_element(score.begin(), score.begin() + count);
        loops<Real>().exponential(score.data(), -best, score.data(), padded);
        double total = 0;
        for (int i = 0; i < count; ++i) total += score[i];
        const double aim = uniform() * total;
        double passed = 0;
        int last = 0;  // the last that can be drawn at all: rounding may leave `aim` at the very end
        for (int i = 0; i < count; ++i) {
            if (!(score[i] > 0)) continue;
            last = i;
            passed += score[i];
            if (passed > aim) break;
        }
        return last;
    }

  private:
    static constexpr std::uint64_t step = 0x9E3779B97F4A7C15ull;
};

// Writes a path from the end to the start and returns its score; -infinity where there is no path. `table` holds what
// the forward loop found.
template <class Choose, class Real, class Table>
double walk(const Graph<Real>& graph, const String<Real>& string, const Table& table, Choose&& choose,
            std::vector<Real>& room, std::int32_t* state, bool* starts) {
    if (string.T == 0) return 0.0;
    room.resize(std::max(graph.width, string.L) + lane_block);
    int t = string.T;
    for (int s = 0; s < graph.S; ++s) room[s] = graph.final[s] ? table.at(t, s) : minus_infinity<Real>;
    if (*std::max_element(room.begin(), room.begin() + graph.S) == minus_infinity<Real>) return minus_infinity<double>;
    int s = choose(room, graph.S);
    double score = 0;
    while (true) {
        const int d = table.last_span(graph, string, t, s, choose, room);
        t -= d;
        score += on_grid(string.row(t, d)[graph.label[s]]);
        std::fill(state + t, state + t + d, s);
        std::fill(starts + t, starts + t + d, false);
        starts[t] = true;
        if (t == 0) return score + on_grid(graph.start[s]);
        const int first = graph.begin[s];
        const int count = graph.begin[s + 1] - first;
        for (int j = 0; j < count; ++j) room[j] = table.at(t, graph.from[first + j]) + graph.score[first + j];
        const int j = first + choose(room, count);
        score += on_grid(graph.score[j]);
        s = graph.from[j];
    }
}

}  // namespace ibidem
