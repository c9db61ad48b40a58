// What a responder takes on the last street, a thread for each decision and column.
//
// The twin of `answers_kernels.py`, argument by argument; `real` is float or double, as the
// compiler is told.

typedef long long wide;

extern "C" __global__ void find_answers(
    wide n_points, wide n, wide n_hands, wide n_boards,
    const int *first, const int *n_actions, const wide *slot, const wide *by_hand,
    const unsigned char *known, const int *buckets, const real *values, const real *regrets,
    real *answers) {
    wide at = (wide)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n_points * n) return;
    wide j = at / n, x = at % n;
    int width = n_actions[j], best = 0;
    const real *after = values + first[j] * n + x;
    for (int a = 1; a < width; ++a)
        if (after[a * n] > after[best * n]) best = a;
    const real *learned = regrets + slot[j] + width * buckets[x];
    real *answer = answers + by_hand[j] + width * x;
    bool comes = known[j * n_boards + x / n_hands];
    for (int a = 0; a < width; ++a) answer[a] = comes ? (real)(a == best) : learned[a];
}
