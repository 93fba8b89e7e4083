// What all strings of a semi-CRF share, and the best path of a string.
//
// The path is found in the precision of the scores. Where another is so near that rounding may have decided, the answer
// is not `sure`, and the caller asks the exact loops.
#pragma once

#include "inference/span_layout.hpp"

namespace ibidem {

template <class Real>
struct SegmentModel {
    SpanLayout<Real> layout;
    Graph<Real> maxima;
    Graph<double> sums;
    std::vector<double> raise;  // [states] exp of the best arc into each state
    Levels levels;              // of a token that begins a segment of each label, then of one inside
    const bool* begins;         // [K, Y]: which labels of segments begin a field of each path
    const bool* continues;      // [K, Y]: and which continue it
    const bool* joins;          // [Y]: of which labels segments in a row can only be one that is too long
    std::vector<bool> whole;    // [K]: no label continues it

    SegmentModel(SpanLayout<Real> layout_, const bool* begins_, const bool* continues_, const bool* first,
                 const bool* inside, const bool* joins_, int K)
        : layout(std::move(layout_)),
          maxima(layout.view(), Need::scores),
          sums(widen(layout.view(), layout.wide_arc), Need::weights),
          raise(sums.width, 0.0),
          levels(first, inside, K, 2 * layout.Y),
          begins(begins_),
          continues(continues_),
          joins(joins_) {
        for (int s = 0; s < sums.S; ++s) raise[s] = std::exp(sums.top[s]);
        for (int k = 0; k < K; ++k) whole.push_back(!std::any_of(row(continues, k), row(continues, k) + layout.Y, is));
    }
    const bool* row(const bool* mask, int k) const { return mask + static_cast<std::size_t>(k) * layout.Y; }

  private:
    static bool is(bool value) { return value; }
};

// A segment of the best path; its label by its place in the layout.
struct Piece {
    int start;
    int end;
    int label;
};

// The best path of a string.
template <class Real>
class BestSegmentation {
  public:
    bool sure = false;
    double score = 0;
    std::vector<Piece> pieces;
    std::vector<double> base;  // [T + 1] the best score of all ways to a place

    explicit BestSegmentation(const SegmentModel<Real>& model) : graph_(&model.maxima), layout_(&model.layout) {
        for (const auto& scores : {graph_->score, graph_->start})
            for (const Real each : scores)
                if (each > minus_infinity<Real>) arc_size_ = std::max(arc_size_, std::abs(static_cast<double>(each)));
    }

    void find(const SpanTable<Real>& table, int T) {
        tables_.fit(T, graph_->width, false);
        shift_.resize(layout_->L);
        by_.resize(layout_->L);
        base.assign(T + 1, 0.0);
        std::copy(graph_->start.begin(), graph_->start.end(), enter(0));
        for (int end = 1; end <= T; ++end) {
            if (end > 1) MaxSemiring::arcs(*graph_, tables_, end - 1);
            take_spans(table, end);
        }
        follow(table, T);
    }
    // The best ways to spans of each state that begin or end at a place; -infinity where there is none.
    const Real* entering(int t) const { return tables_.enter.data() + tables_.row(t); }
    const Real* ending(int t) const { return tables_.alpha.data() + tables_.row(t); }

  private:
    const Graph<Real>* graph_;
    const SpanLayout<Real>* layout_;
    Tables<Real> tables_;
    std::vector<Real> shift_, by_, room_;
    double arc_size_ = 0;

    Real* enter(int t) { return tables_.enter.data() + tables_.row(t); }
    Real* alpha(int t) { return tables_.alpha.data() + tables_.row(t); }
    Real shift(int end, int d) const { return static_cast<Real>(base[end - d] - base[end - 1]); }

    void take_spans(const SpanTable<Real>& table, int end) {
        const int longest = std::min(layout_->L, end);
        for (int d = 1; d <= longest; ++d) shift_[d - 1] = shift(end, d);
        Real* out = alpha(end);
        loops<Real>().stretch_max(enter(end), table.row(end, 1), layout_->begin.data(), layout_->width.data(),
                                  shift_.data(), longest, graph_->width, out);
        for (const auto& run : layout_->runs) {
            const int reach = std::min(layout_->limit[run.label], longest);
            for (int d = 1; d <= reach; ++d) by_[reach - d] = table.row(end, d)[run.label] + shift_[d - 1];
            loops<Real>().add_max(by_.data(), enter(end - reach) + run.begin, out + run.begin, reach,
                                  run.end - run.begin, graph_->width);
        }
        std::fill(out + layout_->states(), out + graph_->width, minus_infinity<Real>);
        const Real top = loops<Real>().maximum(out, graph_->width);
        base[end] = base[end - 1];
        if (top == minus_infinity<Real>) return;
        base[end] += top;
        loops<Real>().lower(out, top, graph_->width);
    }

    void follow(const SpanTable<Real>& table, int T) {
        const auto& at = *layout_;
        room_.resize(std::max(graph_->width, at.L) + lane_block);
        pieces.clear();
        for (int s = 0; s < graph_->S; ++s) room_[s] = graph_->final[s] ? alpha(T)[s] : minus_infinity<Real>;
        sure = *std::max_element(room_.begin(), room_.begin() + graph_->S) > minus_infinity<Real>;
        if (!sure) return;
        Argmax choose;
        double size = 0;
        int s = choose(room_, graph_->S);
        score = 0;
        for (int t = T;;) {
            const int y = at.label[s], longest = std::min(at.limit[y], t);
            for (int d = 1; d <= longest; ++d) room_[d - 1] = enter(t - d)[s] + (table.row(t, d)[y] + shift(t, d));
            const int d = 1 + choose(room_, longest);
            const double span = table.row(t, d)[y];
            size = std::max(size, std::abs(span));
            score += on_grid(span);
            pieces.push_back({t - d, t, y});
            t -= d;
            if (t == 0) break;
            const int first = graph_->begin[s], count = graph_->in_degree(s);
            sure = count > 0;  // where scores have overflowed, any state may seem the best
            if (!sure) return;
            for (int j = 0; j < count; ++j) room_[j] = alpha(t)[graph_->from[first + j]] + graph_->score[first + j];
            const int j = first + choose(room_, count);
            score += on_grid(graph_->score[j]);
            s = graph_->from[j];
        }
        score += on_grid(graph_->start[s]);
        std::reverse(pieces.begin(), pieces.end());
        const double lost = 2 * T * (choose.size + size + arc_size_) * std::numeric_limits<Real>::epsilon();
        sure = choose.margin > lost;
    }
};

}  // namespace ibidem
