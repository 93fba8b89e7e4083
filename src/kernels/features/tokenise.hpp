// Strings of Python split into tokens, in one call for a whole batch; the regular expression of ibidem.text.tokens
// defines what a token is.
#pragma once

#include <cstdint>
#include <vector>

#include "batch.hpp"

namespace ibidem {

// The class of a character; ibidem.text.tokens makes the table, as Python sees the characters. A single one is a letter
// of a script that puts no spaces between words.
enum class Class : std::uint8_t { unknown, space, letter, single, digit, mark };

class Splitter {
  public:
    Splitter(const std::uint32_t* text, std::int64_t size, const std::uint8_t* classes)
        : text_(text), size_(size), classes_(classes) {}

    // The next token at or after `place` is [start, end); false where there is none.
    bool next(std::int64_t place, std::int64_t& start, std::int64_t& end) const {
        while (place < size_ && class_of(place) == Class::space) ++place;
        if (place == size_) return false;
        start = place;
        end = end_of(place);
        return true;
    }

  private:
    std::int64_t end_of(std::int64_t p) const {
        switch (class_of(p)) {
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
        for (; p < size_ && class_of(p) != Class::space && !bars(text_[p]); ++p) {
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
        while (p < size_ && belongs(text_[p], class_of(p))) ++p;
        return p;
    }
    Class class_of(std::int64_t p) const { return static_cast<Class>(classes_[text_[p]]); }

    const std::uint32_t* text_;
    std::int64_t size_;
    const std::uint8_t* classes_;
};

// The characters of strings in one array, four bytes each.
class Characters {
  public:
    // The characters of one string.
    const std::uint32_t* of(nb::handle text) {
        const Py_ssize_t size = PyUnicode_GetLength(text.ptr());
        if (size < 0) throw nb::python_error();
        if (room_.size() < static_cast<std::size_t>(size)) room_.resize(size);
        if (size && !PyUnicode_AsUCS4(text.ptr(), room_.data(), size, 0)) throw nb::python_error();
        size_ = size;
        return reinterpret_cast<const std::uint32_t*>(room_.data());
    }
    std::int64_t size() const { return size_; }

  private:
    std::vector<Py_UCS4> room_ = std::vector<Py_UCS4>(1);
    std::int64_t size_ = 0;
};

// The tokens of several strings, where each begins and ends [N], whether whitespace comes before it [N] and how many
// each string has [B]; or else the pages, 256 characters each, that the table of classes lacks.
inline nb::object tokenise(nb::list texts, In<std::uint8_t, 1> classes) {
    require(classes.size() == 0x110000, "classes must have one of each character");
    Characters characters;
    nb::list pieces;
    std::vector<std::int64_t> starts, ends;
    std::vector<std::uint8_t> spaces;
    Result<std::int32_t> lengths({texts.size()}, 0);
    std::vector<std::uint8_t> wanted;  // [pages] that the table lacks
    for (std::size_t b = 0; b < texts.size(); ++b) {
        const nb::object text = texts[b];
        const std::uint32_t* codes = characters.of(text);
        for (std::int64_t p = 0; p < characters.size(); ++p) {
            if (classes.data()[codes[p]]) continue;
            wanted.resize(classes.shape(0) / 256);
            wanted[codes[p] / 256] = 1;
        }
        if (!wanted.empty()) continue;
        const Splitter splitter(codes, characters.size(), classes.data());
        const std::size_t before = starts.size();
        std::int64_t start, end, place = 0;
        for (; splitter.next(place, start, end); place = end) {
            PyObject* piece = PyUnicode_Substring(text.ptr(), start, end);
            if (!piece) throw nb::python_error();
            pieces.append(nb::steal(piece));
            spaces.push_back(start != place || start == 0);
            starts.push_back(start);
            ends.push_back(end);
        }
        lengths.data()[b] = static_cast<std::int32_t>(starts.size() - before);
    }
    if (!wanted.empty()) {
        nb::set pages;
        for (std::size_t page = 0; page < wanted.size(); ++page)
            if (wanted[page]) pages.add(nb::int_(page));
        return pages;
    }
    return nb::make_tuple(pieces, copied(starts).give(), copied(ends).give(), copied(spaces).give(), lengths.give());
}

}  // namespace ibidem
