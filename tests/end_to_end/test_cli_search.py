"""Search in play, as a user or a script meets it."""

import json
import re
import shutil

import pytest


@pytest.fixture(scope="module")
def trained(small_runs):
    return small_runs.path_of("nolimit")


@pytest.mark.parametrize("mode", ["unsafe", "maxmargin"])
def test_a_match_counts_what_was_searched(command, trained, mode):
    arguments = "match", trained, trained, "--resolve", mode, "--resolve-iterations", 20
    code, out, err = command(*arguments, "--hands", 60, "--json")
    assert code == 0, err
    first, second = json.loads(out)["sides"]
    assert first["name"] == f"nolimit+{mode}"
    assert first["searched"] > 4
    assert first["unsearched"] == first["faults"] == 0
    assert second["searched"] is None
    code, out, _ = command(*arguments, "--hands", 20)
    assert code == 0
    assert "searched and 0 left to its strategy" in out


def test_the_turn_is_searched_if_asked(command, trained):
    code, out, err = command(
        *("match", trained, trained, "--resolve", "unsafe", "--resolve-iterations", 5),
        *("--resolve-streets", 2, "--hands", 20, "--json"),
    )
    assert code == 0, err
    both = json.loads(out)["sides"][0]["searched"]
    code, out, _ = command(
        *("match", trained, trained, "--resolve", "unsafe", "--resolve-iterations", 5),
        *("--hands", 20, "--json"),
    )
    river = json.loads(out)["sides"][0]["searched"]
    assert both > river


def test_an_exported_bot_tells_how_much_of_the_clock_its_search_takes(command, trained, tmp_path):
    archive = tmp_path / "bot.zip"
    code, out, err = command(
        *("export", trained, "--out", archive, "--resolve", "unsafe", "--resolve-iterations", 10)
    )
    assert code == 0, err
    assert re.search(
        r"searched +[\d,]+ of [\d,]+ decisions on the last street, .* in 1000 hands", out
    )


def test_aivat_knows_both_players(command, trained):
    code, out, err = command(
        *("match", trained, trained, "--resolve", "unsafe", "--resolve-iterations", 5),
        *("--hands", 40, "--aivat", "--json"),
    )
    assert code == 0, err
    assert json.loads(out)["aivat"]["known"] == ["nolimit+unsafe", "nolimit"]


def test_bounds_are_told_with_and_without_search(command, trained, tmp_path):
    own = shutil.copytree(trained, tmp_path / trained.name)  # bounds are kept in the folder
    arguments = "respond", own, "--local", "--resolve", "unsafe", "--resolve-iterations", 5
    code, out, err = command(*arguments, "--hands", 300, "--json")
    assert code == 0, err
    found = json.loads(out)
    assert found["reached"] > 1
    assert found["kind"] == "lower bound with search"
    difference = found["without_search"]["mean"] - found["exploitability"]["mean"]
    assert found["difference"]["mean"] == pytest.approx(difference)
    code, out, _ = command(*arguments, "--hands", 300)
    assert code == 0
    assert re.search(r"difference +-?[\d,.]+( ± [\d,.]+)? mb/g, from the same hands", out)
    code, out, err = command(*arguments, "--resolve-streets", 2, "--hands", 30)
    assert code == 0, err
    assert re.search(r"turns +\d+, of which 0 left to the strategy", out)
    code, out, _ = command("evaluate", own)
    assert "lower bound with search" in out
    code, _, err = command("respond", trained, "--resolve", "unsafe")
    assert code == 2
    assert "add --local" in err


def test_a_tournament_lets_every_run_search(command, trained):
    code, out, err = command(
        *("tournament", trained, "random", "--resolve", "cfr-d", "--resolve-iterations", 5),
        *("--hands", 20),
    )
    assert code == 0, err
    assert "nolimit+cfr-d" in out


def test_the_bot_at_the_table_shows_what_it_solved(command, trained):
    typed = "c\nk\n" * 60
    code, out, err = command(
        *("play", trained, "--seed", 5, "--hands", 6, "--explain"),
        *("--resolve", "unsafe", "--resolve-iterations", 10, "--resolve-bets", "50%, allin"),
        typed=typed,
    )
    assert code == 0, err
    assert "searched (unsafe)" in out
    assert "own range: " in out
    assert "opponent's: " in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--resolve", "safe"), "unknown mode of search 'safe'"),
        (("--resolve", "unsafe", "--resolve-bets", "half"), "half"),
    ],
)
def test_what_cannot_be_searched_is_refused(command, trained, arguments, told):
    code, _, err = command("match", trained, "random", "--hands", 20, *arguments)
    assert code == 2
    assert told in err
    assert "Traceback" not in err


def test_only_runs_whose_hands_stay_search(command, small_runs, trained):
    discard = small_runs.path_of("discard")
    for folder, told in (
        (discard, "search in play needs two hole cards"),
        ("random", "not a trained"),
    ):
        other = trained if folder == "random" else "random"
        code, _, err = command("match", folder, other, "--hands", 20, "--resolve", "unsafe")
        assert code == 2
        assert told in err
