// What the Python module does with scores of tokens and of spans: arrays in, new arrays out.
#pragma once

#include <tuple>

#include "batch.hpp"
#include "inference/decoding.hpp"
#include "inference/spans.hpp"

namespace ibidem {

// (string, start, end, mask) [M, 4] and log-probability [M] of the segments of all strings.
inline std::pair<Result<std::int32_t>, Result<double>> join_segments(const std::vector<std::vector<Segment>>& found) {
    std::size_t M = 0;
    for (const auto& each : found) M += each.size();
    Result<std::int32_t> segments({M, 4}, 0);
    Result<double> mass({M}, 0.0);
    std::int32_t* row = segments.data();
    double* log_probability = mass.data();
    for (std::size_t b = 0; b < found.size(); ++b)
        for (const Segment& segment : found[b]) {
            *row++ = static_cast<std::int32_t>(b);
            *row++ = segment.start;
            *row++ = segment.end;
            *row++ = segment.mask;
            *log_probability++ = segment.mass;
        }
    return {std::move(segments), std::move(mass)};
}

// make_worker() gives a function of where the tokens of a string begin and end.
template <class MakeWorker>
void for_emissions(const In<std::int32_t, 1>& lengths, int threads, const MakeWorker& make_worker) {
    require_threads(threads);
    nb::gil_scoped_release release;
    const int B = static_cast<int>(lengths.shape(0));
    std::vector<std::int64_t> offset(B + 1, 0);
    for (int b = 0; b < B; ++b) offset[b + 1] = offset[b] + lengths.data()[b];
    const int blocks = std::min(B, 64);
    run_jobs(blocks, threads, [&] {
        return [&, worker = make_worker()](int block) mutable {
            const int last = static_cast<int>((block + 1LL) * B / blocks);
            for (int b = static_cast<int>(static_cast<long long>(block) * B / blocks); b < last; ++b)
                worker(offset[b], offset[b + 1]);
        };
    });
}

template <class Real>
Tokens tokens_of(const In<Real, 3>& rows, const In<std::int32_t, 1>& types, const In<std::int32_t, 2>& ids) {
    return {types.data(), ids.data(), static_cast<int>(ids.shape(1)), static_cast<int>(rows.shape(1)),
            static_cast<int>(rows.shape(2))};
}

// Tokens of strings, whose types are rows of the one array and whose ids are rows of the other.
inline void require_tokens(const In<std::int32_t, 1>& types, const In<std::int32_t, 1>& lengths,
                           const In<std::int32_t, 2>& ids, std::size_t rows, std::size_t window, std::size_t table) {
    require(window % 2 == 1, "the window must be odd");
    require(ids.shape(0) == types.size(), "ids must have a row for each token");
    require_lengths(lengths, types.size());
    require_range("types", types, -1, static_cast<std::int64_t>(rows));
    require_range("ids", ids, -1, static_cast<std::int64_t>(table));
}

template <class Real>
Out<Real> emissions(In<Real, 3> rows, In<std::int32_t, 1> types, In<std::int32_t, 1> lengths, In<Real, 2> table,
                    In<std::int32_t, 2> ids, int threads) {
    require_tokens(types, lengths, ids, rows.shape(0), rows.shape(1), table.shape(0));
    require(table.shape(1) == rows.shape(2), "the table must be as wide as the rows");
    const Tokens tokens = tokens_of(rows, types, ids);
    Result<Real> out({types.shape(0), rows.shape(2)}, Real(0));
    for_emissions(lengths, threads, [&] {
        return [&](std::int64_t begin, std::int64_t end) {
            add_emissions(tokens, rows.data(), table.data(), begin, end, out.data());
        };
    });
    return out.give();
}

template <class Real>
Out<Real> packed_emissions(In<Real, 3> rows, In<std::int32_t, 1> types, In<std::int32_t, 1> lengths,
                           In<std::int8_t, 2> table, In<std::int32_t, 2> ids,
                           In<std::int32_t, 2> steady, int threads) {
    require_tokens(types, lengths, ids, rows.shape(0), rows.shape(1), table.shape(0));
    require(table.shape(1) >= rows.shape(2) + sizeof(float), "a row of the table must have room for its scale");
    require(steady.shape(1) == 2, "steady must be [G, 2]");
    std::int64_t before = 0;
    for (std::size_t i = 0; i < steady.size(); before = steady.data()[i++])
        require(steady.data()[i] >= before && steady.data()[i] <= static_cast<std::int64_t>(ids.shape(1)),
                "the steady ranges must be columns of ids, in order");
    const Tokens tokens = tokens_of(rows, types, ids);
    Result<Real> out({types.shape(0), rows.shape(2)}, Real(0));
    for_emissions(lengths, threads, [&] {
        return [&, packed = PackedEmissions<Real>(tokens, rows.data(), table.data(),
                                                  static_cast<std::int64_t>(table.shape(1)), steady.data(),
                                                  static_cast<int>(steady.shape(0)))](
                   std::int64_t begin, std::int64_t end) mutable { packed.add(begin, end, out.data()); };
    });
    return out.give();
}

template <class Real>
std::tuple<Out<Real>, Out<Real>> emissions_credit(In<Real, 2> delta, In<std::int32_t, 1> types,
                                                  In<std::int32_t, 1> lengths, int rows_count, int window,
                                                  In<std::int32_t, 2> ids, int table_count, int threads) {
    require(rows_count >= 0 && window >= 1 && table_count >= 0, "numbers of rows must not be below 0");
    require_tokens(types, lengths, ids, rows_count, window, table_count);
    require(delta.shape(0) == types.size(), "delta must have a row for each token");
    require_threads(threads);
    const int Y = static_cast<int>(delta.shape(1));
    const Tokens tokens{types.data(), ids.data(), static_cast<int>(ids.shape(1)), window, Y};
    Result<Real> rows({static_cast<std::size_t>(rows_count), static_cast<std::size_t>(window), delta.shape(1)}, Real(0));
    Result<Real> table({static_cast<std::size_t>(table_count), delta.shape(1)}, Real(0));
    {
        nb::gil_scoped_release release;
        // A job is one window offset, or 32 labels of the table: every sum is made by one thread, in one order.
        constexpr int block = 32;
        const int jobs = window + (Y + block - 1) / block;
        run_jobs(jobs, threads, [&] {
            return [&](int job) {
                if (job >= window) {
                    const int from = (job - window) * block;
                    add_table_credit(tokens, delta.data(), static_cast<std::int64_t>(types.shape(0)), from,
                                     std::min(Y, from + block), table.data());
                    return;
                }
                std::int64_t begin = 0;
                for (std::size_t b = 0; b < lengths.shape(0); ++b) {
                    add_row_credit(tokens, delta.data(), begin, begin + lengths.data()[b], job, rows.data());
                    begin += lengths.data()[b];
                }
            };
        });
    }
    return {rows.give(), table.give()};
}

// Spans of up to `longest` tokens: limits [Y], and where the ids have columns a row for each span. What the ids are is still
// to be checked.
inline void require_spans(const In<std::int32_t, 1>& lengths, std::size_t tokens, std::size_t roles, std::size_t labels,
                          std::int64_t longest, const In<std::int32_t, 1>& limits, const In<std::int32_t, 2>& ids) {
    require(roles >= 1 && roles <= 3 && longest >= 1, "roles must be from 1 to 3, the longest span at least 1");
    require(limits.size() == labels, "there must be a limit for each label");
    require_lengths(lengths, tokens);
    std::int64_t spans = 0;
    for (std::size_t b = 0; b < lengths.size(); ++b) {
        const std::int64_t length = lengths.data()[b], reach = std::min(length, longest);
        spans += reach * (reach + 1) / 2 + (length - reach) * longest;
    }
    require(ids.shape(1) == 0 || ids.shape(0) == static_cast<std::size_t>(spans), "ids must have a row for each span");
}

template <class Real>
Out<Real> span_scores(In<Real, 3> token, In<std::int32_t, 1> lengths, In<std::int32_t, 1> limits, In<Real, 2> table,
                      In<std::int32_t, 2> ids, int longest, int threads) {
    require_spans(lengths, token.shape(0), token.shape(1), token.shape(2), longest, limits, ids);
    require_range("ids", ids, -1, table.shape(0));
    require(table.shape(1) == token.shape(2), "the table must be as wide as the scores");
    const SpanShape shape(static_cast<int>(token.shape(1)), static_cast<int>(token.shape(2)), longest,
                          static_cast<int>(ids.shape(1)), limits.data(), ids.data(), lengths.data(),
                          static_cast<int>(lengths.shape(0)));
    Result<Real> out({token.shape(0), static_cast<std::size_t>(longest), token.shape(2)}, minus_infinity<Real>);
    for_emissions(lengths, threads, [&] {
        return [&](std::int64_t begin, std::int64_t end) {
            put_span_scores(shape, token.data(), table.data(), begin, end, out.data());
        };
    });
    return out.give();
}

template <class Real>
std::tuple<Out<Real>, Out<Real>> span_credit(In<Real, 3> counts, In<std::int32_t, 1> lengths, int roles,
                                             In<std::int32_t, 1> limits, int table_count, In<std::int32_t, 2> ids) {
    require(roles >= 1 && table_count >= 0, "numbers of roles and rows must not be below 0");
    require_spans(lengths, counts.shape(0), roles, counts.shape(2), counts.shape(1), limits, ids);
    require_range("ids", ids, -1, table_count);
    const SpanShape shape(roles, static_cast<int>(counts.shape(2)), static_cast<int>(counts.shape(1)),
                          static_cast<int>(ids.shape(1)), limits.data(), ids.data(), lengths.data(),
                          static_cast<int>(lengths.shape(0)));
    Result<Real> token({counts.shape(0), static_cast<std::size_t>(roles), counts.shape(2)}, Real(0));
    Result<Real> table({static_cast<std::size_t>(table_count), counts.shape(2)}, Real(0));
    for_emissions(lengths, 1, [&] {  // one thread: the strings share the table
        return [&](std::int64_t begin, std::int64_t end) {
            put_span_credit(shape, counts.data(), begin, end, token.data(), table.data());
        };
    });
    return {token.give(), table.give()};
}

template <class Real>
Out<Real> spans_anew(In<Real, 3> rows, In<std::int32_t, 1> types, In<std::int32_t, 1> lengths, In<Real, 2> table,
                     In<std::int32_t, 2> ids, int roles, In<std::int32_t, 1> limits, int longest, int threads) {
    require_tokens(types, lengths, ids, rows.shape(0), rows.shape(1), table.shape(0));
    require(roles >= 1 && roles <= 3 && longest >= 1 && rows.shape(2) % roles == 0 && table.shape(1) == rows.shape(2) &&
                limits.size() == rows.shape(2) / roles,
            "rows and table must be as wide as there are roles and labels");
    const Tokens tokens = tokens_of(rows, types, ids);
    const SpanShape shape(roles, tokens.Y / roles, longest, 0, limits.data(), nullptr, nullptr, 0);
    Result<Real> out({types.shape(0), static_cast<std::size_t>(longest), static_cast<std::size_t>(shape.Y)}, Real(0));
    for_emissions(lengths, threads, [&] {
        return [&](std::int64_t begin, std::int64_t end) {
            put_spans_anew(shape, tokens, rows.data(), table.data(), begin, end, out.data());
        };
    });
    return out.give();
}

}  // namespace ibidem
