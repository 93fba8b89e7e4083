// What the Python module does with features: arrays in, new arrays out.
#include "features/bindings.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "batch.hpp"
#include "features/segments.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace ibidem {
namespace {

void add_phrases(nb::list& found, nb::list phrase_sets, std::int64_t codes) {
    for (nb::handle name : phrase_sets) {
        if (!nb::isinstance<nb::str>(name)) throw nb::type_error("the name of a set of phrases must be a string");
        found.append(nb::make_tuple(nb::str("phrase/") + nb::borrow<nb::str>(name), codes));
    }
}

PhraseSets phrase_sets_of(const In<std::uint8_t, 1>& filter, const In<std::uint32_t, 1>& hashes,
                                 const In<std::int64_t, 1>& hash_begin) {
    const std::size_t size = filter.size();
    require(hash_begin.size() > 0, "the tables of features are not those of the kernel");
    require(size > 0 && (size & (size - 1)) == 0 && size <= std::size_t(1) << 29,
            "the size of the filter must be a power of two");
    int leading_bits = 3;
    while ((std::size_t(1) << (leading_bits - 2)) <= size) ++leading_bits;
    require_starts(hash_begin, hashes.size());
    return {filter.data(), leading_bits, hashes.data(), hash_begin.data(), static_cast<int>(hash_begin.shape(0)) - 1};
}

void require_classes(const Traits& token) {
    for (const std::int64_t each : {token.token_class, token.head, token.tail})
        require(each >= 0 && each < classes, "a class of a token, or of its head or tail, is none");
}

// The names and numbers of codes of the features of context that the kernel has, in its order.
nb::list context_features(nb::list phrase_sets) {
    nb::list found;
    const auto add = [&](const std::string& family, const auto& features) {
        for (const ContextFeature& feature : features) found.append(nb::make_tuple(family + feature.name, feature.size));
    };
    add("", token_features);
    add("fine/", chunk_features);
    add("coarse/", chunk_features);
    add("style/", style_features);
    add_phrases(found, phrase_sets, phrase_codes);
    return found;
}

// Tables of all features of the kernel: where the rows of each go, and what row each of its codes has.
void require_tables(int phrase_sets, const In<std::int64_t, 2>& traits, const In<std::int32_t, 1>& known,
                    const In<std::int64_t, 1>& known_begin, const In<std::int32_t, 1>& column, int columns) {
    const std::vector<std::int64_t> sizes = feature_sizes(phrase_sets);
    require(traits.shape(1) == sizeof(Traits) / sizeof(std::int64_t) && column.size() == sizes.size() &&
                known_begin.size() == sizes.size() + 1,
            "the tables of context features are not those of the kernel");
    require_range("column", column, -1, columns);
    require_starts(known_begin, known.size());
    for (std::size_t f = 0; f < sizes.size(); ++f)
        require(column.data()[f] < 0 || known_begin.data()[f + 1] - known_begin.data()[f] >= sizes[f],
                "a context feature has fewer rows than codes");
}

// The rows of the weights that each token switches on [N, F], -1 for none, and the indices into `known` of those not
// written out yet. `column` says for each feature of `context_features` where its rows go, -1 for nowhere.
std::tuple<Out<std::int32_t>, Out<std::int64_t>> context_rows(
    In<std::int32_t, 1> lengths, In<bool, 1> space_before, In<std::int64_t, 2> traits, In<std::int32_t, 1> types,
    In<std::uint8_t, 1> filter, In<std::uint32_t, 1> hashes, In<std::int64_t, 1> hash_begin, In<std::int32_t, 1> known,
    In<std::int64_t, 1> known_begin, In<std::int32_t, 1> column, int columns) {
    require(columns >= 0, "the tables of context features are not those of the kernel");
    const std::size_t F = columns;
    const PhraseSets phrases = phrase_sets_of(filter, hashes, hash_begin);
    require_tables(phrases.sets, traits, known, known_begin, column, columns);
    require(space_before.size() == types.size(), "space_before and types must be of one size");
    require_lengths(lengths, types.size());
    require_range("types", types, 0, static_cast<std::int64_t>(traits.shape(0)));
    Result<std::int32_t> rows({types.shape(0), F}, -1);
    KnownCodes codes(known.data(), known_begin.data());
    {
        nb::gil_scoped_release release;
        std::vector<const Traits*> token(types.shape(0));
        const auto* table = reinterpret_cast<const Traits*>(traits.data());
        for (std::size_t t = 0; t < token.size(); ++t) {
            token[t] = table + types.data()[t];
            require_classes(*token[t]);
        }
        ContextFeatures context(phrases, codes, column.data(), F);
        std::size_t begin = 0;
        for (std::size_t b = 0; b < lengths.shape(0); begin += lengths.data()[b++])
            context.compute(token.data() + begin, space_before.data() + begin, lengths.data()[b],
                            rows.data() + begin * F);
        std::sort(codes.missing.begin(), codes.missing.end());
        codes.missing.erase(std::unique(codes.missing.begin(), codes.missing.end()), codes.missing.end());
    }
    return {rows.give(), copied(codes.missing).give()};
}

// The names and numbers of codes of the features of segments that the kernel has, in its order.
nb::list segment_feature_sizes(nb::list phrase_sets) {
    nb::list found;
    for (const ContextFeature& feature : segment_features)
        found.append(nb::make_tuple(std::string(feature.name), feature.size));
    add_phrases(found, phrase_sets, longest_phrase + 1);
    return found;
}

// The rows of the weights of every span of up to `longest` tokens [M, F], by their first tokens and then their lengths.
// `column` and `first` say for each of `segment_features` where its rows go, -1 for nowhere, and the row of its code 0.
Out<std::int32_t> segment_rows(In<std::int32_t, 1> lengths, In<bool, 1> space_before, In<std::int64_t, 2> traits,
                                      In<std::uint8_t, 1> filter, In<std::uint32_t, 1> hashes,
                                      In<std::int64_t, 1> hash_begin, In<std::int32_t, 1> column,
                                      In<std::int32_t, 1> first, int columns, int longest) {
    const PhraseSets phrases = phrase_sets_of(filter, hashes, hash_begin);
    const std::size_t N = traits.shape(0), features = segment_feature_count + phrases.sets;
    require(traits.shape(1) == sizeof(Traits) / sizeof(std::int64_t) && space_before.size() == N,
            "traits must be [N, 6], space_before [N]");
    require(columns >= 0 && longest >= 1 && column.size() == features && first.size() == features,
            "the tables of features of segments are not those of the kernel");
    require_range("column", column, -1, columns);
    require_range("first", first, 0, 1 << 30);
    require_lengths(lengths, N);
    std::size_t spans = 0;
    for (std::size_t b = 0; b < lengths.size(); ++b) spans += count_spans(lengths.data()[b], longest);
    Result<std::int32_t> rows({spans, static_cast<std::size_t>(columns)}, -1);
    {
        nb::gil_scoped_release release;
        std::vector<const Traits*> token(N);
        for (std::size_t t = 0; t < N; ++t) {
            token[t] = reinterpret_cast<const Traits*>(traits.data()) + t;
            require_classes(*token[t]);
        }
        SegmentFeatures found(phrases);
        std::size_t begin = 0;
        std::int32_t* next = rows.data();
        for (std::size_t b = 0; b < lengths.size(); begin += lengths.data()[b++]) {
            const int T = lengths.data()[b];
            found.compute(token.data() + begin, space_before.data() + begin, T, std::min(T, longest), column.data(),
                          first.data(), columns, next);
            next += count_spans(T, longest) * columns;
        }
    }
    return rows.give();
}

}  // namespace

void bind_features(nb::module_& m) {
    m.def("context_features", &context_features, "phrase_sets"_a);
    m.def("context_rows", &context_rows, "lengths"_a.noconvert(), "space_before"_a.noconvert(),
          "traits"_a.noconvert(), "types"_a.noconvert(), "filter"_a.noconvert(), "hashes"_a.noconvert(),
          "hash_begin"_a.noconvert(), "known"_a.noconvert(), "known_begin"_a.noconvert(), "column"_a.noconvert(),
          "columns"_a);
    m.def("segment_features", &segment_feature_sizes, "phrase_sets"_a);
    m.def("segment_rows", &segment_rows, "lengths"_a.noconvert(), "space_before"_a.noconvert(),
          "traits"_a.noconvert(), "filter"_a.noconvert(), "hashes"_a.noconvert(), "hash_begin"_a.noconvert(),
          "column"_a.noconvert(), "first"_a.noconvert(), "columns"_a, "longest"_a);
}

}  // namespace ibidem
