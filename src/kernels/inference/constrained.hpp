// The best path of a string under soft constraints (Anzaroot 2014, algorithm 2).
//
// A path whose score lies below the value of a known one, penalties paid, cannot be the answer: only what is left of the
// string is looked through, and trying multipliers on that costs little. Whatever falls below under the multipliers is left out in
// turn. ibidem.inference.dual says what is looked for. All scores, penalties and multipliers are on the grid of `on_grid`:
// what is decided here is decided by exact sums.
#pragma once

#include "inference/lattice.hpp"
#include "inference/pathfinder.hpp"

namespace ibidem {

// How often spans of each label may begin: coefficient . counts <= bound, or the penalty for every one beyond it.
struct Limits {
    int C;
    int Y;
    const double* by_label;  // [C, Y]: the coefficients
    const double* bound;     // [C]
    const double* penalty;   // [C], infinite where a limit is hard
    std::vector<int> begin;  // [Y + 1]: the limits that count label y are begin[y] .. begin[y + 1] of the next two
    std::vector<int> limit;
    std::vector<double> coefficient;

    Limits(const double* coefficients, const double* bound_, const double* penalty_, int C_, int Y_)
        : C(C_), Y(Y_), by_label(coefficients), bound(bound_), penalty(penalty_), begin(1, 0) {
        for (int y = 0; y < Y; ++y) {
            for (int c = 0; c < C; ++c) {
                const double value = by_label[static_cast<std::size_t>(c) * Y + y];
                if (value == 0) continue;
                limit.push_back(c);
                coefficient.push_back(value);
            }
            begin.push_back(static_cast<int>(limit.size()));
        }
    }
    void start(std::vector<double>& excess) const {
        excess.resize(C);
        for (int c = 0; c < C; ++c) excess[c] = -bound[c];
    }
    void count(int label, std::vector<double>& excess) const {
        for (int i = begin[label]; i < begin[label + 1]; ++i) excess[limit[i]] += coefficient[i];
    }
    // What is to be paid; `over` are the limits that are exceeded.
    double cost(const std::vector<double>& excess, std::vector<int>& over) const {
        over.clear();
        int count = 0;
        for (int c = 0; c < C; ++c) count += excess[c] > 0;
        double total = 0;
        for (int c = 0; c < C && count > 0; ++c)
            if (excess[c] > 0) {
                total += penalty[c] * excess[c];
                over.push_back(c);
                --count;
            }
        return total;
    }
    void cost_labels(const std::vector<double>& multiplier, const std::vector<int>& reduced,
                      std::vector<double>& of_label) const {
        of_label.assign(Y, 0.0);
        for (const int c : reduced) {
            const double* row = by_label + static_cast<std::size_t>(c) * Y;
            for (int y = 0; y < Y; ++y) of_label[y] += multiplier[c] * row[y];
        }
    }
};

// The answer for one string. `state` and `starts` hold its best path without limits before, and the answer afterwards.
struct Answer {
    std::int32_t* state;
    bool* starts;
    std::vector<double> multiplier;  // [C], empty where none was needed
    double score;
    double value;
    double bound;  // no path has a higher value
    int iterations;
    bool solved;
};

template <class Real>
class SoftSearch {
  public:
    SoftSearch(const Graph<Real>& graph, const Limits& limits, int iterations, int several)
        : graph_(&graph), limits_(&limits), most_(iterations), several_(several) {}

    template <class Table>
    void find(const String<Real>& string, const Table& table, Answer& answer) {
        first_look(string, answer);
        if (answer.solved || (most_ == 1 && several_ == 0)) return;
        multiplier_.assign(limits_->C, 0.0);
        set_prices();
        place_bases(string, table, answer);
        search(string, string, table, most_ == 1 ? everything : shallow, answer);
        for (double far = deep; !answer.solved && answer.iterations < most_ && !lattice_.too_large; far *= 2) {
            const String<Real> reduced = repriced(string);
            forward<MaxSemiring>(*graph_, reduced, tables_);
            for (int t = 1; t <= string.T; ++t) base_[t] = tables_.base[t];
            search(string, reduced, tables_, ++answer.iterations == most_ && several_ > 0 ? everything : far, answer);
        }
    }

    // What a span of each label costs under multipliers.
    const std::vector<double>& cost_of_labels(const std::vector<double>& multiplier) {
        multiplier_ = multiplier;
        set_prices();
        return of_label_;
    }

    // The score of an answer less multipliers.
    double priced_score(const String<Real>& string, const Answer& answer) {
        double score = answer.score;
        if (answer.multiplier.empty()) return score;
        cost_of_labels(answer.multiplier);
        for (int t = 0; t < string.T; ++t)
            if (answer.starts[t]) score -= of_label_[graph_->label[answer.state[t]]];
        return score;
    }

  private:
    static constexpr double closed = 1e-3;   // a gap that is as good as none
    static constexpr double shallow = 5.0;   // how far below the best path is looked first
    static constexpr double deep = 8.0;      // and then, and twice as far each time after
    static constexpr double everything = std::numeric_limits<double>::infinity();
    static constexpr double slack = 1e-2;    // paths so much worse than those that matter are kept
    static constexpr double lost = std::is_same<Real, float>::value ? 2e-5 : 1e-9;  // of a score by rounding, a token
    static constexpr double hard_step = 1.0;  // of the multiplier of a hard limit, doubled while no path is known that keeps it
    const Graph<Real>* graph_;
    const Limits* limits_;
    int most_;
    int several_;
    Lattice<Real> lattice_;
    Tables<Real> tables_;
    std::vector<Real> span_;
    typename Lattice<Real>::Path path_;
    std::vector<double> base_, multiplier_, of_label_, excess_;
    std::vector<int> active_;  // the limits whose multiplier is not 0
    std::vector<int> over_;    // the limits that the last path exceeds
    std::vector<int> unsettled_;

    // The limits on the best path of all.
    void first_look(const String<Real>& string, Answer& answer) {
        limits_->start(excess_);
        for (int t = 0; t < string.T; ++t)
            if (answer.starts[t]) limits_->count(graph_->label[answer.state[t]], excess_);
        answer.value = answer.score - limits_->cost(excess_, over_);
        answer.bound = answer.score;
        answer.iterations = 1;
        answer.solved = string.T == 0 || answer.bound - answer.value <= closed;
        if (answer.solved) answer.bound = answer.value;
    }

    // What the scores of the first table are less of, place by place; those of a chain are known from its best path.
    template <class Table>
    void place_bases(const String<Real>& string, const Table& table, const Answer& answer) {
        base_.assign(string.T + 1, 0.0);
        double score = 0;
        for (int t = 0; t < string.T; ++t) {
            if (string.L > 1) {
                base_[t + 1] = table.place_base(t + 1);
                continue;
            }
            const int s = answer.state[t];
            score += string.row(t, 1)[graph_->label[s]] + (t == 0 ? graph_->start[s] : arc(answer.state[t - 1], s));
            base_[t + 1] = score - table.at(t + 1, s);
        }
    }
    double arc(int from, int s) const {
        for (int j = graph_->begin[s]; j < graph_->begin[s + 1]; ++j)
            if (graph_->from[j] == from) return graph_->score[j];
        return minus_infinity<double>;
    }

    String<Real> repriced(const String<Real>& string) {
        span_.resize(static_cast<std::size_t>(string.T) * string.L * string.Y);
        for (std::size_t i = 0; i < span_.size(); i += string.Y)
            for (int y = 0; y < string.Y; ++y) span_[i + y] = static_cast<Real>(string.span[i + y] - of_label_[y]);
        return {span_.data(), string.T, string.L, string.Y};
    }

    // Looks through what is near the best path of `reduced`, the scores less `multiplier_`; as far as is needed in the end.
    // The table, which is rounded, says which edges may matter; which do is decided by exact sums.
    template <class Table>
    void search(const String<Real>& string, const String<Real>& reduced, const Table& table, double far, Answer& answer) {
        double top = minus_infinity<double>;
        for (int s = 0; s < graph_->S; ++s)
            if (graph_->final[s]) top = std::max(top, static_cast<double>(table.at(string.T, s)));
        top += base_[string.T];
        const double about = std::min(top + offset() - answer.value, far);
        lattice_.build(*graph_, string, reduced, table, base_, top - about - 2 * slack - lost * string.T);
        if (lattice_.too_large) return;
        top = lattice_.forward(of_label_);
        const double dual = top + offset(), gap = dual - answer.value;
        const double depth = std::min(gap, far);
        lattice_.prune(top - depth - slack);
        const double outside = lattice_.complete || depth >= gap ? minus_infinity<double> : dual - depth;
        const double bound = std::min(std::max(try_multipliers(outside, answer), outside), dual);
        answer.bound = std::max(std::min(answer.bound, bound), answer.value);
        answer.solved = answer.bound - answer.value <= closed;
    }

    // Tries multipliers from `multiplier_` on; returns what no path of the lattice can be better than, or a lower value than what
    // paths outside of it may reach.
    double try_multipliers(double outside, Answer& answer) {
        double bound = everything, before = everything, pace = 1.0;
        const int last = several_ > 0 && outside > minus_infinity<double> ? most_ - 1 : most_;  // one is kept for the end
        std::vector<double> tightest = multiplier_;
        while (true) {
            const double dual = lattice_.forward(of_label_) + offset();
            lattice_.best_path(path_);
            take(answer);
            if (dual < bound) {
                bound = dual;
                tightest = multiplier_;
            }
            find_unsettled();
            if (bound - answer.value <= closed || unsettled_.empty()) return answer.value;
            lattice_.prune(answer.value - offset() - slack);
            if (lattice_.single()) return answer.value;
            if (bound <= outside || answer.iterations >= last) break;
            if (dual > before - closed) pace *= 0.5;
            before = dual;
            move_multipliers(pace, dual, answer);
            ++answer.iterations;
        }
        multiplier_ = tightest;
        set_prices();
        return several_ > 0 && answer.iterations >= most_ ? look_through(outside, answer, bound) : bound;
    }

    // The best paths under the multipliers of the tightest bound, one after the other.
    double look_through(double outside, Answer& answer, double bound) {
        lattice_.forward(of_label_);
        const double offset_ = offset();
        const bool all = lattice_.best_paths(several_, [&](double score, const typename Lattice<Real>::Path& path) {
            bound = std::min(bound, score + offset_);
            if (bound <= std::max(answer.value + closed, outside)) return true;
            path_ = path;
            take(answer);
            return false;
        });
        return all ? answer.value : bound;
    }

    double offset() const {
        double total = 0;
        for (const int c : active_) total += multiplier_[c] * limits_->bound[c];
        return total;
    }
    // The limits whose multipliers want to move: too low for one that is exceeded, too high for one with room.
    void find_unsettled() {
        unsettled_.clear();
        for (const int c : over_)
            if (multiplier_[c] < limits_->penalty[c]) unsettled_.push_back(c);
        for (const int c : active_)
            if (excess_[c] < 0) unsettled_.push_back(c);
    }
    void move_multipliers(double pace, double dual, const Answer& answer) {
        double size = 0;
        for (const int c : unsettled_) size += excess_[c] * excess_[c];
        const double gap = dual - answer.value;
        const double step = std::isfinite(gap) ? on_grid(pace * gap / std::max(size, 1e-12))
                                               : std::ldexp(hard_step, std::min(answer.iterations, 20));
        for (const int c : unsettled_)
            multiplier_[c] = std::min(std::max(multiplier_[c] + step * excess_[c], 0.0), limits_->penalty[c]);
        set_prices();
    }
    void set_prices() {
        active_.clear();
        for (int c = 0; c < limits_->C; ++c)
            if (multiplier_[c] != 0) active_.push_back(c);
        limits_->cost_labels(multiplier_, active_, of_label_);
    }

    // Counts what `path_` breaks, and makes it the answer if it is better than the last one.
    void take(Answer& answer) {
        limits_->start(excess_);
        double score = 0;
        for (const auto& edge : path_) {
            limits_->count(edge.label, excess_);
            score += edge.score;
        }
        const double value = score - limits_->cost(excess_, over_);
        if (!(value > answer.value)) return;
        answer.value = value;
        answer.score = score;
        for (const auto& edge : path_) {
            std::fill(answer.state + edge.begin, answer.state + edge.end, edge.state);
            std::fill(answer.starts + edge.begin, answer.starts + edge.end, false);
            answer.starts[edge.begin] = true;
        }
        answer.multiplier = multiplier_;
    }
};

}  // namespace ibidem
