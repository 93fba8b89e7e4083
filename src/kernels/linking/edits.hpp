// Edit similarities of pairs of strings: ratio, token_sort_ratio and token_set_ratio as in rapidfuzz. What depends on
// one string alone is computed once, however many it is compared with: rapidfuzz takes twice as long for the same pairs,
// and linking 20,000 records takes about 6 % longer with it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "features/texts.hpp"

namespace ibidem {

// The longest common subsequence, 64 characters of the one at a time (Hyyrö 2004).
class CommonSubsequence {
  public:
    std::size_t length(Span one, Span other) {
        std::size_t same = 0;
        while (one.size && other.size && one.data[0] == other.data[0]) {
            ++one.data, --one.size, ++other.data, --other.size, ++same;
        }
        while (one.size && other.size && one.data[one.size - 1] == other.data[other.size - 1]) {
            --one.size, --other.size, ++same;
        }
        if (one.size > other.size) std::swap(one, other);
        if (!one.size) return same;
        words_ = (one.size + 63) / 64;
        prepare(one);
        switch (words_) {
            case 1: same += count<1>(other, one.size); break;
            case 2: same += count<2>(other, one.size); break;
            case 3: same += count<3>(other, one.size); break;
            case 4: same += count<4>(other, one.size); break;
            default: same += count<0>(other, one.size);
        }
        forget(one);
        return same;
    }

  private:
    std::size_t words_ = 0;
    std::size_t slots_ = 0;  // for characters that are not among the first 256: a power of two
    std::vector<std::uint64_t> match_;  // [256 + slots, words]: where in the one string each character is
    std::vector<std::uint32_t> key_;  // [slots] 0 where there is none
    std::vector<std::uint64_t> state_;

    std::size_t row(std::uint32_t code) const {
        if (code < 256) return code;
        std::size_t slot = (code * 2654435761u) & (slots_ - 1);
        while (key_[slot] && key_[slot] != code) slot = (slot + 1) & (slots_ - 1);
        return 256 + slot;
    }
    void prepare(Span one) {
        if (slots_ < 2 * one.size) {
            for (slots_ = 64; slots_ < 2 * one.size;) slots_ *= 2;
            key_.assign(slots_, 0);
        }
        if (match_.size() < (256 + slots_) * words_) match_.assign((256 + slots_) * words_, 0);
        for (std::size_t i = 0; i < one.size; ++i) {
            const std::size_t found = row(one.data[i]);
            if (found >= 256) key_[found - 256] = one.data[i];
            match_[found * words_ + i / 64] |= std::uint64_t(1) << (i % 64);
        }
    }
    void forget(Span one) {
        std::fill_n(match_.begin(), 256 * words_, 0);
        if (std::all_of(one.data, one.data + one.size, [](std::uint32_t code) { return code < 256; })) return;
        for (std::size_t slot = 0; slot < slots_; ++slot) {
            if (!key_[slot]) continue;
            key_[slot] = 0;
            std::fill_n(match_.begin() + (256 + slot) * words_, words_, 0);
        }
    }
    template <int fixed>
    std::size_t count(Span other, std::size_t size) {
        const std::size_t words = fixed ? fixed : words_;
        std::array<std::uint64_t, fixed ? fixed : 1> own;
        std::uint64_t* state = own.data();
        if (!fixed) {
            state_.resize(words);
            state = state_.data();
        }
        std::fill_n(state, words, ~std::uint64_t(0));
        for (std::size_t j = 0; j < other.size; ++j) {
            const std::uint64_t* match = match_.data() + row(other.data[j]) * words;
            std::uint64_t carry = 0;
            for (std::size_t w = 0; w < words; ++w) {
                const std::uint64_t both = state[w] & match[w], low = state[w] + carry, sum = low + both;
                carry = (low < carry) | (sum < both);
                state[w] = sum | (state[w] - both);
            }
        }
        std::size_t found = 0;
        for (std::size_t w = 0; w < words; ++w) {
            std::uint64_t zeros = ~state[w];
            if (w + 1 == words && size % 64) zeros &= (std::uint64_t(1) << (size % 64)) - 1;
            for (; zeros; zeros &= zeros - 1) ++found;
        }
        return found;
    }
};

// The percentage of characters that need no edit.
inline double kept(std::size_t edits, std::size_t characters) {
    return characters ? 100.0 - 100.0 * static_cast<double>(edits) / static_cast<double>(characters) : 100.0;
}

// The words of each row in alphabetical order.
class SortedWords {
  public:
    // The texts must outlive this object.
    void read(const Texts& texts) {
        std::vector<Word> words;
        for (std::size_t row = 0; row < texts.size(); ++row) {
            words.clear();
            for_words(texts[row], [&](Span word) { words.emplace_back(word); });
            std::sort(words.begin(), words.end());
            for (std::size_t k = 0; k < words.size(); ++k) {
                if (k) codes_.push_back(' ');
                codes_.insert(codes_.end(), words[k].span.data, words[k].span.data + words[k].span.size);
                if (!k || !(words[k] == words[k - 1])) words_.push_back(words[k]);
            }
            word_begin_.push_back(words_.size());
            begin_.push_back(codes_.size());
        }
    }
    // All words, separated by single spaces.
    Span joined(std::size_t row) const { return {codes_.data() + begin_[row], begin_[row + 1] - begin_[row]}; }
    // The distinct words.
    const Word* first(std::size_t row) const { return words_.data() + word_begin_[row]; }
    const Word* last(std::size_t row) const { return words_.data() + word_begin_[row + 1]; }

  private:
    std::vector<Word> words_;
    std::vector<std::uint32_t> codes_;
    std::vector<std::size_t> word_begin_ = {0}, begin_ = {0};
};

// The three similarities of two rows, each between 0 and 100.
class Edits {
  public:
    double ratio(Span one, Span other) {
        const std::size_t characters = one.size + other.size;
        return kept(characters - 2 * common_.length(one, other), characters);
    }
    double of_sets(const SortedWords& words, std::size_t one, std::size_t other) {
        const Word *a = words.first(one), *a_end = words.last(one), *b = words.first(other), *b_end = words.last(other);
        if (a == a_end || b == b_end) return 0.0;
        mine_.clear(), theirs_.clear();
        std::size_t shared = 0;  // characters of the words that both have, with a space after each
        while (a != a_end || b != b_end) {
            if (b == b_end || (a != a_end && *a < *b)) add(mine_, (a++)->span);
            else if (a == a_end || *b < *a) add(theirs_, (b++)->span);
            else shared += a->span.size + 1, ++a, ++b;
        }
        if (shared && (mine_.empty() || theirs_.empty())) return 100.0;
        const std::size_t one_size = shared + mine_.size(), other_size = shared + theirs_.size();
        const std::size_t edits = mine_.size() + theirs_.size() - 2 * common_.length({mine_.data(), mine_.size()},
                                                                                     {theirs_.data(), theirs_.size()});
        const double found = kept(edits, one_size + other_size);
        if (!shared) return found;
        return std::max({found, kept(1 + mine_.size(), shared - 1 + one_size),
                         kept(1 + theirs_.size(), shared - 1 + other_size)});
    }

  private:
    CommonSubsequence common_;
    std::vector<std::uint32_t> mine_, theirs_;

    static void add(std::vector<std::uint32_t>& to, Span word) {
        if (!to.empty()) to.push_back(' ');
        to.insert(to.end(), word.data, word.data + word.size);
    }
};

}  // namespace ibidem
