// The best paths of strings, several at once where they are chains.
#pragma once

#include <memory>

#include "inference/lockstep.hpp"

namespace ibidem {

// Looks for the best path of a string with scores on a grid, where sums are exact.
template <class Real>
class ExactPath {
  public:
    double find(const Graph<Real>& graph, const String<Real>& string, std::int32_t* state, bool* starts) {
        if (!graph_) copy(graph);
        span_.resize(static_cast<std::size_t>(string.T) * string.L * string.Y);
        for (std::size_t i = 0; i < span_.size(); ++i) span_[i] = on_grid(string.span[i]);
        const String<double> exact{span_.data(), string.T, string.L, string.Y};
        forward<MaxSemiring>(*graph_, exact, tables_);
        return walk(*graph_, exact, tables_, Argmax(), room_, state, starts);
    }

  private:
    std::unique_ptr<Graph<double>> graph_;
    Tables<double> tables_;
    std::vector<double> span_, room_;

    void copy(const Graph<Real>& graph) {
        std::vector<std::int32_t> src(graph.A), dst(graph.A);
        std::vector<double> arc(graph.A);
        const auto put = [&](int a, int from, int into, double score) {
            src[a] = from;
            dst[a] = into;
            arc[a] = on_grid(score);
        };
        for (int s = 0; s < graph.S; ++s) {
            if (graph.start_arc[s] >= 0) put(graph.start_arc[s], -1, s, graph.start[s]);
            for (int j = graph.begin[s]; j < graph.begin[s + 1]; ++j) put(graph.index[j], graph.from[j], s, graph.score[j]);
        }
        const AutomatonView<double> view{graph.label, src.data(), dst.data(), graph.final, arc.data(), graph.S, graph.A};
        graph_.reset(new Graph<double>(view, Need::scores));
    }
};

// Looks for the best paths of several strings at once, with its own room to work in. Where another path is so near that
// rounding may have decided, the string is looked at again with exact sums.
template <class Real>
class Pathfinder {
  public:
    Pathfinder(const Graph<Real>& graph, const Bundles<Real>& bundles) : graph_(&graph), lockstep_(graph, bundles) {
        for (const auto& scores : {graph.score, graph.start})
            for (const Real score : scores)
                if (score > minus_infinity<Real>) arc_size_ = std::max(arc_size_, std::abs(static_cast<double>(score)));
    }

    // found(i, score, state, starts, table) for each of the strings, which come longest first; none is empty. `table` is
    // what the forward loop found; `state` and `starts` may be written to.
    template <class Found>
    void find(const String<Real>* strings, int count, const Found& found) {
        state_.resize(strings[0].T);
        starts_.reset(new bool[strings[0].T]);
        const bool together = strings[0].L == 1 && strings[0].T <= longest_side_by_side;
        if (together) {
            lockstep_.load(strings, count);
            lockstep_.find_best();
        }
        for (int i = 0; i < count; ++i) {
            const auto follow = [&](const auto& table) {
                found(i, best_path(strings[i], table), state_.data(), starts_.get(), table);
            };
            if (together) {
                follow(lockstep_.lane(i));
            } else {
                forward<MaxSemiring>(*graph_, strings[i], tables_);
                follow(tables_);
            }
        }
    }

  private:
    const Graph<Real>* graph_;
    Lockstep<Real> lockstep_;
    Tables<Real> tables_;
    ExactPath<Real> exact_;
    double arc_size_ = 0;
    std::vector<Real> room_;
    std::vector<std::int32_t> state_;
    std::unique_ptr<bool[]> starts_;

    template <class Table>
    double best_path(const String<Real>& string, const Table& table) {
        Argmax choose;
        const double score = walk(*graph_, string, table, choose, room_, state_.data(), starts_.get());
        if (score == minus_infinity<double>) return score;
        const double size = choose.size + span_size(string) + arc_size_;
        const double lost = 2 * string.T * size * std::numeric_limits<Real>::epsilon();  // by rounding, at most
        return choose.margin > lost ? score : exact_.find(*graph_, string, state_.data(), starts_.get());
    }

    // The largest absolute score of a span on the path.
    double span_size(const String<Real>& string) const {
        double size = 0;
        for (int t = string.T, end = t; t-- > 0;) {
            if (!starts_[t]) continue;
            size = std::max(size, std::abs(static_cast<double>(string.row(t, end - t)[graph_->label[state_[t]]])));
            end = t;
        }
        return size;
    }
};

}  // namespace ibidem
