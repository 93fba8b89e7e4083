// Binds the blocked sampler of ibidem.order.
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "batch.hpp"
#include "order_bindings.hpp"
#include "order_blocked.hpp"

namespace ibidem {
namespace {

using namespace nb::literals;

#define IBIDEM_ORDER                                                                                                \
    In<std::int32_t, 1> words, In<std::int64_t, 1> starts, In<std::uint8_t, 1> element, In<double, 2> word,         \
        In<double, 1> word_total, In<double, 2> length, In<double, 1> length_total, In<double, 2> step,             \
        In<std::int32_t, 1> kind, In<double, 3> role
#define IBIDEM_ORDER_NAMES                                                                                          \
    "words"_a.noconvert(), "starts"_a.noconvert(), "element"_a.noconvert(), "word"_a.noconvert(),                   \
        "word_total"_a.noconvert(), "length"_a.noconvert(), "length_total"_a.noconvert(), "step"_a.noconvert(),     \
        "kind"_a.noconvert(), "role"_a.noconvert()
#define IBIDEM_ORDER_TABLES                                                                                         \
    {word.data(), word_total.data(), length.data(), length_total.data(), step.data(), kind.data(), role.data(),     \
     static_cast<int>(word.shape(1)), static_cast<int>(length.shape(1)) - 1, static_cast<int>(role.shape(0))}

constexpr int block = 256;  // citations that a thread takes at a time

Out<std::int64_t> given(const std::vector<std::int64_t>& values, std::initializer_list<std::size_t> shape) {
    Result<std::int64_t> result(shape, 0);
    std::copy(values.begin(), values.end(), result.data());
    return result.give();
}

// New elements [N], log-chances [D], and the counts of steps [K, 2^K], lengths [K, L + 1] and roles [C, K, 4]. A citation
// for which there is no way keeps 255 everywhere and counts for nothing; so does one without tokens.
std::tuple<Out<std::uint8_t>, Out<double>, Out<std::int64_t>, Out<std::int64_t>, Out<std::int64_t>> order_draw(
    IBIDEM_ORDER, std::uint64_t seed, std::uint64_t sweep, int threads) {
    const OrderTables tables = IBIDEM_ORDER_TABLES;
    const std::size_t D = starts.shape(0) - 1, K = tables.K;
    Result<std::uint8_t> drawn({words.shape(0)}, no_element);
    Result<double> log_z({D}, 0.0);
    OrderCounts total(tables);
    {
        nb::gil_scoped_release release;
        std::mutex guard;
        run_jobs(static_cast<int>((D + block - 1) / block), threads, [&] {
            return [&, order = BlockedOrder(tables)](int job) mutable {
                OrderCounts counts(tables);
                for (std::size_t d = static_cast<std::size_t>(job) * block; d < std::min(D, (job + std::size_t(1)) * block); ++d) {
                    const std::int64_t at = starts.data()[d];
                    const Citation citation{words.data() + at, element.data() + at, static_cast<int>(starts.data()[d + 1] - at)};
                    if (citation.T == 0) continue;
                    log_z.data()[d] = order.forward(citation);
                    if (log_z.data()[d] == minus_infinity<double>) continue;
                    Draw chance(seed, sweep, d);
                    order.draw(citation, chance, drawn.data() + at, counts);
                }
                const std::lock_guard<std::mutex> lock(guard);
                total.add(counts);
            };
        });
    }
    return {drawn.give(), log_z.give(), given(total.step, {K, std::size_t(1) << K}),
            given(total.length, {K, static_cast<std::size_t>(tables.L) + 1}),
            given(total.role, {static_cast<std::size_t>(tables.C), K, std::size_t(roles)})};
}

// The elements with the most tokens expected to be right [N], the chance of each [N], log-chances [D].
std::tuple<Out<std::uint8_t>, Out<float>, Out<double>> order_read(IBIDEM_ORDER, int threads) {
    const OrderTables tables = IBIDEM_ORDER_TABLES;
    const std::size_t D = starts.shape(0) - 1;
    Result<std::uint8_t> found({words.shape(0)}, no_element);
    Result<float> confidence({words.shape(0)}, 0.0f);
    Result<double> log_z({D}, 0.0);
    {
        nb::gil_scoped_release release;
        run_jobs(static_cast<int>((D + block - 1) / block), threads, [&] {
            return [&, order = BlockedOrder(tables)](int job) mutable {
                for (std::size_t d = static_cast<std::size_t>(job) * block; d < std::min(D, (job + std::size_t(1)) * block); ++d) {
                    const std::int64_t at = starts.data()[d];
                    const Citation citation{words.data() + at, element.data() + at, static_cast<int>(starts.data()[d + 1] - at)};
                    if (citation.T == 0) continue;
                    log_z.data()[d] = order.forward(citation);
                    if (log_z.data()[d] == minus_infinity<double>) continue;
                    const double* mass = order.marginals(citation);
                    order.read(citation.T, found.data() + at);
                    for (int i = 0; i < citation.T; ++i)
                        confidence.data()[at + i] = static_cast<float>(
                            std::min(1.0, std::max(0.0, mass[static_cast<std::size_t>(i) * tables.K + found.data()[at + i]])));
                }
            };
        });
    }
    return {found.give(), confidence.give(), log_z.give()};
}

}  // namespace

void bind_order_blocked(nb::module_& m) {
    m.def("order_draw", &order_draw, IBIDEM_ORDER_NAMES, "seed"_a, "sweep"_a, "threads"_a);
    m.def("order_read", &order_read, IBIDEM_ORDER_NAMES, "threads"_a);
}

}  // namespace ibidem
