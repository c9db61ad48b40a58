// What the boards of a spot are worth on the boards above, a thread for each start and column there.
//
// The twin of `spot_pass_kernels.py`, argument by argument; `real` is float or double, as the
// compiler is told.

typedef long long wide;

#define NONE (-1)

extern "C" __global__ void collect_starts(
    wide n_starts, wide n, wide n_here, wide n_above, wide n_copies, wide first_above, wide first,
    real chance, const int *starts, const int *down, const real *values, real *coming) {
    wide at = (wide)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n_starts * n_here) return;
    wide e = at / n_here, u = first_above + at % n_here;
    const real *vector = values + starts[e] * n - first;
    real total = 0;
    for (wide c = 0; c < n_copies; ++c) {
        int x = down[c * n_above + u];
        if (x != NONE) total += vector[x];
    }
    coming[e * n_above + u] = chance * total;
}
