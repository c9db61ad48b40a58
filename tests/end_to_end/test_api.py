"""What a user of the package does from Python, in one line each."""

import json
import sys
from types import SimpleNamespace

import pytest
import tomli_w

import counterfold as cf
from counterfold.cluster.workers import LocalWorkers
from counterfold.training import plan

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


def test_graph_classes_and_cards_are_made_once(folder, monkeypatch):
    """The bot that `train` returns is what was trained, not read back."""
    made = []
    for name in ("build_graph", "classify"):
        work = getattr(plan, name)
        monkeypatch.setattr(
            plan, name, lambda *a, name=name, work=work, **o: made.append(name) or work(*a, **o)
        )
    opened = plan.Plan._open_cards
    monkeypatch.setattr(
        plan.Plan, "_open_cards", lambda self, *a: made.append("cards") or opened(self, *a)
    )
    path = folder / "small.toml"
    bot = cf.train(path, folder / "once", iterations=500)
    cf.match(bot, "always-call", hands=200)
    cf.evaluate(bot, hands=200)
    assert sorted(made) == ["build_graph", "cards", "classify"]
    made.clear()
    again = cf.load_bot(folder / "once")
    assert sorted(made) == ["build_graph", "cards", "classify"]
    assert (
        again.strategy("AcKd", history="c").to_dict() == bot.strategy("AcKd", history="c").to_dict()
    )
    assert again.run.metrics == bot.run.metrics
    assert again.run.plan.recipe == bot.run.plan.recipe


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


@pytest.fixture(scope="module")
def results(bot, folder):
    """All that calls of the API return."""
    solved = cf.solve("kuhn", "dcfr", 50)
    small = ["variant=limit(bets=1, deck='TJQKA/cd')", "cards=percentile(2)", "bins=5"]
    limit = cf.train("limit-best", folder / "limit", iterations=1, overrides=small)
    spot = cf.spot("2c7dTh3s8h", ("AA,KK", "QQ,JJ"), pot=100, stack=100, iterations=20)
    return {
        "match": cf.match(bot, "always-call", hands=200, aivat=True),
        "tournament": cf.tournament([bot, "random"], hands=200),
        "measures": cf.evaluate(bot, hands=200),
        "solved": solved,
        "evaluation": cf.evaluate(solved.strategy),
        "profile": cf.show(solved.strategy),
        "table": cf.show(bot, hand="AcKd"),
        "values": bot.values(bot.strategy(history="c k | Ac | k")),
        "equity": cf.equity("AA", "KK", board="2c7dTh3s8h"),
        "spot": spot,
        "node": spot.at(),
        "spot evaluation": cf.evaluate(spot),
        "local": cf.local_response(bot, hands=200),
        "response": cf.respond(limit, flops=None),
    }


def test_every_result_prints_and_has_figures_and_a_frame(results, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=list))
    for name, result in results.items():
        assert len(str(result).splitlines()[0]) < 300, name
        assert json.loads(json.dumps(result.to_dict())), name
        rows = result.to_frame()
        assert rows, name
        values = [value for row in rows for value in row.values()]
        assert not [value for value in values if isinstance(value, dict | list | tuple)], name


def test_what_holds_arrays_is_short_where_it_is_shown(results, bot):
    """As the last line of a cell in a notebook, for example."""
    shown = [bot, cf.with_search(bot), results["solved"], results["solved"].strategy,
             results["solved"].game, results["spot"], results["node"]]  # fmt: skip
    for each in shown:
        text = repr(each)
        assert text.startswith(f"<{type(each).__name__}"), text
        assert len(text) < 300, text
    assert repr(results["table"]) == str(results["table"])
    assert repr(results["profile"]) == str(results["profile"])
