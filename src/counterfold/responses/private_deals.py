"""Private deals of the bot where hole cards change: its own and others that it might have got.

The bot's private deal is one of several that are drawn alike, from the cards that neither the board
nor the responder has. The responder, who sees all of them and what the bot does, can tell how
likely each is to be the bot's by how likely it is to act so; see
`responses.local_response_kernels`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.public import deals_kernels
from counterfold.public.card_maps import CardMap
from counterfold.public.deals import Dealer, Deals, stage_hand_cells
from counterfold.responses import private_deals_kernels

N_PRIVATE = 64  # of each deal and seat, the real one included; even


class PrivateDeals(NamedTuple):
    """Private deals of the bot for each seat of the responder; none where hole cards stay.

    ``J`` is the number of private deals times that of hand paths.
    """

    n_paths: int
    labels: NDArray[np.int32]  # [n, 2, S, J] buckets
    given: NDArray[np.uint8]  # [n, 2, S, J, hole cards] discarded cards by place, before a draw
    strengths: NDArray[np.int64]  # [n, 2, J]


def draw_private_deals(
    dealer: Dealer, cards: CardMap, deals: Deals, seed: int, first: int
) -> PrivateDeals:
    """Private deals of the bot for each of `deals`, of which the first has the number `first`."""
    n, layout = len(deals), dealer.layout
    n_paths = int(layout.stages[-1, deals_kernels.STAGE_PATHS])
    n_hands = N_PRIVATE * n_paths if dealer.variant.hands_change else 0
    shape = (n, 2, len(layout.stages) if n_hands else 1, n_hands)
    found = PrivateDeals(
        n_paths,
        np.zeros(shape, np.int32),
        np.zeros((*shape, layout.hole_cards), np.uint8),
        np.zeros((n, 2, n_hands), np.int64),
    )
    if n_hands:
        for seat in (0, 1):  # of the responder
            private = _draw(dealer, deals, 1 - seat, seed, first)
            _spread(dealer, private, cards.label(private), seat, found)
    return found


def _draw(dealer: Dealer, deals: Deals, seat: int, seed: int, first: int) -> Deals:
    """Deals in which both seats have private deals of `seat`: `N_PRIVATE` for each of `deals`."""
    layout, n_rows = dealer.layout, N_PRIVATE // 2
    columns, chances = _columns(layout)
    rows = np.empty((len(deals), n_rows, layout.n_columns), np.uint8)
    deck = np.empty(layout.deck.size, np.uint8)
    private_deals_kernels.draw_private(
        layout, columns, chances, deals.cards, seat, seed, first, deck, rows
    )
    lengths = np.repeat(deals.lengths, n_rows)
    return dealer.complete(rows.reshape(-1, layout.n_columns), lengths, np.ones(lengths.size))


def _columns(layout: deals_kernels.Layout) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """[2, k] the columns of each seat, and [k] the probabilities that their cards come into play.

    Hole cards first, then what is drawn or swapped, in the order of stages.
    """
    h = layout.hole_cards
    extra = 2 * h + layout.board_cards + layout.max_runs
    columns: list[list[int]] = [[*range(h)], [*range(h, 2 * h)]]
    for stage in layout.stages.tolist():
        draw, swap = stage[deals_kernels.STAGE_DRAW], stage[deals_kernels.STAGE_SWAP]
        for seat in (0, 1):
            if draw != deals_kernels.NO_COLUMN:
                columns[seat].append(draw + seat)
            if swap != deals_kernels.NO_COLUMN:
                columns[seat] += range(swap + seat * h, swap + (seat + 1) * h)
    chances = [1.0] * h + [layout.swaps[column - extra] for column in columns[0][h:]]
    return np.array(columns, np.int64), np.array(chances)


def _spread(
    dealer: Dealer, private: Deals, buckets: NDArray[np.int32], seat: int, out: PrivateDeals
) -> None:
    """Lay out by stage, private deal and hand path, for the responder in `seat`."""
    n, h, n_paths = len(out.labels), dealer.layout.hole_cards, out.n_paths
    labels = out.labels.reshape(n, 2, -1, N_PRIVATE, n_paths)
    given = out.given.reshape(n, 2, -1, N_PRIVATE, n_paths, h)
    for at, stage in enumerate(dealer.layout.stages):
        cells = stage_hand_cells(stage)
        n_known = cells.stop - cells.start
        labels[:, seat, at, :, :n_known] = buckets[:, :, cells].reshape(n, N_PRIVATE, n_known)
        holes = private.holes[:, :, cells].reshape(n, N_PRIVATE, n_known, h)
        first = private.discard_first[:, :, cells].reshape(n, N_PRIVATE, n_known, 1)
        turned = np.where(first == 1, holes[..., ::-1], holes)
        given[:, seat, at, :, :n_known] = turned
    out.strengths[:, seat] = private.strengths.reshape(n, -1)
