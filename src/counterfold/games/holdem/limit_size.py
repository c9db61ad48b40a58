"""How large a variant is, counted from its betting and its cards.

The betting tree is counted by walking public situations, each of them once: histories that lead to
the same situation continue alike. Fixed limits leave a few hundred situations; without limits there
are too many, and the count is refused.
"""

from collections import Counter
from dataclasses import dataclass
from math import comb

from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.situation import Situation
from counterfold.games.holdem.variant import Variant

MAX_BETS = 20_000  # decisions and raises of the walk; takes less than a second


@dataclass(frozen=True)
class BettingCounts:
    """Histories of betting by street, cards left out."""

    decisions: tuple[int, ...]
    folds: tuple[int, ...]
    showdowns: int


def count_betting(variant: Variant) -> BettingCounts | None:
    """Count the betting tree, or None where it has choices, runs or too many situations."""
    if any(street.choices for street in variant.streets) or variant.max_runs:
        return None
    rules = variant.rules
    decisions, folds, showdowns = Counter[int](), Counter[int](), 0
    level: Counter[Situation] = Counter([betting.first_situation(rules)])
    met = 0
    while level:
        below: Counter[Situation] = Counter()
        for situation, ways in level.items():
            phase, street = situation[betting.PHASE], situation[betting.STREET]
            if phase == betting.SHOWDOWN:
                showdowns += ways
            elif phase == betting.FOLDED:
                folds[street] += ways
            elif phase == betting.DEAL:
                below[betting.after_deal(rules, situation, False)] += ways
            else:
                decisions[street] += ways
                low, high = betting.raise_bounds(rules, situation)
                met += 1 + high - low
                if met > MAX_BETS:
                    return None
                for child in _bets(variant, situation, low, high):
                    below[child] += ways
        level = below
    streets = range(len(variant.streets))
    return BettingCounts(
        tuple(decisions[street] for street in streets),
        tuple(folds[street] for street in streets),
        showdowns,
    )


def _bets(variant: Variant, situation: Situation, low: int, high: int) -> list[Situation]:
    """What may follow a decision."""
    after = [betting.after_call(variant.rules, situation)]
    if situation[betting.SPENT_0] != situation[betting.SPENT_1] or variant.fold_when_free:
        after.append(betting.after_fold(situation))
    if high:
        after += [betting.after_raise(situation, total) for total in range(low, high + 1)]
    return after


def count_views(variant: Variant) -> tuple[int, ...]:
    """What one player may see by street, without draws and swaps: its cards and the board."""
    left = variant.deck.n_cards - variant.hole_cards
    ways = comb(variant.deck.n_cards, variant.hole_cards)
    return _times_boards(variant, ways, left)


def count_deals(variant: Variant) -> tuple[int, ...]:
    """What may have been dealt by street, without draws and swaps: both hands and the board."""
    n, hole = variant.deck.n_cards, variant.hole_cards
    return _times_boards(variant, comb(n, hole) * comb(n - hole, hole), n - 2 * hole)


def _times_boards(variant: Variant, ways: int, left: int) -> tuple[int, ...]:
    counts = []
    for street in variant.streets:
        ways *= comb(left, street.cards)
        left -= street.cards
        counts.append(ways)
    return tuple(counts)


def count_infosets(variant: Variant) -> int | None:
    """Information sets of the exact game, or None if `count_betting` gives none or cards change."""
    tree = count_betting(variant)
    if tree is None or variant.hands_change:
        return None
    n_ranks = 1 if variant.bounty is None else len(variant.deck.ranks)  # that a player may have
    views = count_views(variant)
    return n_ranks * sum(n * seen for n, seen in zip(tree.decisions, views, strict=True))
