"""Equity by plain enumeration, one showdown after the other, for comparison with the fast way."""

from itertools import combinations

from counterfold.cards import FULL, rank, unindex_pair


def enumerate_showdowns(first, second, board=(), dead=(), deck=FULL, evaluate=rank):
    """Win, tie and lose of the first range, the run-outs of a matchup, matchups, their weight."""
    known = {*board, *dead}
    left = [int(card) for card in deck.cards if card not in known]
    n_more = max(0, 5 - len(board))
    sums = [0.0, 0.0, 0.0]
    n_run_outs = n_matchups = total = 0
    for i in first.pairs:
        for j in second.pairs:
            hand, other = unindex_pair(i), unindex_pair(j)
            if {*hand} & {*other} or not {*hand, *other} <= {*left}:
                continue
            weight = first.weights[i] * second.weights[j]
            rest = [card for card in left if card not in (*hand, *other)]
            run_outs = list(combinations(rest, n_more))
            for run_out in run_outs:
                full = (*board, *run_out)
                a, b = evaluate([*full, *hand]), evaluate([*full, *other])
                sums[0 if a > b else 1 if a == b else 2] += weight
            n_run_outs = len(run_outs)
            n_matchups += 1
            total += weight
    return (*(x / total / n_run_outs for x in sums), n_run_outs, n_matchups, total)
