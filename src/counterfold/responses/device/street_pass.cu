// Exact responses below one board next to the root, on all streets but the last.
//
// Vectors are over the hands of a board. The twin of `street_pass_kernels.py`, argument by argument;
// `real` is float or double, as the compiler is told. Sums have one order.

typedef long long wide;

#define NONE (-1)
#define WARP 32
#define CARD_BITS 6

__device__ int first_of(int hand) { return hand & ((1 << CARD_BITS) - 1); }
__device__ int second_of(int hand) { return hand >> CARD_BITS & ((1 << CARD_BITS) - 1); }
__device__ int place_of(int hand) { return hand >> (2 * CARD_BITS); }

extern "C" __global__ void reach_lines(
    wide n_boards, wide n_starts, wide n_hands, wide n_above, wide n_lines, wide n_above_lines,
    const int *parent, const int *hands, const int *starts, const int *source,
    const int *points, const int *before, const int *first, const int *n_actions,
    const wide *answer, const real *answers, const real *above, real *reach) {
    wide at = (wide)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n_boards * n_starts * n_hands) return;
    wide h = at % n_hands, e = at / n_hands % n_starts, b = at / n_hands / n_starts;
    int2 hand = ((const int2 *)hands)[b * n_hands + h];
    int bucket = hand.x;
    real *own = reach + b * n_lines * n_hands + h;
    wide line_above = parent[b] * n_above_lines + source[e];
    own[starts[e] * n_hands] = above[line_above * n_above + place_of(hand.y)];
    for (int j = points[e]; j < points[e + 1]; ++j) {
        real held = own[before[j] * n_hands];
        for (int line = first[j]; line < first[j] + n_actions[j]; ++line)
            own[line * n_hands] = held * answers[answer[line] + bucket];
    }
}

// A warp has a line in each lane.
extern "C" __global__ void count_folds(
    wide n_boards, wide n_ends, wide n_hands, wide n_lines, wide n_rows, wide single,
    const int *lines, const int *hands, const real *reach, real *folds) {
    extern __shared__ char memory[];
    int lane = threadIdx.x % WARP;
    wide n_groups = (n_ends + WARP - 1) / WARP;
    wide item = ((wide)blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    if (item >= n_boards * n_groups) return;
    wide b = item / n_groups, end = item % n_groups * WARP + lane;
    bool used = end < n_ends;
    real *taken = (real *)memory + threadIdx.x / WARP * n_rows * WARP + lane;
    const real *held = reach + (b * n_lines + (used ? lines[end] : 0)) * n_hands;
    const int2 *hand = (const int2 *)hands + b * n_hands;
    for (int row = 0; row < n_rows; ++row) taken[row * WARP] = 0;
    real total = 0;
    for (int h = 0; h < n_hands; ++h) {
        real weight = used ? held[h] : (real)0;
        total += weight;
        taken[first_of(hand[h].y) * WARP] += weight;
        if (!single) taken[second_of(hand[h].y) * WARP] += weight;
    }
    if (!used) return;
    for (int h = 0; h < n_hands; ++h) {
        real met = total - taken[first_of(hand[h].y) * WARP];
        if (!single) met += held[h] - taken[second_of(hand[h].y) * WARP];
        folds[(b * n_ends + end) * n_hands + h] = met;
    }
}

extern "C" __global__ void value_lines(
    wide n_boards, wide n_layers, wide n_starts, wide n_hands, wide n_lines, wide n_ends,
    wide n_below, wide room, real chance,
    const int *starts, const int *points, const int *before, const int *first,
    const int *n_actions, const wide *own, const int *fold, const real *stake, const int *later,
    const int *hands, const real *answers, const real *folds, const real *coming, real *totals) {
    extern __shared__ char memory[];
    real *values = (real *)memory + threadIdx.x; // [room], a column for each thread
    wide at = (wide)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n_boards * n_layers * n_starts * n_hands) return;
    wide h = at % n_hands, e = at / n_hands % n_starts;
    wide layer = at / n_hands / n_starts % n_layers, b = at / n_hands / n_starts / n_layers;
    int bucket = ((const int2 *)hands)[b * n_hands + h].x, begin = starts[e], step = blockDim.x;
    wide below = layer > 1 ? (layer - 1) * n_below : 0;
    wide n_vectors = (n_layers > 1 ? n_layers - 1 : 1) * n_below; // of the next street
    for (int line = begin; line < starts[e + 1]; ++line) {
        real value = 0;
        if (fold[line] != NONE)
            value += stake[line] * folds[(b * n_ends + fold[line]) * n_hands + h];
        if (later[line] != NONE)
            value += chance * coming[(b * n_vectors + below + later[line]) * n_hands + h];
        values[(line - begin) * step] = value;
    }
    for (int j = points[e + 1] - 1; j >= points[e]; --j) {
        const real *acted = values + (first[j] - begin) * step;
        real node = layer ? (real)0 : acted[0];
        for (int a = 0; a < n_actions[j]; ++a) {
            wide row = own[first[j] + a];
            if (layer == 0) node = max(node, acted[a * step]);
            else if (row != NONE) node += answers[row + bucket] * acted[a * step];
        }
        values[(before[j] - begin) * step] += node;
    }
    totals[((b * n_layers + layer) * n_starts + e) * n_hands + h] = values[0];
}

extern "C" __global__ void collect_boards(
    wide n_parents, wide n_vectors, wide n_above, wide n_hands, wide first_board,
    const int *copies, const int *source, const short *down, const real *totals, real *coming) {
    wide at = (wide)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n_parents * n_vectors * n_above) return;
    wide u = at % n_above, row = at / n_above % n_vectors, a = at / n_above / n_vectors;
    real sum = 0;
    for (int c = copies[a]; c < copies[a + 1]; ++c) {
        int h = down[c * n_above + u];
        if (h != NONE) sum += totals[((source[c] - first_board) * n_vectors + row) * n_hands + h];
    }
    coming[at] = sum;
}
