"""Walks of public chance sampling over many boards at once, through a library like NumPy.

A column is a hand of a board. A walk for one seat goes down the streets with how often the other
plays along each of its lines, and up again with what the lines of the seat are worth, in five
kernels a street, however many boards there are. All boards of a batch meet the same strategies;
the seats learn one after the other, as in `training.boards.public_chance`.

With CuPy the kernels are those of `board_pass.cu`. With NumPy they are its twins, by which tests
reach everything here without a GPU. Sums have one order, so results do not depend on how
threads of a device are scheduled.
"""

from collections.abc import Mapping
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from counterfold.devices import free_gpu_bytes
from counterfold.errors import TooLargeError, UnsupportedGameError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.boards import most_hands
from counterfold.public.boards_kernels import Boards
from counterfold.public.deals import Dealer
from counterfold.public.infosets import PublicGame
from counterfold.ranges.device import board_pass_kernels
from counterfold.ranges.device.board_pass_kernels import N_HAND_LIMITS
from counterfold.ranges.device.cuda_source import THREADS, open_kernels
from counterfold.ranges.line_kernels import NONE
from counterfold.ranges.line_tree import LineTree, find_lines
from counterfold.regret_kernels import LEAST_REGRET

_WARP = 32  # threads that add up a bucket
LANES_AT_ONCE = 4  # lines that end together
END_THREADS = 512  # of a block that ends them
_MOST_ROOM = 24  # lines of a start in fast memory; with more of them too few threads have room

Array = Any  # of NumPy or of a library that replaces it


def walks_in_batches(game: PublicGame) -> bool:
    """Whether boards of `game` can be walked at once: a tree, hands and boards like any other."""
    variant = game.graph.variant
    stays = variant.has_small_hands and not (variant.max_runs or variant.bounty)
    return stays and not game.graph.merged and game.n_classes == game.graph.decisions.size


class PlacedBoards(NamedTuple):
    """Boards as a device reads them. Shapes: ``n`` boards, ``H`` hands, ``S`` stages, ``C`` cards.

    Of the ``W`` hands with a card, and of limits, see `board_pass_kernels.limit_hands`.
    """

    buckets: NDArray[np.int32]  # [n, S, H] from the weakest hand on
    by_card: NDArray[np.int16]  # [n, W, C]
    limits: NDArray[np.int16]  # [n, H, N_HAND_LIMITS]


def place_boards(dealer: Dealer, boards: Boards) -> PlacedBoards:
    """The same boards, which must have a type for each hand, for a device."""
    n, n_hands = boards.firsts.shape
    by_card = np.zeros((n, *_card_shape(dealer)), np.int16)
    limits = np.zeros((n, n_hands, N_HAND_LIMITS), np.int16)
    board_pass_kernels.limit_hands(
        boards.firsts, boards.seconds, boards.ends, boards.n_groups, by_card, limits
    )
    return PlacedBoards(np.take_along_axis(boards.buckets, boards.rows, 2), by_card, limits)


def _card_shape(dealer: Dealer) -> tuple[int, int]:
    """Hands with each card that a board leaves, and such cards; single ones have shadows."""
    layout = dealer.layout
    n_left = layout.deck.size - layout.board_cards
    return (1, 2 * n_left) if layout.hole_cards == 1 else (n_left - 1, n_left)


class _Ends(NamedTuple):
    """Lines of a seat that end on a street: which, and their rows among folds and showdowns."""

    lines: Array
    folds: Array
    shows: Array
    n_folds: int
    n_shows: int


class _Street(NamedTuple):
    """The lines of a seat on a street, numbered from zero, as arrays of the device."""

    n_starts: int
    n_lines: int
    n_points: int
    room: int  # lines of a start in fast memory, 0 if there are too many
    starts: Array  # as in `SeatLines`, and so on
    source: Array
    points: Array
    parent: Array
    first: Array
    n_actions: Array
    slot: Array  # of the first action in the first bucket
    worth: tuple[Array, Array, Array, Array]  # rows of folds and stakes, of showdowns and stakes
    later: Array  # line of the next street
    ends: _Ends

    @property
    def decisions(self) -> tuple[Array, Array, Array, Array]:
        return self.parent, self.first, self.n_actions, self.slot


class LoadedBoards(NamedTuple):
    """Boards in the memory of the device, by street."""

    n_boards: int
    buckets: list[Array]  # [n]
    begins: list[Array]  # [B + 1] first member of each bucket
    members: list[Array]  # [n] columns by bucket
    by_card: Array
    limits: Array


class BoardPass:
    """Walks by `xp`, which is `cupy` or `numpy`, over up to `n_boards` boards at once."""

    def __init__(
        self,
        game: PublicGame,
        dealer: Dealer,
        xp: Any,
        n_boards: int,
        dtype: DTypeLike = np.float32,
    ) -> None:
        check_batches(game)
        self.game, self.dealer, self.xp, self.dtype = game, dealer, xp, np.dtype(dtype)
        self.n_hands = most_hands(dealer)
        self._lines = find_lines(game.graph)
        self._launch = open_kernels(xp, "board_pass.cu", board_pass_kernels, self.dtype)
        layout = dealer.layout
        n_left = layout.deck.size - layout.board_cards
        self._n_others = comb(n_left - layout.hole_cards, layout.hole_cards)
        streets = range(self._lines.n_streets)
        self._slots = [self._find_slots(seat) for seat in (0, 1)]
        self._stages = [self._stage(k) for k in streets]
        self._streets = [[self._street(k, seat) for seat in (0, 1)] for k in streets]
        self.n_boards = min(n_boards, self._most_boards())
        self._reach = [self._vectors(max(s.n_lines for s in self._streets[k])) for k in streets]
        self._values = [self._vectors(max(s.n_lines for s in self._streets[k])) for k in streets]
        ends = [street.ends for streets in self._streets for street in streets]
        self._folds = self._vectors(max(end.n_folds for end in ends))
        self._shows = self._vectors(max(end.n_shows for end in ends))

    def walk(self, placed: PlacedBoards, tables: Mapping[str, Array]) -> None:
        """Walk boards for each seat, and change regrets and averages, in the game's own order."""
        batch, regrets, averages = self._load(placed), tables["regrets"], tables["averages"]
        for seat in (0, 1):
            self._go_down(batch, 1 - seat, regrets, averages)
            self._go_up(batch, seat, regrets)

    def wait(self) -> None:
        """Wait until the device has done all its work."""
        if self.xp is not np:
            self.xp.cuda.get_current_stream().synchronize()

    def _load(self, placed: PlacedBoards) -> LoadedBoards:
        """Boards in the memory of the device, their columns sorted by bucket on each street."""
        xp, n_boards = self.xp, len(placed.buckets)
        labels = xp.asarray(placed.buckets)
        batch = LoadedBoards(
            n_boards, [], [], [], xp.asarray(placed.by_card), xp.asarray(placed.limits)
        )
        n = n_boards * self.n_hands
        columns = xp.arange(n, dtype=np.int64)
        for stage, n_buckets in self._stages:
            buckets = xp.ascontiguousarray(labels[:, stage]).reshape(n)
            keys = xp.sort(buckets * np.int64(n) + columns)
            limits = xp.arange(n_buckets + 1, dtype=np.int64) * n
            batch.buckets.append(buckets)
            batch.begins.append(xp.searchsorted(keys, limits).astype(np.int32))
            batch.members.append((keys % n).astype(np.int32))
        return batch

    def _go_down(self, batch: LoadedBoards, seat: int, regrets: Array, averages: Array) -> None:
        """How often `seat` plays along its lines, and what that adds to its averages."""
        for k in range(len(self._streets)):
            self._reach_lines(batch, k, seat, regrets)
            self._add_averages(batch, k, seat, regrets, averages)

    def _reach_lines(
        self, batch: LoadedBoards, k: int, seat: int, regrets: Array, by_hand: Array | None = None
    ) -> None:
        """How often `seat` plays along its lines of a street.

        `by_hand` has the first slot of each decision in `regrets` if columns are their own buckets.
        """
        n, (least, begun) = self._n(batch), self._reals(LEAST_REGRET, self._first_reach)
        street, reach = self._streets[k][seat], self._view(self._reach[k], n)
        above = self._view(self._reach[max(k - 1, 0)], n)
        buckets, slot = batch.buckets[k], street.slot
        if by_hand is not None:
            buckets, slot = self.xp.arange(n, dtype=np.int32), by_hand
        self._launch(
            "reach_boards", street.n_starts * n, street.n_starts, n, street.room, least, begun,
            street.starts, street.source, street.points, street.parent, street.first,
            street.n_actions, slot, buckets, regrets, above, reach, shared=self._shared(street),
        )  # fmt: skip

    def _add_averages(
        self, batch: LoadedBoards, k: int, seat: int, regrets: Array, averages: Array
    ) -> None:
        n, (least,), street = self._n(batch), self._reals(LEAST_REGRET), self._streets[k][seat]
        n_buckets = self._stages[k][1]
        self._launch(
            "add_averages", street.n_points * n_buckets * _WARP, street.n_points, n_buckets, n,
            least, np.float64(self._n_others), street.parent, street.n_actions, street.slot,
            batch.begins[k], batch.members[k], self._view(self._reach[k], n), regrets, averages,
        )  # fmt: skip

    def _go_up(
        self, batch: LoadedBoards, seat: int, regrets: Array, first: int | None = None
    ) -> None:
        """What the lines of `seat` are worth, and what that adds to its regrets.

        From street `first` on, the last one if it is not given; values of the one after are known.
        """
        n, (least,) = self._n(batch), self._reals(LEAST_REGRET)
        folds, shows = self._view(self._folds, n), self._view(self._shows, n)
        last = len(self._streets) - 1
        for k in range(last if first is None else first, -1, -1):
            street, n_buckets = self._streets[k][seat], self._stages[k][1]
            values = self._view(self._values[k], n)
            coming = self._view(self._values[min(k + 1, last)], n)
            self._end(batch, k, 1 - seat, folds, shows)
            self._launch(
                "value_boards", street.n_starts * n, street.n_starts, n, street.room, least,
                street.starts, street.points, *street.decisions, *street.worth, street.later,
                batch.buckets[k], regrets, folds, shows, coming, values,
                shared=self._shared(street),
            )  # fmt: skip
            self._launch(
                "add_regrets", street.n_points * n_buckets * _WARP, street.n_points, n_buckets, n,
                least, street.first, street.n_actions, street.slot, batch.begins[k],
                batch.members[k], values, regrets,
            )  # fmt: skip

    def _end(self, batch: LoadedBoards, k: int, seat: int, folds: Array, shows: Array) -> None:
        """What hands meet where lines of `seat` end on street `k`."""
        ends = self._streets[k][seat].ends
        width, n_cards = _card_shape(self.dealer)
        n_sums = 2 * self.n_hands + 1 + n_cards * (width + 1)
        n_blocks = -(-ends.lines.size // LANES_AT_ONCE) * batch.n_boards
        self._launch(
            "end_boards", n_blocks * END_THREADS, ends.lines.size, batch.n_boards, self.n_hands,
            n_cards, width, ends.lines, ends.folds, ends.shows, batch.by_card, batch.limits,
            self._view(self._reach[k], self._n(batch)), folds, shows,
            block=END_THREADS, shared=LANES_AT_ONCE * n_sums * self.dtype.itemsize,
        )  # fmt: skip

    def _shared(self, street: _Street) -> int:
        """Bytes in which the threads of a block keep their lines."""
        return street.room * THREADS * self.dtype.itemsize

    def _n(self, batch: LoadedBoards) -> int:
        """Columns."""
        return batch.n_boards * self.n_hands

    @property
    def _first_reach(self) -> float:
        """All pairs of disjoint hands of a board together come once."""
        return 1.0 / (self.n_hands * self._n_others)

    def _reals(self, *numbers: float) -> tuple[Any, ...]:
        return tuple(map(self.dtype.type, numbers))

    def _vectors(self, n_lines: int) -> Array:
        return self.xp.zeros(n_lines * self.n_boards * self.n_hands, self.dtype)

    def _view(self, vectors: Array, n: int) -> Array:
        """[lines, n] of a batch, which may be shorter than others."""
        return vectors[: vectors.size // n * n].reshape(-1, n)

    def _most_boards(self) -> int:
        """Boards whose vectors the memory of the GPU holds, at least one; all with NumPy."""
        if self.xp is np:
            return np.iinfo(np.int32).max
        lines = [max(street.n_lines for street in streets) for streets in self._streets]
        ends = [street.ends for streets in self._streets for street in streets]
        n_vectors = 2 * sum(lines) + max(e.n_folds for e in ends) + max(e.n_shows for e in ends)
        n_vectors += self._more_vectors()
        by_board, free = n_vectors * self.n_hands * self.dtype.itemsize, free_gpu_bytes()
        free -= self.game.n_slots * self._slot_bytes()
        if by_board > free:
            raise TooLargeError(
                f"a board needs {by_board / 1e9:,.2f} GB of the GPU's memory, but only "
                f"{free / 1e9:,.2f} GB are free; use fewer bets or --device cpu"
            )
        return int(free // by_board)

    def _slot_bytes(self) -> int:
        """Of all tables."""
        return self.dtype.itemsize + np.dtype(np.float64).itemsize

    def _more_vectors(self) -> int:
        """Numbers of a column beside those of lines and ends."""
        return 0

    def _find_slots(self, seat: int) -> NDArray[np.int64]:
        """[J, 3] first slot, stage and buckets of the decisions of `seat`."""
        game, found = self.game, np.zeros((self._lines.seats[seat].parent.size, 3), np.int64)
        nodes = game.graph.decisions
        here = nodes[game.graph.field(betting.ACTOR)[nodes] == seat]
        columns = game.node_offsets[here], game.stage[here], game.n_buckets[game.classes[here]]
        found[self._lines.decisions[here]] = np.stack(columns, axis=1)
        return found

    def _stage(self, k: int) -> tuple[int, int]:
        """The stage of the cards on street `k`, and its buckets; all decisions have the same."""
        for seat, found in zip(self._lines.seats, self._slots, strict=True):
            here = found[slice(*seat.points[self._lines.streets[k : k + 2]].tolist())]
            if len(here):
                return int(here[0, 1]), int(here[0, 2])
        return 0, 1  # nobody has a choice

    def _street(self, k: int, seat: int) -> _Street:
        tree, lines = self._lines, self._lines.seats[seat]
        begin, end = tree.streets[k : k + 2].tolist()
        first, last = tree.first_lines[k : k + 2, seat].tolist()
        points = slice(*lines.points[[begin, end]].tolist())
        above = tree.first_lines[max(k - 1, 0), seat]
        source, later = lines.source[begin:end], lines.later[first:last]
        # What follows is the first line of a start of the next street.
        following = lines.starts[later] - last
        folds, shows = (end_rows(tree, k, 1 - seat, way) for way in ("fold", "show"))
        return _Street(
            end - begin,
            last - first,
            points.stop - points.start,
            _room(lines.starts[begin : end + 1]),
            self._numbers(lines.starts[begin : end + 1] - first),
            self._numbers(np.where(source == NONE, NONE, source - above)),
            self._numbers(lines.points[begin : end + 1] - points.start),
            self._numbers(lines.parent[points] - first),
            self._numbers(lines.first[points] - first),
            self._numbers(lines.n_actions[points]),
            self.xp.asarray(np.ascontiguousarray(self._slots[seat][points, 0])),
            (
                self._met_rows(lines.fold[first:last], tree, k, 1 - seat, folds),
                self.xp.asarray(lines.fold_stake[first:last].astype(self.dtype)),
                self._met_rows(lines.show[first:last], tree, k, 1 - seat, shows),
                self.xp.asarray(lines.show_stake[first:last].astype(self.dtype)),
            ),
            self._numbers(np.where(later == NONE, NONE, following)),
            self._ends(k, seat),
        )

    def _met_rows(
        self, met: NDArray[np.int32], tree: LineTree, k: int, other: int, rows: NDArray[np.int32]
    ) -> Array:
        """The rows of the other's lines that are `met` at the end of lines, or NONE."""
        return self._numbers(np.where(met == NONE, NONE, rows[met - tree.first_lines[k, other]]))

    def _ends(self, k: int, seat: int) -> _Ends:
        folds, shows = (end_rows(self._lines, k, seat, way) for way in ("fold", "show"))
        ending = np.flatnonzero((folds != NONE) | (shows != NONE))
        return _Ends(
            self._numbers(ending),
            self._numbers(folds[ending]),
            self._numbers(shows[ending]),
            int(folds.max(initial=NONE)) + 1,
            int(shows.max(initial=NONE)) + 1,
        )

    def _numbers(self, numbers: NDArray[Any]) -> Array:
        return self.xp.asarray(np.ascontiguousarray(numbers, np.int32))


def check_batches(game: PublicGame) -> None:
    """Raise `UnsupportedGameError` unless boards of `game` can be walked at once."""
    if not walks_in_batches(game):
        raise UnsupportedGameError(
            f"boards of {game.graph.variant.name} cannot be walked in batches: that needs the "
            "feature history, hole cards that never change, and no runs or bounties"
        )


def _room(starts: NDArray[np.int32]) -> int:
    most = int(np.diff(starts).max())
    return most if most <= _MOST_ROOM else 0


def end_rows(tree: LineTree, k: int, seat: int, way: str) -> NDArray[np.int32]:
    """For the lines of `seat` on street `k`, their number among those that end in one way."""
    here = slice(*tree.first_lines[k : k + 2, seat].tolist())
    ends = getattr(tree.seats[seat], way)[here] != NONE
    return np.where(ends, np.cumsum(ends) - 1, NONE).astype(np.int32)
