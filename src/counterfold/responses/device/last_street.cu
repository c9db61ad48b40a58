// Exact responses on the last street.
//
// A warp walks over the hands of a board, from the weakest on, with two lines of the bot in each lane,
// so that all lanes look at one hand: sums by card lie in fast memory without conflicts, and nothing
// of the street but what its starts are worth is ever written. The twin of `end_hands` in
// `street_pass_kernels.py`, argument by argument; `real` is float or double, as the compiler is told.

typedef long long wide;

#define NONE (-1)
#define WARP 32
#define CARD_BITS 6
#define SLOTS 64 // lines side by side, two in each lane
#define TILE 16  // hands that are valued together
#define PITCH 66 // numbers from one of them to the next, so that columns have few conflicts
#define CHUNK 16 // hands that are looked up together, and kept in registers
#define STEP 4   // hands after which a chunk may end

// The betting that most starts of the last street share, as the compiler is told.
#ifndef N_LINES
#define N_LINES 1
#define N_POINTS 1
#define MOST_ACTIONS 1
#define MOST_TERMS 1
#define POINT_BEFORE 0
#define POINT_FIRST 0
#define POINT_ACTIONS 0
#define TERM_STARTS 0, 0
#define TERM_SLOTS 0
#endif

__device__ int first_of(int hand) { return hand & ((1 << CARD_BITS) - 1); }
__device__ int second_of(int hand) { return hand >> CARD_BITS & ((1 << CARD_BITS) - 1); }
__device__ int place_of(int hand) { return hand >> (2 * CARD_BITS); }

struct __align__(4 * sizeof(real)) Quad {
    real of[4];
};

// Copy `n` numbers, and those that fill up the last four.
template <int n> __device__ void read_quads(const real *__restrict__ from, real *to) {
#pragma unroll
    for (int k = 0; k < (n + 3) / 4; ++k) {
        Quad quad = ((const Quad *)from)[k];
#pragma unroll
        for (int i = 0; i < 4; ++i) to[4 * k + i] = quad.of[i];
    }
}

// The lines of the responder on the last street: for each start `room` of them, `most` terms.
struct Betting {
    const int *__restrict__ starts, *__restrict__ points, *__restrict__ before;
    const int *__restrict__ first, *__restrict__ n_actions, *__restrict__ sums;
    const int *__restrict__ term_starts, *__restrict__ term_slots;
    const real *__restrict__ coefficients;
    int room, most, n_sums;

    // What the ends of a line are worth to the hand of a row.
    __device__ real value(int e, int line, const real *won) const {
        real sum = 0;
        const int *range = term_starts + e * (room + 1) + line;
        for (int t = range[0]; t < range[1]; ++t) {
            int slot = term_slots[e * most + t];
            real met_or_won = won[slot < SLOTS ? slot : slot - SLOTS + TILE * PITCH];
            sum += coefficients[e * most + t] * met_or_won;
        }
        return sum;
    }

    // What a start is worth to a hand that responds, and to one that plays by `weights`.
    __device__ void settle(int e, const real *won, const real *__restrict__ weights, real *gathered,
                           real *best, real *mixed) const {
        for (int s = 0; s < n_sums; ++s) gathered[s * WARP] = 0;
        real mean = 0;
        int start = starts[e];
        for (int j = points[e + 1] - 1; j >= points[e]; --j) {
            real node = 0;
            int begin = first[j], end = begin + n_actions[j];
            for (int line = begin; line < end; ++line) {
                int sum = sums[line];
                real next = value(e, line - start, won);
                if (weights) mean += weights[line - start] * next;
                if (sum != NONE) next += gathered[sum * WARP];
                node = line > begin ? max(node, next) : next;
            }
            gathered[sums[before[j]] * WARP] += node;
        }
        real next = value(e, 0, won);
        if (weights) mean += weights[0] * next;
        *mixed = mean;
        *best = sums[start] == NONE ? next : next + gathered[sums[start] * WARP];
    }

    // The same for a start with the betting that the compiler knows: all loops are unrolled, and
    // values stay in registers.
    __device__ void settle_common(int e, const real *won, const real *__restrict__ weights,
                                  real *best, real *mixed) const {
        constexpr int before_of[] = {POINT_BEFORE}, first_of_point[] = {POINT_FIRST};
        constexpr int actions_of[] = {POINT_ACTIONS};
        constexpr int starts_of[] = {TERM_STARTS}, slots_of[] = {TERM_SLOTS};
        constexpr int n_terms = starts_of[N_LINES];
        real by[(n_terms + 3) / 4 * 4 + 4], values[N_LINES], mean = 0;
        read_quads<n_terms>(coefficients + e * most, by);
#pragma unroll
        for (int line = 0; line < N_LINES; ++line) {
            real sum = 0;
#pragma unroll
            for (int k = 0; k < MOST_TERMS; ++k) {
                int t = starts_of[line] + k;
                if (t < starts_of[line + 1]) {
                    int slot = slots_of[t];
                    sum += by[t] * won[slot < SLOTS ? slot : slot - SLOTS + TILE * PITCH];
                }
            }
            values[line] = sum;
        }
        if (weights) {
            real shares[(N_LINES + 3) / 4 * 4];
            read_quads<N_LINES>(weights, shares);
#pragma unroll
            for (int line = 0; line < N_LINES; ++line) mean += shares[line] * values[line];
        }
#pragma unroll
        for (int j = N_POINTS - 1; j >= 0; --j) {
            real node = values[first_of_point[j]];
#pragma unroll
            for (int a = 1; a < MOST_ACTIONS; ++a)
                if (a < actions_of[j]) node = max(node, values[first_of_point[j] + a]);
            values[before_of[j]] += node;
        }
        *best = values[0];
        *mixed = mean;
    }
};

// Numbers of two lines.
struct __align__(2 * sizeof(real)) Pair {
    real a, b;
    __device__ Pair plus(Pair other) const { return {a + other.a, b + other.b}; }
    __device__ Pair minus(Pair other) const { return {a - other.a, b - other.b}; }
};

// The hands of a board, as one lane of a warp meets them, a chunk at a time.
template <bool single> struct Held {
    const int2 *__restrict__ hands; // bucket, and place and cards
    const real *begun;              // [places above], `per_group` apart
    const Pair *__restrict__ chances;
    int n_lanes, per_group; // lanes of all groups
    int hand[CHUNK];
    Pair weight[CHUNK];

    // Look up `count` hands from `h` on. What fills up a step is the last hand, without weight.
    __device__ void load(int h, int count) {
#pragma unroll
        for (int k = 0; k < CHUNK; ++k) {
            if (k % STEP == 0 && k >= count) break;
            int2 read = hands[h + min(k, count - 1)];
            Pair chance = chances[(wide)read.x * n_lanes];
            real start = k < count ? begun[place_of(read.y) * per_group] : (real)0;
            hand[k] = read.y;
            weight[k] = {start * chance.a, start * chance.b};
        }
    }

    // Add the chunk to the sums of its cards, and return the sum of all.
    __device__ Pair add(int count, Pair total, Pair *sums) const {
#pragma unroll
        for (int k = 0; k < CHUNK; ++k) {
            if (k % STEP == 0 && k >= count) break;
            total = total.plus(weight[k]);
            Pair *one = sums + first_of(hand[k]) * WARP, x = *one;
            if (single) {
                *one = x.plus(weight[k]);
            } else {
                Pair *two = sums + second_of(hand[k]) * WARP, y = *two;
                *one = x.plus(weight[k]);
                *two = y.plus(weight[k]);
            }
        }
        return total;
    }
};

struct LastStreet {
    wide n_starts, n_hands, n_above, n_lines, n_groups, per_group, width, n_rows, n_layers;
    wide first_board, first_group;
    const int *__restrict__ members, *__restrict__ children, *__restrict__ hands;
    const int *__restrict__ ends, *__restrict__ source;
    const real *__restrict__ above, *__restrict__ chances, *__restrict__ weights;
    real *__restrict__ totals;
};

template <bool common, bool single>
__device__ __forceinline__ void end_boards(const LastStreet &street, int n_launched,
                                           const Betting &betting, char *memory) {
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, n_warps = blockDim.x / WARP;
    int a = blockIdx.x / n_launched, group = street.first_group + blockIdx.x % n_launched;
    int n = street.n_hands, n_above = street.n_above, n_cards = street.n_rows;
    int per_group = street.per_group, n_starts = street.n_starts, width = street.width;
    bool by_layer = street.n_layers > 1;
    const int *members = street.members + group * per_group;
    real *begun = (real *)memory; // [n_above, per_group], of all warps
    for (int s = 0; s < per_group; ++s) {
        if (members[s] == NONE) continue;
        wide line = a * street.n_lines + street.source[members[s]];
        for (int u = threadIdx.x; u < n_above; u += blockDim.x)
            begun[u * per_group + s] = street.above[line * n_above + u];
    }
    __syncthreads();
    // Sizes in pairs; what comes before a pair is a whole number of them.
    int size = 2 * n_cards * WARP + TILE * PITCH + betting.n_sums * WARP / 2;
    Pair *pairs = (Pair *)(begun + (n_above * per_group + 1) / 2 * 2) + warp * size;
    Pair *all_taken = pairs + lane; // [n_rows, WARP]
    Pair *taken = all_taken + n_cards * WARP;
    real *won = (real *)(pairs + 2 * n_cards * WARP); // [TILE, PITCH], then the same of what is met
    real *gathered = won + 2 * TILE * PITCH + lane;   // [n_sums, WARP]
    int own = min(2 * lane / width, per_group - 1);
    while (members[own] == NONE) --own; // its chances are zero
    Held<single> held = {0, begun + own,
                         (const Pair *)street.chances + group * WARP + lane,
                         (int)street.n_groups * WARP, per_group};
    for (int b = street.children[a] + warp; b < street.children[a + 1]; b += n_warps) {
        const int *end_of = street.ends + (wide)b * n;
        held.hands = (const int2 *)street.hands + (wide)b * n;
        for (int row = 0; row < n_cards; ++row) all_taken[row * WARP] = {0, 0};
        Pair total = {0, 0};
        for (int h = 0; h < n; h += CHUNK) {
            int count = min(n - h, CHUNK);
            held.load(h, count);
            total = held.add(count, total, all_taken);
        }
        Pair so_far = {-total.a, -total.b};
        for (int row = 0; row < n_cards; ++row) {
            Pair sum = all_taken[row * WARP];
            taken[row * WARP] = {-sum.a, -sum.b};
        }
        real *out = street.totals + (b - street.first_board) * street.n_layers * n_starts * n;
        int in_tile = 0, tile_begin = 0;
        auto settle = [&]() {
            __syncwarp();
            int at = lane % TILE, h = tile_begin + at;
            for (int s = lane / TILE; s < per_group && at < in_tile; s += WARP / TILE) {
                int e = members[s];
                if (e == NONE) continue;
                const real *row = won + at * PITCH + s * width, *by = 0;
                if (by_layer)
                    by = street.weights + ((wide)held.hands[h].x * n_starts + e) * betting.room;
                real best, mixed;
                if (common) betting.settle_common(e, row, by, &best, &mixed);
                else betting.settle(e, row, by, gathered, &best, &mixed);
                out[(wide)e * n + h] = best;
                if (by_layer) out[(wide)(n_starts + e) * n + h] = mixed;
            }
            __syncwarp();
            tile_begin += in_tile;
            in_tile = 0;
        };
        // Add the hands of a group, look at them, and add them once more.
        auto look = [&](int count) {
            for (int low = 0; low < count;) {
                int high = min(count, low + TILE - in_tile);
                real *row = won + (in_tile - low) * PITCH + 2 * lane;
#pragma unroll
                for (int k = 0; k < CHUNK; ++k) {
                    if (k % STEP == 0 && k >= high) break;
                    int one = first_of(held.hand[k]) * WARP;
                    Pair beaten = so_far.minus(taken[one]), met = total.minus(all_taken[one]);
                    if (!single) {
                        int two = second_of(held.hand[k]) * WARP;
                        beaten = beaten.minus(taken[two]);
                        met = met.plus(held.weight[k]).minus(all_taken[two]);
                    }
                    if (k >= low && k < high) {
                        *(Pair *)(row + k * PITCH) = beaten;
                        *(Pair *)(row + (k + TILE) * PITCH) = met;
                    }
                }
                in_tile += high - low;
                low = high;
                if (in_tile == TILE) settle();
            }
        };
        for (int begin = 0, g = 0; begin < n; ++g) {
            int end = end_of[g];
            for (int step = 0; step < 3; ++step) {
                for (int h = begin; h < end; h += CHUNK) {
                    int count = min(end - h, CHUNK);
                    if (step == 0 || end - begin > CHUNK) held.load(h, count);
                    if (step == 1) look(count);
                    else so_far = held.add(count, so_far, taken);
                }
            }
            begin = end;
        }
        if (in_tile) settle();
    }
}

#define LAST_STREET_ARGUMENTS                                                                      \
    wide n_parents, wide n_launched, wide n_starts, wide n_hands, wide n_above, wide n_lines,      \
        wide n_groups, wide per_group, wide width, wide n_rows, wide single, wide n_layers,        \
        wide n_sums, wide room, wide most, wide first_board, wide first_group,                     \
        const int *__restrict__ members, const int *__restrict__ children,                         \
        const int *__restrict__ hands, const int *__restrict__ ends,                               \
        const int *__restrict__ source, const real *__restrict__ above,                            \
        const real *__restrict__ chances, const real *__restrict__ weights,                        \
        const int *__restrict__ starts, const int *__restrict__ points,                            \
        const int *__restrict__ before, const int *__restrict__ first,                             \
        const int *__restrict__ n_actions, const int *__restrict__ sums,                           \
        const int *__restrict__ term_starts, const int *__restrict__ term_slots,                   \
        const real *__restrict__ coefficients, real *__restrict__ totals

#define END_BOARDS(common)                                                                         \
    LastStreet street = {n_starts, n_hands,     n_above,     n_lines, n_groups, per_group, width,  \
                         n_rows,   n_layers,    first_board, first_group, members, children,       \
                         hands,    ends,        source,      above, chances, weights, totals};     \
    Betting betting = {starts, points, before, first, n_actions, sums, term_starts, term_slots,    \
                       coefficients, (int)room, (int)most, (int)n_sums};                           \
    extern __shared__ char memory[];                                                               \
    if (single) end_boards<common, true>(street, (int)n_launched, betting, memory);                \
    else end_boards<common, false>(street, (int)n_launched, betting, memory);

extern "C" __global__ void end_hands(LAST_STREET_ARGUMENTS) { END_BOARDS(false) }

// The same for starts with the betting that the compiler knows.
extern "C" __global__ void end_common(LAST_STREET_ARGUMENTS) { END_BOARDS(true) }
