// The probability that a run of tokens is exactly one segment, for chains (L = 1).
//
// The counts of what follows the segment is split backwards among the allowed states only; what arrives at its first
// token is the probability. Forward and backward loops are those of the marginals.
#pragma once

#include "inference/backward.hpp"

namespace ibidem {

// The arcs that lead from one set of states into another, by source.
struct ArcList {
    std::vector<std::int32_t> source;  // all of the set, with arcs or without
    std::vector<std::int32_t> begin;   // [sources + 1]: the arcs out of each
    std::vector<std::int32_t> target;  // of each arc
    std::vector<std::int32_t> place;   // of each arc among the sorted ones of the graph
    std::vector<std::int32_t> reached; // all targets, each once
};

template <class Real>
class Mask {
  public:
    std::vector<std::int32_t> ending;  // states at the last token of a segment that reaches the end of its string
    std::vector<std::int32_t> starting;
    ArcList out_of_first, out_of_inside, first_to_inside, within;

    Mask(const Graph<Real>& graph, const bool* first, const bool* inside) {
        std::vector<std::vector<std::pair<int, int>>> leaving(graph.S);  // target and place of the arcs out of a state
        for (int s = 0; s < graph.S; ++s) {
            if (inside[s]) ending.push_back(s);
            if (first[s]) starting.push_back(s);
            for (int j = graph.begin[s]; j < graph.begin[s + 1]; ++j) leaving[graph.from[j]].push_back({s, j});
        }
        out_of_first = list(leaving, starting, inside, false);
        out_of_inside = list(leaving, ending, inside, false);
        first_to_inside = list(leaving, starting, inside, true);
        within = list(leaving, ending, inside, true);
    }

  private:
    static ArcList list(const std::vector<std::vector<std::pair<int, int>>>& leaving,
                        const std::vector<std::int32_t>& sources, const bool* inside, bool going_on) {
        ArcList found;
        found.source = sources;
        for (const int r : sources) {
            found.begin.push_back(static_cast<std::int32_t>(found.place.size()));
            for (const auto& [s, j] : leaving[r]) {
                if (inside[s] != going_on) continue;
                found.target.push_back(s);
                found.place.push_back(j);
            }
        }
        found.begin.push_back(static_cast<std::int32_t>(found.place.size()));
        found.reached = found.target;
        std::sort(found.reached.begin(), found.reached.end());
        found.reached.erase(std::unique(found.reached.begin(), found.reached.end()), found.reached.end());
        return found;
    }
};

// The logarithm of the probability that tokens start .. end are exactly one segment. `leave(t, single, here)` puts there what
// may follow the states of its last token when t is no longer in the segment, `back(t, list, here)` leads it back from the
// states at t to those before, and `probability(t, states, here)` adds up what arrives at the first token.
template <class Real, class Leave, class Back, class Probability>
double mass_of_segment(const Mask<Real>& mask, int start, int end, std::vector<double>& here, const Leave& leave,
                       const Back& back, const Probability& probability) {
    leave(end, end - start == 1, here);
    for (int t = end - 1; t > start; --t) back(t, t - 1 == start ? mask.first_to_inside : mask.within, here);
    return std::log(std::min(probability(start, mask.starting, here), 1.0));
}

// The same from the tables of the marginals: the counts of what follows is split among the states that may be there.
template <class Real>
double segment_mass(const Graph<Real>& graph, const Tables<Real>& tables, const Shares<Real>& shares,
                    const Mask<Real>& mask, int T, int start, int end, std::vector<double>& here) {
    here.resize(graph.S);
    std::vector<double> before(graph.S);
    const auto back = [&](int t, const ArcList& list, std::vector<double>& here) {
        for (std::size_t i = 0; i < list.source.size(); ++i) {
            double total = 0;
            for (int a = list.begin[i]; a < list.begin[i + 1]; ++a)
                if (here[list.target[a]] > 0)
                    total += here[list.target[a]] * arc_share(graph, tables, t, list.target[a], list.place[a]);
            before[list.source[i]] = total;
        }
        here.swap(before);
    };
    const auto probability = [](int, const std::vector<std::int32_t>& states, const std::vector<double>& here) {
        double total = 0;
        for (const int s : states) total += here[s];
        return total;
    };
    const auto leave = [&](int t, bool single, std::vector<double>& here) {
        const Real* counts = shares.counts.data() + tables.row(t == T ? T : t + 1);
        std::copy(counts, counts + graph.S, here.begin());
        if (t < T) back(t, single ? mask.out_of_first : mask.out_of_inside, here);
    };
    return mass_of_segment(mask, start, end, here, leave, back, probability);
}

}  // namespace ibidem
