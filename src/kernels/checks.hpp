// Checks of what Python gives: a wrong argument is a ValueError, and no kernel reads or writes what is not its own.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace ibidem {

constexpr int most_threads = 1 << 16;

inline void require(bool right, const char* message) {
    if (!right) throw std::invalid_argument(message);
}

inline void require_threads(int threads) {
    require(threads >= 1 && threads < most_threads, "threads must be from 1 to 65535");
}

// All of an array from `low` to `high` - 1.
template <class Array>
void require_range(const char* name, const Array& array, std::int64_t low, std::int64_t high) {
    const auto* data = array.data();
    if (array.size() == 0) return;
    auto least = data[0], most = data[0];
    for (std::size_t i = 1; i < array.size(); ++i) {  // no branch: there are many indices
        least = data[i] < least ? data[i] : least;
        most = data[i] > most ? data[i] : most;
    }
    for (std::size_t i = 0; (least < low || most >= high) && i < array.size(); ++i)
        if (const std::int64_t value = data[i]; value < low || value >= high)
            throw std::invalid_argument(std::string(name) + " must be from " + std::to_string(low) + " to " +
                                        std::to_string(high - 1) + "; got " + std::to_string(value));
}

// All of an array from 0 to an amount at which sums and products of some remain finite.
template <class Array>
void require_amounts(const char* name, const Array& array) {
    for (std::size_t i = 0; i < array.size(); ++i)
        if (!(array.data()[i] >= 0 && array.data()[i] <= 1e15))
            throw std::invalid_argument(std::string(name) + " must be from 0 to 1e15");
}

// No score that is NaN or +inf.
template <class Array>
void require_scores(const char* name, const Array& array) {
    bool right = true;
    for (std::size_t i = 0; i < array.size(); ++i) right &= array.data()[i] < INFINITY;
    if (!right) throw std::invalid_argument(std::string(name) + " holds NaN or +inf");
}

// Lengths of strings, which add up to the tokens.
template <class Array>
void require_lengths(const Array& lengths, std::size_t tokens) {
    std::int64_t total = 0;
    bool right = true;
    for (std::size_t b = 0; b < lengths.size(); ++b) {
        right &= lengths.data()[b] >= 0;
        total += lengths.data()[b];
    }
    require(right && total == static_cast<std::int64_t>(tokens),
            "lengths must not be below 0 and add up to the number of tokens");
}

// Where rows begin, and at last where the last one ends: from 0, never backwards, up to the number of entries.
template <class Array>
void require_starts(const Array& starts, std::size_t entries) {
    bool right = starts.size() > 0 && starts.data()[0] == 0 &&
                 starts.data()[starts.size() - 1] == static_cast<std::int64_t>(entries);
    for (std::size_t i = 1; right && i < starts.size(); ++i) right = starts.data()[i - 1] <= starts.data()[i];
    require(right, "the beginnings of rows must ascend from 0 to the number of entries");
}

}  // namespace ibidem
