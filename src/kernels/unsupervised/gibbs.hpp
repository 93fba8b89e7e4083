// Sweeps over the citations of a corpus in threads, for the sampler of Masada et al. 2011 and for LDA.
#pragma once

#include "unsupervised/gibbs_fast.hpp"
#include "unsupervised/gibbs_literal.hpp"
#include "parallel.hpp"

namespace ibidem {
namespace gibbs {

// The first citation of each of `parts` runs of citations with about as many tokens each.
inline std::vector<std::int64_t> split_evenly(const std::int64_t* starts, std::int64_t J, int parts) {
    std::vector<std::int64_t> begin(parts + 1, J);
    begin[0] = 0;
    for (int p = 1; p < parts; ++p) {
        const std::int64_t token = starts[J] / parts * p;
        begin[p] = std::max(begin[p - 1], std::lower_bound(starts, starts + J, token) - starts);
    }
    return begin;
}

// Runs `visits(state, first, last)` over all citations. With several threads each has its own copy of the counts, and
// the changes are added up at the end: the result depends on the number of threads, never on their timing.
template <class Visits>
void sweep(const Corpus& corpus, State state, std::int64_t J, std::size_t W, int threads, const Visits& visits) {
    if (threads <= 1) return visits(state, std::int64_t(0), J);
    const std::size_t size = W * state.stride;
    const std::vector<std::int32_t> counts(state.counts, state.counts + size);
    const std::vector<std::int64_t> totals(state.totals, state.totals + state.stride);
    std::vector<std::vector<std::int32_t>> own_counts(threads);
    std::vector<std::vector<std::int64_t>> own_totals(threads, totals);
    const std::vector<std::int64_t> begin = split_evenly(corpus.starts, J, threads);
    run_jobs(threads, threads, [&] {
        return [&](int part) {
            own_counts[part] = counts;
            State own = state;
            own.counts = own_counts[part].data();
            own.totals = own_totals[part].data();
            visits(own, begin[part], begin[part + 1]);
        };
    });
    run_jobs(threads, threads, [&] {
        return [&](int part) {
            for (std::size_t i = size / threads * part, end = part + 1 < threads ? i + size / threads : size; i < end; ++i)
                for (int p = 0; p < threads; ++p) state.counts[i] += own_counts[p][i] - counts[i];
        };
    });
    for (int p = 0; p < threads; ++p)
        for (int k = 0; k < state.stride; ++k) state.totals[k] += own_totals[p][k] - totals[k];
}

inline void visit_all(const Corpus& corpus, const State& state, const Settings& settings, bool literal,
                      std::int64_t first, std::int64_t last) {
    if (literal) {
        LiteralVisit visit(corpus, state, settings);
        for (std::int64_t j = first; j < last; ++j) visit(j);
        return;
    }
    const LogTable logs(settings.beta);
    FastVisit visit(corpus, state, settings, logs);
    for (std::int64_t j = first; j < last; ++j) {
        if (j + 1 < last) visit.expect(j + 1);
        visit(j);
    }
}

// Latent Dirichlet allocation: each token has a topic of its own, wherever it stands (Griffiths & Steyvers 2004).
inline void visit_unordered(const Corpus& corpus, const State& state, const Settings& settings, std::int64_t first,
                            std::int64_t last) {
    const int K = settings.K;
    double weight[most_topics], share[most_topics];
    for (int k = 0; k < K; ++k) share[k] = 1 / (static_cast<double>(state.totals[k]) + settings.W * settings.beta);
    for (std::int64_t j = first; j < last; ++j) {
        Draw random(settings.seed, settings.iteration, static_cast<std::uint64_t>(j));
        int own[most_topics] = {};
        for (std::int64_t i = corpus.starts[j]; i < corpus.starts[j + 1]; ++i) ++own[state.draws[i]];
        for (std::int64_t i = corpus.starts[j]; i < corpus.starts[j + 1]; ++i) {
            std::int32_t* counts = state.counts + static_cast<std::size_t>(corpus.words[i]) * state.stride;
            const auto move = [&](int k, int sign) {
                change_count(counts[k], sign);
                own[k] += sign;
                state.totals[k] += sign;
                share[k] = 1 / (static_cast<double>(state.totals[k]) + settings.W * settings.beta);
            };
            move(state.draws[i], -1);
            for (int k = 0; k < K; ++k) weight[k] = (own[k] + settings.alpha) * (counts[k] + settings.beta) * share[k];
            state.draws[i] = static_cast<std::uint8_t>(choose(weight, K, random.uniform()));
            move(state.draws[i], +1);
        }
    }
}

}  // namespace gibbs
}  // namespace ibidem
