"""Each kernel against plain Python, and whole iterations against the textbook's recursion."""

from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from counterfold.regret_kernels import LEAST_REGRET
from counterfold.tree import ALGORITHMS, make_solver, sequence_form_kernels
from helpers.compiled_games import LOSSLESS, compiled, random_pure_strategy, random_strategy, slots
from helpers.naive import textbook_cfr
from helpers.parameters import crossed

FORMS = (
    ("kuhn", "everything"),
    ("kuhn", "card"),  # imperfect recall
    ("leduc", LOSSLESS),
    ("goofspiel(3)", "everything"),
    ("toy", "everything"),  # three players
)


@pytest.fixture(params=FORMS, ids=" under ".join)
def game(request):
    return compiled(*request.param)


def points(game, player):
    """(parent, sequences, slots) of each decision point of `player`, parents first."""
    form = game.sequences
    for j in range(form.points[player], form.points[player + 1]):
        sequences = np.arange(form.first[j], form.first[j + 1])
        yield int(form.parent[j]), sequences, form.slot[j] + np.arange(sequences.size)


def plain_reach(game, strategy):
    reach = np.ones(game.sequences.n_sequences)
    for player in range(game.game.n_players):
        for parent, sequences, at in points(game, player):
            reach[sequences] = reach[parent] * strategy.probabilities[at]
    return reach


def plain_terminal_values(game, player, reach):
    form = game.sequences
    others = [p for p in range(game.game.n_players) if p != player]
    weights = form.weights[player] * np.prod(reach[form.terminals[others]], axis=0)
    return np.bincount(form.terminals[player], weights, minlength=form.n_sequences)


def reaches(game, strategy):
    reach = np.full(game.sequences.n_sequences, np.nan)
    for player in range(game.game.n_players):
        sequence_form_kernels.reach_sequences(game.sequences, player, strategy.probabilities, reach)
    return reach


def terminal_values(game, player, reach):
    values = np.full(game.sequences.n_sequences, np.nan)
    sequence_form_kernels.value_terminals(game.sequences, player, reach, values)
    return values


def test_reach_is_the_product_of_own_probabilities(game, rng):
    strategy = random_strategy(game, rng)
    assert reaches(game, strategy) == pytest.approx(plain_reach(game, strategy), abs=1e-15)


def test_terminals_pay_the_sequence_of_the_player(game, rng):
    reach = plain_reach(game, random_strategy(game, rng))
    for player in range(game.game.n_players):
        values = terminal_values(game, player, reach)
        own = ~np.isnan(values)
        expected = plain_terminal_values(game, player, reach)
        assert values[own] == pytest.approx(expected[own], abs=1e-13)
        # Exactly the sequences of the player are written: its empty one and one per action.
        n_own = 1 + sum(at.size for _, _, at in points(game, player))
        assert np.count_nonzero(own) == n_own


def test_values_go_up_by_the_strategy(game, rng):
    strategy = random_strategy(game, rng)
    reach = plain_reach(game, strategy)
    for player in range(game.game.n_players):
        values = terminal_values(game, player, reach)
        sequence_form_kernels.value_sequences(
            game.sequences, player, strategy.probabilities, values
        )
        expected = plain_terminal_values(game, player, reach)
        for parent, sequences, at in reversed(list(points(game, player))):
            expected[parent] += strategy.probabilities[at] @ expected[sequences]
        own = ~np.isnan(values)
        assert values[own] == pytest.approx(expected[own], abs=1e-12)


def test_a_response_takes_the_best_action_everywhere(game, rng):
    reach = plain_reach(game, random_strategy(game, rng))
    for player in range(game.game.n_players):
        values = terminal_values(game, player, reach)
        choice = np.full(game.sequences.parent.size, -1, np.int32)
        sequence_form_kernels.respond(game.sequences, player, values, choice)
        expected = plain_terminal_values(game, player, reach)
        low = int(game.sequences.points[player])
        for j, (parent, sequences, _) in reversed(list(enumerate(points(game, player), low))):
            expected[parent] += expected[sequences].max()
            assert values[sequences[choice[j]]] == pytest.approx(expected[sequences].max())
        assert values[player] == pytest.approx(expected[player], abs=1e-12)


def test_a_response_in_kuhn_is_the_best_of_all_pure_strategies(rng):
    game = compiled("kuhn")
    root = textbook_cfr.unfold(game.game.root())
    strategy = random_strategy(game, rng)
    plain = {
        infoset: strategy.probabilities[slots(game, i)].tolist()
        for i, infoset in enumerate(game.tree.infosets)
    }
    reach = plain_reach(game, strategy)
    for player in (0, 1):
        values = terminal_values(game, player, reach)
        sequence_form_kernels.respond(game.sequences, player, values, np.zeros(12, np.int32))
        best = textbook_cfr.best_response_value(root, plain, player, 2)  # of 2^6 strategies
        assert values[player] == pytest.approx(best, abs=1e-12)


tables = st.lists(st.integers(1, 5), min_size=1, max_size=8).flatmap(
    lambda widths: st.tuples(
        st.just(widths),
        arrays.arrays(np.float64, sum(widths), elements=st.floats(-1e300, 1e300) | st.just(0.0)),
        arrays.arrays(np.float64, sum(widths), elements=st.floats(-1e300, 1e300) | st.just(0.0)),
    )
)


def matched(widths, regrets, instant_regrets, predictive):
    offsets = np.cumsum([0, *widths], dtype=np.int32)
    strategy = np.full(regrets.size, np.nan)
    sequence_form_kernels.match_infosets(
        regrets, instant_regrets, predictive, offsets, 0, len(widths), strategy
    )
    return np.split(strategy, offsets[1:-1])


@given(tables, st.booleans())
def test_regret_matching_gives_a_distribution_per_infoset(table, predictive):
    for distribution in matched(*table, predictive):
        assert (distribution >= 0).all()
        assert distribution.sum() == pytest.approx(1.0)


@given(tables, st.booleans())
def test_regret_matching_is_that_of_the_textbook(table, predictive):
    widths, regrets, instant_regrets = table
    known = regrets + instant_regrets if predictive else regrets
    rows = np.split(known, np.cumsum(widths)[:-1])
    for row in rows:  # so little counts as no regret
        assume(not 0.0 < np.maximum(row, 0.0).sum() <= 2 * LEAST_REGRET)
    expected = [textbook_cfr.match(row) for row in rows]
    for found, wanted in zip(matched(*table, predictive), expected, strict=True):
        assert found == pytest.approx(wanted, abs=1e-15)


def test_regret_matching_touches_the_given_infosets_only():
    offsets = np.array([0, 2, 4, 6], np.int32)
    strategy = np.full(6, np.nan)
    sequence_form_kernels.match_infosets(np.ones(6), np.zeros(6), False, offsets, 1, 2, strategy)
    assert np.isnan(strategy[[0, 1, 4, 5]]).all()
    assert strategy[2:4].tolist() == [0.5, 0.5]


@given(
    arrays.arrays(np.float64, (3, 6), elements=st.floats(-1e6, 1e6)),
    st.tuples(*[st.floats(0.0, 1.0)] * 3),
    st.tuples(st.integers(0, 6), st.integers(0, 6)).map(sorted),
)
def test_discounting_weighs_by_sign_within_its_slots(table, factors, bounds):
    regrets, instant_regrets, averages = table
    positive, negative, average = factors
    inside = slice(*bounds)
    sums = regrets + instant_regrets
    expected = regrets.copy(), averages.copy()
    expected[0][inside] = np.where(sums > 0, positive * sums, negative * sums)[inside]
    expected[1][inside] *= average
    found = regrets.copy(), averages.copy()
    sequence_form_kernels.settle(found[0], instant_regrets, found[1], *bounds, *factors)
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_array_equal(found[1], expected[1])


@cache
def unfolded(game):
    return textbook_cfr.unfold(compiled(game).game.root())


def as_table(game, dictionary):
    """A textbook's dictionary in the order of the slots; nothing may be missing."""
    return np.concatenate([dictionary[infoset] for infoset in game.tree.infosets])


@pytest.mark.parametrize("draw", [random_strategy, random_pure_strategy])
@pytest.mark.parametrize("name", ["kuhn", "leduc", "goofspiel(3)", "toy"])
def test_counterfactual_regrets_of_any_strategy_are_those_of_the_textbook(name, draw, rng):
    game = compiled(name)
    strategy = draw(game, rng)
    plain = {
        infoset: strategy.probabilities[slots(game, i)].tolist()
        for i, infoset in enumerate(game.tree.infosets)
    }
    instant_regrets, averages = np.full(game.n_slots, np.nan), np.ones(game.n_slots)
    reach = reaches(game, strategy)
    regrets, played = {}, {}
    for player in range(game.game.n_players):
        values = terminal_values(game, player, reach)
        sequence_form_kernels.update_player(
            game.sequences, player, values, reach, strategy.probabilities, instant_regrets, averages
        )
        sums = textbook_cfr.Sums()
        value = textbook_cfr.traverse(unfolded(name), plain, player, sums)
        assert values[player] == pytest.approx(value, abs=1e-12)
        regrets |= sums.regrets
        played |= {i: [sums.reach[i] * p for p in plain[i]] for i in sums.reach}
    assert instant_regrets == pytest.approx(as_table(game, regrets), abs=1e-12)
    assert averages - 1.0 == pytest.approx(as_table(game, played), abs=1e-12)


def discounted(alpha, beta, gamma):
    return lambda root, n: textbook_cfr.TextbookDiscounted(root, n, alpha, beta, gamma)


TEXTBOOKS = {
    "cfr": textbook_cfr.Textbook,
    "cfr+": textbook_cfr.TextbookPlus,
    "linear": discounted(1.0, 1.0, 1.0),  # REFERENCE.md
    "dcfr": discounted(1.5, 0.0, 2.0),  # REFERENCE.md
    "pcfr+": textbook_cfr.TextbookPredictivePlus,
}


@pytest.mark.parametrize(
    ("counts", "algorithm"), crossed([("leduc", 6), ("kuhn", 20), ("toy", 10)], [*TEXTBOOKS])
)
def test_iterations_are_those_of_the_textbook(counts, algorithm):
    name, iterations = counts
    game = compiled(name)
    solver = make_solver(game, ALGORITHMS[algorithm].method)
    book = TEXTBOOKS[algorithm](unfolded(name), game.game.n_players)
    for _ in range(iterations):
        solver.run(1)
        book.iterate()
        assert solver.regrets == pytest.approx(as_table(game, book.regrets), abs=1e-12)
        averages = solver.averages * book.final_weight()
        # Quadratic weights make these sums as large as 20³: compare relative to that.
        assert averages == pytest.approx(as_table(game, book.averages), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("algorithm", TEXTBOOKS)
def test_iterations_do_not_depend_on_how_they_are_grouped(game, algorithm):
    together, apart = (make_solver(game, ALGORITHMS[algorithm].method) for _ in range(2))
    together.run(9)
    for iterations in (1, 0, 5, 3):
        apart.run(iterations)
    for name, table in together.tables.items():
        np.testing.assert_array_equal(apart.tables[name], table)
