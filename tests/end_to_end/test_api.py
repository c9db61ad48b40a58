"""What a user of the package does from Python, in one line each."""

import json

import pytest
import tomli_w

import counterfold as cf
from counterfold.cluster.workers import LocalWorkers

RECIPE = {
    "variant": "nolimit(stack=20, deck='JQKA/cd', board=(1, 1))",
    "cards": "exact",
    "bets": "100%, allin; cap 3",
    "seed": 1,
}


class Folder(cf.Bot):
    """Checks where it may, and folds."""

    def act(self, view):
        return view.passive_action


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("api")


@pytest.fixture(scope="module")
def bot(folder):
    path = folder / "small.toml"
    path.write_text(tomli_w.dumps(RECIPE), encoding="utf-8")
    return cf.train(path, folder / "run", iterations=3000)


def test_a_trained_bot_is_loaded_again(bot, folder):
    assert str(bot).startswith("small: nolimit(stack=20")
    again = cf.load_bot(folder / "run")
    assert again.strategy("AcKd").to_dict() == bot.strategy("AcKd").to_dict()


def test_where_to_train_can_be_said(folder, bot):
    path = folder / "small.toml"
    with pytest.raises(cf.CounterfoldError, match="cannot use a GPU yet"):
        cf.train(
            path,
            folder / "gpu",
            iterations=1,
            device="gpu",
            overrides=["solver.algorithm=external"],
        )
    shared = cf.train(path, folder / "shared", iterations=1, device="cpu", workers=LocalWorkers(2))
    assert shared.run.metrics.iterations >= 100  # to the end of an epoch


def test_its_strategy_and_range_can_be_asked_for(bot):
    table = bot.strategy(hand="AcKd", history="c")
    assert sum(table.actions(table.rows[0]).values()) == pytest.approx(1.0)
    assert table.rows[0].visits > 0
    assert bot.range(history="c").shape == (1326,)


def test_it_plays_a_baseline_in_one_line(bot):
    result = cf.match(bot, "always-call", hands=2000)
    assert "mb/hand" in str(result)
    assert "±" in str(result)
    assert json.loads(json.dumps(result.to_dict()))["hands"] == 2000


def test_it_plays_a_bot_of_ones_own(bot):
    result = cf.match(bot, Folder, hands=40, seed=3)
    assert result.hands == 40
    assert result.sides[1].name == "Folder"
    assert result.chips > 0.0  # who always folds pays the blinds


def test_a_tournament_is_a_table(bot):
    result = cf.tournament([bot, "random", "always-call"], hands=200)
    assert len(result.matches) == 3
    assert str(result).count("\n") == 3


def test_it_is_evaluated_exactly_where_that_can_be_done(bot, folder):
    measures = cf.evaluate(bot, hands=1000)
    assert measures.exact.exploitability > 0.0
    assert cf.evaluate(str(folder / "run"), hands=1000) == measures


def test_its_player_answers_views(bot):
    assert isinstance(bot.player(seed=1), cf.Bot)


def test_it_is_exported(bot, folder):
    with pytest.raises(cf.CounterfoldError, match="did you mean mit-2023"):
        cf.export(bot, "mit-203", folder / "bot.zip")
    with pytest.raises(cf.CounterfoldError, match="has no game definitions"):
        cf.export(bot, "mit-plain", folder / "bot.zip", game=folder / "dealer.game")


def test_a_small_game_is_solved_evaluated_and_shown(tmp_path):
    result = cf.solve("kuhn", "dcfr", 1000, folder=tmp_path / "kuhn")
    assert cf.evaluate(result.strategy).values[0] == pytest.approx(-1 / 18, abs=1e-4)  # Kuhn 1950
    assert cf.evaluate(tmp_path / "kuhn") == cf.evaluate(result.strategy)
    assert "exploitability" in str(result)
    table = cf.show(result.strategy, player=0)
    assert len(table.rows) == 6
    assert str(table) == str(cf.show(tmp_path / "kuhn", player=0))


def test_equity_takes_what_people_write():
    assert cf.equity("AhKh", "QQ+,AKs", board="2h7hTc").equity == pytest.approx(0.5163, abs=1e-4)
