// Bindings of the loops over pairs of references.
#include "linking/similarity.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>
#include <utility>

#include "linking/bindings.hpp"
#include "linking/venues.hpp"

namespace ibidem {
namespace {

using namespace nb::literals;
using Rows = In<std::int64_t, 1>;

void require_pairs(const Rows& left, const Rows& right, std::size_t rows) {
    require(left.size() == right.size(), "left and right must have the same length");
    require_range("left", left, 0, static_cast<std::int64_t>(rows));
    require_range("right", right, 0, static_cast<std::int64_t>(rows));
}

// [scorers, pairs]; scorers 0, 1, 2 compare the strings, their sorted words and their sets of words.
Out<float> edit_ratios(nb::list texts, Rows left, Rows right, In<std::int32_t, 1> scorers, std::size_t longest) {
    const Texts held(texts, longest);
    require_pairs(left, right, held.size());
    require_range("scorers", scorers, 0, 3);
    const std::size_t P = left.shape(0);
    Result<float> found({scorers.shape(0), P}, 0.0f);
    {
        nb::gil_scoped_release release;
        SortedWords words;
        const auto* last = scorers.data() + scorers.shape(0);
        if (std::any_of(scorers.data(), last, [](std::int32_t scorer) { return scorer != 0; })) words.read(held);
        Edits edits;
        for (std::size_t p = 0; p < P; ++p) {
            const std::int64_t one = left.data()[p], other = right.data()[p];
            if (!held[one].size || !held[other].size) continue;
            for (std::size_t s = 0; s < scorers.shape(0); ++s) {
                const double value = scorers.data()[s] == 0   ? edits.ratio(held[one], held[other])
                                     : scorers.data()[s] == 1 ? edits.ratio(words.joined(one), words.joined(other))
                                                              : edits.of_sets(words, one, other);
                found.data()[s * P + p] = static_cast<float>(value) / 100.0f;
            }
        }
    }
    return found.give();
}

Out<float> ngram_cosines(nb::list texts, Rows left, Rows right, std::size_t longest) {
    const Texts held(texts, longest);
    require_pairs(left, right, held.size());
    Result<float> found({left.shape(0)}, 0.0f);
    {
        nb::gil_scoped_release release;
        Ngrams ngrams(held);
        for (std::size_t p = 0; p < left.shape(0); ++p) {
            if (!held[left.data()[p]].size || !held[right.data()[p]].size) continue;
            ngrams.choose(left.data()[p]);
            found.data()[p] = std::min(1.0f, static_cast<float>(ngrams.cosine(right.data()[p])));
        }
    }
    return found.give();
}

Out<float> abbreviations(nb::list names, Rows left, Rows right) {
    const Texts held(names, ~std::size_t(0));
    require_pairs(left, right, held.size());
    Result<float> found({left.shape(0)}, 0.0f);
    {
        nb::gil_scoped_release release;
        const VenueNames venues(held);
        for (std::size_t p = 0; p < left.shape(0); ++p)
            found.data()[p] = static_cast<float>(venues.abbreviated(left.data()[p], right.data()[p]));
    }
    return found.give();
}

// The numbers of all words, how many each string has, and the different words in alphabetical order.
std::tuple<Out<std::int32_t>, Out<std::int32_t>, nb::list> number_words(nb::list texts) {
    Result<std::int32_t> lengths({texts.size()}, 0);
    Characters characters;
    const auto each_word = [&](std::size_t row, const auto& visit) {
        const nb::object text = texts[row];
        const std::uint32_t* codes = characters.of(text);
        for_words({codes, static_cast<std::size_t>(characters.size())}, visit);
    };
    std::size_t count = 0;  // counted first, so that the array has the right size
    for (std::size_t row = 0; row < texts.size(); count += lengths.data()[row++])
        each_word(row, [&](Span) { ++lengths.data()[row]; });
    Result<std::int32_t> numbers({count}, 0);
    WordNumbers words;
    std::int32_t* next = numbers.data();
    for (std::size_t row = 0; row < texts.size(); ++row) each_word(row, [&](Span word) { *next++ = words.of(word); });
    std::vector<std::pair<Word, std::int32_t>> order;
    for (std::size_t k = 0; k < words.size(); ++k) order.emplace_back(Word(words[k]), static_cast<std::int32_t>(k));
    std::sort(order.begin(), order.end(), [](const auto& one, const auto& other) { return one.first < other.first; });
    std::vector<std::int32_t> rank(words.size());
    nb::list different;
    for (std::size_t k = 0; k < order.size(); ++k) {
        rank[order[k].second] = static_cast<std::int32_t>(k);
        const Span word = order[k].first.span;
        int native = 0;
        PyObject* made = PyUnicode_DecodeUTF32(reinterpret_cast<const char*>(word.data),
                                               static_cast<Py_ssize_t>(word.size * 4), "surrogatepass", &native);
        if (!made) throw nb::python_error();
        different.append(nb::steal(made));
    }
    for (std::int32_t* number = numbers.data(); number != next; ++number) *number = rank[*number];
    return {numbers.give(), lengths.give(), different};
}

#define IBIDEM_SPARSE In<std::int32_t, 1> begin, In<std::int32_t, 1> columns, In<float, 1> values
#define IBIDEM_SPARSE_NAMES "begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert()

// Columns within `width` that ascend in each row, a value for each.
void require_matrix(IBIDEM_SPARSE, std::int64_t width) {
    require(columns.size() == values.size(), "columns and values must have the same length");
    require_starts(begin, columns.size());
    require_range("columns", columns, 0, width);
    for (std::size_t row = 0; row + 1 < begin.size(); ++row)
        for (std::int32_t k = begin.data()[row] + 1; k < begin.data()[row + 1]; ++k)
            require(columns.data()[k - 1] < columns.data()[k], "the columns of a row must ascend");
}

Out<float> row_products(IBIDEM_SPARSE, Rows left, Rows right) {
    require_matrix(begin, columns, values, std::int64_t(1) << 31);
    require_pairs(left, right, begin.shape(0) - 1);
    const SparseRows rows{begin.data(), columns.data(), values.data()};
    Result<float> found({left.shape(0)}, 0.0f);
    {
        nb::gil_scoped_release release;
        const auto nothing = [](std::int32_t) {};
        for (std::size_t p = 0; p < left.shape(0); ++p) {
            double total = 0;
            rows.merge(
                left.data()[p], right.data()[p],
                [&](std::int32_t k, std::int32_t l) { total += static_cast<double>(rows.value[k] * rows.value[l]); },
                nothing, nothing);
            found.data()[p] = static_cast<float>(total);
        }
    }
    return found.give();
}

// The row products, and all pairs of columns of the same class that only the left or the right row has: the pair of rows,
// the index of the left column among all unshared left columns, the two columns, and the product of their values.
std::tuple<Out<double>, Out<std::int32_t>, Out<std::int32_t>, Out<std::int32_t>, Out<std::int32_t>, Out<float>> unshared(
    IBIDEM_SPARSE, In<std::int32_t, 1> classes, Rows left, Rows right, std::size_t most) {
    require_matrix(begin, columns, values, static_cast<std::int64_t>(classes.size()));
    require_pairs(left, right, begin.shape(0) - 1);
    const SparseRows rows{begin.data(), columns.data(), values.data()};
    Result<double> products({left.shape(0)}, 0.0);
    std::vector<std::int32_t> pairs, singles, ones, others;
    std::vector<float> weights;
    {
        nb::gil_scoped_release release;
        std::vector<std::int32_t> mine, theirs;
        std::int32_t single = 0;
        for (std::size_t p = 0; p < left.shape(0); ++p) {
            double total = 0;
            mine.clear(), theirs.clear();
            rows.merge(
                left.data()[p], right.data()[p],
                [&](std::int32_t k, std::int32_t l) { total += static_cast<double>(rows.value[k] * rows.value[l]); },
                [&](std::int32_t k) { mine.push_back(k); }, [&](std::int32_t l) { theirs.push_back(l); });
            products.data()[p] = total;
            mine.resize(std::min(mine.size(), most));
            theirs.resize(std::min(theirs.size(), most));
            for (const std::int32_t k : mine) {
                for (const std::int32_t l : theirs) {
                    if (classes.data()[rows.column[k]] != classes.data()[rows.column[l]]) continue;
                    pairs.push_back(static_cast<std::int32_t>(p));
                    singles.push_back(single);
                    ones.push_back(rows.column[k]);
                    others.push_back(rows.column[l]);
                    weights.push_back(rows.value[k] * rows.value[l]);
                }
                ++single;
            }
        }
    }
    return {products.give(),       copied(pairs).give(),  copied(singles).give(),
            copied(ones).give(), copied(others).give(), copied(weights).give()};
}

}  // namespace

void bind_linking(nb::module_& m) {
    m.def("edit_ratios", &edit_ratios, "texts"_a, "left"_a.noconvert(), "right"_a.noconvert(), "scorers"_a.noconvert(),
          "longest"_a);
    m.def("ngram_cosines", &ngram_cosines, "texts"_a, "left"_a.noconvert(), "right"_a.noconvert(), "longest"_a);
    m.def("abbreviations", &abbreviations, "names"_a, "left"_a.noconvert(), "right"_a.noconvert());
    m.def("number_words", &number_words, "texts"_a);
    m.def("row_products", &row_products, IBIDEM_SPARSE_NAMES, "left"_a.noconvert(), "right"_a.noconvert());
    m.def("unshared", &unshared, IBIDEM_SPARSE_NAMES, "classes"_a.noconvert(), "left"_a.noconvert(),
          "right"_a.noconvert(), "most"_a);
}

}  // namespace ibidem
