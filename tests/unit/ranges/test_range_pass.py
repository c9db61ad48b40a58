"""Passes against plain recursion: all streets, both seats, all-ins, rakes, locks, one hole card."""

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.cards import parse_cards
from counterfold.cards.text import N_CARDS
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.betting_tree import build_betting_tree, spot_root
from counterfold.ranges.board_cards import BoardCards
from counterfold.ranges.line_kernels import BEST, VALUE
from counterfold.ranges.line_tree import Rake, find_lines
from counterfold.ranges.range_pass import RangePass
from counterfold.ranges.range_solver import RangeSolver
from helpers.naive.naive_spots import NaiveSpot
from helpers.toy_games import small_variant

ROUNDING = 1e-4  # chips; tables and vectors are of 32 bits, as in spots


class Spot:
    """A spot with random strategies, ready for both ways to value it."""

    def __init__(
        self,
        variant: Variant,
        board: str,
        *,
        pot: int = 10,
        stack: int = 17,
        menu: str = "50%, allin",
        rake: Rake | None = None,
        merge_suits: bool = False,
        weights: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
        threads: int = 1,
    ) -> None:
        cards = tuple(parse_cards(board)) if board else ()
        self.variant, root, dead = spot_root(variant, len(cards), pot, stack)
        self.tree = build_betting_tree(self.variant, root, parse_spot_menu(menu), dead=dead)
        self.lines = find_lines(self.tree, dead=dead, rake=rake)
        n = N_CARDS if variant.hole_cards == 1 else 1326
        rng = np.random.default_rng(5)
        if weights is None:
            weights = (rng.random(n) * (rng.random(n) < 0.7), rng.random(n))
        all_in = tuple(self.lines.shows.tolist())
        self.cards = BoardCards(self.variant, cards, weights, all_in, merge_suits)
        self.passes = RangePass(self.lines, self.cards, np.float32, threads)
        self.learned = self.passes.make_tables()
        self.tables = self.learned.tables
        for averages in self.tables.averages:
            averages[:] = rng.random(averages.size)
        self.boards = {below.board: b for b, below in enumerate(self.cards.walk())}
        self.naive = NaiveSpot(self.tree, self.cards, rake)

    def strategy(self, node: int, board: tuple[int, ...]) -> NDArray[np.float64]:
        """What the tables say, hand by hand at the root."""
        actor = int(self.tree.situations[node, betting.ACTOR])
        b = self.boards[board]
        lines, boards = self.lines.seats[actor], self.passes.boards
        j, n = self.lines.decisions[node], boards.n_hands[b, actor]
        at = self.passes.slots[b, actor] + lines.row[j] * n
        rows = self.tables.averages[actor][at : at + lines.n_actions[j] * n].reshape(-1, n)
        shares = np.zeros((lines.n_actions[j], self.cards.hands[actor].size))
        hands = boards.hand[boards.hands[b, actor] : boards.hands[b, actor] + n]
        shares[:, hands] = rows / rows.sum(axis=0)
        return shares

    def values(self, mode: int) -> list[float]:
        totals = self.passes.totals([(0, mode), (1, mode)], self.learned)
        return [self.passes.mean(seat, total) for seat, total in enumerate(totals)]

    def naive_values(self, *, best: bool) -> list[float]:
        return [self.naive.value(seat, self.strategy, best=best) for seat in (0, 1)]


SPOTS: Mapping[str, tuple[Variant, str]] = {
    "river": (small_variant("89TJQKA/cd", 2, (3, 1, 1)), "8c9cTcJdQd"),
    "turn": (small_variant("89TJQK/cd", 2, (3, 1, 1)), "8c9cTcJd"),
    "flop": (small_variant("9TJQK/cd", 2, (3, 1, 1)), "9cTcJd"),
    "a street of two cards": (small_variant("9TJQK/cd", 2, (1, 2)), "9c"),
    "one card": (small_variant("JQK/cd", 1, (1,)), ""),
    "one card, two streets": (small_variant("9TJQK/cd", 1, (1, 1)), "9c"),
}


def _spot(name: str, **options: object) -> Spot:
    variant, board = SPOTS[name]
    if not board:
        options = {"pot": 3, **options}
    return Spot(variant, board, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("river", {}),
        ("turn", {}),
        ("flop", {"menu": "allin"}),
        ("a street of two cards", {"menu": "allin"}),
        ("one card", {}),
        ("one card, two streets", {}),
        pytest.param("flop", {}, marks=pytest.mark.slow),
        pytest.param("a street of two cards", {}, marks=pytest.mark.slow),
    ],
)
def test_values_and_best_responses_are_those_of_plain_recursion(
    name: str, options: dict[str, object]
) -> None:
    spot = _spot(name, **options)
    assert spot.values(VALUE) == pytest.approx(spot.naive_values(best=False), abs=ROUNDING)
    assert spot.values(BEST) == pytest.approx(spot.naive_values(best=True), abs=ROUNDING)


@pytest.mark.parametrize("rake", [Rake(0.05), Rake(0.1, 1.5)])
@pytest.mark.parametrize("name", ["river", "turn"])
def test_rake_is_taken_of_every_pot(name: str, rake: Rake) -> None:
    spot = _spot(name, rake=rake, pot=11)
    values = spot.values(VALUE)
    assert values == pytest.approx(spot.naive_values(best=False), abs=ROUNDING)
    assert sum(values) < -0.1


def test_nothing_is_read_of_results_where_no_one_is_all_in() -> None:
    """What lies behind the matrix of a street without all-ins may be anything, or nothing."""
    spot = _spot("one card, two streets", menu="50%; cap 1", stack=1000)
    assert spot.lines.shows.tolist() == [False, True]
    behind = np.full(1 + 9 * 9, np.nan, np.float32)
    behind[:1] = 0.0
    spot.passes.boards = spot.passes.boards._replace(matrix=behind[:1])
    assert spot.values(VALUE) == pytest.approx(spot.naive_values(best=False), abs=ROUNDING)
    assert np.isfinite(spot.passes.works[0].ends.won).all()


def test_a_game_without_rake_is_zero_sum() -> None:
    assert sum(_spot("flop", pot=11).values(VALUE)) == pytest.approx(0, abs=ROUNDING)


@pytest.mark.parametrize("seat", [0, 1])
def test_no_all_in_is_looked_up_where_nobody_can_be_all_in(seat: int) -> None:
    """Folds alone end the turn, whose matrix of all-ins does not exist."""
    spot = _spot("turn", stack=1000, menu="50%; cap 1")
    assert spot.lines.shows.tolist() == [False, True]
    behind = np.full(1 + spot.passes.boards.n_hands[0].prod(), np.nan, np.float32)
    spot.passes.boards = spot.passes.boards._replace(matrix=behind[:1])
    spot.passes.look_at_root(seat, spot.learned)
    assert np.isfinite(spot.passes.works[0].ends.won).all()


def test_threads_do_not_change_a_bit() -> None:
    one, two = _spot("flop"), _spot("flop", threads=2)
    rows = np.tile([0.8, 0.5, 0.9], (7, 1))
    for spot in (one, two):
        spot.passes.iterate(rows, spot.learned)
    for name in ("regrets", "averages"):
        for first, second in zip(getattr(one.tables, name), getattr(two.tables, name), strict=True):
            assert np.array_equal(first, second)


def _even(n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.ones(n), np.ones(n)


@pytest.mark.parametrize("name", ["flop", "turn", "a street of two cards", "one card"])
def test_suits_that_are_alike_change_nothing(name: str) -> None:
    n = N_CARDS if name.startswith("one") else 1326
    solvers = []
    for merge in (False, True):
        spot = _spot(name, weights=_even(n), merge_suits=merge)
        solvers.append(RangeSolver(spot.passes, 10))
    apart, merged = solvers
    assert merged.passes.boards.street.size <= apart.passes.boards.street.size
    for solver in solvers:
        solver.run(30)
    one, other = apart.evaluate(), merged.evaluate()
    assert one.values == pytest.approx(other.values, abs=ROUNDING)
    assert one.responses == pytest.approx(other.responses, abs=ROUNDING)


def test_boards_that_differ_in_suits_alone_are_few() -> None:
    variant = small_variant("9TJQKA/cdhs", 2, (3, 1, 1))
    spot = Spot(variant, "9cTcJc", weights=_even(1326), merge_suits=True, menu="allin")
    counts = np.bincount(spot.passes.boards.street)
    copies = np.diff(spot.passes.boards.copies)
    street = spot.passes.boards.street
    assert counts[1] == 3 + 6  # clubs, and one suit for each rank
    assert copies[street == 1].sum() == 21
    assert (copies[street == 1] == 3).sum() == 6


@given(st.integers(0, 2**32 - 1))
def test_random_ranges_and_menus_on_a_river(seed: int) -> None:
    rng = np.random.default_rng(seed)
    weights = tuple(rng.random(1326) * (rng.random(1326) < rng.random()) for _ in (0, 1))
    variant, board = SPOTS["river"]
    menu = ["allin", "33%, 75%", "bets: 50%, allin; raises: 3x", "none"][rng.integers(4)]
    pot, stack = int(rng.integers(2, 30)), int(rng.integers(1, 60))
    spot = Spot(variant, board, pot=pot, stack=stack, menu=menu, weights=weights)  # type: ignore[arg-type]
    if not all(hands.size for hands in spot.cards.hands) or spot.passes.n_pairs == 0:
        return
    assert spot.values(VALUE) == pytest.approx(spot.naive_values(best=False), abs=ROUNDING)
    assert spot.values(BEST) == pytest.approx(spot.naive_values(best=True), abs=ROUNDING)
