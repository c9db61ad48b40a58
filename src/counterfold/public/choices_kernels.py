"""Ways to choose some of many cards: how many there are, and one after another."""

from counterfold.jit.compiler import borrowing_kernel

NO_MORE = -1


@borrowing_kernel
def count_choices(n, k):
    """Ways to choose `k` of `n`."""
    ways = 1
    for j in range(k):
        ways = ways * (n - j) // (j + 1)
    return ways


@borrowing_kernel
def next_choice(chosen, k, n):
    """Overwrite `k` ascending numbers below `n` by the next ones in lexicographic order.

    The first are 0 to ``k - 1``. Returns the first place that has changed, or `NO_MORE` if these
    were the last.
    """
    at = k - 1
    while at >= 0 and chosen[at] == n - k + at:
        at -= 1
    if at < 0:
        return NO_MORE
    chosen[at] += 1
    for j in range(at + 1, k):
        chosen[j] = chosen[j - 1] + 1
    return at
