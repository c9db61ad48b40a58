"""The full-width solver with joint tables: against the sequence form, and what a run keeps."""

import numpy as np
import pytest

from counterfold.buckets.histories.history import History
from counterfold.buckets.joint_tables import build_joint
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards import Deck, StrengthTables
from counterfold.discounting import CFR, CFR_PLUS, DCFR, PCFR_PLUS, Discounting
from counterfold.games.holdem import VARIANTS
from counterfold.public.card_maps import TabledCards
from counterfold.public.deals import Dealer
from counterfold.public.walk_order import SampledDeals
from counterfold.ranges.joint.joint_pass import JointPass
from counterfold.ranges.joint.joint_values import evaluate_joint
from counterfold.training.deal_sampling import DealSamplingSolver
from counterfold.training.joint_cfr import JointSolver
from counterfold.tree import ALGORITHMS, make_solver, nash_conv
from helpers.array_traversal import ArrayTraversal
from helpers.compiled_games import compiled
from helpers.joint_games import SMALL, make_game, small_game

FULL_WIDTH = [name for name, a in ALGORITHMS.items() if isinstance(a.method, Discounting)]


def make(name, discounting=DCFR, dtype=None, horizon=1000):
    small = small_game(name)
    passes = dtype and JointPass(small.game, small.joint, dtype)
    return JointSolver(small.game, small.joint, discounting, horizon=horizon, passes=passes)


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
@pytest.mark.parametrize("name", FULL_WIDTH)
def test_iterates_are_those_of_the_sequence_form(game, name):
    # Two programs that have nothing in common but the algorithm. Rounding may tip a regret that is
    # zero in exact arithmetic, hence few iterations.
    method = ALGORITHMS[name].method
    ours, other = make(game, method, np.float64), make_solver(compiled(game), method)
    for n in (1, 2, 10):
        for solver in (ours, other):
            solver.run(n)
        expected = nash_conv(other.average_strategy())
        assert ours.evaluate().nash_conv == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_guesses_with_negative_regrets_are_those_of_the_sequence_form(game):
    method = Discounting(1.5, 0.5, 2.0, predictive=True)  # no shipped method keeps both
    ours, other = make(game, method, np.float64), make_solver(compiled(game), method)
    for solver in (ours, other):
        solver.run(12)
    expected = nash_conv(other.average_strategy())
    assert ours.evaluate().nash_conv == pytest.approx(expected, rel=1e-9)


def test_every_node_is_visited_once_for_each_seat():
    solver = make("leduc")
    solver.run(7)
    solver.run(3)
    assert solver.visited == 10 * 2 * solver.game.graph.n_nodes


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("discounting", [CFR_PLUS, DCFR], ids=["cfr+", "dcfr"])
def test_exploitability_falls(name, discounting):
    solver = make(name, discounting)
    solver.run(500)
    assert 0.0 <= solver.evaluate().exploitability_mb <= 1.0


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("discounting", [DCFR, PCFR_PLUS], ids=["dcfr", "pcfr+"])
def test_interruptions_change_nothing(name, discounting):
    whole, parts = make(name, discounting), make(name, discounting)
    whole.run(20)
    for n in (1, 9, 10):
        parts.run(n)
        saved = {table: array.copy() for table, array in parts.tables.items()}
        resumed = make(name, discounting)
        for table, array in resumed.tables.items():
            array[...] = saved[table]
        resumed.iterations = parts.iterations
        parts = resumed
    assert parts.iterations == whole.iterations == 20
    for table in whole.tables:
        assert np.array_equal(whole.tables[table], parts.tables[table])


@pytest.mark.parametrize("library", ["kernels", "arrays"])
def test_averages_gain_the_same_after_billions_of_iterations(library):
    small, gains = small_game("three streets"), []
    for before in (0.0, 2.0**32):
        arrays = ArrayTraversal(small.game, small.joint, np, "float32")
        passes = arrays if library == "arrays" else None
        solver = JointSolver(small.game, small.joint, CFR, passes=passes)
        solver.tables["averages"][:] = before
        solver.run(20)
        gains.append(solver.tables["averages"] - before)
    assert gains[0].max() > 10.0
    assert gains[1] == pytest.approx(gains[0], abs=20 * 2.0 ** (32 - 52))


def test_threads_change_nothing():
    small = small_game("three streets")
    solvers = [JointSolver(small.game, small.joint, threads=n) for n in (1, 3)]
    for solver in solvers:
        solver.run(20)
    for table in ("regrets", "averages"):
        assert np.array_equal(*(solver.tables[table] for solver in solvers))


@pytest.mark.parametrize("discounting", [DCFR, PCFR_PLUS], ids=["dcfr", "pcfr+"])
def test_another_array_library_gives_the_same(discounting):
    small = small_game("all-in")
    passes = ArrayTraversal(small.game, small.joint, np, "float64")
    ours = JointSolver(small.game, small.joint, discounting, passes=passes)
    kernels = make("all-in", discounting, np.float64)
    for solver in (ours, kernels):
        solver.run(5)
    for table in kernels.tables:
        np.testing.assert_allclose(ours.tables[table], kernels.tables[table], atol=1e-12)


@pytest.mark.parametrize("name", SMALL)
def test_the_average_strategy_is_one_of_the_listed_game(name):
    solver = make(name)
    solver.run(50)
    small, strategy = small_game(name), solver.average_strategy()
    sums = np.add.reduceat(strategy, infoset_starts(small.game))
    np.testing.assert_allclose(sums, 1.0, atol=1e-6)
    expected = small.listed.nash_conv(small.knowledge, strategy.astype(np.float64))
    assert solver.evaluate().nash_conv == pytest.approx(expected, abs=1e-5)


def infoset_starts(game):
    parts = [
        game.offsets[c] + np.arange(game.n_buckets[c]) * game.n_actions[c]
        for c in range(game.n_classes)
    ]
    return np.concatenate(parts)


def test_the_sampled_solver_learns_the_same_game(tmp_path):
    # Two buckets a street on ten cards: deals labeled one by one, and tables counted over all
    # deals, must mean the same information sets. Playing uniformly leaves 2454 mb/g, the sampled
    # run, whose seed is fixed, left 213, and 200 full-width iterations 0.8.
    deck = Deck(5, 2)
    history = History(2).build(StrengthLookup(StrengthTables(deck, bins=0, folder=tmp_path)))
    joint = build_joint(history, tmp_path)
    variant = VARIANTS["limit"](bets=2, deck=deck.name)
    game, dealer = make_game(variant, "min", joint.n_sequences), Dealer(variant)
    sampled = DealSamplingSolver(
        game, dealer, SampledDeals(dealer, TabledCards(dealer, history)), seed=1
    )
    sampled.run(20_000)
    solver = JointSolver(game, joint)
    solver.run(200)
    found = {
        "uniform": evaluate_joint(game, joint, np.zeros(game.n_slots)).exploitability_mb,
        "sampled": evaluate_joint(game, joint, sampled.by_class("averages")).exploitability_mb,
        "full width": solver.evaluate().exploitability_mb,
    }
    assert found["full width"] < 2.0
    assert found["sampled"] < 0.2 * found["uniform"]
    # The tables of the two are not the same: they lie in another order, and count deals.
    assert not np.array_equal(sampled.layout.starts, solver.layout.starts)
    # Brought into the same order and scale, the full-width run starts from what the other learned.
    passes = JointPass(game, joint)
    solver = JointSolver(game, joint, passes=passes)
    learned = passes.slots.from_classes(game, sampled.by_class("regrets")) / 20_000
    solver.tables["regrets"][...] = learned
    assert (solver.by_class("regrets") == (sampled.by_class("regrets") / 20_000)).all()
    solver.run(50)
    assert solver.evaluate().exploitability_mb < found["sampled"]
