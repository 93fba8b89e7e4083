// What the kernels are given and what they give back: arrays of Python, and a batch of strings made of them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>

#include "checks.hpp"
#include "inference/graph.hpp"
#include "parallel.hpp"

namespace ibidem {

namespace nb = nanobind;

template <class Value, int dimensions>
using In = nb::ndarray<const Value, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;
template <class Value>
using Out = nb::ndarray<nb::numpy, Value>;

// A new array that Python will own.
template <class Value>
class Result {
  public:
    Result(std::initializer_list<std::size_t> shape, Value value) : shape_(shape) {
        std::size_t size = 1;
        for (const std::size_t side : shape_) {
            require(side == 0 || size <= most / side, "the result would be too large");
            size *= side;
        }
        data_.reset(new Value[std::max<std::size_t>(size, 1)]);
        std::fill(data_.get(), data_.get() + size, value);
    }
    Value* data() { return data_.get(); }
    Out<Value> give() {
        Value* data = data_.release();
        nb::capsule owner(data, [](void* memory) noexcept { delete[] static_cast<Value*>(memory); });
        return Out<Value>(data, shape_.size(), shape_.data(), owner);
    }

  private:
    static constexpr std::size_t most = std::size_t(1) << 48;
    std::vector<std::size_t> shape_;
    std::unique_ptr<Value[]> data_;
};

// A new array with these values.
template <class Value>
Result<Value> copied(const std::vector<Value>& values) {
    Result<Value> result({values.size()}, Value(0));
    std::copy(values.begin(), values.end(), result.data());
    return result;
}

// What every kernel is given: an automaton and the scores of a batch.
template <class Real>
struct Batch {
    AutomatonView<Real> view;
    const Real* span;
    const std::int32_t* lengths;
    std::size_t N;
    int L;
    int Y;
    int B;
    int threads;
    std::vector<std::size_t> offset;  // [B + 1]

    Batch(const In<std::int32_t, 1>& label, const In<std::int32_t, 1>& src, const In<std::int32_t, 1>& dst,
          const In<bool, 1>& final, const In<Real, 3>& span_, const In<Real, 1>& arc,
          const In<std::int32_t, 1>& lengths_, int threads_)
        : view{label.data(), src.data(),  dst.data(), final.data(), arc.data(), static_cast<int>(label.shape(0)),
               static_cast<int>(src.shape(0))},
          span(span_.data()),
          lengths(lengths_.data()),
          N(span_.shape(0)),
          L(static_cast<int>(span_.shape(1))),
          Y(static_cast<int>(span_.shape(2))),
          B(static_cast<int>(lengths_.shape(0))),
          threads(threads_),
          offset(B + 1, 0) {
        require(view.S > 0 && L > 0 && Y > 0, "an automaton without states, or scores without spans or labels");
        require(final.size() == label.size() && dst.size() == src.size() && arc.size() == src.size(),
                "label and final must be of one size, and src, dst and arc");
        require_range("label", label, 0, Y);
        require_range("src", src, -1, view.S);
        require_range("dst", dst, 0, view.S);
        require_lengths(lengths_, N);
        require_scores("span", span_);
        require_scores("arc", arc);
        require_threads(threads);
        for (int b = 0; b < B; ++b) offset[b + 1] = offset[b] + lengths[b];
    }
    String<Real> string(int b) const { return {span + offset[b] * L * Y, lengths[b], L, Y}; }

    // Strings go to the threads in at most 64 blocks; the blocks depend on the batch alone, so sums over strings,
    // made block by block, do too.
    int blocks() const { return std::min(B, 64); }
    int block_begin(int block) const {
        return static_cast<int>(static_cast<long long>(block) * B / std::max(blocks(), 1));
    }
    // The strings that are not empty, longest first: side by side they are to be of about the same length.
    std::vector<int> by_length() const {
        std::vector<int> order;
        for (int b = 0; b < B; ++b)
            if (lengths[b] > 0) order.push_back(b);
        std::stable_sort(order.begin(), order.end(), [&](int one, int other) { return lengths[one] > lengths[other]; });
        return order;
    }
    // make_worker() gives a function of some strings, longest first, and of their numbers and how many they are. Strings
    // that are too long for lockstep are kept from the others: what is found for a string does not depend on its company.
    template <class MakeWorker>
    void for_lanes(const MakeWorker& make_worker) const {
        const std::vector<int> order = by_length();
        const int lanes = loops<Real>().lanes, count = static_cast<int>(order.size());
        int alone = 0;  // the longest: what is done with a string must not depend on its neighbours
        while (alone < count && lengths[order[alone]] > longest_side_by_side) ++alone;
        run_jobs(alone + (count - alone + lanes - 1) / lanes, threads, [&] {
            return [&, worker = make_worker(), strings = std::vector<String<Real>>()](int job) mutable {
                const int begin = job < alone ? job : alone + (job - alone) * lanes;
                const int size = job < alone ? 1 : std::min(lanes, count - begin);
                strings.clear();
                for (int i = begin; i < begin + size; ++i) strings.push_back(string(order[i]));
                worker(strings.data(), order.data() + begin, size);
            };
        });
    }
    // make_worker() gives a function of a string's number.
    template <class MakeWorker>
    void for_strings(const MakeWorker& make_worker) const {
        run_jobs(blocks(), threads, [&] {
            return [this, worker = make_worker()](int block) mutable {
                for (int b = block_begin(block); b < block_begin(block + 1); ++b) worker(b);
            };
        });
    }
};

}  // namespace ibidem
