// The best paths of strings, several at once where they are chains.
#pragma once

#include <memory>

#include "inference/lockstep.hpp"

namespace ibidem {

// Looks for the best paths of several strings at once, with its own room to work in.
template <class Real>
class Pathfinder {
  public:
    Pathfinder(const Graph<Real>& graph, const Bundles<Real>& bundles) : graph_(&graph), lockstep_(graph, bundles) {}

    // found(i, score, state, starts, table) for each of the strings, which come longest first; none is empty. `table` is
    // what the forward loop found; `state` and `starts` may be written to.
    template <class Found>
    void find(const String<Real>* strings, int count, const Found& found) {
        state_.resize(strings[0].T);
        starts_.reset(new bool[strings[0].T]);
        const bool together = strings[0].L == 1 && strings[0].T <= Lockstep<Real>::longest;
        if (together) {
            lockstep_.load(strings, count);
            lockstep_.find_best();
        }
        for (int i = 0; i < count; ++i) {
            const auto follow = [&](const auto& table) {
                const double score = walk(*graph_, strings[i], table, Argmax(), room_, state_.data(), starts_.get());
                found(i, score, state_.data(), starts_.get(), table);
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
    std::vector<Real> room_;
    std::vector<std::int32_t> state_;
    std::unique_ptr<bool[]> starts_;
};

}  // namespace ibidem
