// What a model has to say of strings: the best path, the segments that lie on it and the probability of each (chains only,
// L = 1).
#pragma once

#include <memory>
#include <mutex>

#include "inference/constrained.hpp"

namespace ibidem {

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

// What all strings of a batch share. Sums are made in double precision: a probability near 0 or 1 may be mapped to a
// confidence that is far from either, and what single precision loses of it would show there.
template <class Real>
struct ReadingModel {
    std::vector<double> arc;
    Graph<double> sums;
    Graph<Real> maxima;
    Bundles<double> bundled_sums;
    Bundles<Real> bundled_maxima;
    Levels levels;
    mutable Masks<double> masks;

    ReadingModel(const AutomatonView<Real>& view, const bool* first, const bool* inside, int count)
        : sums(widen(view, arc), Need::weights_both_ways),
          maxima(view, Need::scores),
          bundled_sums(sums, true),
          bundled_maxima(maxima, false),
          levels(first, inside, count, view.S),
          masks(sums, first, inside, count) {}
};

// Reads several strings at once, with its own room to work in.
template <class Real>
class Reader {
  public:
    explicit Reader(const ReadingModel<Real>& model)
        : model_(&model), pathfinder_(model.maxima, model.bundled_maxima), lockstep_(model.sums, model.bundled_sums) {}

    // report(i, score, log_z, segments, multipliers) for each of the strings, which come longest first; none is empty. One
    // without any path has the score -infinity and no segments. Unless they are to be weighed, log_z and the masses are
    // 0. Where limits had a part in the answer, all is said of the scores less multipliers.
    template <class Report>
    void read(const String<Real>* strings, int count, bool with_marginals, SoftSearch<Real>* search, const Report& report) {
        score_.resize(count);
        log_z_.assign(count, 0.0);
        found_.resize(count);
        multiplier_.assign(count, {});
        cost_.assign(count, {});
        pathfinder_.find(strings, count, [&](int i, double best, std::int32_t* state, bool* starts, const auto& table) {
            score_[i] = best;
            found_[i].clear();
            if (best == minus_infinity<double>) return;
            if (search) {
                Answer answer{state, starts, {}, best, best, best, 1, true};
                search->find(strings[i], table, answer);
                if (!answer.multiplier.empty()) cost_[i] = search->cost_of_labels(answer.multiplier);
                score_[i] = search->priced_score(strings[i], answer);
                multiplier_[i].swap(answer.multiplier);
            }
            model_->levels.read(state, strings[i].T, found_[i]);
        });
        for (int i = 0; with_marginals && i < count; i += lockstep_.lanes())
            weigh(strings, i, std::min(lockstep_.lanes(), count - i));
        for (int i = 0; i < count; ++i) report(i, score_[i], log_z_[i], found_[i], multiplier_[i]);
    }

  private:
    const ReadingModel<Real>* model_;
    Pathfinder<Real> pathfinder_;
    Lockstep<double> lockstep_;
    Tables<double> tables_;
    Shares<double> shares_;
    std::vector<double> span_, here_;
    std::vector<double> score_, log_z_;
    std::vector<std::vector<Segment>> found_;
    std::vector<std::vector<double>> multiplier_;
    std::vector<std::vector<double>> cost_;  // of the labels under the multipliers

    // log_z and the masses of the segments of some strings from `first` on.
    void weigh(const String<Real>* strings, int first, int count) {
        const bool together = model_->bundled_sums.suits && strings[first].T <= longest_side_by_side;
        if (together) {
            lockstep_.load(strings + first, count, cost_.data() + first);
            lockstep_.find_sums();
        }
        for (int lane = 0; lane < count; ++lane) {
            const int i = first + lane;
            if (!together || !lockstep_.safe(lane)) {
                log_z_[i] = weigh_alone(strings[i], cost_[i], found_[i]);
                continue;
            }
            log_z_[i] = lockstep_.log_z(lane);
            for (Segment& each : found_[i])
                each.mass = lockstep_.segment_mass(lane, model_->masks[each.mask], each.start, each.end, here_);
        }
    }

    double weigh_alone(const String<Real>& scores, const std::vector<double>& cost, std::vector<Segment>& found) {
        span_.assign(scores.span, scores.span + static_cast<std::size_t>(scores.T) * scores.Y);
        for (std::size_t i = 0; i < span_.size() && !cost.empty(); i += scores.Y)
            for (int y = 0; y < scores.Y; ++y) span_[i + y] -= cost[y];
        const String<double> string{span_.data(), scores.T, 1, scores.Y};
        forward<LogSemiring>(model_->sums, string, tables_);
        const double log_z = log_total(model_->sums, tables_, string.T);
        share_credit<double>(model_->sums, string, tables_, log_z, shares_, nullptr, nullptr);
        for (Segment& each : found)
            each.mass = segment_mass(model_->sums, tables_, shares_, model_->masks[each.mask], string.T, each.start,
                                     each.end, here_);
        return log_z;
    }
};

// The model of an automaton and of masks that were copied: one that was made for a batch serves the next.
template <class Real>
class KeptModel {
  public:
    KeptModel(const AutomatonView<Real>& view, const bool* first, const bool* inside, int masks)
        : masks_(masks),
          label_(view.label, view.label + view.S),
          src_(view.src, view.src + view.A),
          dst_(view.dst, view.dst + view.A),
          arc_(view.arc, view.arc + view.A),
          final_(copied(view.final, view.S)),
          first_(copied(first, static_cast<std::size_t>(masks) * view.S)),
          inside_(copied(inside, static_cast<std::size_t>(masks) * view.S)),
          model_({label_.data(), src_.data(), dst_.data(), final_.get(), arc_.data(), view.S, view.A}, first_.get(),
                 inside_.get(), masks) {}

    const Graph<Real>& maxima() const { return model_.maxima; }

    // A reader of this model; it goes back when it is no longer used, and its room to work in serves the next batch.
    std::shared_ptr<Reader<Real>> reader() const {
        std::unique_ptr<Reader<Real>> found;
        {
            const std::lock_guard<std::mutex> lock(guard_of_kept());
            if (!idle_.empty()) {
                found = std::move(idle_.back());
                idle_.pop_back();
            }
        }
        if (!found) found.reset(new Reader<Real>(model_));
        return {found.release(), [this](Reader<Real>* used) {
                    const std::lock_guard<std::mutex> lock(guard_of_kept());
                    idle_.emplace_back(used);
                }};
    }

    // The model made last where it is of the same things, else a new one.
    static std::shared_ptr<const KeptModel> of(const AutomatonView<Real>& view, const bool* first, const bool* inside,
                                               int masks) {
        static std::shared_ptr<const KeptModel> last;
        {
            const std::lock_guard<std::mutex> lock(guard_of_kept());
            if (last && last->is_of(view, first, inside, masks)) return last;
        }
        auto made = std::make_shared<const KeptModel>(view, first, inside, masks);
        const std::lock_guard<std::mutex> lock(guard_of_kept());
        last = made;
        return made;
    }

  private:
    int masks_;
    std::vector<std::int32_t> label_, src_, dst_;
    std::vector<Real> arc_;
    std::unique_ptr<bool[]> final_, first_, inside_;
    ReadingModel<Real> model_;
    mutable std::vector<std::unique_ptr<Reader<Real>>> idle_;

    static std::unique_ptr<bool[]> copied(const bool* from, std::size_t count) {
        std::unique_ptr<bool[]> to(new bool[count]);
        std::copy(from, from + count, to.get());
        return to;
    }
    bool is_of(const AutomatonView<Real>& view, const bool* first, const bool* inside, int masks) const {
        const std::size_t size = static_cast<std::size_t>(masks) * view.S;
        return masks == masks_ && view.S == static_cast<int>(label_.size()) &&
               view.A == static_cast<int>(src_.size()) && std::equal(label_.begin(), label_.end(), view.label) &&
               std::equal(src_.begin(), src_.end(), view.src) && std::equal(dst_.begin(), dst_.end(), view.dst) &&
               std::equal(arc_.begin(), arc_.end(), view.arc) &&
               std::equal(view.final, view.final + view.S, final_.get()) &&
               std::equal(first, first + size, first_.get()) && std::equal(inside, inside + size, inside_.get());
    }
};

}  // namespace ibidem
