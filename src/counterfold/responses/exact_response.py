"""The best response to a bot in the real game: exact, or over sampled boards of the second street.

The unit is a board next to the root, in hold'em a flop: what the responder's hands win on every
betting line that leads to it, whatever is done before. All boards with their weights give the exact
figure. A sample gives an estimate: on the root street the responder's actions are chosen by one
half of the boards and valued on the other, and the reverse, so no choice is valued on the
boards that suggested it.

A board of a later street takes a fraction of the time. Samples of those measure a responder that
plays like the bot before that street: a lower bound, which needs no choice before the board.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import cached_property
from queue import SimpleQueue
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from counterfold.bets.menu import STREETS
from counterfold.bets.spot_menu import SpotMenu
from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.bots.played_run import policy_of
from counterfold.bots.policy_kernels import Policy
from counterfold.cards.suits import rename_cards, rename_pairs
from counterfold.errors import UnsupportedGameError
from counterfold.frames import NamedFigures
from counterfold.games.holdem import Variant
from counterfold.intervals import Estimate, mean_and_interval
from counterfold.public.card_maps import CardMap
from counterfold.public.public_variants import check_pot, has_pairs
from counterfold.ranges.board_cards import BoardCards
from counterfold.ranges.board_labels import label_boards
from counterfold.ranges.range_pass import met_weights
from counterfold.responses.bot_answers import BotAnswers
from counterfold.responses.response_pass import (
    ResponsePass,
    ResponseSide,
    finish_root,
    make_side,
)
from counterfold.threads import ThreadPool
from counterfold.training.train_folder import TrainedRun

DEFAULT_BETS = "100%, allin; cap 3"  # of a responder in no-limit: more take hours

_SECONDS = 2e-9  # for a hand on a line of the last street

Values = NDArray[np.float64]


class NextBoard(NamedTuple):
    """A board next to the root, and how many boards are like it but for the names of suits.

    Where only some later board was drawn, `later` has the cards of each street from there to it.
    """

    cards: tuple[int, ...]
    copies: int
    later: tuple[tuple[int, ...], ...] = ()

    @property
    def all_cards(self) -> tuple[int, ...]:
        """Those of the later board, if there is one."""
        return sum(self.later, self.cards)


class BoardRow(NamedTuple):
    """What responses to the bot win on one board."""

    board: NextBoard
    worth: tuple[Values, Values]  # by seat: [layers, starts, classes of hands]


@dataclass(frozen=True)
class SeatResponse:
    """What a responder in one seat wins, and what it gains over the bot in the same seat."""

    value: Estimate  # of the best response
    own: Estimate | None = None  # of the bot itself; where bets are fixed
    gains: tuple[Estimate, ...] = ()  # by street: what responding there adds to later streets


@dataclass(frozen=True)
class ExactResponse(NamedFigures):
    """How much a best responder wins from a bot, in chips per hand."""

    variant: Variant
    seats: tuple[SeatResponse, SeatResponse]
    exploitability: Estimate  # the mean of both seats
    losses: tuple[Estimate, ...]  # by street, its part of the exploitability; where bets are fixed
    boards: int
    sampled: bool
    chosen_from: bool  # whether the responder had to choose bets from a menu
    first_street: int = 0  # on which the responder responds; before, it plays like the bot

    @property
    def lower_bound(self) -> bool:
        """Whether a responder with more freedom might win more."""
        return self.chosen_from or self.first_street > 0

    @property
    def kind(self) -> str:
        """What the figure is worth: exact, sampled, or a lower bound."""
        if self.lower_bound:
            return "lower bound"
        return "sampled" if self.sampled else "exact"

    @property
    def by_street(self) -> dict[str, Estimate]:
        """Losses by the name of the street."""
        return dict(zip(STREETS[self.first_street :], self.losses, strict=False))

    def in_mb(self, figure: Estimate) -> Estimate:
        """A figure in thousandths of a big blind per hand."""
        return figure.times(1000.0 / self.variant.big_blind)

    def to_dict(self) -> dict[str, Any]:
        """All figures in mb/g."""
        return {
            "kind": self.kind,
            "unit": "mb/g",
            "boards": self.boards,
            "sampled": self.sampled,
            "responds_from": STREETS[self.first_street],
            "exploitability": self.in_mb(self.exploitability).to_dict(),
            "best_responses": [self.in_mb(seat.value).to_dict() for seat in self.seats],
            "own_values": [self.in_mb(s.own).to_dict() if s.own else None for s in self.seats],
            "by_street": {
                street: self.in_mb(loss).to_dict() for street, loss in self.by_street.items()
            },
        }

    def __str__(self) -> str:
        return f"{self.in_mb(self.exploitability)} mb/g ({self.kind})"


class ExactResponder:
    """Responds to one bot from both seats."""

    def __init__(
        self,
        variant: Variant,
        cards: CardMap,
        policy: Policy,
        menu: SpotMenu | None = None,
        *,
        by_street: bool = True,
        dtype: DTypeLike = np.float32,
    ) -> None:
        check_variant(variant)
        self.variant, self.cards, self.menu = variant, cards, menu
        answers = BotAnswers(variant, policy, tuple(cards.n_buckets))
        first, second = (
            make_side(variant, cards, answers, seat, menu, by_street=by_street, dtype=dtype)
            for seat in (0, 1)
        )
        self.sides = (first, second)

    @classmethod
    def of_run(
        cls, run: TrainedRun, menu: SpotMenu | None = None, *, by_street: bool = True
    ) -> Self:
        """Responds to what a trained run plays, with the default bets if bets are free."""
        variant = run.plan.variant
        if menu is not None and variant.betting == "limit":
            raise UnsupportedGameError(f"bets of {variant.name} are fixed; leave out {menu.name!r}")
        if menu is None and variant.betting != "limit":
            menu = parse_spot_menu(DEFAULT_BETS)
        return cls(variant, run.cards, policy_of(run), menu, by_street=by_street)

    @cached_property
    def boards(self) -> list[NextBoard]:
        """All boards next to the root."""
        below = self.sides[0].board_cards().list_next()
        return [NextBoard(each.board, len(each.copies)) for each in below]

    @cached_property
    def n_boards(self) -> int:
        """How many boards there are, with all names of suits."""
        return sum(board.copies for board in self.boards)

    def sample(self, n: int, seed: int, street: int = 1) -> list[NextBoard]:
        """`n` boards of a street as a dealer would deal them, with replacement."""
        self._check_street(street)
        weights = np.array([board.copies for board in self.boards], np.float64)
        rng = np.random.default_rng(seed)
        drawn = rng.choice(weights.size, n, p=weights / weights.sum())
        return [self._deal_on(self.boards[k], street, rng) for k in drawn]

    def _deal_on(self, board: NextBoard, street: int, rng: np.random.Generator) -> NextBoard:
        """A board of `street` that begins with `board`."""
        for later in self.variant.streets[2 : street + 1]:
            left = np.setdiff1d(self.variant.deck.cards, board.all_cards)
            dealt = np.sort(rng.choice(left, later.cards, replace=False)).tolist()
            board = board._replace(later=(*board.later, tuple(dealt)))
        return board

    def _check_street(self, street: int) -> None:
        if street >= len(self.variant.streets):
            raise UnsupportedGameError(
                f"{self.variant.name} has {len(self.variant.streets)} streets; "
                f"{STREETS[street]}s are never dealt"
            )
        if street > 1 and not self.sides[0].by_street:
            raise UnsupportedGameError(
                f"bets of {self.variant.name} are free, so one cannot respond from the "
                f"{STREETS[street]} on alone; pass --flops"
            )

    def expected_seconds(self, boards: Sequence[NextBoard], threads: int) -> float:
        """About how long `respond` takes, by the last street of the first board."""
        below = self.sides[0].board_cards((boards[0].cards, *boards[0].later)).boards
        last = below.street == below.street.max()
        hands = int(below.n_hands[last].sum(axis=0).max())
        lines = sum(int(np.diff(side.lines.first_lines[-2:], axis=0).sum()) for side in self.sides)
        different = len(set(boards))
        return _SECONDS * different * hands * lines / min(threads, different)

    def respond(
        self,
        boards: Sequence[NextBoard],
        threads: int | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Generator[BoardRow]:
        """Rows of `boards`, in their order, until `stopped` says so."""
        with ThreadPool(threads) as pool:
            idle: SimpleQueue[_Worker] = SimpleQueue()
            for _ in range(pool.n_threads):
                idle.put(_Worker(self, stopped))

            def work(board: NextBoard) -> BoardRow | None:
                worker = idle.get()
                try:
                    return worker.row(board)
                finally:
                    idle.put(worker)

            for row in pool.map(work, boards):
                if row is None:
                    break
                yield row

    def combine(self, rows: Sequence[BoardRow]) -> ExactResponse:
        """The figures of all boards, each in `rows` once."""
        later = [np.sum([row.worth[seat] for row in rows], axis=0) for seat in (0, 1)]
        values = np.stack([r.value(x) for r, x in zip(self.roots, later, strict=True)])
        return self._result(values[:, None], lambda units: Estimate(float(units[0])), len(rows))

    def estimate(self, rows: Sequence[BoardRow]) -> ExactResponse:
        """The figures from boards that were sampled, all of them of the same street."""
        later = len(rows[0].board.later)
        first = later + 1 if later else 0
        units = np.stack([self.units(rows, seat) for seat in (0, 1)])[:, :, first:]
        return self._result(units, lambda u: Estimate(*mean_and_interval(u)), len(rows), first)

    def _result(
        self,
        units: Values,
        figure: Callable[[Values], Estimate],
        n_boards: int,
        first_street: int = 0,
    ) -> ExactResponse:
        """The figures of `units`, which are values by seat, board and layer."""
        gains = units[:, :, :-1] - units[:, :, 1:]
        seats = []
        for values, more in zip(units, gains, strict=True):
            own = figure(values[:, -1]) if more.size else None
            seats.append(SeatResponse(figure(values[:, 0]), own, _columns(more, figure)))
        return ExactResponse(
            self.variant,
            (seats[0], seats[1]),
            figure(units[:, :, 0].mean(axis=0)),
            _columns(gains.mean(axis=0), figure),
            n_boards,
            units.shape[1] > 1,
            self.variant.betting != "limit",
            first_street,
        )

    def units(self, rows: Sequence[BoardRow], seat: int) -> Values:
        """[boards, layers] what sampled boards say that a hand is worth to a seat's responder."""
        scaled = [row.worth[seat] * (self.n_boards / row.board.copies) for row in rows]
        halves = [np.mean(scaled[half::2], axis=0) for half in (0, 1)]
        root = self.roots[seat]
        return np.stack([root.value(x, halves[1 - k % 2]) for k, x in enumerate(scaled)])

    @cached_property
    def roots(self) -> tuple["RootStreet", "RootStreet"]:
        """The root street of both responders."""
        first, second = (RootStreet(side, self.boards[0].cards) for side in self.sides)
        return first, second


def check_variant(variant: Variant) -> None:
    """Raise `UnsupportedGameError` unless hands stay the same and more than one street is dealt."""
    check_pot(variant, "an exact response", "pass --learned")
    if not variant.has_small_hands or variant.max_runs:
        option = "--local" if has_pairs(variant) else "--learned"
        raise UnsupportedGameError(
            f"{variant.name} has draws, swaps, auctions, runs or more than two hole cards; "
            "an exact response needs two hole cards that never change; "
            f"pass {option}"
        )
    if len(variant.streets) < 2:
        raise UnsupportedGameError(
            f"{variant.name} has a single street; counterfold evaluate measures it exactly"
        )


class _Worker:
    """What one thread keeps from board to board."""

    def __init__(self, responder: ExactResponder, stopped: Callable[[], bool]) -> None:
        self.responder, self.stopped = responder, stopped
        self.passes: list[ResponsePass] = []

    def row(self, board: NextBoard) -> BoardRow | None:
        """The row of a board, None if the work was stopped."""
        responder = self.responder
        cards = responder.sides[0].board_cards((board.cards, *board.later))
        if not self.passes:
            self.passes = [ResponsePass(side, cards) for side in responder.sides]
        buckets = label_boards(cards, responder.cards)
        kept = hand_classes(cards)[0]
        worth = []
        for each in self.passes:
            found = each.respond(cards, buckets, self.stopped)
            if found is None:
                return None
            worth.append(found[:, :, kept])
        return BoardRow(board, (worth[0], worth[1]))


class RootStreet:
    """The root street of one responder, which comes after all boards."""

    def __init__(self, side: ResponseSide, board: tuple[int, ...]) -> None:
        self.side = side
        cards = side.board_cards((board,))
        boards, seat = cards.boards, side.seat
        n = int(boards.n_hands[0, seat])
        labels = label_boards(cards, side.cards)
        _, ended = ResponsePass(side, cards).root_ends(cards, labels)
        self.ended = ended.astype(np.float64)
        self.buckets = labels[boards.hands[0, seat] : boards.hands[0, seat] + n]
        self.classes = hand_classes(cards)[1]
        self.chance = float(cards.chance()[1])
        self.n_pairs = float(met_weights(boards, 0, seat, np.ones(n)).sum())

    def value(self, worth: Values, chosen_by: Values | None = None) -> Values:
        """[layers] what a hand is worth to the responder, on average over all deals."""
        other = None if chosen_by is None else chosen_by[:, :, self.classes]
        later = worth[:, :, self.classes]
        totals = finish_root(self.side, self.ended, later, self.chance, self.buckets, other)
        return np.asarray(totals.sum(axis=1) / self.n_pairs)


def hand_classes(cards: BoardCards) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """One hand at the root of each class of hands alike up to suits, and the class of each."""
    hands = cards.hands[0]
    rename = rename_cards if cards.variant.hole_cards == 1 else rename_pairs
    least = np.min([rename(renaming)[hands] for renaming in cards.renamings], axis=0)
    _, first, classes = np.unique(least, return_index=True, return_inverse=True)
    return first, classes


def _columns(units: Values, figure: Callable[[Values], Estimate]) -> tuple[Estimate, ...]:
    return tuple(figure(column) for column in units.T)
