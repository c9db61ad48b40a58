"""Where the cards of a deal lie in its row, stage by stage; see `public.deals_kernels`."""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

import numpy as np

from counterfold.cards.text import SUITS
from counterfold.games.holdem import Swap, Variant
from counterfold.games.holdem.street import Deal
from counterfold.public import deals_kernels
from counterfold.public.deals_kernels import Layout
from counterfold.public.stages import CardStage

SWAPPED = -1  # a card that may come, in a list of groups

_GIVE_COLUMNS = [
    deals_kernels.STAGE_GIVER,
    deals_kernels.STAGE_GIVEN_OF,
    deals_kernels.STAGE_COUNT,
    deals_kernels.STAGE_KEEPS,
    deals_kernels.STAGE_FIRST_SET,
]


def lay_out(variant: Variant, stages: Sequence[CardStage]) -> Layout:
    """The columns of a deal: hole cards, the board, a run, then what changes hands, in order."""
    h, board = variant.hole_cards, variant.board_cards_dealt
    column = 2 * h + board + variant.max_runs
    odds: list[float] = []  # with which the card of each further column comes into play
    table = np.full((len(stages), deals_kernels.N_STAGE_COLUMNS), deals_kernels.NO_COLUMN, np.int64)
    hand_cell = n_looks = 0
    for at, stage in enumerate(stages):
        row = table[at]
        row[deals_kernels.STAGE_STREET] = stage.street
        row[deals_kernels.STAGE_BOARD] = stage.n_on_board
        row[deals_kernels.STAGE_LAID] = stage.n_laid
        row[deals_kernels.STAGE_SHOWN] = stage.n_shown
        row[deals_kernels.STAGE_PATHS] = stage.n_paths
        row[deals_kernels.STAGE_CELL] = hand_cell
        hand_cell += int(row[deals_kernels.STAGE_PATHS])
        row[deals_kernels.STAGE_CHOICES] = 1
        held = max(stage.n_held(seat, h) for seat in (0, 1))
        row[deals_kernels.STAGE_HELD] = held
        if at > 0 and stages[at - 1].turns:
            step = stage.steps[-1]
            row[deals_kernels.STAGE_CHOICES] = step.n_choices
            if step.kind == "give":
                row[_GIVE_COLUMNS] = (
                    step.seat if step.shared else deals_kernels.BOTH_SEATS,
                    step.n_held,
                    step.discard.count,
                    step.may_keep,
                    step.first_set,
                )
                if step.discard.redraw:
                    row[deals_kernels.STAGE_DRAW] = column + len(odds)
                    odds += [1.0] * step.discard.count * (1 if step.shared else 2)
            elif step.kind == "look":
                row[deals_kernels.STAGE_LOOK] = n_looks
                n_looks += 1
            else:
                won = step.kind == "win"
                place = deals_kernels.STAGE_PRIZE if won else deals_kernels.STAGE_DRAW
                row[place] = column + len(odds)
                odds += [1.0] * 2
        if isinstance(stage.chance, Swap):
            row[deals_kernels.STAGE_SWAP] = column + len(odds)
            odds += [stage.chance.probability] * (2 * held)
        elif isinstance(stage.chance, Deal):
            row[deals_kernels.STAGE_DEAL] = column + len(odds)
            first, second = stage.chance.holes
            row[deals_kernels.STAGE_DEALT_0], row[deals_kernels.STAGE_DEALT_1] = first, second
            odds += [1.0] * (first + second)
    return Layout(
        table,
        variant.deck.cards,
        np.array(odds, np.float64),
        h,
        board,
        variant.max_runs,
        sum(1 << SUITS.index(suit) for suit in variant.run_suits),
        len(variant.streets) - 1,
        column + len(odds),
        variant.most_hole_cards,
    )


def list_groups(layout: Layout) -> list[int]:
    """How many cards of a row, after board and run, come together each time, in their order; or
    `SWAPPED` for one that may come.
    """
    groups: list[int] = []
    for row in layout.stages.tolist():
        gives = row[deals_kernels.STAGE_GIVER] != deals_kernels.NO_SEAT
        if gives and row[deals_kernels.STAGE_DRAW] != deals_kernels.NO_COLUMN:
            count, n_seats = row[deals_kernels.STAGE_COUNT], 2
            if row[deals_kernels.STAGE_GIVER] != deals_kernels.BOTH_SEATS:
                n_seats = 1
            # Whoever need not take all takes the first.
            keeps = row[deals_kernels.STAGE_KEEPS]
            groups += ([1] * count if keeps else [count]) * n_seats
        for column in () if gives else (deals_kernels.STAGE_DRAW, deals_kernels.STAGE_PRIZE):
            groups += [1, 1] * (row[column] != deals_kernels.NO_COLUMN)
        if row[deals_kernels.STAGE_SWAP] != deals_kernels.NO_COLUMN:
            groups += [SWAPPED] * (2 * row[deals_kernels.STAGE_HELD])
        if row[deals_kernels.STAGE_DEAL] != deals_kernels.NO_COLUMN:
            groups += [row[deals_kernels.STAGE_DEALT_0], row[deals_kernels.STAGE_DEALT_1]]
    return groups


def deal_groups(deck: list[int], groups: list[int]) -> Iterator[Sequence[int]]:
    """Every way to deal sets of these sizes one after another; of `SWAPPED`, no card or any."""
    if all(size == 1 for size in groups):
        yield from permutations(deck, len(groups))
        return
    if groups[0] == SWAPPED:
        for others in deal_groups(deck, groups[1:]):
            yield [deals_kernels.NO_CARD, *others]
    for chosen in combinations(deck, abs(groups[0])):
        rest = [card for card in deck if card not in chosen]
        for others in deal_groups(rest, groups[1:]):
            yield [*chosen, *others]
