"""The kernels of `answers.cu` for a processor, argument by argument."""

from counterfold.jit.compiler import kernel


@kernel
def find_answers(
    n_points, n, n_hands, n_boards, first, n_actions, slot, by_hand, known, buckets, values,
    regrets, answers,
):  # fmt: skip
    """Overwrite `answers` by one for the action of most value, in slots by decision and column.

    Parameters
    ----------
    slot, by_hand
        First slot of a decision in `regrets`, by bucket, and in `answers`, by column.
    known
        [points, n_boards] whether the other comes to a decision; if not, its regrets are taken.
    """
    for j in range(n_points):
        for x in range(n):
            width = n_actions[j]
            at = by_hand[j] + width * x
            best = 0
            for a in range(1, width):
                if values[first[j] + a, x] > values[first[j] + best, x]:
                    best = a
            learned = slot[j] + width * buckets[x]
            for a in range(width):
                if known[j, x // n_hands]:
                    answers[at + a] = answers[at + a] * 0 + (a == best)
                else:
                    answers[at + a] = regrets[learned + a]
