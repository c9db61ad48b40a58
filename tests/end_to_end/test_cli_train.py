"""Estimate, train, evaluate and show, as a user or a script meets them."""

import json

import pytest
import tomli_w
from rich.console import Console

from counterfold.blueprints.blueprint_grid import find_table_cells
from counterfold.bots.trained_bot import TrainedBot, load_bot
from counterfold.cli.train import rate_text, training_line
from counterfold.cli.views.show_spot import number_cell
from counterfold.training import rates
from counterfold.training.train_metrics import Metrics
from helpers.small_recipes import DISCARD, RIVER_OF_BLOOD, content


@pytest.fixture(autouse=True)
def short_timings(monkeypatch):
    monkeypatch.setattr(rates, "_TIMED_SECONDS", 0.01)


@pytest.fixture
def write(tmp_path):
    def write(**keys):
        path = tmp_path / "mine.toml"
        path.write_text(tomli_w.dumps(content(**keys)))
        return path

    return write


@pytest.fixture
def trained(command, write, tmp_path):
    def train(deals=2000, **keys):
        code, _, errors = command(
            "train", write(**keys), "--out", tmp_path / "run", "--iterations", deals
        )
        assert code == 0, errors
        return tmp_path / "run"

    return train


def test_an_estimate_has_units(command, write):
    code, out, _ = command("estimate", write(variant=DISCARD))
    assert code == 0
    for text in ("nodes in", "information sets", "none needed", "MB", "deals/s"):
        assert text in out
    found = json.loads(command("estimate", write(variant=DISCARD), "--json")[1])
    assert found["recipe"] == "mine"
    assert found["iterations_per_second"] > 0
    assert found["tables"]["seconds"] == 0


@pytest.mark.parametrize(("about", "told"), [("", "mine"), ("a test", "mine: a test")])
def test_an_estimate_says_what_the_recipe_is(command, write, about, told):
    path = write()
    path.write_text(f"about = {about!r}\n{path.read_text()}")
    _, out, _ = command("estimate", path)
    assert out.splitlines()[0].split(maxsplit=1) == ["recipe", told]


def test_training_says_what_it_did(command, write, tmp_path):
    options = ("--out", tmp_path / "run", "--iterations", 1000, "--set", "seed=9")
    code, out, errors = command("train", write(), *options)
    assert code == 0
    assert "training memory" in errors  # the estimate comes first
    assert "1,000 deals in" in out
    assert "of 936 trained" in out
    assert f"counterfold evaluate {tmp_path / 'run'}" in out
    code, out, _ = command("train", write(), *options, "--resume", "--json")
    found = json.loads(out)
    assert (code, found["iterations"], found["interrupted"]) == (0, 1000, False)
    assert found["infosets"] == 936
    assert 0 < found["rounding"]["largest"] < 1 / 255


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--bits", "7"), "a probability must be stored in 8 or 16 bits, not 7"),
        (("--set", "solver.threads=0"), "solver.threads must be at least 1, not 0"),
        (("--time", "soon"), "cannot read the time 'soon'"),
        (("--checkpoint", "often"), "cannot read the time 'often'"),
        (("--set", "budget.memory=1kB"), "budget.memory is 1.0KB; use fewer buckets, bets"),
        (("--set", "cards=percentile(3)"), "a board and two hands need 9 cards"),
        (("--set", "bets=50%"), "offers 50%, but bets of leduc-variant are fixed"),
    ],
)
def test_bad_input_is_one_sentence_and_makes_no_folder(command, write, tmp_path, options, message):
    code, out, errors = command(
        "train", write(), "--out", tmp_path / "run", "--iterations", 10, *options
    )
    assert (code, out) == (2, "")
    assert message in errors.splitlines()[-1]
    assert errors.splitlines()[-1].startswith("counterfold: ")
    assert not (tmp_path / "run").exists()


def test_no_budget_is_refused(command, write, tmp_path):
    code, _, errors = command("train", write(), "--out", tmp_path / "run")
    assert code == 2
    assert errors == (
        "counterfold: training has no limit on time or iterations; pass one, such as --time 10m\n"
    )


@pytest.mark.parametrize("variant", [DISCARD, RIVER_OF_BLOOD])
def test_lossy_strategies_are_measured_inside_and_lifted(command, trained, variant):
    features = "pot * to_call * raises * run * opponent_discarded * cards"
    folder = trained(variant=variant, cards="listed-percentile(3)", features=features)
    code, out, _ = command("evaluate", folder, "--hands", 5000)
    assert code == 0
    for text in ("5,000 hands", "untrained", "95% interval", "chips per hand", "mb/g"):
        assert text in out
    inside, exact = out.index("inside the abstraction"), out.index("in the exact game")
    assert inside < exact
    assert "at most" in out[inside:exact]
    assert "at most" not in out[exact:]
    found = json.loads(command("evaluate", folder, "--hands", 5000, "--json")[1])
    assert found["upper_bound"]
    assert not found["exact"]["upper_bound"]
    assert 0 <= found["exploitability"] < found["exact"]["exploitability"]
    assert found["coverage"]["hands"] == 5000
    assert 0 <= found["coverage"]["untrained_decisions"] < 0.05
    assert (
        abs(found["coverage"]["value"] - found["value"]) < 3 * found["coverage"]["value_interval"]
    )


def test_exact_strategies_approach_an_equilibrium(command, trained):
    """Leduc's value is -0.0856 chips; the seed is fixed, 100,000 deals come to 0.06."""
    folder = trained(100_000)
    found = json.loads(command("evaluate", folder, "--hands", 1000, "--json")[1])
    assert found["exploitability"] == pytest.approx(found["exact"]["exploitability"])
    assert found["exploitability"] < 0.1
    assert found["value"] == pytest.approx(-0.0856, abs=0.05)


def test_a_strategy_is_shown_for_a_hand(command, trained):
    folder = trained(variant=DISCARD)
    options = ("--history", "c k / s", "--board", "Ac", "--hand", "AdKd")
    code, out, _ = command("show", folder, *options)
    assert code == 0
    for text in ("call check / keep", "seat 0", "bucket", "keep", "discard first   Kd", "%"):
        assert text in out
    found = json.loads(command("show", folder, *options, "--json")[1])
    (hand,) = found["hands"]
    assert hand["hand"] == "AdKd"
    assert hand["discards"] == ["Kd", "Ad"]
    assert found["seat"] == 0
    assert [offer["word"] for offer in found["offered"]] == ["s", "d", "d"]
    if hand["trained"]:
        assert sum(hand["actions"].values()) == pytest.approx(1.0)


def test_what_actions_are_worth_is_shown(command, trained):
    folder = trained(variant="nolimit(stack=6, deck='JQKA/cd', board=(1, 1))")
    options = ("--history", "c k /", "--board", "Ac", "--hand", "AdKd", "--ev")
    code, out, errors = command("show", folder, *options)
    assert code == 0, errors
    assert "exact, over all" in out
    assert "EV of check" in out
    found = json.loads(command("show", folder, *options, "--json")[1])
    (hand,) = found["hands"]
    mixed = sum(p * ev for p, ev in zip(hand["actions"].values(), hand["evs"], strict=True))
    assert mixed == pytest.approx(hand["ev"])
    assert sum(each["mean"] for each in found["ev"]["ranges"]) == pytest.approx(found["pot"])


def test_values_of_hands_that_change_are_refused(command, trained):
    code, _, errors = command("show", trained(variant=DISCARD), "--ev")
    assert code == 2
    assert "EV needs two hole cards that never change" in errors


def test_a_rate_is_told_only_where_time_was_measured():
    now = Metrics(1, 0.0, 1e9, 1e8, 0.5, 0.25, 1.234e-3, 10**9)
    assert rate_text(now, "deals") == "not measured: fewer than 0.1 s were timed"
    later = Metrics(5000, 2.0, 2500.0, 1e8, 0.5, 0.25, 1.234e-3, 10**9)
    assert rate_text(later, "deals") == "2,500 deals/s; at the end 100.0 million nodes/s"


def test_a_single_deal_has_no_rate(command, write, tmp_path):
    code, out, _ = command("train", write(), "--out", tmp_path / "run", "--iterations", 1)
    assert code == 0
    assert "not measured" in out
    assert "1,000,000,000" not in out


def test_the_training_line_fits_80_columns_with_regret_and_time_left():
    now = Metrics(10**9, 1e4, 123_456.0, 1e8, 0.5, 0.25, 1.234e-3, 10**9)
    line = training_line(now, "deals", 12_345.0, 80 - 12, "river-of-blood-quick")
    assert line == "1,000,000,000 deals  123,456/s  regret 1.2e-03 chips  12,345 s left"
    assert len(line) + 12 <= 80
    wide = training_line(now, "deals", 12_345.0, 140, "river-of-blood-quick")
    assert "trained 25.0%  visited 50.0%  1,000 MB  river-of-blood-quick" in wide


def test_a_folder_that_cannot_be_used_is_refused_before_the_estimate(command, write, tmp_path):
    (tmp_path / "out").write_text("a file")
    code, out, errors = command("train", write(), "--out", tmp_path / "out", "--iterations", 5)
    assert (code, out) == (2, "")
    assert errors.count("\n") == 1
    assert "is a file, not a folder" in errors
    deeper = tmp_path / "out" / "run"
    code, out, errors = command("train", write(), "--out", deeper, "--iterations", 5)
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert "cannot write to" in errors


def test_suggested_commands_are_quoted(command, write, tmp_path):
    folder = tmp_path / "my run"
    code, out, _ = command("train", write(), "--out", folder, "--iterations", 5)
    assert code == 0
    assert f"counterfold show '{folder}'" in out
    assert f"counterfold evaluate '{folder}'" in out


def test_the_next_cards_are_compared(command, trained):
    folder = trained()  # of Leduc, where one card is dealt
    code, out, _ = command("show", folder, "--history", "k k", "--runouts")
    assert code == 0
    assert len(out.splitlines()) == 1 + 6
    found = json.loads(command("show", folder, "--history", "k k", "--runouts", "--json")[1])
    for row in found["runouts"]:
        shares = [share for name, share in row.items() if name not in ("card", "to_act")]
        assert sum(shares) == pytest.approx(1)
    for options in (["--hand", "Ks"], ["--html", "x.html"], ["--history", "k"]):
        code, _, errors = command("show", folder, "--history", "k k", "--runouts", *options)
        assert code == 2
        assert errors.count("\n") == 1


def test_a_strategy_is_shown_for_all_hands(command, trained):
    folder = trained(variant=DISCARD, cards="listed-percentile(3)")
    code, out, _ = command("show", folder)
    assert code == 0
    assert "AdAc" in out
    found = json.loads(command("show", folder, "--json")[1])
    assert len(found["hands"]) == found["hands_in_all"] == 28
    some = json.loads(command("show", folder, "--json", "--limit", 3)[1])
    assert (len(some["hands"]), some["hands_in_all"]) == (3, 28)
    code, out, errors = command("show", folder, "--limit", 1)
    assert "2 more rows; show all with --limit 0" in errors


def test_card_tables_before_the_flop_are_shown_as_grids(command, write, tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path / "tables"))
    recipe = write(variant="nolimit(stack=6, deck='TJQKA/cd')", cards="uniform(3)")
    command("train", recipe, "--out", tmp_path / "run", "--iterations", 500)
    code, out, errors = command("show", tmp_path / "run")
    assert code == 0
    lines = out.splitlines()
    assert lines[-7].strip() == "visits"
    assert lines[-13].split() == [*"AKQJT"]  # one grid, with all actions in a cell
    table = load_bot(tmp_path / "run").strategy()
    aces = next(row for row in table.rows if {card // 4 for card in row.hand} == {12})
    cell = "/".join(f"{100 * share:.0f}" for share in aces.probabilities[1:])
    assert lines[-12].split()[:2] == ["A", cell]
    assert "suited hands right of the pairs" in " ".join(errors.split())
    assert [word for word in lines[-14].split() if word.isalpha()] == ["fold", "call", "allin"]
    # All deals of the ten cards are listed, so that the figures are exact here, too.
    code, out, _ = command("evaluate", tmp_path / "run", "--hands", 100)
    assert "in the exact game" in out


def test_decisions_after_the_flop_are_shown_as_one_grid_and_by_bucket(command, small_runs):
    bot = TrainedBot(small_runs["nolimit"])
    code, out, _ = command("show", small_runs.path_of("nolimit"), "--history", "c k | Ac |")
    assert code == 0
    lines = out.splitlines()
    at = next(k for k, line in enumerate(lines) if line.split() == [*"AKQJ"])
    table = bot.strategy(history="c k | Ac |")
    kings = find_table_cells(table, bot.reach(table))[1][1]
    assert lines[at + 2].split()[:3:2] == ["K", number_cell(kings)]
    assert lines[at + 5].split()[:2] == ["bucket", "hands"]


@pytest.mark.parametrize("options", [(), ("--hand", "AdKd")], ids=["all hands", "one hand"])
@pytest.mark.parametrize("deals", [10, 20_000])
def test_what_training_hardly_reached_is_dimmed(command, trained, monkeypatch, deals, options):
    folder = trained(deals, variant=DISCARD, cards="listed-percentile(3)")
    code, plain, errors = command("show", folder, *options)
    assert code == 0
    assert "visits" in plain
    assert ("dimmed: fewer than" in errors) == (deals == 10)
    terminal = Console(force_terminal=True, color_system="truecolor", highlight=False, width=200)
    for module in ("counterfold.cli.output.results", "counterfold.cli.views.show_trained.results"):
        monkeypatch.setattr(module, terminal)
    dim = "\x1b[2m"
    assert (dim in command("show", folder, *options)[1]) == (deals == 10)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--history", "c k / x"), "word 4 of 'c k / x': 'x' does not fit; offered are keep (s)"),
        (("--history", "r7"), "is not a raise from"),
        (("--history", "c k", "--hand", "AdKd"), "has 1 card here, not 0; pass them"),
        (("--board", "Qd"), "has 0 cards here, not 1; pass the betting that leads to this board"),
        (("--hand", "AdZz"), "unknown rank 'Z'"),
        (("--player", "0"), "--player and --match are for solved games"),
    ],
)
def test_situations_that_do_not_exist_are_refused(command, trained, options, message):
    code, out, errors = command("show", trained(10, variant=DISCARD), *options)
    assert (code, out) == (2, "")
    assert message in errors


def test_options_of_trained_strategies_are_refused_for_solved_games(command, tmp_path):
    command("solve", "kuhn", "--iterations", 5, "--out", tmp_path / "run")
    code, _, errors = command("show", tmp_path / "run", "--hand", "Ac")
    assert code == 2
    assert "--hand, --board, --history and --seen are for trained strategies" in errors
