// Runs numbered jobs on some threads; which thread runs which job never shows in the results.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#ifndef _WIN32
#include <pthread.h>
#endif

namespace ibidem {

// The mutex of all that is kept from one call to the next. A fork waits for it: no child inherits it locked.
inline std::mutex& guard_of_kept() {
    static std::mutex guard;
#ifndef _WIN32
    static const int registered = pthread_atfork([] { guard.lock(); }, [] { guard.unlock(); }, [] { guard.unlock(); });
    (void)registered;
#endif
    return guard;
}

// `make_worker()` is called once per thread and gives a function of the job's number, with its own room to work in.
template <class MakeWorker>
void run_jobs(int jobs, int threads, const MakeWorker& make_worker) {
    std::atomic<int> next{0};
    std::exception_ptr failure;
    std::mutex guard;
    const auto work = [&] {
        try {
            auto worker = make_worker();
            for (int job = next++; job < jobs; job = next++) worker(job);
        } catch (...) {
            const std::lock_guard<std::mutex> lock(guard);
            failure = std::current_exception();
            next = jobs;
        }
    };
    std::vector<std::thread> others;
    try {
        for (int i = 1; i < std::min(threads, jobs); ++i) others.emplace_back(work);
    } catch (const std::system_error&) {
        // The system gives no more threads: those there are do all the jobs.
    }
    work();
    for (auto& thread : others) thread.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace ibidem
