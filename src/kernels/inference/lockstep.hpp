// Chains (L = 1) of several strings at once: one lane of every register is one string, all take the same step.
//
//   enter[t, s]     = (+) over arcs r -> s of   alpha[t, r] (x) arc[r -> s]
//   alpha[t + 1, s] = enter[t, s] (x) span[t, label(s)]
//
// Best paths are looked for in logarithms. Sums are made of plain numbers, brought back to one size after every token
// by a power of two; a string for which that is not enough (`safe` says so) is left to forward.hpp and backward.hpp,
// which work in logarithms.
#pragma once

#include <type_traits>

#include "inference/segments.hpp"

namespace ibidem {

// The arcs of a graph, bundled: states that the same ones lead to share what is read of those.
template <class Real>
class Bundles {
  public:
    bool suits = true;         // whether the arcs are near enough to each other for plain numbers
    std::vector<Real> factor;  // [S]: exp(top[s] - highest); the weights are exp(score - top[s])
    std::vector<Real> start;   // [S]: the score of the arc from the start
    double highest = 0;        // the best score of all arcs between states
    double first = 0;          // the best score of an arc from the start

    Bundles(const Graph<Real>& graph, bool sums) : start(graph.start.begin(), graph.start.begin() + graph.S) {
        measure(graph);
        std::map<std::vector<std::int32_t>, std::vector<std::int32_t>> alike;
        for (int s = 0; s < graph.S; ++s) {
            std::vector<std::int32_t> sources(graph.from.begin() + graph.begin[s],
                                              graph.from.begin() + graph.begin[s + 1]);
            std::sort(sources.begin(), sources.end());
            if (!sources.empty()) alike[sources].push_back(s);
        }
        std::vector<std::int32_t> place(graph.S);
        for (const auto& [sources, states] : alike) {
            const std::size_t H = sources.size(), D = states.size();
            for (std::size_t h = 0; h < H; ++h) place[sources[h]] = static_cast<std::int32_t>(h);
            std::vector<Real> matrix(H * D);
            for (std::size_t d = 0; d < D; ++d)
                for (int j = graph.begin[states[d]]; j < graph.begin[states[d] + 1]; ++j)
                    matrix[place[graph.from[j]] * D + d] = sums ? graph.weight[j] : graph.score[j];
            put(forward_, sources, states, [&](std::size_t h, std::size_t d) { return matrix[h * D + d]; });
            if (sums) put(backward_, states, sources, [&](std::size_t d, std::size_t h) { return matrix[h * D + d]; });
        }
    }
    std::vector<Bundle<Real>> forward() const { return given(forward_); }
    std::vector<Bundle<Real>> backward() const { return given(backward_); }

  private:
    struct Kept {
        Bundle<Real> bundle;
        std::size_t from;
        std::size_t weight;
    };
    std::vector<Kept> forward_, backward_;
    std::vector<int> from_;
    std::vector<Real> weight_;

    void measure(const Graph<Real>& graph) {
        highest = minus_infinity<double>;
        for (int s = 0; s < graph.S; ++s) highest = std::max(highest, static_cast<double>(graph.top[s]));
        first = minus_infinity<double>;
        for (const Real score : start) first = std::max(first, static_cast<double>(score));
        suits = std::min(first, highest) > minus_infinity<double> && graph.lowest > Real(-18);
        for (int s = 0; s < graph.S; ++s) {
            const double from_start = start[s] - first, from_states = graph.top[s] - highest;
            suits = suits && (start[s] == minus_infinity<Real> || from_start > -40);
            suits = suits && (graph.top[s] == minus_infinity<Real> || from_states > -40);
            factor.push_back(static_cast<Real>(graph.top[s] > minus_infinity<Real> ? std::exp(from_states) : 0.0));
        }
    }

    template <class Weight>
    void put(std::vector<Kept>& list, const std::vector<std::int32_t>& sources,
             const std::vector<std::int32_t>& targets, const Weight& weight) {
        const std::size_t begin = from_.size();
        from_.insert(from_.end(), sources.begin(), sources.end());
        for (std::size_t d = 0; d < targets.size(); d += 4) {
            Kept kept{{nullptr, static_cast<int>(sources.size()), {}, 0, nullptr}, begin, weight_.size()};
            const std::size_t count = std::min<std::size_t>(4, targets.size() - d);
            for (std::size_t i = 0; i < count; ++i) kept.bundle.into[i] = targets[d + i];
            kept.bundle.targets = static_cast<int>(count);
            for (std::size_t h = 0; h < sources.size(); ++h)
                for (std::size_t i = 0; i < count; ++i) weight_.push_back(weight(h, d + i));
            list.push_back(kept);
        }
    }

    std::vector<Bundle<Real>> given(const std::vector<Kept>& list) const {
        std::vector<Bundle<Real>> bundles;
        for (const Kept& kept : list) {
            bundles.push_back(kept.bundle);
            bundles.back().from = from_.data() + kept.from;
            bundles.back().weight = weight_.data() + kept.weight;
        }
        return bundles;
    }
};

// Some strings side by side, and room for their tables.
template <class Real>
class Lockstep {
  public:
    Lockstep(const Graph<Real>& graph, const Bundles<Real>& bundles)
        : graph_(graph),
          bundles_(bundles),
          forward_(bundles.forward()),
          backward_(bundles.backward()),
          loops_(loops<Real>()),
          lanes_(loops<Real>().lanes),
          row_(static_cast<std::size_t>(graph.S) * lanes_),
          enter_(row_),
          top_(lanes_),
          low_(lanes_) {}

    int lanes() const { return lanes_; }
    const Graph<Real>& graph() const { return graph_; }

    // The strings come longest first and none is empty. cost[i], where there is any, is what the scores of the labels of
    // string i are less of.
    template <class Score>
    void load(const String<Score>* strings, int count, const std::vector<double>* cost = nullptr) {
        length_.clear();
        for (int i = 0; i < count; ++i) length_.push_back(strings[i].T);
        count_ = count;
        T_ = strings[0].T;
        const std::size_t Y = strings[0].Y;
        emission_row_ = Y * lanes_;
        Tables<Real>::grow(emission_, T_ * emission_row_);
        Tables<Real>::grow(alpha_, (T_ + 1) * row_);
        std::fill(emission_.begin(), emission_.begin() + T_ * emission_row_, Real(0));
        for (int t = 0; t < T_; ++t)
            for (int i = 0; i < count && t < strings[i].T; ++i) {
                const Score* from = strings[i].row(t, 1);
                Real* to = emission_.data() + t * emission_row_ + i;
                for (std::size_t y = 0; y < Y; ++y) to[y * lanes_] = static_cast<Real>(from[y]);
                if (!cost || cost[i].empty()) continue;
                for (std::size_t y = 0; y < Y; ++y) to[y * lanes_] = static_cast<Real>(from[y] - cost[i][y]);
            }
    }

    // alpha[t, s]: the score of the best way to t, less that of the best state there.
    void find_best() {
        for (int t = 0; t < T_; ++t) {
            fill_enter(t, minus_infinity<Real>);
            if (t > 0) loops_.spread_max(forward_.data(), size(forward_), alpha(t), enter_.data());
            loops_.emit_sums(enter_.data(), emission(t), graph_.label, graph_.S, alpha(t + 1), top_.data());
            for (Real& top : top_) top = top > minus_infinity<Real> ? top : Real(0);
            loops_.lower_lanes(alpha(t + 1), top_.data(), graph_.S);
        }
    }

    // alpha and beta as plain numbers, and the logarithm of the sum over all paths; afterwards `safe` says of which
    // strings they can be trusted.
    void find_sums() {
        safe_.assign(lanes_, true);
        log_z_.assign(lanes_, 0.0);
        exponentiate();
        for (int t = 0; t < T_; ++t) {
            fill_enter(t, Real(0));
            if (t > 0) loops_.spread_sum(forward_.data(), size(forward_), alpha(t), enter_.data());
            const Real* factor = t > 0 ? bundles_.factor.data() : ones();
            loops_.emit_products(enter_.data(), factor, emission(t), graph_.label, graph_.S, alpha(t + 1), top_.data(),
                                 low_.data());
            resize_forward(t);
        }
        find_beta();
    }

    bool safe(int lane) const { return safe_[lane]; }
    double log_z(int lane) const { return log_z_[lane]; }

    // The table of one string, for `walk` of backward.hpp.
    struct Lane {
        const Lockstep& all;
        int lane;
        Real at(int t, int s) const { return all.alpha_[t * all.row_ + s * all.lanes_ + lane]; }
        double place_base(int) const { return 0.0; }  // not kept: the best path tells
        template <class... Rest>
        int last_span(const Rest&...) const {
            return 1;
        }
    };
    Lane lane(int i) const { return {*this, i}; }

    // The logarithm of the probability that tokens start .. end of a string are exactly one segment: what can follow it,
    // which is all that can follow less what goes on with it, is led back through the allowed states, and meets at its
    // first token what can lead to it.
    double segment_mass(int lane, const Mask<Real>& mask, int start, int end, std::vector<double>& here) {
        here.resize(graph_.S);
        before_.resize(graph_.S);
        const auto back = [&](int t, const ArcList& list, std::vector<double>& here) {
            const Real* score = emission(t) + lane;
            for (const int s : list.reached) here[s] *= score[graph_.label[s] * lanes_] * bundles_.factor[s];
            const double by = scale_[t * lanes_ + lane];
            for (std::size_t i = 0; i < list.source.size(); ++i) {
                double total = 0;
                for (int a = list.begin[i]; a < list.begin[i + 1]; ++a)
                    total += here[list.target[a]] * graph_.weight[list.place[a]];
                before_[list.source[i]] = total * by;
            }
            here.swap(before_);
        };
        const auto probability = [&](int t, const std::vector<std::int32_t>& states, const std::vector<double>& here) {
            double total = 0;
            for (const int s : states) total += alpha(t + 1)[s * lanes_ + lane] * here[s];
            return total / total_[(t + 1) * lanes_ + lane];
        };
        const auto leave = [&](int t, bool single, std::vector<double>& here) {
            const auto& states = single ? mask.starting : mask.ending;
            if (t < length_[lane]) {
                const ArcList& staying = single ? mask.first_to_inside : mask.within;
                for (const int s : staying.reached) here[s] = beta(t + 1)[s * lanes_ + lane];
                back(t, staying, here);
                for (const int s : states) here[s] = std::max(beta(t)[s * lanes_ + lane] - here[s], 0.0);
            } else {
                for (const int s : states) here[s] = graph_.final[s] ? 1.0 : 0.0;
            }
        };
        return mass_of_segment(mask, start, end, here, leave, back, probability);
    }

  private:
    static constexpr Real least = std::is_same<Real, float>::value ? Real(1e-30) : Real(1e-270);
    static constexpr int size_kept = std::is_same<Real, float>::value ? 90 : 900;  // the best alpha is some 2^size_kept

    const Graph<Real>& graph_;
    const Bundles<Real>& bundles_;
    std::vector<Bundle<Real>> forward_, backward_;
    const Loops<Real>& loops_;
    int lanes_;
    std::size_t row_;  // numbers in a row of all states
    std::size_t emission_row_ = 0;
    std::vector<Real> enter_, top_, low_, ones_;
    std::vector<Real> emission_;  // [T, Y, lanes]: scores, or their exponentials less the best of each token
    std::vector<Real> alpha_;     // [T + 1, S, lanes]
    std::vector<Real> beta_;      // [T + 1, S, lanes]
    std::vector<Real> scale_;     // [T + 1, lanes]: what beta[t] was multiplied with
    std::vector<Real> total_;     // [T + 1, lanes]: sum over s of alpha[t, s] * beta[t, s]
    std::vector<double> log_z_, before_;
    std::vector<bool> safe_;
    std::vector<int> length_;  // of each string
    int count_ = 0;
    int T_ = 0;

    Real* alpha(int t) { return alpha_.data() + t * row_; }
    Real* beta(int t) { return beta_.data() + t * row_; }
    Real* emission(int t) { return emission_.data() + t * emission_row_; }
    static int size(const std::vector<Bundle<Real>>& bundles) { return static_cast<int>(bundles.size()); }
    const Real* ones() {
        if (ones_.empty()) ones_.assign(graph_.S, Real(1));
        return ones_.data();
    }

    // What enters at t: from the start before the first token, nothing yet elsewhere.
    void fill_enter(int t, Real nothing) {
        if (t > 0) {
            std::fill(enter_.begin(), enter_.end(), nothing);
            return;
        }
        for (int s = 0; s < graph_.S; ++s) {
            const Real score = bundles_.start[s];
            const Real raised = static_cast<Real>(std::exp(score - bundles_.first));
            std::fill_n(enter_.begin() + s * lanes_, lanes_, nothing == Real(0) ? raised : score);
        }
    }

    // Scores become exponentials, less the best of each token, which goes into log_z.
    void exponentiate() {
        const int Y = static_cast<int>(emission_row_ / lanes_);
        for (int t = 0; t < T_; ++t) {
            loops_.tops(emission(t), Y, top_.data());
            for (int i = 0; i < lanes_; ++i) {
                if (!(top_[i] > minus_infinity<Real>)) top_[i] = 0;
                if (i < count_ && t < length_[i]) log_z_[i] += top_[i] + (t > 0 ? bundles_.highest : bundles_.first);
            }
            loops_.lower_lanes(emission(t), top_.data(), Y);
        }
        loops_.exponential(emission_.data(), Real(0), emission_.data(), static_cast<int>(T_ * emission_row_));
    }

    void resize_forward(int t) {
        for (int i = 0; i < count_; ++i) {
            const int T = length_[i];
            if (t >= T) continue;
            if (!(top_[i] > 0) || low_[i] < least) safe_[i] = false;
            int exponent = 0;
            std::frexp(top_[i] > 0 ? top_[i] : Real(1), &exponent);
            low_[i] = std::ldexp(Real(1), size_kept - exponent);
            log_z_[i] += (exponent - size_kept) * 0.69314718055994530942;
            if (low_[i] > std::numeric_limits<Real>::max()) safe_[i] = false;
        }
        for (int i = 0; i < lanes_; ++i)
            if (i >= count_ || t >= length_[i] || !safe_[i]) low_[i] = 0;
        loops_.scale_lanes(alpha(t + 1), low_.data(), graph_.S);
        for (int i = 0; i < count_; ++i)
            if (length_[i] == t + 1) log_z_[i] += std::log(ending(i));
    }

    // What arrives at the end of a string.
    double ending(int lane) const {
        double total = 0;
        for (int s = 0; s < graph_.S; ++s)
            if (graph_.final[s]) total += alpha_[length_[lane] * row_ + s * lanes_ + lane];
        return total;
    }

    void find_beta() {
        Tables<Real>::grow(beta_, (T_ + 1) * row_);
        Tables<Real>::grow(scale_, static_cast<std::size_t>(T_ + 1) * lanes_);
        Tables<Real>::grow(total_, static_cast<std::size_t>(T_ + 1) * lanes_);
        std::fill(beta(T_), beta(T_) + row_, Real(0));
        for (int t = T_; t > 0; --t) {
            if (t < T_) {
                loops_.emit_products(beta(t + 1), bundles_.factor.data(), emission(t), graph_.label, graph_.S,
                                     enter_.data(), top_.data(), low_.data());
                std::fill(beta(t), beta(t) + row_, Real(0));
                loops_.spread_sum(backward_.data(), size(backward_), enter_.data(), beta(t));
                loops_.tops(beta(t), graph_.S, top_.data());
                Real* scale = scale_.data() + t * lanes_;
                for (int i = 0; i < lanes_; ++i) scale[i] = top_[i] > 0 ? Real(1) / top_[i] : Real(0);
                loops_.scale_lanes(beta(t), scale, graph_.S);
            }
            for (int i = 0; i < count_; ++i)
                if (length_[i] == t)
                    for (int s = 0; s < graph_.S; ++s) beta(t)[s * lanes_ + i] = graph_.final[s] ? Real(1) : Real(0);
            Real* total = total_.data() + t * lanes_;
            loops_.dot_lanes(alpha(t), beta(t), graph_.S, total);
            for (int i = 0; i < count_; ++i)
                if (t <= length_[i] && !(total[i] > enough)) safe_[i] = false;
        }
    }
    // A total so large holds more than everything together that may have become zero in beta.
    static constexpr Real enough = Real(0.1);
};

}  // namespace ibidem
