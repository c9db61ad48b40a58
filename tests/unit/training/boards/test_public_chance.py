"""Public chance sampling against plain CFR over all deals, and its convergence on small decks."""

import numpy as np
import pytest

from counterfold.bets import parse_menu
from counterfold.discounting import LINEAR
from counterfold.errors import UnsupportedGameError
from counterfold.games import parse_game
from counterfold.public.boards import EnumeratedBoards, SampledBoards
from counterfold.public.card_maps import CardMap
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.training.boards import public_chance, public_chance_kernels
from counterfold.training.boards.public_chance import prefers_public_chance
from helpers.small_boards import LIMIT, RUNS, SmallBoards, full_width


def walk_one(small, solver, board, regrets):
    """Regrets and averages after one board, walked for both players."""
    regrets, averages = regrets.copy(), np.zeros_like(regrets)
    boards = small.boards.take(np.array([board]))
    stack = solver._stacks[0]
    public_chance_kernels.walk_boards(
        solver._graph, boards, solver.sample_opponent, 0, 0, 1.0, regrets, averages,
        solver._responders(0), solver._answers[0], stack,
    )  # fmt: skip
    return regrets, averages


GAMES = [
    ("kuhn-variant", "min", 0),
    ("leduc-variant", "min", 0),
    ("leduc-variant", "min", 2),
    (LIMIT, "min", 0),
    (LIMIT, "min", 4),
    (RUNS, "100%, allin", 0),
    (RUNS, "100%, allin", 3),
    ("no betting on a street", "100%, allin", 0),
]


@pytest.mark.parametrize("most_dense", [0, 256])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_board_is_worth_as_much_as_all_its_deals(game, most_dense, rng, monkeypatch):
    monkeypatch.setattr(public_chance, "MOST_DENSE", most_dense)
    monkeypatch.setattr(public_chance, "ENDS_PER_TYPE", 1)
    small = SmallBoards(*game)
    solver = small.solver()
    start = rng.normal(size=small.game.n_slots).astype(np.float32)
    by_board = small.deals_of_boards()
    for board in rng.choice(len(by_board), min(5, len(by_board)), replace=False):
        rows = by_board[board]
        weights = small.deals.weights[rows] / small.deals.weights[rows].sum()
        first, second_averages = full_width(small, rows, weights, start, 0)
        second, first_averages = full_width(small, rows, weights, start + first, 1)
        regrets, averages = walk_one(small, solver, board, start)
        assert regrets - start == pytest.approx(first + second, abs=1e-5)
        assert averages == pytest.approx(first_averages + second_averages, abs=1e-5)


@pytest.mark.parametrize("game", [GAMES[1], GAMES[5]], ids=str)
def test_over_all_boards_it_is_cfr(game, rng):
    small = SmallBoards(*game)
    solver = small.solver()
    start = rng.normal(size=small.game.n_slots).astype(np.float32)
    rows = np.arange(len(small.deals))
    expected, _ = full_width(small, rows, small.deals.weights, start, 0)
    found = np.zeros(start.size)
    for board, weight in enumerate(small.boards.weights):
        found += weight * (walk_one(small, solver, board, start)[0] - start)
    own = expected != 0
    assert own.any()
    assert found[own] == pytest.approx(expected[own], abs=1e-5)


def test_sampled_actions_are_right_on_average(rng):
    small = SmallBoards("leduc-variant")
    solver = small.solver(sample_opponent=True)
    start = rng.normal(size=small.game.n_slots).astype(np.float32)
    rows = small.deals_of_boards()[0]
    weights = small.deals.weights[rows] / small.deals.weights[rows].sum()
    expected, averages = full_width(small, rows, weights, start, 0)
    boards = small.boards.take(np.array([0]))
    n = 10_000
    sums, squares, average_sums = np.zeros((3, start.size))
    for walk in range(n):
        regrets, found = start.copy(), np.zeros_like(start)
        public_chance_kernels.walk_boards(
            solver._graph, boards, True, 1, walk, 1.0, regrets, found, solver._responders(0),
            solver._answers[0], solver._stacks[0],
        )  # fmt: skip
        sums += regrets - start
        squares += np.square(regrets - start, dtype=float)
        average_sums += found
    own = expected != 0
    mean = sums[own] / n
    error = np.sqrt((squares[own] / n - mean**2) / n)
    # Five standard errors: a false alarm in less than one of 10,000 seeds, and the seed is fixed.
    assert (np.abs(mean - expected[own]) <= 5 * error + 1e-5).all()
    other = averages > 0
    assert average_sums[other] / n == pytest.approx(averages[other], abs=0.03)


# Boards to walk; exploitability must be below 1% of the big blind, or of two antes.
CONVERGING = [
    ("kuhn-variant", "min", 2_000, {}),
    ("leduc-variant", "min", 20_000, {}),
    (LIMIT, "min", 20_000, {"discounting": LINEAR}),
    (RUNS, "100%, allin", 20_000, {"discounting": LINEAR}),
    ("nolimit(stack=6, deck='JQKA/cd', board=(1,))", "100%, allin", 20_000, {}),
    ("no betting on a street", "100%, allin", 20_000, {}),
    ("kuhn-variant", "min", 40_000, {"sample_opponent": True}),
]


@pytest.mark.parametrize(("name", "menu", "boards", "options"), CONVERGING)
def test_exploitability_falls_below_one_percent(name, menu, boards, options):
    small = SmallBoards(name, menu)
    solver = small.solver(seed=1, threads=1, **options)
    solver.run(boards)
    assert solver.iterations == boards
    assert solver.visited > boards
    assert 0 <= small.exploitability(solver.averages) < 0.02


def test_a_seed_and_the_boards_done_decide_what_follows():
    small = SmallBoards("leduc-variant")
    whole, parts, other = (small.solver(seed=seed, epoch=8, threads=1) for seed in (1, 1, 2))
    whole.run(64)
    for _ in range(4):
        parts.run(16)
    other.run(64)
    assert (whole.regrets == parts.regrets).all()
    assert (whole.averages == parts.averages).all()
    assert (whole.regrets != other.regrets).any()
    assert set(whole.tables) == {"regrets", "averages"}


def test_few_boards_are_shared_out_among_all_threads():
    small = SmallBoards("kuhn-variant")
    alone, together = (small.solver(threads=n, epoch=8) for n in (1, 4))
    (block,) = alone._blocks(0, 8)
    assert block.parts == alone._split(block) == [(0, 8)]
    (block,) = together._blocks(0, 8)
    assert block.parts == [(0, 2), (2, 4), (4, 6), (6, 8)]
    assert together._split(block) == [(k, k + 1) for k in range(8)]
    assert [block.parts for block in together._blocks(7, 10)] == [[(7, 8)], [(8, 9), (9, 10)]]


def test_threads_share_the_tables():
    small = SmallBoards("kuhn-variant")
    solver = small.solver(seed=1, threads=2)
    solver.run(4_000)
    assert small.exploitability(solver.averages) < 0.02


class HighCards(CardMap):
    """Buckets by the ranks of hole cards and board: a card map that needs no list of deals."""

    name = "high cards"

    def __init__(self, dealer):
        self.dealer = dealer
        self.n_buckets = (200,) * len(dealer.stages)

    def label_stage(self, at, holes, boards, before):
        ranks = (holes >> 2).astype(np.int32)
        highest = (boards >> 2).max(axis=1, initial=0).astype(np.int32)
        return 13 * ranks.max(axis=2) + ranks.min(axis=2) + highest[:, np.newaxis]

    def bucket(self, path):
        raise NotImplementedError


@pytest.mark.parametrize("name", ["leduc-variant", LIMIT, RUNS])
def test_sampled_boards_are_listed_boards(name):
    dealer = Dealer(parse_game(name))
    deals = dealer.enumerate()
    cards = HighCards(dealer)
    listed = EnumeratedBoards(dealer, deals, cards.label(deals))
    sampled = SampledBoards(dealer, cards).batch(1, 0, 40)
    h = dealer.layout.hole_cards
    drawn = dealer.sample(1, 0, 40)
    keys = np.unique(np.column_stack([deals.lengths, deals.cards[:, 2 * h :]]), axis=0)
    for i in range(40):
        row = np.concatenate([drawn.lengths[i : i + 1], drawn.cards[i, 2 * h :]])
        at = np.flatnonzero((keys == row).all(axis=1))
        assert at.size == 1
        other = listed.take(at)
        n, k = sampled.n_hands[i], sampled.n_types[i]
        assert (other.n_hands[0], other.n_types[0]) == (n, k)
        for field in ("firsts", "seconds", "types"):
            assert (getattr(sampled, field)[i, :n] == getattr(other, field)[0, :n]).all()
        assert (sampled.n_rows[i] == other.n_rows[0]).all()


def test_sampled_boards_come_with_their_probabilities():
    dealer = Dealer(parse_game(RUNS))
    deals = dealer.enumerate()
    boards = SampledBoards(dealer, HighCards(dealer)).batch(3, 0, 20_000)
    expected = np.bincount(deals.lengths, deals.weights)
    # The standard error is 0.0035 at most.
    assert np.bincount(boards.lengths) / 20_000 == pytest.approx(expected, abs=0.015)


@pytest.mark.parametrize(
    ("name", "menu", "better"),
    [
        ("limit", "min", True),
        ("nolimit(stack=20)", "100%, allin", True),
        ("discard(stack=20)", "allin", False),
        ("swap(stack=20)", "allin", False),
        ("nolimit", "50%, 100%, allin; cap 4", False),  # a tree of 259,745 nodes
    ],
)
def test_it_is_preferred_where_hole_cards_stay_and_the_tree_is_small(name, menu, better):
    graph = build_graph(parse_game(name), parse_menu(menu), merge=False)
    assert prefers_public_chance(graph, recalls=True) == better
    assert not prefers_public_chance(graph, recalls=False)


def test_it_is_not_preferred_where_situations_are_merged():
    variant, menu = parse_game("limit"), parse_menu("min")
    assert not prefers_public_chance(build_graph(variant, menu), recalls=True)


@pytest.mark.parametrize("name", ["discard", "swap"])
def test_hole_cards_that_change_are_refused(name):
    dealer = Dealer(parse_game(name))
    with pytest.raises(UnsupportedGameError, match="use external sampling"):
        SampledBoards(dealer, HighCards(dealer))


def test_averages_gain_as_much_after_billions_of_visits():
    """All together, for each addition is a gap between numbers of 32 bits or nothing."""
    small, visits = SmallBoards(LIMIT), 2.0**24
    fresh, old = (small.solver(seed=1, threads=1) for _ in range(2))
    old.averages[:] = visits
    for solver in (fresh, old):
        solver.run(300)
    gap = float(np.spacing(np.float32(visits)))
    expected = fresh.averages.sum(dtype=float)
    gained = (old.averages.astype(float) - visits).sum()
    # Six standard errors, were the three actions of a row always rounded together.
    assert gained == pytest.approx(expected, abs=6 * (3 * gap * expected) ** 0.5)
    assert gained > 0.1 * expected
