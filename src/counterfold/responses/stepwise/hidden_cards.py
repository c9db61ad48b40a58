"""Ranges through cards that only the bot sees come, or that both see go."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem.card_sets_kernels import FIRST_SETS, SET_BITS, set_size
from counterfold.responses.stepwise.column_range import ColumnRange
from counterfold.responses.stepwise.columns import (
    Columns,
    all_hands,
    bits_of,
    extend,
    number_hands,
)

if TYPE_CHECKING:
    from counterfold.responses.stepwise.step_walk import StepWalk

Drawn = tuple[NDArray[np.int64], NDArray[np.uint8]]  # hands, and a card more for each

MOST_ENUMERATED = 4096  # hands that have got a card, all of which are followed
N_DRAWN = 1024  # of more, for decisions
N_PRIVATE = 64  # of more, for results, the bot's own among them

_NO_MARK = -1


def get_card(walk: "StepWalk", rng: np.random.Generator) -> tuple[ColumnRange, ColumnRange | None]:
    """The range once the bot has got a card that the responder does not see.

    Where hands are too many, those of the range are drawn, and a second range is for the result:
    the bot's own hand, which is first, and others that are drawn as it was.
    """
    found = walk.range
    total, columns = found.total, found.columns
    alive = np.flatnonzero(total)
    deck = np.sort(walk.game.variant.deck.cards).astype(np.uint8)
    left = deck[(walk.seen >> deck.astype(np.int64)) & 1 == 0]
    if alive.size * (left.size - columns.size) <= MOST_ENUMERATED:
        chosen, new = np.repeat(alive, left.size), np.tile(left, alive.size)
        fits = ~(columns.cards[chosen] == new[:, None]).any(axis=1)
        chosen, new = chosen[fits], new[fits]
        weights = found.weights[:, chosen]
        return found.replaced(extend(columns, chosen, new), chosen, weights), None
    decides = _follow(found, *_draw(rng, columns, total, left, N_DRAWN))
    held, won = (walk.hole(1 - walk.seat, walk.at + more) for more in (0, 1))
    own = number_hands(walk.game.variant.deck, np.sort(held)[None])
    others = _draw(rng, columns, total, left, N_PRIVATE - 1)
    chosen = np.concatenate([own, others[0]])
    new = np.concatenate([np.setdiff1d(won, held), others[1]])
    return decides, _follow(found, chosen, new)


def _draw(
    rng: np.random.Generator,
    columns: Columns,
    total: NDArray[np.float64],
    left: NDArray[np.uint8],
    n: int,
) -> Drawn:
    """`n` hands by their weights, and a card of `left` for each that it does not have."""
    limits = np.cumsum(total)
    chosen = np.searchsorted(limits, rng.random(n) * limits[-1], side="right")
    chosen = np.minimum(chosen, total.size - 1)
    new = left[rng.integers(left.size, size=n)]
    while (again := (columns.cards[chosen] == new[:, None]).any(axis=1)).any():
        new[again] = left[rng.integers(left.size, size=int(again.sum()))]
    return chosen.astype(np.int64), new


def _follow(found: ColumnRange, chosen: NDArray[np.int64], new: NDArray[np.uint8]) -> ColumnRange:
    """The range of hands that were drawn by their weights and have a card more each."""
    weights = found.weights[:, chosen] / found.total[chosen]
    return found.replaced(extend(found.columns, chosen, new), chosen, weights)


def give_cards(walk: "StepWalk", number: int) -> ColumnRange:
    """The range once the bot has given away the set `number` of its cards, which all see."""
    game, found = walk.game, walk.range
    step = game.dealer.stages[walk.at].choice
    assert step is not None
    held = walk.hole(1 - walk.seat)
    size = int(set_size(step.n_held, number))
    gone = held[[at for at in range(held.size) if SET_BITS[step.n_held, number] >> at & 1]]
    bits = bits_of(gone.tolist())
    chosen = np.flatnonzero((found.bits & bits == bits) & found.weights.any(axis=0))
    had = found.columns.cards[chosen]
    numbers = game.sets_of(had, walk.find_board(walk.at), gone)
    kept = had[~np.isin(had, gone)].reshape(chosen.size, held.size - size)
    after = all_hands(game.variant.deck, held.size - size)
    into = after, number_hands(game.variant.deck, kept)
    sets = int(FIRST_SETS[step.n_held, size]), int(FIRST_SETS[step.n_held, size + 1])
    usual = _NO_MARK if step.may_keep else sets[0]
    return found.give(walk.situation, chosen, numbers, sets, usual, into)
