// The Python module: arrays in, new arrays out, the GIL released in between.
//
// Shapes and indices are checked here, however the kernel is called; `noconvert` keeps nanobind from copying what does
// not fit.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "batch.hpp"
#include "features/bindings.hpp"
#include "features/tokenise.hpp"
#include "inference/bindings.hpp"
#include "inference/constrained.hpp"
#include "inference/kbest.hpp"
#include "inference/scores.hpp"
#include "linking/bindings.hpp"
#include "unsupervised/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace ibidem {
namespace {

#define IBIDEM_BATCH                                                                                             \
    In<std::int32_t, 1> label, In<std::int32_t, 1> src, In<std::int32_t, 1> dst, In<bool, 1> final, In<Real, 3> span, \
        In<Real, 1> arc, In<std::int32_t, 1> lengths
#define IBIDEM_BATCH_NAMES                                                                                   \
    "label"_a.noconvert(), "src"_a.noconvert(), "dst"_a.noconvert(), "final"_a.noconvert(), "span"_a.noconvert(), \
        "arc"_a.noconvert(), "lengths"_a.noconvert()
#define IBIDEM_LIMITS \
    In<double, 2> coefficient, In<double, 1> bound, In<double, 1> penalty, int iterations, int several
#define IBIDEM_LIMITS_NAMES \
    "coefficient"_a.noconvert(), "bound"_a.noconvert(), "penalty"_a.noconvert(), "iterations"_a, "several"_a

template <class Real>
Limits make_limits(const Batch<Real>& batch, IBIDEM_LIMITS) {
    const std::size_t C = bound.size();
    require(coefficient.shape(0) == C && coefficient.shape(1) == static_cast<std::size_t>(batch.Y) && penalty.size() == C,
            "constraints must be coefficients [C, Y], bounds [C] and penalties [C]");
    require(iterations >= 1 && several >= 0, "iterations must be at least 1, and several not below 0");
    for (std::size_t c = 0; c < C; ++c)
        require(penalty.data()[c] >= 0 && std::isfinite(bound.data()[c]), "penalties must not be below 0, bounds finite");
    for (std::size_t i = 0; i < coefficient.size(); ++i)
        require(std::isfinite(coefficient.data()[i]), "coefficients must be finite");
    return Limits(coefficient.data(), bound.data(), penalty.data(), static_cast<int>(C), batch.Y);
}

// Masks of the states of a chain, [K, S] each.
template <class Real>
void require_masks(const Batch<Real>& batch, const In<bool, 2>& first, const In<bool, 2>& inside) {
    require(batch.L == 1, "segments are those of a chain, whose longest span is 1");
    require(first.shape(0) == inside.shape(0) && first.shape(1) == inside.shape(1) &&
                first.shape(1) == static_cast<std::size_t>(batch.view.S),
            "the two masks must be [K, S]");
}

template <class Real>
Out<double> log_partition(IBIDEM_BATCH, int threads) {
    const Batch<Real> batch(label, src, dst, final, span, arc, lengths, threads);
    Result<double> log_z({static_cast<std::size_t>(batch.B)}, 0.0);
    {
        nb::gil_scoped_release release;
        const Graph<Real> graph(batch.view, Need::weights);
        batch.for_strings([&] {
            return [&, tables = Tables<Real>()](int b) mutable {
                const String<Real> string = batch.string(b);
                forward<LogSemiring>(graph, string, tables);
                log_z.data()[b] = log_total(graph, tables, string.T);
            };
        });
    }
    return log_z.give();
}

template <class Real>
std::tuple<Out<double>, Out<Real>, Out<Real>> marginals(IBIDEM_BATCH, int threads) {
    const Batch<Real> batch(label, src, dst, final, span, arc, lengths, threads);
    Result<double> log_z({static_cast<std::size_t>(batch.B)}, 0.0);
    Result<Real> span_credit({batch.N, static_cast<std::size_t>(batch.L), static_cast<std::size_t>(batch.Y)}, Real(0));
    Result<Real> arc_credit({static_cast<std::size_t>(batch.view.A)}, Real(0));
    {
        nb::gil_scoped_release release;
        const Graph<Real> graph(batch.view, Need::weights_both_ways);
        std::vector<std::vector<double>> parts(batch.blocks());
        run_jobs(batch.blocks(), threads, [&] {
            return [&, tables = Tables<Real>(), shares = Shares<Real>()](int block) mutable {
                ArcCredit<Real> arcs(graph);
                for (int b = batch.block_begin(block); b < batch.block_begin(block + 1); ++b) {
                    const String<Real> string = batch.string(b);
                    forward<LogSemiring>(graph, string, tables);
                    log_z.data()[b] = log_total(graph, tables, string.T);
                    share_credit(graph, string, tables, log_z.data()[b], shares,
                                 span_credit.data() + batch.offset[b] * batch.L * batch.Y, &arcs);
                }
                arcs.settle(graph);
                parts[block] = std::move(arcs.total);
            };
        });
        for (int a = 0; a < batch.view.A; ++a) {
            double total = 0;
            for (const auto& part : parts) total += part[a];
            arc_credit.data()[a] = static_cast<Real>(total);
        }
    }
    return {log_z.give(), span_credit.give(), arc_credit.give()};
}

template <class Real>
std::tuple<Out<std::int32_t>, Out<bool>, Out<double>> best(IBIDEM_BATCH, int threads) {
    const Batch<Real> batch(label, src, dst, final, span, arc, lengths, threads);
    Result<std::int32_t> state({batch.N}, -1);
    Result<bool> starts({batch.N}, false);
    Result<double> score({static_cast<std::size_t>(batch.B)}, 0.0);
    {
        nb::gil_scoped_release release;
        const Graph<Real> graph(batch.view, Need::scores);
        const Bundles<Real> bundles(graph, false);
        batch.for_lanes([&] {
            return [&, finder = Pathfinder<Real>(graph, bundles)](const String<Real>* strings, const int* number,
                                                                  int count) mutable {
                finder.find(strings, count, [&](int i, double best, const std::int32_t* path, const bool* begins,
                                                const auto&) {
                    score.data()[number[i]] = best;
                    if (best == minus_infinity<double>) return;
                    std::copy(path, path + strings[i].T, state.data() + batch.offset[number[i]]);
                    std::copy(begins, begins + strings[i].T, starts.data() + batch.offset[number[i]]);
                });
            };
        });
    }
    return {state.give(), starts.give(), score.give()};
}

// (row, column) [M, 2] and value [M] of all that are not 0.
std::pair<Result<std::int32_t>, Result<double>> sparse(const std::vector<std::vector<double>>& rows) {
    std::size_t M = 0;
    for (const auto& row : rows) M += row.size() - std::count(row.begin(), row.end(), 0.0);
    Result<std::int32_t> places({M, 2}, 0);
    Result<double> values({M}, 0.0);
    std::int32_t* place = places.data();
    double* value = values.data();
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows[i].size(); ++j) {
            if (rows[i][j] == 0) continue;
            *place++ = static_cast<std::int32_t>(i);
            *place++ = static_cast<std::int32_t>(j);
            *value++ = rows[i][j];
        }
    return {std::move(places), std::move(values)};
}

// The best paths under soft constraints: states, beginnings, and of each string score, value, bound, iterations,
// whether it is solved; then (string, constraint) and multiplier of all multipliers that are not 0.
template <class Real>
std::tuple<Out<std::int32_t>, Out<bool>, Out<double>, Out<double>, Out<double>, Out<std::int32_t>, Out<bool>,
           Out<std::int32_t>, Out<double>>
soft_best(IBIDEM_BATCH, IBIDEM_LIMITS, int threads) {
    const Batch<Real> batch(label, src, dst, final, span, arc, lengths, threads);
    const Limits limits = make_limits(batch, coefficient, bound, penalty, iterations, several);
    const std::size_t B = batch.B;
    Result<std::int32_t> state({batch.N}, -1), rounds({B}, 1);
    Result<bool> starts({batch.N}, false), solved({B}, true);
    Result<double> score({B}, 0.0), value({B}, 0.0), least({B}, 0.0);
    std::vector<std::vector<double>> multipliers(B);
    {
        nb::gil_scoped_release release;
        const Graph<Real> graph(batch.view, Need::scores);
        const Bundles<Real> bundles(graph, false);
        batch.for_lanes([&] {
            return [&, finder = Pathfinder<Real>(graph, bundles),
                    search = SoftSearch<Real>(graph, limits, iterations, several)](const String<Real>* strings,
                                                                                   const int* number, int count) mutable {
                finder.find(strings, count, [&](int i, double best, const std::int32_t* path, const bool* begins,
                                                const auto& table) {
                    const int b = number[i];
                    score.data()[b] = best;
                    if (best == minus_infinity<double>) return;
                    Answer answer{state.data() + batch.offset[b], starts.data() + batch.offset[b], {}, best, best, best, 1,
                                  true};
                    std::copy(path, path + strings[i].T, answer.state);
                    std::copy(begins, begins + strings[i].T, answer.starts);
                    search.find(strings[i], table, answer);
                    score.data()[b] = answer.score;
                    value.data()[b] = answer.value;
                    least.data()[b] = answer.bound;
                    rounds.data()[b] = answer.iterations;
                    solved.data()[b] = answer.solved;
                    multipliers[b].swap(answer.multiplier);
                });
            };
        });
    }
    auto reduced = sparse(multipliers);
    return {state.give(),  starts.give(), score.give(), value.give(), least.give(),
            rounds.give(), solved.give(), reduced.first.give(), reduced.second.give()};
}

template <class Real>
std::tuple<Out<std::int32_t>, Out<bool>, Out<double>> sample(IBIDEM_BATCH, std::uint64_t seed, int draws, int threads) {
    const Batch<Real> batch(label, src, dst, final, span, arc, lengths, threads);
    require(draws >= 1, "draws must be at least 1");
    const std::size_t D = draws;
    Result<std::int32_t> state({D, batch.N}, -1);
    Result<bool> starts({D, batch.N}, false);
    Result<double> score({D, static_cast<std::size_t>(batch.B)}, 0.0);
    {
        nb::gil_scoped_release release;
        const Graph<Real> graph(batch.view, Need::weights);
        batch.for_strings([&] {
            return [&, tables = Tables<Real>(), room = std::vector<Real>()](int b) mutable {
                const String<Real> string = batch.string(b);
                forward<LogSemiring>(graph, string, tables);
                for (std::size_t draw = 0; draw < D; ++draw) {
                    const std::size_t place = draw * batch.N + batch.offset[b];
                    score.data()[draw * batch.B + b] = walk(graph, string, tables, Draw(seed, draw, b), room,
                                                            state.data() + place, starts.data() + place);
                }
            };
        });
    }
    return {state.give(), starts.give(), score.give()};
}

template <class Real>
std::tuple<Out<std::int32_t>, Out<bool>, Out<double>, Out<std::int32_t>> kbest(IBIDEM_BATCH, int k, int threads) {
    const Batch<Real> batch(label, src, dst, final, span, arc, lengths, threads);
    require(k >= 1, "k must be at least 1");
    const std::size_t K = k;
    Result<std::int32_t> state({K, batch.N}, -1);
    Result<bool> starts({K, batch.N}, false);
    Result<double> score({K, static_cast<std::size_t>(batch.B)}, minus_infinity<double>);
    Result<std::int32_t> count({static_cast<std::size_t>(batch.B)}, 0);
    {
        nb::gil_scoped_release release;
        const Graph<Real> graph(batch.view, Need::scores);
        batch.for_strings([&] {
            return [&, tables = Tables<Real>()](int b) mutable {
                const String<Real> string = batch.string(b);
                if (string.T == 0) {
                    score.data()[b] = 0.0;
                    count.data()[b] = 1;
                    return;
                }
                forward<MaxSemiring>(graph, string, tables);
                BestFirst<Real> search(graph, string, tables, k);
                std::size_t row = 0;
                for (const auto& path : search.paths()) {
                    const std::size_t place = row * batch.N + batch.offset[b];
                    search.write(path, state.data() + place, starts.data() + place);
                    score.data()[row++ * batch.B + b] = path.score;
                }
                count.data()[b] = static_cast<std::int32_t>(row);
            };
        });
    }
    return {state.give(), starts.give(), score.give(), count.give()};
}

template <class Real>
Out<double> segment_masses(IBIDEM_BATCH, In<std::int32_t, 2> segments, In<bool, 2> first, In<bool, 2> inside,
                           int threads) {
    const Batch<Real> batch(label, src, dst, final, span, arc, lengths, threads);
    require_masks(batch, first, inside);
    require(segments.shape(1) == 4, "segments must be [M, 4]");
    for (const std::int32_t *each = segments.data(), *end = each + segments.size(); each != end; each += 4)
        require(each[0] >= 0 && each[0] < batch.B && each[1] >= 0 && each[1] < each[2] && each[2] <= lengths.data()[each[0]] &&
                    each[3] >= 0 && static_cast<std::size_t>(each[3]) < first.shape(0),
                "a segment must be (string, start, end, mask) within its string");
    const int M = static_cast<int>(segments.shape(0));
    const int masks = static_cast<int>(first.shape(0));
    Result<double> mass({static_cast<std::size_t>(M)}, minus_infinity<double>);
    {
        nb::gil_scoped_release release;
        const Graph<Real> graph(batch.view, Need::weights_both_ways);
        std::vector<std::vector<int>> wanted(batch.B);
        std::vector<std::unique_ptr<Mask<Real>>> mask(masks);
        for (int m = 0; m < M; ++m) {
            const int id = segments.data()[m * 4LL + 3];
            wanted[segments.data()[m * 4LL]].push_back(m);
            if (!mask[id])
                mask[id].reset(new Mask<Real>(graph, first.data() + static_cast<long long>(id) * graph.S,
                                              inside.data() + static_cast<long long>(id) * graph.S));
        }
        batch.for_strings([&] {
            return [&, tables = Tables<Real>(), shares = Shares<Real>(), here = std::vector<double>()](int b) mutable {
                if (wanted[b].empty()) return;
                const String<Real> string = batch.string(b);
                forward<LogSemiring>(graph, string, tables);
                const double log_z = log_total(graph, tables, string.T);
                if (log_z == minus_infinity<double>) return;
                share_credit<Real>(graph, string, tables, log_z, shares, nullptr, nullptr);
                for (const int m : wanted[b]) {
                    const std::int32_t* segment = segments.data() + m * 4LL;
                    mass.data()[m] = segment_mass(graph, tables, shares, *mask[segment[3]], string.T, segment[1],
                                                  segment[2], here);
                }
            };
        });
    }
    return mass.give();
}

template <class Real>
std::tuple<Out<double>, Out<double>, Out<std::int32_t>, Out<double>, Out<std::int32_t>, Out<double>> best_segments(
    IBIDEM_BATCH, In<bool, 2> first, In<bool, 2> inside, bool weigh, IBIDEM_LIMITS, int threads) {
    const Batch<Real> batch(label, src, dst, final, span, arc, lengths, threads);
    const Limits limits = make_limits(batch, coefficient, bound, penalty, iterations, several);
    require_masks(batch, first, inside);
    const int masks = static_cast<int>(first.shape(0));
    Result<double> score({static_cast<std::size_t>(batch.B)}, 0.0);
    Result<double> log_z({static_cast<std::size_t>(batch.B)}, 0.0);
    std::vector<std::vector<Segment>> found(batch.B);
    std::vector<std::vector<double>> multipliers(batch.B);
    {
        nb::gil_scoped_release release;
        const auto kept = KeptModel<Real>::of(batch.view, first.data(), inside.data(), masks);
        batch.for_lanes([&] {
            return [&, reader = kept->reader(), search = SoftSearch<Real>(kept->maxima(), limits, iterations, several)](
                       const String<Real>* strings, const int* number, int count) mutable {
                reader->read(strings, count, weigh, limits.C ? &search : nullptr,
                             [&](int i, double best, double total, auto& segments, auto& multiplier) {
                                 score.data()[number[i]] = best;
                                 log_z.data()[number[i]] = total;
                                 found[number[i]].swap(segments);
                                 multipliers[number[i]].swap(multiplier);
                             });
            };
        });
    }
    auto [segments, mass] = join_segments(found);
    auto reduced = sparse(multipliers);
    return {score.give(), log_z.give(), segments.give(), mass.give(), reduced.first.give(), reduced.second.give()};
}

template <class Real>
void define(nb::module_& m) {
    m.def("log_partition", &log_partition<Real>, IBIDEM_BATCH_NAMES, "threads"_a);
    m.def("marginals", &marginals<Real>, IBIDEM_BATCH_NAMES, "threads"_a);
    m.def("best", &best<Real>, IBIDEM_BATCH_NAMES, "threads"_a);
    m.def("soft_best", &soft_best<Real>, IBIDEM_BATCH_NAMES, IBIDEM_LIMITS_NAMES, "threads"_a);
    m.def("sample", &sample<Real>, IBIDEM_BATCH_NAMES, "seed"_a, "draws"_a, "threads"_a);
    m.def("kbest", &kbest<Real>, IBIDEM_BATCH_NAMES, "k"_a, "threads"_a);
    m.def("segment_mass", &segment_masses<Real>, IBIDEM_BATCH_NAMES, "segments"_a.noconvert(), "first"_a.noconvert(),
          "inside"_a.noconvert(), "threads"_a);
    m.def("best_segments", &best_segments<Real>, IBIDEM_BATCH_NAMES, "first"_a.noconvert(), "inside"_a.noconvert(),
          "weigh"_a, IBIDEM_LIMITS_NAMES, "threads"_a);
    m.def("emissions", &emissions<Real>, "rows"_a.noconvert(), "types"_a.noconvert(), "lengths"_a.noconvert(),
          "table"_a.noconvert(), "ids"_a.noconvert(), "threads"_a);
    m.def("packed_emissions", &packed_emissions<Real>, "rows"_a.noconvert(), "types"_a.noconvert(),
          "lengths"_a.noconvert(), "table"_a.noconvert(), "ids"_a.noconvert(), "steady"_a.noconvert(), "threads"_a);
    m.def("emissions_credit", &emissions_credit<Real>, "delta"_a.noconvert(), "types"_a.noconvert(),
          "lengths"_a.noconvert(), "rows_count"_a, "window"_a, "ids"_a.noconvert(), "table_count"_a, "threads"_a);
    m.def("span_scores", &span_scores<Real>, "token"_a.noconvert(), "lengths"_a.noconvert(), "limits"_a.noconvert(),
          "table"_a.noconvert(), "ids"_a.noconvert(), "longest"_a, "threads"_a);
    m.def("span_credit", &span_credit<Real>, "credit"_a.noconvert(), "lengths"_a.noconvert(), "roles"_a,
          "limits"_a.noconvert(), "table_count"_a, "ids"_a.noconvert());
    m.def("spans_anew", &spans_anew<Real>, "rows"_a.noconvert(), "types"_a.noconvert(), "lengths"_a.noconvert(),
          "table"_a.noconvert(), "ids"_a.noconvert(), "roles"_a, "limits"_a.noconvert(), "longest"_a, "threads"_a);
}

}  // namespace
}  // namespace ibidem

NB_MODULE(_kernels, m) {
    m.doc() = "The inner loops of Ibidem in C++; the NumPy reference implementations in the package specify them.";
    m.def("loops_in_use", [] { return std::string(ibidem::loops_in_use()); });
    m.def("tokenise", &ibidem::tokenise, "texts"_a, "classes"_a.noconvert());
    ibidem::define<float>(m);
    ibidem::define<double>(m);
    ibidem::bind_features(m);
    ibidem::bind_span_decoder(m);
    ibidem::bind_blocked_sampler(m);
    ibidem::bind_gibbs_sampler(m);
    ibidem::bind_linking(m);
}
