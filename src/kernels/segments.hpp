// The chance that a run of tokens is exactly one segment, for chains (L = 1).
//
// The credit of what follows the segment is split backwards among the allowed states only; what arrives at its first
// token is the chance. Forward and backward loops are those of the marginals.
#pragma once

#include "backward.hpp"

namespace ibidem {

// The arcs that lead from one set of states into another, by target.
struct ArcList {
    std::vector<std::int32_t> target;
    std::vector<std::int32_t> place;  // in the sorted arcs of the graph
};

template <class Real>
class Mask {
  public:
    std::vector<std::int32_t> ending;  // states at the last token of a segment that reaches the end of its string
    std::vector<std::int32_t> starting;
    ArcList out_of_first, out_of_inside, first_to_inside, within;

    Mask(const Graph<Real>& graph, const bool* first, const bool* inside) {
        for (int s = 0; s < graph.S; ++s) {
            if (inside[s]) ending.push_back(s);
            if (first[s]) starting.push_back(s);
            for (int j = graph.begin[s]; j < graph.begin[s + 1]; ++j) {
                const int r = graph.from[j];
                if (first[r]) put(inside[s] ? first_to_inside : out_of_first, s, j);
                if (inside[r]) put(inside[s] ? within : out_of_inside, s, j);
            }
        }
    }

  private:
    static void put(ArcList& list, int s, int j) {
        list.target.push_back(s);
        list.place.push_back(j);
    }
};

// The logarithm of the chance of tokens start .. end.
template <class Real>
double segment_mass(const Graph<Real>& graph, const Tables<Real>& tables, const Shares<Real>& shares,
                    const Mask<Real>& mask, int T, int start, int end, std::vector<double>& here,
                    std::vector<double>& before) {
    here.assign(graph.S, 0.0);
    const auto split = [&](int t, const ArcList& list) {
        before.assign(graph.S, 0.0);
        for (std::size_t i = 0; i < list.place.size(); ++i) {
            const int s = list.target[i];
            if (here[s] > 0)
                before[graph.from[list.place[i]]] += here[s] * arc_share(graph, tables, t, s, list.place[i]);
        }
        here.swap(before);
    };
    const Real* credit = shares.credit.data() + tables.row(end == T ? T : end + 1);
    if (end == T) {
        for (const int s : end - start == 1 ? mask.starting : mask.ending) here[s] = credit[s];
    } else {
        std::copy(credit, credit + graph.S, here.begin());
        split(end, end - start == 1 ? mask.out_of_first : mask.out_of_inside);
    }
    for (int t = end - 1; t > start; --t) split(t, t - 1 == start ? mask.first_to_inside : mask.within);
    double total = 0;
    for (const int s : mask.starting) total += here[s];
    return std::log(std::min(total, 1.0));
}

}  // namespace ibidem
