"""CFR-BR against plain recursion on single boards, and what it is for: the real game."""

import numpy as np
import pytest

from counterfold.bets import parse_menu
from counterfold.discounting import LINEAR
from counterfold.errors import UnsupportedGameError
from counterfold.games import parse_game
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.training.boards import best_response, public_chance
from counterfold.training.boards.best_response import BestResponseSolver, is_self_play
from counterfold.training.boards.public_chance import PublicChanceSolver
from helpers.naive.naive_responders import Recursion, mixed_regrets
from helpers.small_boards import LIMIT, RUNS, SmallBoards

GAMES = [
    ("leduc-variant", "min", 0),
    ("leduc-variant", "min", 2),
    (LIMIT, "min", 4),
    ("nolimit(stack=9, deck='JQKA/cd', board=(1, 1))", "50%, 100%, 150%, allin", 3),
    (RUNS, "100%, allin", 3),
]


@pytest.mark.parametrize("walks", ["by lines", "by nodes", "by nodes and matrices"])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_board_adds_what_recursion_over_its_deals_does(game, walks, rng, monkeypatch):
    monkeypatch.setattr(public_chance, "MOST_DENSE", 256 if "matrices" in walks else 0)
    if "nodes" in walks:
        monkeypatch.setattr(best_response, "walks_in_batches", lambda _: False)
    small = SmallBoards(*game)
    solver = small.responding_solver(threads=1)
    n = small.game.n_slots
    by_board = small.deals_of_boards()
    for board in rng.choice(len(by_board), min(4, len(by_board)), replace=False):
        before = [mixed_regrets(small.game, rng) for _ in range(2)]
        tables = {"regrets": before[0], "responding": before[1], "averages": np.zeros(n)}
        solver.take_tables(tables)
        expected = np.zeros((3, n))
        for player in (0, 1):
            at = [table + more for table, more in zip(before, expected[:2], strict=True)]
            expected += Recursion(small, by_board[board], player, *at).run()
        solver._walk_batch(solver.source.take(np.array([board])), 0, 0)
        assert solver.tables["regrets"] - before[0] == pytest.approx(expected[0], abs=1e-4)
        assert solver.tables["responding"] - before[1] == pytest.approx(expected[1], abs=1e-4)
        assert solver.averages == pytest.approx(expected[2], abs=1e-4)


@pytest.mark.parametrize(
    ("name", "menu", "boards"),
    [
        ("leduc-variant", "min", 40_000),
        pytest.param(LIMIT, "min", 40_000, marks=pytest.mark.slow),
        (RUNS, "100%, allin", 20_000),
    ],
)
def test_with_exact_cards_exploitability_falls_below_one_percent(name, menu, boards):
    small = SmallBoards(name, menu)
    solver = small.responding_solver(seed=1, threads=1, discounting=LINEAR)
    solver.run(boards)
    assert 0 <= small.exploitability(solver.averages) < 0.02


def test_with_few_buckets_it_loses_less_in_the_real_game():
    small = SmallBoards(LIMIT, merge=4)
    plain, responding = (
        make(seed=1, threads=1, discounting=LINEAR)
        for make in (small.solver, small.responding_solver)
    )
    for solver in (plain, responding):
        solver.run(20_000)
    # 1.77 and 1.04 chips.
    before, after = (small.exploitability(each.averages) for each in (plain, responding))
    assert after < 0.7 * before


def test_a_seed_and_the_boards_done_decide_what_follows():
    small = SmallBoards("leduc-variant", merge=2)
    whole, parts = (small.responding_solver(seed=1, epoch=8, threads=1) for _ in range(2))
    whole.run(64)
    for _ in range(4):
        parts.run(16)
    assert set(whole.tables) == {"regrets", "averages", "responding"}
    for name, table in whole.tables.items():
        assert (table == parts.tables[name]).all()
        assert table.any()


def test_merged_situations_are_refused():
    small = SmallBoards("leduc-variant")
    graph = build_graph(parse_game(LIMIT), parse_menu("min"), merge=True)
    game = classify(graph, parse_public_abstraction("pot * to_call * cards"), [4, 4])
    with pytest.raises(UnsupportedGameError, match="feature history"):
        BestResponseSolver(game, small.dealer, small.boards)


@pytest.mark.parametrize(("share", "expected"), [(0.0, ""), (0.5, "1357"), (0.25, "37")])
def test_a_share_of_the_epochs_is_self_play(share, expected):
    assert "".join(str(e) for e in range(8) if is_self_play(e, share)) == expected


def test_in_epochs_of_self_play_players_learn_what_public_chance_sampling_teaches():
    small = SmallBoards(LIMIT, merge=4)
    options = {"seed": 1, "epoch": 4, "threads": 1}
    solver = small.responding_solver(self_play=0.5, **options)
    solver.run(4)
    plain = PublicChanceSolver(small.game, small.dealer, small.boards_by_hand(), **options)
    plain.take_tables(solver.tables)
    before = solver.tables["responding"].copy()
    for each in (plain, solver):
        each.iterations = 4
        each.run(4)
    for name in plain.tables:
        np.testing.assert_allclose(plain.tables[name], solver.tables[name], rtol=1e-5, atol=1e-5)
    assert (solver.tables["responding"] == before).all()
    solver.run(4)
    assert (solver.tables["responding"] != before).any()
