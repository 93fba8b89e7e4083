// Binds the samplers of Masada et al. 2011 and LDA.
#include <stdexcept>
#include <unordered_map>

#include "batch.hpp"
#include "unsupervised/bindings.hpp"
#include "unsupervised/gibbs.hpp"

namespace ibidem {
namespace {

using namespace nb::literals;

// The state of a sampler is large and is changed where it lies; `noconvert` keeps nanobind from changing a copy.
template <class Value, int dimensions>
using InPlace = nb::ndarray<Value, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

#define IBIDEM_STATE                                                                                                 \
    In<std::int32_t, 1> words, In<std::int64_t, 1> starts, InPlace<std::uint8_t, 1> draws,                           \
        InPlace<std::int32_t, 2> counts, InPlace<std::int64_t, 1> totals
#define IBIDEM_STATE_NAMES \
    "words"_a.noconvert(), "starts"_a.noconvert(), "draws"_a.noconvert(), "counts"_a.noconvert(), "totals"_a.noconvert()

// Nothing: every citation is visited once, its inversion counts and topic draws are drawn anew.
void order_sweep(IBIDEM_STATE, In<std::int32_t, 1> repeat, InPlace<std::uint8_t, 2> inversions, In<double, 1> rho,
                 double alpha, double beta, bool move_inversions, int rebuilt, bool literal, std::uint64_t seed,
                 std::uint64_t iteration, int threads) {
    const order::Corpus corpus{words.data(), starts.data(), repeat.data()};
    const int K = static_cast<int>(inversions.shape(1)) + 1;
    const order::State state{draws.data(), inversions.data(), counts.data(), totals.data(),
                             static_cast<int>(counts.shape(1))};
    if (K < 2 || K > order::most_topics || state.stride < K) throw std::invalid_argument("2 to 16 topics are wanted");
    const std::size_t W = counts.shape(0);
    const order::Settings settings{K,          static_cast<double>(W), beta,
                                   alpha,      rho.data(),             move_inversions,
                                   static_cast<order::Rebuilt>(rebuilt), seed, iteration};
    nb::gil_scoped_release release;
    order::sweep(corpus, state, static_cast<std::int64_t>(starts.shape(0)) - 1, W, threads,
                 [&](const order::State& own, std::int64_t first, std::int64_t last) {
                     order::visit_all(corpus, own, settings, literal, first, last);
                 });
}

// Nothing: every token's topic is drawn anew by LDA.
void order_unordered_sweep(IBIDEM_STATE, int topics, double alpha, double beta, std::uint64_t seed,
                           std::uint64_t iteration, int threads) {
    const order::Corpus corpus{words.data(), starts.data(), nullptr};
    const order::State state{draws.data(), nullptr, counts.data(), totals.data(), static_cast<int>(counts.shape(1))};
    if (topics < 2 || topics > order::most_topics || state.stride < topics)
        throw std::invalid_argument("2 to 16 topics are wanted");
    const std::size_t W = counts.shape(0);
    const order::Settings settings{topics, static_cast<double>(W), beta, alpha, nullptr, false, order::Rebuilt::no,
                                   seed,   iteration};
    nb::gil_scoped_release release;
    order::sweep(corpus, state, static_cast<std::int64_t>(starts.shape(0)) - 1, W, threads,
                 [&](const order::State& own, std::int64_t first, std::int64_t last) {
                     order::visit_unordered(corpus, own, settings, first, last);
                 });
}

// z [N]: the topic of each token, the draws in the order of the inversion counts.
Out<std::uint8_t> order_assigned(In<std::int64_t, 1> starts, In<std::uint8_t, 1> draws, In<std::uint8_t, 2> inversions) {
    const int K = static_cast<int>(inversions.shape(1)) + 1;
    if (K < 2 || K > order::most_topics) throw std::invalid_argument("2 to 16 topics are wanted");
    Result<std::uint8_t> assigned({draws.shape(0)}, 0);
    {
        nb::gil_scoped_release release;
        int topic_at[order::most_topics];
        for (std::size_t j = 0; j + 1 < starts.shape(0); ++j) {
            int own[order::most_topics] = {};
            for (std::int64_t i = starts.data()[j]; i < starts.data()[j + 1]; ++i) ++own[draws.data()[i]];
            order::permutation(inversions.data() + j * (K - 1), K, topic_at);
            order::rebuild(order::Rebuilt::by_place, topic_at, own, K, assigned.data() + starts.data()[j]);
        }
    }
    return assigned.give();
}

// [N]: for a word that its citation has more than once its number among such words, in order of appearance; else -1.
Out<std::int32_t> order_repeats(In<std::int32_t, 1> words, In<std::int64_t, 1> starts) {
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

void bind_order_gibbs(nb::module_& m) {
    m.def("order_sweep", &order_sweep, IBIDEM_STATE_NAMES, "repeat"_a.noconvert(), "inversions"_a.noconvert(),
          "rho"_a.noconvert(), "alpha"_a, "beta"_a, "move_inversions"_a, "rebuilt"_a, "literal"_a, "seed"_a,
          "iteration"_a, "threads"_a);
    m.def("order_unordered_sweep", &order_unordered_sweep, IBIDEM_STATE_NAMES, "topics"_a, "alpha"_a, "beta"_a,
          "seed"_a, "iteration"_a, "threads"_a);
    m.def("order_assigned", &order_assigned, "starts"_a.noconvert(), "draws"_a.noconvert(), "inversions"_a.noconvert());
    m.def("order_repeats", &order_repeats, "words"_a.noconvert(), "starts"_a.noconvert());
}

}  // namespace ibidem
