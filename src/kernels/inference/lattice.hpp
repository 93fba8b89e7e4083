// What is left of a string when only paths of at least a given score matter: a small graph of spans.
#pragma once

#include <queue>

#include "inference/forward.hpp"

namespace ibidem {

template <class Real>
class Lattice {
  public:
    struct Edge {
        int from;  // the vertex where its span begins, -1 at the start of the string
        int begin;
        int end;
        int state;
        int label;
        double score;   // of the arc into the span and of the span
        double reduced;  // the same less the multiplier of the label
    };
    using Path = std::vector<Edge>;  // from the end of the string to its start

    static constexpr std::size_t most = 1 << 21;  // edges, or open ends of a search: beyond that memory would run out
    bool complete = true;                         // whether no path was left out
    bool too_large = false;

    // Of the paths of `reduced`, scores less multipliers, those of at least a reduced score; `string` has the scores. `table`
    // holds the best reduced score of the ways to (t, s), less base[t]: that of forward.hpp or of lockstep.hpp.
    template <class Table>
    void build(const Graph<Real>& graph, const String<Real>& string, const String<Real>& reduced, const Table& table,
               const std::vector<double>& base, double threshold) {
        clear(graph, string);
        for (int s = 0; s < graph.S; ++s) {
            const double score = graph.final[s] ? table.at(T_, s) + base[T_] : minus_infinity<double>;
            if (enough(score, threshold))
                touch(T_, s, 0.0);
            else if (score > minus_infinity<double>)
                complete = false;
        }
        for (int t = T_; t > 0; --t) {
            std::sort(at_place_[t].begin(), at_place_[t].end(),
                      [&](int v, int w) { return vertices_[v].s < vertices_[w].s; });
            for (const int v : at_place_[t]) {
                order_.push_back(v);
                vertices_[v].first = static_cast<int>(edges_.size());
                for (int d = 1; d <= std::min(string.L, t); ++d) lead_to(graph, string, reduced, table, base[t - d], threshold, v, d);
                vertices_[v].last = static_cast<int>(edges_.size());
                if ((too_large = edges_.size() > most)) return;
            }
        }
    }

    // Whether one path is left.
    bool single() const {
        int ends = 0;
        for (const int v : at_place_[T_]) ends += vertices_[v].last > vertices_[v].first;
        for (const int v : order_)
            if (vertices_[v].last - vertices_[v].first > 1) return false;
        return ends == 1;
    }

    // The best reduced score of all paths, given the multiplier of each label; -infinity where there is no path.
    double forward(const std::vector<double>& multiplier) {
        for (auto v = order_.rbegin(); v != order_.rend(); ++v) {
            Vertex& vertex = vertices_[*v];
            vertex.before = minus_infinity<double>;
            for (int e = vertex.first; e < vertex.last; ++e) {
                edges_[e].reduced = edges_[e].score - multiplier[edges_[e].label];
                vertex.before = std::max(vertex.before, before(edges_[e]) + edges_[e].reduced);
            }
        }
        double top = minus_infinity<double>;
        for (const int v : at_place_[T_]) top = std::max(top, vertices_[v].before);
        return top;
    }

    // The path that has it.
    void best_path(Path& path) const {
        path.clear();
        int v = at_place_[T_][0];
        for (const int other : at_place_[T_])
            if (vertices_[other].before > vertices_[v].before) v = other;
        for (; v >= 0; v = path.back().from) {
            int chosen = vertices_[v].first;
            for (int e = chosen; e < vertices_[v].last; ++e)
                if (before(edges_[e]) + edges_[e].reduced > before(edges_[chosen]) + edges_[chosen].reduced) chosen = e;
            path.push_back(edges_[chosen]);
        }
    }

    // Leaves out the edges that lie on no path of at least a given reduced score.
    void prune(double threshold) {
        for (const int v : order_) vertices_[v].after = vertices_[v].t == T_ ? 0.0 : minus_infinity<double>;
        for (const int v : order_) {
            Vertex& vertex = vertices_[v];
            int kept = vertex.first;
            for (int e = vertex.first; e < vertex.last; ++e) {
                const Edge edge = edges_[e];
                const double after = vertex.after + edge.reduced;
                if (!enough(before(edge) + after, threshold)) {
                    complete = complete && before(edge) + after == minus_infinity<double>;
                    continue;
                }
                if (edge.from >= 0) vertices_[edge.from].after = std::max(vertices_[edge.from].after, after);
                edges_[kept++] = edge;
            }
            vertex.last = kept;
        }
    }

    // report(reduced score, path) for up to `count` paths, best first, until it answers that this will do. Returns
    // whether there are no more paths.
    template <class Report>
    bool best_paths(int count, const Report& report) const {
        std::vector<Open> nodes;
        // Among equals the one nearest to the start, then the oldest: ties cannot fan out, and the order is fixed.
        const auto worse = [&](int one, int other) {
            if (nodes[one].bound != nodes[other].bound) return nodes[one].bound < nodes[other].bound;
            const int here = place(nodes[one].vertex), there = place(nodes[other].vertex);
            return here != there ? here > there : one > other;
        };
        std::priority_queue<int, std::vector<int>, decltype(worse)> queue(worse);
        const auto push = [&](const Open& node) {
            nodes.push_back(node);
            queue.push(static_cast<int>(nodes.size()) - 1);
        };
        for (const int v : at_place_[T_])
            if (vertices_[v].before > minus_infinity<double>) push({vertices_[v].before, 0.0, v, -1, -1});
        Path path;
        while (!queue.empty() && count > 0 && nodes.size() < most) {
            const int here = queue.top();
            const Open node = nodes[here];
            queue.pop();
            if (node.vertex >= 0) {
                for (int e = vertices_[node.vertex].first; e < vertices_[node.vertex].last; ++e) {
                    const double after = node.after + edges_[e].reduced;
                    push({after + before(edges_[e]), after, edges_[e].from, e, here});
                }
                continue;
            }
            path.clear();
            for (int i = here; nodes[i].edge >= 0; i = nodes[i].next) path.push_back(edges_[nodes[i].edge]);
            std::reverse(path.begin(), path.end());
            --count;
            if (report(node.bound, path)) return false;
        }
        return queue.empty();
    }

  private:
    struct Vertex {  // an end of spans of one state
        int t;
        int s;
        int first;  // its edges, the spans that end here
        int last;
        double before;  // the best reduced score of the ways to it
        double after;   // and from it; while the lattice is made, without multipliers
    };
    struct Open {  // a part of a path, from some edge to the end
        double bound;
        double after;
        int vertex;
        int edge;
        int next;
    };
    int T_ = 0;
    std::size_t S_ = 0;
    std::vector<Vertex> vertices_;
    std::vector<Edge> edges_;
    std::vector<int> order_;  // vertices, the last of the string first
    std::vector<std::vector<int>> at_place_;
    std::vector<int> number_;  // [T + 1, S]: the vertex that is there, or -1

    int place(int vertex) const { return vertex < 0 ? 0 : vertices_[vertex].t; }
    double before(const Edge& edge) const { return edge.from < 0 ? 0.0 : vertices_[edge.from].before; }
    static bool enough(double score, double threshold) {
        return score > minus_infinity<double> && score >= threshold;
    }

    void clear(const Graph<Real>& graph, const String<Real>& string) {
        T_ = string.T;
        S_ = graph.S;
        complete = true;
        too_large = false;
        vertices_.clear();
        edges_.clear();
        order_.clear();
        at_place_.resize(std::max<std::size_t>(at_place_.size(), T_ + 1));
        for (auto& place : at_place_) place.clear();
        number_.assign((T_ + 1) * S_, -1);
    }

    int touch(int t, int s, double after) {
        int& number = number_[t * S_ + s];
        if (number < 0) {
            number = static_cast<int>(vertices_.size());
            vertices_.push_back({t, s, 0, 0, 0.0, after});
            at_place_[t].push_back(number);
        }
        vertices_[number].after = std::max(vertices_[number].after, after);
        return number;
    }

    // The edges of the spans of d tokens that end at a vertex.
    template <class Table>
    void lead_to(const Graph<Real>& graph, const String<Real>& string, const String<Real>& reduced, const Table& table,
                 double base, double threshold, int v, int d) {
        const int end = vertices_[v].t, begin = end - d, s = vertices_[v].s, label = graph.label[s];
        const double span = on_grid(string.row(begin, d)[label]);
        const double after = vertices_[v].after + reduced.row(begin, d)[label];
        if (begin == 0) {
            const double score = on_grid(graph.start[s]);
            if (enough(score + after, threshold))
                edges_.push_back({-1, begin, end, s, label, score + span, 0.0});
            else if (score + after > minus_infinity<double>)
                complete = false;
            return;
        }
        const Real wanted = static_cast<Real>(threshold - after - base);
        bool all = true;
        for (int j = graph.begin[s]; j < graph.begin[s + 1]; ++j) {
            const Real score = graph.score[j], through = table.at(begin, graph.from[j]) + score;
            all = all && (through >= wanted || through == minus_infinity<Real>);
            if (through >= wanted && through > minus_infinity<Real>)
                edges_.push_back({touch(begin, graph.from[j], score + after), begin, end, s, label,
                                  on_grid(score) + span, 0.0});
        }
        complete = complete && all;
    }
};

}  // namespace ibidem
