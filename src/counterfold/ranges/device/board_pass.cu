// Walks of public chance sampling over a batch of boards, street by street.
//
// A column is a hand of a board, from the weakest on; columns of a board are next to each other.
// Along the lines of a start a thread alone reads and writes the numbers of its column. What a bucket
// learns is summed by one warp, always in the same order. The twin of `board_pass_kernels.py`,
// argument by argument; `real` is float or double, as the compiler is told.

typedef long long wide;

#define NONE (-1)
#define WARP 32
#define ALL_LANES 0xffffffffu
#define N_HAND_LIMITS 8
#define N_LANES 4

__device__ real above_zero(real x) { return x > 0 ? x : 0; }

__device__ real sum_positive(const real *slots, int n_actions) {
    real total = 0;
    for (int a = 0; a < n_actions; ++a) total += above_zero(slots[a]);
    return total;
}

__device__ real share(real weight, real total, int n_actions, real least) {
    return total > least ? above_zero(weight) / total : (real)1 / n_actions;
}

// Lines of a start that a thread works on: in fast memory if `room` has as many, else in `vectors`.
struct Lines {
    real *first;
    wide step;
    __device__ Lines(wide room, real *memory, real *vectors, wide begin, wide n, wide x)
        : first(room ? memory + threadIdx.x : vectors + begin * n + x), step(room ? blockDim.x : n) {}
    __device__ real &operator[](int line) { return first[line * step]; }
};

extern "C" __global__ void reach_boards(
    wide n_starts, wide n, wide room, real least, real begun,
    const int *starts, const int *source, const int *points,
    const int *parent, const int *first, const int *n_actions, const wide *slot,
    const int *buckets, const real *regrets, const real *above, real *reach) {
    extern __shared__ char memory[];
    wide at = (wide)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n_starts * n) return;
    wide e = at / n, x = at % n;
    int bucket = buckets[x], begin = starts[e], last = points[e + 1];
    Lines lines(room, (real *)memory, reach, begin, n, x);
    real *out = reach + begin * n + x;
    lines[0] = source[e] == NONE ? begun : above[source[e] * n + x];
    out[0] = lines[0];
    for (int j = points[e]; j < last; ++j) {
        int width = n_actions[j], after = first[j] - begin;
        const real *slots = regrets + slot[j] + width * bucket;
        real total = sum_positive(slots, width), before = lines[parent[j] - begin];
        bool known = total > least;
        real scale = known ? before / total : before / width;
        for (int a = 0; a < width; ++a) {
            real next = known ? scale * above_zero(slots[a]) : scale;
            lines[after + a] = next;
            out[(after + a) * n] = next;
        }
    }
}

// Vectors side by side, so that one look at the order of hands serves several lines.
struct __align__(4 * N_LANES) Lanes {
    real of[N_LANES];
    __device__ void add(const Lanes &other) {
        for (int l = 0; l < N_LANES; ++l) of[l] += other.of[l];
    }
    __device__ void take(const Lanes &other) {
        for (int l = 0; l < N_LANES; ++l) of[l] -= other.of[l];
    }
    __device__ void clear() {
        for (int l = 0; l < N_LANES; ++l) of[l] = 0;
    }
};

// Where a hand stands, as in `limit_hands`.
struct __align__(16) Limits {
    short of[N_HAND_LIMITS];
};

// The sums of `held` before each hand and after the last one, by one warp.
__device__ void sum_before(const Lanes *held, int n_hands, Lanes *before) {
    int lane = threadIdx.x % WARP, length = (n_hands + WARP - 1) / WARP;
    int begin = min(lane * length, n_hands), end = min(begin + length, n_hands);
    Lanes sum, so_far;
    sum.clear();
    for (int h = begin; h < end; ++h) sum.add(held[h]);
    for (int l = 0; l < N_LANES; ++l) {
        for (int step = 1; step < WARP; step *= 2) {
            real left = __shfl_up_sync(ALL_LANES, sum.of[l], step);
            if (lane >= step) sum.of[l] += left;
        }
        so_far.of[l] = __shfl_up_sync(ALL_LANES, sum.of[l], 1);
        if (lane == 0) so_far.of[l] = 0;
    }
    for (int h = begin; h < end; ++h) {
        before[h] = so_far;
        so_far.add(held[h]);
    }
    if (lane == WARP - 1) before[n_hands] = so_far;
}

// The sums of `held` along the hands with a card.
__device__ void sum_card(const Lanes *held, const short *hands, int width, int n_cards, Lanes *sums) {
    Lanes sum;
    sum.clear();
    sums[0] = sum;
    for (int k = 0; k < width; ++k) {
        sum.add(held[hands[k * n_cards]]);
        sums[k + 1] = sum;
    }
}

extern "C" __global__ void end_boards(
    wide n_ends, wide n_boards, wide n_hands, wide n_cards, wide width,
    const int *lines, const int *fold, const int *show,
    const short *by_card, const short *limits,
    const real *reach, real *folds, real *shows) {
    extern __shared__ char memory[];
    Lanes *held = (Lanes *)memory;       // [n_hands]
    Lanes *before = held + n_hands;      // [n_hands + 1]
    Lanes *taken = before + n_hands + 1; // [n_cards, width + 1]
    int board = blockIdx.x % n_boards, end = blockIdx.x / n_boards * N_LANES;
    int count = min((int)n_ends - end, N_LANES);
    for (int h = threadIdx.x; h < n_hands; h += blockDim.x) {
        Lanes read;
        for (int l = 0; l < N_LANES; ++l)
            read.of[l] = l < count ? reach[(lines[end + l] * n_boards + board) * n_hands + h] : (real)0;
        held[h] = read;
    }
    __syncthreads();
    int n_others = blockDim.x - WARP; // threads beside the last warp
    if (threadIdx.x >= n_others) {
        sum_before(held, (int)n_hands, before);
    } else {
        for (int card = threadIdx.x; card < n_cards; card += n_others)
            sum_card(held, by_card + board * width * n_cards + card, (int)width, (int)n_cards,
                     taken + card * (width + 1));
    }
    __syncthreads();
    const Limits *limit = (const Limits *)limits + board * n_hands;
    for (int h = threadIdx.x; h < n_hands; h += blockDim.x) {
        Limits at = limit[h];
        Lanes met = before[n_hands], won = before[at.of[0]];
        met.take(taken[at.of[6]]);
        met.take(taken[at.of[7]]);
        won.add(before[at.of[1]]);
        for (int k = 2; k < 6; ++k) won.take(taken[at.of[k]]);
        won.take(met);
        met.add(held[h]);
        for (int l = 0; l < count; ++l) {
            int fold_row = fold[end + l], show_row = show[end + l];
            if (fold_row != NONE) folds[(fold_row * n_boards + board) * n_hands + h] = met.of[l];
            if (show_row != NONE) shows[(show_row * n_boards + board) * n_hands + h] = won.of[l];
        }
    }
}

extern "C" __global__ void value_boards(
    wide n_starts, wide n, wide room, real least,
    const int *starts, const int *points,
    const int *parent, const int *first, const int *n_actions, const wide *slot,
    const int *fold, const real *fold_stake, const int *show, const real *show_stake,
    const int *later, const int *buckets, const real *regrets,
    const real *folds, const real *shows, const real *coming, real *values) {
    extern __shared__ char memory[];
    wide at = (wide)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n_starts * n) return;
    wide e = at / n, x = at % n;
    int bucket = buckets[x], begin = starts[e], n_lines = starts[e + 1] - begin;
    Lines lines(room, (real *)memory, values, begin, n, x);
    for (int line = 0; line < n_lines; ++line) {
        int next = later[begin + line], folded = fold[begin + line], shown = show[begin + line];
        real value = next == NONE ? (real)0 : coming[next * n + x];
        if (folded != NONE) value += fold_stake[begin + line] * folds[folded * n + x];
        if (shown != NONE) value += show_stake[begin + line] * shows[shown * n + x];
        lines[line] = value;
    }
    for (int j = points[e + 1] - 1; j >= points[e]; --j) {
        int width = n_actions[j], after = first[j] - begin;
        const real *slots = regrets + slot[j] + width * bucket;
        real total = sum_positive(slots, width), node = 0;
        bool known = total > least;
        for (int a = 0; a < width; ++a)
            node += known ? above_zero(slots[a]) * lines[after + a] : lines[after + a];
        lines[parent[j] - begin] += node / (known ? total : (real)width);
    }
    if (!room) return;
    for (int line = 0; line < n_lines; ++line) values[(begin + line) * n + x] = lines[line];
}

// The sum of a vector over the columns of a bucket, for lane 0 of a warp.
__device__ double sum_members(const real *vector, const int *members, int begin, int end) {
    double sum = 0;
    for (int k = begin + threadIdx.x % WARP; k < end; k += WARP) sum += vector[members[k]];
    for (int step = WARP / 2; step > 0; step /= 2) sum += __shfl_down_sync(ALL_LANES, sum, step);
    return sum;
}

extern "C" __global__ void add_averages(
    wide n_points, wide n_buckets, wide n, real least, double scale,
    const int *parent, const int *n_actions, const wide *slot,
    const int *begins, const int *members, const real *reach, const real *regrets,
    double *averages) {
    wide warp = ((wide)blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    if (warp >= n_points * n_buckets) return;
    wide j = warp / n_buckets, bucket = warp % n_buckets;
    int begin = begins[bucket], end = begins[bucket + 1];
    if (begin == end) return;
    double sum = scale * sum_members(reach + parent[j] * n, members, begin, end);
    if (threadIdx.x % WARP) return;
    wide q = slot[j] + n_actions[j] * bucket;
    real total = sum_positive(regrets + q, n_actions[j]);
    for (int a = 0; a < n_actions[j]; ++a)
        averages[q + a] += sum * share(regrets[q + a], total, n_actions[j], least);
}

extern "C" __global__ void add_regrets(
    wide n_points, wide n_buckets, wide n, real least,
    const int *first, const int *n_actions, const wide *slot,
    const int *begins, const int *members, const real *values, real *regrets) {
    wide warp = ((wide)blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    if (warp >= n_points * n_buckets) return;
    wide j = warp / n_buckets, bucket = warp % n_buckets;
    int begin = begins[bucket], end = begins[bucket + 1];
    if (begin == end) return;
    real *slots = regrets + slot[j] + n_actions[j] * bucket;
    real total = sum_positive(slots, n_actions[j]);
    double node = 0;
    for (int a = 0; a < n_actions[j]; ++a) {
        double sum = sum_members(values + (first[j] + a) * n, members, begin, end);
        if (threadIdx.x % WARP) continue;
        node += share(slots[a], total, n_actions[j], least) * sum;
        slots[a] += sum;
    }
    if (threadIdx.x % WARP) return;
    for (int a = 0; a < n_actions[j]; ++a) slots[a] -= node;
}
