// Strings of Python as rows of characters, and the words of such a row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "features/tokenise.hpp"

namespace ibidem {

// What str.split of Python divides words at.
inline bool is_space(std::uint32_t code) {
    if (code < 128) return code == 32 || (code >= 9 && code <= 13) || (code >= 28 && code <= 31);
    return code == 0x85 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
           code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

// put(byte) for each byte of a character in UTF-8; half a surrogate pair is written as if it were a character.
template <class Put>
void for_bytes(std::uint32_t code, const Put& put) {
    if (code < 0x80) return put(code);
    if (code < 0x800) return put(0xC0 | code >> 6), put(0x80 | (code & 63));
    if (code < 0x10000) return put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
    put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 63)), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
}

// Characters that lie one after the other.
struct Span {
    const std::uint32_t* data;
    std::size_t size;

    friend bool operator<(const Span& one, const Span& other) {
        return std::lexicographical_compare(one.data, one.data + one.size, other.data, other.data + other.size);
    }
    friend bool operator==(const Span& one, const Span& other) {
        return one.size == other.size && std::equal(one.data, one.data + one.size, other.data);
    }
};

// A word that is quickly put in order: that of the first eight bytes of UTF-8 is that of the characters.
struct Word {
    std::uint64_t key;
    Span span;

    explicit Word(Span given) : key(0), span(given) {
        int room = 8;
        const auto put = [&](std::uint32_t byte) {
            if (room) key |= static_cast<std::uint64_t>(byte) << 8 * --room;
        };
        for (std::size_t k = 0; k < span.size && room; ++k) for_bytes(span.data[k], put);
    }
    friend bool operator<(const Word& one, const Word& other) {
        return one.key != other.key ? one.key < other.key : one.span < other.span;
    }
    friend bool operator==(const Word& one, const Word& other) {
        return one.key == other.key && one.span == other.span;
    }
};

// use(word) for each word of a row, in order.
template <class Use>
void for_words(Span row, const Use& use) {
    for (std::size_t place = 0; place < row.size;) {
        while (place < row.size && is_space(row.data[place])) ++place;
        const std::size_t begin = place;
        while (place < row.size && !is_space(row.data[place])) ++place;
        if (place > begin) use(Span{row.data + begin, place - begin});
    }
}

// The first `most` characters of each string of a list.
class Texts {
  public:
    Texts(const Texts&) = delete;
    Texts(nb::list texts, std::size_t most) {
        Characters characters;
        for (nb::handle text : texts) {
            const std::uint32_t* codes = characters.of(text);
            codes_.insert(codes_.end(), codes, codes + std::min<std::size_t>(characters.size(), most));
            begin_.push_back(codes_.size());
        }
    }
    std::size_t size() const { return begin_.size() - 1; }
    Span operator[](std::size_t row) const { return {codes_.data() + begin_[row], begin_[row + 1] - begin_[row]}; }

  private:
    std::vector<std::uint32_t> codes_;
    std::vector<std::size_t> begin_ = {0};
};

}  // namespace ibidem
