// An automaton and the scores of the spans of one string, laid out for the decoding of semi-CRFs.
//
// Labels come by falling limits. The scores of the spans of d tokens that end at one place are then a row that only has
// the labels with a limit of d or more, its first ones: no span is made or looked at that its label cannot have. States
// come so that first stands one of each label, in the same order: the loop over those goes along the rows. Where a
// label has further states, as those that remember a field before, the loop over them takes one score for all.
#pragma once

#include "checks.hpp"
#include "inference/decoding.hpp"
#include "inference/spans.hpp"

namespace ibidem {

template <class Real>
class SpanLayout {
  public:
    int Y;
    int L;                      // the longest span
    int mains;                  // Y, padded: so many states stand first, of which some are of no label
    std::vector<int> order;     // [Y] labels by falling limits: what a label's place here means
    std::vector<int> whole_limit;  // [Y] of the labels, by their place
    std::vector<int> limit;        // [Y] the same, or the length of the longest span
    std::vector<int> count;     // [L] labels that have spans of d tokens, for d from 1
    std::vector<int> width;     // [L] the same, padded: how long the row is
    std::vector<int> begin;     // [L + 1] where the row begins among those of one end

    // The automaton with the states renumbered; states of no label have no arcs.
    std::vector<std::int32_t> label, src, dst;
    std::unique_ptr<bool[]> final;
    std::vector<Real> arc;
    std::vector<double> wide_arc;

    // The further states of a label, in a row.
    struct Run {
        int begin;
        int end;
        int label;
    };
    std::vector<Run> runs;

    SpanLayout(const AutomatonView<Real>& view, const std::int32_t* order_, const std::int32_t* limits, int Y_,
               int longest)
        : Y(Y_), mains(padded(Y_)), order(order_, order_ + Y_), arc(view.arc, view.arc + view.A) {
        for (const int y : order) {
            whole_limit.push_back(limits[y]);
            limit.push_back(std::min(limits[y], longest));
        }
        L = limit[0];
        begin.assign(1, 0);
        for (int d = 1, n = Y; d <= L; ++d) {
            while (limit[n - 1] < d) --n;
            count.push_back(n);
            width.push_back(padded(n));
            begin.push_back(begin.back() + width.back());
        }
        renumber(view);
    }
    AutomatonView<Real> view() const {
        return {label.data(), src.data(), dst.data(), final.get(), arc.data(), states(), static_cast<int>(src.size())};
    }
    int states() const { return static_cast<int>(label.size()); }

  private:
    void renumber(const AutomatonView<Real>& view) {
        std::vector<std::vector<int>> of(Y);
        for (int s = 0; s < view.S; ++s) of[view.label[s]].push_back(s);
        std::vector<int> place(view.S);
        label.assign(mains, 0);
        for (int y = 0; y < Y; ++y) {
            label[y] = y;
            if (!of[order[y]].empty()) place[of[order[y]][0]] = y;
        }
        for (int y = 0; y < Y; ++y) {
            const std::vector<int>& mine = of[order[y]];
            if (mine.size() < 2) continue;
            runs.push_back({states(), states() + static_cast<int>(mine.size()) - 1, y});
            for (std::size_t i = 1; i < mine.size(); ++i) {
                place[mine[i]] = states();
                label.push_back(y);
            }
        }
        final.reset(new bool[label.size()]());
        for (int s = 0; s < view.S; ++s) final[place[s]] = view.final[s];
        for (int a = 0; a < view.A; ++a) {
            src.push_back(view.src[a] < 0 ? -1 : place[view.src[a]]);
            dst.push_back(place[view.dst[a]]);
        }
    }
};

// The scores of the spans of one string, by their end, then their length, then their label's place.
template <class Real>
class SpanTable {
  public:
    explicit SpanTable(const SpanLayout<Real>& layout) : layout_(&layout) {}

    // Tokens first .. first + T of the batch; `token` is [N, R, Y], `table` has its columns in the order of the layout.
    // Every id is checked here, where it is used: that all are below `rows` or -1.
    void fill(const SpanShape& shape, const Real* token, const Real* table, std::int64_t rows, std::int64_t first,
              int T) {
        bool right = true;
        const int Y = shape.Y, mains = layout_->mains;
        offset_.assign(T + 2, 0);
        for (int end = 1; end <= T; ++end) offset_[end + 1] = offset_[end] + layout_->begin[std::min(end, layout_->L)];
        if (span_.size() < offset_[T + 1]) span_.resize(offset_[T + 1]);
        token_.resize(static_cast<std::size_t>(T) * shape.R * mains);
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(T) * shape.R; ++i)
            for (int y = 0; y < Y; ++y) token_[i * mains + y] = token[(first * shape.R + i) * Y + layout_->order[y]];
        bag_.resize(mains);
        chosen_.resize(4 + shape.F);
        for (int t = 0; t < T; ++t) {
            std::fill(bag_.begin(), bag_.end(), Real(0));
            for (int d = 1; d <= std::min(layout_->L, T - t); ++d) right &= add(shape, table, rows, first, t, d);
        }
        require(right, "ids must be from -1 to the last row of the table");
    }
    const Real* row(int end, int d) const { return span_.data() + offset_[end] + layout_->begin[d - 1]; }
    std::size_t place(int end, int d) const { return offset_[end] + layout_->begin[d - 1]; }
    std::size_t size() const { return offset_.back(); }

  private:
    const SpanLayout<Real>* layout_;
    std::vector<Real> token_;  // [T, R, mains]
    std::vector<Real> bag_;    // [mains] the sum of the bags of the span so far
    std::vector<Real> span_;
    std::vector<std::size_t> offset_;  // [T + 2] where the rows of each end begin; from 1
    std::vector<const Real*> chosen_;

    // The same sum, in the same order, as in put_span_scores.
    bool add(const SpanShape& shape, const Real* table, std::int64_t rows, std::int64_t first, int t, int d) {
        bool right = true;
        const int mains = layout_->mains, count = layout_->count[d - 1];
        const auto role = [&](int at, int r) {
            return token_.data() + (static_cast<std::size_t>(at) * shape.R + r) * mains;
        };
        loops<Real>().add(role(t + d - 1, 0), bag_.data(), count);
        const Real** next = chosen_.data();
        *next++ = bag_.data();
        if (shape.R > 1) *next++ = role(t, 1);
        if (shape.R > 2) *next++ = role(t + d - 1, 2);
        const std::int32_t* ids = shape.rows(first + t, d);
        for (int f = 0; f < shape.F; ++f) {
            const bool there = ids[f] >= 0 && ids[f] < rows;
            right &= there || ids[f] == -1;
            *next = table + (there ? static_cast<std::int64_t>(ids[f]) * shape.Y : 0);
            next += there;
        }
        Real* out = span_.data() + place(t + d, d);
        loops<Real>().add_rows(chosen_.data(), static_cast<int>(next - chosen_.data()), out, count);
        std::fill(out + count, out + layout_->width[d - 1], minus_infinity<Real>);
        return right;
    }
};

}  // namespace ibidem
