// The k best paths of a string: a best-first search from its end, guided by the forward table of maxima.
//
// That table says exactly how well the open part of a path can still be completed, so paths are finished in the order
// of their scores. No place (t, s) is opened more than k times: k completions at least as good have gone through it. Many
// paths of a very long string would still fill the memory: beyond `most_nodes` no further one is looked for.
#pragma once

#include <queue>

#include "inference/forward.hpp"

namespace ibidem {

template <class Real>
class BestFirst {
  public:
    static constexpr std::size_t most_nodes = 1 << 23;  // some 40 bytes each; core_numpy.py has the same number

    struct Path {
        double score;
        int last;  // its first span, in `nodes`
    };

    BestFirst(const Graph<Real>& graph, const String<Real>& string, const Tables<Real>& tables, int k)
        : graph_(graph), string_(string), tables_(tables), k_(k) {}

    std::vector<Path> paths() {
        std::vector<Path> found;
        std::vector<std::int32_t> opened(static_cast<std::size_t>(string_.T) * graph_.S, 0);
        for (int s = 0; s < graph_.S; ++s)
            if (graph_.final[s]) push_spans(string_.T, s, 0.0, -1);
        while (!queue_.empty() && static_cast<int>(found.size()) < k_ && (nodes_.size() < most_nodes || found.empty())) {
            const Item item = queue_.top();
            queue_.pop();
            const Node node = nodes_[item.node];
            if (opened[static_cast<std::size_t>(node.t) * graph_.S + node.s]++ >= k_) continue;
            if (node.t == 0) {
                found.push_back({node.suffix + graph_.start[node.s], item.node});
                continue;
            }
            for (int j = graph_.begin[node.s]; j < graph_.begin[node.s + 1]; ++j)
                push_spans(node.t, graph_.from[j], node.suffix + graph_.score[j], item.node);
        }
        std::stable_sort(found.begin(), found.end(),
                         [](const Path& one, const Path& other) { return one.score > other.score; });
        return found;
    }

    void write(const Path& path, std::int32_t* state, bool* starts) const {
        int t = 0;
        for (int i = path.last; i >= 0; i = nodes_[i].next) {
            const int end = nodes_[i].next >= 0 ? nodes_[nodes_[i].next].t : string_.T;
            for (int u = t; u < end; ++u) {
                state[u] = nodes_[i].s;
                starts[u] = u == t;
            }
            t = end;
        }
    }

  private:
    // A span of state s that begins at t, and all that follows it.
    struct Node {
        double suffix;
        int t;
        int s;
        int next;
    };
    struct Item {
        double bound;
        int t;
        int node;
        // Among equals the one nearest to the start, then the oldest: ties cannot fan out, and the order is fixed.
        bool operator<(const Item& other) const {
            if (bound != other.bound) return bound < other.bound;
            if (t != other.t) return t > other.t;
            return node > other.node;
        }
    };

    void push_spans(int end, int s, double suffix, int next) {
        for (int d = 1; d <= std::min(string_.L, end); ++d) {
            const int t = end - d;
            const double here = suffix + string_.row(t, d)[graph_.label[s]];
            const double bound = here + (tables_.base[t] + tables_.enter[tables_.row(t) + s]);
            if (!(bound > minus_infinity<double>)) continue;
            nodes_.push_back({here, t, s, next});
            queue_.push({bound, t, static_cast<int>(nodes_.size()) - 1});
        }
    }

    const Graph<Real>& graph_;
    const String<Real>& string_;
    const Tables<Real>& tables_;
    int k_;
    std::vector<Node> nodes_;
    std::priority_queue<Item> queue_;
};

}  // namespace ibidem
