// The state of the sampler of Masada et al. 2011, and its latent permutations.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "checks.hpp"
#include "inference/backward.hpp"

namespace ibidem {
namespace gibbs {

constexpr int most_topics = 16;

// The corpus: words one citation after the other, and which words of a citation occur in it more than once.
struct Corpus {
    const std::int32_t* words;   // [N]
    const std::int64_t* starts;  // [J + 1]
    const std::int32_t* repeat;  // [N] the number of the word among the repeated ones of its citation, or -1
};

// What is resampled, and the counts that follow from it; threads have copies of the counts.
struct State {
    std::uint8_t* draws;       // [N] t: the topic draws of each citation
    std::uint8_t* inversions;  // [J, K - 1] v
    std::int32_t* counts;      // [W, stride] n_kw
    std::int64_t* totals;      // [stride] n_k
    int stride;
};

enum class Rebuilt { no, by_topic, by_place };

// What stays fixed during a sweep.
struct Settings {
    int K;
    double W;
    double beta;
    double alpha;        // infinity: dense topic distributions, equation 9
    const double* rho;   // [K - 1]
    bool move_inversions;
    Rebuilt rebuilt;
    std::uint64_t seed;
    std::uint64_t iteration;
};

inline void change_count(std::int32_t& count, int sign) {
    count += sign;
    require(count >= 0, "the counts are not those of these draws");
}

// The topics in the order given by inversion counts: v_k topics larger than k precede topic k.
inline void permutation(const std::uint8_t* inversions, int K, int* topic_at) {
    int length = 1;
    topic_at[0] = K - 1;
    for (int k = K - 2; k >= 0; --k, ++length) {
        const int place = inversions[k];
        for (int r = length; r > place; --r) topic_at[r] = topic_at[r - 1];
        topic_at[place] = k;
    }
}

// Rebuilds the draws of a citation in the order in which a sampler that does not keep them visits them.
inline void rebuild(Rebuilt how, const int* topic_at, const int* own, int K, std::uint8_t* draws) {
    for (int r = 0; r < K; ++r) {
        const int k = how == Rebuilt::by_topic ? r : topic_at[r];
        std::fill(draws, draws + own[k], static_cast<std::uint8_t>(k));
        draws += own[k];
    }
}

// Chooses one of `count` in proportion to weights that need not sum to one.
inline int choose(const double* weight, int count, double uniform) {
    double total = 0;
    for (int i = 0; i < count; ++i) total += weight[i];
    const double aim = uniform * total;
    double passed = 0;
    for (int i = 0; i < count - 1; ++i) {
        passed += weight[i];
        if (passed > aim) return i;
    }
    return count - 1;
}

// The same for logarithms of weights, which are overwritten.
inline int choose_log(double* score, int count, double uniform) {
    const double best = *std::max_element(score, score + count);
    for (int i = 0; i < count; ++i) score[i] = std::exp(score[i] - best);
    return choose(score, count, uniform);
}

}  // namespace gibbs
}  // namespace ibidem
