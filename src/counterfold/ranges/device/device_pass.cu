// The lines of one street of a game with joint tables, a thread for each start and sequence.
//
// A thread alone reads and writes the numbers of its sequence along the lines of its start, so that
// threads need not wait for each other. The twin of `device_pass_kernels.py`, argument by argument;
// `real` and `real_sum`, of averages, are float or double, as the compiler is told.

typedef long long wide;

#define NONE (-1)
#define LEARN 0
#define VALUE 1
#define BEST 2

__device__ real above_zero(real x) { return x > 0 ? x : 0; }

__device__ real sum_positive(const real *rows, int n_actions, wide n) {
    real total = 0;
    for (int a = 0; a < n_actions; ++a) total += above_zero(rows[a * n]);
    return total;
}

__device__ real share(real weight, real total, int n_actions, real least) {
    return total > least ? above_zero(weight) / total : (real)1 / n_actions;
}

extern "C" __global__ void reach_street(
    wide n_starts, wide n, wide width, real least,
    const int *starts, const int *source, const int *points,
    const int *parent, const int *first, const int *n_actions, const int *row,
    const real *weights, const real *above, real *reach) {
    wide at = (wide)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n_starts * n) return;
    wide e = at / n, h = at % n;
    reach[starts[e] * n + h] =
        source[e] == NONE ? (real)1 : above[source[e] * (n / width) + h / width];
    for (int j = points[e]; j < points[e + 1]; ++j) {
        const real *rows = weights + row[j] * n + h;
        real total = sum_positive(rows, n_actions[j], n);
        real before = reach[parent[j] * n + h];
        real *after = reach + first[j] * n + h;
        for (int a = 0; a < n_actions[j]; ++a)
            after[a * n] = before * share(rows[a * n], total, n_actions[j], least);
    }
}

extern "C" __global__ void value_street(
    wide n_starts, wide n, wide mode, real least, real positive, real negative, real average,
    const int *starts, const int *points,
    const int *parent, const int *first, const int *n_actions, const int *row,
    const int *fold, const real *fold_stake, const int *show, const real *show_stake,
    const int *later, const real *folds, const real *shows, const real *coming,
    const real *reach, real *regrets, real_sum *averages, real *values) {
    wide at = (wide)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n_starts * n) return;
    wide e = at / n, h = at % n;
    for (int line = starts[e]; line < starts[e + 1]; ++line) {
        real value = later[line] == NONE ? (real)0 : coming[later[line] * n + h];
        if (fold[line] != NONE) value += fold_stake[line] * folds[fold[line] * n + h];
        if (show[line] != NONE) value += show_stake[line] * shows[show[line] * n + h];
        values[line * n + h] = value;
    }
    for (int j = points[e + 1] - 1; j >= points[e]; --j) {
        real *rows = regrets + row[j] * n + h;
        real *after = values + first[j] * n + h;
        real node = mode == BEST ? after[0] : (real)0;
        if (mode == BEST) {
            for (int a = 1; a < n_actions[j]; ++a)
                if (after[a * n] > node) node = after[a * n];
        } else {
            real total = sum_positive(rows, n_actions[j], n);
            for (int a = 0; a < n_actions[j]; ++a)
                node += share(rows[a * n], total, n_actions[j], least) * after[a * n];
        }
        if (mode == LEARN) {
            real_sum *sums = averages + row[j] * n + h;
            for (int a = 0; a < n_actions[j]; ++a) {
                real kept = rows[a * n] * (rows[a * n] > 0 ? positive : negative);
                if (!(kept > least || kept < -least)) kept = 0;
                rows[a * n] = kept + (after[a * n] - node);
                sums[a * n] = sums[a * n] * average + reach[(first[j] + a) * n + h];
            }
        }
        values[parent[j] * n + h] += node;
    }
}
