// The same Gibbs sampling as gibbs_literal.hpp, with the same random numbers, at a fraction of the cost.
//
// A draw that moves from one topic to another moves each boundary between the two by one token; so the candidates of a
// draw are running products of ratios of counts, one ratio a boundary. A change of inversion counts moves whole
// segments; their scores are differences of running sums of logarithms. Words that occur more than once in a citation
// change each other's counts: they are left out of the running sums and counted separately.
#pragma once

#include "unsupervised/permutations.hpp"
#include "prefetch.hpp"

namespace ibidem {
namespace gibbs {

// log(count + beta) of small counts, computed once per sweep.
class LogTable {
  public:
    explicit LogTable(double beta) : beta_(beta), known_(size) {
        for (int i = 0; i < size; ++i) known_[i] = std::log(i + beta);
    }
    double operator()(std::int32_t count) const { return count < size ? known_[count] : std::log(count + beta_); }

  private:
    static constexpr int size = 8192;
    double beta_;
    std::vector<double> known_;
};

class FastVisit {
  public:
    FastVisit(const Corpus& corpus, const State& state, const Settings& settings, const LogTable& logs)
        : corpus_(corpus),
          state_(state),
          settings_(settings),
          logs_(logs),
          K_(settings.K),
          stride_(state.stride),
          dense_(!std::isfinite(settings.alpha)),
          running_(state.stride, 0.0) {}

    void operator()(std::int64_t j) {
        const std::int64_t begin = corpus_.starts[j], end = corpus_.starts[j + 1];
        n_ = static_cast<int>(end - begin);
        words_ = corpus_.words + begin;
        repeat_ = corpus_.repeat + begin;
        std::uint8_t* draws = state_.draws + begin;
        std::uint8_t* inversions = state_.inversions + j * (K_ - 1);
        Draw random(settings_.seed, settings_.iteration, static_cast<std::uint64_t>(j));
        std::fill(own_, own_ + K_, 0);
        for (int i = 0; i < n_; ++i) ++own_[draws[i]];
        permutation(inversions, K_, topic_at_);
        place();
        count(-1);
        read();
        if (settings_.move_inversions) move_inversions(inversions, random);
        if (settings_.rebuilt != Rebuilt::no) rebuild(settings_.rebuilt, topic_at_, own_, K_, draws);
        move_draws(draws, random);
        count(+1);
    }
    // Fetches what the visit of citation j will read.
    void expect(std::int64_t j) const {
        for (std::int64_t i = corpus_.starts[j]; i < corpus_.starts[j + 1]; ++i)
            prefetch(state_.counts + static_cast<std::size_t>(corpus_.words[i]) * stride_);
    }

  private:
    // Where each topic stands and ends.
    void place() {
        int passed = 0;
        for (int r = 0; r < K_; ++r) {
            rank_of_[topic_at_[r]] = r;
            passed += own_[topic_at_[r]];
            end_[r] = passed;
        }
    }
    void count(int sign) {
        int i = 0;
        for (int r = 0; r < K_; ++r) {
            const int k = topic_at_[r];
            for (; i < end_[r]; ++i) change_count(state_.counts[static_cast<std::size_t>(words_[i]) * stride_ + k], sign);
            state_.totals[k] += sign * own_[k];
        }
    }
    // The counts of this citation's words in all others: weights, their inverses, running sums of logarithms.
    void read() {
        const std::size_t room = static_cast<std::size_t>(n_) * stride_;
        if (weight_.size() < room) {
            weight_.resize(room);
            inverse_.resize(room);
            running_.resize(room + stride_, 0.0);
        }
        repeated_ = 0;
        for (int i = 0; i < n_; ++i) {
            const std::int32_t* counts = state_.counts + static_cast<std::size_t>(words_[i]) * stride_;
            double* weight = weight_.data() + static_cast<std::size_t>(i) * stride_;
            double* inverse = inverse_.data() + static_cast<std::size_t>(i) * stride_;
            const double* before = running_.data() + static_cast<std::size_t>(i) * stride_;
            double* after = running_.data() + static_cast<std::size_t>(i + 1) * stride_;
            for (int k = 0; k < K_; ++k) weight[k] = counts[k] + settings_.beta;
            for (int k = 0; k < K_; ++k) inverse[k] = 1 / weight[k];
            if (repeat_[i] < 0 && settings_.move_inversions)
                for (int k = 0; k < K_; ++k) after[k] = before[k] + logs_(counts[k]);
            else
                std::copy(before, before + K_, after);
            if (repeat_[i] >= 0) ++repeated_;
        }
        for (int k = 0; k < K_; ++k) base_[k] = static_cast<double>(state_.totals[k]) + settings_.W * settings_.beta;
        if (repeated_) read_repeated();
    }
    // The positions of each repeated word, and its log Γ(n + m) - log Γ(n) for every m it can have in a topic.
    void read_repeated() {
        words_repeated_ = 0;
        for (int i = 0; i < n_; ++i) words_repeated_ = std::max(words_repeated_, repeat_[i] + 1);
        place_begin_.assign(words_repeated_ + 1, 0);
        for (int i = 0; i < n_; ++i)
            if (repeat_[i] >= 0) ++place_begin_[repeat_[i] + 1];
        for (int u = 0; u < words_repeated_; ++u) place_begin_[u + 1] += place_begin_[u];
        filled_.assign(place_begin_.begin(), place_begin_.end() - 1);
        places_.resize(place_begin_[words_repeated_]);
        for (int i = 0; i < n_; ++i)
            if (repeat_[i] >= 0) places_[filled_[repeat_[i]]++] = i;
        inside_.assign(static_cast<std::size_t>(words_repeated_) * K_, 0);
        rising_.resize((places_.size() + words_repeated_) * K_);
        for (int u = 0; u < words_repeated_; ++u) {
            const std::int32_t* counts =
                state_.counts + static_cast<std::size_t>(words_[places_[place_begin_[u]]]) * stride_;
            double* row = rising(u, 0);
            std::fill(row, row + K_, 0.0);
            for (int m = 0; m < place_begin_[u + 1] - place_begin_[u]; ++m, row += K_)
                for (int k = 0; k < K_; ++k) row[K_ + k] = row[k] + logs_(counts[k] + m);
        }
    }
    double* rising(int u, int times) {
        return rising_.data() + (static_cast<std::size_t>(place_begin_[u]) + u + times) * K_;
    }
    // The contribution of repeated words to the logarithm of equation 7 with the topics in this order.
    double log_repeated(const int* topic_at, const int* end) {
        double sum = 0;
        for (int u = 0; u < words_repeated_; ++u) {
            int r = 0, times = 0;
            for (int at = place_begin_[u]; at < place_begin_[u + 1]; ++at) {
                if (places_[at] >= end[r]) {
                    sum += rising(u, times)[topic_at[r]];
                    times = 0;
                    while (places_[at] >= end[r]) ++r;
                }
                ++times;
            }
            sum += rising(u, times)[topic_at[r]];
        }
        return sum;
    }
    double log_words(const int* topic_at) {
        double sum = 0;
        int begin = 0, end[most_topics];
        for (int r = 0; r < K_; ++r) {
            const int k = topic_at[r];
            end[r] = begin + own_[k];
            sum += running_[static_cast<std::size_t>(end[r]) * stride_ + k];
            sum -= running_[static_cast<std::size_t>(begin) * stride_ + k];
            begin = end[r];
        }
        return repeated_ ? sum + log_repeated(topic_at, end) : sum;
    }
    void move_inversions(std::uint8_t* inversions, Draw& random) {
        double score[most_topics];
        int topic_at[most_topics];
        for (int k = 0; k < K_ - 1; ++k) {
            for (int x = 0; x < K_ - k; ++x) {
                inversions[k] = static_cast<std::uint8_t>(x);
                permutation(inversions, K_, topic_at);
                score[x] = log_words(topic_at) - settings_.rho[k] * x;
            }
            inversions[k] = static_cast<std::uint8_t>(choose_log(score, K_ - k, random.uniform()));
        }
        permutation(inversions, K_, topic_at_);
        place();
    }

    // The probability ratio of token i in topic `to` and in `from`, where it is; it is moved if its word is repeated.
    double move_token(int i, int from, int to) {
        const double* weight = weight_.data() + static_cast<std::size_t>(i) * stride_;
        const int u = repeat_[i];
        if (u < 0) return weight[to] * inverse_[static_cast<std::size_t>(i) * stride_ + from];
        int* inside = inside_.data() + static_cast<std::size_t>(u) * K_;
        const int left = --inside[from];
        const int joined = inside[to]++;
        return (weight[to] + joined) / (weight[from] + left);
    }
    void move_back(int i, int from, int to) {
        const int u = repeat_[i];
        if (u < 0) return;
        --inside_[static_cast<std::size_t>(u) * K_ + to];
        ++inside_[static_cast<std::size_t>(u) * K_ + from];
    }
    // Moves the boundaries of ranks from `from` towards `to`: the last token of each rank goes to the next, or the
    // first to the one before. `score[k]` gets the product on the way for each topic k that is passed.
    void walk_right(int from, int to, double* score) {
        double product = 1;
        for (int r = from; r < to; ++r) {
            product *= move_token(end_[r] - 1, topic_at_[r], topic_at_[r + 1]);
            score[topic_at_[r + 1]] = product;
        }
    }
    void walk_left(int from, int to, double* score) {
        double product = 1;
        for (int r = from; r > to; --r) {
            product *= move_token(end_[r - 1], topic_at_[r], topic_at_[r - 1]);
            score[topic_at_[r - 1]] = product;
        }
    }
    void undo_right(int from) {
        for (int r = K_ - 2; r >= from; --r) move_back(end_[r] - 1, topic_at_[r], topic_at_[r + 1]);
    }
    void undo_left(int from) {
        for (int r = 1; r <= from; ++r) move_back(end_[r - 1], topic_at_[r], topic_at_[r - 1]);
    }
    void move_draws(std::uint8_t* draws, Draw& random) {
        double score[most_topics], share[most_topics];
        for (int k = 0; k < K_; ++k) share[k] = 1 / (base_[k] + own_[k]);
        if (repeated_) count_inside();
        for (int i = 0; i < n_; ++i) {
            const int now = draws[i], from = rank_of_[now];
            walk_right(from, K_ - 1, score);
            if (repeated_) undo_right(from);
            walk_left(from, 0, score);
            if (repeated_) undo_left(from);
            score[now] = 1;
            const double lost = base_[now] + own_[now] - 1;
            for (int k = 0; k < K_; ++k) score[k] *= lost * share[k];
            score[now] = 1;
            if (!dense_)
                for (int k = 0; k < K_; ++k) score[k] *= own_[k] - (k == now) + settings_.alpha;
            const int chosen = choose(score, K_, random.uniform());
            if (chosen == now) continue;
            const int to = rank_of_[chosen];
            if (repeated_) to > from ? walk_right(from, to, score) : walk_left(from, to, score);
            for (int r = from; r < to; ++r) --end_[r];
            for (int r = to; r < from; ++r) ++end_[r];
            draws[i] = static_cast<std::uint8_t>(chosen);
            share[now] = 1 / (base_[now] + --own_[now]);
            share[chosen] = 1 / (base_[chosen] + ++own_[chosen]);
        }
    }
    void count_inside() {
        int r = 0;
        for (int i = 0; i < n_; ++i) {
            while (i >= end_[r]) ++r;
            if (repeat_[i] >= 0) ++inside_[static_cast<std::size_t>(repeat_[i]) * K_ + topic_at_[r]];
        }
    }

    Corpus corpus_;
    State state_;
    Settings settings_;
    const LogTable& logs_;
    int K_;
    int stride_;
    bool dense_;
    int n_ = 0;
    int repeated_ = 0;        // tokens whose words occur more than once here
    int words_repeated_ = 0;  // such words
    const std::int32_t* words_ = nullptr;
    const std::int32_t* repeat_ = nullptr;
    std::vector<double> weight_, inverse_;  // [n, stride]
    std::vector<double> running_;           // [n + 1, stride]
    std::vector<double> rising_;
    std::vector<int> place_begin_, filled_, places_;
    std::vector<int> inside_;  // [words_repeated, K]
    double base_[most_topics] = {};
    int own_[most_topics] = {};
    int topic_at_[most_topics] = {};
    int rank_of_[most_topics] = {};
    int end_[most_topics] = {};
};

}  // namespace gibbs
}  // namespace ibidem
