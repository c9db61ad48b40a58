// What a CUDA source needs of its language, for a C++ compiler: threads of a block take turns.
//
// A thread runs until it waits for its block or its warp; it goes on once all others there wait, too.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define __shared__ static // those of a size that is known; blocks run one after another
#define __align__(n) __attribute__((aligned(n)))

using std::max;
using std::min;

struct int2 {
    int x, y;
};
struct Index {
    unsigned x;
};
static Index threadIdx, blockIdx, blockDim;
alignas(64) char memory[1 << 20]; // of a block, which all threads share

namespace turns {
enum State { READY, AT_BLOCK, AT_WARP, DONE };
const int LANES = 32;
const size_t STACK = 128 << 10;
static ucontext_t scheduler;
static std::vector<ucontext_t> threads;
static std::vector<State> states;
static std::vector<char> stacks;
static std::vector<double> passed; // what a lane shows to its warp
static void (*body)();

inline void wait(State state) {
    unsigned own = threadIdx.x;
    states[own] = state;
    swapcontext(&threads[own], &scheduler);
    threadIdx.x = own;
}

inline void enter() {
    body();
    states[threadIdx.x] = DONE;
}

// Let those go on of whom all that are not done wait in the same way.
inline void release(size_t begin, size_t end, State state) {
    for (size_t t = begin; t < end; ++t)
        if (states[t] != state && states[t] != DONE) return;
    for (size_t t = begin; t < end; ++t)
        if (states[t] == state) states[t] = READY;
}

inline void run_block() {
    size_t n = blockDim.x;
    threads.resize(n);
    passed.resize(n);
    stacks.resize(n * STACK);
    states.assign(n, READY);
    for (size_t t = 0; t < n; ++t) {
        getcontext(&threads[t]);
        threads[t].uc_stack.ss_sp = &stacks[t * STACK];
        threads[t].uc_stack.ss_size = STACK;
        threads[t].uc_link = &scheduler;
        makecontext(&threads[t], enter, 0);
    }
    for (;;) {
        bool ran = false, left = false;
        for (size_t t = 0; t < n; ++t) {
            left |= states[t] != DONE;
            if (states[t] != READY) continue;
            threadIdx.x = t;
            swapcontext(&scheduler, &threads[t]);
            ran = true;
        }
        if (!left) return;
        for (size_t t = 0; t < n; t += LANES) release(t, min(t + LANES, n), AT_WARP);
        release(0, n, AT_BLOCK);
        if (!ran)
            for (size_t t = 0; t < n; ++t)
                if (states[t] == READY) ran = true;
        if (!ran) abort(); // threads wait for each other in different ways
    }
}

inline void run(unsigned n_blocks, unsigned n_threads, size_t shared, bool waits, void (*one)()) {
    blockDim.x = n_threads;
    body = one;
    for (blockIdx.x = 0; blockIdx.x < n_blocks; ++blockIdx.x) {
        memset(memory, 0xff, shared); // not a number, until somebody writes
        if (waits) {
            run_block();
        } else {
            for (threadIdx.x = 0; threadIdx.x < n_threads; ++threadIdx.x) one();
        }
    }
}

// Show a number to the warp, and use what its lanes have shown.
template <class Use> auto show(double own, Use use) {
    passed[threadIdx.x] = own;
    wait(AT_WARP);
    auto found = use(&passed[threadIdx.x / LANES * LANES]);
    wait(AT_WARP);
    return found;
}

inline double from_lane(double own, int lane) {
    return show(own, [&](const double *shown) {
        return lane >= 0 && lane < LANES ? shown[lane] : own;
    });
}
} // namespace turns

inline void __syncthreads() { turns::wait(turns::AT_BLOCK); }

template <class T> T __shfl_up_sync(unsigned, T own, int step) {
    return (T)turns::from_lane(own, (int)(threadIdx.x % turns::LANES) - step);
}

template <class T> T __shfl_down_sync(unsigned, T own, int step) {
    return (T)turns::from_lane(own, (int)(threadIdx.x % turns::LANES) + step);
}

template <class T> T __shfl_sync(unsigned, T own, int lane) {
    return (T)turns::from_lane(own, lane);
}

inline void __syncwarp() { turns::wait(turns::AT_WARP); }

// A bit for each lane that votes for something; a warp is whole.
inline unsigned __ballot_sync(unsigned, bool own) {
    return turns::show(own, [](const double *votes) {
        unsigned bits = 0;
        for (int lane = 0; lane < turns::LANES; ++lane) bits |= (unsigned)(votes[lane] != 0) << lane;
        return bits;
    });
}

inline int __popc(unsigned bits) { return __builtin_popcount(bits); }

template <class T, class U> T atomicAdd(T *sum, U more) {
    T before = *sum;
    *sum += more;
    return before;
}
