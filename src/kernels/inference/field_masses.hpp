// The probabilities of the fields of a semi-CRF.
//
// Sums are made of products in double precision, relative to the best scores, which are known. The counts flow
// backwards from the end of the string, as in backward.hpp, but no arcs are gone through for a state that gets next to
// nothing of them: the forward sums are exact, so what is left out is known, and no probability is off by more than all
// of it.
#pragma once

#include "inference/best_segmentation.hpp"

namespace ibidem {

constexpr double least_shared = 1e-12, most_left_out = 1e-9;
// No sum of what can be reached is taken for less than this part of the best of its place: it could vanish in products.
// Counts that come to such a sum are too many, and as uncertain as if they were left out.
constexpr double smallest_sum = 1e-250;

// The probabilities of fields of a string.
template <class Real>
class FieldMasses {
  public:
    double log_z = 0;
    bool sure = false;

    explicit FieldMasses(const SegmentModel<Real>& model)
        : model_(&model), graph_(&model.sums), layout_(&model.layout) {}

    void find(const SpanTable<Real>& table, const BestSegmentation<Real>& best, int T) {
        T_ = T;
        table_ = &table;
        sum_forward(best);
        sure = std::isfinite(log_z);
        if (!sure) return;
        share_backward(least_shared);
        if (left_out_ > most_left_out) share_backward(0.0);
        sure = left_out_ <= most_left_out;
    }

    // The probability of a field of path k, tokens start .. end.
    double of_field(int start, int end, int k) {
        const bool* begins = model_->row(model_->begins, k);
        const bool* continues = model_->row(model_->continues, k);
        double mass = 0;
        clear(start, end);
        leave(end, continues, model_->whole[k]);
        for (int t = end; t > (model_->whole[k] ? end - 1 : start); --t) {
            if (t < end) along_arcs(entered_in_.data() + row(t), t, ended_in_.data() + row(t));
            for (int s = 0; s < graph_->S; ++s) {
                const double count = ended_in_[row(t) + s];
                const int y = layout_->order[layout_->label[s]];
                if (!(count > 0) || !(begins[y] || continues[y])) continue;
                const double by = count / total(t, s);
                if (begins[y]) mass += by * part(t, t - start, s);
                for (int d = 1; continues[y] && d <= std::min(layout_->limit[layout_->label[s]], t - start - 1); ++d)
                    entered_in_[row(t - d) + s] += by * part(t, d, s);
            }
        }
        return mass;
    }
    // The probability of one segment.
    double of_piece(const Piece& piece) const {
        double mass = 0;
        for (int s = 0; s < graph_->S; ++s)
            if (layout_->label[s] == piece.label && ended_[row(piece.end) + s] > 0)
                mass += ended_[row(piece.end) + s] / total(piece.end, s) * part(piece.end, piece.end - piece.start, s);
        return mass;
    }

  private:
    const SegmentModel<Real>* model_;
    const Graph<double>* graph_;
    const SpanLayout<Real>* layout_;
    const SpanTable<Real>* table_ = nullptr;
    int T_ = 0;
    Tables<double> room_;         // for the loops over arcs
    std::vector<double> at_;      // [T + 1, width] sums of all ways to spans of each state that end at t, the best 1
    std::vector<double> into_;    // [T, width] and to those that begin there
    std::vector<double> scale_;   // [T + 1] what at_ is still to be multiplied by, relative to into_ and weight_
    std::vector<double> weight_;  // of every span, as `table_` has their scores
    std::vector<double> ended_;    // [T + 1, width] the probability that a span of a state ends at t
    std::vector<double> entered_;  // [T + 1, width] and that one begins
    std::vector<double> ended_in_, entered_in_;  // the same of spans within a field
    std::vector<double> by_, ratio_;
    double left_out_ = 0;

    std::size_t row(int t) const { return static_cast<std::size_t>(t) * graph_->width; }
    static void grow(std::vector<double>& vector, std::size_t size) { Tables<double>::grow(vector, size); }
    double total(int t, int s) const { return at_[row(t) + s] * scale_[t]; }
    // What the spans of d tokens and a state add to the total of their end; 0 where they cannot be so long.
    double part(int end, int d, int s) const {
        const int y = layout_->label[s];
        return d <= layout_->limit[y] ? into_[row(end - d) + s] * weight_[table_->place(end, d) + y] : 0.0;
    }

    void sum_forward(const BestSegmentation<Real>& best) {
        const std::vector<double>& base = best.base;
        const std::size_t size = row(T_ + 1);
        grow(at_, size);
        grow(into_, size);
        grow(weight_, table_->size());
        room_.fit(1, graph_->width, false);
        by_.resize(layout_->L);
        scale_.assign(T_ + 1, 1.0);
        std::vector<double> lift(T_ + 1, 0.0);  // the logarithm of the best sum of all ways to a place, less base
        for (int s = 0; s < graph_->width; ++s) into_[s] = std::exp(graph_->start[s]);
        for (int end = 1; end <= T_; ++end) {
            if (end > 1) enter(end - 1);
            raise_to_smallest(best.entering(end - 1), into_.data() + row(end - 1));
            for (int d = 1; d <= std::min(layout_->L, end); ++d)
                loops<Real>().weigh(table_->row(end, d),
                                    base[end - d] + lift[end - d] - (base[end] + lift[end - 1]),
                                    weight_.data() + table_->place(end, d), layout_->width[d - 1]);
            take_spans(end);
            double* out = at_.data() + row(end);
            const double top = loops<double>().maximum(out, graph_->width);
            lift[end] = lift[end - 1];
            if (!(top > 0)) continue;
            for (int s = 0; s < graph_->width; ++s) out[s] /= top;
            raise_to_smallest(best.ending(end), out);
            scale_[end] = top;
            lift[end] += std::log(top);
        }
        double sum = 0;
        for (int s = 0; s < graph_->S; ++s) sum += graph_->final[s] ? at_[row(T_) + s] : 0.0;
        log_z = base[T_] + lift[T_] + std::log(sum);
    }

    void raise_to_smallest(const Real* best, double* sum) const {
        for (int s = 0; s < graph_->width; ++s) {
            const double least = best[s] > minus_infinity<Real> ? smallest_sum : 0.0;
            sum[s] = std::max(sum[s], least);
        }
    }

    void enter(int t) {
        double* out = into_.data() + row(t);
        into_blocks(*graph_, room_, loops<double>().multiply, at_.data() + row(t), out);
        into_narrow(*graph_, room_, loops<double>().gather_sum, at_.data() + row(t), out);
        for (int s = 0; s < graph_->S; ++s) out[s] *= model_->raise[s];
        std::fill(out + graph_->S, out + graph_->width, 0.0);
    }

    void take_spans(int end) {
        const int longest = std::min(layout_->L, end);
        double* out = at_.data() + row(end);
        loops<Real>().stretch_sum(into_.data() + row(end), weight_.data() + table_->place(end, 1),
                                  layout_->begin.data(), layout_->width.data(), longest, graph_->width, out);
        for (const auto& run : layout_->runs) {
            const int reach = std::min(layout_->limit[run.label], longest);
            for (int d = 1; d <= reach; ++d) by_[reach - d] = weight_[table_->place(end, d) + run.label];
            loops<double>().multiply(by_.data(), into_.data() + row(end - reach) + run.begin, out + run.begin, reach,
                                     run.end - run.begin, graph_->width);
        }
        std::fill(out + layout_->states(), out + graph_->width, 0.0);
    }

    // All of ended_ and entered_.
    void share_backward(double least) {
        ended_.assign(row(T_ + 1), 0.0);
        entered_.assign(row(T_ + 1), 0.0);
        grow(ratio_, graph_->width);
        left_out_ = 0;
        double sum = 0;
        for (int s = 0; s < graph_->S; ++s) sum += graph_->final[s] ? at_[row(T_) + s] : 0.0;
        for (int s = 0; s < graph_->S; ++s)
            if (graph_->final[s]) ended_[row(T_) + s] = at_[row(T_) + s] / sum;
        for (int t = T_; t > 0; --t) {
            if (t < T_) {
                leave_out_raised(into_.data() + row(t), entered_.data() + row(t));
                for (int s = 0; s < graph_->S; ++s) {
                    double& count = entered_[row(t) + s];
                    left_out_ += count > least ? 0.0 : count;
                    count = count > least ? count : 0.0;
                }
                along_arcs(entered_.data() + row(t), t, ended_.data() + row(t));
            }
            leave_out_raised(at_.data() + row(t), ended_.data() + row(t));
            along_spans(t);
        }
    }

    // What comes to sums that were raised to the smallest is not to be relied on either.
    void leave_out_raised(const double* sum, const double* count) {
        for (int s = 0; s < graph_->S; ++s) left_out_ += sum[s] > smallest_sum ? 0.0 : count[s];
    }

    // What ends at t -> what begins before.
    void along_spans(int t) {
        const int longest = std::min(layout_->L, t);
        for (int s = 0; s < graph_->width; ++s) ratio_[s] = at_[row(t) + s] * scale_[t];
        loops<double>().divide(ended_.data() + row(t), ratio_.data(), ratio_.data(), graph_->width);
        loops<Real>().stretch_share(ratio_.data(), into_.data() + row(t), weight_.data() + table_->place(t, 1),
                                    layout_->begin.data(), layout_->width.data(), longest, graph_->width,
                                    entered_.data() + row(t));
        for (const auto& run : layout_->runs) {
            const double* first = ratio_.data() + run.begin;
            const int size = run.end - run.begin;
            if (!std::any_of(first, first + size, [](double each) { return each > 0; })) continue;
            for (int d = 1; d <= std::min(layout_->limit[run.label], longest); ++d)
                if (const double by = weight_[table_->place(t, d) + run.label]; by > 0)
                    loops<double>().share(first, into_.data() + row(t - d) + run.begin, by,
                                          entered_.data() + row(t - d) + run.begin, size);
        }
    }

    // What begins at t -> what ends there.
    void along_arcs(const double* entered, int t, double* ended) const {
        const double* at = at_.data() + row(t);
        for (int s = 0; s < graph_->S; ++s) {
            if (!(entered[s] > 0)) continue;
            const double by = entered[s] * model_->raise[s] / into_[row(t) + s];
            for (int j = graph_->begin[s]; j < graph_->begin[s + 1]; ++j)
                ended[graph_->from[j]] += by * at[graph_->from[j]] * graph_->weight[j];
        }
    }

    void clear(int start, int end) {
        grow(ended_in_, row(T_ + 1));
        grow(entered_in_, row(T_ + 1));
        std::fill(ended_in_.begin() + row(start), ended_in_.begin() + row(end + 1), 0.0);
        std::fill(entered_in_.begin() + row(start), entered_in_.begin() + row(end + 1), 0.0);
    }

    // What ends at a place, with no label after it that would continue the field.
    void leave(int end, const bool* continues, bool whole) {
        double* ended = ended_in_.data() + row(end);
        if (whole || end == T_) {
            std::copy(ended_.data() + row(end), ended_.data() + row(end + 1), ended);
            return;
        }
        double* entered = entered_in_.data() + row(end);
        for (int s = 0; s < graph_->S; ++s)
            entered[s] = continues[layout_->order[layout_->label[s]]] ? 0.0 : entered_[row(end) + s];
        along_arcs(entered, end, ended);
    }
};

}  // namespace ibidem
