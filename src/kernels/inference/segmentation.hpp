// What a semi-CRF has to say of a string: the best path, the fields that lie on it and the probability of each.
#pragma once

#include "inference/field_masses.hpp"

namespace ibidem {

// Reads one string after the other, with its own room to work in.
template <class Real>
class SegmentReader {
  public:
    double score = 0, log_z = 0;
    std::vector<Segment> found;

    explicit SegmentReader(const SegmentModel<Real>& model)
        : model_(&model), table_(model.layout), best_(model), masses_(model) {}

    // Tokens first .. first + T of the batch. Returns whether the answer is sure.
    bool read(const SpanShape& shape, const Real* token, const Real* table, std::int64_t rows, std::int64_t first,
              int T, bool with_marginals) {
        found.clear();
        score = log_z = 0;
        if (T == 0) return true;
        table_.fill(shape, token, table, rows, first, T);
        best_.find(table_, T);
        if (!best_.sure) return false;
        score = best_.score;
        spell(T);
        if (!with_marginals) return true;
        masses_.find(table_, best_, T);
        log_z = masses_.log_z;
        if (!masses_.sure) return false;
        for (Segment& each : found) {
            const bool joined = model_->whole[each.mask] &&
                                std::count(joined_.begin() + each.start, joined_.begin() + each.end, true) > 0;
            const double mass = joined ? of_joined(each) : masses_.of_field(each.start, each.end, each.mask);
            each.mass = std::log(std::min(mass, 1.0));
        }
        return true;
    }

  private:
    const SegmentModel<Real>* model_;
    SpanTable<Real> table_;
    BestSegmentation<Real> best_;
    FieldMasses<Real> masses_;
    std::vector<std::int32_t> spelt_;  // [T] the levels of each token
    std::vector<bool> joined_;         // [T] where a segment begins that only continues the one before

    // The fields on the best path. Segments of one label in a row that could not be one, because together they are
    // longer than a segment of it may be, are one field all the same.
    void spell(int T) {
        const auto& layout = model_->layout;
        const std::vector<Piece>& pieces = best_.pieces;
        spelt_.resize(T);
        joined_.assign(T, false);
        for (std::size_t i = 0, next; i < pieces.size(); i = next) {
            const int y = pieces[i].label, label = layout.order[y];
            for (next = i + 1; next < pieces.size() && pieces[next].label == y && model_->joins[label];) ++next;
            const bool one = pieces[next - 1].end - pieces[i].start > layout.whole_limit[y];
            for (std::size_t j = i; j < next; ++j) {
                std::fill(spelt_.begin() + pieces[j].start, spelt_.begin() + pieces[j].end, label + layout.Y);
                joined_[pieces[j].start] = one && j > i;
                if (!joined_[pieces[j].start]) spelt_[pieces[j].start] = label;
            }
        }
        model_->levels.read(spelt_.data(), T, found);
    }

    // The least of the probabilities of its segments: an upper bound.
    double of_joined(const Segment& field) const {
        double least = 1;
        for (const Piece& piece : best_.pieces)
            if (piece.start >= field.start && piece.end <= field.end) least = std::min(least, masses_.of_piece(piece));
        return least;
    }
};

}  // namespace ibidem
