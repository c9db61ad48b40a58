"""What a sampled solver of a tree takes, and that its tables alone say how it goes on."""

from dataclasses import dataclass

import numpy as np
import pytest

from counterfold.errors import AlgorithmError, UnsupportedGameError
from counterfold.games import Game, Infoset, Outcomes, parse_game
from counterfold.sampling import EXTERNAL_SAMPLING, Sampling
from counterfold.tree.compiled_game import compile_game
from counterfold.tree.exact_evaluation import exploitability
from counterfold.tree.sampled import SampledTreeSolver, _even_chance


@pytest.fixture(scope="module")
def kuhn():
    return compile_game(parse_game("kuhn"))


def test_the_average_converges(kuhn):
    solver = SampledTreeSolver(kuhn, EXTERNAL_SAMPLING, 1)
    solver.run(20_000)
    assert exploitability(solver.average_strategy()) < 0.01


@pytest.mark.parametrize("parts", [[300], [1, 99, 200]])
def test_iterations_do_not_depend_on_calls(kuhn, parts):
    whole, solver = SampledTreeSolver(kuhn, EXTERNAL_SAMPLING, 5), None
    whole.run(300)
    for n in parts:
        tables = None if solver is None else solver.tables
        following = SampledTreeSolver(kuhn, EXTERNAL_SAMPLING, 5)
        if tables is not None:  # as after a resumption
            following.iterations = solver.iterations
            for name, table in following.tables.items():
                table[...] = tables[name]
        following.run(n)
        solver = following
    np.testing.assert_array_equal(solver.regrets, whole.regrets)
    np.testing.assert_array_equal(solver.averages, whole.averages)


def test_the_seed_matters(kuhn):
    first, second = (SampledTreeSolver(kuhn, EXTERNAL_SAMPLING, seed) for seed in (1, 2))
    for solver in (first, second):
        solver.run(50)
    assert (first.regrets != second.regrets).any()


@pytest.mark.parametrize("sampling", [Sampling(prune_below=-5.0), Sampling(warm_up=3)])
def test_what_belongs_to_public_graphs_is_refused(kuhn, sampling):
    with pytest.raises(AlgorithmError, match="are for public graphs"):
        SampledTreeSolver(kuhn, sampling, 1)


def test_one_player_has_nobody_to_walk_for(monkeypatch, kuhn):
    monkeypatch.setattr(type(kuhn.game), "n_players", 1)
    with pytest.raises(UnsupportedGameError, match="only one player; use cfr"):
        SampledTreeSolver(kuhn, EXTERNAL_SAMPLING, 1)


def test_where_nature_has_no_favorite(kuhn):
    even = _even_chance(kuhn.tree)
    assert even.any()
    assert (kuhn.tree.player[even] == -1).all()
    bent = compile_game(Bent())
    assert not _even_chance(bent.tree).any()


@dataclass(frozen=True, slots=True)
class Toss:
    """A coin that falls on heads three times in ten, and a bet on it."""

    words: tuple[str, ...] = ()

    @property
    def chance(self):
        return None if self.words else Outcomes(("heads", "tails"), (0.3, 0.7))

    @property
    def utilities(self):
        if len(self.words) < 2:
            return None
        won = 1.0 if self.words[0] == self.words[1] else -1.0
        return won, -won

    @property
    def infoset(self):
        return Infoset(0, ("heads", "tails"), ())

    def child(self, action):
        return Toss((*self.words, action))


@dataclass(frozen=True)
class Bent(Game):
    """The game of such a coin."""

    name = "bent"

    def root(self):
        return Toss()
