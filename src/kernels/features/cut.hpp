// Strings of Python cut into tokens, in one call for a whole batch.
#pragma once

#include <vector>

#include "batch.hpp"
#include "features/pieces.hpp"

namespace ibidem {

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

// The tokens of several strings, where each begins and ends [N], whether a blank stands before it [N] and how many each
// string has [B]; or else the pages, 256 characters each, that the table of kinds lacks.
inline nb::object cut(nb::list texts, In<std::uint8_t, 1> kinds) {
    Characters characters;
    nb::list pieces;
    std::vector<std::int64_t> starts, ends;
    std::vector<std::uint8_t> blanks;
    Result<std::int32_t> lengths({texts.size()}, 0);
    std::vector<std::uint8_t> wanted;  // [pages] that the table lacks
    for (std::size_t b = 0; b < texts.size(); ++b) {
        const nb::object text = texts[b];
        const std::uint32_t* codes = characters.of(text);
        for (std::int64_t p = 0; p < characters.size(); ++p) {
            if (kinds.data()[codes[p]]) continue;
            wanted.resize(kinds.shape(0) / 256);
            wanted[codes[p] / 256] = 1;
        }
        if (!wanted.empty()) continue;
        const Pieces cutter(codes, characters.size(), kinds.data());
        const std::size_t before = starts.size();
        std::int64_t start, end, place = 0;
        for (; cutter.next(place, start, end); place = end) {
            PyObject* piece = PyUnicode_Substring(text.ptr(), start, end);
            if (!piece) throw nb::python_error();
            pieces.append(nb::steal(piece));
            blanks.push_back(start != place || start == 0);
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
    return nb::make_tuple(pieces, copied(starts).give(), copied(ends).give(), copied(blanks).give(), lengths.give());
}

}  // namespace ibidem
