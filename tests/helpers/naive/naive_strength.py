"""Hand strength and discards by plain enumeration, for decks of a dozen cards.

Independent of the package but for `rank`: a hand is a tuple of cards, a probability a fraction.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations

from counterfold.cards import rank

N_FINAL = 5


@cache
def rank_of(cards):
    return rank(sorted(cards))


def left_of(deck, *known):
    """The cards of `deck` that none of the `known` tuples has."""
    gone = {card for cards in known for card in cards}
    return [card for card in deck if card not in gone]


def showdown(hole, other, board):
    """2, 1 or 0 as `hole` beats, ties with or loses to `other`."""
    own, theirs = rank_of(frozenset(hole + board)), rank_of(frozenset(other + board))
    return 2 * (own > theirs) + (own == theirs)


def run_outs(hole, board, deck):
    """All complete boards that can follow."""
    missing = N_FINAL - len(board)
    return [board + more for more in combinations(left_of(deck, hole, board), missing)]


@cache
def _score(hole, board, deck, dead):
    others = combinations(left_of(deck, hole, board, dead), 2)
    return sum(showdown(hole, other, board) for other in others)


def score(hole, board, deck, dead=()):
    """Twice the wins plus the ties of a hand against all others on a complete board."""
    return _score(*(tuple(sorted(cards)) for cards in (hole, board, deck, dead)))


def final_scores(hole, board, deck):
    """The score on each complete board that can follow."""
    return [score(hole, final, deck) for final in run_outs(hole, board, deck)]


def scores_by_cluster(hole, board, deck, n_clusters, cluster_of):
    """Sum of scores and number of showdowns against the hands of each cluster."""
    sums, counts = [0] * n_clusters, [0] * n_clusters
    for final in run_outs(hole, board, deck):
        for other in combinations(left_of(deck, hole, final), 2):
            cluster = cluster_of(other)
            sums[cluster] += showdown(hole, other, final)
            counts[cluster] += 1
    return sums, counts


# Discards: the value of holding `hole` and then doing what is best, with the cards in `dead` gone.


def strength(hole, board, deck, dead):
    """HS on a complete board."""
    n = len(left_of(deck, hole, board, dead))
    return Fraction(score(hole, board, deck, dead), n * (n - 1))


@cache
def value_after(hole, board, deck, dead):
    """Value once the discard of the street was decided; all tuples sorted."""
    if len(board) == N_FINAL:
        return strength(hole, board, deck, dead)
    following = left_of(deck, hole, board, dead)
    values = [max(options(hole, _add(board, card), deck, dead)) for card in following]
    return sum(values) / len(values)


def options(hole, board, deck, dead=()):
    """Values of keeping, of discarding the first card of `hole` and of discarding the second."""
    keep = value_after(hole, board, deck, dead)
    if len(board) == N_FINAL:  # the river comes after the last discard
        return [keep]
    return [keep] + [
        sum(values) / len(values)
        for values in (draws(hole, board, deck, discard, dead) for discard in hole)
    ]


def draws(hole, board, deck, discard, dead=()):
    """The value of each card that can be drawn for `discard`."""
    kept = tuple(card for card in hole if card != discard)
    gone = _add(dead, discard)
    return [
        value_after(_add(kept, card), board, deck, gone)
        for card in left_of(deck, hole, board, dead)
    ]


def _add(cards, card):
    return tuple(sorted((*cards, card)))
