"""What walks add to the tables on average, against the recursion of the papers."""

from functools import cache

import numpy as np
import pytest

from counterfold.public.walk_kernels import WalkDeals
from counterfold.public.walk_order import walk_graph
from counterfold.sampling import Sampling
from counterfold.training.deal_sampling import DealSamplingSolver, walk_stack
from counterfold.training.deal_sampling_kernels import follow_deals, walk_deals
from counterfold.training.frozen_kernels import N_HABIT_COLUMNS, FrozenOpponent
from helpers.naive.textbook_cfr import Sums, match, traverse, unfold
from helpers.public_games import BLOOD, BOUNTY, LIMIT, MenuGame, Small

TINY = 1e-10  # weight of a walk, so that strategies stay as they are

CHANCE = Sampling(expand=True)
EXTERNAL = Sampling()
OUTCOME = Sampling(single=True, epsilon=0.6)
# Averages are large beside what is added to them, but not so large that rounding is seen.
LARGE = 1e3 * TINY
AVERAGE_STRATEGY = Sampling(epsilon=0.3, tau=1.0, beta=0.5 * LARGE)
GAMES = [
    (LIMIT, "min"),
    ("draw of two", "none"),
    (BLOOD, "allin"),
    (BOUNTY, "allin"),
    ("no betting at first", "allin"),
    ("dealt later", "allin"),
    ("look at one", "none; bids: 50%"),
    ("both lay a card", "none"),
    ("one shown for another", "none"),
]


@cache
def small_game(name, menu):
    return Small(name, menu)


@cache
def root_of(name, menu):
    small = small_game(name, menu)
    return unfold(MenuGame(small.variant, small.menu).root())


def expected_additions(name, menu, regrets):
    """Per slot of the public game: counterfactual regrets, and averages by reach."""
    small, root = small_game(name, menu), root_of(name, menu)
    game, slots = small.compiled, small.slots
    infosets = game.tree.infosets
    rows = [slots[game.offsets[k] : game.offsets[k + 1]] for k in range(len(infosets))]
    strategy = {i: match(regrets[row].tolist()) for i, row in zip(infosets, rows, strict=True)}
    instant, played = np.zeros(small.game.n_slots), np.zeros(small.game.n_slots)
    for player in (0, 1):
        sums = Sums()
        traverse(root, strategy, player, sums)
        for infoset, row in zip(infosets, rows, strict=True):
            if infoset in sums.regrets:
                instant[row] = sums.regrets[infoset]
                played[row] = np.multiply(sums.visits[infoset], strategy[infoset])
    return instant, played


def additions(small, plan, regrets, averages, passes, frozen=None):
    """[passes, 2, slots] what walks over all deals add, by their probabilities."""
    graph = walk_graph(small.game, small.dealer)
    stack = walk_stack(graph, plan.expand)
    walk, opponent = (follow_deals, ()) if plan.single else (walk_deals, (frozen,))
    found = np.zeros((passes, 2, small.game.n_slots))
    weights, groups = np.unique(small.deals.weights.round(12), return_inverse=True)
    for at in range(passes):
        for group, weight in enumerate(weights):
            rows = np.flatnonzero(groups == group)
            listed = small.deals
            deals = WalkDeals(
                listed.lengths[rows], small.buckets[rows], listed.strengths[rows], listed.hits[rows]
            )
            tables = regrets.copy(), averages.astype(np.float32)
            before = tables[1].astype(float)
            first = at * len(small.deals) + 1000 * group
            walk(graph, deals, plan, 1, first, TINY, *tables, stack, *opponent)
            found[at, 0] += weight * (tables[0] - regrets) / TINY
            found[at, 1] += weight * (tables[1] - before) / TINY
    return found


@pytest.mark.parametrize(("name", "menu"), GAMES)
def test_chance_sampling_over_all_deals_is_plain_cfr(name, menu, rng):
    small = small_game(name, menu)
    regrets, averages = rng.normal(size=small.game.n_slots), np.zeros(small.game.n_slots)
    expected = expected_additions(name, menu, regrets)
    found = additions(small, CHANCE, regrets, averages, 1)[0]
    assert np.abs(expected[0]).max() > 0.01
    np.testing.assert_allclose(found[0][small.slots], expected[0][small.slots], atol=1e-5)
    np.testing.assert_allclose(found[1][small.slots], expected[1][small.slots], atol=1e-5)


@pytest.mark.parametrize("plan", [EXTERNAL, OUTCOME, AVERAGE_STRATEGY])
@pytest.mark.parametrize(("name", "menu"), GAMES)
def test_samples_add_on_average_what_plain_cfr_adds(name, menu, plan, rng):
    small = small_game(name, menu)
    regrets = rng.normal(size=small.game.n_slots)
    averages = LARGE * rng.random(small.game.n_slots)
    expected = expected_additions(name, menu, regrets)
    passes = 2000 // max(1, len(small.deals) // 200)
    found = additions(small, plan, regrets, averages, passes)
    reached = np.zeros(small.game.n_slots, bool)
    reached[small.slots] = True
    for at in (0, 1):
        mean = found[:, at].mean(axis=0)
        error = found[:, at].std(axis=0) / np.sqrt(passes)
        often = reached & (np.count_nonzero(found[:, at], axis=0) > 100)
        assert often.sum() > 50
        z = (mean - expected[at])[often] / np.maximum(error[often], 1e-5)
        # About a thousand numbers: five standard errors are passed once in a thousand seeds.
        assert np.abs(z).max() < 5.0
        assert np.sqrt(np.mean(z**2)) < 1.3
        assert not found[:, 1][:, ~reached].any()


def pruned_run(prune_below, first):
    """A walk over one deal after all actions but folding at the root have become bad."""
    small = small_game("one draw", "100%, allin")
    solver = DealSamplingSolver(
        small.game,
        small.dealer,
        small.source,
        Sampling(prune_below=prune_below),
        dtype=np.float64,
    )
    solver.regrets[:] = 1.0
    c = small.game.classes[0]
    root, buckets = small.game.n_actions[c], np.arange(small.game.n_buckets[c])
    starts = solver.layout.starts[c] + solver.layout.strides[c] * buckets
    for k in range(1, root):
        solver.regrets[starts + k] = -50.0
    solver.iterations = first
    before = solver.regrets.copy()
    solver.run(1)
    changed = [(solver.regrets != before)[starts + k].any() for k in range(root)]
    return solver.visited, changed


def test_pruning_leaves_out_bad_actions_but_for_every_twentieth_deal():
    full, changed = pruned_run(0.0, 7)
    assert any(changed[1:])
    few, changed = pruned_run(-40.0, 7)
    assert few < full
    assert not any(changed[1:])
    assert pruned_run(-60.0, 7)[0] == full
    assert pruned_run(-40.0, 40)[0] == pruned_run(0.0, 40)[0]


@pytest.mark.parametrize(("name", "menu"), GAMES)
def test_who_meets_a_frozen_opponent_learns_what_it_gains_over_playing_like_it(name, menu, rng):
    """It goes on by what it has learned, and compares its actions with the opponent's steps."""
    small = small_game(name, menu)
    game, slots = small.compiled, small.slots
    gains, squares = rng.normal(size=small.game.n_slots), rng.random(small.game.n_slots)
    steps = rng.integers(1, 50, small.game.n_slots).astype(np.uint8)
    habits = np.zeros((small.game.graph.n_nodes, N_HABIT_COLUMNS), np.int64)
    infosets = game.tree.infosets
    rows = [slots[game.offsets[k] : game.offsets[k + 1]] for k in range(len(infosets))]
    passes = 2000 // max(1, len(small.deals) // 200)
    frozen = FrozenOpponent(steps, habits, evidence=1.0)
    found = additions(small, EXTERNAL, gains, squares, passes, frozen)[:, 0]
    usual = [steps[row] / steps[row].sum() for row in rows]
    expected = np.zeros(small.game.n_slots)
    for player in (0, 1):
        strategy = {
            infoset: (better(gains[row], squares[row], mix) if infoset.player == player else mix)
            for infoset, row, mix in zip(infosets, rows, usual, strict=True)
        }
        sums = Sums()
        traverse(root_of(name, menu), strategy, player, sums)
        for infoset, row, mix in zip(infosets, rows, usual, strict=True):
            if infoset.player == player:
                regrets = np.array(sums.regrets[infoset])
                expected[row] = regrets - mix @ regrets
    reached = np.zeros(small.game.n_slots, bool)
    reached[slots] = True
    mean = found.mean(axis=0)
    error = found.std(axis=0) / np.sqrt(passes)
    often = reached & (np.count_nonzero(found, axis=0) > 100)
    assert often.sum() > 10
    assert (np.abs(mean - expected)[often] < 5 * error[often] + 1e-5).all()


def better(gains, squares, usual):
    """The action that gained more than a standard error, else what is usual."""
    best = gains.argmax()
    return np.eye(len(gains))[best] if gains[best] > np.sqrt(squares[best]) else usual


def test_squares_of_gains_are_kept_beside_them(rng):
    small = small_game(*GAMES[0])
    n_slots, graph = small.game.n_slots, walk_graph(small.game, small.dealer)
    habits = np.zeros((small.game.graph.n_nodes, N_HABIT_COLUMNS), np.int64)
    steps = rng.integers(1, 50, n_slots).astype(np.uint8)
    frozen = FrozenOpponent(steps, habits, evidence=1.0)
    one = WalkDeals(
        small.deals.lengths[:1], small.buckets[:1], small.deals.strengths[:1], small.deals.hits[:1]
    )
    gains, squares = np.zeros(n_slots), np.zeros(n_slots, np.float32)
    stack = walk_stack(graph, False)
    walk_deals(graph, one, EXTERNAL, 1, 0, 3.0, gains, squares, stack, frozen)
    assert gains.any()
    np.testing.assert_allclose(squares, gains**2, rtol=1e-6)
