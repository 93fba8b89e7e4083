// Samples or decodes the segmentation of a citation by a dynamic program over (position, set of elements used).
//
// ibidem.unsupervised.blocked_numpy is the reference implementation. Probabilities are rescaled at each position;
// `log_scale` is the logarithm of the scale.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "checks.hpp"
#include "inference/backward.hpp"
#include "inference/loops.hpp"

namespace ibidem {

constexpr std::uint8_t no_element = 255;
constexpr int most_elements = 16;
// A segment whose words are less probable than this, relative to the best path to its end, is pruned.
constexpr double negligible = 1e-40;
enum Role { inside = 0, last = 1, roles = 2 };

// Parameters that stay fixed during a sweep.
struct SegmentTables {
    const double* word;          // [W, K] counts and pseudo-counts
    const double* word_total;    // [K]
    const double* length;        // [K, L + 1] counts and pseudo-counts
    const double* length_total;  // [K]
    const double* step;          // [K, 2^K] probability of an element coming next after a set
    const double* gap;           // [C, K, 2] probability of a gap after a token inside an element, and after its last token
    int K, L, C;
};

struct Citation {
    const std::int32_t* words;
    const std::int32_t* gaps;
    const std::uint8_t* element;  // current element of each token, or no_element
    int T;
};

// Sums that do not depend on the order in which citations are sampled.
struct SegmentCounts {
    std::vector<std::int64_t> step, length, gap;
    SegmentCounts(const SegmentTables& tables)
        : step(static_cast<std::size_t>(tables.K) << tables.K, 0),
          length(static_cast<std::size_t>(tables.K) * (tables.L + 1), 0),
          gap(static_cast<std::size_t>(tables.C) * tables.K * roles, 0) {}
    void add(const SegmentCounts& other) {
        for (std::size_t i = 0; i < step.size(); ++i) step[i] += other.step[i];
        for (std::size_t i = 0; i < length.size(); ++i) length[i] += other.length[i];
        for (std::size_t i = 0; i < gap.size(); ++i) gap[i] += other.gap[i];
    }
};

class BlockedSampler {
  public:
    explicit BlockedSampler(const SegmentTables& tables)
        : tables_(tables),
          K_(tables.K),
          sets_(1 << tables.K),
          half_(std::max(1 << (tables.K - 1), 8)),
          without_(static_cast<std::size_t>(tables.K) << (tables.K - 1)),
          step_(without_.size()) {
        for (int k = 0; k < K_; ++k)
            for (int i = 0; i < sets_ / 2; ++i) {
                const int set = (i & ((1 << k) - 1)) | ((i >> k) << (k + 1));
                without_[k * (sets_ / 2) + i] = set;
                step_[k * (sets_ / 2) + i] = tables.step[k * sets_ + set];
            }
    }

    // The log-likelihood of the citation given the tables minus its own counts; -infinity if no segmentation is possible.
    double forward(const Citation& citation) {
        prepare(citation);
        const int T = citation.T;
        log_scale_ = 0;
        std::fill(alpha_.begin(), alpha_.begin() + static_cast<std::size_t>(T + 1) * sets_, 0.0);
        alpha_[0] = 1;
        settle(0, alpha_.data());
        for (int t = 1; t <= T; ++t) {
            double* here = alpha_.data() + static_cast<std::size_t>(t) * sets_;
            for (int k = 0; k < K_; ++k) gather(k, t, here);
            if (!settle(t, here)) return minus_infinity<double>;
        }
        const double total = alpha_[static_cast<std::size_t>(T) * sets_ + sets_ - 1];
        return total > 0 ? std::log(total) + log_scale_ : minus_infinity<double>;
    }

    // Samples a segmentation after forward(); writes the element of every token and adds to the counts.
    void sample(const Citation& citation, Draw& random, std::uint8_t* element, SegmentCounts& counts) {
        int t = citation.T, set = sets_ - 1;
        for (int left = K_; left > 0; --left) {
            const double aim = random.uniform() * alpha_[static_cast<std::size_t>(t) * sets_ + set];
            const Segment segment = pick(t, set, aim);
            require(segment.k >= 0, "the tables are not those of these elements: no segmentation is possible");
            set ^= 1 << segment.k;
            ++counts.step[segment.k * sets_ + set];
            ++counts.length[segment.k * (tables_.L + 1) + (t - segment.start)];
            for (int i = segment.start; i < t; ++i) {
                element[i] = static_cast<std::uint8_t>(segment.k);
                const std::size_t row = static_cast<std::size_t>(citation.gaps[i]) * K_ + segment.k;
                ++counts.gap[row * roles + (i == t - 1 ? last : inside)];
            }
            t = segment.start;
        }
    }

    // After forward(): the marginal probability of each element at each token, [T, K].
    const double* marginals(const Citation& citation) {
        const int T = citation.T;
        beta_.assign(static_cast<std::size_t>(T + 1) * sets_, 0.0);
        mass_.assign(static_cast<std::size_t>(T + 1) * K_, 0.0);
        beta_[static_cast<std::size_t>(T) * sets_ + sets_ - 1] = 1 / alpha_[static_cast<std::size_t>(T) * sets_ + sets_ - 1];
        for (int t = T; t >= 0; --t) share(t, T);
        double* mass = mass_.data();  // prefix sums of the differences
        for (int t = 1; t < T; ++t)
            for (int k = 0; k < K_; ++k) mass[t * K_ + k] += mass[(t - 1) * K_ + k];
        return mass;
    }

    // After marginals(): the segmentation with the most expected correct tokens, among those with every element
    // contiguous.
    void decode(int T, std::uint8_t* element) {
        for (int i = 0; i < T * K_; ++i)
            require(std::isfinite(mass_[i]), "the tables are not those of these elements: no segmentation is possible");
        const std::size_t states = static_cast<std::size_t>(sets_) * K_;
        const double never = minus_infinity<double>;
        value_.assign(static_cast<std::size_t>(T + 1) * states, never);
        came_.assign(static_cast<std::size_t>(T + 1) * states, no_element);
        top_.assign(static_cast<std::size_t>(T + 1) * sets_, never);
        best_.assign(static_cast<std::size_t>(T + 1) * sets_, no_element);
        top_[0] = 0;
        for (int t = 1; t <= T; ++t)
            for (int set = 1; set < sets_; ++set)
                for (int k = 0; k < K_; ++k) {
                    if (!(set >> k & 1)) continue;
                    const double stay = value_[(t - 1) * states + set * K_ + k];
                    const double enter = top_[static_cast<std::size_t>(t - 1) * sets_ + (set ^ 1 << k)];
                    const double base = std::max(stay, enter);
                    if (base == never) continue;
                    const double here = base + mass_[(t - 1) * K_ + k];
                    value_[t * states + set * K_ + k] = here;
                    came_[t * states + set * K_ + k] =
                        stay >= enter ? static_cast<std::uint8_t>(k) : best_[static_cast<std::size_t>(t - 1) * sets_ + (set ^ 1 << k)];
                    double& top = top_[static_cast<std::size_t>(t) * sets_ + set];
                    if (here > top) {
                        top = here;
                        best_[static_cast<std::size_t>(t) * sets_ + set] = static_cast<std::uint8_t>(k);
                    }
                }
        if (T == 0) return;
        const double* ends = top_.data() + static_cast<std::size_t>(T) * sets_;
        int set = static_cast<int>(std::max_element(ends, ends + sets_) - ends);
        int k = best_[static_cast<std::size_t>(T) * sets_ + set];
        for (int t = T; t > 0; --t) {
            element[t - 1] = static_cast<std::uint8_t>(k);
            const int before = came_[t * states + set * K_ + k];
            if (before != k) set ^= 1 << k;
            k = before;
        }
    }

  private:
    struct Segment {
        int k, start;
    };

    // The probabilities of the words and lengths of this citation, its own counts removed from the tables.
    void prepare(const Citation& citation) {
        const int T = citation.T, L = tables_.L;
        alpha_.resize(std::max(alpha_.size(), static_cast<std::size_t>(T + 1) * sets_));
        enter_.resize(std::max(enter_.size(), static_cast<std::size_t>(T + 1) * K_ * half_));
        stride_ = static_cast<std::size_t>(T + 1) * half_;
        emit_.assign(static_cast<std::size_t>(T) * K_, 0.0);
        close_.resize(std::max<std::size_t>(close_.size(), static_cast<std::size_t>(T) * K_));
        product_.resize(std::max<std::size_t>(product_.size(), static_cast<std::size_t>(K_) * (T + 1)));
        factor_.resize(std::max<std::size_t>(factor_.size(), T + 1));
        sum_.resize(half_);
        own_.assign(K_, 0);
        begin_.assign(K_, 0);
        const bool placed = T > 0 && citation.element[0] != no_element;
        if (placed)
            for (int i = 0; i < T; ++i) ++own_[citation.element[i]];
        for (int i = 0; i < T; ++i) {
            double* row = emit_.data() + static_cast<std::size_t>(i) * K_;
            const std::int32_t w = citation.words[i];
            for (int k = 0; k < K_; ++k) row[k] = tables_.word[static_cast<std::size_t>(w) * K_ + k];
            if (!placed) continue;
            for (int j = 0; j < T; ++j)
                if (citation.words[j] == w) row[citation.element[j]] -= 1;
            require(*std::min_element(row, row + K_) >= 0, "the tables count fewer words than these elements have");
        }
        length_.resize(static_cast<std::size_t>(K_) * (L + 1));
        const int longest = std::min(T, L);
        for (int k = 0; k < K_; ++k) {
            const double total = tables_.word_total[k] - own_[k];
            for (int i = 0; i < T; ++i) emit_[static_cast<std::size_t>(i) * K_ + k] /= total;
            const double lengths = tables_.length_total[k] - (placed ? 1 : 0);
            for (int d = 0; d <= longest; ++d)
                length_[k * (L + 1) + d] = (tables_.length[k * (L + 1) + d] - (placed && std::min(own_[k], L) == d ? 1 : 0)) / lengths;
        }
        for (int i = 0; i < T; ++i)
            for (int k = 0; k < K_; ++k) {
                const std::size_t place = static_cast<std::size_t>(i) * K_ + k;
                const double* gap = tables_.gap + (static_cast<std::size_t>(citation.gaps[i]) * K_ + k) * roles;
                emit_[place] *= gap[inside];
                close_[place] = gap[last] / gap[inside];
            }
    }

    // factor_[s - begin] = the probability of a segment of k over s .. t.
    void segments(int k, int begin, int t) {
        const double* product = product_.data() + static_cast<std::size_t>(k) * (t_room());
        const double* length = length_.data() + k * (tables_.L + 1);
        const double close = close_[static_cast<std::size_t>(t - 1) * K_ + k];
        for (int s = begin; s < t; ++s) factor_[s - begin] = product[s] * length[t - s] * close;
    }
    std::size_t t_room() const { return product_.size() / K_; }

    // Adds all segments of k that end at t.
    void gather(int k, int t, double* here) {
        double* product = product_.data() + static_cast<std::size_t>(k) * t_room();
        const double probability = emit_[static_cast<std::size_t>(t - 1) * K_ + k];
        int begin = std::max(begin_[k], t - tables_.L);
        product[t - 1] = 1;
        for (int s = begin; s < t; ++s) product[s] *= probability;
        while (begin < t - 1 && product[begin] < negligible) ++begin;
        begin_[k] = begin;
        segments(k, begin, t);
        loops<double>().multiply(factor_.data(), enter_.data() + k * stride_ + static_cast<std::size_t>(begin) * half_,
                                 sum_.data(), t - begin, half_, half_);
        const int* without = without_.data() + k * (sets_ / 2);
        for (int i = 0; i < sets_ / 2; ++i) here[without[i] | 1 << k] += sum_[i];
    }

    // Adds the elements that are empty at t, scales the largest probability to 1 and prepares what begins at t.
    bool settle(int t, double* here) {
        for (int set = 1; set < sets_; ++set)
            for (int k = 0; k < K_; ++k)
                if (set >> k & 1)
                    here[set] += here[set ^ 1 << k] * tables_.step[k * sets_ + (set ^ 1 << k)] * length_[k * (tables_.L + 1)];
        const double top = *std::max_element(here, here + sets_);
        if (!(top > 0)) return false;
        if (t > 0) {
            const double by = 1 / top;
            for (int set = 0; set < sets_; ++set) here[set] *= by;
            for (int k = 0; k < K_; ++k) {
                double* product = product_.data() + static_cast<std::size_t>(k) * t_room();
                for (int s = begin_[k]; s < t; ++s) product[s] *= by;
                emit_[static_cast<std::size_t>(t - 1) * K_ + k] *= by;
            }
            log_scale_ += std::log(top);
        }
        for (int k = 0; k < K_; ++k) {
            double* row = enter_.data() + k * stride_ + static_cast<std::size_t>(t) * half_;
            for (int i = 0; i < sets_ / 2; ++i)
                row[i] = here[without_[k * (sets_ / 2) + i]] * step_[k * (sets_ / 2) + i];
            for (int i = sets_ / 2; i < half_; ++i) row[i] = 0;
        }
        return true;
    }

    // The segment that ends at t with all of `set` used, at which the cumulative weight exceeds `aim`.
    Segment pick(int t, int set, double aim) {
        double passed = 0;
        Segment found{-1, t};
        for (int k = 0; k < K_; ++k) {
            if (!(set >> k & 1)) continue;
            const int before = set ^ 1 << k;
            const int i = (before & ((1 << k) - 1)) | ((before >> (k + 1)) << k);
            double weight = alpha_[static_cast<std::size_t>(t) * sets_ + before] * tables_.step[k * sets_ + before] *
                            length_[k * (tables_.L + 1)];
            double product = 1;
            for (int s = t;; --s) {
                if (weight > 0) {
                    found = {k, s};
                    passed += weight;
                    if (passed > aim) return found;
                }
                if (s == 0 || t - s == tables_.L) break;
                product *= emit_[static_cast<std::size_t>(s - 1) * K_ + k];
                if (product < negligible && s < t) break;
                weight = product * length_[k * (tables_.L + 1) + t - s + 1] *
                         close_[static_cast<std::size_t>(t - 1) * K_ + k] * enter_[k * stride_ + static_cast<std::size_t>(s - 1) * half_ + i];
            }
        }
        return found;  // rounding may leave `aim` at the very end
    }

    // Adds the segments and empty elements that begin at t to the marginals; beta_[t] is complete afterwards.
    void share(int t, int T) {
        double* here = beta_.data() + static_cast<std::size_t>(t) * sets_;
        const int end = std::min(T, t + tables_.L);
        for (int k = 0; k < K_ && t < T; ++k) {
            const int* without = without_.data() + k * (sets_ / 2);
            const double* step = step_.data() + k * (sets_ / 2);
            const double* enter = enter_.data() + k * stride_ + static_cast<std::size_t>(t) * half_;
            std::fill(sum_.begin(), sum_.end(), 0.0);
            double product = 1, all = 0;
            for (int u = t + 1; u <= end; ++u) {
                product *= emit_[static_cast<std::size_t>(u - 1) * K_ + k];
                if (product < negligible && u > t + 1) break;
                const double probability = product * length_[k * (tables_.L + 1) + u - t] *
                                      close_[static_cast<std::size_t>(u - 1) * K_ + k];
                if (probability == 0) continue;
                const double* after = beta_.data() + static_cast<std::size_t>(u) * sets_;
                double mass = 0;
                for (int i = 0; i < sets_ / 2; ++i) {
                    const double part = probability * after[without[i] | 1 << k];
                    sum_[i] += part;
                    mass += part * enter[i];
                }
                mass_[static_cast<std::size_t>(u) * K_ + k] -= mass;
                all += mass;
            }
            mass_[static_cast<std::size_t>(t) * K_ + k] += all;
            for (int i = 0; i < sets_ / 2; ++i) here[without[i]] += sum_[i] * step[i];
        }
        for (int set = sets_ - 1; set > 0; --set)
            for (int k = 0; k < K_; ++k)
                if (set >> k & 1)
                    here[set ^ 1 << k] += here[set] * tables_.step[k * sets_ + (set ^ 1 << k)] * length_[k * (tables_.L + 1)];
    }

    const SegmentTables& tables_;
    const int K_, sets_, half_;
    std::vector<int> without_;  // [K, 2^(K-1)] the sets without k
    std::vector<double> step_;  // [K, 2^(K-1)] the steps from them
    std::size_t stride_ = 0;
    double log_scale_ = 0;
    std::vector<double> alpha_, enter_, emit_, close_, product_, factor_, sum_, length_, beta_, mass_, value_, top_;
    std::vector<std::uint8_t> came_, best_;
    std::vector<int> own_, begin_;
};

}  // namespace ibidem
