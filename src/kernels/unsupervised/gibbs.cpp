// Binds the samplers of Masada et al. 2011 and LDA.
#include <unordered_map>

#include "batch.hpp"
#include "unsupervised/bindings.hpp"
#include "unsupervised/gibbs.hpp"

namespace ibidem {
namespace {

using namespace nb::literals;

// The state of a sampler is large and changed in place; `noconvert` keeps nanobind from changing a copy.
template <class Value, int dimensions>
using InPlace = nb::ndarray<Value, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

#define IBIDEM_STATE                                                                                                 \
    In<std::int32_t, 1> words, In<std::int64_t, 1> starts, InPlace<std::uint8_t, 1> draws,                           \
        InPlace<std::int32_t, 2> counts, InPlace<std::int64_t, 1> totals
#define IBIDEM_STATE_NAMES \
    "words"_a.noconvert(), "starts"_a.noconvert(), "draws"_a.noconvert(), "counts"_a.noconvert(), "totals"_a.noconvert()

// Draws of topics and counts of words, the indices within their tables.
void require_state(IBIDEM_STATE, int topics, double alpha, double beta, int threads) {
    require(topics >= 2 && topics <= gibbs::most_topics, "the number of topics must be from 2 to 16");
    require(draws.size() == words.size(), "words and draws must have the same length");
    require(counts.shape(1) >= static_cast<std::size_t>(topics) && totals.size() == counts.shape(1),
            "counts must be [W, stride] and totals [stride], the stride at least the number of topics");
    require(alpha > 0 && beta > 0 && std::isfinite(beta), "alpha and beta must be above 0, beta finite");
    require_starts(starts, words.size());
    require_range("words", words, 0, static_cast<std::int64_t>(counts.shape(0)));
    require_range("draws", draws, 0, topics);
    require_range("counts", counts, 0, 1 << 30);
    require_range("totals", totals, 0, std::int64_t(1) << 53);
    require_threads(threads);
}

// The topics after topic k that precede it, K - 1 - k at most.
template <class Array>
void require_inversions(const Array& inversions, std::size_t citations) {
    require(inversions.shape(0) == citations, "there must be inversion counts for each citation");
    const std::size_t width = inversions.shape(1);
    for (std::size_t i = 0; i < inversions.size(); ++i)
        require(inversions.data()[i] <= width - i % width, "an inversion count is larger than there are topics after it");
}

// In each citation the repeated words have numbers from 0 on, and each number is that of some token.
void require_repeats(const In<std::int32_t, 1>& repeat, const In<std::int64_t, 1>& starts, std::size_t tokens) {
    require(repeat.size() == tokens, "words and repeat must have the same length");
    std::vector<std::int64_t> last_seen;  // [numbers] the citation, from 1
    for (std::int64_t j = 0, J = static_cast<std::int64_t>(starts.size()) - 1; j < J; ++j) {
        const std::int64_t begin = starts.data()[j], end = starts.data()[j + 1];
        if (static_cast<std::int64_t>(last_seen.size()) < end - begin) last_seen.resize(end - begin, 0);
        std::int32_t largest = -1, distinct = 0;
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int32_t number = repeat.data()[i];
            require(number >= -1 && number < end - begin, "repeat must number the repeated words of each citation");
            if (number < 0 || last_seen[number] == j + 1) continue;
            last_seen[number] = j + 1;
            largest = std::max(largest, number);
            ++distinct;
        }
        require(distinct == largest + 1, "repeat must number the repeated words of each citation");
    }
}

// Resamples the inversion counts and topic draws of every citation, in place.
void gibbs_sweep(IBIDEM_STATE, In<std::int32_t, 1> repeat, InPlace<std::uint8_t, 2> inversions, In<double, 1> rho,
                 double alpha, double beta, bool move_inversions, int rebuilt, bool literal, std::uint64_t seed,
                 std::uint64_t iteration, int threads) {
    const gibbs::Corpus corpus{words.data(), starts.data(), repeat.data()};
    const int K = static_cast<int>(inversions.shape(1)) + 1;
    const gibbs::State state{draws.data(), inversions.data(), counts.data(), totals.data(),
                             static_cast<int>(counts.shape(1))};
    require_state(words, starts, draws, counts, totals, K, alpha, beta, threads);
    require_repeats(repeat, starts, words.size());
    require_inversions(inversions, starts.size() - 1);
    require(rho.size() == inversions.shape(1), "rho must be [K - 1]");
    require_range("rebuilt", std::vector<int>{rebuilt}, 0, 3);
    for (std::size_t k = 0; k < rho.size(); ++k) require(std::isfinite(rho.data()[k]), "rho must be finite");
    const std::size_t W = counts.shape(0);
    const gibbs::Settings settings{K,          static_cast<double>(W), beta,
                                   alpha,      rho.data(),             move_inversions,
                                   static_cast<gibbs::Rebuilt>(rebuilt), seed, iteration};
    nb::gil_scoped_release release;
    gibbs::sweep(corpus, state, static_cast<std::int64_t>(starts.shape(0)) - 1, W, threads,
                 [&](const gibbs::State& own, std::int64_t first, std::int64_t last) {
                     gibbs::visit_all(corpus, own, settings, literal, first, last);
                 });
}

// Resamples the topic of every token by LDA, in place.
void lda_sweep(IBIDEM_STATE, int topics, double alpha, double beta, std::uint64_t seed,
                           std::uint64_t iteration, int threads) {
    const gibbs::Corpus corpus{words.data(), starts.data(), nullptr};
    const gibbs::State state{draws.data(), nullptr, counts.data(), totals.data(), static_cast<int>(counts.shape(1))};
    require_state(words, starts, draws, counts, totals, topics, alpha, beta, threads);
    require(std::isfinite(alpha), "alpha must be finite");
    const std::size_t W = counts.shape(0);
    const gibbs::Settings settings{topics, static_cast<double>(W), beta, alpha, nullptr, false, gibbs::Rebuilt::no,
                                   seed,   iteration};
    nb::gil_scoped_release release;
    gibbs::sweep(corpus, state, static_cast<std::int64_t>(starts.shape(0)) - 1, W, threads,
                 [&](const gibbs::State& own, std::int64_t first, std::int64_t last) {
                     gibbs::visit_unordered(corpus, own, settings, first, last);
                 });
}

// z [N]: the topic of each token, the draws in the order of the inversion counts.
Out<std::uint8_t> assign_all_topics(In<std::int64_t, 1> starts, In<std::uint8_t, 1> draws, In<std::uint8_t, 2> inversions) {
    const int K = static_cast<int>(inversions.shape(1)) + 1;
    require(K >= 2 && K <= gibbs::most_topics, "the number of topics must be from 2 to 16");
    require_starts(starts, draws.size());
    require_range("draws", draws, 0, K);
    require_inversions(inversions, starts.size() - 1);
    Result<std::uint8_t> assigned({draws.shape(0)}, 0);
    {
        nb::gil_scoped_release release;
        int topic_at[gibbs::most_topics];
        for (std::size_t j = 0; j + 1 < starts.shape(0); ++j) {
            int own[gibbs::most_topics] = {};
            for (std::int64_t i = starts.data()[j]; i < starts.data()[j + 1]; ++i) ++own[draws.data()[i]];
            gibbs::permutation(inversions.data() + j * (K - 1), K, topic_at);
            gibbs::rebuild(gibbs::Rebuilt::by_place, topic_at, own, K, assigned.data() + starts.data()[j]);
        }
    }
    return assigned.give();
}

// [N]: the index of a token's word among those repeated in its citation, in order of appearance; else -1.
Out<std::int32_t> repeated_words(In<std::int32_t, 1> words, In<std::int64_t, 1> starts) {
    require_starts(starts, words.size());
    Result<std::int32_t> repeat({words.shape(0)}, -1);
    {
        nb::gil_scoped_release release;
        std::unordered_map<std::int32_t, std::int64_t> first;
        for (std::size_t j = 0; j + 1 < starts.shape(0); ++j) {
            first.clear();
            std::int32_t known = 0;
            for (std::int64_t i = starts.data()[j]; i < starts.data()[j + 1]; ++i) {
                const auto found = first.emplace(words.data()[i], i);
                if (found.second) continue;
                std::int32_t& number = repeat.data()[found.first->second];
                if (number < 0) number = known++;
                repeat.data()[i] = number;
            }
        }
    }
    return repeat.give();
}

}  // namespace

void bind_gibbs_sampler(nb::module_& m) {
    m.def("gibbs_sweep", &gibbs_sweep, IBIDEM_STATE_NAMES, "repeat"_a.noconvert(), "inversions"_a.noconvert(),
          "rho"_a.noconvert(), "alpha"_a, "beta"_a, "move_inversions"_a, "rebuilt"_a, "literal"_a, "seed"_a,
          "iteration"_a, "threads"_a);
    m.def("lda_sweep", &lda_sweep, IBIDEM_STATE_NAMES, "topics"_a, "alpha"_a, "beta"_a,
          "seed"_a, "iteration"_a, "threads"_a);
    m.def("assign_all_topics", &assign_all_topics, "starts"_a.noconvert(), "draws"_a.noconvert(), "inversions"_a.noconvert());
    m.def("repeated_words", &repeated_words, "words"_a.noconvert(), "starts"_a.noconvert());
}

}  // namespace ibidem
