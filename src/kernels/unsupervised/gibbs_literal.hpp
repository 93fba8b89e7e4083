// Gibbs sampling straight from the equations: every candidate recomputes the assignment and all of equation 7.
#pragma once

#include <map>

#include "unsupervised/permutations.hpp"

namespace ibidem {
namespace gibbs {

class LiteralVisit {
  public:
    LiteralVisit(const Corpus& corpus, const State& state, const Settings& settings)
        : corpus_(corpus), state_(state), settings_(settings), K_(settings.K) {}

    void operator()(std::int64_t j) {
        const std::int64_t begin = corpus_.starts[j];
        n_ = static_cast<int>(corpus_.starts[j + 1] - begin);
        words_ = corpus_.words + begin;
        std::uint8_t* draws = state_.draws + begin;
        std::uint8_t* inversions = state_.inversions + j * (K_ - 1);
        Draw random(settings_.seed, settings_.iteration, static_cast<std::uint64_t>(j));
        number_words();
        assign(draws, inversions);
        count(-1);
        if (settings_.move_inversions) move_inversions(draws, inversions, random);
        if (settings_.rebuilt != Rebuilt::no) {
            assign(draws, inversions);
            rebuild(settings_.rebuilt, topic_at_, own_, K_, draws);
        }
        move_draws(draws, inversions, random);
        assign(draws, inversions);
        count(+1);
    }

  private:
    // The distinct words of the citation, and which of them each token is.
    void number_words() {
        std::map<std::int32_t, int> known;
        distinct_.clear();
        which_.resize(n_);
        for (int i = 0; i < n_; ++i) {
            const auto found = known.emplace(words_[i], static_cast<int>(distinct_.size()));
            if (found.second) distinct_.push_back(words_[i]);
            which_[i] = found.first->second;
        }
        inside_.resize(distinct_.size() * K_);
        assigned_.resize(n_);
    }
    // z, from draws and inversion counts.
    void assign(const std::uint8_t* draws, const std::uint8_t* inversions) {
        std::fill(own_, own_ + K_, 0);
        for (int i = 0; i < n_; ++i) ++own_[draws[i]];
        permutation(inversions, K_, topic_at_);
        int place = 0;
        for (int r = 0; r < K_; ++r)
            for (int i = 0; i < own_[topic_at_[r]]; ++i) assigned_[place++] = static_cast<std::uint8_t>(topic_at_[r]);
    }
    void count(int sign) {
        for (int i = 0; i < n_; ++i) {
            change_count(state_.counts[static_cast<std::size_t>(words_[i]) * state_.stride + assigned_[i]], sign);
            state_.totals[assigned_[i]] += sign;
        }
    }
    // The logarithm of equation 7 for these draws and inversion counts.
    double log_words(const std::uint8_t* draws, const std::uint8_t* inversions) {
        assign(draws, inversions);
        std::fill(inside_.begin(), inside_.end(), 0);
        for (int i = 0; i < n_; ++i) ++inside_[which_[i] * K_ + assigned_[i]];
        const double beta = settings_.beta;
        double sum = 0;
        for (int k = 0; k < K_; ++k) {
            if (own_[k] == 0) continue;  // all Gammas cancel
            const double total = static_cast<double>(state_.totals[k]) + settings_.W * beta;
            sum += std::lgamma(total) - std::lgamma(total + own_[k]);
            for (std::size_t u = 0; u < distinct_.size(); ++u) {
                const int times = inside_[u * K_ + k];
                if (times == 0) continue;
                const double before = state_.counts[static_cast<std::size_t>(distinct_[u]) * state_.stride + k] + beta;
                sum += std::lgamma(before + times) - std::lgamma(before);
            }
        }
        return sum;
    }
    void move_inversions(const std::uint8_t* draws, std::uint8_t* inversions, Draw& random) {
        double score[most_topics];
        for (int k = 0; k < K_ - 1; ++k) {
            for (int x = 0; x < K_ - k; ++x) {
                inversions[k] = static_cast<std::uint8_t>(x);
                score[x] = log_words(draws, inversions) - settings_.rho[k] * x;
            }
            inversions[k] = static_cast<std::uint8_t>(choose_log(score, K_ - k, random.uniform()));
        }
    }
    void move_draws(std::uint8_t* draws, const std::uint8_t* inversions, Draw& random) {
        double score[most_topics];
        for (int i = 0; i < n_; ++i) {
            for (int k = 0; k < K_; ++k) {
                draws[i] = static_cast<std::uint8_t>(k);
                score[k] = log_words(draws, inversions);  // sets own_, this draw counted
                if (std::isfinite(settings_.alpha)) score[k] += std::log(own_[k] - 1 + settings_.alpha);
            }
            draws[i] = static_cast<std::uint8_t>(choose_log(score, K_, random.uniform()));
        }
    }

    Corpus corpus_;
    State state_;
    Settings settings_;
    int K_;
    int n_ = 0;
    const std::int32_t* words_ = nullptr;
    std::vector<std::int32_t> distinct_;
    std::vector<int> which_;
    std::vector<int> inside_;
    std::vector<std::uint8_t> assigned_;
    int own_[most_topics] = {};
    int topic_at_[most_topics] = {};
};

}  // namespace gibbs
}  // namespace ibidem
