// A string cut into tokens; the regular expression of ibidem.text.tokens says what a token is.
#pragma once

#include <cstdint>

namespace ibidem {

// What a character is; ibidem.text.tokens makes the table, as Python sees the characters. A single one is a letter of a
// script that puts no blanks between words.
enum class Class : std::uint8_t { unknown, blank, letter, single, digit, mark };

class Pieces {
  public:
    Pieces(const std::uint32_t* text, std::int64_t size, const std::uint8_t* kinds)
        : text_(text), size_(size), kinds_(kinds) {}

    // The next token at or after `place` is [start, end); false where there is none.
    bool next(std::int64_t place, std::int64_t& start, std::int64_t& end) const {
        while (place < size_ && kind(place) == Class::blank) ++place;
        if (place == size_) return false;
        start = place;
        end = end_of(place);
        return true;
    }

  private:
    std::int64_t end_of(std::int64_t p) const {
        switch (kind(p)) {
            case Class::letter: {
                const std::uint32_t lower = text_[p] | 0x20;
                if (text_[p] < 128 && (lower == 'h' || lower == 'd' || lower == 'f'))
                    if (const std::int64_t end = address(p)) return end;
                return letters(p);
            }
            case Class::digit:
                if (text_[p] >= 128) return run(p, [](std::uint32_t, Class k) { return k == Class::digit; });
                if (text_[p] == '1')
                    if (const std::int64_t end = doi(p)) return end;
                return ascii_digits(p);
            default:
                if (text_[p] == '.' || text_[p] == '-')
                    return run(p, [first = text_[p]](std::uint32_t c, Class) { return c == first; });
                return p + 1;
        }
    }

    // Letters with the accents that follow them.
    std::int64_t letters(std::int64_t p) const {
        return run(p, [](std::uint32_t c, Class k) { 
            return k == Class::letter || k == Class::single || (c >= 0x300 && c <= 0x36f);
        });
    }
    std::int64_t ascii_digits(std::int64_t p) const {
        return run(p, [](std::uint32_t c, Class) { return c >= '0' && c <= '9'; });
    }

    // The end of a resolver or of an address that begins here, or 0.
    std::int64_t address(std::int64_t p) const {
        std::int64_t after = word(p, "http");
        if (after) {
            if (after < size_ && (text_[after] | 0x20) == 's') ++after;
        } else {
            after = word(p, "ftp");
        }
        const std::int64_t body = after ? word(after, "://") : 0;
        const bool file = (text_[p] | 0x20) == 'f';
        if (!file && (body || !after)) {
            std::int64_t q = body ? body : p;
            if (const std::int64_t proxy = word(q, "dx.")) q = proxy;
            if (const std::int64_t found = word(q, "doi.org/")) return found;
        }
        return body ? tail(body, false) : 0;
    }
    // The end of a DOI that begins here, or 0.
    std::int64_t doi(std::int64_t p) const {
        const std::int64_t first = word(p, "10.");
        if (!first) return 0;
        const std::int64_t slash = first < size_ ? ascii_digits(first) : first;
        if (slash - first < 4 || slash - first > 9 || slash == size_ || text_[slash] != '/') return 0;
        return tail(slash + 1, true);
    }
    // Where what may stand in an address, or a DOI, ends, without marks that close a sentence; 0 where nothing is left.
    std::int64_t tail(std::int64_t p, bool doi) const {
        std::int64_t end = 0;
        for (; p < size_ && kind(p) != Class::blank && !bars(text_[p]); ++p) {
            const std::uint32_t c = text_[p];
            const bool stop = c == ',' || c == ';';
            if (doi && stop) break;
            if (!(stop || c == '.' || c == ':' || c == ')' || c == '(' || c == '\'' || c == 0x2019)) end = p + 1;
        }
        return end;
    }
    static bool bars(std::uint32_t c) {
        return c == '<' || c == '>' || c == '"' || c == 0x201c || c == 0x201d || c == '[' || c == ']' || c == '{' ||
               c == '}' || c == '|';
    }

    // The end of this word, in small letters or capitals, or 0.
    std::int64_t word(std::int64_t p, const char* wanted) const {
        for (; *wanted; ++wanted, ++p) {
            if (p >= size_ || text_[p] >= 128) return 0;
            const bool cased = *wanted >= 'a' && *wanted <= 'z';
            if ((cased ? (text_[p] | 0x20) : text_[p]) != static_cast<std::uint32_t>(*wanted)) return 0;
        }
        return p;
    }

    template <class Belongs>
    std::int64_t run(std::int64_t p, Belongs belongs) const {
        ++p;
        while (p < size_ && belongs(text_[p], kind(p))) ++p;
        return p;
    }
    Class kind(std::int64_t p) const { return static_cast<Class>(kinds_[text_[p]]); }

    const std::uint32_t* text_;
    std::int64_t size_;
    const std::uint8_t* kinds_;
};

}  // namespace ibidem
