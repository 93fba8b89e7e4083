// What a model has to say of a string, from one forward and one backward loop: the best path, the segments that lie on
// it and the chance of each (chains only, L = 1).
//
// No path through a place is more likely than the place itself. So once some good path is known, the best one can only
// lead through places at least as likely as that path: a handful at each token, among which it is soon found.
#pragma once

#include <memory>
#include <mutex>

#include "segments.hpp"

namespace ibidem {

// The score of the arc from r to s at [r * S + s], -infinity where there is none.
template <class Real>
std::vector<Real> arc_table(const Graph<Real>& graph) {
    std::vector<Real> table(static_cast<std::size_t>(graph.S) * graph.S, minus_infinity<Real>);
    for (int s = 0; s < graph.S; ++s)
        for (int j = graph.begin[s]; j < graph.begin[s + 1]; ++j)
            table[static_cast<std::size_t>(graph.from[j]) * graph.S + s] = graph.score[j];
    return table;
}

// The masks of all paths of labels, each made when it is first needed.
template <class Real>
class Masks {
  public:
    Masks(const Graph<Real>& graph, const bool* first, const bool* inside, int count)
        : graph_(graph), first_(first), inside_(inside), made_(count), mask_(count) {}
    const Mask<Real>& operator[](int k) {
        std::call_once(made_[k], [&] {
            const std::size_t row = static_cast<std::size_t>(k) * graph_.S;
            mask_[k].reset(new Mask<Real>(graph_, first_ + row, inside_ + row));
        });
        return *mask_[k];
    }

  private:
    const Graph<Real>& graph_;
    const bool* first_;
    const bool* inside_;
    std::vector<std::once_flag> made_;
    std::vector<std::unique_ptr<Mask<Real>>> mask_;
};

struct Segment {
    std::int32_t start;
    std::int32_t end;
    std::int32_t mask;
    std::int32_t depth;
    double mass;
};

// The segments that begin and go on at each state, outermost first: those whose masks hold it, in order.
struct Levels {
    struct Level {
        std::int32_t mask;
        bool begins;
    };
    std::vector<std::vector<Level>> of;  // [S]

    Levels(const bool* first, const bool* inside, int masks, int S) : of(S) {
        for (int k = 0; k < masks; ++k)
            for (int s = 0; s < S; ++s) {
                const std::size_t place = static_cast<std::size_t>(k) * S + s;
                if (first[place] || inside[place]) of[s].push_back({k, first[place]});
            }
    }

    // By start, parents before children.
    void read(const std::int32_t* state, int T, std::vector<Segment>& found) const {
        std::vector<Segment> open;
        found.clear();
        const auto close = [&](std::size_t depth, int end) {
            for (; open.size() > depth; open.pop_back()) {
                found.push_back(open.back());
                found.back().end = end;
            }
        };
        for (int t = 0; t < T; ++t) {
            const auto& levels = of[state[t]];
            std::size_t kept = 0;
            while (kept < levels.size() && kept < open.size() && !levels[kept].begins &&
                   levels[kept].mask == open[kept].mask)
                ++kept;
            close(kept, t);
            for (std::size_t depth = kept; depth < levels.size(); ++depth)
                open.push_back({t, 0, levels[depth].mask, static_cast<std::int32_t>(depth), 0.0});
        }
        close(0, T);
        std::sort(found.begin(), found.end(), [](const Segment& one, const Segment& other) {
            return one.start != other.start ? one.start < other.start : one.depth < other.depth;
        });
    }
};

// The best path among places that the marginals leave open.
template <class Real>
class Pruned {
  public:
    explicit Pruned(const std::vector<Real>& arcs) : arcs_(arcs) {}

    // `state` holds some path whose log-probability is `known`; it is replaced by the best one. Returns its score, or
    // -infinity where the marginals are too small to say.
    double improve(const Graph<Real>& graph, const String<Real>& string, const Tables<Real>& tables,
                   const Shares<Real>& shares, double known, double score, std::int32_t* state) {
        if (known < -60.0) return minus_infinity<double>;
        const Real least = static_cast<Real>(0.5 * std::exp(known));  // half: the marginals are rounded
        place_.clear();
        begin_.assign(1, 0);
        for (int t = 0; t < string.T; ++t) {
            const Real* chance = shares.credit.data() + tables.row(t + 1);
            for (int s = 0; s < graph.S; ++s)
                if (chance[s] >= least || s == state[t]) place_.push_back({s, -1, minus_infinity<double>});
            begin_.push_back(static_cast<int>(place_.size()));
        }
        if (static_cast<int>(place_.size()) == string.T) return score;
        return search(graph, string, state);
    }

  private:
    struct Place {
        std::int32_t s;
        std::int32_t before;
        double score;
    };
    const std::vector<Real>& arcs_;
    std::vector<Place> place_;
    std::vector<int> begin_;  // [T + 1]

    double search(const Graph<Real>& graph, const String<Real>& string, std::int32_t* state) {
        for (int i = 0; i < begin_[1]; ++i)
            place_[i].score =
                static_cast<double>(graph.start[place_[i].s]) + string.row(0, 1)[graph.label[place_[i].s]];
        for (int t = 1; t < string.T; ++t)
            for (int i = begin_[t]; i < begin_[t + 1]; ++i) {
                Place& here = place_[i];
                for (int j = begin_[t - 1]; j < begin_[t]; ++j) {
                    const double score =
                        place_[j].score + arcs_[static_cast<std::size_t>(place_[j].s) * graph.S + here.s];
                    if (score > here.score) {
                        here.score = score;
                        here.before = j;
                    }
                }
                here.score += string.row(t, 1)[graph.label[here.s]];
            }
        int last = -1;
        for (int i = begin_[string.T - 1]; i < begin_[string.T]; ++i)
            if (graph.final[place_[i].s] && (last < 0 || place_[i].score > place_[last].score)) last = i;
        const double best = place_[last].score;
        for (int t = string.T - 1; t >= 0; --t, last = place_[last].before) state[t] = place_[last].s;
        return best;
    }
};

// What all strings of a batch share.
template <class Real>
struct ReadingModel {
    Graph<Real> sums;
    Graph<Real> maxima;
    std::vector<Real> arcs;
    Levels levels;
    mutable Masks<Real> masks;

    ReadingModel(const AutomatonView<Real>& view, const bool* first, const bool* inside, int count)
        : sums(view, Need::weights_both_ways),
          maxima(view, Need::scores),
          arcs(arc_table(sums)),
          levels(first, inside, count, view.S),
          masks(sums, first, inside, count) {}
};

// Reads one string after the other, with its own room to work in.
template <class Real>
class Reader {
  public:
    explicit Reader(const ReadingModel<Real>& model) : model_(&model), pruned_(model.arcs) {}

    // A string without any path has the score -infinity and no segments.
    void read(const String<Real>& string, double& score, double& log_z, std::vector<Segment>& found) {
        const Graph<Real>& graph = model_->sums;
        state_.resize(string.T);
        starts_.reset(new bool[string.T]);
        forward<LogSemiring>(graph, string, tables_);
        log_z = log_total(graph, tables_, string.T);
        share_credit<Real>(graph, string, tables_, log_z, shares_, nullptr, nullptr);
        score = walk(graph, string, tables_, Argmax(), room_, state_.data(), starts_.get());
        if (score == minus_infinity<double>) return;
        score = pruned_.improve(graph, string, tables_, shares_, score - log_z, score, state_.data());
        if (score == minus_infinity<double>) {
            forward<MaxSemiring>(model_->maxima, string, maxima_);
            score = walk(model_->maxima, string, maxima_, Argmax(), room_, state_.data(), starts_.get());
        }
        model_->levels.read(state_.data(), string.T, found);
        for (Segment& segment : found)
            segment.mass = segment_mass(graph, tables_, shares_, model_->masks[segment.mask], string.T, segment.start,
                                        segment.end, here_, before_);
    }

  private:
    const ReadingModel<Real>* model_;
    Pruned<Real> pruned_;
    Tables<Real> tables_;
    Tables<Real> maxima_;
    Shares<Real> shares_;
    std::vector<Real> room_;
    std::vector<std::int32_t> state_;
    std::unique_ptr<bool[]> starts_;
    std::vector<double> here_;
    std::vector<double> before_;
};

}  // namespace ibidem
