// What the Python module does to decode semi-CRFs: arrays in, new arrays out.
#include "inference/bindings.hpp"

#include <nanobind/stl/tuple.h>

#include "inference/scores.hpp"
#include "inference/segmentation.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace ibidem {
namespace {

// What all strings share, from arrays that were checked.
template <class Real>
struct SpanTask {
    // [K, 2 Y]: which labels begin and continue each path, of first tokens and then of others
    std::unique_ptr<bool[]> first, inside;
    SegmentModel<Real> model;

    SpanTask(const AutomatonView<Real>& view, const std::int32_t* order, const std::int32_t* limits, int Y, int longest,
             const bool* begins, const bool* continues, const bool* inside_, const bool* joins, int K)
        : first(beside(begins, nullptr, K, Y)),
          inside(beside(continues, inside_, K, Y)),
          model(SpanLayout<Real>(view, order, limits, Y, longest), begins, continues, first.get(), inside.get(), joins,
                K) {}

  private:
    static std::unique_ptr<bool[]> beside(const bool* left, const bool* right, int K, int Y) {
        std::unique_ptr<bool[]> both(new bool[static_cast<std::size_t>(K) * 2 * Y]());
        for (int k = 0; k < K; ++k) {
            const std::size_t row = static_cast<std::size_t>(k) * Y;
            std::copy(left + row, left + row + Y, both.get() + 2 * row);
            if (right) std::copy(right + row, right + row + Y, both.get() + 2 * row + Y);
        }
        return both;
    }
};

void require_order(const In<std::int32_t, 1>& order, const In<std::int32_t, 1>& limits) {
    require(order.size() == limits.size() && order.size() > 0, "order and limits must be [Y], of a label or more");
    require_range("order", order, 0, static_cast<std::int64_t>(order.size()));
    require_range("limits", limits, 1, std::int64_t(1) << 31);
    std::vector<bool> seen(order.size(), false);
    for (std::size_t i = 0; i < order.size(); ++i) {
        require(!seen[order.data()[i]], "order must name every label once");
        seen[order.data()[i]] = true;
        require(i == 0 || limits.data()[order.data()[i]] <= limits.data()[order.data()[i - 1]],
                "order must be by falling limits");
    }
}

// The fields on the best path of each string: scores, log-partitions, segments (string, start, end, path), their
// log-probabilities, and of each string whether all this is sure. Of a string that is not sure there are none.
template <class Real>
std::tuple<Out<double>, Out<double>, Out<std::int32_t>, Out<double>, Out<bool>> decode_spans(
    In<std::int32_t, 1> label, In<std::int32_t, 1> src, In<std::int32_t, 1> dst, In<bool, 1> final, In<Real, 1> arc,
    In<std::int32_t, 1> lengths, In<Real, 3> token, In<std::int32_t, 1> limits, In<std::int32_t, 1> order,
    In<Real, 2> table, In<std::int32_t, 2> ids, int longest, In<bool, 2> begins, In<bool, 2> continues,
    In<bool, 2> inside, In<bool, 1> joins, bool weigh, int threads) {
    const std::size_t Y = token.shape(2), K = begins.shape(0), S = label.size(), B = lengths.size();
    require_order(order, limits);
    require_spans(lengths, token.shape(0), token.shape(1), Y, longest, limits, ids);
    require(table.shape(1) == Y && joins.size() == Y, "the table must be as wide as the scores, joins [Y]");
    for (const auto* mask : {&begins, &continues, &inside})
        require(mask->shape(0) == K && mask->shape(1) == Y, "begins, continues and inside must be [K, Y]");
    require(S > 0 && final.size() == S && dst.size() == src.size() && arc.size() == src.size(),
            "label and final must be of one size, above 0, and src, dst and arc");
    require_range("label", label, 0, Y);
    require_range("src", src, -1, S);
    require_range("dst", dst, 0, S);
    require_scores("token", token);
    require_scores("table", table);
    require_scores("arc", arc);
    require_threads(threads);
    int reach = 1;  // no span is longer than the longest string
    for (std::size_t b = 0; b < B; ++b) reach = std::max(reach, lengths.data()[b]);
    reach = std::min(reach, longest);
    Result<double> score({B}, 0.0), log_z({B}, 0.0);
    Result<bool> sure({B}, false);
    std::vector<std::vector<Segment>> found(B);
    {
        nb::gil_scoped_release release;
        const AutomatonView<Real> view{label.data(), src.data(), dst.data(), final.data(), arc.data(),
                                       static_cast<int>(S), static_cast<int>(src.size())};
        const SpanTask<Real> task(view, order.data(), limits.data(), static_cast<int>(Y), reach, begins.data(),
                                  continues.data(), inside.data(), joins.data(), static_cast<int>(K));
        const SpanShape shape(static_cast<int>(token.shape(1)), static_cast<int>(Y), longest,
                              static_cast<int>(ids.shape(1)), limits.data(), ids.data(), lengths.data(),
                              static_cast<int>(B));
        std::vector<std::int64_t> offset(B + 1, 0);
        for (std::size_t b = 0; b < B; ++b) offset[b + 1] = offset[b] + lengths.data()[b];
        run_jobs(static_cast<int>(B), threads, [&] {
            return [&, reader = SegmentReader<Real>(task.model)](int b) mutable {
                if (!reader.read(shape, token.data(), table.data(), table.shape(0), offset[b], lengths.data()[b],
                                 weigh))
                    return;
                sure.data()[b] = true;
                score.data()[b] = reader.score;
                log_z.data()[b] = reader.log_z;
                found[b].swap(reader.found);
            };
        });
    }
    auto [segments, mass] = join_segments(found);
    return {score.give(), log_z.give(), segments.give(), mass.give(), sure.give()};
}

template <class Real>
void define(nb::module_& m) {
    m.def("decode_spans", &decode_spans<Real>, "label"_a.noconvert(), "src"_a.noconvert(), "dst"_a.noconvert(),
          "final"_a.noconvert(), "arc"_a.noconvert(), "lengths"_a.noconvert(), "token"_a.noconvert(),
          "limits"_a.noconvert(), "order"_a.noconvert(), "table"_a.noconvert(), "ids"_a.noconvert(), "longest"_a,
          "begins"_a.noconvert(), "continues"_a.noconvert(), "inside"_a.noconvert(), "joins"_a.noconvert(), "weigh"_a,
          "threads"_a);
}

}  // namespace

void bind_span_decoder(nb::module_& m) {
    define<float>(m);
    define<double>(m);
}

}  // namespace ibidem
