// The features of context of ibidem.features, one string after the other; the NumPy code there says what they mean.
//
// Every feature gives a code for every token, and a table says which row of the weights belongs to a code. The order
// of the features is that of `context_codes`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "prefetch.hpp"

namespace ibidem {

// In the order of ibidem.features.kind.KINDS.
enum Kind : std::int64_t {
    outside, lower_case, capitalised, upper_case, mixed_case, initial, year, number1, number3, code_like, comma, stop,
    colon, semicolon, opening_bracket, closing_bracket, quotation, dash, slash, symbol, and_word, in_word, page, volume,
    issue, editor, month, link_like, function_word, ideograph, work, etal, kinds
};

// In the order of ibidem.features.batch.TRAITS.
struct Traits {
    std::int64_t kind, head, tail, statistics, word, wordlike;
};

// The sets of phrases: sorted fingerprints, and which leading bits some of them have.
struct PhraseSets {
    const std::uint8_t* filter;  // eight flags in each, lowest first
    int leading_bits;            // 8 times the size of the filter is a power of two, this one
    const std::uint32_t* prints;  // of all sets, one after the other
    const std::int64_t* begin;    // [sets + 1]
    int sets;

    bool may_have(std::uint32_t print) const {
        const std::uint32_t leading = print >> (32 - leading_bits);
        return filter[leading >> 3] >> (leading & 7) & 1;
    }
    void expect(std::uint32_t print) const { prefetch(filter + (print >> (35 - leading_bits))); }
    bool has(int set, std::uint32_t print) const {
        return std::binary_search(prints + begin[set], prints + begin[set + 1], print);
    }
};

constexpr std::uint64_t mixing = 0x9E3779B97F4A7C15ull;

template <class... Parts>
inline std::int64_t mixed(int bits, Parts... parts) {
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

inline int feature_count(const PhraseSets& phrases) { return 16 + 2 * 13 + 13 + phrases.sets; }

// Which rows belong to the codes, and those that were asked for and are not written out yet.
class KnownCodes {
  public:
    std::vector<std::int64_t> missing;  // places in `known`

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
    const std::int64_t* begin_;  // [F]: where the codes of each feature begin
};

// The rows of one string after the other.
class ContextFeatures {
  public:
    ContextFeatures(const PhraseSets& phrases, KnownCodes& known) : phrases_(phrases), known_(known) {}

    // rows[t, f] of the tokens of a string.
    void tell(const Traits* const* token, const bool* blank, int T, std::int32_t* rows) {
        rows_ = rows;
        token_ = token;
        blank_ = blank;
        T_ = T;
        feature_ = 0;
        tell_places();
        tell_counts();
        tell_neighbours();
        tell_punctuation();
        tell_pieces(false);
        tell_pieces(true);
        tell_style();
        tell_phrases();
    }

  private:
    struct Piece {
        int start, size;
        std::int64_t made, seen;
    };
    const PhraseSets& phrases_;
    KnownCodes& known_;
    std::int32_t* rows_ = nullptr;
    const Traits* const* token_ = nullptr;
    const bool* blank_ = nullptr;
    int T_ = 0;
    int feature_ = 0;
    std::vector<Piece> pieces_;
    std::vector<int> words_, covers_, begins_;
    std::vector<std::uint32_t> prints_;

    std::int64_t kind(int t) const { return t >= 0 && t < T_ ? token_[t]->kind : 0; }
    std::int64_t word(int t) const { return t >= 0 && t < T_ ? token_[t]->word : 0; }
    std::int64_t tail(int t) const { return t >= 0 && t < T_ ? token_[t]->tail : 0; }
    bool is_quote(int t) const { return token_[t]->head == quotation || token_[t]->tail == quotation; }

    void set(int feature, int t, std::int32_t row) {
        rows_[static_cast<std::size_t>(t) * feature_count(phrases_) + feature] = row;
    }
    template <class Code>
    void feature(const Code& code) {
        for (int t = 0; t < T_; ++t) set(feature_, t, known_.row(feature_, code(t)));
        ++feature_;
    }
    template <class Flag>
    int total(const Flag& flag) const {
        int count = 0;
        for (int t = 0; t < T_; ++t) count += flag(t);
        return count;
    }

    void tell_places() {
        feature([&](int t) { return std::int64_t(t) * 12 / T_; });
        feature([&](int t) { return std::min(t, 5) * 5 + std::min(T_ - 1 - t, 4); });
        feature([&](int t) {
            const int after = t + 1 < T_ ? blank_[t + 1] : 1;
            return (blank_[t] * 2 + after) * kinds + kind(t);
        });
    }

    void tell_counts() {
        int opened = 0, closed = 0;
        feature([&](int t) {
            opened += token_[t]->head == opening_bracket;
            const int depth = std::min(std::max(opened - closed, 0), 2);
            closed += token_[t]->tail == closing_bracket;
            return depth * kinds + kind(t);
        });
        const int quotes = total([&](int t) { return is_quote(t); });
        int seen = 0;
        feature([&](int t) {
            const int state = quotes < 2 ? 0 : seen == 0 ? 1 : seen >= quotes ? 3 : 2;
            seen += is_quote(t);
            return state * kinds + kind(t);
        });
        const int years = total([&](int t) { return kind(t) == year; });
        seen = 0;
        feature([&](int t) {
            const int code = std::min(seen, 2) * 3 + std::min(years - seen, 2);
            seen += kind(t) == year;
            return code * kinds + kind(t);
        });
        const auto is_number = [&](int t) { return kind(t) == number1 || kind(t) == number3; };
        const int numbers = total(is_number);
        seen = 0;
        feature([&](int t) {
            const int code = std::min(seen, 4) * 4 + std::min(numbers - seen, 3);
            seen += is_number(t);
            return code * kinds + kind(t);
        });
    }

    void tell_neighbours() {
        feature([&](int t) { return (kind(t - 1) * kinds + kind(t)) * kinds + kind(t + 1); });
        feature([&](int t) { return (kind(t - 2) * kinds + kind(t - 1)) * kinds + kind(t); });
        feature([&](int t) { return (kind(t) * kinds + kind(t + 1)) * kinds + kind(t + 2); });
        feature([&](int t) { return mixed(17, kind(t - 2), kind(t - 1), kind(t), kind(t + 1), kind(t + 2)); });
        feature([&](int t) { return mixed(18, word(t - 1), word(t)); });
        feature([&](int t) { return mixed(18, word(t), word(t + 1), 1); });
        feature([&](int t) { return mixed(18, word(t), kind(t - 1), kind(t + 1)); });
    }

    void tell_punctuation() {
        const auto code = [](std::int64_t mark, int distance) { return mark * 5 + reached(distance, 2, 3, 4, 7); };
        int last = -1;
        feature([&](int t) {
            const std::int64_t found = last < 0 ? 0 : code(token_[last]->tail, t - last);
            if (token_[t]->tail > 0) last = t;
            return found;
        });
        int next = T_;
        for (int t = T_ - 1; t >= 0; --t) {
            set(feature_, t, known_.row(feature_, next == T_ ? 0 : code(token_[next]->head, next - t)));
            if (token_[t]->head > 0) next = t;
        }
        ++feature_;
    }

    bool cuts(int t, bool coarse) const {
        if (t == 0) return true;
        const std::int64_t before = tail(t - 1), here = kind(t);
        const bool after_initial = kind(t - 1) == initial || kind(t - 2) == initial;
        if (before == stop && !after_initial && blank_[t]) return true;
        if (blank_[t] && (token_[t]->head == quotation || before == quotation)) return true;
        if (before == colon) return true;
        if (here == in_word || here == page || here == volume || here == issue || here == editor || here == work)
            return true;
        return !coarse &&
               (before == comma || before == semicolon || before == closing_bracket || token_[t]->head == opening_bracket);
    }

    // What a piece is made of, and in which fields its words are usually seen.
    void weigh(Piece& piece) const {
        int words = 0, capitals = 0, digits = 0, initials = 0, known = 0;
        int in_fields[3] = {0, 0, 0};
        for (int t = piece.start; t < piece.start + piece.size; ++t) {
            const Traits& token = *token_[t];
            words += token.wordlike != 0;
            capitals += token.kind == capitalised || token.kind == upper_case || token.kind == initial;
            digits += token.kind >= year && token.kind <= code_like;
            initials += token.kind == initial;
            known += token.statistics > 0;
            in_fields[0] += (token.statistics & 1) != 0;
            in_fields[1] += (token.statistics & 2) != 0;
            in_fields[2] += (token.statistics & 12) != 0;
        }
        words = std::max(words, 1);
        const double share = static_cast<double>(capitals) / words;
        piece.made = ((reached(words, 2, 3, 5, 9) * 2 + (digits > 0)) * 2 + (initials > 0)) * 3 +
                     reached(share, 0.34, 0.9);
        piece.seen = 0;
        for (const int count : in_fields)
            piece.seen = piece.seen * 3 + reached(static_cast<double>(count) / std::max(known, 1), 0.25, 0.75);
    }

    void tell_pieces(bool coarse) {
        pieces_.clear();
        for (int t = 0; t < T_; ++t) {
            if (cuts(t, coarse)) pieces_.push_back({t, 0, 0, 0});
            ++pieces_.back().size;
        }
        for (Piece& piece : pieces_) weigh(piece);
        const int count = static_cast<int>(pieces_.size());
        for (int i = 0; i < count; ++i) {
            const Piece& piece = pieces_[i];
            const int end = piece.start + piece.size - 1;
            const int last = token_[end]->wordlike ? end : std::max(end - 1, 0);
            const bool first = i == 0, final = i + 1 == count;
            const std::int64_t codes[] = {
                std::min(i, 9) * 5 + std::min(count - 1 - i, 4),
                piece.made,
                first ? makeups : pieces_[i - 1].made,
                final ? makeups : pieces_[i + 1].made,
                piece.made * 6 + std::min(i, 5),
                piece.seen,
                first ? 27 : pieces_[i - 1].seen,
                final ? 27 : pieces_[i + 1].seen,
                piece.seen * 6 + std::min(i, 5),
                mixed(15, word(piece.start)),
                mixed(15, word(last)),
                mixed(15, final ? 0 : word(pieces_[i + 1].start)),
            };
            for (int t = piece.start; t <= end; ++t)
                set(feature_, t, known_.row(feature_, std::min(t - piece.start, 3) * 4 + std::min(end - t, 3)));
            for (int f = 0; f < 12; ++f) {
                const std::int32_t row = known_.row(feature_ + 1 + f, codes[f]);
                for (int t = piece.start; t <= end; ++t) set(feature_ + 1 + f, t, row);
            }
        }
        feature_ += 13;
    }
    static constexpr std::int64_t makeups = 5 * 2 * 2 * 3;

    // Whether flagged tokens stand before the token, only from it on, or nowhere; with its kind.
    template <class Flag>
    void flag(const Flag& flagged) {
        const bool any = total(flagged) > 0;
        bool before = false;
        feature([&](int t) {
            const int state = any ? 1 + before : 0;
            before = before || flagged(t);
            return state * kinds + kind(t);
        });
    }

    void tell_style() {
        for (const std::int64_t each : {in_word, editor, page, volume, work, link_like, month})
            flag([&](int t) { return kind(t) == each; });
        const bool quoted = total([&](int t) { return is_quote(t); }) > 1;
        const auto late = [&](int t) { return t >= T_ - 4; };
        flag([&](int) { return quoted; });
        flag([&](int t) { return kind(t) == year && t > 1 && t * 2 < T_ && !late(t); });
        flag([&](int t) { return kind(t) == year && late(t); });
        flag([&](int t) { return kind(t) == semicolon; });
        feature([&](int t) { return mixed(16, kind(0), kind(1), kind(2), kind(3), kind(4), kind(t)); });
        feature([&](int t) { return mixed(16, kind(0), kind(1), kind(2), kind(3), std::min(t, 12)); });
    }

    // The longest known phrase over each word and the longest that begins there; short ones are looked for first.
    void tell_phrases() {
        words_.clear();
        for (int t = 0; t < T_; ++t)
            if (token_[t]->wordlike) words_.push_back(t);
        const int W = static_cast<int>(words_.size()), sets = phrases_.sets;
        covers_.assign(static_cast<std::size_t>(sets) * T_, 0);
        begins_.assign(static_cast<std::size_t>(sets) * T_, 0);
        prints_.clear();  // all before any is looked for, so that the filter is on its way
        for (int length = 1; length <= std::min(longest_phrase, W); ++length)
            for (int start = 0; start + length <= W; ++start) {
                prints_.push_back(print_of(start, length));
                phrases_.expect(prints_.back());
            }
        const std::uint32_t* print_place = prints_.data();
        for (int length = 1; length <= std::min(longest_phrase, W); ++length)
            for (int start = 0; start + length <= W; ++start) {
                const std::uint32_t print = *print_place++;
                if (!phrases_.may_have(print)) continue;
                for (int set = 0; set < sets; ++set) {
                    if (!phrases_.has(set, print)) continue;
                    begins_[set * T_ + words_[start]] = length;
                    for (int i = start; i < start + length; ++i) covers_[set * T_ + words_[i]] = length;
                }
            }
        for (int set = 0; set < sets; ++set)
            feature([&](int t) { return std::min(covers_[set * T_ + t], 4) * 5 + std::min(begins_[set * T_ + t], 4); });
    }
    static constexpr int longest_phrase = 8;

    std::uint32_t print_of(int start, int length) const {
        std::uint64_t state = length;
        for (int i = start; i < start + length; ++i) {
            state = (state ^ static_cast<std::uint64_t>(token_[words_[i]]->word)) * mixing;
            state ^= state >> 29;
        }
        return static_cast<std::uint32_t>(state >> 32);
    }
};

}  // namespace ibidem
