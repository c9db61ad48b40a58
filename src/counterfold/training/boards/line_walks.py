"""Walks over boards along the lines of the betting: the arrays that they need, and their memory."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import betting_kernels as betting
from counterfold.jit.lanes import LANES
from counterfold.public.boards import most_hands
from counterfold.public.boards_kernels import Boards
from counterfold.public.deals import Dealer
from counterfold.public.infosets import PublicGame
from counterfold.ranges.board_cards import N_SUMS, NO_CARD, NOT_READ, BoardArrays
from counterfold.ranges.ends_kernels import EndScratch
from counterfold.ranges.line_kernels import NONE
from counterfold.ranges.line_tree import LineTree, find_lines
from counterfold.training.boards import line_walk_kernels
from counterfold.training.boards.line_walk_kernels import GameLines, LineAnswers, LineScratch

GROUP_BYTES = 5 << 17  # of the vectors of a group of starts: they should stay in the cache


class LineWalks:
    """Walks over boards that have a type for each hand, by one or more threads.

    `game` must be one whose boards can be walked in batches (`ranges.device.board_pass`).
    """

    def __init__(self, game: PublicGame, dealer: Dealer, n_threads: int) -> None:
        self.dealer, self.n_nodes = dealer, game.graph.n_nodes
        self.n_hands = most_hands(dealer)
        tree = find_lines(game.graph)
        self.game = _game_lines(game, tree, self.n_hands)
        self._memory = [self._make_memory() for _ in range(n_threads)]

    def walk(
        self,
        boards: Boards,
        seed: int,
        first: int,
        tables: tuple[NDArray[Any], NDArray[Any], NDArray[Any]],
        thread: int,
    ) -> int:
        """Walk boards, the first of which is number `first` of a seed; the nodes of all walks.

        `tables` are regrets, averages, and the regrets of responders, none if players meet each
        other.
        """
        answers, scratch = self._memory[thread]
        ends = _place_ends(boards, self.dealer.layout.hole_cards)
        line_walk_kernels.walk_boards(
            self.game, boards, ends, seed, first, *tables, answers, scratch
        )
        return (4 if tables[2].size else 2) * len(boards.lengths) * self.n_nodes

    def _make_memory(self) -> tuple[LineAnswers, LineScratch]:
        game, n = self.game, self.n_hands
        early = int(game.first_lines[-2].max())
        late = _widest_group(game)
        width = max(int(seat.n_actions.max(initial=1)) for seat in game.seats)
        rows = max(n, int(game.n_buckets.max()))
        points = [seat.points[game.streets[-2:]] for seat in game.seats]
        answers = LineAnswers(
            np.zeros(max(int(end) for _, end in points), np.bool_),
            np.zeros((max(int(end - begin) for begin, end in points), n), np.uint8),
        )
        scratch = LineScratch(
            _vectors(early, n),
            _vectors(early + 1, n),
            _vectors(late, n),
            _vectors(late + 1, n),
            np.zeros(int(game.first_lines[-1].max()), np.bool_),
            _vectors(1, n),
            np.zeros(n, np.uint32),
            _vectors(width, rows).reshape(width, rows),
            _vectors(width, rows).reshape(width, rows),
            _vectors(1, rows),
            _end_scratch(n),
        )
        return answers, scratch


def _game_lines(game: PublicGame, tree: LineTree, n_hands: int) -> GameLines:
    graph, nodes = game.graph, game.graph.decisions
    actors = graph.field(betting.ACTOR)[nodes]
    slots, met = [], []
    stages, n_buckets = np.zeros((2, tree.n_streets), np.int64)
    for seat, lines in enumerate(tree.seats):
        here = nodes[actors == seat]
        numbers = tree.decisions[here]
        slots.append(np.zeros(lines.parent.size, np.int64))
        met.append(np.zeros(lines.parent.size, np.int64))
        slots[seat][numbers] = game.node_offsets[here]
        met[seat][numbers] = tree.lines[here, 1 - seat]
        edges = lines.points[tree.streets]
        streets = np.searchsorted(edges, numbers, side="right") - 1
        stages[streets] = game.stage[here]
        n_buckets[streets] = game.n_buckets[game.classes[here]]
    most = max(int(np.diff(seat.starts[tree.streets[-2] :]).max()) for seat in tree.seats)
    return GameLines(
        tree.seats,
        (slots[0], slots[1]),
        (met[0], met[1]),
        tree.streets,
        tree.first_lines,
        stages,
        n_buckets,
        max(1, GROUP_BYTES // (2 * most * n_hands * np.dtype(np.float32).itemsize)),
    )


def _widest_group(game: GameLines) -> int:
    """The most lines of a seat in a group of starts of the last street."""
    begin, end = game.streets[-2:].tolist()
    edges = np.append(np.arange(begin, end, game.at_once), end)
    return max(int(np.diff(seat.starts[edges]).max()) for seat in game.seats)


def _end_scratch(n: int) -> EndScratch:
    block, won, met = (_vectors(n, LANES).reshape(n, LANES) for _ in range(3))
    lanes, places = (np.zeros(LANES, np.int64) for _ in range(2))
    taken = _vectors(N_SUMS, LANES).reshape(N_SUMS, LANES)
    return EndScratch(block, won, met, taken, lanes, places, _vectors(1, LANES))


def _vectors(n: int, size: int) -> NDArray[np.float32]:
    return np.zeros(n * size, np.float32)


def _place_ends(boards: Boards, hole_cards: int) -> BoardArrays:
    """What `ranges.ends_kernels` reads of boards; both seats have the same hands."""
    n_boards, n = boards.firsts.shape
    firsts, seconds = boards.firsts.ravel(), boards.seconds.ravel()
    cards, same = np.empty((n_boards * n, 3), np.int32), np.full(n_boards * n, NONE, np.int32)
    cards[:, 0] = firsts
    if hole_cards == 1:
        cards[:, 1:] = NO_CARD, NOT_READ
    else:
        cards[:, 1:] = seconds[:, None]
        same[:] = np.tile(np.arange(n, dtype=np.int32), n_boards)
    groups = np.zeros(n_boards + 1, np.int32)
    np.cumsum(boards.n_groups, out=groups[1:])
    ends = boards.ends[np.arange(n) < boards.n_groups[:, None]]
    counts, none = np.zeros(0, np.int32), np.zeros(0, np.int64)
    return BoardArrays(
        street=counts,
        parent=counts,
        copies=counts,
        n_hands=np.repeat(boards.n_hands[:, None], 2, axis=1),
        hands=np.repeat(n * np.arange(n_boards, dtype=np.int64)[:, None], 2, axis=1),
        hand=counts,
        cards=cards,
        same=same,
        ups=none.reshape(0, 2),
        up=counts,
        groups=groups,
        ends=np.ascontiguousarray(np.repeat(ends[:, None], 2, axis=1)),
        matrices=none,
        matrix=np.zeros(0, np.float32),
        chance=np.zeros(0),
    )
