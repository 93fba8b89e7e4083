// Whether one venue name abbreviates another; ibidem.linking.pairs_numpy is the reference implementation.
#pragma once

#include <vector>

#include "features/texts.hpp"

namespace ibidem {

class VenueNames {
  public:
    explicit VenueNames(const Texts& texts) {
        for (std::size_t row = 0; row < texts.size(); ++row) {
            std::size_t letters = 0;
            for_words(texts[row], [&](Span word) {
                words_.push_back(word);
                letters += word.size;
            });
            begin_.push_back(words_.size());
            letters_.push_back(letters);
        }
    }
    double abbreviated(std::size_t one, std::size_t other) const {
        const bool in_order = letters_[one] <= letters_[other];
        const std::size_t brief = in_order ? one : other, full = in_order ? other : one;
        const Span *word = words_.data() + begin_[brief], *last = words_.data() + begin_[brief + 1];
        const Span *place = words_.data() + begin_[full], *end = words_.data() + begin_[full + 1];
        if (word == last || place == end) return 0.0;
        if (last - word == 1 && end - place > 1 && is_acronym(*word, place, end)) return 1.0;
        std::size_t matched = 0;
        for (; word != last; ++word) {
            const Span* found = place;
            while (found != end && !is_cut(*word, *found)) ++found;
            if (found == end) continue;
            matched += word->size;
            place = found + 1;
        }
        return static_cast<double>(matched) / static_cast<double>(letters_[brief]);
    }

  private:
    std::vector<Span> words_;
    std::vector<std::size_t> begin_ = {0}, letters_;

    // Whether one word is a prefix of the other, or its first letter and later ones in order.
    static bool is_cut(Span one, Span other) {
        if (one.data[0] != other.data[0]) return false;
        if (one.size > other.size) std::swap(one, other);
        if (std::equal(one.data, one.data + one.size, other.data)) return true;
        if (one.size <= 2) return false;
        std::size_t seen = 0;
        for (std::size_t k = 0; k < other.size && seen < one.size; ++k) seen += other.data[k] == one.data[seen];
        return seen == one.size;
    }
    // Whether a word consists of the initials of words, the last of which may be written out.
    static bool is_acronym(Span brief, const Span* first, const Span* end) {
        const std::size_t before = static_cast<std::size_t>(end - first) - 1;
        if (brief.size < 2 || brief.size <= before) return false;
        for (std::size_t k = 0; k < before; ++k)
            if (brief.data[k] != first[k].data[0]) return false;
        const Span rest{brief.data + before, brief.size - before};
        return rest == end[-1] || (rest.size == 1 && rest.data[0] == end[-1].data[0]);
    }
};

}  // namespace ibidem
