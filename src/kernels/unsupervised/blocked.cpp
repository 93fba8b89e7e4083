// Binds the blocked sampler of ibidem.unsupervised.
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "batch.hpp"
#include "unsupervised/bindings.hpp"
#include "unsupervised/blocked.hpp"

namespace ibidem {
namespace {

using namespace nb::literals;

#define IBIDEM_SEGMENTS                                                                                             \
    In<std::int32_t, 1> words, In<std::int32_t, 1> gaps, In<std::int64_t, 1> starts, In<std::uint8_t, 1> element, \
        In<double, 2> word, In<double, 1> word_total, In<double, 2> length, In<double, 1> length_total,          \
        In<double, 2> step, In<double, 3> gap
#define IBIDEM_SEGMENTS_NAMES                                                                                         \
    "words"_a.noconvert(), "gaps"_a.noconvert(), "starts"_a.noconvert(), "element"_a.noconvert(),                  \
        "word"_a.noconvert(), "word_total"_a.noconvert(), "length"_a.noconvert(), "length_total"_a.noconvert(),    \
        "step"_a.noconvert(), "gap"_a.noconvert()
#define IBIDEM_SEGMENTS_TABLES                                                                                      \
    {word.data(), word_total.data(), length.data(), length_total.data(), step.data(), gap.data(),                \
     static_cast<int>(word.shape(1)), static_cast<int>(length.shape(1)) - 1, static_cast<int>(gap.shape(0))}
#define IBIDEM_SEGMENTS_CORPUS {words.data(), gaps.data(), starts.data(), element.data(), starts.shape(0) - 1}

// Indices within their tables, tables of one shape, and in each citation an element for every token or for none.
void require_segments(IBIDEM_SEGMENTS, int threads) {
    const std::size_t N = words.size(), K = word.shape(1);
    require(K >= 1 && K <= most_elements, "the number of elements must be from 1 to 16");
    require(gaps.size() == N && element.size() == N, "words, gaps and elements must have the same length");
    require(word_total.size() == K && length.shape(0) == K && length.shape(1) > 0 && length_total.size() == K &&
                step.shape(0) == K && step.shape(1) == std::size_t(1) << K && gap.shape(1) == K && gap.shape(2) == roles,
            "the tables must be word [W, K], length [K, L + 1], step [K, 2^K], gap [C, K, 2] and totals [K]");
    require_starts(starts, N);
    require_range("words", words, 0, static_cast<std::int64_t>(word.shape(0)));
    require_range("gaps", gaps, 0, static_cast<std::int64_t>(gap.shape(0)));
    require_amounts("word", word);
    require_amounts("word_total", word_total);
    require_amounts("length", length);
    require_amounts("length_total", length_total);
    require_amounts("step", step);
    require_amounts("gap", gap);
    for (std::size_t d = 0; d + 1 < starts.size(); ++d)
        for (std::int64_t i = starts.data()[d]; i < starts.data()[d + 1]; ++i)
            require(element.data()[starts.data()[d]] == no_element ? element.data()[i] == no_element : element.data()[i] < K,
                    "in a citation every token must have an element, or none");
    require_threads(threads);
}

struct CorpusView {
    const std::int32_t* words;
    const std::int32_t* gaps;
    const std::int64_t* starts;
    const std::uint8_t* element;
    std::size_t D;

    Citation citation(std::size_t d) const {
        const std::int64_t at = starts[d];
        return {words + at, gaps + at, element + at, static_cast<int>(starts[d + 1] - at)};
    }
    // make_worker() returns a function of the indices of the first citation of a block and of the one after its last;
    // the worker skips empty citations.
    template <class MakeWorker>
    void for_blocks(int threads, const MakeWorker& make_worker) const {
        constexpr std::size_t block = 256;
        run_jobs(static_cast<int>((D + block - 1) / block), threads, [&] {
            return [this, worker = make_worker()](int job) mutable {
                worker(job * block, std::min(D, (job + 1) * block));
            };
        });
    }
};

Out<std::int64_t> make_array(const std::vector<std::int64_t>& values, std::initializer_list<std::size_t> shape) {
    Result<std::int64_t> result(shape, 0);
    std::copy(values.begin(), values.end(), result.data());
    return result.give();
}

// Sampled elements [N], log-likelihoods [D], and the counts of steps [K, 2^K], lengths [K, L + 1], gaps [C, K, 2]. A
// citation without any possible segmentation keeps 255 everywhere and adds to no count; so does one without tokens.
std::tuple<Out<std::uint8_t>, Out<double>, Out<std::int64_t>, Out<std::int64_t>, Out<std::int64_t>> sample_segmentations(
    IBIDEM_SEGMENTS, std::uint64_t seed, std::uint64_t sweep, int threads) {
    require_segments(words, gaps, starts, element, word, word_total, length, length_total, step, gap, threads);
    const SegmentTables tables = IBIDEM_SEGMENTS_TABLES;
    const CorpusView corpus = IBIDEM_SEGMENTS_CORPUS;
    const std::size_t K = tables.K, L = tables.L, C = tables.C;
    Result<std::uint8_t> sampled({words.shape(0)}, no_element);
    Result<double> log_z({corpus.D}, 0.0);
    SegmentCounts total(tables);
    {
        nb::gil_scoped_release release;
        std::mutex guard;
        corpus.for_blocks(threads, [&] {
            return [&, sampler = BlockedSampler(tables)](std::size_t begin, std::size_t end) mutable {
                SegmentCounts counts(tables);
                for (std::size_t d = begin; d < end; ++d) {
                    const Citation citation = corpus.citation(d);
                    if (citation.T == 0) continue;
                    log_z.data()[d] = sampler.forward(citation);
                    if (log_z.data()[d] == minus_infinity<double>) continue;
                    Draw random(seed, sweep, d);
                    sampler.sample(citation, random, sampled.data() + corpus.starts[d], counts);
                }
                const std::lock_guard<std::mutex> lock(guard);
                total.add(counts);
            };
        });
    }
    return {sampled.give(), log_z.give(), make_array(total.step, {K, std::size_t(1) << K}), make_array(total.length, {K, L + 1}),
            make_array(total.gap, {C, K, std::size_t(roles)})};
}

// The elements with the most expected correct tokens [N], the probability of each [N], log-likelihoods [D].
std::tuple<Out<std::uint8_t>, Out<float>, Out<double>> decode_segmentations(IBIDEM_SEGMENTS, int threads) {
    require_segments(words, gaps, starts, element, word, word_total, length, length_total, step, gap, threads);
    const SegmentTables tables = IBIDEM_SEGMENTS_TABLES;
    const CorpusView corpus = IBIDEM_SEGMENTS_CORPUS;
    Result<std::uint8_t> found({words.shape(0)}, no_element);
    Result<float> confidence({words.shape(0)}, 0.0f);
    Result<double> log_z({corpus.D}, 0.0);
    {
        nb::gil_scoped_release release;
        corpus.for_blocks(threads, [&] {
            return [&, sampler = BlockedSampler(tables)](std::size_t begin, std::size_t end) mutable {
                for (std::size_t d = begin; d < end; ++d) {
                    const Citation citation = corpus.citation(d);
                    if (citation.T == 0) continue;
                    log_z.data()[d] = sampler.forward(citation);
                    if (log_z.data()[d] == minus_infinity<double>) continue;
                    const double* mass = sampler.marginals(citation);
                    std::uint8_t* best = found.data() + corpus.starts[d];
                    sampler.decode(citation.T, best);
                    for (int i = 0; i < citation.T; ++i) {
                        const double probability = mass[static_cast<std::size_t>(i) * tables.K + best[i]];
                        confidence.data()[corpus.starts[d] + i] = static_cast<float>(std::min(1.0, std::max(0.0, probability)));
                    }
                }
            };
        });
    }
    return {found.give(), confidence.give(), log_z.give()};
}

}  // namespace

void bind_blocked_sampler(nb::module_& m) {
    m.def("sample_segmentations", &sample_segmentations, IBIDEM_SEGMENTS_NAMES, "seed"_a, "sweep"_a, "threads"_a);
    m.def("decode_segmentations", &decode_segmentations, IBIDEM_SEGMENTS_NAMES, "threads"_a);
}

}  // namespace ibidem
