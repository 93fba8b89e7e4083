// Features of whole segments, of all spans of up to so many tokens; ibidem.features.segments defines them.
//
// The spans from one token are gone through from the shortest to the longest: what is counted of a span is counted on
// for the next.
#pragma once

#include "features/context.hpp"

namespace ibidem {

constexpr ContextFeature segment_features[] = {
    {"length", 26},
    {"makeup", makeups},
    {"seen", fields_seen},
    {"brackets", 16},
    {"quotes", 12},
    {"edges", classes * classes},
    {"surroundings", classes * classes},
    {"junctions", classes * classes},
    {"fine-cuts", 16},
    {"coarse-cuts", 16},
    {"place", 8},
    {"numbers", 12},
};
constexpr int segment_feature_count = std::size(segment_features);
constexpr int segment_lengths[] = {2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                                   15, 16, 18, 20, 23, 26, 30, 35, 40, 50, 65, 80};

// The number of spans of up to `longest` tokens of a string.
inline std::size_t count_spans(std::size_t length, std::size_t longest) {
    const std::size_t reach = std::min(length, longest);
    return reach * (reach + 1) / 2 + (length - reach) * longest;
}

class SegmentFeatures {
  public:
    explicit SegmentFeatures(const PhraseSets& phrases) : phrases_(phrases) {}

    // column[f] and first[f]: where the rows of a feature go, -1 for nowhere, and the row of its code 0. There are F
    // columns; `rows` are those of the spans of one string, by their first tokens and then their lengths.
    void compute(const Traits* const* token, const bool* space_before, int T, int longest, const std::int32_t* column,
                 const std::int32_t* first, std::size_t F, std::int32_t* rows) {
        token_ = token;
        T_ = T;
        read(space_before);
        find_phrases();
        std::vector<std::int32_t> codes(segment_feature_count + phrases_.sets);
        bool in_order = codes.size() == F;  // nearly always
        for (std::size_t f = 0; f < codes.size(); ++f) in_order = in_order && column[f] == static_cast<std::int32_t>(f);
        for (int t = 0; t < T; ++t) {
            Counts counts;
            for (int end = t + 1; end <= std::min(T, t + longest); ++end, rows += F) {
                counts.add(flags_[end - 1]);
                describe(t, end, counts.of, codes.data());
                for (std::size_t f = 0; in_order && f < F; ++f) rows[f] = first[f] + codes[f];
                for (std::size_t f = 0; !in_order && f < codes.size(); ++f)
                    if (column[f] >= 0) rows[column[f]] = first[f] + codes[f];
            }
        }
    }

  private:
    // What is counted of tokens, side by side so that all are added at once.
    enum Count {
        word, capital, digit, one_letter, years, known, title, container, name, opened, closed, quotes, fine, coarse,
        counted = 16
    };
    struct Counts {
        std::int32_t of[counted] = {};

        void add(const Counts& token) {
            for (int i = 0; i < counted; ++i) of[i] += token.of[i];
        }
    };
    const PhraseSets& phrases_;
    const Traits* const* token_ = nullptr;
    int T_ = 0;
    std::vector<Counts> flags_;  // of one token each
    std::vector<int> words_, word_from_;  // tokens that are words; [T] the number of the first of them from a token on
    std::vector<std::uint32_t> hashes_;
    std::vector<std::uint8_t> in_set_;    // [words, longest_phrase, sets]

    void read(const bool* space_before) {
        flags_.resize(T_);
        for (int t = 0; t < T_; ++t) {
            const Traits& token = *token_[t];
            const std::int64_t here = token.token_class;
            std::int32_t* flag = flags_[t].of;
            flag[word] = token.wordlike != 0;
            flag[capital] = here == capitalised || here == upper_case || here == initial;
            flag[digit] = here >= year && here <= code_like;
            flag[one_letter] = here == initial;
            flag[years] = here == year;
            flag[known] = token.statistics > 0;
            flag[title] = (token.statistics & 1) != 0;
            flag[container] = (token.statistics & 2) != 0;
            flag[name] = (token.statistics & 12) != 0;
            flag[opened] = token.head == opening_bracket;
            flag[closed] = token.tail == closing_bracket;
            flag[quotes] = (token.head == quotation) + (token.tail == quotation && here != quotation);
            flag[fine] = begins_chunk(token_, space_before, t, false);
            flag[coarse] = begins_chunk(token_, space_before, t, true);
        }
    }

    void find_phrases() {
        words_.clear();
        word_from_.resize(T_);
        for (int t = 0; t < T_; ++t) {
            word_from_[t] = static_cast<int>(words_.size());
            if (flags_[t].of[word]) words_.push_back(t);
        }
        const int W = static_cast<int>(words_.size()), sets = phrases_.sets;
        in_set_.assign(static_cast<std::size_t>(W) * longest_phrase * sets, 0);
        if (sets == 0) return;
        hashes_.clear();  // all before any is looked for, so that the filter is on its way
        for (int start = 0; start < W; ++start)
            for (int length = 1; length <= std::min(longest_phrase, W - start); ++length) {
                hashes_.push_back(hash_words(token_, words_.data() + start, length));
                phrases_.expect(hashes_.back());
            }
        const std::uint32_t* hash = hashes_.data();
        for (int start = 0; start < W; ++start)
            for (int length = 1; length <= std::min(longest_phrase, W - start); ++length, ++hash) {
                if (!phrases_.may_have(*hash)) continue;
                for (int set = 0; set < sets; ++set) in_set_[phrase(start, length) + set] = phrases_.has(set, *hash);
            }
    }
    std::size_t phrase(int start, int length) const {
        return (static_cast<std::size_t>(start) * longest_phrase + length - 1) * phrases_.sets;
    }

    // The codes of the span of tokens t .. end, in the order of `segment_features`, those of phrases last.
    void describe(int t, int end, const std::int32_t* count, std::int32_t* codes) const {
        const Traits &head = *token_[t], &tail = *token_[end - 1];
        const bool begins = t == 0, ends = end == T_;
        const auto code = [&](std::int64_t value) { *codes++ = static_cast<std::int32_t>(value); };
        code(bin_of_length(end - t));
        code(makeup(count));
        code(seen(count));
        const int open = count[opened] - count[closed];
        const int nested = open == 0 ? std::min(count[opened], 1) : (open > 0 ? 2 : 3);
        code((nested * 2 + (head.head == opening_bracket)) * 2 + (tail.tail == closing_bracket));
        const int quoted = count[quotes] == 0 ? 0 : 1 + count[quotes] % 2;
        code((quoted * 2 + (head.head == quotation)) * 2 + (tail.tail == quotation));
        code(head.token_class * classes + tail.token_class);
        code((begins ? 0 : token_[t - 1]->token_class) * classes + (ends ? 0 : token_[end]->token_class));
        code((begins ? classes - 1 : token_[t - 1]->tail) * classes + tail.tail);
        for (const Count cut : {fine, coarse}) {
            const std::int32_t here = flags_[t].of[cut];
            code((std::min(count[cut] - here, 3) * 2 + here) * 2 + (ends || flags_[end].of[cut]));
        }
        code((std::min(t, 1) * 2 + ends) * 2 + (t * 2 < T_));
        const int digits = count[digit], words = count[word];
        code(std::min(count[years], 2) * 4 + (digits > 0) + (digits * 2 > words) + (digits == words && words > 0));
        const bool short_one = words > 0 && words <= longest_phrase;
        const std::size_t place = short_one ? phrase(word_from_[t], words) : 0;
        for (int set = 0; set < phrases_.sets; ++set) code(short_one && in_set_[place + set] ? words : 0);
    }

    static int bin_of_length(int length) {
        constexpr int last = segment_lengths[std::size(segment_lengths) - 1];
        static const std::vector<std::uint8_t> bins = [] {
            std::vector<std::uint8_t> found(last + 1, 0);
            for (const int edge : segment_lengths)
                for (int each = edge; each <= last; ++each) ++found[each];
            return found;
        }();
        return bins[std::min(length, last)];
    }
    static int makeup(const std::int32_t* count) {
        const int words = std::max(count[word], 1);
        const int share = (count[capital] * 100 >= words * 34) + (count[capital] * 10 >= words * 9);
        const int size = static_cast<int>(reached(words, 2, 3, 5, 9));
        return ((size * 2 + (count[digit] > 0)) * 2 + (count[one_letter] > 0)) * 3 + share;
    }
    static int seen(const std::int32_t* count) {
        const int all = std::max(count[known], 1);
        const auto share = [&](int part) { return (part * 4 >= all) + (part * 4 >= all * 3); };
        return (share(count[title]) * 3 + share(count[container])) * 3 + share(count[name]);
    }
};

}  // namespace ibidem
