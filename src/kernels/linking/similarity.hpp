// Loops over pairs of references; ibidem.linking.pairs_numpy is the reference implementation.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "linking/edits.hpp"

namespace ibidem {

// The character n-grams of strings, of four bytes each, and the cosine of their counts.
class Ngrams {
  public:
    static constexpr int size = 4, bits = 18;

    explicit Ngrams(const Texts& texts) : begin_(1, 0), count_(std::size_t(1) << bits, 0) {
        std::vector<std::uint8_t> bytes;
        for (std::size_t row = 0; row < texts.size(); ++row) {
            bytes.clear();
            const Span text = texts[row];
            for (std::size_t k = 0; k < text.size; ++k) {
                const bool half = text.data[k] >= 0xD800 && text.data[k] < 0xE000;  // a lone surrogate
                for_bytes(half ? '?' : text.data[k], [&](std::uint32_t b) { bytes.push_back(static_cast<std::uint8_t>(b)); });
            }
            for (std::size_t k = text.size; k < size; ++k) bytes.push_back(' ');
            std::uint32_t packed = 0;
            bucket_.resize(begin_.back() + bytes.size() - (size - 1));
            for (std::size_t k = 0; k < bytes.size(); ++k) {
                packed = packed << 8 | bytes[k];
                if (k + 1 >= size) bucket_[begin_.back() + k + 1 - size] = packed * 2654435761u >> (32 - bits);
            }
            begin_.push_back(bucket_.size());
            std::int64_t square = 0;
            for (std::size_t k = begin_[row]; k < begin_[row + 1]; ++k) square += 2 * count_[bucket_[k]]++ + 1;
            square_.push_back(static_cast<double>(square));
            add(row, -1);
        }
    }
    // Selects the row that others are compared with.
    void choose(std::size_t row) {
        if (row == chosen_) return;
        if (chosen_ < square_.size()) add(chosen_, -1);
        add(chosen_ = row, 1);
    }
    double cosine(std::size_t other) const {
        return static_cast<double>(shared(other)) / std::sqrt(square_[chosen_] * square_[other]);
    }

  private:
    std::vector<std::uint32_t> bucket_;
    std::vector<std::size_t> begin_;
    std::vector<double> square_;  // [rows]
    std::vector<std::int16_t> count_;  // [buckets] of the chosen row
    std::size_t chosen_ = ~std::size_t(0);

    void add(std::size_t row, std::int16_t times) {
        for (std::size_t k = begin_[row]; k < begin_[row + 1]; ++k) count_[bucket_[k]] += times;
    }
    std::int64_t shared(std::size_t row) const {
        std::int64_t found = 0;
        for (std::size_t k = begin_[row]; k < begin_[row + 1]; ++k) found += count_[bucket_[k]];
        return found;
    }
};

// The distinct words of strings, numbered in order of occurrence.
class WordNumbers {
  public:
    WordNumbers() : slot_(1 << 16, -1) {}

    std::int32_t of(Span word) {
        const std::uint64_t hash = hashed(word);
        std::size_t place = hash & (slot_.size() - 1);
        for (; slot_[place] >= 0; place = (place + 1) & (slot_.size() - 1))
            if (hash_[slot_[place]] == static_cast<std::uint32_t>(hash) && (*this)[slot_[place]] == word)
                return slot_[place];
        const std::int32_t number = static_cast<std::int32_t>(hash_.size());
        slot_[place] = number;
        hash_.push_back(static_cast<std::uint32_t>(hash));
        codes_.insert(codes_.end(), word.data, word.data + word.size);
        begin_.push_back(codes_.size());
        if (2 * hash_.size() > slot_.size()) grow();
        return number;
    }
    std::size_t size() const { return hash_.size(); }
    Span operator[](std::size_t number) const {
        return {codes_.data() + begin_[number], begin_[number + 1] - begin_[number]};
    }

  private:
    std::vector<std::int32_t> slot_;  // -1 where there is none
    std::vector<std::uint32_t> hash_;  // [words]
    std::vector<std::uint32_t> codes_;
    std::vector<std::size_t> begin_ = {0};

    static std::uint64_t hashed(Span word) {
        std::uint64_t hash = 0x9E3779B97F4A7C15ull;
        for (std::size_t k = 0; k < word.size; ++k) hash = (hash ^ word.data[k]) * 0xFF51AFD7ED558CCDull;
        return hash ^ hash >> 29;
    }
    void grow() {
        // only 32 bits of the hashes are kept, so the words are hashed again; that happens a dozen times at most
        std::vector<std::int32_t> wider(slot_.size() * 2, -1);
        slot_.swap(wider);
        for (std::size_t number = 0; number < hash_.size(); ++number) {
            std::size_t place = hashed((*this)[number]) & (slot_.size() - 1);
            while (slot_[place] >= 0) place = (place + 1) & (slot_.size() - 1);
            slot_[place] = static_cast<std::int32_t>(number);
        }
    }
};

// Rows of a sparse matrix whose columns ascend.
struct SparseRows {
    const std::int32_t* begin;
    const std::int32_t* column;
    const float* value;

    // both(k, l) for places of the two rows with the same column, mine(k) and theirs(l) for all others.
    template <class Both, class Mine, class Theirs>
    void merge(std::int64_t one, std::int64_t other, const Both& both, const Mine& mine, const Theirs& theirs) const {
        std::int32_t k = begin[one], l = begin[other];
        while (k < begin[one + 1] && l < begin[other + 1]) {
            if (column[k] == column[l]) both(k++, l++);
            else if (column[k] < column[l]) mine(k++);
            else theirs(l++);
        }
        while (k < begin[one + 1]) mine(k++);
        while (l < begin[other + 1]) theirs(l++);
    }
};

}  // namespace ibidem
