"""Exact responses on one board next to the root at a time, and all that is built once for them.

Data flow: a `ResponseSide` is the betting of one responder, for all boards. A `ResponsePass` has
the memory of one thread. It is given one board next to the root, say a flop, walks all boards below
it, and returns what the responder's hands win on every start of that street, summed over the
renamings of the suits of the board. `finish_root` adds the root street to the sum over boards.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import comb
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from counterfold.bets.spot_menu import SpotMenu
from counterfold.cards.pairs import N_PAIRS
from counterfold.cards.text import N_CARDS
from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem import Variant
from counterfold.jit.lanes import LANES
from counterfold.public.card_maps import CardMap
from counterfold.ranges.board_cards import N_SUMS, BoardCards
from counterfold.ranges.ends_kernels import EndScratch
from counterfold.ranges.line_tree import LineTree, find_lines
from counterfold.ranges.range_pass import find_streets, list_steps, offsets
from counterfold.responses import response_walk_kernels as walk
from counterfold.responses.bot_answers import BotAnswers
from counterfold.responses.bot_moves import NONE, BotMoves, find_moves, flatten_answers
from counterfold.responses.response_tree import ResponseTree, grow_response_tree

_BLOCK_BYTES = 1 << 19  # of a block's values: starts enough to fill the lanes, in the second cache

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ResponseSide:
    """The betting of a responder in one seat and of the bot in the other."""

    variant: Variant
    cards: CardMap
    tree: ResponseTree
    lines: LineTree
    moves: BotMoves
    answers: NDArray[np.floating]
    own: NDArray[np.int64]  # answers of the bot in place of the responder, by street and row
    own_at: NDArray[np.int64]  # [K] where the rows of a street begin
    by_street: bool
    dtype: np.dtype[Any]

    @property
    def seat(self) -> int:
        """That of the responder."""
        return self.tree.seat

    @cached_property
    def n_layers(self) -> NDArray[np.int64]:
        """[K] layers of each street; see `response_walk_kernels`."""
        n = self.lines.n_streets
        return 1 + (n - np.arange(n)) * self.by_street

    def root_chances(self, point: int, buckets: NDArray[np.int32]) -> Vector:
        """[actions, hands] what the bot would do in the responder's place on the root street."""
        own = self.lines.seats[self.seat]
        found = np.zeros((int(own.n_actions[point]), buckets.size))
        for a, at in enumerate(self.own[own.row[point] :][: own.n_actions[point]].tolist()):
            if at != NONE:
                found[a] = self.answers[at + buckets]
        return found

    def board_cards(self, only: tuple[tuple[int, ...], ...] = ()) -> BoardCards:
        """All hands on the boards below one board; `only` has what is dealt from the root to it."""
        n = N_PAIRS if self.variant.hole_cards == 2 else N_CARDS
        everything = np.ones(n)
        return BoardCards(
            self.variant,
            (),
            (everything, everything),
            tuple(self.lines.shows.tolist()),
            self.cards.forgets_suits,
            only,
        )


def make_side(
    variant: Variant,
    cards: CardMap,
    answers: BotAnswers,
    seat: int,
    menu: SpotMenu | None = None,
    *,
    by_street: bool = True,
    dtype: DTypeLike = np.float32,
) -> ResponseSide:
    """The betting in which `seat` responds to the bot; by street only where bets are fixed."""
    tree = grow_response_tree(variant, answers, seat, menu)
    lines = _pad(find_lines(tree), len(variant.streets))
    moves = find_moves(tree, lines, answers, 1 - seat)
    by_street = by_street and variant.betting == "limit"
    own = _own_answers(tree, lines, answers, seat) if by_street else np.full(1, NONE)
    counts = np.concatenate(([0], lines.n_rows[:, seat]))
    kind = np.dtype(dtype)
    chances = flatten_answers(answers, kind)
    own_at = np.cumsum(counts)[:-1]
    return ResponseSide(variant, cards, tree, lines, moves, chances, own, own_at, by_street, kind)


def _pad(lines: LineTree, n_streets: int) -> LineTree:
    """`lines` with the streets that no betting reaches, say since the bot always folds."""
    missing = n_streets - lines.n_streets
    return replace(lines, streets=np.pad(lines.streets, (0, missing), mode="edge"))


def _own_answers(
    tree: ResponseTree, lines: LineTree, answers: BotAnswers, seat: int
) -> NDArray[np.int64]:
    """Where the bot's answers in place of the responder begin, by street and row."""
    moves, own = find_moves(tree, lines, answers, seat), lines.seats[seat]
    if moves.hidden[-1]:
        raise UnsupportedGameError(
            "losses by street need a bot that does not read bets at random; pass by_street=False"
        )
    firsts = np.concatenate(([0], np.cumsum(lines.n_rows[:, seat])))
    found = np.full(int(firsts[-1]), NONE, np.int64)
    streets = own.points[lines.streets]
    for j in range(own.parent.size):
        k = int(np.searchsorted(streets, j, side="right")) - 1
        row = firsts[k] + own.row[j] - own.first[j]
        for m in range(moves.points[j], moves.points[j + 1]):
            found[row + moves.target[m]] = moves.answer[m]
    return found


class ResponsePass:
    """Walks below one board at a time; its memory is kept for the next."""

    def __init__(self, side: ResponseSide, cards: BoardCards) -> None:
        self.side, self.lines = side, side.lines
        most = int(cards.boards.n_hands.max())
        self.streets = find_streets(side.lines, most, side.dtype, _BLOCK_BYTES)
        self.work = self._make_work(cards)

    def _make_work(self, cards: BoardCards) -> walk.ResponseWork:
        lines, p, q = self.lines, self.side.seat, 1 - self.side.seat
        boards, n_streets = cards.boards, lines.n_streets
        most = np.zeros(n_streets, np.int64)
        np.maximum.at(most, boards.street, boards.n_hands.max(axis=1))
        edges = self.streets.blocks
        widest = [int(np.diff(lines.seats[s].starts[edges]).max()) for s in (p, q)]
        counts = np.diff(lines.first_lines[:, q]).astype(np.int64)
        hidden = np.diff(self.side.moves.hidden[lines.streets]).astype(np.int64)
        counts[-1] = widest[1]
        reach_at, n_reach = offsets(counts[:, None] * most[:, None])
        hidden_at, n_hidden = offsets(hidden[:, None] * most[:, None])
        starts = np.diff(lines.streets).astype(np.int64)
        layers = self.side.n_layers
        later = np.zeros((n_streets, 1), np.int64)
        later[:-1, 0] = (layers * starts)[1:] * most[:-1]
        later_at, n_later = offsets(later)
        n = int(most.max())
        rows = [self._zeros(n, LANES) for _ in range(3)]
        lanes = [np.zeros(LANES, np.int64) for _ in range(2)]
        return walk.ResponseWork(
            self._zeros(int(n_reach[0])),
            reach_at[:, 0].copy(),
            self._zeros(int(n_hidden[0]) + 1),
            hidden_at[:, 0].copy(),
            self._zeros(int(n_later[0]) + 1),
            later_at[:, 0].copy(),
            self._zeros((widest[0] + 1) * n),
            self._zeros(widest[0] * n),
            self._zeros(n),
            self._zeros(int((layers * starts * most).max())),
            EndScratch(
                rows[0], rows[1], rows[2], self._zeros(N_SUMS, LANES),
                lanes[0], lanes[1], self._zeros(LANES),
            ),
        )  # fmt: skip

    def _zeros(self, *shape: int) -> NDArray[np.floating]:
        return np.zeros(shape, self.side.dtype)

    def root_ends(
        self, cards: BoardCards, buckets: NDArray[np.int32]
    ) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
        """The vectors of the bot's lines of the root street, and the ends of the responder's."""
        side, boards = self.side, cards.boards
        boards = boards._replace(matrix=boards.matrix.astype(side.dtype, copy=False))
        n_own, n_bot = (int(side.lines.first_lines[1, s]) for s in (side.seat, 1 - side.seat))
        n = int(boards.n_hands[0, 0])
        root, ended = self._zeros(n_bot * n), self._zeros((n_own + 1) * n)
        root[:n] = 1.0
        walk.root_ends(
            side.seat, boards, side.lines.seats, self.streets, side.moves, side.answers, buckets,
            root, self.work, side.lines.n_streets == 1, ended,
        )  # fmt: skip
        return root, ended[: n_own * n].reshape(n_own, n)

    def respond(
        self,
        cards: BoardCards,
        buckets: NDArray[np.int32],
        stopped: Callable[[], bool] = lambda: False,
    ) -> NDArray[np.float64] | None:
        """[layers, starts, hands at the root] what the starts next to the root are worth.

        None if `stopped` says so, which is asked after each board of the street after those.
        """
        side, boards = self.side, cards.boards
        boards = boards._replace(
            matrix=boards.matrix.astype(side.dtype, copy=False), chance=deal_chances(cards)
        )
        root, _ = self.root_ends(cards, buckets)
        n_starts = int(side.lines.streets[2] - side.lines.streets[1])
        n = int(boards.n_hands[0, side.seat])
        layers = int(side.n_layers[1])
        found = self._zeros(layers * n_starts * n)
        steps = list_steps(boards.street, side.lines.n_streets - 1)[1:-1]
        begins = np.flatnonzero((boards.street[steps[:, 0]] == 2) & (steps[:, 1] == 1))
        for first, last in pairwise([0, *begins.tolist(), len(steps)]):
            if stopped():
                return None
            walk.respond_boards(
                steps[first:last], side.seat, side.n_layers, boards, side.lines.seats,
                self.streets, side.moves, side.own, side.own_at, side.answers, buckets, root,
                self.work, found,
            )  # fmt: skip
        return found.reshape(layers, n_starts, n).astype(np.float64)


def deal_chances(cards: BoardCards) -> Vector:
    """[K] the weight of a deal of each street: its probability, unless it stands for all of them.

    The deals next to the root are weighted by the caller.
    """
    chance, left = cards.chance(), cards.variant.deck.n_cards
    # Down to the last of `only` there is one board on each street.
    path = zip(range(1, cards.n_streets), cards.only, strict=False)
    for k, dealt in path:
        copies = len(cards.listed[k].copies)
        if k > 1:
            chance[k] *= comb(left, len(dealt)) / copies
        left -= len(dealt)
    return chance


def finish_root(
    side: ResponseSide,
    ended: Vector,
    later: Vector,
    chance: float,
    buckets: NDArray[np.int32],
    chosen_by: Vector | None = None,
) -> Vector:
    """[layers, hands] what the responder's hands win, from the root on.

    Parameters
    ----------
    ended
        [lines, hands] worth of the ends of the root street.
    later
        [layers, starts, hands] of the street after it.
    chance
        Probability of each deal.
    chosen_by
        Another `later`, by which the best actions of the root street are chosen; the same if None.
    """
    n_layers = int(side.n_layers[0])
    results = [
        _root_layer(side, m, ended, chance * later[max(m - 1, 0)], None, buckets)
        for m in range(1, n_layers)
    ]
    other = None if chosen_by is None else chance * chosen_by[0]
    best = _root_layer(side, 0, ended, chance * later[0], other, buckets)
    return np.stack([best, *results])


def _root_layer(
    side: ResponseSide,
    layer: int,
    ended: Vector,
    later: Vector,
    chosen_by: Vector | None,
    buckets: NDArray[np.int32],
) -> Vector:
    own, hands = side.lines.seats[side.seat], np.arange(ended.shape[1])
    values = [_with_later(side, ended, each) for each in (later, chosen_by) if each is not None]
    for j in range(int(own.points[side.lines.streets[1]]) - 1, -1, -1):
        rows = slice(own.first[j], own.first[j] + own.n_actions[j])
        if layer == 0:
            best = values[-1][rows].argmax(axis=0)
            for each in values:
                each[own.parent[j]] += each[rows][best, hands]
        else:
            chances = side.root_chances(j, buckets)
            values[0][own.parent[j]] += (chances * values[0][rows]).sum(axis=0)
    return np.asarray(values[0][0])


def _with_later(side: ResponseSide, ended: Vector, later: Vector) -> Vector:
    values = ended.astype(np.float64)
    starts = side.lines.seats[side.seat].later[: values.shape[0]]
    leads = starts != NONE
    values[leads] += later[starts[leads] - side.lines.streets[1]]
    return values
