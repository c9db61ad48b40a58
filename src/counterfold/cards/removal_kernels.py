"""Card removal: what all hands of a board meet among hands that share no card with them.

Hands of two cards go up in the order of their strength. Of those so far, the weight that is left to
a hand is the weight of all, less that of the hands with its first card, less that of the hands with
its second. So a board costs one pass over its hands rather than one over their pairs. A hand that
is itself among those so far was added once and is taken off twice: add its weight.

Cards are small numbers, on a board their places among the cards left.
"""

from counterfold.jit.compiler import borrowing_kernel, inlined_borrowing_kernel


@inlined_borrowing_kernel
def _hand_at(order, k):
    """The k-th weakest hand. Hands that stand in their order have none: `None` costs nothing."""
    return k if order is None else order[k]


@inlined_borrowing_kernel
def take_hands(start, stop, order, firsts, seconds, weights, taken, total):
    """Add the weights of the hands ``start:stop`` to their cards, and return the new total."""
    for k in range(start, stop):
        h = _hand_at(order, k)
        weight = weights[h]  # read once: for all that LLVM knows, `taken` may be its memory
        first, second = firsts[h], seconds[h]
        taken[first] += weight
        taken[second] += weight
        total += weight
    return total


@inlined_borrowing_kernel
def sweep_groups(n_groups, order, ends, firsts, seconds, weights, taken, scores):
    """Overwrite `scores`: for each hand, twice the weight of the disjoint ones that it beats.

    Plus the weight of those that it ties with, less its own. Group ``g`` of equal hands ends before
    ``ends[g]``. Leaves all hands in `taken` and returns their weight.
    """
    for card in range(taken.size):
        taken[card] = 0
    total = taken.dtype.type(0)
    start = 0
    for g in range(n_groups):
        stop = ends[g]
        for k in range(start, stop):
            h = _hand_at(order, k)
            scores[h] = total - taken[firsts[h]] - taken[seconds[h]]
        total = take_hands(start, stop, order, firsts, seconds, weights, taken, total)
        for k in range(start, stop):
            h = _hand_at(order, k)
            scores[h] += total - taken[firsts[h]] - taken[seconds[h]]
        start = stop
    return total


@inlined_borrowing_kernel
def sum_groups(n_groups, order, ends, firsts, seconds, weights, other_weights, taken, below):
    """The weights of wins and of ties of all hands together: the same sweep without their scores.

    Hands have `weights` for the one player and `other_weights` for the other. `below` is scratch
    memory with a place for each hand of the largest group.
    """
    for card in range(taken.size):
        taken[card] = 0
    total = taken.dtype.type(0)
    won = tied = 0.0
    start = 0
    for g in range(n_groups):
        stop = ends[g]
        for k in range(start, stop):
            h = _hand_at(order, k)
            weaker = total - taken[firsts[h]] - taken[seconds[h]]
            below[k - start] = weaker
            won += weights[h] * weaker
        total = take_hands(start, stop, order, firsts, seconds, other_weights, taken, total)
        if stop > start + 1:  # a hand alone ties with none, and no rounding shall say it does
            for k in range(start, stop):
                h = _hand_at(order, k)
                upto = total - taken[firsts[h]] - taken[seconds[h]] + other_weights[h]
                tied += weights[h] * (upto - below[k - start])
        start = stop
    return won, tied


@borrowing_kernel
def count_left(cards, totals, by_card, by_pair, left):
    """Overwrite `left`: of hands of each kind, those that share no card with each row of `cards`.

    There are `totals` of each kind in all and ``by_card[c]`` with card c; ``by_pair[c, d]`` is the
    kind of the hand of both cards, negative if there is none.
    """
    for n in range(cards.shape[0]):
        for kind in range(totals.size):
            left[n, kind] = totals[kind]
        for i in range(cards.shape[1]):
            for kind in range(totals.size):
                left[n, kind] -= by_card[cards[n, i], kind]
            for j in range(i):  # the hand of both cards was taken off twice
                if by_pair[cards[n, i], cards[n, j]] >= 0:
                    left[n, by_pair[cards[n, i], cards[n, j]]] += 1


@borrowing_kernel
def forget_labels(n, totals, taken):
    """Overwrite the first `n` counts, in all and by card, by zero."""
    for label in range(n):
        totals[label] = 0
    for card in range(taken.shape[0]):
        for label in range(n):
            taken[card, label] = 0


@inlined_borrowing_kernel
def take_label(h, label, firsts, seconds, totals, taken):
    """Count hand `h`, in all and by card."""
    totals[label] += 1
    taken[firsts[h], label] += 1
    taken[seconds[h], label] += 1


@borrowing_kernel
def take_labels(n, labels, firsts, seconds, totals, taken):
    """Overwrite `totals` and `taken` by the number of hands with each of `n` labels."""
    forget_labels(n, totals, taken)
    for h in range(labels.size):
        take_label(h, labels[h], firsts, seconds, totals, taken)


@borrowing_kernel
def sweep_labels(n, order, ends, labels, firsts, seconds, totals, taken, wins):
    """The same sweep for `n` labels at once: count the wins of each label against each.

    Hands go up by `order`. Overwrites `wins`; leaves all hands in `totals` and `taken`.
    """
    forget_labels(n, totals, taken)
    for a in range(n):
        for b in range(n):
            wins[a, b] = 0
    start = 0
    group = 0
    while start < labels.size:
        stop = ends[group]
        for k in range(start, stop):
            h = order[k]
            won, first, second = wins[labels[h]], taken[firsts[h]], taken[seconds[h]]
            for b in range(n):
                won[b] += totals[b] - first[b] - second[b]
        for k in range(start, stop):
            take_label(order[k], labels[order[k]], firsts, seconds, totals, taken)
        start = stop
        group += 1
