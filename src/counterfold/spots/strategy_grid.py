"""The 13 × 13 grid of a decision: what each class of hands does, as cells of colors or numbers.

Colors are those of Okabe and Ito (2008), which color-blind people can tell apart: blue for a fold,
green for a check or call, from yellow to purple for bets of rising size.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.pairs import (
    N_HAND_CLASSES,
    N_PAIRS,
    PAIR_CARDS,
    PAIR_HAND_CLASSES,
    format_hand_class,
    index_pair,
)
from counterfold.cards.text import N_RANKS, parse_cards
from counterfold.errors import CardError, UnsupportedGameError
from counterfold.games.holdem.action_words import CALL, CHECK, FOLD, KEEP, WORDS
from counterfold.ranges.made_hands import filter_hands
from counterfold.ranges.spot_node import HandTable, SpotNode

Color = tuple[int, int, int]

_FOLD, _CALL = (0, 114, 178), (0, 158, 115)
_BETS = ((240, 228, 66), (230, 159, 0), (213, 94, 0), (204, 121, 167))
_PASSIVE = {WORDS[FOLD]: _FOLD, **{WORDS[each]: _CALL for each in (CHECK, CALL, KEEP)}}
_UNKNOWN = np.full(N_HAND_CLASSES, np.nan)


@dataclass(frozen=True)
class GridCell:
    """A class of hands."""

    name: str  # such as AKs
    weight: float  # mean of its hands, relative to the class with the highest
    shares: tuple[float, ...]  # by action; empty if none of its hands is here
    ev: float
    equity: float


Grid = tuple[tuple[GridCell, ...], ...]


def find_cells(node: SpotNode) -> Grid:
    """[13][13] cells: pairs on the diagonal, suited hands right of it, offsuit hands left."""
    _check_pairs(node)
    grid = node.grid()
    return make_cells(
        grid["strategy"].reshape(len(node.labels), N_HAND_CLASSES),
        grid["weight"].ravel(),
        node.board,
        grid["ev"].ravel(),
        grid["equity"].ravel(),
    )


def make_cells(
    strategy: NDArray[np.float64],
    weight: NDArray[np.float64],
    board: tuple[int, ...],
    ev: NDArray[np.float64] = _UNKNOWN,
    equity: NDArray[np.float64] = _UNKNOWN,
) -> Grid:
    """The cells from [actions, 169] shares and [169] summed weights of the hands of each class."""
    free = ~np.isin(PAIR_CARDS, board).any(axis=1)
    counts = np.bincount(PAIR_HAND_CLASSES[free], minlength=N_HAND_CLASSES)
    weight = weight / np.maximum(counts, 1)
    here = (weight > 0) & ~np.isnan(strategy).any(axis=0)
    most = weight.max(initial=0.0) or 1.0
    cells = [
        GridCell(
            format_hand_class(k),
            float(weight[k] / most) if here[k] else 0.0,
            tuple(strategy[:, k].tolist()) if here[k] else (),
            float(ev[k]),
            float(equity[k]),
        )
        for k in range(N_HAND_CLASSES)
    ]
    return tuple(tuple(cells[row : row + N_RANKS]) for row in range(0, N_HAND_CLASSES, N_RANKS))


def action_colors(labels: Sequence[str]) -> list[Color]:
    """The color of each action."""
    bets = [label for label in labels if label not in _PASSIVE]
    places = np.linspace(0, len(_BETS) - 1, max(len(bets), 1))
    by_bet = {bet: _between(place) for bet, place in zip(bets, places.tolist(), strict=False)}
    if len(bets) == 1:
        by_bet[bets[0]] = _BETS[2]
    return [_PASSIVE.get(label) or by_bet[label] for label in labels]


def _between(place: float) -> Color:
    """A color of bets, mixed from its two neighbors."""
    low = min(int(place), len(_BETS) - 2)
    part = place - low
    red, green, blue = (
        round(a + part * (b - a)) for a, b in zip(_BETS[low], _BETS[low + 1], strict=True)
    )
    return red, green, blue


def split_width(shares: Sequence[float], width: int) -> list[int]:
    """`width` columns divided among actions; none is off by a column or more."""
    edges = [round(width * share) for share in accumulate(shares)]
    return [after - before for before, after in pairwise([0, *edges[:-1], width])]


def select_hands(node: SpotNode, filters: str) -> SpotNode:
    """The decision for hands that `filters` names: made hands and draws, or hole cards."""
    _check_pairs(node)
    kept = _find_selected(node.board, filters)
    places = {name: np.flatnonzero(kept[hands.numbers]) for name, hands in node.hands.items()}
    own = places[node.position]
    return replace(
        node,
        hands={name: _select(hands, places[name]) for name, hands in node.hands.items()},
        strategy=node.strategy[:, own],
        action_ev=node.action_ev[:, own],
    )


def _check_pairs(node: SpotNode) -> None:
    if node.actor.cards.shape[1] != 2:
        raise UnsupportedGameError(
            "grids and names of hands are for two hole cards; with one, hands are listed"
        )


def _find_selected(board: tuple[int, ...], filters: str) -> NDArray[np.bool_]:
    """[1326] hole cards such as AhKs, else what `filter_hands` finds."""
    try:
        first, second = parse_cards(filters)
    except (CardError, ValueError):
        return filter_hands(board, filters)
    found = np.zeros(N_PAIRS, bool)
    found[index_pair(first, second)] = True
    return found


def _select(hands: HandTable, places: NDArray[np.intp]) -> HandTable:
    return HandTable(
        hands.numbers[places],
        hands.cards[places],
        hands.weight[places],
        hands.met[places],
        hands.equity[places],
        hands.ev[places],
    )
