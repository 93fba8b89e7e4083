// Features of context of references, one string after the other; the NumPy code of ibidem.features defines them.
//
// Every feature gives a code for every token, and a table says which row of the weights belongs to a code. A model
// names the features that it uses; those that are not here are computed by their definitions in Python.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "prefetch.hpp"

namespace ibidem {

// In the order of ibidem.features.token_class.TOKEN_CLASSES.
enum TokenClass : std::int64_t {
    outside, lower_case, capitalised, upper_case, mixed_case, initial, year, number1, number3, code_like, comma, stop,
    colon, semicolon, opening_bracket, closing_bracket, quotation, dash, slash, symbol, and_word, in_word, page, volume,
    issue, editor, month, link_like, function_word, ideograph, work, etal, classes
};

// In the order of ibidem.features.batch.TRAITS.
struct Traits {
    std::int64_t token_class, head, tail, statistics, word, wordlike;
};

// The sets of phrases: sorted hashes, and which leading bits some of them have.
struct PhraseSets {
    const std::uint8_t* filter;  // eight flags in each, lowest first
    int leading_bits;            // 8 times the size of the filter is a power of two, this one
    const std::uint32_t* hashes;  // of all sets, one after the other
    const std::int64_t* begin;    // [sets + 1]
    int sets;

    bool may_have(std::uint32_t hash) const {
        const std::uint32_t leading = hash >> (32 - leading_bits);
        return filter[leading >> 3] >> (leading & 7) & 1;
    }
    void expect(std::uint32_t hash) const { prefetch(filter + (hash >> (32 - leading_bits) >> 3)); }
    bool has(int set, std::uint32_t hash) const {
        return std::binary_search(hashes + begin[set], hashes + begin[set + 1], hash);
    }
};

constexpr std::uint64_t mixing = 0x9E3779B97F4A7C15ull;

template <class... Parts>
inline std::int64_t hash_codes(int bits, Parts... parts) {
    std::uint64_t state = 0x2545F4914F6CDD1Dull;
    const std::uint64_t values[] = {static_cast<std::uint64_t>(parts)...};
    for (const std::uint64_t value : values) {
        state = (state ^ value) * mixing;
        state ^= state >> 31;
    }
    return static_cast<std::int64_t>(state >> (64 - bits));
}

// How many of the bounds are reached.
template <class Number, class... Bounds>
inline std::int64_t reached(Number value, Bounds... bounds) {
    return (... + (value >= bounds));
}

struct ContextFeature {
    const char* name;
    std::int64_t size;  // number of codes
};
constexpr std::int64_t makeups = 5 * 2 * 2 * 3, fields_seen = 27, phrase_codes = 5 * 5;
// In the order in which ContextFeatures computes them; those of chunks twice, fine and coarse, those of phrases last.
constexpr ContextFeature token_features[] = {
    {"location", 12},
    {"from-edges", 30},
    {"blanks", 4 * classes},
    {"brackets", 3 * classes},
    {"quotes", 4 * classes},
    {"years", 9 * classes},
    {"numbers", 20 * classes},
    {"kinds-around", classes * classes * classes},
    {"kinds-before", classes * classes * classes},
    {"kinds-after", classes * classes * classes},
    {"kinds-wide", 1 << 17},
    {"word-pair", 1 << 18},
    {"word-pair-after", 1 << 18},
    {"word-and-kinds", 1 << 18},
    {"last-punctuation", 5 * classes},
    {"next-punctuation", 5 * classes},
};
constexpr ContextFeature chunk_features[] = {
    {"inside", 16},
    {"rank", 10 * 5},
    {"makeup", makeups},
    {"makeup-before", makeups + 1},
    {"makeup-after", makeups + 1},
    {"makeup-rank", makeups * 6},
    {"seen", fields_seen},
    {"seen-before", fields_seen + 1},
    {"seen-after", fields_seen + 1},
    {"seen-rank", fields_seen * 6},
    {"first-word", 1 << 15},
    {"last-word", 1 << 15},
    {"first-word-after", 1 << 15},
};
constexpr ContextFeature style_features[] = {
    {"in", 3 * classes},          {"editor", 3 * classes},     {"page", 3 * classes},  {"volume", 3 * classes},
    {"work", 3 * classes},        {"link", 3 * classes},       {"month", 3 * classes}, {"quoted", 3 * classes},
    {"early-year", 3 * classes},  {"late-year", 3 * classes},  {"semicolons", 3 * classes},
    {"opening", 1 << 16},         {"opening-place", 1 << 16},
};
constexpr int chunk_count = std::size(chunk_features), style_count = std::size(style_features);

// The number of codes of every feature, in the order in which they are computed.
inline std::vector<std::int64_t> feature_sizes(std::size_t phrase_sets) {
    std::vector<std::int64_t> sizes;
    const auto add = [&](const auto& features) {
        for (const ContextFeature& feature : features) sizes.push_back(feature.size);
    };
    add(token_features);
    add(chunk_features);
    add(chunk_features);
    add(style_features);
    sizes.insert(sizes.end(), phrase_sets, phrase_codes);
    return sizes;
}

// The rows of the codes, and those that were asked for and are not written out yet.
class KnownCodes {
  public:
    std::vector<std::int64_t> missing;  // indices into `known`

    KnownCodes(const std::int32_t* known, const std::int64_t* begin) : known_(known), begin_(begin) {}
    // -1 for a code without a row; in `known` a row r that is not written out yet is -2 - r.
    std::int32_t row(int feature, std::int64_t code) {
        const std::int64_t place = begin_[feature] + code;
        const std::int32_t row = known_[place];
        if (row >= -1) return row;
        missing.push_back(place);
        return -2 - row;
    }

  private:
    const std::int32_t* known_;
    const std::int64_t* begin_;  // [features] first code of each
};

// Whether a token begins a chunk of its string, by the fine or the coarse cut.
inline bool begins_chunk(const Traits* const* token, const bool* space_before, int t, bool coarse) {
    if (t == 0) return true;
    const std::int64_t before = token[t - 1]->tail, here = token[t]->token_class;
    const bool after_initial = token[t - 1]->token_class == initial || (t > 1 && token[t - 2]->token_class == initial);
    if (before == stop && !after_initial && space_before[t]) return true;
    if (space_before[t] && (token[t]->head == quotation || before == quotation)) return true;
    if (before == colon) return true;
    if (here == in_word || here == page || here == volume || here == issue || here == editor || here == work)
        return true;
    if (coarse) return false;
    if (token[t]->head == opening_bracket) return true;
    return before == comma || before == semicolon || before == closing_bracket;
}

// The hash of the words of a phrase; `words` are the numbers of their tokens.
inline std::uint32_t hash_words(const Traits* const* token, const int* words, int length) {
    std::uint64_t state = length;
    for (int i = 0; i < length; ++i) {
        state = (state ^ static_cast<std::uint64_t>(token[words[i]]->word)) * mixing;
        state ^= state >> 29;
    }
    return static_cast<std::uint32_t>(state >> 32);
}
constexpr int longest_phrase = 8;

// The rows of one string after the other.
class ContextFeatures {
  public:
    // `column` says where the rows of each feature go, -1 for nowhere; there are F columns.
    ContextFeatures(const PhraseSets& phrases, KnownCodes& known, const std::int32_t* column, std::size_t F)
        : phrases_(phrases), known_(known), column_(column), F_(F) {}

    // rows[t, f] of the tokens of a string.
    void compute(const Traits* const* token, const bool* space_before, int T, std::int32_t* rows) {
        rows_ = rows;
        token_ = token;
        space_before_ = space_before;
        T_ = T;
        feature_ = 0;
        compute_positions();
        compute_counts();
        compute_neighbours();
        compute_punctuation();
        compute_chunks(false);
        compute_chunks(true);
        compute_style();
        compute_phrases();
    }

  private:
    struct Chunk {
        int start, size;
        std::int64_t made, seen;
    };
    const PhraseSets& phrases_;
    KnownCodes& known_;
    const std::int32_t* column_;  // [features]
    const std::size_t F_;
    std::int32_t* rows_ = nullptr;
    const Traits* const* token_ = nullptr;
    const bool* space_before_ = nullptr;
    int T_ = 0;
    int feature_ = 0;
    std::vector<Chunk> chunks_;
    std::vector<int> words_, covers_, begins_;
    std::vector<std::uint32_t> hashes_;

    std::int64_t token_class(int t) const { return t >= 0 && t < T_ ? token_[t]->token_class : 0; }
    std::int64_t word(int t) const { return t >= 0 && t < T_ ? token_[t]->word : 0; }
    std::int64_t tail(int t) const { return t >= 0 && t < T_ ? token_[t]->tail : 0; }
    bool is_quote(int t) const { return token_[t]->head == quotation || token_[t]->tail == quotation; }

    bool any_wanted(int features) const {
        return std::any_of(column_ + feature_, column_ + feature_ + features, [](std::int32_t c) { return c >= 0; });
    }
    void set(std::int32_t column, int t, std::int32_t row) { rows_[static_cast<std::size_t>(t) * F_ + column] = row; }
    template <class Code>
    void feature(const Code& code) {
        const int feature = feature_++;
        const std::int32_t column = column_[feature];
        if (column < 0) return;
        for (int t = 0; t < T_; ++t) set(column, t, known_.row(feature, code(t)));
    }
    template <class Flag>
    int total(const Flag& flag) const {
        int count = 0;
        for (int t = 0; t < T_; ++t) count += flag(t);
        return count;
    }

    void compute_positions() {
        feature([&](int t) { return std::int64_t(t) * 12 / T_; });
        feature([&](int t) { return std::min(t, 5) * 5 + std::min(T_ - 1 - t, 4); });
        feature([&](int t) {
            const int after = t + 1 < T_ ? space_before_[t + 1] : 1;
            return (space_before_[t] * 2 + after) * classes + token_class(t);
        });
    }

    void compute_counts() {
        int opened = 0, closed = 0;
        feature([&](int t) {
            opened += token_[t]->head == opening_bracket;
            const int depth = std::min(std::max(opened - closed, 0), 2);
            closed += token_[t]->tail == closing_bracket;
            return depth * classes + token_class(t);
        });
        const int quotes = total([&](int t) { return is_quote(t); });
        int seen = 0;
        feature([&](int t) {
            const int state = quotes < 2 ? 0 : seen == 0 ? 1 : seen >= quotes ? 3 : 2;
            seen += is_quote(t);
            return state * classes + token_class(t);
        });
        const int years = total([&](int t) { return token_class(t) == year; });
        seen = 0;
        feature([&](int t) {
            const int code = std::min(seen, 2) * 3 + std::min(years - seen, 2);
            seen += token_class(t) == year;
            return code * classes + token_class(t);
        });
        const auto is_number = [&](int t) { return token_class(t) == number1 || token_class(t) == number3; };
        const int numbers = total(is_number);
        seen = 0;
        feature([&](int t) {
            const int code = std::min(seen, 4) * 4 + std::min(numbers - seen, 3);
            seen += is_number(t);
            return code * classes + token_class(t);
        });
    }

    void compute_neighbours() {
        feature([&](int t) { return (token_class(t - 1) * classes + token_class(t)) * classes + token_class(t + 1); });
        feature([&](int t) { return (token_class(t - 2) * classes + token_class(t - 1)) * classes + token_class(t); });
        feature([&](int t) { return (token_class(t) * classes + token_class(t + 1)) * classes + token_class(t + 2); });
        feature([&](int t) {
            return hash_codes(17, token_class(t - 2), token_class(t - 1), token_class(t), token_class(t + 1),
                              token_class(t + 2));
        });
        feature([&](int t) { return hash_codes(18, word(t - 1), word(t)); });
        feature([&](int t) { return hash_codes(18, word(t), word(t + 1), 1); });
        feature([&](int t) { return hash_codes(18, word(t), token_class(t - 1), token_class(t + 1)); });
    }

    void compute_punctuation() {
        const auto code = [](std::int64_t mark, int distance) { return mark * 5 + reached(distance, 2, 3, 4, 7); };
        int last = -1;
        feature([&](int t) {
            const std::int64_t found = last < 0 ? 0 : code(token_[last]->tail, t - last);
            if (token_[t]->tail > 0) last = t;
            return found;
        });
        const int feature = feature_++;
        const std::int32_t column = column_[feature];
        int next = T_;
        for (int t = T_ - 1; t >= 0 && column >= 0; --t) {
            set(column, t, known_.row(feature, next == T_ ? 0 : code(token_[next]->head, next - t)));
            if (token_[t]->head > 0) next = t;
        }
    }

    // What a chunk is made of, and in which fields its words are usually seen.
    void describe(Chunk& chunk) const {
        int words = 0, capitals = 0, digits = 0, initials = 0, known = 0;
        int in_fields[3] = {0, 0, 0};
        for (int t = chunk.start; t < chunk.start + chunk.size; ++t) {
            const Traits& token = *token_[t];
            words += token.wordlike != 0;
            const std::int64_t here = token.token_class;
            capitals += here == capitalised || here == upper_case || here == initial;
            digits += here >= year && here <= code_like;
            initials += here == initial;
            known += token.statistics > 0;
            in_fields[0] += (token.statistics & 1) != 0;
            in_fields[1] += (token.statistics & 2) != 0;
            in_fields[2] += (token.statistics & 12) != 0;
        }
        words = std::max(words, 1);
        const double share = static_cast<double>(capitals) / words;
        chunk.made = ((reached(words, 2, 3, 5, 9) * 2 + (digits > 0)) * 2 + (initials > 0)) * 3 +
                     reached(share, 0.34, 0.9);
        chunk.seen = 0;
        for (const int count : in_fields)
            chunk.seen = chunk.seen * 3 + reached(static_cast<double>(count) / std::max(known, 1), 0.25, 0.75);
    }

    void compute_chunks(bool coarse) {
        const int inside = feature_;
        const bool wanted = any_wanted(chunk_count);
        feature_ += chunk_count;
        if (!wanted) return;
        chunks_.clear();
        for (int t = 0; t < T_; ++t) {
            if (begins_chunk(token_, space_before_, t, coarse)) chunks_.push_back({t, 0, 0, 0});
            ++chunks_.back().size;
        }
        for (Chunk& chunk : chunks_) describe(chunk);
        const int count = static_cast<int>(chunks_.size());
        for (int i = 0; i < count; ++i) {
            const Chunk& chunk = chunks_[i];
            const int end = chunk.start + chunk.size - 1;
            const int last = token_[end]->wordlike ? end : std::max(end - 1, 0);
            const bool first = i == 0, final = i + 1 == count;
            const std::int64_t codes[] = {
                std::min(i, 9) * 5 + std::min(count - 1 - i, 4),
                chunk.made,
                first ? makeups : chunks_[i - 1].made,
                final ? makeups : chunks_[i + 1].made,
                chunk.made * 6 + std::min(i, 5),
                chunk.seen,
                first ? fields_seen : chunks_[i - 1].seen,
                final ? fields_seen : chunks_[i + 1].seen,
                chunk.seen * 6 + std::min(i, 5),
                hash_codes(15, word(chunk.start)),
                hash_codes(15, word(last)),
                hash_codes(15, final ? 0 : word(chunks_[i + 1].start)),
            };
            for (int t = chunk.start; t <= end && column_[inside] >= 0; ++t)
                set(column_[inside], t, known_.row(inside, std::min(t - chunk.start, 3) * 4 + std::min(end - t, 3)));
            for (int f = inside + 1; f < inside + chunk_count; ++f) {
                const std::int32_t column = column_[f];
                if (column < 0) continue;
                const std::int32_t row = known_.row(f, codes[f - inside - 1]);
                for (int t = chunk.start; t <= end; ++t) set(column, t, row);
            }
        }
    }

    // Whether flagged tokens stand before the token, only from it on, or nowhere; with its class.
    template <class Flag>
    void flag(const Flag& flagged) {
        const bool any = total(flagged) > 0;
        bool before = false;
        feature([&](int t) {
            const int state = any ? 1 + before : 0;
            before = before || flagged(t);
            return state * classes + token_class(t);
        });
    }

    void compute_style() {
        for (const std::int64_t each : {in_word, editor, page, volume, work, link_like, month})
            flag([&](int t) { return token_class(t) == each; });
        const bool quoted = total([&](int t) { return is_quote(t); }) > 1;
        const auto late = [&](int t) { return t >= T_ - 4; };
        flag([&](int) { return quoted; });
        flag([&](int t) { return token_class(t) == year && t > 1 && t * 2 < T_ && !late(t); });
        flag([&](int t) { return token_class(t) == year && late(t); });
        flag([&](int t) { return token_class(t) == semicolon; });
        const std::int64_t c0 = token_class(0), c1 = token_class(1), c2 = token_class(2), c3 = token_class(3);
        feature([&](int t) { return hash_codes(16, c0, c1, c2, c3, token_class(4), token_class(t)); });
        feature([&](int t) { return hash_codes(16, c0, c1, c2, c3, std::min(t, 12)); });
    }

    // The longest known phrase over each word and the longest that begins there; short ones are looked for first.
    void compute_phrases() {
        if (!any_wanted(phrases_.sets)) return;
        words_.clear();
        for (int t = 0; t < T_; ++t)
            if (token_[t]->wordlike) words_.push_back(t);
        const int W = static_cast<int>(words_.size()), sets = phrases_.sets;
        covers_.assign(static_cast<std::size_t>(sets) * T_, 0);
        begins_.assign(static_cast<std::size_t>(sets) * T_, 0);
        hashes_.clear();  // all before any is looked for, so that the filter is on its way
        for (int length = 1; length <= std::min(longest_phrase, W); ++length)
            for (int start = 0; start + length <= W; ++start) {
                hashes_.push_back(hash_words(token_, words_.data() + start, length));
                phrases_.expect(hashes_.back());
            }
        const std::uint32_t* next_hash = hashes_.data();
        for (int length = 1; length <= std::min(longest_phrase, W); ++length)
            for (int start = 0; start + length <= W; ++start) {
                const std::uint32_t hash = *next_hash++;
                if (!phrases_.may_have(hash)) continue;
                for (int set = 0; set < sets; ++set) {
                    if (!phrases_.has(set, hash)) continue;
                    begins_[set * T_ + words_[start]] = length;
                    for (int i = start; i < start + length; ++i) covers_[set * T_ + words_[i]] = length;
                }
            }
        for (int set = 0; set < sets; ++set)
            feature([&](int t) { return std::min(covers_[set * T_ + t], 4) * 5 + std::min(begins_[set * T_ + t], 4); });
    }
};

}  // namespace ibidem
